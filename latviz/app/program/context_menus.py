"""Context menus: what can be done at a place in a view, and with the view."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PyQt6.QtCore import QObject, QPoint, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication, QDockWidget, QMenu, QWidget

from latviz.app.exporting.copying import meant_view
from latviz.app.shell.actions import Action, Item
from latviz.app.views.base import View
from latviz.app.views.spec import AnySpec, Context


@dataclass(frozen=True)
class Common:
    """What can be done with any view: a text, and what takes the view's name."""

    text: str
    run: Callable[[str], object]


class ContextMenus(QObject):
    """Gives every view a context menu: the verbs of its spec, then what all views have.

    The title of a view has the latter alone. ``named`` finds an action of the menus by its name;
    ``shaping`` returns what is done to the state that the menu of a view is opened on.
    """

    def __init__(
        self,
        context: Context,
        views: Mapping[str, View],
        specs: Mapping[str, AnySpec],
        docks: Mapping[str, QDockWidget],
        common: Iterable[Common],
        named: Callable[[str], QAction],
        shaping: Callable[[str], Iterable[Action]],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._context, self._views, self._specs = context, views, specs
        self._docks, self._named, self._shaping = docks, named, shaping
        self.menu: QMenu | None = None
        for name, view in views.items():
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._open, name))
            bar = docks[name].titleBarWidget()
            assert bar is not None
            bar.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            for one in common:
                action = QAction(one.text, view)
                action.triggered.connect(lambda _=False, one=one, name=name: one.run(name))
                view.addAction(action)
                bar.addAction(action)

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "What can be done &here",
                "Open the context menu of the view that has the keyboard, or the pointer over it",
                self.open_meant,
                ("Shift+F10", "Menu"),
                ("Edit", 2.4),
            ),
        )

    def open_meant(self) -> None:
        """Open the menu of the view that a person means, where the keyboard is in it."""
        name = meant_view(self._views, self._docks)
        view, focus = self._views[name], QApplication.focusWidget()
        part = focus if focus is not None and view.isAncestorOf(focus) else view
        if view.isVisible():
            self._open(name, part.mapTo(view, part.rect().center()))

    def _open(self, name: str, place: QPoint) -> None:
        view = self._views[name]
        if self.menu is not None:
            self.menu.deleteLater()
        self.menu = self._made(name)
        self.menu.popup(view.mapToGlobal(place))

    def _made(self, name: str) -> QMenu:
        spec, view = self._specs[name], self._views[name]
        menu = QMenu(view)
        menu.setToolTipsVisible(True)
        verbs = () if spec.verbs is None else spec.verbs(view, self._context)
        for verb in verbs:
            menu.addAction(self._named(verb) if isinstance(verb, str) else _action(verb, menu))
        menu.addSeparator()
        for act in self._shaping(name):
            menu.addAction(_action(act, menu))
        menu.addSeparator()
        menu.addActions(view.actions())
        return menu


def _action(verb: Action, menu: QMenu) -> QAction:
    """Return Qt's action for a verb of the place."""
    action = QAction(verb.text, menu)
    action.setToolTip(verb.tip or verb.text)
    action.setEnabled(verb.enabled is None or verb.enabled())
    action.triggered.connect(lambda _=False: verb.run())
    return action
