"""What went wrong, as a person is told of it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Remedy:
    """What a person may do about a failure: the button's text, and what it does."""

    text: str
    act: Callable[[], None]


@dataclass(frozen=True)
class Failure:
    """Something that went wrong: what to tell a person, and the traceback to copy.

    ``remedy`` is what may be done about it, ``other`` what else.
    """

    message: str
    details: str = ""
    remedy: Remedy | None = None
    other: Remedy | None = None
