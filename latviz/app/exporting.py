"""Writing what is on screen to files."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QWidget

from latviz.app.background import Background
from latviz.app.dialogs import ask_where
from latviz.app.drawing import write_view
from latviz.app.session.sessions import work_of
from latviz.app.worker import Failure
from latviz.engine.frame import Frame
from latviz.files.errors import ExportError
from latviz.workspace import compute, export_frame, export_trade_off

if TYPE_CHECKING:
    from latviz.app.window import MainWindow


class Exporter:
    """Asks where to, waits until all that is set was computed, and writes.

    Exports that have begun are finished before the program ends, and whatever is opened meanwhile;
    but a view of another picture cannot be drawn any more.
    """

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self.background = Background(window)
        self.background.failed.connect(window.banner.show_failure)

    def export_results(self, suffix: str) -> None:
        """Ask for a file and write the state map, the arrays or the summary to it."""
        picture = self._window.document.picture
        if picture is None:
            self._say_nothing_there()
            return
        path = self._ask(f"{Path(picture.name).stem}-latviz", suffix)
        if path:
            write, finish = partial(self._write_results, path), partial(self._finish_results, path)
            self._window.document.when_whole(write, finish)

    def export_view(self, name: str) -> None:
        """Ask for a file and draw a view to it; a hidden view is shown first."""
        view, document = self._window.views[name], self._window.document
        if document.picture is None:
            self._say_nothing_there()
            return
        if not view.isVisible():
            self._window.docks[name].show()
            self._window.docks[name].raise_()
        path = self._ask(name, ".png", ".svg")
        if path:
            # Later: a dock that was shown just now asks for what it needs first.
            write = partial(self._write_view, view, path)
            lost = partial(self._window.tell_lost, f"Exporting “{view.TITLE}”")
            QTimer.singleShot(0, lambda: document.when_whole(lambda _frame: write(), lost))

    def export_window(self) -> None:
        """Ask for a file and draw the window to it."""
        path = self._ask("latviz", ".png", ".svg")
        if path:
            self._write_view(self._window, path)

    def export_table(self) -> None:
        """Ask for a file and write what is known of every N and w to it."""
        trade_off = self._window.document.rest.trade_off
        if trade_off is None:
            text = "There is no trade-off yet: it is computed while its view is open (View menu)"
            self._window.status.show_message(text)
            return
        path = self._ask("trade-off", ".csv")
        if path:
            self.background.start(
                lambda: export_trade_off(trade_off, path), lambda _: self._say_written(path)
            )

    def _write_results(self, path: str, frame: Frame) -> None:
        self._window.status.show_message(f"Writing {path}…")
        self.background.start(lambda: export_frame(frame, path), lambda _: self._say_written(path))

    def _finish_results(self, path: str) -> None:
        """Write what is set, which will never be on screen: it is computed beside the window."""
        picture, session = work_of(self._window.document)
        assert picture is not None
        self.background.start(
            lambda: export_frame(compute(picture, session.shown), path),
            lambda _: self._say_written(path),
        )

    def _write_view(self, view: QWidget, path: str) -> None:
        try:
            write_view(view, path)
        except ExportError as error:
            self._window.banner.show_failure(Failure(f"{error}."))
        else:
            self._say_written(path)

    def _ask(self, stem: str, *suffixes: str) -> str:
        settings = self._window.settings
        path = ask_where(self._window, settings.export_folder, stem, suffixes)
        if path:
            settings.export_folder = str(Path(path).parent)
        return path

    def _say_written(self, path: str) -> None:
        self._window.status.show_message(f"Wrote {path}")

    def _say_nothing_there(self) -> None:
        self._window.status.show_message("There is nothing to export yet: open an image first")
