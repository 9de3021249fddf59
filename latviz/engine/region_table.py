"""Regions as they are shown and written: their mean colours, and what is known of each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import segmentation
from latviz.core.types import Counts
from latviz.engine.frame import Frame
from latviz.engine.picture import Picture

Table = tuple[list[str], list[list[Any]]]
"""The names of columns, and rows of cells."""
COLUMNS = (
    *("Region", "Area", "Perimeter", "State"),
    *("Neighbours", "Nearest", "Evidence"),
)
"""What is known of every region; where its first pixel is comes next, and then its means."""
_PLACES = (("Position",), ("Row", "Column"), ("Slice", "Row", "Column"))


def mean_colors(found: "segmentation.regions.Regions", picture: Picture) -> NDArray[np.uint8]:
    """Return the mean colour of each region's pixels, (R, 3) uint8."""
    shown, labels = picture.shown, found.labels.reshape(-1)
    bytes_of = shown if picture.colors is None else picture.colors[shown]
    channels = bytes_of.reshape(labels.size, -1).T
    means = [np.bincount(labels, channel) / found.areas for channel in channels]
    return np.rint(np.stack(means * (3 // len(means)), axis=1)).astype(np.uint8)


def first_nodes(found: "segmentation.regions.Regions") -> Counts:
    """Return where the first pixel of each region is in the flat picture, (R,) int64."""
    labels = found.labels.reshape(-1)
    first = np.empty(len(found), np.int64)
    first[labels[::-1]] = np.arange(labels.size)[::-1]  # the first is written last
    return first


def largest(found: "segmentation.regions.Regions", most: int) -> Counts:
    """Return the largest regions, the larger and of equal ones the first before others."""
    order: Counts = np.argsort(-found.areas, kind="stable")
    return order[:most]


def region_table(frame: Frame) -> Table:
    """Return what is known of each region of a frame: none, if nobody needed them.

    Regions, states, positions and slices count from 1, rows and columns from 0, as elsewhere. A
    region without neighbours has no nearest one.
    """
    found = frame.regions
    if found is None:
        return [], []
    observations, shape = frame.observations, frame.request.picture.shape
    means = (f"Share of {n}" if observations.discrete else n for n in observations.names)
    nodes = np.stack(np.unravel_index(first_nodes(found), shape), axis=1)
    if len(shape) != 2:
        nodes[:, 0] += 1
    rows = zip(*described(found), nodes.tolist(), found.means.tolist(), strict=True)
    names = [*COLUMNS, *_PLACES[len(shape) - 1], *means]
    return names, [[*row[:-2], *row[-2], *row[-1]] for row in rows]


def described(found: "segmentation.regions.Regions") -> tuple[list[Any], ...]:
    """Return the columns `COLUMNS` of all regions."""
    weakest = found.weakest
    has_one = weakest >= 0
    here = np.arange(len(found))
    nearest, bits = np.full(len(found), -1), np.full(len(found), np.nan)
    nearest[has_one] = found.pairs[weakest[has_one]].sum(axis=1) - here[has_one]
    bits[has_one] = found.evidence[weakest[has_one]]
    return (
        (here + 1).tolist(),
        found.areas.tolist(),
        found.perimeters.tolist(),
        (found.states.astype(int) + 1).tolist(),
        found.neighbours.tolist(),
        ["" if k < 0 else k + 1 for k in nearest.tolist()],
        ["" if np.isnan(k) else k for k in bits.tolist()],
    )
