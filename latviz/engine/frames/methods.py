"""Other methods that label a picture: the row of a table to which wings add."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame


@dataclass(frozen=True, eq=False)
class Labelled:
    """The states that a method gave to the picture of a frame, and what they are worth."""

    frame: Frame  # to compare with; its ``by`` is the title of the method
    score: str  # a few numbers
    details: str  # all of them, in words
    about: str = ""  # the method, and the information that it got


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
