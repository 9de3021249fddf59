"""What the window is doing."""

from dataclasses import dataclass
from typing import Literal

Work = Literal["idle", "computing", "learning", "declined", "failed"]


@dataclass(frozen=True)
class Activity:
    """What is being done, and how far it is.

    "idle": what is on screen is what is set; "computing": a frame is on its way; "learning": one
    that is learned from all signatures is; "declined": a person does not want that; "failed":
    what is set cannot be computed.
    """

    work: Work
    fraction: float = 0.0
