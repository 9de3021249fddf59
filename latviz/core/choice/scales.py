"""The effect of a window on a state map, and the scales at which maps stay the same as it grows.

All maps are decoded with one codebook, so each state means the same in all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Annotated

import numpy as np

from latviz.core.segmentation.components import Labels, components
from latviz.core.types import Counts, States
from latviz.core.values import Value

LARGE = 0.002
"""The share of the nodes that a large region exceeds: one that is seen at a glance."""
MOST_SCALES = 3
"""Fine, medium and coarse."""
LEAST = 2
"""Windows of a plateau: a single one does not count as a scale."""


@dataclass(frozen=True, eq=False)
class LabelledMap(Value):
    """A state map (*shape), the regions of its nodes, and the number of nodes of each region."""

    states: States
    labels: Labels
    areas: Counts

    @classmethod
    def of(cls, states: States, dimensions: int) -> "LabelledMap":
        """Find the regions; nodes are neighbours along the last ``dimensions`` axes."""
        labels = components(states, dimensions)
        return cls(states, labels, np.bincount(labels.reshape(-1) + 1)[1:])  # -1 is unknown

    @property
    def n_nodes(self) -> int:
        """The number of known nodes."""
        return int(self.areas.sum())

    @property
    def large(self) -> Counts:
        """The large regions, the largest first."""
        found = np.flatnonzero(self.areas > LARGE * self.n_nodes)
        return found[np.argsort(-self.areas[found], kind="stable")]

    def states_of(self, regions: Counts) -> States:
        """Return the state of each of some regions."""
        own = np.empty(len(self.areas) + 1, np.uint8)  # the last is of unknown nodes
        own[self.labels.reshape(-1)] = self.states.reshape(-1)
        return own[regions]


@dataclass(frozen=True, eq=False)
class RegionCounts(Value):
    """The regions of one window's map, and which regions of the window before are gone."""

    window: int  # the half-width w
    n_nodes: int
    n_regions: int
    areas: Annotated[Counts, "(K,)"]  # nodes of each large region (`LARGE`), largest first
    # the share of nodes in another state than at w - 1; None if unknown
    changed: float | None = None
    # states of large regions of w - 1 no node of which is in such a state and region now
    gone: tuple[int, ...] = ()

    @property
    def n_large(self) -> int:
        """The number of large regions."""
        return len(self.areas)

    @property
    def covered(self) -> float:
        """The share of the nodes that are in large regions."""
        return float(self.areas.sum()) / self.n_nodes


def region_counts(window: int, now: LabelledMap, before: LabelledMap | None = None) -> RegionCounts:
    """Count the regions of a map; ``before`` is that of w - 1 by the same codebook."""
    areas, n_nodes = now.areas[now.large], now.n_nodes
    if before is None:
        return RegionCounts(window, n_nodes, len(now.areas), areas)
    same = (now.states == before.states) & (now.labels >= 0)
    changed = (n_nodes - int(np.count_nonzero(same))) / n_nodes
    is_large = now.areas > LARGE * n_nodes
    kept = np.bincount(before.labels[same & is_large[now.labels]], minlength=len(before.areas))
    gone = before.large[kept[before.large] == 0]
    states = tuple(before.states_of(gone).tolist())
    return RegionCounts(window, n_nodes, len(now.areas), areas, changed, states)


@dataclass(frozen=True)
class Plateau:
    """Windows over which the number of large regions hardly changes."""

    first: int  # the least w
    last: int  # the greatest w
    fewest: int  # large regions of their maps
    most: int  # likewise

    @property
    def middle(self) -> int:
        """The w in the middle; of two the smaller."""
        return (self.first + self.last) // 2

    def __contains__(self, window: int) -> bool:
        return self.first <= window <= self.last


def plateaus(row: Sequence[RegionCounts]) -> tuple[Plateau, ...]:
    """Return the plateaus of consecutive windows: three, or fewer if there are fewer."""
    # A step to the next window is quiet if it changes the number of large regions by no more than
    # the standard deviation of such a count, its root, and if these regions hold most nodes at both
    # ends, so that noise does not count. Windows at quiet steps are divided into three runs so that
    # the numbers in each differ least from their mean (Fisher, 1958): by the deviance of Poisson
    # counts, where each window has the weight by which its side is smaller than the next one's, as
    # a ratio. A plateau is the longest part of a run that no other step interrupts
    steady = [k for k, is_quiet in enumerate(_quiet(row)) if is_quiet]
    if not steady:
        return ()
    best: tuple[float, list[list[int]]] = math.inf, []
    for n in range(1, MOST_SCALES + 1):
        for cuts in combinations(range(LEAST, len(steady) - LEAST + 1), n - 1):
            runs = [steady[a:b] for a, b in pairwise((0, *cuts, len(steady)))]
            parts = [_longest(run) for run in runs]
            if any(len(part) < LEAST for part in parts):
                continue
            cost = sum(_deviance([row[k] for k in run]) for run in runs)
            if cost < best[0] - 1e-9:
                best = cost, parts
    return tuple(_plateau([row[k] for k in part]) for part in best[1])


def _quiet(row: Sequence[RegionCounts]) -> list[bool]:
    """Return for each window whether a step at one of its sides is quiet."""
    steps = [
        abs(a.n_large - b.n_large) <= math.sqrt(max(a.n_large, b.n_large))
        and min(a.covered, b.covered) > 0.5
        for a, b in pairwise(row)
    ]
    return [a or b for a, b in pairwise([False, *steps, False])]


def _longest(run: list[int]) -> list[int]:
    """Return the longest part of increasing numbers that has no gap; of equal ones the first."""
    parts = [[run[0]]]
    for k in run[1:]:
        if k == parts[-1][-1] + 1:
            parts[-1].append(k)
        else:
            parts.append([k])
    return max(parts, key=len)


def _deviance(run: Sequence[RegionCounts]) -> float:
    """Return the deviance of the numbers of large regions of some windows from their mean."""
    numbers = np.array([one.n_large for one in run], np.float64)
    sides = np.array([2 * one.window + 1 for one in run], np.float64)
    weights = np.log((sides + 2) / sides)
    mean = (weights * numbers).sum() / weights.sum()
    logs = np.log(np.where(numbers > 0, numbers, 1.0)) - np.log(max(mean, 1e-300))
    return float(2 * (weights * numbers * logs).sum())


def _plateau(part: Sequence[RegionCounts]) -> Plateau:
    numbers = [one.n_large for one in part]
    return Plateau(part[0].window, part[-1].window, min(numbers), max(numbers))
