"""Writing what is on screen to files, a view at a time or all of them."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import QProgressDialog, QWidget

from latviz.app.actions import Action, Item, Submenu
from latviz.app.background import Background
from latviz.app.dialogs import ask_folder, ask_where
from latviz.app.document import Document
from latviz.app.drawing import SCREEN_DPI, drawn_view, picture_of_view, write_png
from latviz.app.idle_jobs import IdleJobs
from latviz.app.settings import Settings
from latviz.app.shell import Shell
from latviz.app.views.base import View
from latviz.app.views.spec import AnySpec
from latviz.engine.frame import EXPORTED, Frame
from latviz.engine.picture import PictureSet
from latviz.engine.session import Session
from latviz.workspace import compute_exported, export_frame, export_trade_off

_RESULTS = (
    ("state &map", "Write the states as an indexed PNG, in their colours", ".png", "Ctrl+E"),
    (
        "&arrays",
        "Write states, A, B and what follows from them as NumPy arrays (.npz)",
        ".npz",
        "Ctrl+Shift+E",
    ),
    (
        "&summary",
        "Write parameters, indices and the log-likelihood as text (.json)",
        ".json",
        "Ctrl+Alt+E",
    ),
)
"""Of each kind of results: its name, what it is, its suffix and its keys."""


class Exporter:
    """Asks where to, waits until all that is set was computed, and writes.

    Exports that have begun are finished before the program ends, and whatever is opened meanwhile;
    but a view of another picture cannot be drawn any more.
    """

    def __init__(
        self,
        document: Document,
        shell: Shell,
        settings: Settings,
        idle_jobs: IdleJobs,
        views: Mapping[str, View],
        specs: Iterable[AnySpec],
    ) -> None:
        self._document, self._shell, self._settings = document, shell, settings
        self._idle_jobs = idle_jobs
        self._views, self._specs = views, {spec.name: spec for spec in specs}
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            *(
                Action(f"Export {text}…", tip, partial(self.export_results, suffix), keys, at)
                for place, (text, tip, suffix, keys) in enumerate(_RESULTS)
                for at in [("File", 3 + place / 100)]
            ),
            Action(
                "Export &trade-off table…",
                "Write what every N and w is worth as a table (.csv)",
                self.export_table,
                "Ctrl+Alt+T",
                ("File", 3.1),
            ),
            Submenu("Export a &view", "", ("File", 3.2)),
            *(
                Action(f"{spec.title}…", "", partial(self.export_view, spec.name), at=at)
                for place, spec in enumerate(self._specs.values())
                for at in [("Export a view", place / 100)]
            ),
            Action(
                "Whole &window…",
                "Draw the window as it is to a file",
                self.export_window,
                "Ctrl+Alt+S",
                ("Export a view", 0.99),
            ),
        )

    def export_results(self, suffix: str) -> None:
        """Ask for a file and write the state map, the arrays or the summary to it."""
        picture = self._document.picture
        if picture is None:
            self._say_nothing_there()
            return
        path = self._ask(f"{Path(picture.name).stem}-latviz", suffix)
        if path:
            write, finish = partial(self._write_results, path), partial(self._finish_results, path)
            self._document.when_whole(write, finish, EXPORTED)

    def export_view(self, name: str) -> None:
        """Ask for a file and draw a view to it; a hidden view is shown first."""
        view, document = self._views[name], self._document
        if document.picture is None:
            self._say_nothing_there()
            return
        if not view.isVisible():
            self._shell.show(name, front=True)
        path = self._ask(name, ".png", ".svg")
        if path:
            # Later: a dock that was shown just now asks for what it needs first.
            write = partial(self._write_view, view, path)
            lost = partial(self._shell.say_lost, f"Exporting “{self._specs[name].title}”")
            QTimer.singleShot(0, lambda: document.when_whole(lambda _frame: write(), lost))

    def export_window(self) -> None:
        """Ask for a file and draw the window to it."""
        path = self._ask("latviz", ".png", ".svg")
        if path:
            self._write_view(self._shell.main_window, path)

    def export_table(self) -> None:
        """Ask for a file and write what is known of every N and w to it."""
        trade_off = self._idle_jobs.trade_off
        if trade_off is None:
            text = "There is no trade-off yet: it is computed while its view is open (View menu)"
            self._shell.say(text)
            return
        path = self._ask("trade-off", ".csv")
        if path:
            self.background.start(
                lambda: export_trade_off(trade_off, path), lambda _: self._say_written(path)
            )

    def _write_results(self, path: str, frame: Frame) -> None:
        self._shell.say(f"Writing {path}…")
        self.background.start(lambda: export_frame(frame, path), lambda _: self._say_written(path))

    def _finish_results(self, path: str, pictures: PictureSet, session: Session) -> None:
        """Write what was set, which will never be on screen: it is computed beside the window."""
        self.background.start(
            lambda: export_frame(compute_exported(pictures, session.shown), path),
            lambda _: self._say_written(path),
        )

    def _write_view(self, view: QWidget, path: str) -> None:
        """Draw a view as it is now, and write it beside the window."""
        self.background.start(drawn_view(view, path), lambda _: self._say_written(path))

    def _ask(self, stem: str, *suffixes: str) -> str:
        path = self._shell.ask(ask_where, self._settings.export_folder, stem, suffixes)
        if path:
            self._settings.export_folder = str(Path(path).parent)
        return path

    def _say_written(self, path: str) -> None:
        self._shell.say(f"Wrote {path}")

    def _say_nothing_there(self) -> None:
        self._shell.say("There is nothing to export yet: open an image first")


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
