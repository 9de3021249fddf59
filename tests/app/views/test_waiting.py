"""Results that are computed for the first time show so in their place, with their progress."""

import numpy as np
import pytest

from latviz.app.shell.status import StatusLine
from latviz.app.views.base import Cover
from latviz.app.views.guide.view import GuideView
from latviz.app.work.activity import Activity
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import settle
from tests.app.frames import pixels


def test_what_is_computed_first_and_nothing_else_is_on_screen(window, qtbot) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_texts_belong_to_the_map_on_screen(window, qtbot, patch)
    with pytest.MonkeyPatch.context() as patch:
        check_nothing_of_another_picture_is_on_screen(window, qtbot, patch)
    check_views_without_a_frame_say_what_is_done_and_how_far(window, qtbot)


def check_views_without_a_frame_say_what_is_done_and_how_far(window, qtbot) -> None:
    document, views = window.document, window.views
    settle(qtbot, window)
    noise = np.random.default_rng(0).integers(0, 256, (60, 80), dtype=np.uint8)
    window.tabs.enter("tradeoff")
    settle(qtbot, window)
    document.open(Picture(noise, "noise"))
    for view in views.values():  # as before the first frame of a large picture
        view.frame = None
    drawn = list[bytes]()
    for fraction in (0.2, 0.7):
        document.activity_changed.emit(Activity("learning", fraction))
        assert {view.waiting for view in views.values()} == {
            f"Learning: {fraction:.0%}".replace("%", " %")
        }
        drawn.append(pixels(views["tradeoff"]).tobytes())
    assert drawn[0] != drawn[1]


def check_nothing_of_another_picture_is_on_screen(window, qtbot, monkeypatch) -> None:
    """Every number and text belongs to the picture, while its first frame is computed."""
    document, status = window.document, window.parts[StatusLine]
    window.tabs.enter("explore")
    settle(qtbot, window)
    assert status.learned.text()
    painted = {name: pixels(view) for name, view in window.views.items() if view.isVisible()}
    monkeypatch.setattr(document, "_submit", lambda *_: None)  # it is never computed
    noise = np.random.default_rng(0).integers(0, 256, (60, 80), dtype=np.uint8)
    document.open(Picture(noise, "another"))
    assert document.frame is None
    assert (status.learned.text(), status.refreshed.text()) == ("", "")
    for name, view in window.views.items():
        assert view.frame is None, name
        words = view.keyboard.accessibleDescription().removesuffix(view.KEYS).strip()
        assert words in ("Nothing yet.", "") or not view.COVERED, name
    covered = [name for name in painted if window.views[name].COVERED]
    assert {"indices", "adjacency", "likelihood", "space"} <= set(covered)
    for name in covered:
        empty = Cover(window.views[name])
        empty.put()
        wanted = pixels(empty)
        np.testing.assert_array_equal(pixels(window.views[name]), wanted, name)
        assert (painted[name] != wanted).any(), name
        empty.deleteLater()
        empty.hide()
    monkeypatch.undo()
    document.set("N", n_states=5)
    settle(qtbot, window)
    assert all((pixels(window.views[name]) != wanted).any() for name in covered[-1:])
    assert status.learned.text().endswith("all 4,800 pixels")


def check_texts_belong_to_the_map_on_screen(window, qtbot, monkeypatch) -> None:
    """A decoder that is still computing has no sentence over the map of the last one."""
    window.tabs.enter("explore")
    settle(qtbot, window)
    guide = window.views["guide"]
    assert isinstance(guide, GuideView)
    effects = guide.effects
    monkeypatch.setattr(window.document, "_submit", lambda *_: None)
    window.document.set("decoder", decoder="belief")
    assert guide.effects == effects
    monkeypatch.undo()
    window.document.set("strength", passes=3)
    settle(qtbot, window)
    assert guide.effects.scales is None
    window.document.reset()
    settle(qtbot, window)
