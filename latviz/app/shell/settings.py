"""Settings stored between runs: layout, theme, recent files, computing."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from PyQt6.QtCore import QByteArray, QLockFile, QSettings, QStandardPaths

from latviz.app.work.background import Job, Lane
from latviz.core import threads
from latviz.core.disk.reading import is_small
from latviz.files.answers import answers_in
from latviz.files.suffixes import DPI, DPI_RANGE, FIGURES

T = TypeVar("T")
RESOLUTIONS = (96, 150, 300, 600)
"""Pixels per inch to choose from."""
THREADS = tuple(n for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64) if n <= threads.CORES)
"""Numbers of threads to choose from."""
MOST_RECENT = 10
LAYOUT_VERSION = 4
HOME = "LATVIZ_HOME"
"""The environment variable that names another folder for settings and data."""
LOCK_MS = 200
"""Another program that writes settings is waited for so long."""
CLOSE_S = 5.0
"""When the program ends, writing settings is waited for so long."""


class _Memory(dict[str, Any]):
    """Keeps settings as QSettings does, but no longer than it lives."""

    def value(self, key: str, default: Any = None) -> Any:
        return self.get(key, default)

    def setValue(self, key: str, value: Any) -> None:
        self[key] = value


def _folder(kind: QStandardPaths.StandardLocation) -> Path:
    """Return the chosen folder, or that of the program in a standard place."""
    if chosen := os.environ.get(HOME):
        return Path(chosen)
    return Path(QStandardPaths.writableLocation(kind)) / "latviz"


def data_folder() -> Path:
    """Return the folder of the user's work and lessons; it may not exist yet."""
    return _folder(QStandardPaths.StandardLocation.GenericDataLocation)


def _place() -> Path:
    return _folder(QStandardPaths.StandardLocation.GenericConfigLocation) / "latviz.conf"


def store() -> QSettings:
    """Return the settings in their file; each thread needs its own object of the same content.

    On Linux the file is that of Qt's native settings, ``~/.config/latviz/latviz.conf``.
    """
    return QSettings(str(_place()), QSettings.Format.IniFormat)


def _can_be_read() -> bool:
    """Return True if no pipe, device or huge file is where Qt reads settings; Qt does not check."""
    place = _place()
    return is_small(place) if os.path.lexists(place) else True


def _recent_in(kept: QSettings | _Memory) -> list[str]:
    stored = kept.value("recent", [])
    paths = [stored] if isinstance(stored, str) else list(stored or [])
    return [str(path) for path in paths]


def _change_stored(change: Callable[[list[str]], list[str]]) -> None:
    """Change the list of recent files, under a lock against other programs."""
    stored = store()
    place = Path(stored.fileName())
    lock = QLockFile(f"{place}.recent.lock")  # Qt's own lasts for each write only
    if place.parent.is_dir():
        lock.tryLock(LOCK_MS)
    stored.sync()
    stored.setValue("recent", change(_recent_in(stored)))
    stored.sync()
    lock.unlock()


class Stored(Protocol):
    """Settings that are kept in a store."""

    store: Any


class KeptSetting(Generic[T]):
    """A line of a table of settings."""

    # It is stored under ``key``. ``read`` converts the stored value, made text unless it is bytes;
    # it returns None for an invalid one. ``default`` returns the value for that case, and if
    # nothing is stored

    def __init__(
        self, key: str, read: Callable[[Any], T | None], default: Callable[[Any], T]
    ) -> None:
        self._key, self._read, self._default = key, read, default
        words = getattr(read, "__self__", {})  # a dictionary's get: its words stand for its values
        self._words = {value: word for word, value in words.items()}

    def __get__(self, settings: Stored, _owner: type | None = None) -> T:
        stored = settings.store.value(self._key)
        if isinstance(stored, bool):
            stored = str(stored).lower()
        found = None if stored is None else self._read(stored)
        return self._default(settings) if found is None else found

    def __set__(self, settings: Stored, value: T) -> None:
        settings.store.setValue(self._key, self._words.get(value, value))


def _word(*allowed: str) -> Callable[[Any], str | None]:
    return lambda stored: stored if stored in allowed else None


def _number(allowed: Sequence[int]) -> Callable[[Any], int | None]:
    def read(stored: Any) -> int | None:
        number = int(stored) if str(stored).isdecimal() else None
        return number if number in allowed else None

    return read


def _bytes(stored: Any) -> QByteArray | None:
    return stored if isinstance(stored, QByteArray) else None


def _layout_key(use: str) -> str:
    return f"layout-{LAYOUT_VERSION}-{use}"


class Settings:
    """A thin layer over QSettings, with the keys in one place.

    With ``lasting`` False they are in memory only.
    """

    theme = KeptSetting("theme", str, lambda _: "system")
    """The theme that the user chose: "system", "light" or "dark"."""
    contrast = KeptSetting("contrast", _word("present", "always", "never"), lambda _: "present")
    """Use of thick lines on a black or white background: in the Present tab, or everywhere."""
    still = KeptSetting[bool | None]("motion", {"still": True, "moving": False}.get, lambda _: None)
    """True for reduced motion, False for motion, None if the user has not chosen."""
    export_folder = KeptSetting("export-folder", str, lambda settings: settings.folder)
    """The folder that was exported to last."""
    threads = KeptSetting("threads", _number((0, *THREADS)), lambda _: 0)
    """The number of threads; 0: one a core."""
    graph = KeptSetting("graph", {"graph": True, "heat map": False}.get, lambda _: False)
    """True if A was last shown as a graph."""
    dpi = KeptSetting("dpi", _number(range(DPI_RANGE[0], DPI_RANGE[1] + 1)), lambda _: DPI)
    """The resolution of figures, in pixels per inch."""
    figure_format = KeptSetting("figure-format", _word(*FIGURES), lambda _: FIGURES[0])
    """The suffix of the format of figures."""
    embed = KeptSetting("embed", {"true": True, "false": False}.get, lambda _: True)
    """True to save sessions with their images inside."""
    use = KeptSetting("use", str, lambda _: "")
    """The use that the window was left in; empty if it never was."""
    geometry = KeptSetting("geometry", _bytes, lambda _: QByteArray())
    """The geometry of the window."""
    done = KeptSetting("lessons-done", str, lambda _: "")
    """The completed lessons, one per line."""
    offers_lesson = KeptSetting[bool](
        "offers-lesson", {"true": True, "false": False}.get, lambda s: not s.lessons_done
    )
    """True to offer a lesson on the first screen: the user's choice, or until one was completed."""
    help_geometry = KeptSetting("help-geometry", _bytes, lambda _: QByteArray())
    """The geometry of the help window."""

    def __init__(self, lasting: bool = True) -> None:
        self.store = store() if lasting and _can_be_read() else _Memory()
        self._lasting = lasting
        self._lane = Lane()

    @property
    def can_be_written(self) -> bool:
        """True if settings can be stored for as long as they should last."""
        if isinstance(self.store, QSettings):
            return self.store.isWritable()
        return not self._lasting

    @property
    def kept_folder(self) -> Path | None:
        """The folder for autosaves, if settings are stored."""
        return data_folder() / "kept" if self._lasting else None

    @property
    def lessons_folder(self) -> Path | None:
        """The folder of the user's own lessons, if settings are stored."""
        kept = self.kept_folder
        return None if kept is None else kept.parent / "lessons"

    @cached_property
    def answers_file(self) -> Path | None:
        """The file of answers to the test of understanding, if anything is stored."""
        kept = self.kept_folder
        return None if kept is None else answers_in(kept.parent)

    @property
    def lessons_done(self) -> frozenset[str]:
        """The names of the completed lessons."""
        return frozenset(self.done.split("\n")) - {""}

    @lessons_done.setter
    def lessons_done(self, names: Iterable[str]) -> None:
        self.done = "\n".join(sorted(names))

    @property
    def recent(self) -> list[str]:
        """Paths of the files opened last, newest first."""
        return _recent_in(self.store)

    def add_recent(self, path: str) -> None:
        """Add a file at the head of the recent ones, those of other windows included."""
        self._change_recent(lambda known: [path, *(p for p in known if p != path)][:MOST_RECENT])

    def clear_recent(self) -> None:
        """Forget the recent files."""
        self._change_recent(lambda _: [])

    def finish(self) -> None:
        """Wait until the recent files are written, unless the disk hangs."""
        self._lane.wait(CLOSE_S)

    def _change_recent(self, change: Callable[[list[str]], list[str]]) -> None:
        """Change the list of recent files; if it lasts, away from the window's thread.

        There it waits for disks, and for other programs.
        """
        if isinstance(self.store, QSettings):
            self._lane.put(Job(partial(_change_stored, change)))
        else:
            self.store.setValue("recent", change(self.recent))

    @property
    def folder(self) -> str:
        """The folder to begin a file dialog in."""
        recent = self.recent
        return str(Path(recent[0]).parent) if recent else str(Path.home())

    def save_layout(self, use: str, state: str) -> None:
        """Store the arrangement of the docks in a use."""
        self.store.setValue(_layout_key(use), state)

    def layout(self, use: str) -> str:
        """Return the last arrangement of the docks in a use; empty without one."""
        return str(self.store.value(_layout_key(use), ""))
