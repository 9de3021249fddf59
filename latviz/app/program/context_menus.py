"""Context menus: commands for a place in a view, and for the view."""

from functools import partial

from PyQt6.QtCore import QObject, QPoint, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication, QMenu

from latviz.app.by_hand.hand import ByHand
from latviz.app.docking.docks import Docks
from latviz.app.exporting.copying import Copier, view_in_use
from latviz.app.exporting.export_list import Exporting
from latviz.app.shell.actions import OTHERS
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import Menus, qt_action
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views

SHAPED = ("states", "tree", "space", "adjacency", "emissions")
"""The views whose menus offer commands on a state."""


class ContextMenus(QObject, Feature):
    """Gives every view a context menu: the verbs of its spec, then common items.

    The title of a view has only the common items.
    """

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts[Shell].main_window)
        self._parts, self._views = parts, parts[Views]
        self.menu: QMenu | None = None

    def connect(self, parts: Parts) -> None:
        """Give views and their titles the common items."""
        common = ("Copy the picture", parts[Copier].copy_view), ("Export…", parts[Exporting].open)
        for name, view in self._views.views.items():
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._open, name))
            bar = parts[Docks][name].bar
            bar.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            for text, run in common:
                action = QAction(text, view)
                action.triggered.connect(lambda _=False, run=run, name=name: run(name))
                view.addAction(action)
                bar.addAction(action)

    @in_menu(
        "Actions &here",
        "Open the context menu of the view that has the keyboard, or the pointer over it",
        (OTHERS, 0.2),
    )
    def open_in_use(self) -> None:
        """Open the menu of the view with the focus or pointer, at its focused part."""
        name = view_in_use(self._views.views, self._parts[Docks])
        view, focus = self._views.views[name], QApplication.focusWidget()
        part = focus if focus is not None and view.isAncestorOf(focus) else view
        if view.isVisible():
            self._open(name, part.mapTo(view, part.rect().center()))

    def _open(self, name: str, place: QPoint) -> None:
        view = self._views.views[name]
        if self.menu is not None:
            self.menu.deleteLater()
        self.menu = self._made(name)
        self.menu.popup(view.mapToGlobal(place))

    def _made(self, name: str) -> QMenu:
        view, named = self._views.views[name], self._parts[Menus]
        menu = QMenu(view)
        menu.setToolTipsVisible(True)
        for verb in self._views.verbs(name):
            menu.addAction(named[verb] if isinstance(verb, str) else qt_action(verb, menu))
        menu.addSeparator()
        for act in self._parts[ByHand].verbs(view) if name in SHAPED else ():
            menu.addAction(qt_action(act, menu))
        menu.addSeparator()
        menu.addActions(view.actions())
        return menu
