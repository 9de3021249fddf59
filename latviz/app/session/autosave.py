"""What is on screen, kept every few seconds, so that a crash loses next to nothing."""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QDateTime, QLocale, QLockFile, QTimer

from latviz.app.actions import Action, Item
from latviz.app.activity import Failure, Remedy
from latviz.app.background import Background
from latviz.app.document import Document
from latviz.app.opening import Opener
from latviz.app.session.sessions import Opened, Sessions, Work, on_change, read_kept, work_of
from latviz.app.settings import Settings
from latviz.app.shell import Shell
from latviz.app.timers import once_after
from latviz.engine.picture import Picture
from latviz.engine.state import State
from latviz.files.suffixes import SESSION
from latviz.workspace import write_session

INTERVAL_MS = 10_000
"""How long after a change it is kept."""
OLD_S = 24 * 3600
"""Parts of files that a kill left are removed when they are older."""
_KEPT = "kept-"
_LAST = f"last{SESSION}"


class Kept:
    """A kept session and its lock, which a window holds as long as it runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)  # only that of a process that ended is stale

    def take(self) -> bool:
        """Take the lock; return False if a running window has it."""
        return bool(self._lock.tryLock(0))

    def release(self) -> None:
        """Leave it to the next start."""
        self._lock.unlock()

    def remove(self) -> None:
        """Throw it away."""
        self.path.unlink(missing_ok=True)
        self.release()


class Autosave:
    """Keeps what is on screen in the settings' folder, and offers what a crash left there.

    Nothing is kept until something was set, nor if the settings do not last. After a clean end
    the last state can be asked for by `reopen`.
    """

    def __init__(
        self,
        document: Document,
        shell: Shell,
        settings: Settings,
        opener: Opener,
        sessions: Sessions,
    ) -> None:
        self._document, self._shell = document, shell
        self._opener, self._sessions = opener, sessions
        self._folder = settings.kept_folder
        self._own: Kept | None = None
        self._offered: Kept | None = None
        self._last: Work | None = None
        self._writing = self._told = self._looked = self._closed = False
        self.background = Background(shell)
        self.background.failed.connect(self._fail)
        self._timer = once_after(INTERVAL_MS, self._keep, shell)
        if self._folder is not None:
            self._document.changed.connect(self._take_change)
            on_change(self._document, self._wait)

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "Reopen what was &closed last",
                "Open what was on screen when it was closed",
                self.reopen,
                "Ctrl+Shift+T",
                ("File", 1.3),
            ),
        )

    def _wait(self) -> None:
        """Look again in time; further changes do not put it off."""
        if not self._timer.isActive() and not self._closed:
            self._timer.start()

    def _keep(self) -> None:
        """Write what is on screen in the background, unless it is written already."""
        pictures, session = work = work_of(self._document)
        if pictures is None or self._folder is None or work == self._last:
            return
        if self._writing:
            self._wait()
            return
        path = self._place(self._folder)
        if path is not None:
            self._last, self._writing = work, True
            self.background.start(lambda: write_session(path, session, pictures), self._end_writing)

    def reopen(self) -> None:
        """Open what was on screen when a window was closed last."""
        if self._folder is None or not (self._folder / _LAST).exists():
            self._shell.say("Nothing was kept when latviz was closed last")
        else:
            self._restore(self._folder / _LAST, lambda: None)

    def close(self) -> None:
        """Keep the last state for `reopen`, and leave no sign of a crash."""
        if self._folder is None or self._closed:
            return
        self._closed = True
        self._timer.stop()
        self._writing = False  # what is being written is finished before what comes
        self._keep()
        self.background.finish(all_of_it=True)
        if self._offered is not None:
            self._offered.release()
        if self._own is not None:
            with suppress(OSError):
                os.replace(self._own.path, self._folder / _LAST)
            self._own.remove()

    def _take_change(self, old: State, new: State) -> None:
        if new.picture is not None and new.members != old.members:
            self._begin(new.picture)

    def _begin(self, picture: Picture) -> None:
        """Take a new picture for kept: it can be opened again, unless it has no file."""
        again = picture.origin.keys() & {"path", "demo"}
        self._last = work_of(self._document) if again else None
        if not self._looked:
            self._looked = True
            QTimer.singleShot(0, self._offer)  # later: a new picture hides every message

    def _place(self, folder: Path) -> Path | None:
        """Return where to write, locked; None if that cannot be."""
        if self._own is None:
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
            own = Kept(folder / f"{_KEPT}{secrets.token_hex(6)}{SESSION}")
            if not own.take():
                self._fail(Failure(f"{folder} cannot be written: what you do is not kept."))
                return None
            self._own = own
        return self._own.path

    def _offer(self) -> None:
        """Offer the newest of what windows that did not end well left."""
        assert self._folder is not None
        for kept in left_in(self._folder):
            if kept.take():
                self._offered = kept
                when = QDateTime.fromSecsSinceEpoch(int(kept.path.stat().st_mtime))
                clock = QLocale().toString(when, QLocale.FormatType.ShortFormat)
                message = f"latviz did not close properly. What you did until {clock} is kept."
                restore = partial(self._restore, kept.path, self._adopt)
                remedies = Remedy("Restore", restore), Remedy("Discard", self._discard)
                self._shell.fail(Failure(message, "", *remedies))
                return

    def _restore(self, path: Path, then: Callable[[], None]) -> None:
        def take(opened: Opened) -> None:
            self._sessions.resume(opened)
            then()

        self._opener.open_with(partial(read_kept, str(path)), take)

    def _adopt(self) -> None:
        """Go on keeping where the window that crashed did."""
        if self._own is not None:
            self._own.remove()
        self._own, self._offered = self._offered, None

    def _discard(self) -> None:
        if self._offered is not None:
            self._offered.remove()
            self._offered = None
        self._offer()

    def _end_writing(self, _: None) -> None:
        self._writing = False

    def _fail(self, failure: Failure) -> None:
        """Tell of the first failure, and try again in time."""
        self._writing, self._last = False, None
        self._wait()
        if not self._told:
            self._told = True
            self._shell.fail(failure)


def left_in(folder: Path) -> Iterator[Kept]:
    """Yield what is kept in a folder, newest first; remove locks and parts that are of no use."""
    for lock in folder.glob(f"{_KEPT}*.lock"):
        kept = Kept(lock.with_suffix(SESSION))
        if not kept.path.exists() and kept.take():
            kept.release()
    with suppress(OSError):
        for part in folder.glob(".latviz-*.part"):
            if time.time() - part.stat().st_mtime > OLD_S:
                part.unlink()
    with suppress(OSError):  # another window may remove its own just now
        paths = sorted(folder.glob(f"{_KEPT}*{SESSION}"), key=lambda p: -p.stat().st_mtime)
        yield from map(Kept, paths)
