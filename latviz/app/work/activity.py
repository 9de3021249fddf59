"""What the window is doing, and what went wrong."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Work = Literal["idle", "computing", "decoding", "learning", "declined", "failed"]


@dataclass(frozen=True)
class Activity:
    """The work in progress, and the fraction done."""

    # "idle": what is set is on screen; "computing": a frame is being computed; "learning": from all
    # signatures; "decoding": for long; "declined": the user does not want to learn from all;
    # "failed": what is set cannot be computed
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
