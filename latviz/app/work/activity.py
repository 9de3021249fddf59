"""The window's activity and its failures."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Work = Literal["idle", "computing", "decoding", "learning", "declined", "failed"]


@dataclass(frozen=True)
class Activity:
    """The work in progress, and the fraction done."""

    # "idle": the settings are on screen; "computing": a frame is being computed; "learning": from
    # all signatures; "decoding": for long; "declined": the user does not want to learn from all;
    # "failed": the settings cannot be computed
    work: Work
    fraction: float = 0.0


def percent_done(fraction: float) -> int:
    """Return the percentage that all meters show for a fraction done: 100 only once all is."""
    return math.floor(round(100 * fraction, 6))


@dataclass(frozen=True)
class Remedy:
    """A remedy for a failure: the button's text and action."""

    text: str
    act: Callable[[], None]


@dataclass(frozen=True)
class Failure:
    """A failure: the message to the user, and the traceback to copy.

    ``remedy`` and ``other`` are actions to offer.
    """

    message: str
    details: str = ""
    remedy: Remedy | None = None
    other: Remedy | None = None
