"""Vectors whose channels have any law, by bins; a normal copula couples the channels.

The score of a bin is the normal quantile of the share of a state's nodes below its middle. Scores
are normal whatever the law of a channel is, and their correlations couple the channels of a state
(the nonparanormal of Liu, Lafferty and Wasserman, 2009). A monotone change of a channel changes
nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.data_set import DataSet
from latviz.core.data.lattice import frozen
from latviz.core.inference.binning import bins_of
from latviz.core.inference.emission import (
    LEAST_SPREAD,
    RARE,
    Densities,
    NormalDensities,
    Sizes,
    Tiles,
    summed,
    whitened,
)
from latviz.core.types import Floats, Matrix, States


@dataclass(frozen=True, eq=False)
class CopulaDensities(Densities):
    """Vectors by their shares of bins in each channel, and the correlations of their scores."""

    edges: Annotated[Matrix, "(M, K + 1)"]  # increasing: the outer bins also hold what is beyond
    shares: Annotated[Floats, "(N, M, K)"]  # of the bins, positive
    correlations: Annotated[Floats, "(N, M, M)"]  # of the scores

    @property
    def n_states(self) -> int:
        """N."""
        return len(self.shares)

    @cached_property
    def scores(self) -> Floats:
        """The normal score of each bin, (N, M, K)."""
        return np.asarray(scipy.special.ndtri(np.cumsum(self.shares, axis=2) - self.shares / 2))

    @cached_property
    def law(self) -> tuple[Floats, ...]:
        """The densities as `kernels.copulas` has them."""
        n_channels = len(self.edges)
        whiteners, constants = whitened(self.correlations, np.zeros((self.n_states, n_channels)))
        logs = np.log(self.shares / np.diff(self.edges)) + self.scores**2 / 2
        constants = constants + n_channels / 2 * np.log(2 * np.pi)
        arrays = self.edges, logs, self.scores, whiteners, constants
        return tuple(frozen(array) for array in arrays)

    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write the likelihoods of vectors (R, W, M)."""
        vectors, tops = frozen(values), np.empty(len(values))
        threads.over_rows(
            len(values),
            lambda a, b: kernels.copulas.likelihoods(vectors, self.law, sizes, a, b, out, tops),
            self._work(values),
        )
        return float(tops.sum())

    def log_densities(self, values: NDArray[Any]) -> Floats:
        """Return log f_j(o) of vectors (R, W, M), (R, N, W)."""
        vectors = frozen(values)
        out = np.empty((len(values), self.n_states, values.shape[1]))
        threads.over_rows(
            len(values),
            lambda a, b: kernels.copulas.log_densities(vectors, self.law, a, b, out),
            self._work(values),
        )
        return out

    def top_nats(self, values: NDArray[Any]) -> Floats:
        """Return -log max_j f_j(o) of vectors (R, W, M)."""
        return np.asarray(-self.log_densities(values).max(axis=1))

    def _work(self, values: NDArray[Any]) -> float:
        return 2.0 * self.n_states * int(values[0].size)

    @property
    def n_directions(self) -> int:
        """M."""
        return len(self.edges)

    @property
    def n_parameters(self) -> int:
        """N (M (K - 1) + M (M - 1) / 2); states that emit the same count once."""
        _, n_channels, n_bins = self.shares.shape
        n_states = len(np.unique(self.shares, axis=0))
        return int(n_states * n_channels * (n_bins - 1 + (n_channels - 1) / 2))

    def renewed(self, beliefs: Sequence[NDArray[np.float32]], data: DataSet) -> "CopulaDensities":
        """Return shares and correlations by belief; the edges stay."""
        n_states, n_channels = beliefs[0].shape[-1], len(self.edges)
        lattices = [values.reshape(-1, n_channels) for values in data.values]
        edges = frozen(self.edges)

        def counts(weights: NDArray[np.float32], vectors: NDArray[Any]) -> Floats:
            out = np.zeros((n_states, n_channels, edges.shape[1] - 1))
            kernels.copulas.count(frozen(weights), frozen(vectors), edges, out)
            return out

        masses = 0.5 + summed(beliefs, lattices, counts)
        found = replace(self, shares=masses / masses.sum(axis=2, keepdims=True))
        scores = frozen(found.scores)

        def moments(weights: NDArray[np.float32], vectors: NDArray[Any]) -> Floats:
            out = np.zeros((n_states, n_channels, n_channels))
            kernels.copulas.moments(frozen(weights), frozen(vectors), edges, scores, out)
            return out

        products = np.eye(n_channels) + summed(beliefs, lattices, moments)
        return replace(found, correlations=_correlations(products))

    def scaled(self, values: NDArray[Any], states: States) -> NDArray[np.float32]:
        """Return L^-1 s, (U, M), of the scores s in each node's state, with L L' their matrix."""
        own, channels = states.reshape(-1), values.reshape(-1, len(self.edges)).T
        both = zip(channels, self.edges, strict=True)
        bins = np.stack([bins_of(channel[:, None], edges) for channel, edges in both])
        rest, (_, _, scores, whiteners, _) = np.empty((own.size, len(bins)), np.float32), self.law
        for j in range(self.n_states):
            nodes = own == j
            rest[nodes] = np.take_along_axis(scores[j], bins[:, nodes], axis=1).T @ whiteners[j].T
        return rest

    def split(self, state: int, apart: Floats) -> "CopulaDensities":
        """Return an emission with two rows of shares for one: their scores are moved apart."""
        step = (np.linalg.cholesky(self.correlations[state]) @ apart)[:, None]
        ends = scipy.special.ndtri(np.minimum(np.cumsum(self.shares[state], axis=1)[:, :-1], 1))
        two = [_shares_of(ends - by) for by in (step, -step)]
        shares = np.concatenate([self.shares, two[1][None]])
        shares[state] = two[0]
        again = [*range(self.n_states), state]
        return replace(self, shares=shares, correlations=self.correlations[again])

    def ordered(self, order: NDArray[np.int64]) -> "CopulaDensities":
        """Return the densities in another order."""
        return replace(self, shares=self.shares[order], correlations=self.correlations[order])

    def overlaps(self) -> Matrix:
        """Return the product over channels of the integrals of the roots of two densities."""
        roots = np.sqrt(self.shares)
        return np.asarray(np.einsum("imk,jmk->ijm", roots, roots).prod(axis=2))

    def nats_beyond(self, normal: NormalDensities) -> Floats:
        """Return the nats by which these shares code a node's channels shorter, (N,)."""
        # Those of normal densities are taken in the same bins, or else the widths would count
        spreads = np.sqrt(np.diagonal(normal.covariances, axis1=1, axis2=2))[..., None]
        ends = (self.edges[:, 1:-1] - normal.means[..., None]) / spreads
        return np.asarray(scipy.special.rel_entr(self.shares, _shares_of(ends)).sum(axis=(1, 2)))


def _shares_of(ends: Floats) -> Floats:
    """Return the normal shares (..., K), at least `RARE`, between ends (..., K - 1)."""
    below = scipy.special.ndtr(ends)
    shares = np.maximum(np.diff(below, axis=-1, prepend=0.0, append=1.0), RARE)
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _correlations(lower: Floats) -> Floats:
    """Return correlations (N, M, M) of lower triangles of products; none is perfect."""
    rows, columns = np.tril_indices(lower.shape[-1])
    lower[:, columns, rows] = lower[:, rows, columns]
    roots = np.sqrt(np.diagonal(lower, axis1=1, axis2=2))
    found = lower / (roots[:, :, None] * roots[:, None, :])
    return np.asarray((1 - LEAST_SPREAD**2) * found + LEAST_SPREAD**2 * np.eye(lower.shape[-1]))
