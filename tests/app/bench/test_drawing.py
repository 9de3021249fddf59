"""Drawing a fixed truth with keys."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.bench.window import BenchWindow
from tests.app.bench.conftest import settle

pytestmark = pytest.mark.usefixtures("few_views")

Key, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier


def test_keys_draw_and_what_is_observed_becomes_a_picture(lab: BenchWindow, qtbot: QtBot) -> None:
    paper = lab.maps.paper
    lab.controls.draw.click()
    paper.setFocus()
    QTest.keyClick(paper, Key.Key_Right)
    row, column = lab.document.node or (0, 0)
    QTest.keyClick(paper, Key.Key_3)
    size = lab.draw_bar.size_.value
    QTest.keyClick(paper, Key.Key_BracketLeft)
    assert (lab.draw_bar.state, lab.draw_bar.size_.value) == (2, size - 1)
    assert lab.draw_bar.brushes[2].isChecked()
    QTest.keyClick(paper, Key.Key_Space)
    assert lab.document.value.make_truth()[row, column] == 2
    QTest.keyClick(paper, Key.Key_9)  # no brush has this number
    assert lab.draw_bar.state == 2
    QTest.keyClick(paper, Key.Key_1)
    QTest.keyClick(paper, Key.Key_F)
    assert lab.draw_bar.fill.isChecked()
    QTest.keyClick(paper, Key.Key_Return)
    assert lab.document.value.make_truth()[row, column] == 0
    lab.draw_bar.brushes[1].click()
    lab.draw_bar.clear.click()
    assert (lab.document.value.make_truth() == 1).all()
    for _ in range(3):
        lab.controls.undo.click()
    assert lab.document.value.field == "blobs"

    # The observation becomes a picture with its truth.
    made = []
    lab.wanted.connect(made.append)
    for noise_kind in ("channel", "normal"):
        lab.document.set(noise_kind=noise_kind)
        outcome = settle(qtbot, lab)
        QTest.keyClick(lab, Key.Key_U, CTRL)
        picture, parameters = made.pop()()
        assert not made
        np.testing.assert_array_equal(picture.truth, outcome.truth)
        assert parameters.n_states == 3
        assert parameters.window == lab.document.value.window
