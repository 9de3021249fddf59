"""A demo on screen, as a lesson or a question sets it."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.shell.shell import Shell
from latviz.app.work.activity import Failure
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.keeping.session import opened
from latviz.engine.lessons.colors import REGION_COLORS
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.workspace import make_picture

_LEFT = ("pictures", "compared", "views", "sample", "keeps_settings")
_SET = tuple(f.name for f in fields(State) if f.name not in _LEFT)
"""The fields of the state that a step sets."""


class LessonScene:
    """Opens demos and sets their states; pictures that the user opens meanwhile stay unchanged."""

    # A demo has another name here, and no summary: both give answers away. `opened` is the state
    # that it opened with

    def __init__(self, document: Document, shell: Shell, opener: Opener) -> None:
        self._document, self._shell, self._opener = document, shell, opener
        self.opened = State()
        self._picture: Picture | None = None

    @property
    def is_there(self) -> bool:
        """True if the picture on screen is the one that was opened here."""
        return self._picture is not None and self._document.picture is self._picture

    def shows(self, demo: str) -> bool:
        """Return True if a demo that was opened here is on screen."""
        picture = self._document.picture
        return self.is_there and picture is not None and picture.origin.get("demo") == demo

    def forget(self) -> None:
        """Treat the picture on screen as the user's own."""
        self._picture = None

    def open(
        self, demo: str, name: str, wanted: Callable[[State], State], then: Callable[[], object]
    ) -> None:
        """Open a demo under another name, with the parameters that ``wanted`` gives."""

        def make(_progress: Progress) -> tuple[Picture, Parameters]:
            picture, parameters = make_picture(demo)
            colors = REGION_COLORS.get(demo, ())
            without_notes = replace(picture, name=name, notes=(), truth_colors=colors)
            _ = without_notes.few_labels  # counted now, not when the window needs it
            return without_notes, parameters

        def take(made: tuple[Picture, Parameters]) -> None:
            picture, parameters = made
            self._document.set_lock(None)
            self.opened = opened(picture, parameters).state
            self._document.open(picture, wanted(self.opened).parameters, parameters)
            self._picture = self._document.picture
            then()

        self._opener.open_with(make, take)

    def set(self, text: str, state: State, gesture: object, **more: Any) -> None:
        """Set a state and further fields, unless another picture is on screen."""
        if not self.is_there:
            return
        try:
            changes = {name: getattr(state, name) for name in _SET}
            self._document.change(text, gesture, **(changes | more))
        except ParameterError as error:
            self._shell.fail(Failure(str(error)))

    def is_set(self, state: State, **more: Any) -> bool:
        """Return True if a state, and these fields, are unchanged; colours move with states."""
        wanted = {name: getattr(state, name) for name in _SET} | more
        now = self._document.state
        names = [name for name in _SET if name != "looks"]
        return self.is_there and all(getattr(now, name) == wanted[name] for name in names)
