"""Decodes the picture on screen with every window in idle time."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from latviz.core.choice.scales import LabelledMap, region_counts
from latviz.core.data.data_set import DataSet
from latviz.core.progress import Progress
from latviz.core.types import Matrix
from latviz.core.windows.decoding import decode_each
from latviz.engine.choosing.scales import Held, Scales
from latviz.engine.choosing.tradeoff import SMALL, WINDOWS, Map, shrunk
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.pictures.data_sets import data_set_of, of_picture

MOST = 1 << 22
"""Nodes of the largest picture that is decoded with every window."""


class Scaling:
    """Decodes one window after the other for the frame on screen; remembers the last codebook.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._found: Scales | None = None
        self._last: LabelledMap | None = None

    def next(self, frame: Frame, progress: Progress) -> Scales | None:
        """Decode one more window; return None if all is there."""
        # For windows beyond the row, and for too large pictures, only the map on screen is
        # measured. Results before `Cancelled` stay
        if self._found is None or not self._found.held.is_of(frame):
            self._found, self._last = Scales(Held.of(frame)), None
        if not frame.request.parameters.decoding.is_nearest:
            return None
        if self._found.complete or frame.n_nodes > MOST:
            return self._on_screen(self._found, frame)
        data = _data_of(frame, self._found.held)
        self._found, self._last = _grown(self._found, self._last, data, progress)
        if self._found.complete and self._found.plateaus:  # found here, not by the views
            self._last = None
        return self._found

    def _on_screen(self, found: Scales, frame: Frame) -> Scales | None:
        """Count the regions of the map on screen, if that is all there is to count."""
        window = frame.request.parameters.window
        if found.at(window) is not None:
            return None
        now = LabelledMap.of(frame.states, frame.states.ndim - found.held.apart)
        self._found = replace(found, here=region_counts(window, now))
        return self._found


def scales_of(frame: Frame, codebook: Matrix, progress: Progress | None = None) -> Scales:
    """Return the maps of all windows for the picture of a frame and a codebook."""
    found, last = Scales(replace(Held.of(frame), codebook=codebook, further=())), None
    data = _data_of(frame, found.held)
    while not found.complete:
        found, last = _grown(found, last, data, progress)
    return found


def _data_of(frame: Frame, held: Held) -> DataSet:
    """Return the picture of a frame as input of window sums."""
    data = data_set_of([frame.observations], [frame.request.picture], held.apart)
    return data.spaced(frame.request.spacing)


def _grown(
    found: Scales, last: LabelledMap | None, data: DataSet, progress: Progress | None
) -> tuple[Scales, LabelledMap]:
    """Return the scales with the next window, and its regions; ``last`` are those before."""
    window, held = WINDOWS[len(found.row)], found.held
    windows = (window, *held.further) if held.further else window
    states = of_picture(decode_each(data, held.codebook, windows, progress), held.picture)
    now = LabelledMap.of(states, states.ndim - held.apart)
    counts = region_counts(window, now, last)
    maps = {**(found.maps or {}), window: _small(states)}
    return Scales(held, (*found.row, counts), maps), now


def _small(states: NDArray[np.uint8]) -> Map:
    """Return the plane in the middle, no larger than small pictures are drawn."""
    plane = Section(states.shape, states.shape[0] // 2).plane(states)
    return shrunk(plane, max(1, -(-max(plane.shape) // SMALL)))
