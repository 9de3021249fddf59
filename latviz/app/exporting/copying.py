"""Copying a view's picture or its numbers."""

from collections.abc import Mapping
from functools import partial

from PyQt6.QtGui import QClipboard, QGuiApplication
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.docking.docks import Docks
from latviz.app.document.document import Document
from latviz.app.exporting.figures import figure_image
from latviz.app.session.sessions import Sessions
from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.app.views.registry import Views
from latviz.app.views.spec import as_text
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import python_of


def view_in_use(views: Mapping[str, View], docks: Mapping[str, QWidget]) -> str:
    """Return the view that has the keyboard, or else that under the pointer, or the state map."""
    focus = QApplication.focusWidget()
    for name in views:
        if focus is not None and docks[name].isAncestorOf(focus):
            return name
    return next((name for name, view in views.items() if view.underMouse()), "states")


class Copier(Feature):
    """Copies the view in use, see `view_in_use`."""

    def __init__(self, parts: Parts) -> None:
        shell = parts[Shell]
        self._document, self._shell, self._sessions = parts[Document], shell, parts[Sessions]
        self._settings = parts[Settings]
        self._views, self._docks = parts[Views].views, parts[Docks]
        self._specs = parts[Views].specs

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        return (
            Action(
                "&Copy view",
                "Copy a picture of the view that has the keyboard, or the pointer over it",
                self.copy_view,
                at=(OTHERS, 0.5),
            ),
            Action(
                "Copy &values",
                "Copy the numbers of the view that has the keyboard, or the pointer over it, "
                "separated by tabs",
                self.copy_values,
                at=(OTHERS, 0.6),
            ),
            Action(
                "Copy as &Python",
                "Copy a script that computes what is on screen",
                self.copy_python,
                at=("Edit", 3.3),
            ),
        )

    def copy_view(self, name: str = "") -> None:
        """Copy a figure of a view as a picture."""
        clipboard, name = self._begin(), name or self._name_in_use()
        if clipboard is not None:
            dpi = self._settings.dpi
            clipboard.setImage(figure_image(self._specs[name], self._views[name], dpi))
            self._shell.say(f"Copied the picture of “{self._specs[name].title}”")

    def copy_values(self, name: str = "") -> None:
        """Copy a view's numbers, separated by tabs, once the current settings are computed."""
        clipboard, name = self._begin(), name or self._name_in_use()
        if clipboard is None:
            return
        spec, view = self._specs[name], self._views[name]

        def copy(frame: Frame) -> None:
            rows = [] if spec.table is None else spec.table(view, frame)
            if rows:
                clipboard.setText(as_text(rows))
                self._shell.say(f"Copied the values of “{spec.title}”")
            else:
                self._shell.say(f"“{spec.title}” shows no values to copy now")

        self._document.when_whole(copy, partial(self._shell.say_lost, "Copying values"))

    def copy_python(self) -> None:
        """Copy a script that computes the frame on screen."""
        clipboard = self._begin()
        if clipboard is None:
            return

        def copy(frame: Frame) -> None:
            parts = [
                spec.script(self._views[name], frame)
                for name, spec in self._specs.items()
                if spec.script is not None
            ]
            clipboard.setText(python_of(frame, parts, self._sessions.path))
            self._shell.say("Copied a Python script of what is on screen")

        self._document.when_whole(copy, partial(self._shell.say_lost, "Copying a script"))

    def _begin(self) -> QClipboard | None:
        """Return the clipboard, or report that there is nothing to copy."""
        if self._document.frame is None:
            self._shell.say_nothing_to("copy")
            return None
        return QGuiApplication.clipboard()

    def _name_in_use(self) -> str:
        return view_in_use(self._views, self._docks)
