"""The visible range of the signature space."""

import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import frame_of, pixels
from tests.app.views.spaces import MEDIUM, computed, drag, scroll, settled, shown, shown_range
from tests.new_frames import new_frame


@pytest.mark.parametrize("name", ["camera", "palette", "lab"])
def test_both_axes_of_a_plane_have_one_scale(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), (700, 300))
    for _ in range(2):
        mapping = Mapping.of(view.plot.box)
        assert mapping.x_scale == pytest.approx(mapping.y_scale, rel=1e-6)
        view.resize(320, 500)
        settled(view)


@pytest.mark.parametrize("name", ["camera", "lab", "density"])
def test_what_a_person_zoomed_to_stays(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    whole = shown_range(view)
    scroll(view, QPointF(200, 150), 4)
    zoomed = shown_range(view)
    assert zoomed[1] - zoomed[0] < 0.95 * (whole[1] - whole[0])
    encoding = frame.request.parameters.encoding
    parameters = Parameters(encoding, n_states=7, window=6)
    view.show_frame(new_frame(frame.request.picture, parameters, number=2))
    pixels(view)
    assert shown_range(view)[:2] == pytest.approx(zoomed[:2])
    view.show_frame(frame)
    port = view.plot.viewport()
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=port.rect().center())
    assert shown_range(view) == pytest.approx(whole)


@pytest.mark.parametrize("name", ["camera", "two states", "density"])
def test_no_hand_leaves_the_range_that_shows_all(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    whole = shown_range(view)
    drag(view, QPoint(60, -30))
    assert shown_range(view) == pytest.approx(whole)
    scroll(view, QPointF(100, 50), -4)
    assert shown_range(view) == pytest.approx(whole)
    scroll(view, QPointF(200, 150), 4)
    settled(view)
    for _ in range(8):
        drag(view, QPoint(90, 0))
    left, right, *_ = shown_range(view)
    assert left == pytest.approx(whole[0])
    assert right < whole[1]
    scroll(view, QPointF(200, 150), -8)
    assert shown_range(view) == pytest.approx(whole)


def test_the_space_of_another_encoding_is_shown_whole(qtbot: QtBot) -> None:
    lab, rgb = (computed("astronaut", Encoding(name), 4, 4) for name in ("lab", "rgb"))
    fresh = shown_range(shown(qtbot, SpaceView, rgb, MEDIUM))
    view = shown(qtbot, SpaceView, lab, MEDIUM)
    scroll(view, QPointF(200, 150), 4)
    view.show_frame(rgb)
    settled(view)
    # Not quite as fresh: an axis keeps the width that longer numbers took.
    assert shown_range(view) == pytest.approx(fresh, abs=0.02 * (fresh[1] - fresh[0]))


def test_the_range_grows_with_what_is_worth_showing_and_does_not_shrink(qtbot: QtBot) -> None:
    wide, narrow = (computed("astronaut", Encoding("lab"), 4, w) for w in (1, 20))
    view = shown(qtbot, SpaceView, narrow, MEDIUM)
    first = shown_range(view)
    view.show_frame(wide)
    second = shown_range(view)
    assert second[1] - second[0] > 1.05 * (first[1] - first[0])
    for edges, frame in ((second, wide), (second, narrow)):
        left, bottom, width, height = frame.space.focus
        assert edges[0] < left
        assert left + width < edges[1]
        assert edges[2] < bottom
        assert bottom + height < edges[3]
    view.show_frame(narrow)
    assert shown_range(view) == pytest.approx(second)
