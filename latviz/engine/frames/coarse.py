"""The first frames of a large image: few nodes, each of them exact."""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Counts, Nodes
from latviz.core.windows.decoding import CoarseStates
from latviz.core.windows.nodes import Totals, totals_at
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.appearance import Appearance, Look, mean_colors
from latviz.engine.settings.scribbles import PaintedPixels, Scribbled


@dataclass(frozen=True, eq=False)
class Estimate:
    """An estimate over all nodes from a sample."""

    states: Annotated[NDArray[np.uint8], "(n,)"]  # of the sample
    occupancy: Annotated[Counts, "(N,)"]  # nodes in each state, scaled up to the image
    pairs: Annotated[Counts, "(N, N)"]  # A', scaled up to the image


def estimated(
    sample: Totals, nodes: Nodes, codebook: NDArray[np.float64], shape: tuple[int, ...]
) -> Estimate:
    """Decode a sample of an image's nodes, and the neighbours to their right and below."""
    states, n_states = sample.decode(codebook), len(codebook)
    rows, columns = nodes
    pairs = np.zeros((n_states, n_states))
    for down, right in ((1, 0), (0, 1)):
        inside = (rows + down < shape[0]) & (columns + right < shape[1])
        neighbours = (rows[inside] + down, columns[inside] + right)
        found = totals_at(sample.lattice, codebook.shape[1], sample.window, neighbours)
        n_pairs = (shape[0] - down) * (shape[1] - right)
        joint = _joint(states[inside], found.decode(codebook), n_states)
        joint = joint * (n_pairs / max(1, inside.sum()))
        pairs += joint + joint.T
    occupancy = scaled(np.bincount(states, minlength=n_states), shape)
    return Estimate(states, occupancy, np.rint(pairs).astype(np.int64))


def refined(frame: Frame, level: CoarseStates, some: PaintedPixels | None = None) -> Frame:
    """Add a level to a coarse frame: all of it, or the detail on screen.

    ``some`` are the pixels of strokes, if any.
    """
    shape = frame.request.picture.shape
    if level.region != tuple(slice(0, length) for length in shape):
        return replace(frame, detail=replace(level, totals=None))
    counts = np.bincount(level.states.reshape(-1), minlength=len(frame.occupancy))
    occupancy = scaled(counts, shape)
    n_states, means, given = len(frame.slots), None, tuple[Look, ...]()
    if some is not None:
        found = Scribbled.of(frame.request.scribbles, some, level.states, n_states, level.side)
        frame, given = frame.with_results(scribbled=found), found.looks(frame.slots)
    if (looks := frame.request.looks).mean_colors:
        means = mean_colors(frame.request.picture, level.states, n_states, level.side)
    return replace(
        frame,
        states=level.states,
        side=level.side,
        occupancy=occupancy,
        appearance=Appearance.of(looks, frame.slots, means, given),
    )


def scaled(counts: Counts, shape: tuple[int, ...]) -> Counts:
    """Return the counts of a sample, scaled to an image of a shape."""
    scale = shape[0] * shape[1] / float(counts.sum())
    return np.asarray(np.rint(counts * scale), dtype=np.int64)


def _joint(one: NDArray[np.uint8], other: NDArray[np.uint8], n_states: int) -> Counts:
    joint = np.bincount(one.astype(np.int64) * n_states + other, minlength=n_states**2)
    return np.asarray(joint.reshape(n_states, n_states))
