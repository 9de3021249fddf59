"""Regions as tables: the measures of each, and their mean colours."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core import segmentation
from latviz.core.types import Counts, Floats, Matrix
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.outlines import outline_sizes, outlines
from latviz.engine.pictures.picture import Picture

Colors = NDArray[np.uint8]
Table = tuple[list[str], list[list[Any]]]
"""The names of columns, and rows of cells."""
MOST_LISTED = 1000
"""Regions that the view lists at most: the largest."""
SIZE_COLUMN = 1


class SizeWords(NamedTuple):
    """The words for the size of a region and for its outline, and what the outline counts."""

    size: str
    outline: str
    counted: str  # of nodes, whose name is to be put in


_SIZE_WORDS = (
    SizeWords("Length", "Ends", "The number of its ends, including those of the sequence"),
    SizeWords(
        "Area",
        "Perimeter",
        "Length of its outline in sides of {node}s, including the edge of the picture",
    ),
    SizeWords(
        "Volume",
        "Surface",
        "Area of its surface in faces of {node}s, including the edge of the picture",
    ),
)
"""By the number of axes along which regions are connected."""
_PLACES = (("Position",), ("Row", "Column"), ("Slice", "Row", "Column"))
_STRENGTH_TIPS = {
    "evidence": "How many more bits both regions need with one distribution than with two; if it "
    "is below 0, one is better",
    "contrast": "How much signatures differ across the border, from 0 to 1, minus how much they do "
    "inside the regions",
}


@dataclass(frozen=True, eq=False)
class Listed:
    """Some regions in the order of a list, counted from 0, as are states and places."""

    n_regions: int  # R, of all regions
    measure: str  # of borders: evidence or contrast
    numbers: Annotated[Counts, "(k,)"]  # as are the next four: of `Regions`
    areas: Counts
    perimeters: Counts
    states: Counts
    neighbours: Counts
    nearest: Annotated[Counts, "(k,)"]  # the neighbour with the weakest border, or -1
    strengths: Annotated[Floats, "(k,)"]  # of that border, bits or contrast, or NaN
    nodes: Annotated[Counts, "(k, d)"]  # their first pixels
    means: Annotated[Matrix, "(k, M)"]
    colors: Annotated[Colors, "(k, 3)"]


def _size_words(frame: Frame) -> SizeWords:
    """Return the words for sizes of regions."""
    return _SIZE_WORDS[frame.request.picture.lattice_dimensions - 1]


class RegionNumber(NamedTuple):
    """A number of each listed region; numbers of regions and states count from 1."""

    title: str
    tip: str
    values: list[Any]  # None for a region without neighbours


def numbers_of(some: Listed, frame: Frame) -> tuple[RegionNumber, ...]:
    """Return the numbers of listed regions, for the view and for files."""
    node, words = frame.request.picture.node_name, _size_words(frame)
    nearest = [None if k < 0 else k + 1 for k in some.nearest.tolist()]
    strengths = [None if np.isnan(k) else k for k in some.strengths.tolist()]
    return (
        RegionNumber(
            "Region",
            f"The number of the region, in the order of first {node}s; its chip shows their mean "
            "colour",
            (some.numbers + 1).tolist(),
        ),
        RegionNumber(words.size, f"How many {node}s it has", some.areas.tolist()),
        RegionNumber(words.outline, words.counted.format(node=node), some.perimeters.tolist()),
        RegionNumber("State", f"The state of most of its {node}s", (some.states + 1).tolist()),
        RegionNumber(
            "Neighbours", "How many regions it has a border with", some.neighbours.tolist()
        ),
        RegionNumber(
            "Nearest", f"The neighbour with the least {some.measure} of a border", nearest
        ),
        RegionNumber(some.measure.capitalize(), _STRENGTH_TIPS[some.measure], strengths),
    )


def listed(
    found: "segmentation.regions.Regions", colors: Colors, most: int | None = None
) -> Listed:
    """Return all regions in order, or the ``most`` largest ones, largest first."""
    weakest, here = found.weakest, np.arange(len(found))
    nearest, strengths, has_one = np.full(len(found), -1), np.full(len(found), np.nan), weakest >= 0
    nearest[has_one] = found.pairs[weakest[has_one]].sum(axis=1) - here[has_one]
    strengths[has_one] = found.strengths[weakest[has_one]]
    nodes = np.stack(np.unravel_index(_first_nodes(found), found.labels.shape), axis=1)
    some = here if most is None else np.argsort(-found.areas, kind="stable")[:most]
    return Listed(
        len(found),
        found.measure,
        some,
        found.areas[some],
        found.perimeters[some],
        found.states[some].astype(np.int64),
        found.neighbours[some],
        nearest[some],
        strengths[some],
        nodes[some],
        found.means[some],
        colors[some],
    )


def _first_nodes(found: "segmentation.regions.Regions") -> Counts:
    """Return the first pixel of each region in the flat picture, (R,) int64."""
    labels = found.labels.reshape(-1)
    first = np.empty(len(found) + 1, np.int64)  # the last is of unknown nodes, whose label is -1
    first[labels[::-1]] = np.arange(labels.size)[::-1]  # the first is written last
    return first[:-1]


def table_of(some: Listed, frame: Frame) -> Table:
    """Return a list as a table: numbers, states, positions and slices from 1, rows from 0."""
    # Missing values of a region without neighbours are empty. Places are those of the first node,
    # of the centroid, and of the box: its first and last row, and so on
    assert frame.regions is not None
    seen, numbers, d = frame.observations, numbers_of(some, frame), some.nodes.shape[1]
    means = [f"Share of {n}" if seen.discrete else n for n in seen.names]
    extents = [one[some.numbers] for one in _extents(frame.regions.labels)]
    offset = np.array([d != 2, *[0] * (d - 1)])
    axes, words = _PLACES[d - 1], ("Centroid", "First", "Last")
    measured = _measured(some, frame)
    rows = zip(
        *([("" if k is None else k) for k in one.values] for one in numbers),
        *measured.values(),
        *(cells for one in (some.nodes, *extents) for cells in (one + offset).T.tolist()),
        *seen.in_own_units(some.means).T.tolist(),
        strict=True,
    )
    places = [*axes, *(f"{word} {axis.lower()}" for word in words for axis in axes)]
    return [*(one.title for one in numbers), *measured, *places, *means], list(map(list, rows))


def _measured(some: Listed, frame: Frame) -> dict[str, list[float]]:
    """Return the sizes of regions in the picture's own unit, if it is known, by their title."""
    picture, words = frame.request.picture, _size_words(frame)
    if not picture.unit or frame.regions is None:
        return {}
    axes = picture.spacing[picture.dimensions - frame.request.picture.lattice_dimensions :]
    outline, size = (f"{picture.unit}{power}" for power in ("", "", "²", "³")[len(axes) - 1 :][:2])
    found = {f"{words.size} ({size})": (some.areas * math.prod(axes)).tolist()}
    if len(axes) > 1:
        sizes = outline_sizes(frame.regions.labels, axes)[some.numbers]
        found[f"{words.outline} ({outline})"] = sizes.tolist()
    return found


def _extents(labels: NDArray[np.int32]) -> tuple[Matrix, Counts, Counts]:
    """Return the centroid of each region, and the least and greatest index along each axis."""
    flat = labels.reshape(-1)
    order = np.argsort(flat, kind="stable")
    starts = np.searchsorted(flat[order], np.arange(flat.max() + 2))
    places = np.stack(np.unravel_index(order, labels.shape), axis=1)
    first = starts[:-1]
    centroids = np.add.reduceat(places, first) / np.diff(starts)[:, None]
    return centroids, np.minimum.reduceat(places, first), np.maximum.reduceat(places, first)


def region_table(frame: Frame) -> Table:
    """Return the table of all regions of a frame; empty without regions."""
    if frame.regions is None:
        return [], []
    colors = mean_colors(frame.regions, frame.request.picture)
    return table_of(listed(frame.regions, colors), frame)


def mean_colors(found: "segmentation.regions.Regions", picture: Picture) -> Colors:
    """Return the mean colour of each region's pixels, (R, 3) uint8."""
    shown, labels = picture.shown, found.labels.reshape(-1) + 1  # 0 is unknown
    bytes_of = shown if picture.colors is None else picture.colors[shown]
    channels = bytes_of.reshape(labels.size, -1).T
    means = [np.bincount(labels, channel)[1:] / found.areas for channel in channels]
    return np.rint(np.stack(means * (3 // len(means)), axis=1)).astype(np.uint8)


def border_ranks(found: "segmentation.regions.Regions") -> NDArray[np.uint8]:
    """Return the rank of each border by its strength, (E,) from 1 to 255."""
    order = np.argsort(found.strengths, kind="stable")
    ranks = np.empty(len(order), np.uint8)
    ranks[order] = 1 + 254 * (1 + np.arange(len(order))) // max(1, len(order))
    return ranks


def features(frame: Frame) -> Iterator[dict[str, Any]]:
    """Yield the regions of a picture or a sequence as features of GeoJSON, in pixels."""
    # Its properties are its row of the table, and a class of QuPath's: its state, in its colour
    assert frame.regions is not None
    names, rows = region_table(frame)
    colors, state = frame.colors.tolist(), names.index("State")
    rings = outlines(np.atleast_2d(frame.regions.labels))
    for row, each in zip(rows, rings, strict=True):
        at = row[state] - 1
        yield {
            "type": "Feature",
            "geometry": {"type": "Polygon", "coordinates": each},
            "properties": {
                **{
                    name: None if cell == "" else cell
                    for name, cell in zip(names, row, strict=True)
                },
                "objectType": "annotation",
                "classification": {"name": frame.called(at), "color": colors[at]},
            },
        }
