"""Sessions: saved to a file and opened again, and settings as a line of text to send."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary, ref

from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QMessageBox

from latviz.app.document.document import Document
from latviz.app.document.history import Opening
from latviz.app.document.opening import Opener
from latviz.app.shell.dialogs import ask_about_changes, ask_session
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.work.activity import Failure
from latviz.app.work.background import Background
from latviz.app.work.timers import once_after
from latviz.computing import state_of
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.keeping.session import Session, demo_of, from_text, opened, sliced, text_of
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.files.errors import SessionError
from latviz.files.suffixes import SESSION, is_session
from latviz.workspace import read_session, read_work, write_session

Work = tuple[PictureSet | None, Session]
"""The pictures, compared by identity, and the rest of the session."""
Opened = tuple[Session, State]
"""The contents of a session file, and its state with the pictures and the reference."""
LOOK_MS = 200
"""Delay before the title marks a change as unsaved."""


@dataclass(frozen=True)
class _Named:
    """The file of a session, and the session when it was saved or opened."""

    path: str
    saved: tuple[int, Session]
    embedded: bool


class Sessions(Feature):
    """Saves sessions in the background, and opens them."""

    # `save` writes the file again that pictures were last saved to or opened from. The window's
    # title names it, and marks changes since; `leave` asks if they are to be saved

    def __init__(self, parts: Parts) -> None:
        shell, opener = parts[Shell], parts[Opener]
        self._document, self._shell, self._settings = parts[Document], shell, parts[Settings]
        self._opener = opener
        opener.add_kind(is_session, self.open_path)
        opener.leave = self.leave
        self._names: WeakKeyDictionary[Opening, _Named] = WeakKeyDictionary()
        self._last: Callable[[], Opening | None] = lambda: None
        self._question: QMessageBox | None = None
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)
        self._look = once_after(LOOK_MS, self._show_title, shell)
        on_change(self._document, self._look.start)
        self._document.changed.connect(self._take_change)

    @property
    def path(self) -> str:
        """The file that `save` writes; "" without one."""
        named = self._named
        return named.path if named is not None else ""

    @property
    def is_changed(self) -> bool:
        """True if the session has a file and differs from it."""
        named = self._named
        return named is not None and named.saved != _key(work_of(self._document))

    def may_close(self, close: Callable[[], None]) -> bool:
        """Ask about changes before the window closes."""
        changed = self.is_changed
        if changed:
            self.leave(close)
        return not changed

    def close(self) -> None:
        """Wait until all is written."""
        self.background.finish(all_of_it=True)

    @in_menu("&Save session", "Save all settings, to open them again like an image", ("File", 2.1))
    def save(self) -> None:
        """Write the session to its file; ask for a file if it has none."""
        named = self._named
        if named is not None:
            self._write(named.path, named.embedded)
        else:
            self.save_as()

    @in_menu("Save session &as…", "Save all settings to another file", ("File", 2.2))
    def save_as(self) -> None:
        """Ask for a file and write the session to it."""
        picture, settings = self._document.picture, self._settings
        if picture is None:
            self._shell.say_nothing_to("save")
            return
        name = self.path or str(
            Path(settings.export_folder) / f"{Path(picture.name).stem}{SESSION}"
        )
        path, embed = self._shell.ask(ask_session, name, settings.embed)
        if path:
            settings.embed = embed
            settings.export_folder = str(Path(path).parent)
            self._write(path, embed)

    def open_path(
        self, path: str, adjust: Callable[[Parameters], Parameters] | None = None
    ) -> None:
        """Open a session file, with parameters adjusted if so asked."""

        def take(opened: Opened) -> None:
            session, state = opened
            if adjust is not None:
                session = session.adjusted(adjust)
                state = replace(state, parameters=session.state.parameters)
            self.resume((session, state))
            self._name(self._document.opening, path, work_of(self._document), session.embedded)
            self._settings.add_recent(str(Path(path).absolute()))

        self._opener.open_with(partial(read_kept, path), take, what=Path(path).name)

    def resume(self, opened: Opened) -> None:
        """Show a session file's content, with the views that were visible, and pins."""
        session, state = opened
        self._shell.show(*(("pixel",) if state.pins else ()), *state.views)
        self._document.resume(session, state)
        if session.note:
            self._shell.say(f"The session is open; {session.note}")

    def leave(self, go_on: Callable[[], object]) -> None:
        """Continue to the next session; if this one has changes, ask first."""
        named = self._named
        if named is None or not self.is_changed:
            go_on()
            return
        if self._question is not None:
            self._question.reject()
            self._question.deleteLater()
        save = partial(self._write, named.path, named.embedded, go_on)
        self._question = self._shell.ask(ask_about_changes, Path(named.path).name, save, go_on)

    def _write(self, path: str, embed: bool, then: Callable[[], object] = lambda: None) -> None:
        opening = self._document.opening
        pictures, session = work = work_of(self._document)
        assert pictures is not None
        session = replace(session, embedded=embed)
        self._shell.say(f"Saving {Path(path).name}…")

        def finish(_: None) -> None:
            self._shell.say(f"Saved {path}")
            self._settings.add_recent(str(Path(path).absolute()))
            self._name(opening, path, work, embed)
            then()

        self.background.start(lambda: write_session(path, session, pictures), finish)

    @property
    def _named(self) -> _Named | None:
        opening = self._document.opening
        return None if opening is None else self._names.get(opening)

    def _name(self, opening: Opening | None, path: str, saved: Work, embedded: bool) -> None:
        """Store the file of the pictures, with the settings saved in it."""
        assert opening is not None
        self._names[opening] = _Named(path, _key(saved), embedded)
        if not opening.can_be_read_again:
            opening.kept_at = path
        self._show_title()

    def _take_change(self, old: State, new: State) -> None:
        if new.members != old.members:
            self._keep_name(old, new)
            self._show_title()

    def _keep_name(self, old: State, new: State) -> None:
        """Keep a session's file when other files of the same shelf are learned from."""
        before, now = self._last(), self._document.opening
        if now is None:
            return
        self._last = ref(now)
        shelves = {None if shelf is None else shelf.entries for shelf in (old.shelf, new.shelf)}
        if (
            before is not None
            and before in self._names
            and len(shelves) == 1
            and None not in shelves
        ):
            self._names.setdefault(now, self._names[before])

    def _show_title(self) -> None:
        """Name the session and the picture, with Qt's mark where changes are not saved."""
        picture = self._document.picture
        if picture is None:
            return
        session = f"{Path(self.path).name}[*] – " if self.path else ""
        self._shell.main_window.setWindowTitle(f"{session}{picture.name} – latviz")
        self._shell.main_window.setWindowModified(self.is_changed)


def _key(work: Work) -> tuple[int, Session]:
    """Return a key that changes with the settings."""
    pictures, session = work
    return (0 if pictures is None else pictures.shown), session


def on_change(document: Document, act: Callable[[], object]) -> None:
    """Act whenever the session may have changed."""
    document.changed.connect(lambda *_: act())
    document.frame_changed.connect(lambda _: act())


def work_of(document: Document) -> Work:
    """Return the work on screen."""
    return document.state.pictures, document.session()


def read_kept(path: str, progress: Progress) -> Opened:
    """Read a session file, and compute the reference again, with progress."""
    pictures, session = read_session(path)
    try:
        return session, state_of(pictures, session, progress=progress)
    except ParameterError as error:
        reason = f"{error}; it is damaged or was changed by hand: get a fresh copy"
        raise SessionError(Path(path), reason) from error


PlainWork = tuple[PictureSet, Session]
"""Pictures, and the session to show."""


class StateText(Feature):
    """Copies the settings as text, and applies such a text."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]
        self._sessions, self._opener = parts[Sessions], parts[Opener]

    @in_menu(
        "Copy se&ttings as text",
        "Copy all settings as one line of text; for demos it also opens the picture",
        ("Edit", 3.4),
    )
    def copy(self) -> None:
        """Copy the settings."""
        state, clipboard = self._document.state, QGuiApplication.clipboard()
        if state.pictures is None or clipboard is None:
            self._shell.say_nothing_to("copy")
            return
        clipboard.setText(text_of(state))
        is_demo = "demo" in state.pictures.picture.origin
        whole = "" if is_demo else "; it does not hold your picture"
        self._shell.say(f"Copied the settings as text{whole}")

    @in_menu(
        "Appl&y settings from text",
        "Apply a line that was copied with “Copy settings as text”",
        ("Edit", 3.5),
        opens=True,
    )
    def paste(self) -> None:
        """Apply the settings in the clipboard."""
        clipboard = QGuiApplication.clipboard()
        self.set_text("" if clipboard is None else clipboard.text())

    def set_text(self, text: str) -> None:
        """Apply the settings of a text to its demo, or to the picture on screen."""
        try:
            if not text.strip():
                raise ParameterError("the clipboard holds no text; copy a line first")
            if demo := demo_of(text):
                self.open(partial(read_work, None, demo, state=text), f"The demo {demo}")
                return
            pictures = self._document.state.pictures
            if pictures is None:
                raise ParameterError(
                    "no picture is open; open the one that the text belongs to first"
                )
            state = from_text(text, opened(pictures, self._document.state.suited).state)
            state.check(pictures)
            pictures = sliced(pictures, text)
            self._sessions.resume((Session(state), state_of(pictures, Session(state))))
        except ParameterError as error:
            self._shell.fail(Failure(f"The text was not applied: {error}.", ""))

    def open(self, read_it: Callable[[], PlainWork], what: str) -> None:
        """Open pictures with the settings of a text; ``what`` names it in error messages."""

        def read(progress: Progress) -> Opened:
            pictures, session = read_it()
            return session, state_of(pictures, session, progress=progress)

        def failure_of(error: Exception) -> Failure:
            return Failure(f"{what} cannot be set this way: {error}.", "")

        self._opener.open_with(read, self._sessions.resume, failure_of)
