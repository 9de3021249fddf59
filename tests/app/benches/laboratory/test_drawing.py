"""Drawing the truth of the laboratory, with the mouse and with keys."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.benches.laboratory.window import LabWindow
from latviz.app.widgets.paint_canvas import PaintCanvas
from tests.app.benches.laboratory.conftest import settle

Key, LEFT, CTRL = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def place(paper: PaintCanvas, row: int, column: int) -> QPoint:
    """Return where the middle of a pixel is on the screen."""
    scene = paper.box.mapViewToScene(QPointF(column + 0.5, row + 0.5))
    return paper.mapFromScene(scene)


def test_a_stroke_is_shown_at_once_and_everything_follows(lab: LabWindow, qtbot: QtBot) -> None:
    paper, before = lab.maps.paper, lab.document.value.make_truth()
    assert not lab.draw_bar.isVisible()
    QTest.keyClick(lab, Key.Key_D, CTRL)
    assert lab.draw_bar.isVisible()
    assert lab.controls.draw.isChecked()
    lab.draw_bar.brushes[2].click()
    lab.easel.set_size(6)
    QTest.mousePress(paper.viewport(), LEFT, pos=place(paper, 10, 10))
    QTest.mouseMove(paper.viewport(), place(paper, 10, 50))
    QTest.mouseRelease(paper.viewport(), LEFT, pos=place(paper, 10, 50))
    assert lab.document.value.field == "drawn"
    truth = lab.document.value.make_truth()
    np.testing.assert_array_equal(lab.maps.truth.layer.image, truth)
    assert (truth[10, 8:52] == 2).all()
    assert (truth[8:13, 30] == 2).all()
    np.testing.assert_array_equal(truth[20:], before[20:])
    assert not lab.controls["region"].isVisible()
    outcome = settle(qtbot, lab)
    np.testing.assert_array_equal(outcome.truth, truth)
    assert outcome.has_curves
    QTest.keyClick(lab, Key.Key_Z, CTRL)
    assert lab.document.value.field == "blobs"
    assert lab.controls.redo.isEnabled()
    lab.controls.redo.click()
    np.testing.assert_array_equal(lab.document.value.make_truth(), truth)
    assert lab.maps.lens.whole  # the mouse drew, and did not pan


def test_keys_draw_too(lab: LabWindow) -> None:
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
    QTest.keyClick(paper, Key.Key_9)  # there is no such brush
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


def test_other_sizes_and_states_keep_the_drawing(lab: LabWindow) -> None:
    lab.controls.draw.click()
    lab.easel.pick(2)
    lab.easel.clear()
    lab.document.set(n_states=2, side=128)
    truth = lab.document.value.make_truth()
    assert truth.shape == (128, 128)
    assert (truth == 1).all()
    assert lab.easel.state == 1
    assert [brush.isVisible() for brush in lab.draw_bar.brushes] == [True] * 2 + [False] * 4
    lab.document.undo_stack.undo()
    assert lab.document.value.n_states == 3


def test_a_brush_that_is_put_down_leaves_the_map_to_look_at(lab: LabWindow) -> None:
    paper = lab.maps.paper
    before = lab.document.value
    QTest.mousePress(paper.viewport(), LEFT, pos=place(paper, 10, 10))
    QTest.mouseRelease(paper.viewport(), LEFT, pos=place(paper, 10, 10))
    assert lab.document.value == before


@pytest.mark.parametrize("noise_kind", ["channel", "normal"])
def test_the_observation_becomes_a_picture_with_its_truth(lab: LabWindow, noise_kind: str) -> None:
    made = []
    lab.wanted.connect(made.append)
    lab.document.set(noise_kind=noise_kind)
    outcome = lab.document.outcome
    QTest.keyClick(lab, Key.Key_U, CTRL)
    (make,) = made
    picture, parameters = make()
    assert picture.truth is not None
    np.testing.assert_array_equal(picture.truth, outcome.truth)
    assert parameters.n_states == 3
    assert parameters.window == lab.document.window
