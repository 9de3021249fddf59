"""The scores of a race."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LabellingScore:
    """The scores of one labelling of a picture."""

    energy: float  # nats, see `latviz.wings.race.peers.problem.Problem.energy`
    agreement: float  # share of pixels in the matched states on screen, 0 to 1
    accuracy: float | None = None  # share in the matched known states
    seconds: float | None = None  # if measured


@dataclass(frozen=True)
class Labelled:
    """The scores of a method that labelled a picture, and of what it raced."""

    by: str  # title of the method
    own: LabellingScore  # of the method
    belief: LabellingScore  # in the same problem
    shown: LabellingScore  # of the states on screen then
