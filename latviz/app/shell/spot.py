"""A large spot that follows the pointer over the views, so that a room sees where it points."""

from PyQt6 import sip
from PyQt6.QtCore import QEvent, QObject, QPoint, Qt
from PyQt6.QtGui import QColor, QCursor, QMouseEvent, QPainter, QPaintEvent, QPen, QWindow
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.shell.actions import PREFERENCES
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.app.widgets.lifetimes import painting_on

SIDE = 76
"""Pixels across; the pointer is in the middle."""
_RING = 6.0
_COLOR = "#e6007a"  # far from all colours of states, and from greys
_FILL = 70


class SpotMark(QWidget):
    """A ring around the pointer, light on its outside so that it shows on any ground."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.resize(SIDE, SIDE)
        self.hide()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw a translucent spot with a ring."""
        inside = QColor(_COLOR)
        with painting_on(self) as painter:
            inside.setAlpha(_FILL)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            room = self.rect().toRectF().adjusted(_RING, _RING, -_RING, -_RING)
            painter.setBrush(inside)
            for color, width in (("#ffffff", _RING + 4.0), (_COLOR, _RING)):
                painter.setPen(QPen(QColor(color), width))
                painter.drawEllipse(room)
                painter.setBrush(Qt.BrushStyle.NoBrush)

    def put(self, where: QPoint) -> None:
        """Stand around a point of the parent, above all else."""
        self.move(where.x() - SIDE // 2, where.y() - SIDE // 2)
        self.raise_()
        self.show()


class Spot(QObject, Feature):
    """Shows the spot in the program's window under the pointer while it is switched on.

    It is not part of the state: undo and sessions ignore it.
    """

    def __init__(self, parts: Parts) -> None:
        main_window = parts[Shell].main_window
        super().__init__(main_window)
        self._main_window = main_window
        self._mark = SpotMark(main_window)
        self.is_on = False

    def close(self) -> None:
        """Hide the spot."""
        self.set_on(False)

    @property
    def mark(self) -> SpotMark:
        """The spot; a new one if it was deleted with its window."""
        if sip.isdeleted(self._mark):
            self._mark = SpotMark(self._main_window)
        return self._mark

    @in_menu(
        "Poi&nter spot",
        "Show a large spot at the pointer, so that an audience can follow it",
        (PREFERENCES, 0.5),
        ticked=lambda self: self.is_on,
    )
    def set_on(self, on: bool) -> None:
        """Show the spot, or no longer."""
        application = QApplication.instance()
        assert application is not None
        self.is_on = on
        if on:
            application.installEventFilter(self)
            self._follow(QCursor.pos(), QApplication.widgetAt(QCursor.pos()))
        else:
            application.removeEventFilter(self)
            self.mark.hide()

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Follow the pointer over any window; pass on all events.

        Widgets get events of moves only if they ask for them.
        """
        is_left = event is not None and event.type() == QEvent.Type.Leave
        if isinstance(watched, QWindow) and isinstance(event, QMouseEvent):
            at = event.globalPosition().toPoint()
            self._follow(at, QApplication.widgetAt(at))
        elif is_left and watched is self.mark.parentWidget():
            self.mark.hide()
        return False

    def _follow(self, at: QPoint, over: QWidget | None) -> None:
        """Stand around a point of the screen, in the window that it is over."""
        window = None if over is None else over.window()
        if window is None or window.windowType() == Qt.WindowType.Popup:
            return
        if self.mark.parentWidget() is not window:
            self.mark.setParent(window)
        self.mark.put(window.mapFromGlobal(at))
