"""The prediction contest: painted by mouse, scored when w moves, ended with its page."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from latviz.app.lessons.teacher import Teacher
from latviz.app.scribbling.contest import COLORS, PredictionContest
from latviz.app.scribbling.scribbler import Scribbler
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import first_parameters, settle
from tests.app.program.test_window import pixels_of
from tests.app.scribbling.test_scribbling import paint

pytestmark = pytest.mark.usefixtures("few_views")
LINE = ((30, 10), (30, 70))


def test_what_is_painted_is_scored_as_w_moves(window, qtbot, photo) -> None:
    contest, document = window.parts[PredictionContest], window.document
    part = Picture(photo.pixels[60:120, 60:150], "part")
    document.open(part, replace(first_parameters(), window=1))
    window.tabs.enter("learn")
    panel = window.parts[Teacher].panel
    panel.contest.click()
    page = contest.page
    assert panel.currentWidget() is page
    assert document.lock is not None
    before = settle(qtbot, window)
    w = before.request.parameters.window
    page.window_control.box.setValue(w)
    assert not page.next_button.isEnabled()  # nothing would move
    page.window_control.box.setValue(w + 5)
    page.brush.box.setValue(9)
    paint(window, "states", *LINE)
    paint(window, "image", (10, 10), (20, 10))
    page.clear_button.click()
    assert window.parts[Scribbler].scribbles.strokes == ()
    QTest.keyClick(window.views["states"].canvas, Qt.Key.Key_BracketRight)
    assert page.brush.value == 10
    page.next_button.click()
    qtbot.waitUntil(lambda: len(contest.scores) == 1)
    after = settle(qtbot, window)
    (last,) = contest.scores
    assert document.lock is None
    assert last.windows == (w, w + 5)
    changed, hit, painted = 0, 0, 0
    # However states are numbered: as few pixels as possible changed
    orders = permutations(range(len(after.slots)))
    unlike = min((before.states != np.array(order)[after.states] for order in orders), key=np.sum)
    for row, column in np.ndindex(*before.states.shape):
        is_changed = unlike[row, column]
        off = max(LINE[0][1] - column, column - LINE[1][1], 0)
        is_painted = (row - 30) ** 2 + off**2 <= 4.5**2
        changed, painted = changed + is_changed, painted + is_painted
        hit += is_changed and is_painted
    assert (last.hit, last.hit + last.missed) == (hit, changed)
    assert last.false == painted - hit > 0
    shown = pixels_of(window.views["states"])[..., :3]
    assert (shown == COLORS[1, :3]).all(axis=-1).any()
    document.set("Change w", window=w)
    settle(qtbot, window)
    shown = pixels_of(window.views["states"])[..., :3]
    assert not (shown == COLORS[1, :3]).all(axis=-1).any()  # it was of another map
    page.next_button.click()
    assert contest.is_painting
    window.tabs.enter("inspect")
    assert not contest.is_on
    assert document.lock is None
    check_refusals(window, qtbot)
    window.tabs.enter("learn")
    contest.open()
    document.open(replace(part, name="again"), first_parameters())
    assert contest.is_painting
    assert contest.scores == []
    window.parts[Scribbler].set_on(True)
    assert not contest.is_on


def check_refusals(window, qtbot) -> None:
    before = window.document.parameters
    window.document.set("Decode by belief", decoder="belief", learning_window=3)
    settle(qtbot, window)
    window.parts[PredictionContest].open()
    assert not window.parts[PredictionContest].is_on
    assert window.status.message.whole_text() == "With belief, states do not depend on w"
    window.document.change("Back", parameters=before)
