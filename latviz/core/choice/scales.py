"""The effect of a window on a state map, and the scales at which maps stay the same as it grows.

All maps are decoded with one codebook, so each state means the same in all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from latviz.core.segmentation.lives import LARGE
from latviz.core.types import Counts

MOST_SCALES = 3
"""Fine, medium and coarse."""
LEAST = 2
"""Windows of a plateau: a single one does not count as a scale."""


@dataclass(frozen=True)
class RegionCounts:
    """The large regions of one window's map."""

    window: int  # the half-width w
    n_large: int
    covered: float  # the share of the nodes that are in large regions

    @classmethod
    def of(cls, window: int, areas: Counts) -> "RegionCounts":
        """Count the large ones among the nodes of all regions."""
        large = areas[areas > LARGE * areas.sum()]
        return cls(window, len(large), float(large.sum() / areas.sum()))


@dataclass(frozen=True)
class Plateau:
    """Windows over which the number of large regions hardly changes."""

    first: int  # the least w
    last: int  # the greatest w
    fewest: int  # large regions of their maps
    most: int  # likewise
    middle: int  # the w in the middle of those that were counted; of two the smaller

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
    middle = part[(len(part) - 1) // 2].window
    return Plateau(part[0].window, part[-1].window, min(numbers), max(numbers), middle)
