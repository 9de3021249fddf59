"""Writing views to files, one at a time or all of them, in steps between other events."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QObject, Qt, QTimer
from PyQt6.QtWidgets import QProgressDialog, QWidget

from latviz import collection
from latviz.app.document.adviser import Adviser
from latviz.app.document.document import Document
from latviz.app.exporting.drawing import (
    FORMATS,
    Writing,
    called,
    drawn,
    figure_steps,
    file_stem,
    strips,
)
from latviz.app.shell.actions import PREFERENCES, Action, Item, choice
from latviz.app.shell.dialogs import ask_folder
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import RESOLUTIONS, Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.app.views.registry import Views
from latviz.app.views.spec import AnySpec, Rows
from latviz.app.work.background import Background
from latviz.app.work.timers import once_after
from latviz.computing import advise, compute_exported
from latviz.core.disk import inputs
from latviz.engine.advice.tries import Tries
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.exports import export_frame, export_regions, export_values
from latviz.files.names import safe_name
from latviz.files.suffixes import ARRAY_EXPORTS, LABEL_EXPORTS, REGION_EXPORTS, is_summary

_RESULTS = (
    ("state &map", "Write the states as indices, in their colours (.png)", (".png",)),
    (
        "state &labels",
        "Write the states as labels from 1, for other programs (.tif, .ome.tif, .zarr)",
        tuple(LABEL_EXPORTS),
    ),
    (
        "&arrays",
        "Write model, states and observations as arrays (.npz; .large.npz above a megapixel)",
        tuple(ARRAY_EXPORTS),
    ),
    (
        "&summary",
        "Write parameters, indices and the log-likelihood as text (.json)",
        (".json",),
    ),
)
"""Kinds of results: a name, a tip and suffixes."""
_FIGURES = ", ".join(FORMATS)
_FOLDER = "Choose a folder: files with the same names are replaced"
_TRIALS = 5
"""Times that drawing the window starts again after a change of its contents."""


Steps = Iterator[Writing | None]
"""Yields None after each step but the last, and then the function that writes the result."""
Finish = Callable[[Writing], object]


class Turns:
    """Draws step by step; each drawing is passed to a function that finishes it."""

    def __init__(self, parent: QObject) -> None:
        self._left: deque[tuple[Steps, Finish]] = deque()
        self._timer = once_after(0, self._go_on, parent)

    def begin(self, steps: Steps, finish: Finish) -> None:
        """Do the first step now, because the widget may change, and the others soon."""
        if not self._is_done(steps, finish):
            self._left.append((steps, finish))
            self._timer.start()

    def finish(self) -> None:
        """Do all steps that are left."""
        while self._left:
            self._go_on()

    def _go_on(self) -> None:
        steps, finish = self._left.popleft()
        try:
            if not self._is_done(steps, finish):
                self._left.appendleft((steps, finish))
        finally:
            self._timer.stop()
            if self._left:
                self._timer.start()

    @staticmethod
    def _is_done(steps: Steps, finish: Finish) -> bool:
        writing = next(steps)
        if writing is None:
            return False
        next(steps, None)  # frees the drawing
        finish(writing)
        return True


class Exporter(Feature):
    """Asks for a file, waits until the current settings are computed, and writes."""

    # Exports that have begun are finished before the program ends, even if other pictures are
    # opened; but a view of another picture can no longer be drawn

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        self._document, self._shell, self._settings = document, shell, parts[Settings]
        self._adviser = parts[Adviser]
        self._turns = Turns(shell.main_window)
        self._views, self._specs = parts[Views].views, parts[Views].specs
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        for place, (text, tip, ends) in enumerate(_RESULTS):
            run, at = partial(self.export_results, *ends), ("Export", place / 100)
            yield Action(f"Export {text}…", tip, run, at=at)
        yield from choice(
            "&Resolution of figures",
            "Pixels per inch, for formats that are not vectors; 96 is as on screen",
            (PREFERENCES, 0.6),
            ((dpi, f"{dpi} pixels per inch") for dpi in RESOLUTIONS),
            lambda: self._settings.dpi,
            partial(setattr, self._settings, "dpi"),
        )
        yield from choice(
            "&Format of figures",
            "The first choice for a figure, and the format of all views on screen",
            (PREFERENCES, 0.7),
            ((suffix, suffix[1:].upper()) for suffix in FORMATS),
            lambda: self._settings.figure_format,
            partial(setattr, self._settings, "figure_format"),
        )

    def export_results(self, *suffixes: str) -> None:
        """Ask for a file and write the state map, the arrays or the summary to it."""
        path = self._ask_of_picture("latviz", *suffixes)
        if path:
            write, finish = partial(self._write_results, path), partial(self._finish_results, path)
            self._document.when_whole(write, finish, EXPORTED)

    def export_view(self, name: str) -> None:
        """Ask for a file and draw a view to it; a hidden view is shown first."""
        spec, view = self._specs[name], self._views[name]
        formats = sorted(FORMATS, key=lambda suffix: suffix != self._settings.figure_format)
        path = self._ask_of_picture(called(spec, view), *formats)
        if path:
            steps = partial(figure_steps, spec, view, path, self._settings.dpi)
            write = partial(self._write, path=path)
            self.when_shown(name, "export", lambda _: self._turns.begin(steps(), write))

    def when_shown(self, name: str, act: str, take: Callable[[Frame], None]) -> None:
        """Show a view if it is hidden, and call with the frame that it shows once complete.

        ``act`` is the verb for messages.
        """
        document, shell = self._document, self._shell
        if document.picture is None:
            shell.say_nothing_to(act)
            return
        lost = partial(shell.say_lost, f"{act.title()}ing “{self._specs[name].title}”")
        if self._views[name].isVisible():
            document.when_whole(take, lost, document.needed)
        else:
            shell.show(name)
            # Later, because a dock that was just shown requests its results first.
            QTimer.singleShot(0, lambda: document.when_whole(take, lost, document.needed))

    @in_menu(
        "Whole &window…", f"Draw the main window as it is to a file ({_FIGURES})", ("Export", 1.4)
    )
    def export_window(self) -> None:
        """Ask for a file and draw the window to it."""
        path = self._shell.ask_target(self._settings, "latviz", *FORMATS)
        if path:
            for view in self._views.values():
                view.clear_hover()
            window, dpi, write = self._shell.main_window, self._settings.dpi, self._write
            if Path(path).suffix.lower() == ".png":
                self._turns.begin(self._window_steps(path), partial(write, path=path))
            else:
                write(drawn(window, path, dpi=dpi, title="latviz"), path)

    def _window_steps(self, path: str) -> Steps:
        """Draw the window in strips; start again if it changes, but not for ever."""
        document, window, dpi = self._document, self._shell.main_window, self._settings.dpi
        for _ in range(_TRIALS):
            frame, state, size = document.frame, document.state, window.size()
            for step in strips(window, path, dpi, "latviz"):
                same = document.frame is frame and document.state is state
                if not same or window.size() != size:
                    break
                yield step
            else:
                return
        *_, writing = strips(window, path, dpi, "latviz")
        yield writing

    def close(self) -> None:
        """Wait until all is written."""
        self.background.finish(all_of_it=True)

    def draw_rest(self) -> None:
        """Finish drawings in progress at once: the window is about to close."""
        self._turns.finish()

    def export_values(self, name: str) -> None:
        """Ask for a file and write a view's numbers to it, as a table."""
        spec, view = self._specs[name], self._views[name]

        def ask(rows: Rows) -> None:
            path = self._ask_of_picture(called(spec, view), ".csv")
            if path:
                self._write(lambda: export_values(rows, path), path)

        # Later, because the dialog would keep a new frame from others
        self.when_values(name, "export", lambda rows: QTimer.singleShot(0, partial(ask, rows)))

    def when_values(self, name: str, act: str, take: Callable[[Rows], object]) -> None:
        """Call with a view's numbers once complete, or report that there are none."""
        spec, view = self._specs[name], self._views[name]

        def take_rows(frame: Frame) -> None:
            rows = [] if spec.table is None else spec.table(view, frame)
            if rows:
                take(rows)
            else:
                self._shell.say(f"“{spec.title}” shows no values to {act} now")

        self.when_shown(name, act, take_rows)

    @in_menu(
        "Export re&gions…",
        "Write the regions: table (.csv), polygons (.geojson), labels (.png), all (.npz)",
        ("Export", 0.2),
    )
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
        self._write(partial(_export, frame, path, self._adviser.tries), path)

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
        return self._shell.ask_target(
            self._settings, safe_name(f"{Path(picture.name).stem}-{what}"), *suffixes
        )


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

    @in_menu(
        "All &views on screen…",
        f"Write a figure of every view on screen to a folder ({_FIGURES}, see Preferences)",
        ("Export", 1.3),
    )
    def start(self) -> None:
        """Ask for a folder, and write figures of all views once they are up to date."""
        if self._document.picture is None:
            self._shell.say_nothing_to("export")
            return
        settings = self._settings
        folder = self._shell.ask(ask_folder, _FOLDER, settings.export_folder)
        if folder:
            settings.export_folder = folder
            lost = partial(self._shell.say_lost, "Exporting the views")
            begin = partial(self._begin, Path(folder))
            self._document.when_whole(begin, lost, self._document.needed)

    def _begin(self, folder: Path, _: Frame) -> None:
        self._left = [
            (spec, view, folder / f"{file_stem(spec, view)}{self._settings.figure_format}")
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


def _export(frame: Frame, path: str, tries: Tries | None = None) -> None:
    """Write results of a frame; the summary has the advice on it."""
    export_frame(frame, path, advise(frame, tries=tries) if is_summary(path) else None)


def _progress(parent: QWidget, total: int) -> QProgressDialog:
    """Show the number of written views; it can be cancelled."""
    dialog = QProgressDialog("Writing the views…", "Cancel", 0, total, parent)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setMinimumDuration(PROGRESS_MS)
    dialog.setValue(0)
    return dialog


class Inputs(Feature):
    """Keeps the files of the work on screen from being replaced, until the window closes."""

    def __init__(self, parts: Parts) -> None:
        self._document = parts[Document]
        inputs.watch(self._of)

    def close(self) -> None:
        """Keep them no longer."""
        inputs.unwatch(self._of)

    def _of(self, target: Path) -> Iterable[str | Path]:
        return collection.reading.inputs_of(self._document.state, target)
