"""Writing files in the background, such as reports, from the settings at the start."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QLocale, QObject

from latviz import engine, sharing
from latviz.app.document.document import Document
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.widgets.number_boxes import number_locale
from latviz.app.widgets.shortcuts import CANCELS
from latviz.app.work.background import Background, Task
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.files.names import safe_name
from latviz.files.suffixes import REPORT

LEFT_S = 10.0
"""Seconds to wait for cancelled work when the window closes."""
Write = Callable[[str, PictureSet, Session, Progress], None]
"""Writes a file or a folder at a path."""


class Writer(QObject, Feature):
    """Writes what is computed from the settings, one file or folder at a time."""

    # Another thread computes and writes, and finishes even if other pictures are opened. A file is
    # complete or missing. A bar in the status line shows the progress

    def __init__(self, parts: Parts) -> None:
        document, shell, bar = parts[Document], parts[Shell], parts[StatusLine].writing
        super().__init__(shell)
        self._document, self._shell, self._settings = document, shell, parts[Settings]
        self._task: Task | None = None
        self._path, self._waits = "", False
        self._bar = bar
        bar.cancelled.connect(self.cancel)
        self.background = Background(self)
        self.background.reported.connect(self._take_progress)
        self.background.failed.connect(lambda _: self._end())
        self.background.failed.connect(shell.fail)
        document.failed.connect(self._stumble)

    @property
    def is_on(self) -> bool:
        """True while a file is written, or waits to be."""
        return self._task is not None

    def ask_and_write(self, what: str, suffix: str, write: Write) -> None:
        """Ask where to, and write it, unless another file is being written."""
        if self.may_begin():
            path = self._ask_where(what, suffix)
            if path:
                self._begin(path, write)

    def may_begin(self) -> bool:
        """Return True if writing can start now; report why if not."""
        if self._document.picture is None:
            self._shell.say_nothing_to("export")
        elif self._task is not None:
            name = Path(self._path).name
            self._shell.say(f"{name} is being written: wait for it ({CANCELS})")
        else:
            return True
        return False

    def cancel(self) -> None:
        """Cancel writing; an older file stays unchanged."""
        if self._task is not None:
            name = Path(self._path).name
            self._give_up()
            self._shell.say(f"{name} was not written: it was cancelled")

    def dismiss(self) -> bool:
        """Cancel writing."""
        was_on = self.is_on
        self.cancel()
        return was_on

    def close(self) -> None:
        """Cancel writing, and wait until it has ended."""
        self._give_up()
        self.background.finish(seconds=LEFT_S)

    def _ask_where(self, what: str, suffix: str) -> str:
        picture = self._document.picture
        assert picture is not None
        stem = safe_name(f"{Path(picture.name).stem}-{what}")
        return self._shell.ask_target(self._settings, stem, suffix)

    def _begin(self, path: str, write: Write) -> None:
        """Write the current settings once they are computed, as the kernels are loaded then."""
        pictures, session = self._document.state.pictures, self._document.session()
        assert pictures is not None
        task = self._task = self.background.task()
        self._path, self._waits = path, True
        name = Path(path).name
        self._bar.set_name(f"Writing {name}", f"Cancel {name}")
        self._bar.show_fraction(0.0)

        def start(*_: object) -> None:
            if task is not self._task:
                return
            self._waits = False
            self.background.start(
                lambda: _written(path, write, pictures, session, task),
                partial(self._finish, task),
                task=task,
            )

        self._document.when_whole(start, start)

    def _finish(self, task: Task, n_bytes: int) -> None:
        if task is self._task:
            size = f", {bytes_text(n_bytes)}" if n_bytes else " and other files next to it"
            self._shell.say(f"Wrote {self._path}{size}")
            self._end()

    def _stumble(self, _: object) -> None:
        """Cancel a waiting export if its frame cannot be computed; a running one continues."""
        if self._waits:
            self._give_up()

    def _take_progress(self, task: Task, fraction: float) -> None:
        if task is self._task:
            self._bar.show_fraction(fraction)

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.give_up()
        self._end()

    def _end(self) -> None:
        self._task, self._waits = None, False
        self._bar.show_fraction(None)


def bytes_text(n_bytes: int) -> str:
    """Return the size of a file in words: "133.6 kB"."""
    return number_locale().formattedDataSize(n_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def _written(
    path: str, write: Write, pictures: PictureSet, session: Session, progress: Progress
) -> int:
    """Write a file or a folder; return its size in bytes, 0 if there are files of other names."""
    write(path, pictures, session, progress)
    parts = [one for one in Path(path).rglob("*") if one.is_file()] or [Path(path)]
    return sum(one.stat().st_size for one in parts if one.exists())


class Sharer(Feature):
    """Writes reports and live pages."""

    def __init__(self, parts: Parts) -> None:
        self._writer = parts[Writer]

    @in_menu(
        "Export a r&eport…",
        "Write a page for a browser: states, curves, A and settings (.html)",
        ("Export", 0.5),
    )
    def export_report(self) -> None:
        """Ask where to, and write a report."""
        self._writer.ask_and_write("report", REPORT, _write_report)

    @in_menu(
        "Export a li&ve page…",
        "Write a page for a browser that computes the states for any N, w and alpha (.html)",
        ("Export", 0.6),
    )
    def export_live_page(self) -> None:
        """Ask where to, and write a live page."""
        self._writer.ask_and_write("live", REPORT, _write_live)


def _write_live(path: str, pictures: PictureSet, session: Session, progress: Progress) -> None:
    sharing.live.write_live(path, pictures, session, progress)


def _write_report(path: str, pictures: PictureSet, session: Session, progress: Progress) -> None:
    """Write a report once the kernels of trade-offs are loaded."""
    # Those that are not cached are compiled in a separate process
    cache = engine.startup.compile_cache
    for name in engine.choosing.sweeping.kernels_of(pictures.picture):
        with cache.Part(name) as part:
            part.wait(lambda: None, progress.cancelled)
        stop_if_cancelled(progress)
    sharing.page.write_report(path, pictures, session, progress)
