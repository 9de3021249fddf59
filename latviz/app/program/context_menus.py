"""Context menus, and F1: commands, and the manual, for what is under the pointer."""

from collections.abc import Iterator
from functools import partial

from PyQt6.QtCore import QObject, QPoint, Qt
from PyQt6.QtGui import QAction, QCursor
from PyQt6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from latviz.app.by_hand.hand import ByHand
from latviz.app.docking.docks import Dock, Docks
from latviz.app.exporting.copying import Copier, view_in_use
from latviz.app.exporting.export_list import Exporting
from latviz.app.help import manual
from latviz.app.help.reference import Reference
from latviz.app.panels.controls import Controls
from latviz.app.shell.actions import OTHERS
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import Menus, qt_action
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views
from latviz.core.parameter import rows
from latviz.engine.settings.parameters import Parameters

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


PANELS = {"controls": manual.PARAMETERS_PROSE, "lesson": "lessons.md"}
"""The pages of docks that hold no view."""
Place = tuple[str, str]
"""A page of the manual and one of its headings; "" is the top of the page."""


class ContextHelp(QObject, Feature):
    """Opens the manual for the widget under the pointer, or with the focus if used since."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts[Shell].main_window)
        self._read = parts[Reference].show_help
        self._sections: dict[QWidget, str] = {}
        self._views: Views | None = None
        self._pointed = QCursor.pos()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def connect(self, parts: Parts) -> None:
        """Find the pages of the controls and views."""
        panel, self._views = parts[Controls].panel, parts[Views]
        self._sections = {panel[row.field]: manual.slug(row.group) for row in rows(Parameters)}

    @in_menu("&Help", "Open the manual page on what is under the pointer", ("Help", 1.1))
    def read(self) -> None:
        """Open the manual at the page of the widget in question, or at its last page."""
        focus, pointed = QApplication.focusWidget(), QApplication.widgetAt(QCursor.pos())
        stood_still = QCursor.pos() == self._pointed
        candidates = (focus, pointed) if stood_still else (pointed, focus)
        places = (self.place_of(widget) for widget in candidates)
        self._read(*next((place for place in places if place is not None), ("", "")))

    def place_of(self, widget: QWidget | None) -> Place | None:
        """Return the place in the manual that explains a widget; None if there is none."""
        if isinstance(widget, QLabel) and widget.buddy() is not None:
            widget = widget.buddy()
        for holder in _upwards(widget):
            if holder in self._sections:
                return manual.PARAMETERS_PROSE, self._sections[holder]
            if isinstance(holder, Dock):
                return self._page_of(holder.name), ""
        return None

    def _page_of(self, dock: str) -> str:
        if self._views is None or dock not in self._views.specs:
            return PANELS.get(dock, manual.INDEX)
        wing = self._views.specs[dock].make.__module__.removeprefix("latviz.wings.").split(".")[0]
        pages = {entry.name for entry in manual.contents()}
        own = f"views/{dock}.md", f"wings/{wing}.md"
        return next((page for page in own if page in pages), manual.VIEWS)

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Record where the pointer is when the keyboard focus moves."""
        if new is not None:
            self._pointed = QCursor.pos()


def _upwards(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()
