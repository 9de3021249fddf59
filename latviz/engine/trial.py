"""What was tried: settings that a person came to rest at, each with what it is worth."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.engine.frame import Frame
from latviz.engine.parameters import Parameters
from latviz.engine.session import Decoding, decoding_of
from latviz.engine.thumbnail import thumbnail

COLUMNS = (
    "n_states",
    "window",
    "encoding",
    "decoder",
    "alpha",
    "accuracy",
    "rand",
    "code_length",
    "associativity",
    "inertia",
    "residual_correlation",
)
"""Of the table of `trial_table`."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A setting, and what came of it.

    Attributes
    ----------
    decoding : Decoding
        What it takes to compute it again.
    drawn : ndarray, shape (SIDE, SIDE, 4), uint8
        A small picture of it, see `thumbnail`.
    accuracy, rand : float or None
        Against the known states; None where none are known, or nobody asked.
    code_length : float or None
        Bits a node, without the node's own window; None if nobody asked.
    associativity, inertia, residual_correlation : float or None
    """

    decoding: Decoding
    drawn: NDArray[np.uint8]
    accuracy: float | None
    rand: float | None
    code_length: float | None
    associativity: float
    inertia: float | None
    residual_correlation: float | None

    @property
    def parameters(self) -> Parameters:
        """What was set."""
        return self.decoding.parameters

    @property
    def name(self) -> str:
        """What it is called: its N and w."""
        return f"N = {self.parameters.n_states}, w = {self.parameters.window}"

    @property
    def score(self) -> str:
        """How good it is: its accuracy if that is known, else its code length."""
        if self.accuracy is not None:
            return f"Accuracy {self.accuracy:.3f}"
        return "" if self.code_length is None else f"{self.code_length:.3f} bits"


def trial_of(frame: Frame, slice_: int) -> Trial:
    """Return the trial of a frame; of a volume the small picture shows a slice."""
    truth, code = frame.truth, frame.code_lengths
    return Trial(
        decoding_of(frame),
        thumbnail(frame.request.picture, slice_, frame),
        None if truth is None else truth.accuracy,
        None if truth is None else truth.rand,
        None if code is None else code.states.bits,
        frame.associativity,
        frame.inertia,
        frame.residual_correlation,
    )


def trial_table(trials: Iterable[Trial]) -> tuple[list[str], list[list[Any]]]:
    """Return the names of columns, and a row for each trial; what is not known is None."""
    return list(COLUMNS), [_row(trial) for trial in trials]


def _row(trial: Trial) -> list[Any]:
    parameters = trial.parameters
    return [
        parameters.n_states,
        parameters.window,
        parameters.encoding.name,
        parameters.decoder,
        parameters.alpha,
        *(getattr(trial, name) for name in COLUMNS[5:]),
    ]
