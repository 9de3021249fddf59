"""The menu bar, built from the items of the features."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QAction, QActionGroup, QKeySequence
from PyQt6.QtWidgets import QMainWindow, QMenu, QProxyStyle, QStyle, QStyleOption, QWidget

from latviz.app.shell.actions import HERE, OTHERS, PREFERENCES, Action, Item, Ready, Submenu, plain
from latviz.app.widgets.shortcuts import MAIN, sequences

TITLES = ("&File", "&Edit", "&View", "&Model", "&Help")
EXPORTS, MANUAL = "Export", "Manual"
LISTED = (
    *("Parameters", EXPORTS, "Lesson", MANUAL, PREFERENCES, "Open a demo", "Tabs"),
    *("Zoom and slices", "Drawing", "Steps", "Focus", HERE, OTHERS),
)
"""Menus whose items are only listed, as the window has a button, a key or a dialog for each: the
finder has all, File ▸ Export the exports, Edit ▸ Preferences its own."""
OPENS = "opens"
"""The property of an action that replaces the picture on screen."""
GROUPS = (
    Submenu("Views of the &picture", "Show or hide them", ("View", 3.1)),
    Submenu("Views of the &model", "Show or hide them", ("View", 3.2)),
)
"""The menus inside menus that no feature makes of its own."""


@dataclass(frozen=True)
class Shortcut:
    """A line of the help page."""

    menu: str
    text: str
    keys: str


class Menus:
    """Puts items into the menus of a window, each at its place."""

    # `actions` are the permanent ones, in the order of the menus, then those in no menu; `refresh`
    # ticks and enables them

    def __init__(self, main_window: QMainWindow, items: Iterable[Item]) -> None:
        self._main_window = main_window
        self._items: dict[str, list[Item]] = defaultdict(list)
        for item in sorted((*GROUPS, *items), key=lambda item: item.at[1]):
            self._items[item.at[0]].append(item)
        self.menus: dict[str, QMenu] = {}
        self._made: list[tuple[Item, QAction]] = []
        menu_bar = main_window.menuBar()
        assert menu_bar is not None
        for title in TITLES:
            menu = menu_bar.addMenu(title)
            assert menu is not None
            self._made += self._filled(menu, self._items_of(title), main_window)
        self.exports: list[QAction] = []
        for title in LISTED:
            listed = self._filled(QMenu(title, main_window), self._items_of(title), main_window)
            actions = [action for _, action in listed]
            main_window.addActions(actions)  # or their keys would do nothing
            self.exports += actions if title == EXPORTS else []
            self._made += listed
        self.actions = [action for _, action in self._made]
        self._add_shortcuts()
        self._changing = [
            (item, action)
            for item, action in self._made
            if isinstance(item, Action) and (item.ticked or item.enabled)
        ]
        self.refresh()

    def __getitem__(self, text: str) -> QAction:
        """Return the action of a name."""
        return next(action for action in self.actions if plain(action.text()) == text)

    def shortcuts(self) -> list[Shortcut]:
        """Return every action that has a shortcut, in the order of the menus."""
        native = QKeySequence.SequenceFormat.NativeText
        return [
            Shortcut(
                str(action.property("menu")),
                plain(action.text()),
                ", ".join(key.toString(native) for key in action.shortcuts()),
            )
            for action in self.actions
            if not action.shortcut().isEmpty()
        ]

    def _add_shortcuts(self) -> None:
        """Give the items their keys in the table of shortcuts."""
        named = {plain(action.text()): action for action in reversed(self.actions)}
        for name in MAIN.keys() & named.keys():
            named[name].setShortcuts(sequences(MAIN[name]))

    def refresh(self) -> None:
        """Update the ticks and the enabled items."""
        for item, action in self._changing:
            _show(item, action)

    def _items_of(self, title: str) -> list[Item]:
        return self._items.get(plain(title), [])

    def _filled(
        self, menu: QMenu, items: Iterable[Item], owner: QObject
    ) -> list[tuple[Item, QAction]]:
        """Fill a menu and its submenus; return the items with their actions."""
        menu.setToolTipsVisible(True)
        self.menus[plain(menu.title())] = menu
        group, made, section = QActionGroup(menu), [], None
        for item in items:
            if section not in (None, int(item.at[1])):
                menu.addSeparator()
            section = int(item.at[1])
            if isinstance(item, Submenu):
                made += self._with_submenu(menu, item)
                continue
            action = item.action if isinstance(item, Ready) else qt_action(item, owner)
            action.setProperty("menu", plain(menu.title()))
            menu.addAction(action)
            if isinstance(item, Action) and item.exclusive:
                group.addAction(action)
            made.append((item, action))
        return made

    def _with_submenu(self, menu: QMenu, item: Submenu) -> list[tuple[Item, QAction]]:
        submenu = QMenu(item.text, self._main_window)
        action = menu.addMenu(submenu)
        assert action is not None
        action.setToolTip(item.tip or plain(item.text))
        if item.icon_side:
            submenu.setStyle(_LargeIcons(item.icon_side, submenu))
        if (fill := item.fill) is not None:
            submenu.aboutToShow.connect(lambda: self._refill(submenu, fill()))
        return self._filled(submenu, self._items_of(item.text), self._main_window)

    def _refill(self, menu: QMenu, items: Iterable[Item]) -> None:
        menu.clear()  # deletes what the menu owns
        self._filled(menu, items, menu)


class _LargeIcons(QProxyStyle):
    """The style of the program, but for the size of icons in a menu."""

    def __init__(self, side: int, menu: QMenu) -> None:
        super().__init__("Fusion")
        self._side = side
        self.setParent(menu)

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """Return the size of icons, and all other measures unchanged."""
        if metric == QStyle.PixelMetric.PM_SmallIconSize:
            return self._side
        return super().pixelMetric(metric, option, widget)


def qt_action(item: Action, owner: QObject) -> QAction:
    """Return Qt's action for an item."""
    action = QAction(item.text, owner)
    if item.keys is not None:
        action.setShortcuts(sequences(item.keys))
    action.setToolTip(item.tip or plain(item.text))
    action.setProperty(OPENS, item.opens)
    if item.icon is not None:
        action.setIcon(item.icon)
    if item.ticked is not None:
        action.setCheckable(True)
        action.triggered.connect(item.run)
    else:
        action.triggered.connect(lambda _checked=False: item.run())
    _show(item, action)
    return action


def _show(item: Action, action: QAction) -> None:
    """Tick and enable an action according to the present state."""
    if item.ticked is not None:
        action.setChecked(item.ticked())
    if item.enabled is not None:
        action.setEnabled(item.enabled())
