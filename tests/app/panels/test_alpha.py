"""Alpha: its words in the window, and the values that change with it."""

import math

import numpy as np
from PyQt6.QtWidgets import QApplication, QLabel

from latviz.core.parameter import rows
from tests.app.conftest import settle


def test_alpha_moves_the_pair_term_alone_and_keys_lead_to_controls(window, qtbot) -> None:
    check_each_key_of_the_controls_gives_the_keyboard_to_its_control(window, qtbot)

    def captions() -> list[str]:
        labels = window.controls.findChildren(QLabel)
        return [
            label.text() for label in labels if label.isVisible() and "pair term" in label.text()
        ]

    window.tabs.enter("explore")
    for height, n_captions in ((1100, 1), (700, 0), (1100, 1)):  # a low window leaves it out
        window.resize(1280, height)
        qtbot.waitUntil(lambda n=n_captions: len(captions()) == n)
    assert "States, A and indices" in captions()[0]
    table = window.views["likelihood"].table
    assert table.isVisible()

    def bits(row: int) -> float:
        return float(table.rows()[row][1].replace("−", "-"))

    before = settle(qtbot, window)
    data, pair = bits(1), bits(2)
    window.controls.number("alpha").slider.setValue(50)
    after = settle(qtbot, window)
    rows, columns = after.states.shape
    pairs = (rows * (columns - 1) + columns * (rows - 1)) / (rows * columns)
    assert abs(bits(2) - pair - pairs * math.log2(0.5)) < 0.011
    assert bits(1) == data
    np.testing.assert_array_equal(after.states, before.states)
    np.testing.assert_array_equal(after.model.A, before.model.A)
    assert after.inertia == before.inertia


def check_each_key_of_the_controls_gives_the_keyboard_to_its_control(window, qtbot) -> None:
    """That of the encoding, which is not a number, raised an error."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    keys = {row.field: row.focus for row in rows(window.document.parameters) if row.focus}
    assert len(keys) == 5
    for field, focus in keys.items():
        window.menus[focus.text.replace("&", "")].trigger()
        control = window.controls[field]
        assert control.hasFocus() or control.isAncestorOf(QApplication.focusWidget()), field
