"""Copying a view's picture or its numbers."""

from collections.abc import Callable, Mapping
from functools import partial

from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.docking.docks import Docks
from latviz.app.document.document import Document
from latviz.app.exporting.drawing import figure_image
from latviz.app.exporting.exporting import Exporter
from latviz.app.session.sessions import Sessions
from latviz.app.shell.actions import OTHERS
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.app.views.registry import Views
from latviz.app.views.spec import Rows, as_text
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import python_of
from latviz.engine.keeping.notebooks import notebook_of


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
        self._settings, self._exporter = parts[Settings], parts[Exporter]
        clipboard = QGuiApplication.clipboard()
        assert clipboard is not None
        self._clipboard = clipboard
        self._views, self._docks = parts[Views].views, parts[Docks]
        self._specs = parts[Views].specs

    @in_menu(
        "&Copy the picture",
        "Copy a picture of the view that has the keyboard, or the pointer over it",
        (OTHERS, 0.5),
    )
    def copy_view(self, name: str = "") -> None:
        """Copy a figure of a view as a picture; by default, of the view in use."""
        name = name or view_in_use(self._views, self._docks)
        spec = self._specs[name]

        def copy(_: Frame) -> None:
            self._clipboard.setImage(figure_image(spec, self._views[name], self._settings.dpi))
            self._shell.say(f"Copied the picture of “{spec.title}”")

        self._exporter.when_shown(name, "copy", copy)

    def copy_values(self, name: str) -> None:
        """Copy a view's numbers, separated by tabs."""

        def copy(rows: Rows) -> None:
            self._clipboard.setText(as_text(rows))
            self._shell.say(f"Copied the values of “{self._specs[name].title}”")

        self._exporter.when_values(name, "copy", copy)

    @in_menu("Copy as &Python", "Copy a script that computes what is on screen", ("Edit", 3.3))
    def copy_python(self) -> None:
        """Copy a script that computes the frame on screen."""
        self._copy_script(lambda script: script, "Python script")

    @in_menu(
        "Copy as &notebook",
        "Copy the same script as a Jupyter notebook, to paste into an empty file NAME.ipynb",
        ("Edit", 3.4),
    )
    def copy_notebook(self) -> None:
        """Copy the script as a notebook, whose last cell shows the model."""
        self._copy_script(lambda script: notebook_of(f"{script}\nmodel\n"), "notebook")

    def _copy_script(self, form: Callable[[str], str], name: str) -> None:
        if self._document.picture is None:
            self._shell.say_nothing_to("copy")
            return

        def copy(frame: Frame) -> None:
            parts = [
                spec.script(self._views[name], frame)
                for name, spec in self._specs.items()
                if spec.script is not None
            ]
            self._clipboard.setText(form(python_of(frame, parts, self._sessions.path)))
            self._shell.say(f"Copied a {name} of what is on screen")

        self._document.when_whole(copy, partial(self._shell.say_lost, "Copying a script"))
