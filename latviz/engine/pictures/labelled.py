"""States that another method than the model gave a picture, and how they were scored."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """What one labelling of a picture is worth.

    Attributes
    ----------
    energy : float
        Of the problem that all were set, in nats; see `latviz.peers.problem.Problem.energy`.
    agreement : float
        The share of pixels in the states that were on screen, states matched, from 0 to 1.
    accuracy : float or None
        The share in the known states, states matched; None if none are known.
    seconds : float or None
        How long it took; None if nobody measured it.
    """

    energy: float
    agreement: float
    accuracy: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Labelled:
    """Who labelled a picture, and the scores of a race.

    Attributes
    ----------
    by : str
        The title of the method.
    own, belief, shown : Score
        Of the method, of belief in the same problem, and of what was on screen then.
    """

    by: str
    own: Score
    belief: Score
    shown: Score
