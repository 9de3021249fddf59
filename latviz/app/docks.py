"""Views as docks: titles, default places, which of them are visible."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QFont, QResizeEvent
from PyQt6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QScrollArea,
    QToolButton,
    QWidget,
)

from latviz.app.timers import once_after
from latviz.app.widgets.elided import ElidedLabel

Side = Literal["left", "column", "row", "right", "below", "bottom"]
AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
ORIENTATIONS = {
    "column": Qt.Orientation.Horizontal,
    "right": Qt.Orientation.Horizontal,
    "row": Qt.Orientation.Vertical,
    "below": Qt.Orientation.Vertical,
}
LEAST_HEADING = 72
_TITLE_MARGIN = 2
LINE = 15
"""The height of a line of text that sizes of places are meant for, all in pixels."""
LEAST_ROOM = 150
"""What a dock keeps of its room, wherever others are put."""


@dataclass(frozen=True)
class Place:
    """Where a dock is by default.

    Attributes
    ----------
    side : str
        "column": right of another dock, as high as the window; "row": below another dock, as wide
        as its column; "right", "below": in a part of the other dock's room; "left", "bottom": at
        the edge of the window.
    of : str
        The name of the other dock.
    share : int
        The share of the other dock's room that it takes, in percent, unless one of them has a
        size; a dock that has one keeps it when its room is shared.
    width, height : int
        The size to have, in pixels for text of the usual size; 0: none of its own.
    at_most_one_in, least : int
        A size is at most this part of the room, or ``least`` pixels if that is more.
    """

    side: Side = "right"
    of: str = "states"
    share: int = 50
    width: int = 0
    height: int = 0
    at_most_one_in: int = 1
    least: int = 0


class Dock(QDockWidget):
    """A dock with a slim title.

    Signals
    -------
    appeared
        It became visible or hidden.
    resized
    dragged(QDragEnterEvent), dropped(QDropEvent)
        Something came here that is the window's: a dock that floats is none of its parts.
    """

    appeared = pyqtSignal()
    resized = pyqtSignal()
    dragged = pyqtSignal(object)
    dropped = pyqtSignal(object)

    def __init__(self, name: str, title: str, content: QWidget, header: QWidget | None) -> None:
        super().__init__(title)
        self.setObjectName(f"dock-{name}")
        self.name, self.header = name, header
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.setWidget(content)
        self.bar = _TitleBar(self, title, header)
        self.setTitleBarWidget(self.bar)
        self.visibilityChanged.connect(lambda _: self.appeared.emit())
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Tell that something is dragged in."""
        self.dragged.emit(event)

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Tell that something is dropped."""
        self.dropped.emit(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Tell of another size."""
        super().resizeEvent(event)
        self.resized.emit()

    def show_heading(self, text: str) -> None:
        """Show another text in the title bar; the menu keeps the title."""
        self.bar.heading.show_text(text)


class Sizes:
    """Gives the docks of a window their sizes back when the same ones are visible again.

    Qt shares the room of a dock that is hidden among some others, and does not undo that when the
    dock is shown again. Sizes are those of one size of the window, and of one arrangement.
    """

    def __init__(self, main_window: QMainWindow, docks: Iterable[Dock]) -> None:
        self._main_window, self._docks = main_window, tuple(docks)
        self._known: dict[frozenset[str], dict[Dock, QSize]] = {}
        self._shown: frozenset[str] = frozenset()
        self._size = main_window.size()
        self._timer = once_after(0, self._settle, main_window)
        for dock in self._docks:
            dock.appeared.connect(self._timer.start)
            dock.resized.connect(self._timer.start)
            dock.dockLocationChanged.connect(self.forget)
            dock.topLevelChanged.connect(self.forget)

    def forget(self) -> None:
        """Give nothing back of what was so far."""
        self._known.clear()

    def _settle(self) -> None:
        """Take note of the sizes, or give them back if other docks are visible than before."""
        if self._main_window.size() != self._size:
            self._size = self._main_window.size()
            self.forget()
        docked = [dock for dock in self._docks if dock.isVisible() and not dock.isFloating()]
        shown = frozenset(dock.name for dock in docked)
        known = self._known.get(shown)
        if shown != self._shown and known is not None:
            sizes = [known[dock] for dock in docked]
            widths, heights = [s.width() for s in sizes], [s.height() for s in sizes]
            self._main_window.resizeDocks(docked, widths, Qt.Orientation.Horizontal)
            self._main_window.resizeDocks(docked, heights, Qt.Orientation.Vertical)
        else:
            self._known[shown] = {dock: dock.size() for dock in docked}
        self._shown = shown


_FONTS = 8  # fonts and themes whose heights are kept


class _TitleBar(QFrame):
    def __init__(self, dock: QDockWidget, title: str, header: QWidget | None) -> None:
        super().__init__(dock)
        self.setObjectName("dock-title")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, _TITLE_MARGIN, 4, _TITLE_MARGIN)
        layout.setSpacing(4)
        self.heading = ElidedLabel()
        self.heading.setMinimumWidth(LEAST_HEADING)
        self.heading.show_text(title)
        layout.addWidget(self.heading, 1)
        if header is not None:
            layout.addWidget(header)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip(f"Hide “{title}” (it stays in the View menu)")
        close.setAccessibleName(f"Hide {title}")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the View menu and Alt with a digit hide it
        close.clicked.connect(dock.close)
        layout.addWidget(close)
        self._level()

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._level()

    def _level(self) -> None:
        """Be as high as all other titles, whatever they hold."""
        margins = self.contentsMargins()
        around = margins.top() + margins.bottom() + 2 * _TITLE_MARGIN
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self.setFixedHeight(_highest(self.font(), application.styleSheet()) + around)


@lru_cache(_FONTS)
def _highest(font: QFont, _style_sheet: str) -> int:
    """Return the height of the highest of what a title may hold.

    All titles ask for it, several times, whenever the theme changes.
    """
    box = QComboBox()
    box.setFont(font)
    return box.sizeHint().height()


def scrolled(content: QWidget) -> QScrollArea:
    """Put a panel into a scroll area, for windows that are too low for it.

    What takes the keyboard is in the panel; the area follows it.
    """
    area = QScrollArea()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    bar = area.verticalScrollBar()
    assert bar is not None
    area.setMinimumWidth(content.minimumSizeHint().width() + bar.sizeHint().width())
    return area


def arrange(
    main_window: QMainWindow,
    docks: Mapping[str, Dock],
    places: Mapping[str, Place],
    shown: Collection[str],
    size: tuple[int, int],
) -> None:
    """Put every dock in its place, for a window of a width and height, and show some of them."""
    for dock in docks.values():
        dock.setFloating(False)
        main_window.removeDockWidget(dock)
    order = _order(places)
    for name in order:
        place = places[name]
        if place.side in AREAS or place.of not in docks:
            area = AREAS.get(place.side, Qt.DockWidgetArea.BottomDockWidgetArea)
            main_window.addDockWidget(area, docks[name])
        else:
            main_window.splitDockWidget(docks[place.of], docks[name], ORIENTATIONS[place.side])
    for name, dock in docks.items():
        dock.setVisible(name in shown)
    scale = max(1.0, main_window.fontMetrics().height() / LINE)
    least = {name: dock.minimumSizeHint().width() for name, dock in docks.items()}
    room = _rooms({name: places[name] for name in order if name in shown}, size, scale, least)
    docked = [docks[name] for name in room]
    for axis, orientation in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
        main_window.resizeDocks(docked, [sizes[axis] for sizes in room.values()], orientation)


def _order(places: Mapping[str, Place]) -> list[str]:
    """Return names in the order to put docks: what spans others must be there before them."""
    ranks = {"left": 0, "column": 1, "row": 2}
    return sorted(places, key=lambda name: ranks.get(places[name].side, 3))


def _rooms(
    places: Mapping[str, Place], size: tuple[int, int], scale: float, least: Mapping[str, int]
) -> dict[str, list[int]]:
    """Return the widths and heights of docks, put one after the other; ``least`` are widths."""
    rooms: dict[str, list[int]] = {}

    def wanted(name: str, axis: int, room: int) -> int:
        """Return the size of its own that a dock has in some room, or 0."""
        place = places[name]
        own = (place.width, place.height)[axis]
        most = max(place.least, room // place.at_most_one_in)
        return own and max(min(round(scale * own), most), 0 if axis else least[name])

    for name, place in places.items():
        if place.side == "left":
            rooms[name] = list(size)
        elif place.of in rooms and place.side != "bottom":
            axis = int(ORIENTATIONS[place.side] == Qt.Orientation.Vertical)
            room = rooms[place.of][axis]
            rooms[name] = list(rooms[place.of])
            if old := wanted(place.of, axis, room):
                new = max(LEAST_ROOM, room - old)
            elif new := wanted(name, axis, room):
                old = max(LEAST_ROOM, room - new)
            else:
                old, new = (room * share // 100 for share in (100 - place.share, place.share))
            rooms[place.of][axis], rooms[name][axis] = old, new
    return rooms
