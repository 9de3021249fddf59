"""What the window is doing, and what went wrong."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Work = Literal["idle", "computing", "decoding", "learning", "declined", "failed"]


@dataclass(frozen=True)
class Activity:
    """What is being done, and how far it is.

    "idle": what is on screen is what is set; "computing": a frame is on its way; "learning": one
    that is learned from all signatures is; "decoding": one is that takes long; "declined": a person
    does not want to learn from all; "failed": what is set cannot be computed.
    """

    work: Work
    fraction: float = 0.0


def percent_done(fraction: float) -> int:
    """Return the percentage that all meters show for a fraction done: 100 only once all is."""
    return math.floor(round(100 * fraction, 6))


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
