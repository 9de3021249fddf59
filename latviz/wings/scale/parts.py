"""Parts of a decoded level: the states as in a decoding of the whole level."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product

import dask
import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.progress import Progress
from latviz.core.types import Nodes, Region, Shape, States
from latviz.core.windows.parts import reached
from latviz.wings.scale.chunks import Chunked, joined
from latviz.wings.scale.decoding import PyramidDecoding
from latviz.wings.scale.encoding import encoded
from latviz.wings.scale.maps import PASSES
from latviz.wings.scale.schedulers import reported

TILE = 1 << 18
"""Nodes that are decoded at a time, about."""
PLACES = 4
"""Sampled places along each axis of a level."""
SIDE = 64
"""Nodes along the side of a sampled square."""


def part_states(found: PyramidDecoding, region: Region, progress: Progress) -> States:
    """Return the states of a region, equal to those in ``found.states``, bit for bit."""
    # Only the region and the surroundings of its nodes are encoded and decoded, for all chunk
    # sizes. Encodings that use surrounding pixels are computed in the same chunks as for the whole,
    # because Fourier transforms of other sizes round differently.
    (states,) = _computed(found, [region], progress)
    return states


def _computed(
    found: PyramidDecoding, regions: Sequence[Region], progress: Progress
) -> list[States]:
    parts = []
    for region in regions:
        reach = found.settings.window if found.strength is None else PASSES
        outer, inner = reached(region, found.data.shapes[0], (reach,) * len(region))
        parts.append(found.decoded(_cut(found, outer))[inner])
    with (
        ThreadPoolExecutor(threads.at_once(), thread_name_prefix="part") as pool,
        reported(progress),
    ):
        return list(dask.compute(*parts, scheduler="threads", pool=pool))


def _cut(found: PyramidDecoding, outer: Region) -> Chunked:
    """Return the observations of a region, in tiles; their fixed point is that of all."""
    encoder, data = found.encoder, found.data
    if encoder is None or encoder.encoding.kind.looks_around:
        array = data.arrays[0][outer]
    elif found.known is None:
        array = encoded([found.image[outer]], encoder)[0]
    else:
        known = found.known[outer]
        array = encoded([found.image[outer]], encoder, [known])[0]
        array = joined(array, known, data.n_symbols, data.kind == "discrete")
    rows = max(1, TILE // max(1, int(np.prod(array.shape[1 : data.dimensions]))))
    return replace(data, arrays=(array.rechunk({0: rows}),))


@dataclass(frozen=True, eq=False)
class Spread:
    """Some nodes from all over a level, axis by axis, and their states."""

    nodes: Nodes
    states: NDArray[np.uint8]


def spread_states(found: PyramidDecoding, progress: Progress) -> Spread:
    """Return the states of nodes in small squares that lie evenly in a level."""
    regions = list(_squares(found.data.shapes[0]))
    nodes = [np.mgrid[region].reshape(len(region), -1) for region in regions]
    states = [one.reshape(-1) for one in _computed(found, regions, progress)]
    return Spread(tuple(np.concatenate(nodes, axis=1)), np.concatenate(states))


def _squares(shape: Shape) -> Iterator[Region]:
    axes = []
    for length in shape:
        starts = np.linspace(0, max(0, length - SIDE), PLACES).astype(int)
        axes.append([slice(int(s), min(length, int(s) + SIDE)) for s in np.unique(starts)])
    yield from product(*axes)
