"""The keyboard focus: a ring around it, the order of Tab, and its place after a dock closes."""

from collections.abc import Iterable, Iterator, Mapping

from PyQt6 import sip
from PyQt6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PyQt6.QtGui import QPaintEvent, QRegion
from PyQt6.QtWidgets import QAbstractScrollArea, QApplication, QMenuBar, QWidget

from latviz.app.widgets.lifetimes import painting_on
from latviz.app.work.timers import once_after

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
    """A ring in the palette's accent around the widget that has the keyboard."""

    # It serves one window. Qt's own focus frame would be hidden
    # behind the edges of views that fill a dock

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
        """Follow the widget when it or its parents move."""
        if event is not None and event.type() in _MOVES:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw the ring; a thin line inside sets it off from pictures in its own colour."""
        palette = self.palette()
        with painting_on(self) as painter:
            painter.fillRect(self.rect(), palette.base())
            ring = QRegion(self.rect()) - QRegion(_shrunk(self.rect(), WIDTH))
            painter.setClipRegion(ring)
            painter.fillRect(self.rect(), palette.accent())

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._target = new if new is not None and self._serves(new) else None
        self._place()

    def _serves(self, widget: QWidget) -> bool:
        known = widget.window() is self._owner
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
        room = _seen(target)
        low = target.height() < LOW
        self.setGeometry(_shrunk(room, -WIDTH) if low else room)
        self.setMask(QRegion(self.rect()) - QRegion(_shrunk(self.rect(), WIDTH + (not low))))
        self.show()
        self.raise_()


class DockFocus(QObject):
    """Leaves the keyboard where users expect it when docks are opened and closed."""

    # A dock that the user opens gets the focus. When the dock with the focus is closed, the
    # previous holder gets it again, or else the next dock. Qt gives it to the next stop of Tab,
    # often a button. ``keyboards`` are the parts of the docks, by the same names, that take the
    # focus

    def __init__(
        self,
        main_window: QWidget,
        docks: Mapping[str, QWidget],
        keyboards: Mapping[str, QWidget],
    ) -> None:
        super().__init__(main_window)
        self._main_window, self._docks, self._keyboards = main_window, docks, keyboards
        self._visited: dict[str, QWidget] = {}  # the newest last; "" for widgets outside docks
        self._lost = self._opened = ""
        self._timer = once_after(0, self._settle, self)
        for dock in docks.values():
            dock.installEventFilter(self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Record a dock that closes, before Qt moves the focus away."""
        if event is not None and event.type() == QEvent.Type.Hide:
            assert isinstance(watched, QWidget)
            focus = QApplication.focusWidget()
            had = next(reversed(self._visited), "") if focus is None else self._name_of(focus)
            if had and not self._lost and watched is self._docks[had]:
                self._lost = had
            self._timer.start()
        return super().eventFilter(watched, event)

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Record the focus, unless Qt moved it because a dock closed."""
        if new is None or self._lost or new is self._main_window or isinstance(new, QMenuBar):
            return
        if new.window() is self._main_window:
            name = self._name_of(new)
            self._visited.pop(name, None)
            self._visited[name] = new

    def _name_of(self, widget: QWidget) -> str:
        return next((name for name, dock in self._docks.items() if dock.isAncestorOf(widget)), "")

    def give(self, name: str) -> None:
        """Give the focus to a dock that the user opened."""
        self._opened = name
        self._settle()
        self._timer.start()  # again, once its menu is closed

    def _settle(self) -> None:
        """Give the focus to a dock that was opened or lost it, or to the next one."""
        opened, lost, self._opened, self._lost = self._opened, self._lost, "", ""
        if not self._main_window.isVisible():
            return
        nowhere = self._main_window.isActiveWindow() and QApplication.focusWidget() is None
        if opened and self._docks[opened].isVisible():
            _give(self._keyboards[opened])
        elif lost or nowhere:
            _give(next(self._heirs(lost), self._main_window))

    def _heirs(self, lost: str) -> Iterator[QWidget]:
        """Yield candidates for the focus after a dock lost it: best that dock itself."""
        visited = [name for name in reversed(self._visited) if name != lost]
        names = list(self._docks)
        after = names.index(lost) + 1 if lost else 0
        seen = [self._visited.get(name) for name in (lost, *visited) if name in self._visited]
        keyboards = (self._keyboards[name] for name in (*names[after:], *names[:after]))
        for widget in (*seen, *keyboards):
            if widget is not None and not sip.isdeleted(widget) and widget.isVisible():
                yield widget


def _give(widget: QWidget) -> None:
    """Give the keyboard to a widget, and to its window."""
    top_level = widget.window()
    if top_level is not None and not top_level.isActiveWindow():
        top_level.activateWindow()
    widget.setFocus(Qt.FocusReason.OtherFocusReason)


def _holders(widget: QWidget) -> list[QWidget]:
    """Return the parents of a widget, up to its window."""
    found, holder = [], widget.parentWidget()
    while holder is not None and not widget.isWindow():
        found.append(holder)
        widget, holder = holder, holder.parentWidget()
    return found


def _seen(widget: QWidget) -> QRect:
    """Return the rectangle of a widget in its window that no scroll area hides."""
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
    """Return the widgets in a holder that Tab visits, in their order of insertion."""
    tab = Qt.FocusPolicy.TabFocus
    inside = [holder, *holder.findChildren(QWidget)]
    return [w for w in inside if w.focusPolicy() & tab == tab and w.focusProxy() is None]


def order_tabs(holders: Iterable[QWidget]) -> None:
    """Make Tab visit one holder after the other, separately for each window.

    Widgets in two holders belong to the first.
    """
    last: dict[QWidget | None, QWidget] = {}
    strong = tab_skips_buttons()
    for stop in dict.fromkeys(stop for holder in holders for stop in stops(holder)):
        if strong:
            stop.setFocusPolicy(stop.focusPolicy() | Qt.FocusPolicy.StrongFocus)
        top_level = stop.window()
        if top_level in last:
            QWidget.setTabOrder(last[top_level], stop)
        last[top_level] = stop


def tab_skips_buttons() -> bool:
    """Return True if Tab visits only widgets that a click gives the focus to, too."""
    # This is Qt's rule on macOS, unless the user turns on keyboard navigation there. Tabs and tool
    # buttons are not among them by default: a click leaves the keyboard to the picture
    hints = QApplication.styleHints()
    return hints is not None and hints.tabFocusBehavior() != Qt.TabFocusBehavior.TabFocusAllControls
