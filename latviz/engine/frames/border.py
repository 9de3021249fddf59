"""The border of regions that is near a pixel, and the two signatures that make it."""

from dataclasses import dataclass

import numpy as np

from latviz.core import segmentation
from latviz.core.types import Floats
from latviz.engine.frames.frame import Frame

NEAR = 3
"""Pixels between a border and a pointer that is at it, at most."""
_WORDS = (("before", "after"), ("above", "below"), ("left", "right"))
"""The sides along slices, rows and columns."""


@dataclass(frozen=True)
class Border:
    """What separates two regions, and where it differs most."""

    regions: tuple[int, int]  # the one that the pixel is in, first
    strength: float  # bits, or contrast
    contrast: float | None  # at the pixel, by contrast
    what: str  # the symbol, bin or channel that differs most
    values: tuple[float, float]  # its shares, or means of a channel, on both sides
    sides: tuple[str, str]  # where these are, in words; empty if they are of whole regions


def border_near(frame: Frame, node: tuple[int, ...]) -> Border | None:
    """Return the border near a pixel, to the region with most pixels there; None without any."""
    found = frame.regions
    if found is None:
        return None
    around = found.labels[frame.request.window_of(node, NEAR)]
    own = int(found.labels[node])
    there, counts = np.unique(around[around != own], return_counts=True)
    for other in there[np.argsort(-counts, kind="stable")].tolist():
        pair = [min(own, other), max(own, other)]
        edge = np.flatnonzero((found.pairs == pair).all(axis=1))
        if edge.size:
            return _described(frame, found, node, (own, other), int(edge[0]))
    return None


def _described(
    frame: Frame,
    found: "segmentation.regions.Regions",
    node: tuple[int, ...],
    pair: tuple[int, int],
    edge: int,
) -> Border:
    strength, relief = float(found.strengths[edge]), frame.results.get("relief")
    if found.measure == "contrast" and relief is not None:
        made = relief.sides(node)
        return Border(pair, strength, made.contrast, made.name, *in_order(made))
    one, other = found.means[list(pair)]
    k = int(np.argmax(np.abs(one - other) / _units(frame, found.means)))
    own = frame.observations.in_own_units
    values = float(own(one)[k]), float(own(other)[k])
    return Border(pair, strength, None, frame.observations.names[k], values, ("", ""))


def in_order(made: "segmentation.relief.Sides") -> tuple[tuple[float, float], tuple[str, str]]:
    """Return the shares on both sides of a pixel, left or above first, and the sides in words."""
    words, is_ahead = _sides(made.step)
    return (made.shares[::-1] if is_ahead else made.shares), words


def _units(frame: Frame, means: Floats) -> Floats:
    """Return what differences of means are compared in: shares as they are, channels by range."""
    ranges: Floats = np.ones(means.shape[1]) if frame.observations.discrete else np.ptp(means, 0)
    return np.where(ranges > 0.0, ranges, 1.0)


def _sides(step: tuple[int, ...]) -> tuple[tuple[str, str], bool]:
    """Return the words for both sides of a node, and True if a step leads to the second one."""
    axis = int(np.argmax(np.abs(step)))
    return _WORDS[axis - len(step)] if len(step) > 1 else _WORDS[0], step[axis] > 0
