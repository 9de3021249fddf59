"""The evidence of a node's observation for its state, on its own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import UNKNOWN, cholesky
from latviz.core.data.data_set import DataSet
from latviz.core.data.lattice import frozen
from latviz.core.inference.binning import bins_of
from latviz.core.types import Arrays, Floats, Matrix, States
from latviz.core.values import Value

FLOOR = 2.0**-60
"""The least likelihood of an observation under a state, as a share of that of the likeliest."""
LEAST_SPREAD = 0.01
"""Of a state, as a share of the standard deviation of all observations: no state is a point."""
RARE = 1e-6
"""The least share of a symbol, or of a bin, in a state that is split."""
_STRETCH = 1 << 14
"""Nodes whose products stay in cache."""
Sizes = tuple[int, int, int, int]
"""The number of axes, of tiles, of rows and of states: D, T, R, N, as `kernels.chains` has them."""
Tiles = NDArray[np.float32]
"""A number for each state of each node, flat, (T R N 8,)."""


class Densities(Value, ABC):
    """The distribution of an observation under each state."""

    @property
    @abstractmethod
    def n_states(self) -> int:
        """N."""

    @abstractmethod
    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write likelihoods as shares of each node's greatest; return the sum of its logs."""
        # values (R, W) or (R, W, M): a lattice's observations by row; out (T R N 8,) float32 from
        # FLOOR to 1; the sum is over the likeliest states, in nats: -inf if an observation is
        # impossible under all states, which gives no evidence about its state

    @abstractmethod
    def top_nats(self, values: NDArray[Any]) -> Floats:
        """Return -log-likelihood of observations under their likeliest state, (R, W), in nats."""
        # Infinite where all states are impossible

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """The number of free parameters."""

    @property
    @abstractmethod
    def n_directions(self) -> int:
        """C, the number of columns of `scaled`."""

    @abstractmethod
    def renewed(self, beliefs: Sequence[NDArray[np.float32]], data: DataSet) -> Self:
        """Return the emission that is estimated from beliefs (*shape, N) of a data set's nodes."""
        # N may be another number of states than this one's. Rows of unknown nodes are 0

    @abstractmethod
    def scaled(self, values: NDArray[Any], states: States) -> NDArray[np.float32]:
        """Return the residuals of observations from their state's mean, (U, C)."""
        # In units in which each state's observations have variance 1 in every direction

    @abstractmethod
    def split(self, state: int, apart: Floats) -> Self:
        """Return an emission in which two states replace one; the second comes last."""
        # Their means are ``apart`` (C,) from its mean, to either side, in units of `scaled`

    @abstractmethod
    def ordered(self, order: NDArray[np.int64]) -> Self:
        """Return the emission with its states in another order, (N,)."""

    @abstractmethod
    def overlaps(self) -> Matrix:
        """Return the similarity of two states' emissions, (N, N) from 0 to 1 (Bhattacharyya)."""


@dataclass(frozen=True, eq=False)
class SymbolDensities(Densities):
    """Symbols by their distributions B (N, M)."""

    B: Matrix

    @property
    def n_states(self) -> int:
        """N."""
        return len(self.B)

    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write the likelihoods of symbols (R, W)."""
        most = self.B.max(axis=0)
        shares = np.divide(self.B, most, out=np.ones_like(self.B), where=most > 0)
        table = np.ascontiguousarray(np.maximum(shares, FLOOR).T, dtype=np.float32)
        symbols = frozen(values)
        threads.over_rows(
            sizes[1],
            lambda a, b: kernels.marginals.of_symbols(symbols, table, sizes, a, b, out),
            float(table.shape[1] * sizes[2] * kernels.chains.LANES),
        )
        counts = np.bincount(symbols.reshape(-1), minlength=len(most))
        seen = counts > 0
        with np.errstate(divide="ignore"):
            return float(counts[seen] @ np.log(most[seen]))

    def top_nats(self, values: NDArray[Any]) -> Floats:
        """Return -log max_j B(j, o) of symbols (R, W)."""
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(self.B.max(axis=0))[values])

    @property
    def n_directions(self) -> int:
        """M."""
        return int(self.B.shape[1])

    @property
    def n_parameters(self) -> int:
        """N (M - 1); states that emit the same count once."""
        return len(np.unique(self.B, axis=0)) * (self.n_directions - 1)

    def renewed(self, beliefs: Sequence[NDArray[np.float32]], data: DataSet) -> "SymbolDensities":
        """Return the shares of symbols, each counted half a time more (Krichevsky-Trofimov)."""
        return self.counted(beliefs, data.values)

    def counted(
        self, beliefs: Sequence[NDArray[np.float32]], lattices: Sequence[NDArray[Any]]
    ) -> "SymbolDensities":
        """Return `renewed` of symbols (*shape)."""
        size = self.B.shape[1]

        def counted(weights: NDArray[np.float32], symbols: NDArray[Any]) -> Floats:
            out = np.zeros((weights.shape[1], size))
            kernels.marginals.count(frozen(weights), frozen(symbols), out)
            return out

        counts = 0.5 + summed(beliefs, [symbols.reshape(-1) for symbols in lattices], counted)
        return SymbolDensities(counts / counts.sum(axis=1, keepdims=True))

    def scaled(self, values: NDArray[Any], states: States) -> NDArray[np.float32]:
        """Return (1[o = k] - B(q, k)) / sqrt(B(q, k)), (U, M)."""
        B, own = self._positive.astype(np.float32), states.reshape(-1)
        rest = np.eye(B.shape[1], dtype=np.float32)[values.reshape(-1)] - B[own]
        return np.asarray(rest / np.sqrt(B)[own])

    def split(self, state: int, apart: Floats) -> "SymbolDensities":
        """Return an emission with two rows of symbols for one."""
        B = self._positive
        step = apart * np.sqrt(B[state])
        B = np.maximum(np.vstack([B, B[state] - step]), RARE)
        B[state] = np.maximum(self._positive[state] + step, RARE)
        return SymbolDensities(B / B.sum(axis=1, keepdims=True))

    @property
    def _positive(self) -> Matrix:
        return np.maximum(self.B, RARE)

    def ordered(self, order: NDArray[np.int64]) -> "SymbolDensities":
        """Return the rows in another order."""
        return SymbolDensities(self.B[order])

    def overlaps(self) -> Matrix:
        """Return sum_k sqrt(B(i, k) B(j, k))."""
        roots = np.sqrt(self.B)
        return np.asarray(roots @ roots.T)


def summed(
    beliefs: Sequence[NDArray[np.float32]],
    values: Sequence[NDArray[Any]],
    part: Callable[[NDArray[np.float32], NDArray[Any]], Floats],
) -> Floats:
    """Add up ``part`` over stretches of all lattices' nodes."""
    # Stretches do not depend on the number of threads, and are added in order
    stretches = [
        (weights.reshape(len(observed), -1)[some], observed[some])
        for weights, observed in zip(beliefs, values, strict=True)
        for some in (slice(k, k + _STRETCH) for k in range(0, len(observed), _STRETCH))
    ]
    sums = threads.each(stretches, lambda one: part(*one), float(stretches[0][0].size))
    return np.asarray(np.sum(sums, axis=0))


def whitened(covariances: Floats, means: Matrix) -> tuple[Floats, Floats]:
    """Return parameters of normal densities: L^-1, with Sigma = L L', and -1/2 log |2 pi Sigma|."""
    # `ParameterError` if a covariance is not symmetric and positive definite
    factors = cholesky(covariances, means)
    log_det = 2 * np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
    constants = -0.5 * (means.shape[1] * np.log(2 * np.pi) + log_det)
    return np.asarray(np.linalg.inv(factors), dtype=np.float64), np.asarray(constants)


@dataclass(frozen=True, eq=False)
class NormalDensities(Densities):
    """Vectors by normal densities of these means (N, M) and covariances (N, M, M)."""

    means: Matrix
    covariances: Floats

    @property
    def n_states(self) -> int:
        """N."""
        return len(self.means)

    @cached_property
    def densities(self) -> tuple[Matrix, Floats, Floats]:
        """The densities as `lanes.normal_scores_of_row` has them."""
        whiteners, constants = whitened(self.covariances, self.means)
        return frozen(self.means), frozen(whiteners), frozen(constants)

    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write the likelihoods of vectors (R, W, M)."""
        vectors, tops = frozen(values), np.empty(len(values))
        threads.over_rows(
            len(values),
            lambda a, b: kernels.marginals.of_vectors(
                vectors, self.densities, sizes, a, b, out, tops
            ),
            2.0 * self.n_states * vectors[0].size,
        )
        return float(tops.sum())

    def top_nats(self, values: NDArray[Any]) -> Floats:
        """Return -log max_j f(o | mu_j, Sigma_j) of vectors (R, W, M)."""
        means, whiteners, constants = self.densities
        least = np.full(values.shape[:-1], np.inf)
        for mean, whitener, constant in zip(means, whiteners, constants, strict=True):
            squares = (((values - mean) @ whitener.T) ** 2).sum(axis=-1)
            np.minimum(least, 0.5 * squares - constant, out=least)
        return least

    @property
    def n_directions(self) -> int:
        """M."""
        return int(self.means.shape[1])

    @property
    def n_parameters(self) -> int:
        """N (M + M (M + 1) / 2)."""
        n_states, size = self.means.shape
        return int(n_states * (size + size * (size + 1) // 2))

    def renewed(self, beliefs: Sequence[NDArray[np.float32]], data: DataSet) -> "NormalDensities":
        """Return means and covariances by belief, with at least LEAST_SPREAD of each spread."""
        size = self.means.shape[1]
        low, high = data.value_range
        origin = (low + high) / 2
        rows, columns = np.tril_indices(1 + size)

        def moments(weights: NDArray[np.float32], vectors: NDArray[Any]) -> Floats:
            out = np.empty((len(rows), weights.shape[1]))
            kernels.marginals.moments(frozen(weights), frozen(vectors - origin), out)
            return out.T

        lower = summed(beliefs, [vectors.reshape(-1, size) for vectors in data.values], moments)
        sums = np.empty((len(lower), 1 + size, 1 + size))
        sums[:, rows, columns] = sums[:, columns, rows] = lower
        weights = np.maximum(sums[:, 0, 0], 1.0)[:, None]
        means = sums[:, 0, 1:] / weights
        squares = sums[:, 1:, 1:] / weights[:, None]
        every = sums.sum(axis=0) / sums[:, 0, 0].sum()
        spread = np.diagonal(every)[1:] - every[0, 1:] ** 2
        floor = np.diag(LEAST_SPREAD**2 * np.maximum(spread, spread.max() * 1e-6) + 1e-300)
        outer = means[:, :, None] * means[:, None, :]
        return NormalDensities(means + origin, squares - outer + floor)

    def scaled(self, values: NDArray[Any], states: States) -> NDArray[np.float32]:
        """Return L^-1 (o - mu), (U, M), with Sigma = L L' of each node's state."""
        whiteners = np.linalg.inv(np.linalg.cholesky(self.covariances))
        own, vectors = states.reshape(-1), values.reshape(-1, self.means.shape[1])
        rest = np.empty(vectors.shape, dtype=np.float32)
        for j, (mean, whitener) in enumerate(zip(self.means, whiteners, strict=True)):
            nodes = own == j
            rest[nodes] = (vectors[nodes] - mean) @ whitener.T
        return rest

    def split(self, state: int, apart: Floats) -> "NormalDensities":
        """Return an emission with two densities of the same covariance for one."""
        step = np.linalg.cholesky(self.covariances[state]) @ apart
        means = np.vstack([self.means, self.means[state] - step])
        means[state] += step
        return NormalDensities(means, np.concatenate([self.covariances, self.covariances[[state]]]))

    def ordered(self, order: NDArray[np.int64]) -> "NormalDensities":
        """Return the densities in another order."""
        return NormalDensities(self.means[order], self.covariances[order])

    def overlaps(self) -> Matrix:
        """Return the integrals of the roots of products of two densities."""
        middle = (self.covariances[:, None] + self.covariances[None]) / 2
        apart = self.means[:, None] - self.means[None]
        squares = (apart * np.linalg.solve(middle, apart[..., None])[..., 0]).sum(axis=-1)
        own = np.linalg.slogdet(self.covariances)[1]
        logs = np.linalg.slogdet(middle)[1] - (own[:, None] + own[None]) / 2
        return np.asarray(np.exp(-squares / 8 - logs / 2))


@dataclass(frozen=True, eq=False)
class BinnedDensities(Densities):
    """Numbers by their shares of bins, evenly spread in each: a density of no fixed shape."""

    # increasing: of the bins; the outer bins also hold what is beyond
    edges: Annotated[Floats, "(K + 1,)"]
    table: Annotated[SymbolDensities, "(N, K)"]  # shares of the bins

    @property
    def n_states(self) -> int:
        """N."""
        return self.table.n_states

    def bins(self, values: NDArray[Any]) -> NDArray[np.uint8]:
        """Return the bin of each number (..., 1)."""
        return bins_of(values, self.edges)

    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write the likelihoods of numbers (R, W, 1)."""
        bins = self.bins(values)
        counts = np.bincount(bins.reshape(-1), minlength=len(self._log_widths))
        return self.table.likelihoods(bins, sizes, out) - float(counts @ self._log_widths)

    def top_nats(self, values: NDArray[Any]) -> Floats:
        """Return -log max_j f_j(o) of numbers (R, W, 1)."""
        bins = self.bins(values)
        return np.asarray(self.table.top_nats(bins) + self._log_widths[bins])

    @cached_property
    def _log_widths(self) -> Floats:
        return np.log(np.diff(self.edges))

    @property
    def n_directions(self) -> int:
        """K."""
        return self.table.n_directions

    @property
    def n_parameters(self) -> int:
        """N (K - 1)."""
        return self.table.n_parameters

    def renewed(self, beliefs: Sequence[NDArray[np.float32]], data: DataSet) -> "BinnedDensities":
        """Return the shares of bins by belief; their edges stay."""
        return replace(self, table=self.table.counted(beliefs, [*map(self.bins, data.values)]))

    def scaled(self, values: NDArray[Any], states: States) -> NDArray[np.float32]:
        """Return `SymbolDensities.scaled` of the bins, (U, K)."""
        return self.table.scaled(self.bins(values), states)

    def split(self, state: int, apart: Floats) -> "BinnedDensities":
        """Return an emission with two rows of shares for one."""
        return replace(self, table=self.table.split(state, apart))

    def ordered(self, order: NDArray[np.int64]) -> "BinnedDensities":
        """Return the rows in another order."""
        return replace(self, table=self.table.ordered(order))

    def overlaps(self) -> Matrix:
        """Return the integrals of the roots of products of two densities."""
        return self.table.overlaps()


def emission_of(data: DataSet, states: Arrays, n_states: int) -> Densities:
    """Return the emission of a decoding's states: symbols by their shares, vectors as normal."""
    size = data.n_symbols
    blank: Densities = (
        SymbolDensities(np.full((n_states, size), 1 / size))
        if data.kind == "discrete"
        else NormalDensities(np.zeros((n_states, size)), np.tile(np.eye(size), (n_states, 1, 1)))
    )
    return of_states(blank, data, states)


def of_states(blank: Densities, data: DataSet, states: Arrays) -> Densities:
    """Return the emission of a blank one's law in which each node is in its state."""
    return blank.renewed(certain(states, blank.n_states), data)


def certain(states: Sequence[States], n_states: int) -> list[NDArray[np.float32]]:
    """Return the beliefs (*shape, N) of nodes that are in their states; 0 of unknown ones."""
    table = np.eye(UNKNOWN + 1, n_states, dtype=np.float32)
    return [table[one] for one in states]
