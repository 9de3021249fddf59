"""A film: the moving parameter, its range, and the drawing.

This module loads no large library, so that the command line can list films at once.
"""

from dataclasses import dataclass
from typing import Literal

from latviz.core.errors import ParameterError
from latviz.core.parameter import ParameterChoice, check, parameter, row_of
from latviz.engine.settings.parameters import PASSES_RANGE, Parameters

MOVING = {"window": (0, 20), "n_states": (1, 8), "passes": PASSES_RANGE}
"""The parameters that a film can move, with their default ranges."""
WORDS = {row_of(Parameters, field).flag.removeprefix("--"): field for field in MOVING}
"""Their names on the command line."""

Shown = Literal["both", "states"]


@dataclass(frozen=True)
class Film:
    """The parameter that moves in a film, and its drawing; the rows are those of a table."""

    moving: str = "window"  # field of the parameter that moves, a key of `MOVING`
    # Values at both ends; the film runs backwards if the last is less. None: those of `MOVING`
    first: int | None = None
    last: int | None = None
    speed: int = parameter(
        4,
        name="Speed",
        label="&Frames per second",
        short="Speed",
        tip="Frames of the film per second",
        formula="GIF stores times in hundredths of a second",
        group="Film",
        flag="--film-speed",
        metavar="FPS",
        undo="Change the speed",
        subject="the speed of the film",
        bounds=(1, 25),
    )
    # Pictures are at most as large; small ones are magnified by a whole number
    side: int = parameter(
        480,
        name="Size",
        label="&Pixels of the longer side",
        short="Size",
        tip="Longer side of the picture and of its states, in pixels",
        formula="small pictures are enlarged by a whole number, large ones reduced",
        group="Film",
        flag="--film-size",
        metavar="PIXELS",
        undo="Change the size",
        subject="the size of the film",
        bounds=(64, 1280),
    )
    shown: Shown = parameter(
        "both",
        name="What is drawn",
        label="&Drawn",
        short="Drawn",
        tip="Whether the film shows the picture next to its states",
        formula="the picture does not move",
        group="Film",
        flag="--film-shows",
        undo="Change what is drawn",
        subject="what the film shows",
        choices=(
            ParameterChoice("both", "both", "picture and states", "The picture next to its states"),
            ParameterChoice("states", "states", "states alone", "Only the states"),
        ),
    )
    caption: bool = parameter(
        True,
        name="Caption",
        label="&Caption",
        short="Caption",
        tip="Whether the film shows N, w and the value that changes below the picture",
        formula="a bar shows the position in the film",
        group="Film",
        flag="--film-caption",
        undo="Change the caption",
        subject="the caption of the film",
        choices=(
            ParameterChoice(True, "yes", "values, N and w", "A line of text below"),
            ParameterChoice(False, "no", "none", "No text"),
        ),
    )

    def __post_init__(self) -> None:
        if self.moving not in MOVING:
            raise ParameterError(f"the parameter that changes must be one of {', '.join(MOVING)}")
        for end in self.ends:
            row_of(Parameters, self.moving).check(end)
        check(self)

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last value."""
        first, last = MOVING[self.moving]
        return (
            first if self.first is None else self.first,
            last if self.last is None else self.last,
        )

    @property
    def values(self) -> tuple[int, ...]:
        """The value of each frame."""
        first, last = self.ends
        step = 1 if first <= last else -1
        return tuple(range(first, last + step, step))

    @property
    def milliseconds(self) -> int:
        """The duration of each frame."""
        return round(1000 / self.speed)

    def refusal(self, parameters: Parameters, dimensions: int) -> str:
        """Return why the film would not move, or nothing."""
        return row_of(Parameters, self.moving).refused(parameters, dimensions)
