"""All views that are shown, written to a folder."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QProgressDialog

from latviz.app.dialogs import ask_folder
from latviz.app.drawing import SCREEN_DPI, picture_of_view, write_png

if TYPE_CHECKING:
    from latviz.app.window import MainWindow

PROGRESS_MS = 500
"""Exports that take longer show how far they are."""


class Batch:
    """Draws one view after the other, and writes each in the background meanwhile."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._background = window.exporter.background
        self._background.failed.connect(lambda _: self._end())
        self._left: list[tuple[str, Path]] = []
        self._total = 0
        self._scale = 1.0
        self._progress: QProgressDialog | None = None

    def start(self) -> None:
        """Ask for a folder and a resolution, and write all views once they show what is set."""
        window = self._window
        if window.document.picture is None:
            window.status.show_message("There is nothing to export yet: open an image first")
            return
        settings = window.settings
        folder, dpi = ask_folder(window, settings.export_folder, settings.dpi)
        if folder:
            settings.export_folder, settings.dpi = folder, dpi
            lost = partial(window.tell_lost, "Exporting the views")
            window.document.when_whole(lambda _: self._begin(Path(folder), dpi), lost)

    def _begin(self, folder: Path, dpi: int) -> None:
        window = self._window
        assert window.document.picture is not None
        stem = Path(window.document.picture.name).stem
        self._left = [
            (name, folder / f"{stem}-{name}.png")
            for name, view in window.views.items()
            if view.isVisible()
        ]
        self._total, self._scale = len(self._left), dpi / SCREEN_DPI
        self._progress = QProgressDialog("Writing the views…", "Cancel", 0, self._total, window)
        self._progress.setWindowModality(Qt.WindowModality.WindowModal)
        self._progress.setMinimumDuration(PROGRESS_MS)
        self._progress.setValue(0)
        self._next()

    def _next(self) -> None:
        progress = self._progress
        if progress is None:  # it failed
            return
        written = self._total - len(self._left)
        if progress.wasCanceled() or not self._left:
            of_all = "" if not self._left else f" of {self._total}"
            self._window.status.show_message(f"Wrote {written}{of_all} views")
            self._end()
            return
        progress.setValue(written)
        name, path = self._left[0]
        image = picture_of_view(self._window.views[name], self._scale)
        self._background.start(partial(write_png, image, path), self._go_on)

    def _go_on(self, _: None) -> None:
        del self._left[:1]
        self._next()

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None
