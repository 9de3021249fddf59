"""Lives of large regions: from where to where each is there as the window or the cut grows.

A region that grows by others keeps its name, so that its `extent` is kept, too: where it is nearly
the same set of nodes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.progress import Progress
from latviz.core.segmentation.components import Labels, components
from latviz.core.segmentation.merging import Hierarchy
from latviz.core.segmentation.regions import Regions
from latviz.core.types import Counts, Floats, Matrix, Shape, States
from latviz.core.values import Value

LARGE, STAYS = 0.002, 0.001
"""Shares of the nodes: above the first a region is seen at a glance; large ones stay large above
the second."""
MATCHES = 0.15
"""The least Jaccard index of one region at two steps in a row."""
OF_ANOTHER_STATE = 0.6
"""A Jaccard index counts as much if the state changes."""
TAKES = 0.3
"""The least share of a region that another one has where it takes it, or parts from it."""
RETURNS, LONGEST_GAP = 0.5, 4
"""The least Jaccard index of a region that returns after some steps, and the most steps."""
HOLDS, COUNTED = 0.75, 0.01
"""The least Jaccard index at which a region holds; the share of the nodes above which it counts."""
SAMPLES = 1 << 15
"""Nodes, at most, by which regions of all steps are compared."""


@dataclass(frozen=True, eq=False)
class Lives(Value):
    """The lives of n large regions along an axis, as events: a region is so large from here on."""

    size: int  # nodes of the lattice
    includes: bool  # an event at x counts at x; else beyond it, as merges do
    starts: Annotated[Floats, "(n,)"]  # its first x; -inf if there is nothing before
    ends: Annotated[Floats, "(n,)"]  # the x from which it is gone; inf if never
    into: Annotated[Counts, "(n,)"]  # the life that takes it, or -1
    out_of: Annotated[Counts, "(n,)"]  # the life that it parts from, or -1
    # means of its nodes as it begins: of their positions, from 0 to 1, and of what else was given
    means: Annotated[Matrix, "(n, 1 + F)"]
    at: Annotated[Floats, "(E,)"]  # where events are, in order
    whose: Annotated[Counts, "(E,)"]
    areas: Annotated[Floats, "(E,)"]  # shares of the known nodes; 0 while it is away
    nodes: Annotated[Counts, "(E,)"]  # one of its nodes, in raster order; -1 while it is away
    extents: Annotated[Floats, "(E, 2)"]  # it holds from the first x on, and to before the second
    states: Annotated[Counts | None, "(n,)"] = None  # at first; None over the cut
    # the steps over windows, and the life of some nodes at each, -1 for none; None over the cut
    steps: Annotated[Floats, "(K,)"] = field(default_factory=lambda: np.empty(0))
    samples: Annotated[NDArray[np.int32] | None, "(K, m)"] = None

    def __len__(self) -> int:
        return len(self.starts)

    def _events_at(self, x: float) -> Counts:
        """Return the last event of each life at x, (n,); -1 where it is not there."""
        seen = int(np.searchsorted(self.at, x, "right" if self.includes else "left"))
        found = np.full(len(self), -1)
        found[self.whose[:seen]] = np.arange(seen)  # the last one is written last
        gone = self.ends <= x if self.includes else self.ends < x
        found[gone] = -1
        return found

    def areas_at(self, x: float) -> Floats:
        """Return the share of each life at x, (n,); 0 where it is not there."""
        events = self._events_at(x)
        return np.where(events < 0, 0.0, np.append(self.areas, 0.0)[events])

    def nodes_at(self, x: float) -> Counts:
        """Return a node of each life at x, (n,), in raster order; -1 where it is not there."""
        events = self._events_at(x)
        return np.where(events < 0, -1, np.append(self.nodes, -1)[events])

    def held(self, low: float, here: float, high: float) -> tuple[int, int]:
        """Return how many of the large regions hold from ``low`` to ``high``, and their number."""
        events = self._events_at(here)
        counted = events[(events >= 0) & (self.areas_at(here) > COUNTED)]
        first, last = self.extents[counted].T
        before, after = (np.less_equal, np.less) if self.includes else (np.less, np.less_equal)
        return int(np.count_nonzero(before(first, low) & after(high, last))), len(counted)

    @cached_property
    def changes(self) -> Floats:
        """The x at which a life begins or ends, in order."""
        every = np.concatenate([self.starts, self.ends])
        return np.unique(every[np.isfinite(every)])

    def likeness(self, other: "Lives", x: float) -> Counts:
        """Return the life of another map's that each is, (n,): of the same nodes; -1 for none."""
        # First of the same nodes at x, which is on screen, then at all steps together
        found = np.full(len(self), -1)
        if self.samples is None or other.samples is None:
            return found
        if self.samples.shape != other.samples.shape:
            return found
        for steps in (slice(self.step_at(x), self.step_at(x) + 1), slice(None)):
            shared, own, theirs = _overlaps(
                self.samples[steps].reshape(-1) + 1,
                other.samples[steps].reshape(-1) + 1,
                len(self),
                len(other),
            )
            index = shared / np.maximum(1, own[:, None] + theirs - shared)
            index[found >= 0], index[:, found[found >= 0]] = 0.0, 0.0
            for i, j in _best_pairs(index, RETURNS):
                found[i] = j
        return found

    def step_at(self, x: float) -> int:
        """Return the last step up to x, or the first one."""
        return max(0, int(np.searchsorted(self.steps, x, "right")) - 1)


class _Pairs(NamedTuple):
    """The overlaps of regions of two steps."""

    shared: Counts
    first: Counts
    second: Counts


def _overlaps(one: NDArray[Any], other: NDArray[Any], n: int, m: int) -> _Pairs:
    """Return the nodes that regions 1 to n and 1 to m share, (n, m), and those of each."""
    both = np.bincount(one.astype(np.int64) * (m + 1) + other, minlength=(n + 1) * (m + 1))
    table = both.reshape(n + 1, m + 1)
    return _Pairs(table[1:, 1:], table[1:].sum(axis=1), table[:, 1:].sum(axis=0))


def _best_pairs(index: NDArray[np.float64], least: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of a row and a column, each of which is in one, the largest first."""
    rows, columns = np.nonzero(index > least)
    left, right = set(rows.tolist()), set(columns.tolist())
    order = np.argsort(-index[rows, columns], kind="stable")
    for i, j in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            yield i, j


class _Found:
    """Lives as they are found, along the axis."""

    def __init__(self) -> None:
        self.starts, self.ends, self.means = list[float](), list[float](), list[list[float]]()
        self.into, self.out_of = list[int](), list[int]()
        self.events: list[tuple[float, int, float, int]] = []

    def begin(self, x: float, means: list[float], out_of: int = -1) -> int:
        """Begin a life, and return its number."""
        self.starts.append(x)
        self.ends.append(np.inf)
        self.means.append(means)
        self.into.append(-1)
        self.out_of.append(out_of)
        return len(self.starts) - 1

    def end(self, life: int, x: float, into: int) -> None:
        """End a life, which another takes, or none."""
        self.ends[life], self.into[life] = x, into

    def note(self, x: float, life: int, area: float, node: int) -> None:
        """Note the area of a life from here on, and a node of it."""
        self.events.append((x, life, area, node))

    def lives(self, size: int, extents: Floats, **more: Any) -> Lives:
        """Return them over windows."""
        at, whose, areas, nodes = zip(*self.events, strict=True) if self.events else ((),) * 4
        ends = np.array(self.ends, float)
        return Lives(
            size,
            True,
            np.array(self.starts, float),
            ends,
            np.array(self.into, int),
            np.array(self.out_of, int),
            np.array(self.means, float).reshape(len(ends), -1),
            np.array(at, float),
            np.array(whose, int),
            np.array(areas, float),
            np.array(nodes, int),
            extents,
            **more,
        )


# Over the cut


def lives_over_cut(
    found: Regions, features: NDArray[Any], progress: Progress | None = None
) -> Lives:
    """Return the lives of regions as they are merged by contrast; features (R, F) are theirs.

    They are exact: a life is read from the merges.
    """
    flat = found.labels.reshape(-1)
    # Runs of nodes of one region are fewer than nodes
    starts = np.flatnonzero(np.append(True, flat[1:] != flat[:-1]))
    lengths = np.diff(starts, append=flat.size)
    known = flat[starts] >= 0
    starts, lengths = starts[known], lengths[known]
    regions, first = flat[starts], np.empty(len(found), np.int64)
    first[regions[::-1]] = starts[::-1]  # of a region's runs the first is written last
    sums = np.bincount(regions, lengths * (starts + (lengths - 1) / 2), minlength=len(found))
    places = sums / found.areas / max(1, flat.size - 1)
    means = np.column_stack([places, features])
    return lives_of_merges(
        found.by_contrast(progress=progress), found.areas, first, means, flat.size
    )


def lives_of_merges(
    hierarchy: Hierarchy, areas: Counts, nodes: Counts, means: Matrix, size: int
) -> Lives:
    """Return the lives of regions as the cut of their merges grows, from the merges alone."""
    # areas (R,), nodes (R,), one of each, and means (R, 1 + F) are of the regions before all
    # merges; the first mean is that of positions, from 0 to 1
    n, n_nodes, merges = hierarchy.n_regions, int(areas.sum()), hierarchy.merges
    sizes, node = np.empty((2, n + len(merges)), np.int64)
    sums = np.empty((n + len(merges), means.shape[1]))
    sizes[:n], node[:n], sums[:n] = areas, nodes, means * areas[:, None]
    lives = kernels.regions.grow(merges, LARGE * n_nodes, sizes, node, sums)
    x = np.append(np.full(n, -np.inf), hierarchy.heights)
    large = np.flatnonzero(lives >= 0)
    own, first = np.unique(lives[large], return_index=True)
    begun = large[first]
    # Of two that are merged, the life of the one ends that has another name than the result
    joined, after = lives[merges], lives[n:, None]
    merge, side = np.nonzero((joined >= 0) & (joined != after))
    ends, into = np.full(len(own), np.inf), np.full(len(own), -1)
    ends[joined[merge, side]] = hierarchy.heights[merge]
    into[joined[merge, side]] = lives[n + merge]
    at, whose, shares = x[large], lives[large], sizes[large] / n_nodes
    return Lives(
        size,
        False,
        x[begun],
        ends,
        into,
        np.full(len(own), -1),
        sums[begun] / sizes[begun, None],
        at,
        whose,
        shares,
        node[large],
        _while_growing(at, whose, shares, ends),
    )


def _while_growing(at: Floats, whose: Counts, areas: Floats, ends: Floats) -> Floats:
    """Return from where to where regions that only grow hold at each event, (E, 2)."""
    # The Jaccard index of a region and what it grows into is the ratio of their areas
    order = np.argsort(whose, kind="stable")
    lives = whose[order]
    # Shares of lives, one after the other, increase in all: none is above 1, or above 2 by HOLDS
    sizes, start = areas[order], 2.0 * lives
    places = start + sizes
    first = np.searchsorted(places, start + HOLDS * sizes, side="right")
    last = np.searchsorted(places, start + sizes / HOLDS, side="left")
    beyond = last == np.searchsorted(lives, lives, side="right")
    found, times = np.empty((len(at), 2)), np.append(at[order], np.inf)
    found[order, 0] = times[first]
    found[order, 1] = np.where(beyond, ends[lives], times[last])
    return found


# Over windows


@dataclass(frozen=True, eq=False)
class _Step:
    """The large regions of a map, from 1 on; 0 is the rest."""

    index: Annotated[NDArray[np.int32], "(nodes,)"]
    areas: Counts  # with that of the rest first
    nodes: Counts
    states: Counts
    n_known: int
    sampled: NDArray[np.int32]

    @classmethod
    def of(cls, states: States, labels: Labels, areas: Counts, before: "_Step | None") -> "_Step":
        """Find the large regions; ``before`` are those of the step before."""
        flat = labels.reshape(-1)
        n_known = int(areas.sum())
        is_large = areas > LARGE * n_known
        if before is not None:
            kept = np.bincount(flat[before.index > 0] + 1, minlength=len(areas) + 1)[1:]
            is_large |= (areas > STAYS * n_known) & (2 * kept > areas)
        found = np.flatnonzero(is_large)
        names = np.zeros(len(areas) + 1, np.int32)  # the last is of unknown nodes
        names[found] = np.arange(1, len(found) + 1)
        index = names[flat]
        # Labels are in the order of first nodes
        first = np.searchsorted(np.maximum.accumulate(flat), found)
        some = index.reshape(states.shape)[sampled(states.shape)].reshape(-1)
        own = np.append(0, states.reshape(-1)[first]).astype(np.int64)
        sizes = np.append(index.size, areas[found])
        return cls(index, sizes, np.append(-1, first), own, n_known, some)

    def __len__(self) -> int:
        return len(self.areas)


def sampled(shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Return the same nodes along each axis, ``SAMPLES`` at most."""
    step = 1
    while math.prod(-(-length // step) for length in shape) > SAMPLES:
        step += 1
    return tuple(slice(min(step // 2, (n - 1) // 2), None, step) for n in shape)


class Following:
    """Follows the large regions of state maps by one codebook from w to larger w.

    Maps are taken one after the other, so that none but the last few are in memory.
    """

    def __init__(self, shape: Shape, features: NDArray[Any] | None = None) -> None:
        # features (m, F) are of the nodes at `sampled`, for `Lives.means`
        self._found, self._size = _Found(), math.prod(shape)
        places = np.arange(self._size).reshape(shape)[sampled(shape)].reshape(-1)
        self._features = [places / max(1, self._size - 1)]
        if features is not None:
            self._features += [*np.asarray(features, np.float64).T]
        self._steps: list[_Step] = []  # the last ones
        self._names: list[Counts] = []  # of each step's regions; -1 of the rest
        self._at: list[float] = []
        self._samples: list[Counts] = []
        self._states, self._last = list[int](), list[int]()  # first states, and last steps

    def take(self, states: States, dimensions: int, window: int) -> Counts:
        """Follow the regions to the map of a larger w; return the nodes of its components.

        Nodes (*shape) are neighbours along the last ``dimensions`` axes; 255 is unknown.
        """
        labels = components(states, dimensions)
        areas = np.bincount(labels.reshape(-1) + 1)[1:]  # -1 is unknown
        now = _Step.of(states, labels, areas, self._steps[-1] if self._steps else None)
        x = float(window)
        names = np.full(len(now), -1)
        if self._steps:
            self._follow(now, names, x)
        else:
            self._begin(now, names, [-1] * len(now), -np.inf)
        for region in range(1, len(now)):
            name, area = int(names[region]), float(now.areas[region] / now.n_known)
            self._found.note(x, name, area, int(now.nodes[region]))
            self._last[name] = len(self._at)
        self._at.append(x)
        self._samples.append(names[now.sampled])
        self._steps = [*self._steps[1 - LONGEST_GAP :], now]
        self._names = [*self._names[1 - LONGEST_GAP :], names]
        return areas

    def lives(self) -> Lives:
        """Return the lives so far."""
        samples = np.array(self._samples, np.int32)
        found = self._found
        found.events.sort(key=itemgetter(0))  # lives that returned were noted late
        extents = _as_sampled(samples, self._at, found.events, len(found.starts))
        more = {"states": np.array(self._states, int), "samples": samples}
        more["steps"] = np.array(self._at, float)
        return found.lives(self._size, extents, **more)

    def _follow(self, now: _Step, names: Counts, x: float) -> None:
        before, old = self._steps[-1], self._names[-1]
        shared, first, second = _overlaps(before.index, now.index, len(before) - 1, len(now) - 1)
        index = shared / (first[:, None] + second - shared)
        index[before.states[1:, None] != now.states[1:]] *= OF_ANOTHER_STATE
        for i, j in _best_pairs(index, MATCHES):
            names[j + 1] = old[i + 1]
        self._return(now, names)
        self._begin(now, names, [-1, *_from(shared.T, second, old)], x)
        into = _from(shared, first, names)
        for i in range(1, len(before)):
            if old[i] not in names:
                self._found.end(int(old[i]), x, into[i - 1])

    def _return(self, now: _Step, names: Counts) -> None:
        """Let lives go on that ended a few steps ago, where the same region is there again."""
        k, pairs = len(self._at), list[tuple[float, int, int]]()
        for back in range(2, len(self._steps) + 1):
            step, old = self._steps[-back], self._names[-back]
            ended = [i for i in range(1, len(step)) if self._last[old[i]] == k - back]
            new = np.flatnonzero(names[1:] < 0)
            if not ended or not len(new):
                continue
            shared, first, second = _overlaps(step.index, now.index, len(step) - 1, len(now) - 1)
            index = shared / (first[:, None] + second - shared)
            pairs += [(-index[i - 1, j], int(old[i]), int(j) + 1) for i in ended for j in new]
        for least, life, region in sorted(pairs):
            if -least > RETURNS and names[region] < 0 and life not in names:
                names[region] = life
                self._found.note(self._found.ends[life], life, 0.0, -1)  # meanwhile
                self._found.end(life, np.inf, -1)

    def _begin(self, now: _Step, names: Counts, out_of: Sequence[int], x: float) -> None:
        """Begin the lives of regions that have none."""
        new = np.flatnonzero(names[1:] < 0) + 1
        counts = np.maximum(np.bincount(now.sampled, minlength=len(now)), 1)
        sums = [np.bincount(now.sampled, one, minlength=len(now)) for one in self._features]
        means = np.stack(sums, axis=1) / counts[:, None]
        for region in new.tolist():
            names[region] = self._found.begin(x, means[region].tolist(), out_of[region])
            self._states.append(int(now.states[region]))
            self._last.append(-1)


def _from(shared: Counts, areas: Counts, names: Counts) -> list[int]:
    """Return the life that has most of each region, (n,), if enough; names[0] is of the rest."""
    if shared.shape[1] == 0:
        return [-1] * len(shared)
    most = shared.argmax(axis=1)
    enough = shared[np.arange(len(shared)), most] > TAKES * areas
    found: list[int] = np.where(enough, names[most + 1], -1).tolist()
    return found


def _as_sampled(
    samples: NDArray[np.int32], at: Sequence[float], events: Sequence[tuple[Any, ...]], n: int
) -> Floats:
    """Return from where to where regions hold at each event, (E, 2), by the sampled nodes."""
    areas = np.array([np.bincount(one + 1, minlength=n + 1)[1:] for one in samples])

    @cache
    def shared(k: int, m: int) -> Counts:
        same = samples[k][samples[k] == samples[m]]
        return np.bincount(same + 1, minlength=n + 1)[1:]

    found = np.empty((len(at), n, 2))
    for k in range(len(at)):
        for side, steps in enumerate((range(k - 1, -1, -1), range(k + 1, len(at)))):
            holds, last = areas[k] > 0, np.full(n, k)
            for m in steps:
                both = shared(min(k, m), max(k, m))
                holds &= both > HOLDS * (areas[k] + areas[m] - both)
                if not holds.any():
                    break
                last[holds] = m
            bounds = (np.append(-np.inf, at[1:]), np.append(at[1:], np.inf))[side]
            found[k, :, side] = bounds[last]
    step = {x: k for k, x in enumerate(at)}
    return np.array([found[step[x], life] for x, life, *_ in events]).reshape(-1, 2)
