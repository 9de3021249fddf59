"""Drawing the truth of the laboratory, with the mouse and with keys."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.benches.laboratory.window import LabWindow
from latviz.app.widgets.paint_canvas import PaintCanvas
from tests.app.benches.laboratory.conftest import settle

pytestmark = pytest.mark.usefixtures("few_views")

Key, LEFT, CTRL = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def place(paper: PaintCanvas, row: int, column: int) -> QPoint:
    """Return where the middle of a pixel is on the screen."""
    scene = paper.box.mapViewToScene(QPointF(column + 0.5, row + 0.5))
    return paper.mapFromScene(scene)


def test_keys_draw_and_what_is_observed_becomes_a_picture(lab: LabWindow, qtbot: QtBot) -> None:
    paper = lab.maps.paper
    lab.controls.draw.click()
    paper.setFocus()
    QTest.keyClick(paper, Key.Key_Right)
    row, column = lab.document.node or (0, 0)
    QTest.keyClick(paper, Key.Key_3)
    size = lab.easel.size
    QTest.keyClick(paper, Key.Key_BracketLeft)
    assert (lab.easel.state, lab.easel.size) == (2, size - 1)
    assert lab.draw_bar.brushes[2].isChecked()
    assert lab.draw_bar.size_.value == size - 1
    QTest.keyClick(paper, Key.Key_Space)
    assert lab.document.value.make_truth()[row, column] == 2
    QTest.keyClick(paper, Key.Key_9)  # no brush has this number
    assert lab.easel.state == 2
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
        assert parameters.window == lab.document.window
