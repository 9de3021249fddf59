"""The last states of work, each with a small picture, to be taken up again."""

import filecmp
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from PyQt6.QtGui import QIcon

from latviz.app.session.sessions import Opened, read_kept
from latviz.app.shell.actions import Action, Item, Submenu
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.core.disk.writing import move
from latviz.core.progress import Progress
from latviz.files.errors import SessionError
from latviz.files.suffixes import SESSION
from latviz.workspace import read_preview

MOST = 10
"""States of work that are kept."""
ICON_SIDE = 48
ASIDE = "unreadable-"
"""Prefix of the names of sessions that cannot be read."""
_WORK = "work-"
_LAST = f"last{SESSION}"
"""Name of the last session in older versions."""


def new_place(folder: Path) -> Path:
    """Return a file in a folder for a state of work."""
    return folder / f"{_WORK}{time.time_ns()}-{secrets.token_hex(4)}{SESSION}"


def kept_in(folder: Path) -> list[Path]:
    """Return the states of work that are kept in a folder, newest first."""
    dated = []
    for path in (*folder.glob(f"{_WORK}*{SESSION}"), *folder.glob(_LAST)):
        with suppress(OSError):  # another window may remove it just now
            dated.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(dated, reverse=True)]


def prune(folder: Path) -> None:
    """Remove duplicates, and the oldest sessions beyond the limit."""
    paths = kept_in(folder)
    for path in paths[1:]:
        with suppress(OSError):
            if filecmp.cmp(paths[0], path, shallow=False):
                path.unlink()
    for path in kept_in(folder)[MOST:]:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def set_aside(path: Path) -> Path:
    """Rename a session that cannot be read, so that it is not offered again; return its place."""
    place = path.with_name(f"{ASIDE}{path.name.removeprefix(_WORK).removeprefix('kept-')}")
    with suppress(OSError):
        move(path, place)
    return place


def read_or_set_aside(path: Path, progress: Progress) -> Opened:
    """Read a stored session; set it aside if that fails, see `read_kept`."""
    try:
        return read_kept(str(path), progress)
    except SessionError as error:
        if not path.exists():
            raise
        place = set_aside(path)
        reason = f"{error.reason}. It was moved to {place}; File ▸ Open may open it later"
        raise SessionError(path, reason) from error


class RecentWork:
    """The menu of recent work. `restore` takes the chosen file."""

    def __init__(self, folder: Path | None, restore: Callable[[Path], object]) -> None:
        self._folder, self.restore = folder, restore
        self._icons: dict[tuple[Path, int], tuple[str, QIcon]] = {}

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        tip = "Return to work that you left when you opened another picture or closed the program"
        return (Submenu("Recent &work", tip, ("File", 1.25), self._items, ICON_SIDE),)

    def paths(self) -> list[Path]:
        """Return the files of recent work, newest first."""
        return [] if self._folder is None else kept_in(self._folder)

    def _items(self) -> Iterator[Item]:
        shown = {}
        for place, path in enumerate(self.paths()[:MOST]):
            at = ("Recent work", place / 100)
            with suppress(OSError, SessionError):
                key = path, path.stat().st_mtime_ns
                shown[key] = title, icon = self._icons.get(key) or _preview(path)
                text = f"{title} – {when_left(path)}"
                tip = "Return to this work with all its settings; the step can be undone"
                run = partial(self.restore, path)
                yield Action(text.replace("&", "&&"), tip, run, at=at, icon=icon)
        self._icons = shown
        if shown:
            yield Action("&Clear this list", "", self._clear, at=("Recent work", 1))
        else:
            at = ("Recent work", 0)
            yield Action("No work yet", "", self._clear, at=at, enabled=lambda: False)

    def _clear(self) -> None:
        """Throw away all that is listed."""
        for path in self.paths():
            with suppress(OSError):
                path.unlink(missing_ok=True)


def when_left(path: Path) -> str:
    """Return when a file was written, as 2026-05-29 14:30."""
    return datetime.fromtimestamp(path.stat().st_mtime).isoformat(" ", "minutes")


def _preview(path: Path) -> tuple[str, QIcon]:
    """Return the name of the session in a file, and a small picture."""
    title, drawn = read_preview(path)
    return title or path.stem, QIcon() if drawn is None else QIcon(pixmap_of(drawn))
