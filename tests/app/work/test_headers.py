"""Overlays of the window, and small controls in titles."""

from PyQt6.QtCore import QPoint, QRect
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.compare.comparison import Comparing
from latviz.app.program.window import MainWindow
from latviz.app.work.activity import Failure, Remedy
from tests.app.conftest import settle


def check_messages(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    window.resize(*size)
    window.document.freeze(True)
    settle(qtbot, window)
    text = "“a rather long name of a file.png” cannot be read: it ends too early. " * 3
    for remedy in (None, Remedy("Open it reduced", print)):
        window.banner.show_failure(Failure(text, "details", remedy))
        QTest.qWait(20)
        room = place_in(window, window.banner)
        assert window.rect().contains(room)
        label = window.banner.label
        assert label.height() >= label.heightForWidth(label.width())
        others: list[QWidget] = [window.menuBar(), window.parts[Comparing].bar, window.statusBar()]
        others += [dock for dock in window.docks.values() if dock.isVisible()]
        assert len(others) > 8
        for other in others:
            assert other.isVisible()
            assert not room.intersects(place_in(window, other)), other.objectName()
        assert room.bottom() < place_in(window, window.docks["states"].header.blend).top()
    before = place_in(window, window.docks["states"]).top()
    window.banner.close_button.click()
    qtbot.waitUntil(lambda: place_in(window, window.docks["states"]).top() < before)


def test_titles_show_what_is_chosen_and_messages_cover_nothing(window, qtbot) -> None:
    window.resize(1280, 800)
    settle(qtbot, window)
    for shown in (("image", "states"), ("states",), ("states", "tradeoff")):
        for name in window.docks:
            window.docks[name].setVisible(name in shown)
        settle(qtbot, window)
        QTest.qWait(20)
        dock = window.docks["states"]
        assert dock.bar.heading.text() == "State map"
        ends = dock.header.blend.ends
        wide = sum(end.sizeHint().width() for end in ends)
        assert all(end.isVisible() for end in ends) is (dock.width() > wide + 260)
    window.tabs.restore_default()
    for size in ((800, 600), (1280, 800), (1920, 1080)):
        check_messages(window, qtbot, size)


def place_in(window: MainWindow, part: QWidget) -> QRect:
    return QRect(part.mapTo(window, QPoint()), part.size())
