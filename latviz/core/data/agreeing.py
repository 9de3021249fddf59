"""The cut of a merge tree that agrees best with labels of some of its points.

The best cut has the shortest description, in two parts. The first part is the cut: 1 bit for every
split that differs from a given cut, done or undone. So each difference halves the prior
probability, and without labels the given cut stays. The second part is the labels of each cluster,
by the adaptive code of Krichevsky and Trofimov (The performance of universal encoding, 1981): it
takes about (L - 1) / 2 log2 n bits for the shares of L labels among n, for any shares. Points may
have weights: n need not be a whole number. So two clusters of one label are shorter as one, and a
cluster of two labels is shorter as two, if the tree separates them. There is no threshold to
choose. Clusters that are separate in the given cut are merged only if all of them have the same
greatest label: equally mixed labels are not a reason to merge.

The best cut is found from the finest clusters up, each kept whole or split: as in maximizing over
context trees (Volf and Willems, A study of the context tree maximizing method, 1995), but for every
number of clusters.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.checks import as_floats, check_integer, check_integers
from latviz.core.data.cutting import ClusterHierarchy
from latviz.core.errors import ParameterError
from latviz.core.types import Counts, Floats, Matrix
from latviz.core.values import Value

DEPARTURE = 1.0
"""Bits of a split that the given cut has and this one has not, or the other way round."""


@dataclass(frozen=True, eq=False)
class Agreeing(Value):
    """The cuts that agree best with labels, for every number of clusters."""

    hierarchy: ClusterHierarchy
    # the cost of the best cut of k + 1 clusters; infinite without one
    bits: Annotated[Floats, "(n_most,)"]
    _left: list[Counts]

    @property
    def n_best(self) -> int:
        """The number of clusters of the best cut of all; the least, if there are several."""
        return int(self.bits.argmin()) + 1

    def clusters(self, n: int) -> Counts:
        """Return the clusters (n,) of the best cut of n, by row, or raise `ParameterError`."""
        n = check_integer("n", n, 1, self.bits.size)
        if not np.isfinite(self.bits[n - 1]):
            raise ParameterError(
                f"n must be a number of clusters for which there is a cut, got {n}"
            )
        found, left = [], [(self.hierarchy.root, n)]
        while left:
            cluster, k = left.pop()
            if k == 1:
                found.append(cluster)
                continue
            one, other = self.hierarchy.parts[cluster].tolist()
            heavy = int(self._left[cluster][k - 1])
            left += [(one, heavy), (other, k - heavy)]
        chosen = np.array(found)
        return np.asarray(chosen[np.argsort(self.hierarchy.rows[chosen])])


def agreeing_cuts(
    hierarchy: ClusterHierarchy, labels: Matrix, given: Counts, n_most: int
) -> Agreeing:
    """Return the cuts of up to n_most clusters that agree best with labels."""
    # labels (n_leaves, L): the weight of each label in the finest clusters, else `ParameterError`;
    # given (n,) int64: the cut from which differences are counted; an n_most above the number of
    # leaves means this number
    labels = as_floats("labels", labels)
    if labels.ndim != 2 or len(labels) != hierarchy.n_leaves or (labels < 0).any():
        raise ParameterError(
            f"labels must be weights of shape ({hierarchy.n_leaves}, L), got {labels.shape}"
        )
    n_most = min(check_integer("n_most", n_most, 1), hierarchy.n_leaves)
    held = gathered(hierarchy, labels)
    is_split, n_undone = _given(hierarchy, given)
    whole = kt_bits(held) + DEPARTURE * n_undone
    whole[_are_unlike(hierarchy, held, is_split)] = np.inf
    best = [whole[c : c + 1] for c in range(hierarchy.n_leaves)]
    left: list[Counts] = [np.zeros(1, dtype=np.int64)] * hierarchy.n_leaves
    for cluster in range(hierarchy.n_leaves, hierarchy.root + 1):
        one, other = (best[part] for part in hierarchy.parts[cluster].tolist())
        bits, heavy = _joined(one, other, n_most)
        bits = bits + DEPARTURE * (not is_split[cluster])
        bits[0] = whole[cluster]
        best.append(bits)
        left.append(heavy)
    return Agreeing(hierarchy, best[-1], left)


def kt_bits(weights: Matrix) -> Floats:
    """Return the bits of labels (n, L) by the code of Krichevsky and Trofimov, (n,)."""
    # Each label after n others, n_l of them the same, has the probability (n_l + 1/2) / (n + L/2).
    # The order does not matter, and the gamma function extends it to weights; no labels take no
    # bits
    log: Any = scipy.special.gammaln
    total, half = weights.sum(axis=1), weights.shape[1] / 2
    nats = log(total + half) - log(half) - (log(weights + 0.5) - log(0.5)).sum(axis=1)
    return np.asarray(np.where(total > 0, nats / np.log(2.0), 0.0))


def gathered(hierarchy: ClusterHierarchy, labels: Matrix) -> Matrix:
    """Return the weight of each label in every cluster, given the finest, (root + 1, L)."""
    held = np.zeros((hierarchy.root + 1, labels.shape[1]))
    held[: hierarchy.n_leaves] = labels
    for cluster in range(hierarchy.n_leaves, hierarchy.root + 1):
        held[cluster] = held[hierarchy.parts[cluster]].sum(axis=0)
    return held


def _given(hierarchy: ClusterHierarchy, given: Counts) -> tuple[NDArray[np.bool_], Counts]:
    """Return the clusters that a cut splits, and the number of splits that each undoes if whole."""
    clusters = check_integers("given", np.asarray(given).tolist(), 0, hierarchy.root)
    is_split = np.zeros(hierarchy.root + 1, dtype=bool)
    for cluster in clusters:
        is_split[hierarchy.above(cluster)[1:]] = True
    n_undone = np.zeros(hierarchy.root + 1, dtype=np.int64)
    for cluster in range(hierarchy.n_leaves, hierarchy.root + 1):
        if is_split[cluster]:
            n_undone[cluster] = 1 + n_undone[hierarchy.parts[cluster]].sum()
    if is_split[clusters].any() or n_undone[-1] + 1 != len(clusters):
        raise ParameterError("given must be clusters that hold each point once")
    return is_split, n_undone


def _are_unlike(
    hierarchy: ClusterHierarchy, held: Matrix, is_split: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask of the split clusters whose parts have different greatest labels."""
    nothing, several = -1, -2
    names = np.where(held.any(axis=1), held.argmax(axis=1), nothing)
    for cluster in np.flatnonzero(is_split).tolist():  # parts come before their wholes
        found = set(names[hierarchy.parts[cluster]].tolist()) - {nothing}
        names[cluster] = nothing if not found else found.pop() if len(found) == 1 else several
    return np.asarray(names == several)


def _joined(one: Floats, other: Floats, n_most: int) -> tuple[Floats, Counts]:
    """Return the least sum of two costs for every sum of two numbers, and the first number."""
    size = min(one.size + other.size, n_most)
    bits, first = np.full(size, np.inf), np.zeros(size, dtype=np.int64)
    for k, cost in enumerate(one[: n_most - 1].tolist(), start=1):
        part = slice(k, min(k + other.size, size))
        sums = cost + other[: part.stop - part.start]
        is_less = sums < bits[part]
        bits[part] = np.where(is_less, sums, bits[part])
        first[part] = np.where(is_less, k, first[part])
    return bits, first
