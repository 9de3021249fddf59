"""Decodes the picture on screen with every window in idle time."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from latviz.core.choice.scales import RegionCounts
from latviz.core.data.data_set import DataSet
from latviz.core.progress import Progress
from latviz.core.segmentation.lives import Following, sampled
from latviz.core.types import Matrix
from latviz.core.windows.decoding import decode_each
from latviz.engine.choosing.scales import Held, Scales, ladder
from latviz.engine.choosing.tradeoff import SMALL, Map, shrunk
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
        self._lives: Following | None = None

    def next(self, frame: Frame, progress: Progress) -> Scales | None:
        """Decode one more window; return None if all is there, or the picture is too large."""
        # Results before `Cancelled` stay
        if self._found is None or not self._found.held.is_of(frame):
            self._found, self._lives = Scales(Held.of(frame)), _following(frame)
        by_window = frame.request.parameters.decoding.is_nearest
        if self._found.complete or frame.n_nodes > MOST or not by_window:
            return None
        data = _data_of(frame)
        assert self._lives is not None
        self._found = _grown(self._found, self._lives, data, progress)
        return self._found


def scales_of(frame: Frame, codebook: Matrix, progress: Progress | None = None) -> Scales:
    """Return the maps of all windows for the picture of a frame and a codebook."""
    found, lives = Scales(replace(Held.of(frame), codebook=codebook, further=())), _following(frame)
    data = _data_of(frame)
    while not found.complete:
        found = _grown(found, lives, data, progress)
    return found


def _following(frame: Frame) -> Following:
    """Return what follows regions from map to map, and their mean colours."""
    picture = frame.request.picture
    colors = picture.in_colour(picture.shown[sampled(picture.shape)])
    return Following(picture.shape, colors.reshape(-1, 3))


def _data_of(frame: Frame) -> DataSet:
    """Return the picture of a frame as input of window sums."""
    data = data_set_of([frame.observations], [frame.request.picture])
    return data.spaced(frame.request.spacing)


def _grown(found: Scales, following: Following, data: DataSet, progress: Progress | None) -> Scales:
    """Return the scales with the next window; with the last one, the lives, too."""
    held, every = found.held, ladder(found.held.picture)
    window = every[len(found.row)]
    windows = (window, *held.further) if held.further else window
    states = of_picture(decode_each(data, held.codebook, windows, progress), held.picture)
    areas = following.take(states, held.picture.lattice_dimensions, window)
    row = (*found.row, RegionCounts.of(window, areas))
    maps = {**(found.maps or {}), window: _small(states)}
    if len(row) < len(every):
        return Scales(held, row, maps)
    found = Scales(held, row, maps, following.lives())
    _ = found.plateaus  # found here, not by the views
    return found


def _small(states: NDArray[np.uint8]) -> Map:
    """Return the plane in the middle, no larger than small pictures are drawn."""
    plane = Section(states.shape, states.shape[0] // 2).plane(states)
    return shrunk(plane, max(1, -(-max(plane.shape) // SMALL)))
