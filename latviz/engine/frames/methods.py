"""Other methods that label a picture: the row of a table to which wings add."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latviz.core.decoders import DECODERS
from latviz.core.parameter import rows
from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame


@dataclass(frozen=True, eq=False)
class Labelled:
    """The states that a method or settings gave to a picture, and what they are worth."""

    frame: Frame  # to compare with; its ``by`` is the title of the method, empty for settings
    score: str  # a few numbers
    details: str  # all of them, in words
    about: str = ""  # the method, and the information that it got

    @property
    def title(self) -> str:
        """The method, or N, w and the decoder."""
        given = self.frame.request.parameters
        steps = [f"{row.short} {row.text(given)}" for row in rows(given) if row.steps]
        return self.frame.by or ", ".join((*steps, DECODERS[given.decoder].title))


@dataclass(frozen=True, eq=False)
class OtherMethod:
    """A method that labels the pixels of a picture."""

    title: str
    # labels the picture of a whole frame; methods of one race share what they compute in the dict.
    # A `ParameterError` says why the picture cannot be labelled
    label: Callable[[Frame, Progress, dict[str, Any]], Labelled]
    also: str = ""  # other words that people search it by

    @property
    def names(self) -> str:
        """Its title, and the other words in brackets."""
        return f"{self.title} ({self.also})" if self.also else self.title
