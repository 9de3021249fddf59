"""F1: the manual at the page of the widget under the pointer, or with the focus."""

from collections.abc import Iterator

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QCursor
from PyQt6.QtWidgets import QApplication, QLabel, QWidget

from latviz.app.docking.docks import Dock
from latviz.app.help import manual
from latviz.app.help.reference import Reference
from latviz.app.panels.controls import Controls
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views
from latviz.core.parameter import rows
from latviz.engine.settings.parameters import Parameters

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
