"""The docks of a window, laid out by shares of its room."""

import json
import math
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import numpy as np
from PyQt6.QtCore import QEvent, QObject, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent, QShowEvent
from PyQt6.QtWidgets import QApplication, QSplitter, QWidget

from latviz.app.docking.docks import Dock
from latviz.app.docking.drawer import SHOWN_OR_HIDDEN, DrawerTabs
from latviz.app.docking.uses import Drawer, Part, Split, names_in, row, with_only
from latviz.app.shell.focus import order_tabs
from latviz.app.widgets import layouts
from latviz.core.json_text import from_json

HANDLE = 5
"""The width of separators between docks, in pixels."""
GAIN = 1.5
"""A split turns if a picture becomes this many times larger; docks that move surprise users."""
AROUND = 60
"""Approximate height of a dock's title and legend around a picture, in pixels."""
PICTURES = ("image", "states", "tradeoff")
FLOOR = (0.40, 0.45)
"""The least share of the window's width and height for pictures, after any drag."""


class Shared(QSplitter):
    """Parts that keep their shares of the room, at any size and with any hidden."""

    def __init__(self, split: Split, within: QWidget) -> None:
        super().__init__(split.orientation, within)
        self.split, self.shares = split, split.shares
        self._shape: tuple[int, int] | None = None
        kept = [k for k, part in enumerate(split.parts) if _pictures(part)]
        self._pictures = kept[0] if len(kept) == 1 else None  # the part that has them all
        self.setHandleWidth(HANDLE)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._take)

    def hold(self, part: QWidget) -> None:
        """Add a part; all are added in their order."""
        self.addWidget(part)
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Share the room again when a part is shown or hidden."""
        changed = event is not None and event.type() in SHOWN_OR_HIDDEN
        if changed and isinstance(watched, QWidget) and self.indexOf(watched) >= 0:
            self.follow()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep the shares."""
        super().resizeEvent(event)
        self.apply()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Share the room; it was not while nothing could be seen."""
        super().showEvent(event)
        self.apply()

    def event(self, event: QEvent | None) -> bool:
        """Share the room again when the minimum of a part changed."""
        done = bool(super().event(event))
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self.apply()
        return done

    def show_shape(self, shape: tuple[int, int] | None) -> None:
        """Take the rows and columns of the picture; None for one that fills any room."""
        self._shape = shape
        self.apply()

    def follow(self) -> None:
        """Hide the split if all parts are hidden, and share its room among the others."""
        shown = self._is_shown()
        if self.parentWidget() is not None or not shown:  # else it would be a separate window
            self.setVisible(shown)
        self.apply()

    def apply(self) -> None:
        """Give each part its share; hidden ones have none, and pictures at least the floor."""
        if self.split.turns:
            turned = self._shape is not None and is_better(self.size(), self._shape)
            way = Qt.Orientation.Vertical if turned else self.split.orientation
            if way != self.orientation():
                self.setOrientation(way)
        if self.isVisible() and self.sizes() != (wanted := self._wanted()):
            self.setSizes(wanted)  # not while parts come, or go to another tab's

    def _wanted(self) -> list[int]:
        """Return the sizes of the parts, none below its minimum; hidden ones have none."""
        is_high = self.orientation() == Qt.Orientation.Vertical
        shown = [k for k in range(self.count()) if not self._part(k).isHidden()]
        room = (self.height() if is_high else self.width()) - self.handleWidth() * (len(shown) - 1)
        least = np.array([self._least(k, is_high) for k in shown])
        shares = np.array([self.shares[k] for k in shown])
        beyond = np.maximum(room * shares / max(shares.sum(), 1e-9) - least, 1e-9)
        sizes = least + max(0, room - least.sum()) * beyond / beyond.sum()
        given = dict(zip(shown, np.diff(np.rint(np.cumsum(sizes)), prepend=0), strict=True))
        return [int(given.get(k, 0)) for k in range(self.count())]

    def _least(self, k: int, is_high: bool) -> int:
        """Return the least height or width of a part; pictures have the floor."""
        size, window = self._part(k).minimumSizeHint(), self.window()
        floor = 0
        if k == self._pictures and window is not None:
            whole = window.height() if is_high else window.width()
            floor = math.ceil(FLOOR[is_high] * whole)
        return max(size.height() if is_high else size.width(), floor)

    def _is_shown(self) -> bool:
        return any(not self._part(k).isHidden() for k in range(self.count()))

    def _part(self, k: int) -> QWidget:
        part = self.widget(k)
        assert part is not None
        return part

    def _take(self) -> None:
        """Take the shares of the parts that are shown as the user's."""
        sizes, shown = self.sizes(), [not self._part(k).isHidden() for k in range(self.count())]
        whole = sum(share for share, is_shown in zip(self.shares, shown, strict=True) if is_shown)
        self.shares = tuple(
            whole * size / max(1, sum(sizes)) if is_shown else share
            for size, share, is_shown in zip(sizes, self.shares, shown, strict=True)
        )
        self.apply()


class DockStage(QWidget):
    """Lays docks out by the plan of a tab, and opens those without a place there in a drawer."""

    opened = pyqtSignal(str)  # str: the name of a dock that was shown by its action
    turned = pyqtSignal()  # other docks are shown, or another one is in front

    def __init__(self, docks: Mapping[str, Dock], within: QWidget | None = None) -> None:
        super().__init__(within)
        self._docks, self._plan = dict(docks), row()
        self.drawer = DrawerTabs()
        self.drawer.close_wanted.connect(self.close_dock)
        self.drawer.turned.connect(self.turned)
        self._splits: list[Shared] = []
        self._in_base = frozenset[str]()
        self._root: QWidget | None = None
        self._shape: tuple[int, int] | None = None
        self._room = layouts.column(of=self, spacing=0)
        for name, dock in self._docks.items():
            self._put_away(dock)
            dock.toggle.triggered.connect(partial(self._toggle, name))

    def lay(self, plan: Split, kept: str = "", hidden: Collection[str] = ()) -> None:
        """Lay docks out by a plan: as `kept` returned, or without those hidden by default."""
        focus, plan = QApplication.focusWidget(), with_only(plan, self._docks)
        self._plan = plan
        self.setUpdatesEnabled(False)
        old, placed = self._root, set(names_in(plan))
        if old is not None:  # first: hidden widgets are moved without new sizes at each step
            old.hide()
        for name in self.drawer.names:
            self._put_away(self._docks[name])
        self.drawer.drop_base()
        self.drawer.setParent(self)  # away from the removed layout
        self._splits.clear()
        if old is not None:  # both at once would need a larger window, which stays so
            self._room.removeWidget(old)
        # From the outside in: a widget that gets another parent is styled again, with all inside
        self._root = QWidget(self)
        self._root.hide()
        layouts.column((self._filled(Shared(plan, self._root)), 1), of=self._root, spacing=0)
        self._room.addWidget(self._root)
        for split in self._splits:  # the inner ones first
            split.follow()
        for name, dock in self._docks.items():
            if name not in placed:
                self._put_away(dock)
        if old is not None:
            old.deleteLater()
        laid = [self._docks[name] for name in names_in(plan)]
        order_tabs(part for dock in laid for part in (dock.bar, dock.content))
        known = _understood(kept)
        self._take_back(known if self._fits(known) else {"hidden": list(hidden)})
        self.show_shape(self._shape)
        self._root.show()  # now: a layout shows widgets added to it only later
        self.setUpdatesEnabled(True)
        if focus is not None and focus.isVisible():
            focus.setFocus()
        self.turned.emit()

    def _filled(self, shared: Shared) -> Shared:
        """Return a split with its parts, which are put into it."""
        for part in shared.split.parts:
            if isinstance(part, str):
                self._docks[part].toggle.setChecked(True)
                shared.hold(self._docks[part])
                self._docks[part].show()
            elif isinstance(part, Drawer):
                shared.hold(self.drawer)
                self._in_base = frozenset(() if part.base is None else names_in(part.base))
                if part.base is not None:
                    page = self.drawer.page_of_base(part.title)
                    self.drawer.set_base(self._filled(Shared(part.base, page)))
            else:
                shared.hold(self._filled(Shared(part, shared)))
        self._splits.append(shared)
        shared.follow()
        return shared

    def _put_away(self, dock: Dock) -> None:
        if dock.name in self.drawer.names:
            self.drawer.take(dock)
        dock.toggle.setChecked(False)
        dock.hide()
        dock.setParent(self)

    def show_shape(self, shape: tuple[int, int] | None) -> None:
        """Take the rows and columns of the picture; None for one that fills any room."""
        self._shape = shape
        for split in self._splits:
            split.show_shape(shape)

    def _toggle(self, name: str, on: bool) -> None:
        if on:
            self.open_dock(name)
            self.opened.emit(name)
        else:
            self.close_dock(name)

    def open_dock(self, name: str) -> None:
        """Show a dock at its place, or in front of the drawer."""
        dock = self._docks[name]
        dock.toggle.setChecked(True)
        if name in set(names_in(self._plan)):
            dock.show()
            if name in self._in_base:
                self.drawer.show_base()
        else:
            if name not in self.drawer.names:
                self.drawer.add(dock)
            self.drawer.raise_dock(dock)
        self.turned.emit()

    def close_dock(self, name: str) -> None:
        """Hide a dock; others get its room."""
        dock = self._docks[name]
        if name in set(names_in(self._plan)):
            dock.toggle.setChecked(False)
            dock.hide()
        else:
            self._put_away(dock)
        self.turned.emit()

    def is_open(self, name: str) -> bool:
        """Return whether a dock is shown, or has a tab in the drawer."""
        return self._docks[name].toggle.isChecked()

    def show_only(self, names: Collection[str]) -> None:
        """Show some docks, and hide all others."""
        for name in self._docks:
            if self.is_open(name) and name not in names:
                self.close_dock(name)
        for name in names:
            if not self.is_open(name):
                self.open_dock(name)

    def kept(self) -> str:
        """Return the arrangement of the docks, for `lay`."""
        return json.dumps(
            {
                "shares": [split.shares for split in self._splits],
                "hidden": [n for n in names_in(self._plan) if not self.is_open(n)],
                "drawer": self.drawer.names,
                "front": self.drawer.current,
            }
        )

    def _fits(self, known: Mapping[str, Any]) -> bool:
        """Return True if `kept` returned this for the plan, not for one of another version."""
        lengths = [len(found) for found in known.get("shares", [])]
        return lengths == [len(split.shares) for split in self._splits]

    def _take_back(self, known: Mapping[str, Any]) -> None:
        """Restore the result of `kept`."""
        for split, found in zip(self._splits, known.get("shares", []), strict=False):
            split.shares = tuple(found)
        for name in known.get("hidden", []):
            if name in set(names_in(self._plan)):
                self.close_dock(name)
        for name in known.get("drawer", []):
            if name in self._docks and not self.is_open(name):
                self.open_dock(name)
        if (front := known.get("front", "")) in self.drawer.names:
            self.drawer.raise_dock(self._docks[front])
        else:
            self.drawer.show_base()


def _understood(kept: str) -> Mapping[str, Any]:
    """Parse the text that `DockStage.kept` wrote; return {} if it is malformed."""
    try:
        known = from_json(kept)
        shares = [[float(share) for share in split] for split in known["shares"]]
        names = [str(name) for name in (*known["hidden"], *known["drawer"], known["front"])]
    except (ValueError, TypeError, KeyError):
        return {}
    is_whole = names == [*known["hidden"], *known["drawer"], known["front"]]
    good = is_whole and all(0 <= share <= 1 for split in shares for share in split)
    return known if good else {}


def _pictures(part: Part) -> set[str]:
    return set(names_in(part)).intersection(PICTURES)


def is_better(room: QSize, shape: tuple[int, int]) -> bool:
    """Return True if two copies of a picture are much larger one below the other."""
    rows, columns = shape
    wide, high = room.width(), room.height()
    abreast = min(wide / 2 / columns, (high - AROUND) / rows)
    below = min(wide / columns, (high - 2 * AROUND) / 2 / rows)
    return below >= GAIN * abreast
