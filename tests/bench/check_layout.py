"""The robot measures the room of the pictures, and finds overlaps and cut texts."""

import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.bench import layout

SIZES = ((1280, 800), (960, 540))


@pytest.mark.window
def test_the_robot_finds_no_fault_and_does_find_one(qtbot: QtBot, no_leaked_threads: None) -> None:
    with layout.opened("dark") as window:
        window.document.open(*layout.KINDS["tiny"]())
        for found in layout.measure(window, "explore", SIZES):
            assert found.faults == ()
            assert found.width >= 0.7
            assert found.height >= 0.5
        window.docks["indices"].move(QPoint(0, 0))
        assert "space and indices overlap" in layout.faults(window)
        label = QLabel("No room for this", window)
        label.resize(20, 5)
        label.show()
        assert "cut: No room for this" in layout.faults(window)
