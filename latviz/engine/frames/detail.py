"""The part of a picture on screen, at a finer level of its file."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Nodes
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.slots import matched_slots


@dataclass(frozen=True, eq=False)
class FineStates:
    """States of a part of a finer level, from its own model."""

    states: Annotated[NDArray[np.uint8], "(rows, columns)"]
    n_states: int  # N of the model
    nodes: Nodes  # (n,) each: some nodes of the picture, axis by axis
    there: Annotated[NDArray[np.uint8], "(n,)"]  # states of the finer level at them

    def slots_in(self, frame: Frame) -> tuple[int, ...]:
        """Return the slot of each state: those of a frame's states so that most nodes agree."""
        old = frame.states_at(*self.nodes)
        return tuple(matched_slots(old, frame.slots, self.there, self.n_states))


@dataclass(frozen=True, eq=False)
class Detail:
    """A part of a picture at a finer level."""

    left: float  # in pixels of the picture, as are the next three
    top: float
    width: float
    height: float
    pixels: Annotated[NDArray[np.uint8], "(rows, columns) or (rows, columns, 3)"]  # as shown
    fine: FineStates | None = None  # states of these pixels, if known
