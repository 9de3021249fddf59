"""The settings as one line of text, to send to others and paste."""

from collections.abc import Callable
from functools import partial

from PyQt6.QtGui import QGuiApplication

from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.session.sessions import Opened, Sessions
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.app.work.activity import Failure
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.keeping.session import Session, opened, text_of
from latviz.engine.keeping.state_string import demo_of, from_text
from latviz.engine.pictures.picture import PictureSet
from latviz.workspace import read_work, state_of

Work = tuple[PictureSet, Session]
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
            state.check(pictures.picture)
            self._sessions.resume((Session(state), state_of(pictures, Session(state))))
        except ParameterError as error:
            self._shell.fail(Failure(f"The text was not applied: {error}.", ""))

    def open(self, read_it: Callable[[], Work], what: str) -> None:
        """Open pictures with the settings of a text; ``what`` names it in error messages."""

        def read(progress: Progress) -> Opened:
            pictures, session = read_it()
            return session, state_of(pictures, session, progress)

        def failure_of(error: Exception) -> Failure:
            return Failure(f"{what} cannot be set this way: {error}.", "")

        self._opener.open_with(read, self._sessions.resume, failure_of)
