"""Writing views to files, one at a time or all of them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QSize, Qt, QTimer
from PyQt6.QtWidgets import QProgressDialog, QWidget

from latviz.app.docking.docks import Docks
from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.exporting.copying import view_in_use
from latviz.app.exporting.drawing import FORMATS, Strips, Writing, drawn
from latviz.app.exporting.figures import figure_steps, file_stem
from latviz.app.exporting.turns import Turns
from latviz.app.shell.actions import Action, Item, choice
from latviz.app.shell.dialogs import ask_folder, ask_where
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.settings import RESOLUTIONS, Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.app.views.registry import Views
from latviz.app.views.spec import AnySpec
from latviz.app.work.background import Background
from latviz.app.work.timers import once_after
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.state import State
from latviz.exports import export_frame, export_regions, export_trade_off, export_values
from latviz.files.names import safe_name
from latviz.files.suffixes import REGION_EXPORTS, is_summary
from latviz.workspace import advise, compute_exported

_RESULTS = (
    ("state &map", "Write the states as indices, in their colours (.png)", ".png"),
    (
        "&arrays",
        "Write states, A, B and derived results as NumPy arrays (.npz)",
        ".npz",
    ),
    (
        "&summary",
        "Write parameters, indices and the log-likelihood as text (.json)",
        ".json",
    ),
)
"""Kinds of results: a name, a tip and a suffix."""
_FIGURES = ", ".join(FORMATS)
_DRAWING = f"Draw it to a file ({_FIGURES})"
_TRIALS = 5
"""Times that drawing the window starts again after a change of its contents."""


class Exporter(Feature):
    """Asks for a file, waits until the current settings are computed, and writes."""

    # Exports that have begun are finished before the program ends, even if other pictures are
    # opened; but a view of another picture can no longer be drawn

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        self._document, self._shell, self._settings = document, shell, parts[Settings]
        self._idle_jobs, self._docks = parts[IdleJobs], parts[Docks]
        self._strips = WindowStrips(document, shell.main_window, self._write)
        self._turns = Turns(shell.main_window)
        self._views, self._specs = parts[Views].views, parts[Views].specs
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        return (
            *(
                Action(f"Export {text}…", tip, partial(self.export_results, suffix), at=at)
                for place, (text, tip, suffix) in enumerate(_RESULTS)
                for at in [("Export", place / 100)]
            ),
            Action(
                "Export &trade-off table…",
                "Write the results of every N and w as a table (.csv)",
                self.export_table,
                at=("Export", 0.1),
            ),
            Action(
                "Export re&gions…",
                "Write the regions: their table (.csv), labels (.png) or all arrays (.npz)",
                self.export_regions,
                at=("Export", 0.2),
            ),
            Action(
                "Export &values of a view…",
                "Write the numbers of the view that has the keyboard, or the pointer over it, as a "
                "table (.csv)",
                self.export_values,
                at=("Export", 0.3),
            ),
            *(
                Action(f"{spec.title}…", _DRAWING, partial(self.export_view, spec.name), at=at)
                for place, spec in enumerate(self._specs.values())
                for at in [(f"A view of the {spec.kind}", place / 100)]
            ),
            Action(
                "Whole &window…",
                f"Draw the main window as it is to a file ({_FIGURES})",
                self.export_window,
                at=("Export", 1.4),
            ),
            *choice(
                "&Resolution of figures",
                "Pixels per inch, for formats that are not vectors; 96 is as on screen",
                ("Export", 2.0),
                ((dpi, f"{dpi} pixels per inch") for dpi in RESOLUTIONS),
                lambda: self._settings.dpi,
                partial(setattr, self._settings, "dpi"),
            ),
        )

    def export_results(self, suffix: str) -> None:
        """Ask for a file and write the state map, the arrays or the summary to it."""
        path = self._ask_of_picture("latviz", suffix)
        if path:
            write, finish = partial(self._write_results, path), partial(self._finish_results, path)
            self._document.when_whole(write, finish, EXPORTED)

    def export_view(self, name: str) -> None:
        """Ask for a file and draw a view to it; a hidden view is shown first."""
        view, document = self._views[name], self._document
        if document.picture is None:
            self._shell.say_nothing_to("export")
            return
        if not view.isVisible():
            self._shell.show(name)
        spec = self._specs[name]
        path = self._ask(file_stem(spec, view), *FORMATS)
        if path:
            # Later, because a dock that was just shown requests its results first.
            lost = partial(self._shell.say_lost, f"Exporting “{spec.title}”")
            steps = partial(figure_steps, spec, view, path, self._settings.dpi)
            write = partial(self._write, path=path)
            QTimer.singleShot(
                0,
                lambda: document.when_whole(
                    lambda _: self._turns.begin(steps(), write), lost, document.needed
                ),
            )

    def export_window(self) -> None:
        """Ask for a file and draw the window to it."""
        path = self._ask("latviz", *FORMATS)
        if path:
            for view in self._views.values():
                view.clear_hover()
            window, dpi = self._shell.main_window, self._settings.dpi
            if Path(path).suffix.lower() == ".png":
                self._strips.begin(path, dpi)
            else:
                self._write(drawn(window, path, dpi=dpi, title="latviz"), path)

    def close(self) -> None:
        """Wait until all is written."""
        self.background.finish(all_of_it=True)

    def draw_rest(self) -> None:
        """Finish drawings in progress at once: the window is about to close."""
        self._strips.finish()
        self._turns.finish()

    def export_table(self) -> None:
        """Ask for a file and write the table of all N and w to it."""
        trade_off = self._idle_jobs.trade_off
        if trade_off is None:
            text = "There is no trade-off yet: it is computed while its view is open (View menu)"
            self._shell.say(text)
            return
        path = self._ask("trade-off", ".csv")
        if path:
            self._write(lambda: export_trade_off(trade_off, path), path)

    def export_values(self, name: str = "") -> None:
        """Ask for a file and write a view's numbers to it, as a table."""
        name = name or view_in_use(self._views, self._docks)
        spec, view = self._specs[name], self._views[name]
        if self._document.picture is None:
            self._shell.say_nothing_to("export")
            return
        if spec.table is None or (
            self._document.frame and not spec.table(view, self._document.frame)
        ):
            self._shell.say(f"“{spec.title}” shows no values to export now")
            return
        path = self._ask(file_stem(spec, view), ".csv")
        if path:
            write = partial(self._write_values, spec, view, path)
            lost = partial(self._shell.say_lost, "Exporting values")
            self._document.when_whole(write, lost)

    def _write_values(self, spec: AnySpec, view: View, path: str, frame: Frame) -> None:
        """Write a view's numbers in the background, if it still has any."""
        rows = [] if spec.table is None else spec.table(view, frame)
        if rows:
            self._write(lambda: export_values(rows, path), path)

    def export_regions(self) -> None:
        """Ask for a file and write the regions to it, as merged now."""
        path = self._ask_of_picture("regions", *REGION_EXPORTS)
        if path:
            self._document.when_whole(
                lambda frame: self._write(lambda: export_regions(frame, path), path),
                partial(self._shell.say_lost, "Exporting regions"),
                frozenset({"regions"}),
            )

    def _write_results(self, path: str, frame: Frame) -> None:
        self._shell.say(f"Writing {path}…")
        self._write(partial(_export, frame, path), path)

    def _finish_results(self, path: str, pictures: PictureSet, session: Session) -> None:
        """Write settings that will never be on screen: compute them in the background."""
        self._write(lambda: _export(compute_exported(pictures, session.shown), path), path)

    def _write(self, write: Writing, path: str) -> None:
        """Write in the background, and report it."""
        self.background.start(write, lambda _: self._shell.say(f"Wrote {path}"))

    def _ask_of_picture(self, what: str, *suffixes: str) -> str:
        """Ask where to write something of the picture, if there is one."""
        picture = self._document.picture
        if picture is None:
            self._shell.say_nothing_to("export")
            return ""
        return self._ask(safe_name(f"{Path(picture.name).stem}-{what}"), *suffixes)

    def _ask(self, stem: str, *suffixes: str) -> str:
        path = self._shell.ask(ask_where, self._settings.export_folder, stem, suffixes)
        if path:
            self._settings.export_folder = str(Path(path).parent)
        return path if path and self._shell.may_write(path) else ""


class WindowStrips:
    """Draws the window to a file in strips and processes events between them.

    It starts again if the window changes; after some trials it draws all strips at once.
    """

    def __init__(
        self, document: Document, main_window: QWidget, write: Callable[[Writing, str], None]
    ) -> None:
        self._document, self._main_window, self._write = document, main_window, write
        self._strips: Strips | None = None
        self._timer = once_after(0, self._go_on, main_window)
        self._path, self._dpi = "", 0
        self._shown: tuple[Frame | None, State, QSize]
        self._trials = 0

    def begin(self, path: str, dpi: int) -> None:
        """Draw the window; finish one that is being drawn before."""
        self.finish()
        self._path, self._dpi, self._trials = path, dpi, 0
        self._start()

    def finish(self) -> None:
        """Draw the rest at once."""
        while self._strips is not None:
            self._draw(self._strips)

    def _start(self) -> None:
        self._strips = Strips(self._main_window, self._path, self._dpi, "latviz")
        self._shown = self._document.frame, self._document.state, self._main_window.size()
        self._trials += 1
        self._timer.start()

    def _go_on(self) -> None:
        if self._strips is None:
            return
        if self._is_as_it_was():
            self._draw(self._strips)
            self._timer.start()
        else:
            self._start()
            if self._trials > _TRIALS:
                self.finish()

    def _draw(self, strips: Strips) -> None:
        writing = strips.draw_next()
        if writing is not None:
            self._strips = None
            self._write(writing, self._path)

    def _is_as_it_was(self) -> bool:
        (frame, state, size), document = self._shown, self._document
        same = document.frame is frame and document.state is state
        return same and self._main_window.size() == size


PROGRESS_MS = 500
"""Longer exports show their progress."""


class FigureBatch(Feature):
    """Draws a figure of one view after the other, and writes each in the background meanwhile."""

    def __init__(self, parts: Parts) -> None:
        shell = parts[Shell]
        self._document, self._shell, self._settings = parts[Document], shell, parts[Settings]
        self._views, self._specs = parts[Views].views, parts[Views].specs
        self._background = parts[Exporter].background
        self._background.failed.connect(lambda _: self._end())
        self._turns = Turns(shell.main_window)
        self._left: list[tuple[AnySpec, View, Path]] = []
        self._total = 0
        self._progress: QProgressDialog | None = None

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        return (
            Action(
                "All t&hat are shown…",
                f"Write a figure of every view on screen, at any resolution ({_FIGURES})",
                self.start,
                at=("Export", 1.3),
            ),
        )

    def start(self) -> None:
        """Ask for folder and format, and write figures of all views once they are up to date."""
        if self._document.picture is None:
            self._shell.say_nothing_to("export")
            return
        settings = self._settings
        folder, dpi, suffix = self._shell.ask(
            ask_folder, settings.export_folder, settings.dpi, settings.figure_format, FORMATS
        )
        if folder:
            settings.export_folder, settings.dpi = folder, dpi
            settings.figure_format = suffix
            lost = partial(self._shell.say_lost, "Exporting the views")
            self._document.when_whole(
                lambda _: self._begin(Path(folder), suffix), lost, self._document.needed
            )

    def _begin(self, folder: Path, suffix: str) -> None:
        self._left = [
            (spec, view, folder / f"{file_stem(spec, view)}{suffix}")
            for spec, view in ((spec, self._views[name]) for name, spec in self._specs.items())
            if view.isVisible()
        ]
        self._total = len(self._left)
        self._progress = self._shell.ask(_progress, self._total)
        self._next()

    def _next(self) -> None:
        progress = self._progress
        if progress is None:  # it failed
            return
        written = self._total - len(self._left)
        if progress.wasCanceled() or not self._left:
            of_all = "" if not self._left else f" of {self._total}"
            self._shell.say(f"Wrote {written}{of_all} view{'s' * (self._total != 1)}")
            self._end()
            return
        progress.setValue(written)
        spec, view, path = self._left[0]
        steps = figure_steps(spec, view, path, self._settings.dpi)
        self._turns.begin(steps, lambda write: self._background.start(write, self._go_on))

    def _go_on(self, _: None) -> None:
        del self._left[:1]
        self._next()

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None


def _export(frame: Frame, path: str) -> None:
    """Write results of a frame; the summary has the advice on it."""
    export_frame(frame, path, advise(frame) if is_summary(path) else None)


def _progress(parent: QWidget, total: int) -> QProgressDialog:
    """Show the number of written views; it can be cancelled."""
    dialog = QProgressDialog("Writing the views…", "Cancel", 0, total, parent)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setMinimumDuration(PROGRESS_MS)
    dialog.setValue(0)
    return dialog
