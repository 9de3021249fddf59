"""The correlation that states leave unexplained: neighbours that are correlated within a state.

The mean of its state, over its lattice, is subtracted from each observation. The residuals are
independent if the likelihood's assumption holds (paper 1.3). Symbols are one-hot vectors; channels
of vectors are scaled to the same spread.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_integer, check_progress
from latviz.core.data.data_set import DataSet, Kind
from latviz.core.data.fixed_point import FixedPoint, Lattice, known_of, shape_of, without_mask
from latviz.core.data.lattice import frozen, known_degrees
from latviz.core.data.masks import Mask, marked
from latviz.core.data.per_lattice import per_lattice
from latviz.core.model.indices import observed_in
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Matrix, NodeMap, States
from latviz.core.values import Value

_STRETCH = 1 << 16
"""Nodes that are summed at a time: sums do not depend on the number of threads."""
_ROUNDING = 1e-10
"""A variance, of numbers of about 1, that is less is nothing."""


@dataclass(frozen=True, eq=False)
class Residuals(Value):
    """The residuals of a data set under its states."""

    # The mean of ``nodes`` is about the correlation: nodes at the border have fewer neighbours

    correlation: float  # of neighbours, -1 to 1; NaN without residuals or neighbours
    # mean square: of symbols at most 1, of vectors about M where states explain nothing
    variance: float
    # by lattice (*shape) float32: mean product with neighbours, in units of all variance
    nodes: list[NodeMap]


@renamed("observations states")
def residual_correlation(
    observations: Any,
    *,
    states: Any,
    kind: Kind = "discrete",
    n_symbols: int | None = None,
    scalar: bool | None = None,
    apart: int = 1,
    progress: Progress | None = None,
) -> float:
    """Return the correlation of neighbouring residuals, given the states.

    It is near 0 if observations are independent given their states, as the likelihood assumes. On
    photographs it is 0.5 and more, and no number of states is right. Residuals of nodes that are
    far apart are correlated under uneven light.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice, or a data set: symbols 0..M-1, or vectors (*shape, M).
    states : ndarray, shape (*shape), or for a data set a list of them
        Decoded states, from 0 to 254; 255 where a node is unknown.
    kind : {"discrete", "gaussian"}, optional
        Of the observations: symbols or vectors.
    n_symbols : int, optional
        M; by default the largest symbol + 1.
    scalar : bool, optional
        True if vectors are numbers (*shape), M = 1, as by default if they have the states' shape.
    apart : int, optional
        Steps along an axis from a node to those that count as its neighbours, >= 1.
    progress : Progress, optional
        May cancel.

    Returns
    -------
    float
        From -1 to 1; NaN if all residuals are 0, for instance if each state has one symbol, or if
        no two nodes are neighbours.

    Raises
    ------
    ParameterError
        If an argument is invalid.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> seen = np.array([0.0, 1.0, 0.0, 1.0])
    >>> round(residual_correlation(seen, states=np.zeros(4, int), kind="gaussian"), 6)
    -1.0
    """
    apart = check_integer("apart", apart, 1, 1 << 31)
    return _checked(observations, states, kind, n_symbols, scalar, progress, apart).correlation


@renamed("observations states")
@per_lattice
def local_residual_correlation(
    observations: Any,
    *,
    states: Any,
    kind: Kind = "discrete",
    n_symbols: int | None = None,
    scalar: bool | None = None,
    progress: Progress | None = None,
) -> list[NodeMap]:
    """Return the correlation of each node's residual with those of its neighbours.

    It is the mean product of its residual with those of its neighbours, in units of the variance of
    all residuals: high values raise `residual_correlation`.

    Parameters
    ----------
    observations, states, kind, n_symbols, scalar, progress
        As for `residual_correlation`.

    Returns
    -------
    ndarray, shape (*shape), float32, or a list of them for a data set
        NaN for nodes without neighbours, unknown ones, and if all residuals are 0.

    Raises
    ------
    ParameterError
        If an argument is invalid.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> seen = np.array([0.0, 1.0, 0.0, 1.0])
    >>> print(local_residual_correlation(seen, states=np.zeros(4, int), kind="gaussian"))
    [-1. -1. -1. -1.]
    """
    return _checked(observations, states, kind, n_symbols, scalar, progress).nodes


def _checked(
    observations: Any,
    states: Any,
    kind: Kind,
    n_symbols: int | None,
    scalar: bool | None,
    progress: Progress | None,
    apart: int = 1,
) -> Residuals:
    """Return the residuals of states, or raise `ParameterError` if an argument is invalid."""
    check_progress(progress)
    call = "residual_correlation(observations, states=...)"
    given = kind, n_symbols, scalar
    data, maps = observed_in(observations, states, call, *given)
    return residuals_of(data, maps, progress, apart)


def residuals_of(
    data: DataSet, states: Sequence[States], progress: Progress | None = None, apart: int = 1
) -> Residuals:
    """Return the residuals of states for a checked data set; neighbours are ``apart`` steps."""
    nodes = [np.empty(shape, dtype=np.float32) for shape in data.shapes]
    sums = np.zeros(3)
    for lattice, own, out in zip(data.lattices, states, nodes, strict=True):
        for part in _products(lattice, frozen(own).reshape(-1), apart, out.reshape(-1)):
            stop_if_cancelled(progress)
            sums += part
    pairs, n_pairs, squares = sums.tolist()
    variance = squares / max(data.n_known, 1)
    if variance < _ROUNDING or n_pairs == 0:
        for out in nodes:
            out.fill(np.nan)
        return Residuals(math.nan, variance, nodes)
    for out in nodes:
        out /= np.float32(variance)
    return Residuals(pairs / n_pairs / variance, variance, nodes)


def _products(
    lattice: Lattice, states: States, apart: int, out: NDArray[np.float32]
) -> list[tuple[float, float, float]]:
    """Write the mean product of each node with its neighbours; return sums of stretches."""
    shape = shape_of(lattice)
    lengths = np.array(shape, dtype=np.int64)
    strides = np.append(np.cumprod(lengths[:0:-1])[::-1], 1)
    grid = strides, lengths
    known, seen = known_of(lattice), without_mask(lattice)
    states, inside = frozen(_marked(states, known)), slice(None) if known is None else known.ravel()
    if isinstance(seen, FixedPoint):
        vectors = frozen(seen.values.reshape(states.size, -1))
        means, weights = _means(vectors[inside], states[inside])
        means = np.concatenate([means, np.zeros_like(means[:1])])  # of unknown nodes
        kernel, own = kernels.residuals.of_vectors, (vectors, states, means, weights)
    else:
        symbols = frozen(seen.reshape(-1))
        table = _shares(symbols, states)
        kernel, own = kernels.residuals.of_symbols, (symbols, states, table, table @ table.T)

    def task(start: int) -> tuple[float, float, float]:
        found: tuple[float, float, float] = kernel(
            *own, *grid, apart, start, min(start + _STRETCH, states.size), out
        )
        return found

    parts = threads.each(range(0, states.size, _STRETCH), task)
    return parts if known is None else _of_known(parts, known, apart, out)


def _marked(states: States, known: Mask) -> States:
    """Return states with one more for unknown nodes, in which all observations are equal."""
    if known is None:
        return states
    inside = known.reshape(-1)
    return marked(states, inside, int(states[inside].max()) + 1)


def _of_known(
    parts: list[tuple[float, float, float]],
    known: NDArray[np.bool_],
    apart: int,
    out: NDArray[np.float32],
) -> list[tuple[float, float, float]]:
    """Return sums of stretches, with the number of known pairs; make the mean products theirs."""
    # Residuals of unknown nodes are 0, so only the numbers of neighbours were too large
    n = known_degrees(known, apart).reshape(-1)
    whole = known_degrees(np.ones_like(known), apart).reshape(-1)
    out *= whole / np.where(n > 0, n, np.nan)
    pairs, _, squares = map(sum, zip(*parts, strict=True))
    return [(pairs, float(n.sum(dtype=np.int64)), squares)]


def _stretches(n_nodes: int) -> Iterator[slice]:
    """Yield the nodes in stretches, to keep wide copies small."""
    for start in range(0, n_nodes, _STRETCH):
        yield slice(start, start + _STRETCH)


def _shares(symbols: NDArray[Any], states: States) -> Matrix:
    """Return the share of each symbol in each state, (N, M); of states without nodes 0."""
    n_states, n_symbols = int(states.max()) + 1, int(symbols.max()) + 1
    counts = np.zeros(n_states * n_symbols, dtype=np.int64)
    for some in _stretches(states.size):
        places = states[some].astype(np.intp) * n_symbols + symbols[some]
        counts += np.bincount(places, minlength=counts.size)
    table = counts.reshape(n_states, n_symbols)
    return np.asarray(table / np.maximum(table.sum(axis=1, keepdims=True), 1))


def _means(vectors: NDArray[Any], states: States) -> tuple[Matrix, Floats]:
    """Return the mean of each state, (N, M), and the weight of each channel, (M,): 1 / variance."""
    n_states, n_channels = int(states.max()) + 1, vectors.shape[1]
    sizes, sums = np.zeros(n_states, dtype=np.int64), np.zeros((n_states, n_channels))
    for some in _stretches(states.size):
        own = states[some].astype(np.intp)
        sizes += np.bincount(own, minlength=n_states)
        for channel, values in enumerate(vectors[some].T):
            sums[:, channel] += np.bincount(own, values, n_states)
    means, middle = sums / np.maximum(sizes, 1)[:, np.newaxis], sums.sum(axis=0) / states.size
    squares = np.zeros(n_channels)
    for some in _stretches(states.size):
        squares += np.square(vectors[some] - middle).sum(axis=0)
    variances = squares / states.size
    return means, np.divide(1.0, variances, out=np.zeros_like(variances), where=variances > 0)
