"""The robot's hand: keys, mouse, wheel and drops, as events at Qt's windows."""

from collections.abc import Callable, Iterable

from PyQt6 import sip
from PyQt6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PyQt6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QWheelEvent,
    QWindow,
)
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget

from tests.bench.soak.watch import Sections

LEFT, RIGHT, MIDDLE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)
NONE = Qt.KeyboardModifier.NoModifier
NOTCH = 120


class Missed(Exception):
    """The target of an act has disappeared."""


class Hand:
    """Does one thing to a widget at a time; ``note`` gets its name."""

    def __init__(self, sections: Sections, note: Callable[[str], None]) -> None:
        self._sections, self._note = sections, note

    def do(self, what: str, run: Callable[[], object]) -> None:
        self._note(what)
        with self._sections.handling():
            run()

    def wait(self, milliseconds: int) -> None:
        self.do("wait", lambda: QTest.qWait(milliseconds))

    def move(self, widget: QWidget, place: QPoint) -> tuple[QWindow, QPoint]:
        window, top_level = _window(widget), widget.window()
        point = widget.mapTo(top_level, place)
        if not top_level.rect().contains(point):
            raise Missed
        self.do(f"move to {named(widget, place)}", lambda: QTest.mouseMove(window, point))
        return window, point

    def click(self, widget, place=None, button=LEFT, keys=NONE, twice=False) -> None:
        """Click on a widget, in its middle if no place is given."""
        window, point = self.move(widget, widget.rect().center() if place is None else place)
        events = [QTest.mousePress, QTest.mouseRelease] + [QTest.mouseDClick] * twice
        for event in events:
            what = f"{event.__name__} {button.name} {keys.name}"
            self.do(what, lambda event=event: event(_there(window), button, keys, point))

    def drag(self, widget, places, button=LEFT, keys=NONE) -> None:
        """Drag from the first place to the last one, by way of the others."""
        window, first = self.move(widget, places[0])
        origin = first - places[0]
        what = f"drag {button.name} by {len(places)} places"
        self.do(what, lambda: QTest.mousePress(_there(window), button, keys, first))
        for place in places[1:]:
            self.do("…", lambda place=place: QTest.mouseMove(_there(window), origin + place))
        end = origin + places[-1]
        self.do(f"to {end}", lambda: QTest.mouseRelease(_there(window), button, keys, end))

    def wheel(self, widget, place, notches, keys) -> None:
        window, point = self.move(widget, place)
        across = bool(keys & Qt.KeyboardModifier.AltModifier)
        delta = QPoint(NOTCH * notches, 0) if across else QPoint(0, NOTCH * notches)
        there = QPointF(window.mapToGlobal(point))
        phase, none = Qt.ScrollPhase.NoScrollPhase, Qt.MouseButton.NoButton
        event = QWheelEvent(QPointF(point), there, QPoint(), delta, none, keys, phase, False)
        self.do(f"wheel {notches}", lambda: QApplication.sendEvent(_there(window), event))

    def key(self, widget: QWidget, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        window = self._activated(widget)
        name = QKeySequence(key.value | keys.value).toString()
        self.do(f"key {name}", lambda: QTest.keyClick(window, key, keys))

    def sequence(self, widget: QWidget, sequence: QKeySequence) -> None:
        for k in range(sequence.count()):
            self.key(widget, sequence[k].key(), sequence[k].keyboardModifiers())

    def type(self, widget: QWidget, text: str) -> None:
        window = self._activated(widget)
        self.do(f"type {text!r}", lambda: [_type(window, letter) for letter in text])

    def _activated(self, widget: QWidget) -> QWindow:
        """Return a widget's window, which has the focus unless a popup took it.

        Without a window manager, no window has it once a dialog is closed.
        """
        window, top_level = _window(widget), widget.window()
        if QApplication.activePopupWidget() is None and not top_level.isActiveWindow():
            self.do(f"activate {named(top_level)}", top_level.activateWindow)
            self.wait(1)
        return _there(window)

    def drop(self, widget: QWidget, place: QPoint, data: QMimeData, leave: bool = False) -> None:
        """Drag something over a window and drop it there if it is taken, or leave again."""
        window, point = self.move(widget, place)
        every = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        enter = QDragEnterEvent(point, every, data, LEFT, NONE)
        move = QDragMoveEvent(point, every, data, LEFT, NONE)
        what = [url.toString() for url in data.urls()] or data.formats()
        self.do(f"drag {what} in", lambda: QApplication.sendEvent(window, enter))
        move.setAccepted(enter.isAccepted())  # as Qt does with events of a display
        self.do("drag over", lambda: QApplication.sendEvent(_there(window), move))
        if leave or not move.isAccepted():
            end = QEvent(QEvent.Type.DragLeave)
        else:
            end = QDropEvent(QPointF(point), every, data, LEFT, NONE)
        self.do(end.type().name, lambda: QApplication.sendEvent(_there(window), end))


def _type(window: QWindow, letter: str) -> None:
    if sip.isdeleted(window):
        return
    if letter.isascii():
        QTest.keyClick(window, letter)
        return
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(window, QKeyEvent(kind, 0, NONE, letter))


def named(widget: QWidget, place: QPoint | None = None) -> str:
    text = getattr(widget, "text", None)  # of some it is a label
    name = widget.accessibleName() or widget.objectName() or (text() if callable(text) else "")
    at = "" if place is None else f" at {place.x()},{place.y()}"
    return f"{type(widget).__name__}{f'({str(name)[:40]})' if name else ''}{at}"


def inside(widgets: Iterable[QWidget]) -> list[QWidget]:
    return [
        w for w in widgets if w.isVisible() and w.isEnabled() and not w.visibleRegion().isEmpty()
    ]


def _window(widget: QWidget) -> QWindow:
    if sip.isdeleted(widget) or not widget.isVisible():
        raise Missed
    top_level = widget.window()
    return _there(None if top_level is None else top_level.windowHandle())


def _there(window: QWindow | None) -> QWindow:
    if window is None or sip.isdeleted(window) or not window.isVisible():
        raise Missed
    return window
