"""What is on screen of a picture, at a finer level of the file that it is from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Nodes
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.slots import matched_slots


@dataclass(frozen=True, eq=False)
class FineStates:
    """States of a part of a finer level, of a model of its own.

    Attributes
    ----------
    states : ndarray, shape (rows, columns), uint8
    n_states : int
        N of the model.
    nodes : tuple of ndarrays, shape (n,), int64
        Some nodes of the picture, axis by axis.
    there : ndarray, shape (n,), uint8
        The states of the finer level in them.
    """

    states: NDArray[np.uint8]
    n_states: int
    nodes: Nodes
    there: NDArray[np.uint8]

    def slots_in(self, frame: Frame) -> tuple[int, ...]:
        """Return the slot of each state: those of a frame's states so that most nodes agree."""
        old = frame.states_at(*self.nodes)
        return tuple(matched_slots(old, frame.slots, self.there, self.n_states))


@dataclass(frozen=True, eq=False)
class Detail:
    """A part of a picture at a finer level.

    Attributes
    ----------
    left, top, width, height : float
        Where it is, in pixels of the picture.
    pixels : ndarray, shape (rows, columns) or (rows, columns, 3), uint8
        As they are shown.
    fine : FineStates or None
        The states of these pixels, if they are known.
    """

    left: float
    top: float
    width: float
    height: float
    pixels: NDArray[np.uint8]
    fine: FineStates | None = None
