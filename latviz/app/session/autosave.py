"""Autosave: the session, stored every few seconds, so that a crash loses almost nothing."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

from PyQt6.QtCore import QTimer

from latviz.app.document.document import Document
from latviz.app.document.history import Opening
from latviz.app.document.opening import Opener
from latviz.app.session.ending import (
    Ended,
    Ending,
    LockedFile,
    ended_in,
    left_in,
    set_aside,
    work_line,
)
from latviz.app.session.recent_work import (
    RecentWork,
    new_place,
    prune,
    read_or_set_aside,
    when_left,
)
from latviz.app.session.sessions import Opened, Sessions, on_change
from latviz.app.shell.actions import OTHERS, Item
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.work.activity import Failure, Remedy
from latviz.app.work.background import Background
from latviz.app.work.timers import once_after
from latviz.core.disk import parts
from latviz.core.disk.writing import move
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.thumbnail import thumbnail
from latviz.engine.keeping.session import Session
from latviz.engine.settings.state import State
from latviz.files.suffixes import SESSION
from latviz.workspace import write_session

INTERVAL_MS = 10_000
"""Milliseconds between a change and its autosave."""
CLOSE_S = 30.0
"""Seconds to wait for writing at the end; then the file is left as after a crash."""
_KEPT = "kept-"

Key = tuple[int, Session]
"""The settings apart from the pictures: index of the shown one, and the rest."""


@dataclass(frozen=True)
class _Recorded:
    """A state that needs no autosave: as opened, or as saved in a file."""

    key: Key
    place: Path | None = None


class Autosave(Feature):
    """Stores the session in the settings' folder, and offers to restore it after a crash."""

    # Nothing is stored before the first change, nor if settings are not stored. When another
    # picture opens, or the window closes, the stored session becomes one of the recent work

    def __init__(self, parts: Parts) -> None:
        shell, settings = parts[Shell], parts[Settings]
        self._document, self._shell, self._settings = parts[Document], shell, settings
        self._opener, self._sessions = parts[Opener], parts[Sessions]
        self._folder = settings.kept_folder
        self._own: LockedFile | None = None
        self._offered: LockedFile | None = None
        self._ending: Ending | None = None
        self._seen: Frame | None = None  # the last one, also once another picture was opened
        self._last: Key | None = None
        self._recorded: WeakKeyDictionary[Opening, _Recorded] = WeakKeyDictionary()
        self._writing = self._reported = self._looked = self._closed = False
        self.recent = RecentWork(self._folder, self._restore)
        self.background = Background(shell)
        self.background.failed.connect(self._fail)
        self._timer = once_after(INTERVAL_MS, self._keep, shell)
        if self._folder is not None:
            self._document.changed.connect(self._take_change)
            self._document.frame_came.connect(self._see)
            on_change(self._document, self._wait)

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        yield from self.recent.menu_items()

    def _wait(self) -> None:
        """Check again later; further changes do not delay it."""
        if not self._timer.isActive() and not self._closed:
            self._timer.start()

    def _keep(self) -> None:
        """Write the session in the background, unless it is written already."""
        state, session = self._document.state, self._document.session()
        if state.pictures is None or self._folder is None or _key(state, session) == self._last:
            return
        if self._writing:
            self._wait()
            return
        path = self._place(self._folder)
        if path is not None:
            self._last, self._writing = _key(state, session), True
            write = self._writer(path, state, session)
            self.background.start(write, self._end_writing)

    def _writer(self, path: Path, state: State, session: Session) -> Callable[[], None]:
        """Return a function that writes a state, with its picture as drawn now."""
        pictures, frame = state.pictures, self._frame_of(state)
        assert pictures is not None

        def write() -> None:
            drawn = thumbnail(pictures.picture, state.slice, frame)
            write_session(path, session, pictures, drawn)

        return write

    def _see(self, frame: Frame) -> None:
        self._seen = frame

    def _frame_of(self, state: State) -> Frame | None:
        """Return the last frame of a state's picture, if any."""
        seen = self._seen
        return seen if seen is not None and seen.request.picture is state.picture else None

    @in_menu(
        "Reopen what was &closed last",
        "Return to what was on screen before another picture was opened or the program was closed",
        (OTHERS, 0.8),
        opens=True,
    )
    def reopen(self) -> None:
        """Open the last session."""
        paths = self.recent.paths()
        if paths:
            self._restore(paths[0])
        else:
            self._shell.say("No work was saved when latviz was closed last")

    def follow(self, ending: Ending | None) -> None:
        """Name the files of work in the report of this program; keep it before a signal ends it."""
        self._ending = ending
        if ending is not None:
            ending.keep = self._keep_now

    def _keep_now(self) -> None:
        """Write the session on this thread, after the writing in progress."""
        self.background.finish(all_of_it=True)
        state, session = self._document.state, self._document.session()
        if state.pictures is None or self._folder is None or _key(state, session) == self._last:
            return
        path = self._place(self._folder)
        if path is not None:
            self._writer(path, state, session)()

    def close(self) -> None:
        """Record the session, and leave no sign of a crash."""
        if self._folder is None or self._closed:
            return
        self._closed = True
        self._timer.stop()
        if self._document.state.pictures is not None:
            self._record(self._document.state)
        ended = self.background.finish(all_of_it=True, seconds=CLOSE_S)
        if self._offered is not None:
            self._offered.release()
        if self._own is not None and ended:
            self._own.release()  # a file that is still there could not be recorded: it is offered

    def _record(self, state: State) -> None:
        """Move the old state to the recent work, if anything was set."""
        opening = self._document.undo_stack.opening_of(state)
        assert opening is not None
        assert self._folder is not None
        session = Session.of(state, self._frame_of(state))
        key, known = _key(state, session), self._recorded.get(opening)
        if known is not None and known.key == key:
            if self._own is not None:
                self.background.start(partial(_remove, self._own.path), self._end_writing)
            return
        path = self._place(self._folder)
        if path is None:
            return
        place = known.place if known is not None and known.place else new_place(self._folder)
        write = None if key == self._last else self._writer(path, state, session)
        self._recorded[opening] = _Recorded(key, place)

        def set_place(_: None) -> None:
            if not opening.can_be_read_again:
                opening.kept_at = str(place)

        self.background.start(partial(_record, path, place, write), set_place)

    def _take_change(self, old: State, new: State) -> None:
        if new.members != old.members:
            if old.pictures is not None:
                self._record(old)
            self._begin()

    def _begin(self) -> None:
        """Take new pictures for kept: they can be opened again, unless they have no file."""
        document, opening = self._document, self._document.opening
        key = _key(document.state, document.session())
        assert opening is not None
        if opening.origins[0].keys() & {"path", "demo"}:
            self._recorded.setdefault(opening, _Recorded(key))
        known = self._recorded.get(opening)
        self._last = key if known is not None and known.key == key else None
        if not self._looked:
            self._looked = True
            QTimer.singleShot(0, self._look)  # later: a new picture hides every message

    def _place(self, folder: Path) -> Path | None:
        """Return the file to write, locked; None if that is impossible."""
        if self._own is not None:
            return self._own.path
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        own = LockedFile(folder / f"{_KEPT}{secrets.token_hex(6)}{SESSION}")
        if not own.take():
            self._fail(
                Failure(f"{folder} cannot be written: your work is not saved automatically.")
            )
            return None
        self._hold(own)
        return own.path

    def _hold(self, own: LockedFile) -> None:
        """Keep the work in a file from now on, which the report of the program names."""
        self._own = own
        if self._ending is not None:
            self._ending.note(work_line(own.path))

    def _look(self) -> None:
        """Report if settings cannot be stored, and offer the leftovers of a crash."""
        if not self._settings.can_be_written:
            self._shell.say("Settings cannot be saved. They last until the program is closed")
        assert self._folder is not None
        is_news = set_aside(self._folder)
        if not self._offer() and is_news:
            (newest, *_) = ended_in(self._folder)
            self._shell.fail(_failure(newest, "There was no work to save."))

    def _offer(self) -> bool:
        """Offer the newest session of windows that crashed; return False if there is none."""
        assert self._folder is not None
        parts.sweep(self._folder)
        for kept in left_in(self._folder, _KEPT, SESSION):
            if kept.take():
                if not kept.path.exists():  # its window ended well just now
                    kept.release()
                    continue
                self._offered = kept
                saved = f"Your work until {when_left(kept.path)} is saved."
                ended = next((e for e in ended_in(self._folder) if e.is_of(kept.path)), None)
                restore = partial(self._restore, kept.path, self._adopt)
                remedies = Remedy("Restore", restore), Remedy("Discard", self._discard)
                self._shell.fail(_failure(ended, saved, *remedies))
                return True
        return False

    def _restore(self, path: Path, then: Callable[[], None] = lambda: None) -> None:
        def take(opened: Opened) -> None:
            self._sessions.resume(opened)
            then()

        self._opener.open_with(partial(read_or_set_aside, path), take, what="your saved work")

    def _adopt(self) -> None:
        """Continue the file of the window that crashed, which is not recorded yet."""
        if self._own is not None:  # after the current writing
            self.background.start(self._own.remove, lambda _: None)
        if self._offered is not None:
            self._hold(self._offered)
            self._offered = None
        if self._document.opening is not None:
            self._recorded.pop(self._document.opening, None)

    def _discard(self) -> None:
        if self._offered is not None:
            self._offered.remove()
            self._offered = None
        self._offer()

    def _end_writing(self, _: None) -> None:
        self._writing = False

    def _fail(self, failure: Failure) -> None:
        """Report the first failure unless another message is shown, and try again later."""
        self._writing, self._last = False, None
        self._wait()
        if not self._reported and not self._shell.shows_failure:
            self._reported = True
            self._shell.fail(failure)


def _failure(ended: Ended | None, saved: str, *remedies: Remedy) -> Failure:
    """Return a message on a program that did not close properly."""
    if ended is None:
        return Failure(f"latviz did not close properly. {saved}", "", *remedies)
    message = f"latviz did not close properly: {ended.cause}. {saved} Report: {ended.path}"
    return Failure(message, ended.text, *remedies)


def _key(state: State, session: Session) -> Key:
    shown = 0 if state.pictures is None else state.pictures.shown
    return shown, session


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _record(path: Path, place: Path, write: Callable[[], None] | None) -> None:
    """Write the old state, and move it, or the last stored one, to the recent work."""
    try:
        if write is not None:
            write()
    finally:
        with suppress(OSError):
            move(path, place)
            os.utime(place)
        prune(place.parent)
