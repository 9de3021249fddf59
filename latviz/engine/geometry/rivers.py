"""Lives as a river map: each a line at one height, thick as the root of its area.

A line bends into what takes it, and out of what it parts from: a bend is an event, a plateau is
straight.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import segmentation
from latviz.core.types import Counts, Floats

PER_LINE = 3.6
"""Pixels of the height for each line, on average."""
SHORTEST, BEND = 0.03, 0.06
"""Shares of the width: the shortest life that has a line, and the length of a bend."""
FILL, THINNEST = 0.86, 1.1
"""The share of its room that the thickest part of a line takes; pixels of the thinnest."""
SMOOTH = 0.006
"""The spread, by the width, over which a thickness changes."""
BED = 0.09
"""The share of the height for the bed: of what is in no line."""


@dataclass(frozen=True, eq=False)
class Stream:
    """A life as it is drawn, in pixels."""

    life: int
    height: float  # of its own, from 0, the top, to 1
    x: Annotated[Floats, "(k,)"]
    y: Annotated[Floats, "(k,)"]
    thick: Annotated[Floats, "(k,)"]
    bends: tuple[bool, bool]  # at its beginning and at its end


@dataclass(frozen=True, eq=False)
class RiverMap:
    """Lines, the thin ones first; and the thickness of the bed at each pixel of the width."""

    lines: tuple[Stream, ...]
    bed: Floats

    @property
    def heights(self) -> dict[int, float]:
        """The height of each life that has a line."""
        return {line.life: line.height for line in self.lines}

    def line_at(self, x: float, y: float, reach: float = 4.0) -> Stream | None:
        """Return the line at a place, or the nearest one within reach."""
        best, least = None, math.inf
        for line in self.lines:
            if line.x[0] - reach <= x <= line.x[-1] + reach:
                k = int(np.abs(line.x - x).argmin())
                away = max(0.0, abs(float(line.y[k]) - y) - float(line.thick[k]) / 2)
                if away < min(least, reach):
                    best, least = line, away
        return best


def river_map(
    lives: "segmentation.lives.Lives",
    places: Floats,
    size: tuple[int, int],
    kept: Mapping[int, float] | None = None,
) -> RiverMap:
    """Return the lines of the lives of most area."""
    # places (width,) are the values along the axis at each pixel of the width; ``kept`` are heights
    # of lives that were drawn before, which stay
    width, height = size
    roots = np.sqrt(_areas(lives, places))
    first, last = _spans(lives, places)
    worth = np.where(last - first >= SHORTEST * width, roots.sum(axis=0), 0.0)
    most = max(8, round(height / PER_LINE))
    chosen = [c for c in np.argsort(-worth, kind="stable")[:most].tolist() if worth[c] > 0]
    order = _order(lives, chosen, worth, last - first)
    peaks = {c: float(roots[:, c].max()) for c in chosen}
    room, heights = _heights(order, peaks, kept or {})
    deep = height * (1 - BED)
    unit = FILL * deep * min((room[c] / peaks[c] for c in chosen), default=0.0)
    drawing = _Drawing(lives, heights, first, last, BEND * width)
    lines = []
    for c in sorted(chosen, key=lambda c: worth[c]):
        at = slice(max(0, math.floor(first[c])), min(width, math.ceil(last[c]) + 1))
        thick = np.maximum(_smooth(roots[:, c], first[c], last[c], width)[at] * unit, THINNEST)
        bends = drawing.host(c, lives.out_of) >= 0, drawing.host(c, lives.into) >= 0
        x = np.arange(width, dtype=float)[at]
        lines.append(Stream(c, heights[c], x, drawing.curve(c)(x) * deep, thick, bends))
    bed = 1.0 - (roots[:, chosen] ** 2).sum(axis=1)
    return RiverMap(tuple(lines), np.clip(bed, 0, 1) * height * BED)


def mask_over_windows(
    lives: "segmentation.lives.Lives", life: int, states: NDArray[np.uint8], window: float
) -> NDArray[np.bool_]:
    """Return the nodes of a life in the map of a w (*shape): near those that were sampled."""
    assert lives.states is not None
    step, small = _sampled_at(lives, states.shape, window)
    found = small == life
    for axis, length in enumerate(states.shape):
        nearest = np.minimum(np.arange(length) // step, found.shape[axis] - 1)
        found = np.take(found, nearest, axis=axis)
    node = int(lives.nodes_at(window)[life])
    state = states.reshape(-1)[node] if node >= 0 else lives.states[life]
    return np.asarray(found & (states == state))


def life_over_windows(
    lives: "segmentation.lives.Lives", node: tuple[int, ...], shape: tuple[int, ...], window: float
) -> int | None:
    """Return the life of the sampled node nearest to one; None in small regions."""
    step, small = _sampled_at(lives, shape, window)
    life = int(small[tuple(min(t // step, n - 1) for t, n in zip(node, small.shape, strict=True))])
    return None if life < 0 else life


def _sampled_at(
    lives: "segmentation.lives.Lives", shape: tuple[int, ...], window: float
) -> tuple[int, NDArray[np.int32]]:
    """Return the step between sampled nodes, and their lives in the map of a w."""
    assert lives.samples is not None
    axes = segmentation.lives.sampled(shape)
    size = [len(range(*axis.indices(length))) for axis, length in zip(axes, shape, strict=True)]
    return axes[0].step, lives.samples[lives.step_at(window)].reshape(size)


def _areas(lives: "segmentation.lives.Lives", places: Floats) -> Floats:
    """Return the share of each life at each place, (width, n)."""
    found = np.zeros((len(places), len(lives)))
    order = np.argsort(lives.whose, kind="stable")
    bounds = np.searchsorted(lives.whose[order], np.arange(len(lives) + 1))
    for c in range(len(lives)):
        own = order[bounds[c] : bounds[c + 1]]
        own = own[lives.areas[own] > 0]
        at, areas = lives.at[own], lives.areas[own]
        if lives.includes:
            found[:, c] = np.interp(places, at, areas)
        else:
            last = np.searchsorted(at, places, "left") - 1
            found[:, c] = areas[np.maximum(last, 0)]
        there = (places >= lives.starts[c]) & (places < lives.ends[c])
        found[~there, c] = 0.0
    return found


def _spans(lives: "segmentation.lives.Lives", places: Floats) -> tuple[Floats, Floats]:
    """Return the first and the last pixel of each life, which may lie beyond the ends."""
    pixels = np.arange(len(places), dtype=float)
    first = np.interp(lives.starts, places, pixels, left=-1.0, right=len(places))
    last = np.interp(lives.ends, places, pixels, left=-1.0, right=len(places))
    return first, last


def _order(
    lives: "segmentation.lives.Lives", chosen: list[int], worth: Floats, life: Floats
) -> list[int]:
    """Return lives from top to bottom: each next to what takes it, the short-lived nearest."""
    parents = {}
    for c in chosen:
        parents[c] = -1
        for way in (lives.into, lives.out_of):
            host = _host(c, way.tolist(), parents.keys() | set(chosen))
            if host >= 0 and worth[host] > worth[c]:
                parents[c] = host
                break
    children: dict[int, list[int]] = {c: [] for c in (-1, *chosen)}
    for c in chosen:
        children[parents[c]].append(c)
    places = lives.means[:, 0]

    def walk(c: int) -> list[int]:
        near = sorted(children[c], key=lambda d: life[d])
        above = [d for d in near if places[d] < places[c]]
        below = [d for d in near if places[d] >= places[c]]
        return [
            *(one for d in reversed(above) for one in walk(d)),
            c,
            *(one for d in below for one in walk(d)),
        ]

    return [one for c in sorted(children[-1], key=lambda c: places[c]) for one in walk(c)]


def _host(life: int, way: list[int], chosen: "set[int]") -> int:
    """Return the first life with a line on the way; -1 for none."""
    seen, at = {life}, way[life]
    while at >= 0 and at not in seen:
        if at in chosen:
            return at
        seen.add(at)
        at = way[at]
    return -1


def _heights(
    order: list[int], peaks: Mapping[int, float], kept: Mapping[int, float]
) -> tuple[dict[int, float], dict[int, float]]:
    """Return the room of each life, and its height; kept ones stay, others lie between them."""
    least = 0.4 * sum(peaks.values()) / max(1, len(order))
    shares = np.array([max(peaks[c], least) for c in order])
    shares = shares / shares.sum() if len(order) else shares
    own = np.cumsum(shares) - shares / 2
    stay = [k for k, c in enumerate(order) if c in kept]
    if stay:
        places = [0.0, *(own[k] for k in stay), 1.0]
        heights = [0.0, *(kept[order[k]] for k in stay), 1.0]
        own = np.interp(own, places, heights)
    return dict(zip(order, shares.tolist(), strict=True)), dict(
        zip(order, own.tolist(), strict=True)
    )


def _smooth(roots: Floats, first: float, last: float, width: int) -> Floats:
    """Return a thickness without steps, as if a life went on beyond its ends."""
    start, stop = max(0, math.ceil(first)), min(width, max(math.ceil(last), math.ceil(first) + 1))
    found = np.zeros(width)
    inner = roots[start:stop]
    if len(inner):
        smooth = scipy.ndimage.gaussian_filter1d(inner, SMOOTH * width, mode="nearest")
        found = np.interp(np.arange(width), np.arange(start, stop), smooth)
    return found


@dataclass(frozen=True, eq=False)
class _Drawing:
    """The curves of lines."""

    lives: "segmentation.lives.Lives"
    heights: dict[int, float]
    first: Floats
    last: Floats
    bend: float

    def host(self, life: int, way: Counts) -> int:
        return _host(life, way.tolist(), set(self.heights))

    def curve(self, life: int, busy: frozenset[int] = frozenset()) -> "_Curve":
        """Return the height of a life at each x: towards its ends that of its hosts."""
        ends = []
        for way, at in ((self.lives.out_of, self.first), (self.lives.into, self.last)):
            host = self.host(life, way)
            other = None
            if host >= 0 and host not in busy:
                other = self.curve(host, busy | {life})
            ends.append((float(at[life]), other))
        return _Curve(self.heights[life], self.bend, *ends)


@dataclass(frozen=True, eq=False)
class _Curve:
    height: float
    bend: float
    start: "tuple[float, _Curve | None]"
    stop: "tuple[float, _Curve | None]"

    def __call__(self, x: Floats) -> Floats:
        y = np.full(len(x), self.height)
        for (at, other), sign in ((self.stop, -1.0), (self.start, 1.0)):
            if other is not None:
                s = np.clip(1 - sign * (x - at) / self.bend, 0, 1)
                s = s * s * (3 - 2 * s)
                y = y * (1 - s) + other(x) * s
        return y
