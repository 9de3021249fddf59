"""What is laid over the window, and small controls in titles."""

from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.window import MainWindow
from tests.app.conftest import settle


def test_the_latency_covers_no_drawing(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_F12)
    table = window.latency.geometry()
    for name, view in window.views.items():
        if view.isVisible() and name != "pixel":
            there = QRect(view.mapTo(window, QPoint()), view.size())
            assert not there.intersects(table), name
    window.docks["controls"].close()
    window.docks["pixel"].close()
    window.latency.refresh()
    assert window.rect().contains(window.latency.geometry())


def test_the_picker_shows_the_map_whoever_chose_it(window: MainWindow, qtbot: QtBot) -> None:
    window.document.change("Change the map", map="doubt")
    assert window.docks["map"].header.currentData() == "doubt"
    window.document.change("Change the map", map="likelihood")
    assert window.docks["map"].header.currentData() == "likelihood"
    settle(qtbot, window)
