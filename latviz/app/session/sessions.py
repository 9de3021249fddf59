"""Sessions: what is on screen, saved to a file and taken up again."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from latviz.app.actions import Action, Item
from latviz.app.background import Background
from latviz.app.dialogs import ask_session
from latviz.app.document import Document
from latviz.app.opening import Opener
from latviz.app.settings import Settings
from latviz.app.shell import Shell
from latviz.app.timers import once_after
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.parameters import Parameters
from latviz.engine.picture import PictureSet
from latviz.engine.session import Session
from latviz.engine.state import State
from latviz.files.errors import SessionError
from latviz.files.suffixes import SESSION, is_session
from latviz.workspace import read_session, state_of, write_session

Work = tuple[PictureSet | None, Session]
"""What is on screen: the pictures, compared by identity, and the rest."""
Opened = tuple[Session, State]
"""What a session file holds, and its state with the pictures and decoding A."""
LOOK_MS = 200
"""How long after a change the title tells that it was not saved."""


class Sessions:
    """Saves sessions in the background, and opens them.

    The file that was saved or opened last is written again by `save`, until another picture is
    opened. The window's title names it, and marks changes since.
    """

    def __init__(
        self, document: Document, shell: Shell, settings: Settings, opener: Opener
    ) -> None:
        self._document, self._shell, self._settings = document, shell, settings
        self._opener = opener
        opener.add_kind(is_session, self.open_path)
        self.path = ""
        self._saved: Work | None = None
        self._embedded = False
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)
        self._look = once_after(LOOK_MS, self._show_title, shell)
        on_change(self._document, self._look.start)
        self._document.changed.connect(self._leave)

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "&Save session",
                "Save all that is set, to open it again like an image",
                self.save,
                "Ctrl+S",
                ("File", 2.1),
            ),
            Action(
                "Save session &as…",
                "Save all that is set to another file",
                self.save_as,
                "Ctrl+Shift+S",
                ("File", 2.2),
            ),
        )

    def save(self) -> None:
        """Write the session to its file; ask for one, if it has none."""
        if self.path:
            self._write(self.path, self._embedded)
        else:
            self.save_as()

    def save_as(self) -> None:
        """Ask for a file and write the session to it."""
        picture, settings = self._document.picture, self._settings
        if picture is None:
            self._shell.say("There is nothing to save yet: open an image first")
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
        self._shell.say(f"Opening {Path(path).name}…")

        def take(opened: Opened) -> None:
            session, state = opened
            if adjust is not None:
                session = session.adjusted(adjust)
                state = replace(state, parameters=session.state.parameters)
            self.resume((session, state))
            self._settle_on(path, work_of(self._document), session.embedded)
            self._settings.add_recent(str(Path(path).absolute()))

        self._opener.open_with(partial(read_kept, path), take, what=Path(path).name)

    def resume(self, opened: Opened) -> None:
        """Show what a session file held, with the views that were visible, and pins in a table."""
        session, state = opened
        self._shell.show(*state.views, *(("pins",) if state.pins else ()))
        self._document.resume(session, state)

    def _write(self, path: str, embed: bool) -> None:
        pictures, session = work = work_of(self._document)
        assert pictures is not None
        session = replace(session, embedded=embed)
        self._shell.say(f"Saving {Path(path).name}…")

        def tell(_: None) -> None:
            self._shell.say(f"Saved {path}")
            self._settings.add_recent(str(Path(path).absolute()))
            if self._document.state.members == pictures.members:
                self._settle_on(path, work, embed)

        self.background.start(lambda: write_session(path, session, pictures), tell)

    def _leave(self, old: State, new: State) -> None:
        """Go on without a file once other pictures are there."""
        if new.members != old.members:
            self._settle_on("", None)

    def _settle_on(self, path: str, saved: Work | None, embedded: bool = False) -> None:
        self.path, self._saved, self._embedded = path, saved, embedded
        self._show_title()

    def _show_title(self) -> None:
        """Name the session and the picture, with Qt's mark where changes are not saved."""
        picture = self._document.picture
        if picture is None:
            return
        session = f"{Path(self.path).name}[*] – " if self.path else ""
        self._shell.main_window.setWindowTitle(f"{session}{picture.name} – latviz")
        self._shell.main_window.setWindowModified(
            bool(self.path) and work_of(self._document) != self._saved
        )


def on_change(document: Document, act: Callable[[], object]) -> None:
    """Act whenever what is on screen, as it can be kept, may have changed."""
    document.changed.connect(lambda *_: act())
    document.frame_changed.connect(lambda _: act())


def work_of(document: Document) -> Work:
    """Return what is on screen, as it can be kept."""
    return document.state.pictures, document.session()


def read_kept(path: str, progress: Progress) -> Opened:
    """Read a session file, with decoding A computed again; ``progress`` is told how far that is.

    Raises
    ------
    SessionError
        If it cannot be read, or holds what cannot be.
    Cancelled
        If ``progress`` says so.
    """
    pictures, session = read_session(path)
    try:
        return session, state_of(pictures, session, progress)
    except ParameterError as error:
        reason = f"{error}; it is damaged or was changed by hand: get a fresh copy"
        raise SessionError(Path(path), reason) from error
