"""Merge trees: results of pairwise merging, cut into any number of clusters."""

from collections.abc import Sequence
from copy import copy
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from latviz.core import kernels
from latviz.core.checks import (
    as_bounded,
    check_integer,
    check_integers,
    check_memory,
    shown,
)
from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.types import Counts, Floats, Matrix
from latviz.core.values import Value, by_value


@by_value
class Codewords(NamedTuple):
    """The codewords of several codebooks of one tree."""

    values: Annotated[Matrix, "(K, M)"]
    members: tuple[Counts, ...]  # for each codebook, its codewords by row


@by_value
class Joins(NamedTuple):
    """The last merges of a tree, by the clusters that they join, (n_most,) each."""

    # From n + 1 clusters to n, the cluster in row n of codebook(n + 1) joins the one in rows[n],
    # the heavier of both, which stays in its row

    rows: Counts  # the row that takes row n in; rows[0] is -1
    costs: Floats  # the increase of the squared error; costs[0] is NaN


@by_value
class Splits(NamedTuple):
    """The last merges of a tree, undone from the last on."""

    # the cluster of each merge, decreasing, so before its parts
    clusters: Annotated[Counts, "(n - 1,)"]
    # the two clusters that it was made of, the heavier first
    parts: Annotated[Counts, "(n - 1, 2)"]


class MergeTree(Value):
    """The merges of one run of Fast PNN: a codebook for every size without further work.

    Attributes
    ----------
    n_max : int
        The size of the largest codebook: the number of distinct points, but at most 1,024.
    costs : ndarray, shape (n_distinct - 1,), float64
        The increase of the squared error by each merge, in order: the last k entries are the merges
        from k + 1 codewords to one.

    Examples
    --------
    >>> tree = fast_pnn([[0.0], [1.0], [10.0]])
    >>> tree.n_max, tree.codebook(1).round(2).tolist()
    (3, [[3.67]])
    """

    def __init__(
        self,
        centroids: Matrix,
        weights: Floats,
        merges: Counts,
        costs: Floats,
    ) -> None:
        self.n_max = weights.size
        self.costs = costs
        self._columns: tuple[Counts, int] | None = None
        self._centroids, self._weights = _all_nodes(centroids, weights, merges)
        # The heavier first; of two as heavy the one of the smaller number.
        order = np.lexsort((merges, -self._weights[merges]), axis=-1)
        self._merges = np.take_along_axis(merges, order, axis=-1)
        for array in (self.costs, self._merges, self._centroids, self._weights):
            array.flags.writeable = False

    def moved(self, origin: Floats) -> "MergeTree":
        """Return the tree of the same points, all moved.

        Parameters
        ----------
        origin : array_like, shape (M,)
            The vector to add to each point.

        Returns
        -------
        MergeTree

        Raises
        ------
        ParameterError
            If there is not a number for each channel.
        """
        step = as_bounded("origin", origin)
        if step.shape != self._centroids.shape[1:]:
            raise ParameterError(
                f"origin must have shape {self._centroids.shape[1:]}, got {step.shape}"
            )
        tree = copy(self)
        tree._centroids = frozen(self._centroids + step)
        return tree

    def widened(self, columns: Counts, n_columns: int) -> "MergeTree":
        """Return the tree of the same points with more columns, in which all points are 0.

        Parameters
        ----------
        columns : array_like of int, shape (M,)
            The new places of this tree's columns: increasing, from 0 to ``n_columns`` - 1.
        n_columns : int
            The new number of columns.

        Returns
        -------
        MergeTree

        Raises
        ------
        ParameterError
            If an argument is invalid.
        """
        size = check_integer("n_columns", n_columns, 1)
        kept = np.array(check_integers("columns", columns, 0, size - 1))
        if kept.size != self._centroids.shape[1] or (np.diff(kept) <= 0).any():
            raise ParameterError(
                f"columns must be {self._centroids.shape[1]} increasing ones, got {shown(columns)}"
            )
        tree = copy(self)
        tree._columns = kept, size
        return tree

    def _rows(self, nodes: Counts) -> Matrix:
        """Return the codewords of some nodes of the tree."""
        if self._columns is None:
            return self._centroids[nodes]
        columns, n_columns = self._columns
        check_memory(f"{nodes.size} codewords of {n_columns}", 8 * nodes.size * n_columns)
        rows = np.zeros((nodes.size, n_columns))
        rows[:, columns] = self._centroids[nodes]
        return rows

    def codebook(self, n: int) -> Matrix:
        """Return the codebook of ``n`` codewords, shape (n, M), float64, 1 <= n <= `n_max`.

        Row order follows the tree: from n to n + 1 one codeword is split, its heavier child stays
        in its row and the lighter one becomes row n.

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        ndarray, shape (n, M), float64

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        return self._rows(self._cut(n))

    def weights_of(self, n: int) -> Floats:
        """Return the weight of the points behind each row of ``codebook(n)``, shape (n,).

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        ndarray, shape (n,), float64

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        return self._weights[self._cut(n)]

    def splits(self, n: int) -> "Splits":
        """Return the clusters that the last n - 1 merges made, 1 <= n <= `n_max`.

        Clusters have numbers: 0 to `n_max` - 1 are the finest, of which ``codebook(n_max)`` is
        made, and each merge makes the next number; the last is the cluster of all points.

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        Splits
            Clusters (n - 1,) int64, from the last, and their parts (n - 1, 2) int64.

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        n = check_integer("the size of a codebook", n, 1, self.n_max)
        parts = self._merges[self.n_max - n :][::-1].copy()
        return Splits(2 * self.n_max - 2 - np.arange(n - 1), parts)

    def codewords(self, clusters: ArrayLike) -> Matrix:
        """Return the codewords of some clusters of the tree.

        Parameters
        ----------
        clusters : array_like of int, shape (k,)
            Numbers of clusters, as in `splits`, from 0 to 2 `n_max` - 2.

        Returns
        -------
        ndarray, shape (k, M), float64

        Raises
        ------
        ParameterError
            If a cluster does not exist.
        """
        return self._rows(np.array(check_integers("clusters", clusters, 0, 2 * self.n_max - 2)))

    def cluster_weights(self, clusters: ArrayLike) -> Floats:
        """Return the weight of the points in some clusters of the tree.

        Parameters
        ----------
        clusters : array_like of int, shape (k,)
            Numbers of clusters, as in `splits`, from 0 to 2 `n_max` - 2.

        Returns
        -------
        ndarray, shape (k,), float64

        Raises
        ------
        ParameterError
            If a cluster does not exist.
        """
        found = check_integers("clusters", clusters, 0, 2 * self.n_max - 2)
        return np.asarray(self._weights[found])

    def joins(self, n: int) -> Joins:
        """Return the clusters joined by the last n - 1 merges, and the costs, 1 <= n <= `n_max`.

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        Joins
            Rows (n,) int64, and costs (n,) float64.

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        rows = self._split(n)[1]
        costs = np.full(rows.size, np.nan)
        costs[1:] = self.costs[self.costs.size - rows.size + 1 :][::-1]
        return Joins(rows, costs)

    def codewords_of(self, sizes: Sequence[int]) -> "Codewords":
        """Return the codewords of several codebooks, each once: 2 n - 1 for all sizes up to n.

        A size above `n_max` counts as `n_max`.

        Parameters
        ----------
        sizes : sequence of int
            The sizes of the codebooks, at least 1.

        Returns
        -------
        Codewords

        Raises
        ------
        ParameterError
            If a size is below 1.
        """
        cuts = [self._cut(min(n, self.n_max)) for n in check_integers("sizes", sizes, 1)]
        nodes = np.unique(np.concatenate(cuts))
        members = tuple(np.searchsorted(nodes, cut) for cut in cuts)
        return Codewords(self._rows(nodes), members)

    def _cut(self, n: int) -> Counts:
        """Return which node of the tree each row of ``codebook(n)`` is."""
        return self._split(n)[0]

    def _split(self, n: int) -> tuple[Counts, Counts]:
        """Split the root into n clusters; return the node in each row and the row it came from."""
        # The first row is the root's, and has -1
        n = check_integer("the size of a codebook", n, 1, self.n_max)
        nodes, split = np.empty(n, dtype=np.int64), np.full(n, -1)
        nodes[0] = self._weights.size - 1
        row_of = {int(nodes[0]): 0}
        for size in range(1, n):
            step = self.n_max - 1 - size  # the merge that leaves ``size`` clusters
            row = row_of.pop(self.n_max + step)
            heavy, light = self._merges[step].tolist()
            nodes[row], nodes[size], split[size] = heavy, light, row
            row_of[heavy], row_of[light] = row, size
        return nodes, split


def _all_nodes(centroids: Matrix, weights: Floats, merges: Counts) -> tuple[Matrix, Floats]:
    n = weights.size
    all_centroids = np.concatenate([centroids, np.empty((n - 1, centroids.shape[1]))])
    all_weights = np.concatenate([weights, np.empty(n - 1)])
    kernels.pairwise.fill_nodes(all_centroids, all_weights, merges, n)
    return all_centroids, all_weights
