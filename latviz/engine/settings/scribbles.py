"""Scribbles: strokes with names, which the states under them take, and their agreement."""

import re
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.hand_cut import HandCut
from latviz.core.errors import ParameterError
from latviz.core.types import Nodes, States
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import LONGEST, Look
from latviz.engine.settings.parameters import STATES_RANGE

Place = tuple[int, int]

MOST_STROKES = 1000
MOST_POINTS = 10_000
"""Of one stroke."""
_FARTHEST = 1 << 31
_COLOR = re.compile("#[0-9a-f]{6}")
_SHADES = ((1.0, 0.4), (0.0, 0.3), (1.0, 0.65), (0.0, 0.5))
"""Shifts of the colours of further states of one name: towards white (1) or black (0), by a
share."""


@dataclass(frozen=True)
class Stroke:
    """A line of a round brush over the plane that is shown of a picture."""

    name: str  # of its pixels; 1 to 40 letters on one line
    color: str  # "#rrggbb" in lower case
    size: int  # width of the brush in pixels
    points: tuple[Place, ...]  # (row, column) of the pixels that the line joins
    picture: int = 0  # of a data set; else 0
    slice: int = 0  # of a volume; else 0

    def __post_init__(self) -> None:
        low, high = BRUSHES
        if not 1 <= len(self.name) <= LONGEST or not self.name.isprintable():
            raise ParameterError(
                f"the name of a stroke must be 1 to {LONGEST} letters on one line, "
                f"got {self.name[:60]!r}"
            )
        if _COLOR.fullmatch(self.color) is None:
            raise ParameterError(f"a colour must look like #1a2b3c, got {self.color[:60]!r}")
        if not low <= self.size <= high:
            raise ParameterError(f"a brush must be {low} to {high} pixels wide, got {self.size}")
        if not 1 <= len(self.points) <= MOST_POINTS:
            raise ParameterError(f"a stroke must have 1 to {MOST_POINTS:,} points")
        numbers = (self.picture, self.slice, *(at for point in self.points for at in point))
        if not all(0 <= number < _FARTHEST for number in numbers):
            raise ParameterError(f"places of a stroke must be from 0 to {_FARTHEST - 1}")


@dataclass(frozen=True)
class Cutting:
    """The cut of a merge tree."""

    n_states: int = 0  # 0: undefined
    hand_cut: HandCut = field(default_factory=HandCut)

    def __post_init__(self) -> None:
        if not 0 <= self.n_states <= STATES_RANGE[1]:
            raise ParameterError(
                f"a tree must be cut into at most {STATES_RANGE[1]} states, got {self.n_states}"
            )


@dataclass(frozen=True)
class Scribbles:
    """All strokes, and the cut of the tree before them."""

    strokes: tuple[Stroke, ...] = ()  # later ones lie over earlier ones
    keeps_n: bool = False  # N stays when the tree is cut to agree with strokes
    # The cut before the strokes, from which differences are counted, and ``made`` to agree with
    # them. If the cut differs from ``made``, the user set it, and it counts as ``before``
    before: Cutting = field(default_factory=Cutting)
    made: Cutting = field(default_factory=Cutting)

    def __post_init__(self) -> None:
        if len(self.strokes) > MOST_STROKES:
            raise ParameterError(
                f"there can be at most {MOST_STROKES:,} strokes, got {len(self.strokes):,}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the strokes, in the order in which they came."""
        return tuple(dict.fromkeys(stroke.name for stroke in self.strokes))

    @property
    def colors(self) -> dict[str, str]:
        """The colour of each name: that of its last stroke."""
        return {stroke.name: stroke.color for stroke in self.strokes}

    def adding(self, stroke: Stroke) -> "Scribbles":
        """Return them with another stroke; the others of its name take its colour."""
        colored = self.colored(stroke.name, stroke.color)
        return replace(colored, strokes=(*colored.strokes, stroke))

    def colored(self, name: str, color: str) -> "Scribbles":
        """Return them with another colour for a name."""
        return replace(
            self,
            strokes=tuple(
                replace(stroke, color=color) if stroke.name == name else stroke
                for stroke in self.strokes
            ),
        )

    def without(self, gone: Stroke) -> "Scribbles":
        """Return them without a stroke: of equal ones the last."""
        places = [k for k, stroke in enumerate(self.strokes) if stroke == gone][-1:]
        return replace(
            self, strokes=tuple(s for k, s in enumerate(self.strokes) if k not in places)
        )

    def hit(self, place: Place, picture: int, slice_: int) -> Stroke | None:
        """Return the topmost stroke at a pixel of a plane, or None."""
        shape = place[0] + 1, place[1] + 1
        for stroke in reversed(self.strokes):
            if (stroke.picture, stroke.slice) == (picture, slice_):
                at = place[0] * shape[1] + place[1]
                if at in covered(stroke, shape):
                    return stroke
        return None

    def in_other_signatures(self) -> "Scribbles":
        """Return them for another encoding, for which cuts by hand have no meaning."""
        before, made = Cutting(self.before.n_states), Cutting(self.made.n_states)
        return replace(self, before=before, made=made)

    def cut_before(self, now: Cutting) -> Cutting:
        """Return the cut that departures are counted from, given the one that is set."""
        return self.before if self.before.n_states and now == self.made else now


def simplified(points: list[Place]) -> tuple[Place, ...]:
    """Return a line of pixels without those straight between their neighbours."""
    kept = points[:1]
    for place, after in zip_longest(points[1:], points[2:]):
        if place != kept[-1] and (after is None or not _is_between(kept[-1], place, after)):
            kept.append(place)
    return tuple(kept[:MOST_POINTS])


def _is_between(one: Place, place: Place, other: Place) -> bool:
    (down, right), (further, aside) = (
        (b[0] - a[0], b[1] - a[1]) for a, b in ((one, place), (place, other))
    )
    return down * aside == right * further and down * further + right * aside > 0


def covered(stroke: Stroke, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Return which pixels of a plane a stroke covers, as sorted indices of the flat plane.

    A pixel is covered if its centre is within half the brush of the line, as in `drawn.stroked`.
    """
    ends = stroke.points[1:] or stroke.points
    parts = (_of_line(a, b, stroke.size, shape) for a, b in zip(stroke.points, ends, strict=False))
    return np.unique(np.concatenate(list(parts)))


def _of_line(start: Place, end: Place, size: int, shape: tuple[int, int]) -> NDArray[np.int64]:
    reach = size // 2 + 1
    top, left = (max(0, min(a, b) - reach) for a, b in zip(start, end, strict=True))
    bottom, right = (
        min(length, max(a, b) + reach + 1) for a, b, length in zip(start, end, shape, strict=True)
    )
    box = np.zeros((max(0, bottom - top), max(0, right - left)), dtype=np.uint8)
    a, b = ((row - top, column - left) for row, column in (start, end))
    rows, columns = np.nonzero(stroked(box, a, b, size, 1))
    return (rows + top) * shape[1] + columns + left


@dataclass(frozen=True, eq=False)
class PaintedPixels:
    """The pixels of strokes in one picture."""

    nodes: Nodes  # (n,) each: axis by axis, sorted
    labels: Annotated[NDArray[np.int64], "(n,)"]  # index of the name of the topmost stroke


def painted(strokes: tuple[Stroke, ...], picture: Picture, index: int) -> PaintedPixels:
    """Return the known pixels of strokes in the picture of an index in its data set.

    Labels are indices of `Scribbles.names`. Strokes are cut at the edges of the picture.
    """
    names = Scribbles(strokes).names
    rows, columns = (1, *picture.shape)[-2:]
    n_slices = picture.n_nodes // (rows * columns)
    nodes, labels = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for stroke in reversed(strokes):
        if stroke.picture == index and stroke.slice < n_slices:
            found = covered(stroke, (rows, columns)) + stroke.slice * rows * columns
            nodes.append(found)
            labels.append(np.full(found.size, names.index(stroke.name)))
    some, first = np.unique(np.concatenate(nodes), return_index=True)
    found = np.concatenate(labels)[first]
    if picture.known is not None:
        there = picture.known.reshape(-1)[some]
        some, found = some[there], found[there]
    return PaintedPixels(np.unravel_index(some, picture.shape), found)


@dataclass(frozen=True)
class Scribbled:
    """The agreement of states with the strokes over them."""

    names: tuple[str, ...]  # of the strokes, each once, with their ``colors``
    colors: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]  # for each name the pixels of its strokes in each state

    @classmethod
    def of(
        cls, scribbles: Scribbles, some: PaintedPixels, states: States, n_states: int, side: int = 1
    ) -> "Scribbled":
        """Count the pixels of strokes in each state."""
        # ``some`` is in the picture that is shown; ``states`` have its shape, or are of one pixel
        # of each cell of ``side`` pixels
        names, colors = scribbles.names, scribbles.colors
        at = states[tuple(axis // side for axis in some.nodes)]
        flat = some.labels * n_states + at
        counts = np.bincount(flat, minlength=len(names) * n_states)
        rows = counts.reshape(len(names), n_states).tolist()
        return cls(names, tuple(colors[name] for name in names), tuple(map(tuple, rows)))

    @property
    def named(self) -> tuple[int | None, ...]:
        """The name of each state, by its index: that of most stroked pixels in it, if any."""
        columns = (list(column) for column in zip(*self.table, strict=True))
        return tuple(column.index(max(column)) if any(column) else None for column in columns)

    @property
    def n_right(self) -> tuple[int, ...]:
        """The number of pixels of each name's strokes that are in states of this name."""
        named = self.named
        return tuple(
            sum(n for n, label in zip(row, named, strict=True) if label == k)
            for k, row in enumerate(self.table)
        )

    @property
    def n_pixels(self) -> tuple[int, ...]:
        """The number of pixels of each name's strokes."""
        return tuple(map(sum, self.table))

    def score(self, label: int | None = None) -> float:
        """Return the share of a name's pixels, or of all, in states of their name; NaN of none."""
        chosen = range(len(self.names)) if label is None else (label,)
        total = sum(self.n_pixels[k] for k in chosen)
        return sum(self.n_right[k] for k in chosen) / total if total else float("nan")

    def looks(self, slots: tuple[int, ...]) -> tuple[Look, ...]:
        """Return the name and the colour that strokes give to the state in each slot."""
        # Several states of one name have shades of its colour, the one with most pixels the colour
        # itself
        found = []
        for k, (name, color) in enumerate(zip(self.names, self.colors, strict=True)):
            states = [state for state, label in enumerate(self.named) if label == k]
            states.sort(key=lambda state: -self.table[k][state])
            found += [
                Look(slots[state], name, shade(color, place)) for place, state in enumerate(states)
            ]
        return tuple(sorted(found, key=lambda look: look.slot))


def shade(color: str, place: int) -> str:
    """Return a colour, or a similar one: lighter and darker in turn."""
    if place == 0:
        return color
    towards, share = _SHADES[(place - 1) % len(_SHADES)]
    parts = bytes.fromhex(color[1:])
    return f"#{bytes(round((1 - share) * part + share * 255 * towards) for part in parts).hex()}"


Node = tuple[int, int]

BRUSHES = (1, 64)
"""Sizes, in nodes across."""


def stroked(states: States, start: Node, end: Node, size: int, state: int) -> States:
    """Return a map on which a round brush went from one node to another."""
    # A node takes the state if its centre is within half the size of the line; the end nodes always
    # do
    rows, columns = np.ogrid[: states.shape[0], : states.shape[1]]
    (top, left), (down, right) = start, (end[0] - start[0], end[1] - start[1])
    length = down * down + right * right
    along = ((rows - top) * down + (columns - left) * right) / max(1, length)
    along = np.clip(along, 0.0, 1.0)
    apart = (rows - top - along * down) ** 2 + (columns - left - along * right) ** 2
    return np.where(apart <= max(size / 2, 0.5) ** 2, np.uint8(state), states)
