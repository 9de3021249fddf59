"""Where the keyboard is: a ring around what has it, and the order in which Tab goes."""

from collections.abc import Iterable

from PyQt6 import sip
from PyQt6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PyQt6.QtGui import QPainter, QPaintEvent, QRegion
from PyQt6.QtWidgets import QAbstractScrollArea, QApplication, QDockWidget, QMenuBar, QWidget

WIDTH = 2
LOW = 48
"""A widget this high or higher gets the ring inside its edge, a lower one outside."""

_MOVES = {
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.ParentChange,
}


class FocusRing(QWidget):
    """A ring in the palette's accent around the widget that has the keyboard.

    It serves one window and its docks, floating or not. Qt's own focus frame would be hidden
    behind the edges of views that fill a dock.
    """

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Stay around the widget, wherever it or what holds it goes."""
        if event is not None and event.type() in _MOVES:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw the ring; a thin line inside sets it off from pictures in its own colour."""
        painter, palette = QPainter(self), self.palette()
        painter.fillRect(self.rect(), palette.base())
        ring = QRegion(self.rect()) - QRegion(_shrunk(self.rect(), WIDTH))
        painter.setClipRegion(ring)
        painter.fillRect(self.rect(), palette.accent())
        painter.end()

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._target = new if new is not None and self._serves(new) else None
        self._place()

    def _serves(self, widget: QWidget) -> bool:
        top_level = widget.window()
        docked = isinstance(top_level, QDockWidget) and top_level.parent() is self._owner
        known = top_level is self._owner or docked
        return known and not widget.isWindow() and not isinstance(widget, QMenuBar)

    def _watch(self, widgets: list[QWidget]) -> None:
        if widgets != self._watched:
            for widget in self._watched:
                if not sip.isdeleted(widget):
                    widget.removeEventFilter(self)
            for widget in widgets:
                widget.installEventFilter(self)
            self._watched = widgets

    def _place(self) -> None:
        target = self._target
        self._watch([] if target is None else [target, *_holders(target)])
        if target is None or not target.isVisible():
            self.hide()
            return
        top_level = target.window()
        if self.parentWidget() is not top_level:
            self.setParent(top_level)
        room = _seen(target)
        low = target.height() < LOW
        self.setGeometry(_shrunk(room, -WIDTH) if low else room)
        self.setMask(QRegion(self.rect()) - QRegion(_shrunk(self.rect(), WIDTH + (not low))))
        self.show()
        self.raise_()


def _holders(widget: QWidget) -> list[QWidget]:
    """Return what a widget is in, up to its window."""
    found, holder = [], widget.parentWidget()
    while holder is not None and not widget.isWindow():
        found.append(holder)
        widget, holder = holder, holder.parentWidget()
    return found


def _seen(widget: QWidget) -> QRect:
    """Return where a widget is in its window, as far as no scroll area hides it."""
    top_level = widget.window()
    assert top_level is not None
    room = QRect(widget.mapTo(top_level, QPoint()), widget.size())
    for holder in _holders(widget):
        area = holder.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is holder:
            room &= QRect(holder.mapTo(top_level, QPoint()), holder.size())
    return room


def _shrunk(rect: QRect, by: int) -> QRect:
    return rect.adjusted(by, by, -by, -by)


def stops(holder: QWidget) -> list[QWidget]:
    """Return the widgets in a holder that Tab stops at, in the order they were put into it."""
    tab = Qt.FocusPolicy.TabFocus
    inside = [holder, *holder.findChildren(QWidget)]
    return [w for w in inside if w.focusPolicy() & tab == tab and w.focusProxy() is None]


def order_tabs(holders: Iterable[QWidget]) -> None:
    """Let Tab go through all of one holder before the next one, in each window apart."""
    last: dict[QWidget | None, QWidget] = {}
    for stop in (stop for holder in holders for stop in stops(holder)):
        top_level = stop.window()
        if top_level in last:
            QWidget.setTabOrder(last[top_level], stop)
        last[top_level] = stop
