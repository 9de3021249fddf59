"""Views as docks: titles, default places, which of them are visible."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QFont, QGuiApplication, QResizeEvent
from PyQt6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QFrame,
    QMainWindow,
    QScrollArea,
    QSpacerItem,
    QToolButton,
    QWidget,
)

from latviz.app.docking.dock_sizes import Extents, Needs, Tree, shared, tree_of
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.work.timers import once_after

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
LEAST_HEADING = 20
_TITLE_MARGIN = 2
_TITLE_LETTERS = 12
"""So much of a title is shown before controls beside it are named."""
LINE = 15
"""The height of a line of text that sizes of places are meant for, all in pixels."""
LEAST_ROOM = 150
"""What a dock keeps of its room, wherever others are put."""


@dataclass(frozen=True)
class Place:
    """Where a dock is by default."""

    # "column": right of another dock, as high as the window; "row": below another dock, as wide as
    # its column; "right", "below": in a part of the other dock's room; "left", "bottom": at the
    # edge of the window
    side: Side = "right"
    of: str = "states"  # the other dock
    # percent of the other dock's room that it takes, unless one of them has a size, which it keeps
    # when its room is shared
    share: int = 50
    width: int = 0  # the size to have, in pixels for text of the usual size; 0: none of its own
    height: int = 0
    at_most_one_in: int = 1  # the part of the room that a size may take, or `least` if that is more
    least: int = 0  # pixels


class Dock(QDockWidget):
    """A dock with a slim title."""

    appeared = pyqtSignal()  # it became visible or hidden
    resized = pyqtSignal()
    # QDragEnterEvent; handled by the window, though it does not hold a floating dock
    dragged = pyqtSignal(object)
    dropped = pyqtSignal(object)  # QDropEvent

    def __init__(
        self,
        name: str,
        title: str,
        content: QWidget,
        header: QWidget | None,
        main_window: QMainWindow,
    ) -> None:
        # Without a parent it would be a window of its own, which Qt sets up anew for each part.
        super().__init__(title, main_window)
        self.setObjectName(f"dock-{name}")
        self.name, self.header = name, header
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.bar = _TitleBar(self, title, header)
        self.setTitleBarWidget(self.bar)
        self.setWidget(content)
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


class Docks(dict[str, Dock]):
    """The docks of a window by their names."""


@dataclass(frozen=True)
class _Reference:
    """How some docks share the room of a size."""

    tree: Tree
    area: Extents


class Sizes:
    """Gives docks their room, as the user or the default layout shared it."""

    # Qt spreads what a larger window has to spare over all docks, does not undo what a smaller one
    # took away, and shares the room of a hidden dock among others for good. Here docks that have a
    # size of their own keep it, the others share the rest in proportion, and docks that shared room
    # once share it the same way again. `places` has the sizes. Docks that are ``alike`` have the
    # same width side by side

    def __init__(
        self,
        main_window: QMainWindow,
        docks: Mapping[str, Dock],
        places: Mapping[str, Place],
        alike: Collection[str],
    ) -> None:
        self._main_window, self._docks, self.places = main_window, dict(docks), places
        self._alike = frozenset(alike)
        self._known: dict[frozenset[str], _Reference] = {}
        self._by_hand: dict[str, Extents] = {}
        self._shown: frozenset[str] = frozenset()
        self._area: Extents = (0, 0)
        self._given: dict[str, Extents] = {}
        self._adopts = False
        self._timer = once_after(0, self.settle, main_window)
        for dock in self._docks.values():
            dock.appeared.connect(self._timer.start)
            dock.resized.connect(self._timer.start)
            dock.dockLocationChanged.connect(self._known.clear)
            dock.topLevelChanged.connect(self._known.clear)

    def forget(self, *, adopt: bool = False) -> None:
        """Give nothing back of what was so far; ``adopt``: take what is there as a person's."""
        self._known.clear()
        self._by_hand.clear()
        self._shown, self._adopts = frozenset(), adopt

    def settle(self) -> None:
        """Take note of the sizes that a person gave, or give those that are due."""
        docked = {n: d for n, d in self._docks.items() if d.isVisible() and not d.isFloating()}
        if not docked or not self._main_window.isVisible():
            return
        tree = tree_of({name: dock.geometry() for name, dock in docked.items()})
        shown, area = frozenset(docked), tree.extents
        known, sizes = self._known.get(shown), _sizes_of(docked)
        settled = shown == self._shown and area == self._area
        if settled and known is not None:
            by_hand = area == known.area or pressed()
            if sizes != self._given and by_hand:
                self._take(tree, shown, sizes)
            self._given = sizes
            return
        if known is None and self._adopts:
            self._take(tree, shown, sizes)
        else:
            self._give(known or _Reference(tree, area), docked, area, anew=known is None)
        self._adopts, self._shown, self._area = False, shown, area
        self._given = _sizes_of(docked)

    def _take(self, tree: Tree, shown: frozenset[str], sizes: Mapping[str, Extents]) -> None:
        """Take sizes as a person's."""
        self._known[shown] = _Reference(tree, tree.extents)
        self._by_hand |= sizes

    def _give(
        self, known: _Reference, docked: Mapping[str, Dock], area: Extents, *, anew: bool
    ) -> None:
        """Share an area as it is known, or for the first time."""
        needs = {name: self._needs(name, dock, area) for name, dock in docked.items()}
        newly = anew and bool(self._alike & (frozenset(docked) - self._shown))
        found = shared(known.tree, area, needs, self._alike if newly else ())
        for axis, orientation in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
            extents = [max(1, found[name][axis]) for name in docked]
            self._main_window.resizeDocks(list(docked.values()), extents, orientation)
        activate(self._main_window)
        if anew:
            tree = tree_of({name: dock.geometry() for name, dock in docked.items()})
            self._known[frozenset(docked)] = _Reference(tree, tree.extents)

    def _needs(self, name: str, dock: Dock, area: Extents) -> Needs:
        """Return what a dock needs, and what it wants: what a person gave it, or its place."""
        hint, place = dock.minimumSizeHint(), self.places[name]
        least = hint.width(), hint.height()
        wanted = [0, 0]
        scale = max(1.0, self._main_window.fontMetrics().height() / LINE)
        for axis, own in enumerate((place.width, place.height)):
            if own:
                most = max(place.least, area[axis] // place.at_most_one_in)
                by_hand = self._by_hand.get(name)
                wanted[axis] = min(round(scale * own), most) if by_hand is None else by_hand[axis]
        return Needs(least, (wanted[0], wanted[1]))


def activate(main_window: QMainWindow) -> None:
    """Lay a window out now."""
    layout = main_window.layout()
    assert layout is not None
    layout.activate()


def pressed() -> bool:
    """Tell whether a person holds a button of the mouse, as while moving what is between docks."""
    return QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton


def _sizes_of(docks: Mapping[str, Dock]) -> dict[str, Extents]:
    return {name: (dock.width(), dock.height()) for name, dock in docks.items()}


_FONTS = 8  # fonts and themes whose heights are kept


class _TitleBar(QFrame):
    def __init__(self, dock: QDockWidget, title: str, header: QWidget | None) -> None:
        super().__init__(dock)
        self.setObjectName("dock-title")
        self.heading = ElidedLabel()
        self.heading.setMinimumWidth(LEAST_HEADING)
        self.heading.show_text(title)
        self._header, self._close = header, QToolButton()
        close = self._close
        close.setText("✕")
        close.setToolTip(f"Hide “{title}” (it stays in the View menu)")
        close.setAccessibleName(f"Hide {title}")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the View menu and Alt with a digit hide it
        close.clicked.connect(dock.close)
        beside = [close] if header is None else [header, close]
        margins = 10, _TITLE_MARGIN, 4, _TITLE_MARGIN
        layout = layouts.row((self.heading, 1), *beside, of=self, margins=margins, spacing=4)
        self._layout = layout
        layout.addStrut(0)
        item = layout.itemAt(layout.count() - 1)
        assert isinstance(item, QSpacerItem)
        self._strut = item
        self._fit_height()

    def changeEvent(self, event: QEvent | None) -> None:
        """Measure the text anew."""
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_height()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._share_room()

    def event(self, event: QEvent | None) -> bool:
        """Share the room anew when what stands beside the title needs more."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self._share_room()
        return super().event(event)

    def _share_room(self) -> None:
        """Give a short title its room before what stands beside it, as far as that can shrink."""
        if self._header is not None:
            margins = self._layout.contentsMargins()
            taken = margins.left() + margins.right() + 2 * self._layout.spacing()
            text = self.heading.fontMetrics()
            wanted = min(
                text.horizontalAdvance(self.heading.whole_text()) + 2,
                _TITLE_LETTERS * text.averageCharWidth(),
            )
            most = self.width() - taken - self._close.sizeHint().width() - wanted
            least = self._header.minimumSizeHint().width()
            self._header.setMaximumWidth(max(most, least))
            self._layout.activate()  # else the title would be cut until the next turn

    def _fit_height(self) -> None:
        """Ask for the same height whatever it holds, so that contents begin at one height.

        A layout asks the strut for it without Python, thousands of times when docks move.
        """
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        least = _highest(self.font(), application.styleSheet())
        self._strut.changeSize(0, least)
        self._layout.invalidate()


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
    area = _Scrolled()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


class _Scrolled(QScrollArea):
    """An area that is as wide as its panel and its scroll bar need, in whatever style."""

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of both."""
        hint, bar, content = super().minimumSizeHint(), self.verticalScrollBar(), self.widget()
        if bar is None or content is None:
            return hint
        return QSize(content.minimumSizeHint().width() + bar.sizeHint().width(), hint.height())


def arrange(
    main_window: QMainWindow,
    docks: Mapping[str, Dock],
    places: Mapping[str, Place],
    shown: Collection[str],
    size: tuple[int, int],
) -> None:
    """Put every dock in its place, for a window of a width and height, and show some of them."""
    for dock in docks.values():
        if main_window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea:
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
