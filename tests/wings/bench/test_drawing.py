"""Drawing a fixed truth with keys, and what is kept of it."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.core.errors import ParameterError
from latviz.wings.bench.document import from_line, to_line
from latviz.wings.bench.drawn import filled, fitted, packed, unpacked
from latviz.wings.bench.experiment import Experiment
from latviz.wings.bench.exports import python_of
from latviz.wings.bench.window import BenchWindow
from tests.wings.bench.conftest import settle

pytestmark = pytest.mark.usefixtures("few_views")

DRAWN = np.random.default_rng(2).integers(0, 6, (64, 64)).astype(np.uint8)
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


def test_a_map_is_kept_as_text() -> None:
    np.testing.assert_array_equal(unpacked(packed(DRAWN)), DRAWN)
    assert len(packed(np.zeros((256, 256), np.uint8))) < 500
    for text in ("", "x", packed(DRAWN)[:-9], packed(DRAWN[:3, :5])):
        with pytest.raises(ParameterError, match="must be the text of a square map"):
            unpacked(text)


def test_filling_takes_the_connected_region_alone() -> None:
    states = np.array([[0, 0, 1, 0], [1, 1, 0, 0], [0, 1, 0, 2]], np.uint8)
    wanted = np.array([[0, 0, 1, 5], [1, 1, 5, 5], [0, 1, 5, 2]])
    np.testing.assert_array_equal(filled(states, (1, 2), 5), wanted)
    np.testing.assert_array_equal(filled(states, (2, 3), 2), states)


def test_a_map_fits_other_lattices_and_fewer_states() -> None:
    wide = fitted(DRAWN, 128, 6)
    np.testing.assert_array_equal(wide, np.repeat(np.repeat(DRAWN, 2, 0), 2, 1))
    np.testing.assert_array_equal(fitted(wide, 64, 3), np.minimum(DRAWN, 2))


def test_a_drawing_is_fitted_to_the_experiment() -> None:
    start = Experiment(side=64, n_states=6)
    drawn = replace(start, field="drawn", drawn=packed(DRAWN))
    np.testing.assert_array_equal(drawn.make_truth(), DRAWN)
    fewer = replace(drawn, n_states=3, side=128)
    wanted = np.minimum(np.repeat(np.repeat(DRAWN, 2, 0), 2, 1), 2)
    np.testing.assert_array_equal(fewer.make_truth(), wanted)
    away = replace(fewer, field="blobs")
    np.testing.assert_array_equal(replace(away, field="drawn").make_truth(), wanted)
    assert not replace(start, field="drawn").make_truth().any()
    assert from_line(to_line(drawn), start) == drawn
    assert from_line('{"field": "mosaic"}', start) == Experiment(field="mosaic")


def test_its_script_begins_with_it() -> None:
    experiment = Experiment(field="drawn", side=64, n_states=6, drawn=packed(DRAWN))
    names: dict[str, object] = {}
    exec(python_of(experiment).split("\nr = ")[0], names)
    np.testing.assert_array_equal(names["truth"], DRAWN)
