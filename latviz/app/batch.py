"""All views that are shown, written to a folder."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QProgressDialog, QWidget

from latviz.app.actions import Action, Item
from latviz.app.background import Background
from latviz.app.dialogs import ask_folder
from latviz.app.document import Document
from latviz.app.drawing import SCREEN_DPI, picture_of_view, write_png
from latviz.app.settings import Settings
from latviz.app.shell import Shell
from latviz.app.views.base import View

PROGRESS_MS = 500
"""Exports that take longer show how far they are."""


class Batch:
    """Draws one view after the other, and writes each in the background meanwhile."""

    def __init__(
        self,
        document: Document,
        shell: Shell,
        settings: Settings,
        views: Mapping[str, View],
        background: Background,
    ) -> None:
        self._document, self._shell, self._settings = document, shell, settings
        self._views = views
        self._background = background
        self._background.failed.connect(lambda _: self._end())
        self._left: list[tuple[str, Path]] = []
        self._total = 0
        self._scale = 1.0
        self._progress: QProgressDialog | None = None

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "&All that are shown…",
                "Write every view on screen as PNG, at any resolution",
                self.start,
                "Ctrl+Shift+A",
                ("Export a view", 0.98),
            ),
        )

    def start(self) -> None:
        """Ask for a folder and a resolution, and write all views once they show what is set."""
        if self._document.picture is None:
            self._shell.say("There is nothing to export yet: open an image first")
            return
        settings = self._settings
        folder, dpi = self._shell.ask(ask_folder, settings.export_folder, settings.dpi)
        if folder:
            settings.export_folder, settings.dpi = folder, dpi
            lost = partial(self._shell.say_lost, "Exporting the views")
            self._document.when_whole(lambda _: self._begin(Path(folder), dpi), lost)

    def _begin(self, folder: Path, dpi: int) -> None:
        assert self._document.picture is not None
        stem = Path(self._document.picture.name).stem
        self._left = [
            (name, folder / f"{stem}-{name}.png")
            for name, view in self._views.items()
            if view.isVisible()
        ]
        self._total, self._scale = len(self._left), dpi / SCREEN_DPI
        self._progress = self._shell.ask(_progress, self._total)
        self._next()

    def _next(self) -> None:
        progress = self._progress
        if progress is None:  # it failed
            return
        written = self._total - len(self._left)
        if progress.wasCanceled() or not self._left:
            of_all = "" if not self._left else f" of {self._total}"
            self._shell.say(f"Wrote {written}{of_all} views")
            self._end()
            return
        progress.setValue(written)
        name, path = self._left[0]
        image = picture_of_view(self._views[name], self._scale)
        self._background.start(partial(write_png, image, path), self._go_on)

    def _go_on(self, _: None) -> None:
        del self._left[:1]
        self._next()

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None


def _progress(parent: QWidget, total: int) -> QProgressDialog:
    """Show how many views are written; it can be cancelled."""
    dialog = QProgressDialog("Writing the views…", "Cancel", 0, total, parent)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setMinimumDuration(PROGRESS_MS)
    dialog.setValue(0)
    return dialog
