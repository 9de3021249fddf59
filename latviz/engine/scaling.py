"""Decodes the picture on screen with every window, when nothing else is to be done."""

import numpy as np
from numpy.typing import NDArray

from latviz.core.choice.scales import Labelled, region_counts
from latviz.core.progress import Progress
from latviz.core.windows.decoding import decode_each
from latviz.engine.data_sets import data_set_of, of_picture
from latviz.engine.frame import Frame
from latviz.engine.scales import Ground, Scales
from latviz.engine.section import Section
from latviz.engine.tradeoff import SMALL, WINDOWS, Map, shrunk

MOST = 1 << 22
"""Nodes of the largest picture that is decoded with every window."""


class Scaling:
    """Decodes one window after the other for the frame on screen; remembers the last codebook.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._found: Scales | None = None
        self._last: Labelled | None = None

    def next(self, frame: Frame, progress: Progress) -> Scales | None:
        """Decode one more window; None if all is there, or the picture is too large.

        Raises
        ------
        Cancelled
            If ``progress`` says so; what was computed before is kept.
        """
        if self._found is None or not self._found.ground.is_of(frame):
            self._found, self._last = Scales(Ground.of(frame)), None
        found = self._found
        if found.complete or frame.n_nodes > MOST or frame.request.believes:
            return None
        window = WINDOWS[len(found.row)]
        states = _decoded(frame, found.ground, window, progress)
        now = Labelled.of(states, states.ndim - found.ground.apart)
        counts = region_counts(window, now, self._last)
        maps = {**(found.maps or {}), window: _small(states)}
        self._found, self._last = Scales(found.ground, (*found.row, counts), maps), now
        if self._found.complete and self._found.plateaus:  # found here, not by who shows them
            self._last = None
        return self._found


def _decoded(frame: Frame, ground: Ground, window: int, progress: Progress) -> NDArray[np.uint8]:
    data = data_set_of([frame.observations], ground.apart)
    return of_picture(decode_each(data, ground.codebook, window, progress), ground.picture)


def _small(states: NDArray[np.uint8]) -> Map:
    """Return the plane in the middle, no larger than small pictures are drawn."""
    plane = Section(states.shape, states.shape[0] // 2).plane(states)
    return shrunk(plane, max(1, -(-max(plane.shape) // SMALL)))
