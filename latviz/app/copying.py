"""Copying what a view shows: its picture, and its numbers."""

from functools import partial
from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QClipboard, QGuiApplication
from PyQt6.QtWidgets import QApplication

from latviz.app.drawing import picture_of_view
from latviz.app.views.base import View
from latviz.app.views.pins.view import PinsView
from latviz.engine.frame import Frame
from latviz.engine.script import python_of

if TYPE_CHECKING:
    from latviz.app.window import MainWindow


class Copier:
    """Copies the view that has the keyboard, or else that under the pointer, or the state map.

    Every view and its title have a context menu to copy and to export it.
    """

    def __init__(self, window: "MainWindow") -> None:
        self._window, self._document = window, window.document
        for name, view in window.views.items():
            self._add_menu(name, view)

    def copy_view(self, name: str = "") -> None:
        """Copy a view as a picture."""
        clipboard, view = self._begin(), self._view(name)
        if clipboard is not None:
            clipboard.setImage(picture_of_view(view))
            self._window.status.show_message(f"Copied the picture of “{view.TITLE}”")

    def copy_values(self, name: str = "") -> None:
        """Copy what a view shows as numbers, separated by tabs, once all that is set is there."""
        clipboard, view = self._begin(), self._view(name)
        if clipboard is None:
            return

        def copy(frame: Frame) -> None:
            from latviz.engine.tables import as_text, table  # loads the compiled kernels

            pins = view.pins if isinstance(view, PinsView) else ()
            pixels = pins or ((view.inspection,) if view.inspection is not None else ())
            rows = table(view.NAME, frame, pixels, self._document.rest.trade_off)
            if rows:
                clipboard.setText(as_text(rows))
                self._window.status.show_message(f"Copied the values of “{view.TITLE}”")
            else:
                self._window.status.show_message(f"“{view.TITLE}” shows no values to copy now")

        self._document.when_whole(copy, partial(self._window.tell_lost, "Copying values"))

    def copy_python(self) -> None:
        """Copy a script that computes what is on screen."""
        clipboard = self._begin()
        if clipboard is None:
            return

        def copy(frame: Frame) -> None:
            shown = self._window.views["tradeoff"].isVisible()
            trade_off = self._document.rest.trade_off if shown else None
            clipboard.setText(python_of(frame, trade_off, self._window.sessions.path))
            self._window.status.show_message("Copied a Python script of what is on screen")

        self._document.when_whole(copy, partial(self._window.tell_lost, "Copying a script"))

    def _begin(self) -> QClipboard | None:
        """Return the clipboard, or say that there is nothing to copy."""
        if self._document.frame is None:
            self._window.status.show_message("There is nothing to copy yet: open an image first")
            return None
        return QGuiApplication.clipboard()

    def _view(self, name: str) -> View:
        """Return the view of a name, or the one that a person means."""
        if name:
            return self._window.views[name]
        focus = QApplication.focusWidget()
        for known, view in self._window.views.items():
            if focus is not None and self._window.docks[known].isAncestorOf(focus):
                return view
        pointed = (view for view in self._window.views.values() if view.underMouse())
        return next(pointed, self._window.states)

    def _add_menu(self, name: str, view: View) -> None:
        for text, run in (
            ("Copy the picture", self.copy_view),
            ("Copy the values", self.copy_values),
            ("Export…", self._window.exporter.export_view),
        ):
            action = QAction(text, view)
            action.triggered.connect(lambda _=False, run=run: run(name))
            for widget in (view, self._window.docks[name].bar):
                widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
                widget.addAction(action)
