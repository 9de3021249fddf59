"""Common to all views: they draw changes only, and wait for pending results."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.views.base import View
from latviz.app.views.registry import BUILT_IN
from latviz.app.views.spec import AnySpec
from latviz.engine.frames.frame import ALL_NEEDS, LATE, Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.indices import needs
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.state import Display, State
from tests.app.frames import frame_of, shown

DRAWN = {
    "space": {"space", "paths"},
    "indices": {*needs(), "truth"},
    "likelihood": {"evaluation", "code_lengths"},
    "adjacency": {"truth"},
    "tree": {"dendrogram"},
    "steps": {"cuts"},
}
"""By view: the results that it draws with the display options by default."""


def drawn_by(view: View, frame: Frame, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return True if a view draws when it receives a frame."""
    calls: list[int] = []
    monkeypatch.setattr(type(view), "draw_frame", lambda _: calls.append(1))
    monkeypatch.setattr(type(view), "describe", lambda _: None)
    view.show_frame(frame)
    return bool(calls)


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.name)
def test_a_view_draws_what_it_shows_and_nothing_else(qtbot, monkeypatch, spec) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, spec.make, frame, (300, 240))
    for part in ALL_NEEDS | LATE | {"truth"}:
        view.show_frame(frame)
        assert not drawn_by(view, replace(frame), monkeypatch)
        other = frame.with_results(**{part: 0.25})
        assert drawn_by(view, other, monkeypatch) == (part in DRAWN.get(spec.name, set())), part
        assert view.frame is other
    view.hide()  # hidden parts may not be painted


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.name)
def test_every_view_draws_other_states(qtbot, monkeypatch, spec) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, spec.make, frame, (300, 240))
    other = replace(frame, states=frame.states.copy())
    shows_states = spec.name not in ("image", "pixel")  # the image alone, and no pixel
    assert drawn_by(view, other, monkeypatch) == shows_states
    if spec.name == "image":
        display = Display().with_layers("image", borders=True)
        view.show_state(State(PictureSet((frame.request.picture,)), display=display))
    elif spec.name == "pixel":  # the pointer may be over one of the symbols of the window
        encoded = replace(
            other,
            observed=tuple(
                replace(each, values=each.values[::-1].copy()) for each in other.observed
            ),
        )
        assert drawn_by(view, encoded, monkeypatch)
        view.show_inspection(inspect(other, (4, 6)))
    assert drawn_by(view, frame, monkeypatch)


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.name)
def test_a_view_keeps_the_last_frame_while_its_part_is_pending(qtbot: QtBot, spec: AnySpec) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, spec.make, frame, (300, 240))
    for part in ALL_NEEDS - LATE:
        view.show_frame(frame)
        request = replace(frame.request, needs=frozenset({part}))
        early = replace(frame, request=request, results={})
        view.show_frame(early)
        assert (view.frame is frame) == (part in DRAWN.get(spec.name, set()))


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.name)
def test_pins_and_inspections_wait_for_a_frame_that_is_drawn_later(
    qtbot, monkeypatch, spec
) -> None:
    """The other frame has another number of symbols than the drawn one."""
    view, other = shown(qtbot, spec.make, frame_of("camera"), (300, 240)), frame_of("64 symbols")
    pinned = inspect(frame_of("camera"), (4, 6))
    view.show_inspection(pinned)
    with monkeypatch.context() as patch:
        patch.setattr(view, "_may_draw", lambda: False)
        view.show_frame(other)
        found = inspect(other, (4, 6))
        view.show_inspection(found)
        view.show_pins((found,))
    view.draw_if_stale()
    assert view.frame is other
    assert view.inspection is found


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.name)
def test_a_wider_view_needs_no_more_height(qtbot: QtBot, spec: AnySpec) -> None:
    """Otherwise an area whose scroll bar makes it narrower lays it out without end."""
    view, heights = shown(qtbot, spec.make, frame_of("camera"), (300, 240)), []
    for width in range(200, 1400, 20):
        view.resize(width, 240)
        heights.append(view.minimumSizeHint().height())
    assert heights == sorted(heights, reverse=True)
