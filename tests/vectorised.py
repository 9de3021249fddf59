"""The oracle of whole lattices: the definitions of `tests.naive` as numpy's sums over arrays.

It imports nothing of latviz. Each function takes one lattice, of any number of dimensions; symbols
and states are integers, vectors have their channels on the last axis.
"""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]


def window_sums(values: Array, w: int, d: int) -> Floats:
    """Return the sums over the clipped windows along the first d axes."""
    sums = values.astype(np.float64)
    for axis in range(d):
        n = sums.shape[axis]
        before = np.zeros_like(sums.take([0], axis))
        running = np.concatenate([before, sums.cumsum(axis)], axis)
        at = np.arange(n)
        ends, starts = np.minimum(at + w + 1, n), np.maximum(at - w, 0)
        sums = running.take(ends, axis) - running.take(starts, axis)
    return sums


def window_means(values: Array, w: int, d: int) -> Floats:
    """Return the means over the clipped windows, of shape (*shape, M)."""
    sizes = window_sums(np.ones(values.shape[:d]), w, d)
    return window_sums(values, w, d) / sizes[..., None]


def shares(labels: Array, w: int, n: int) -> Floats:
    """Return the share of each of n symbols or states in every window, (*shape, n)."""
    return window_means(np.eye(n)[labels], w, labels.ndim)


def squared_distances(x: Floats, codebook: Floats) -> Floats:
    """Return the squared distance of each signature to each codeword, (*shape, N)."""
    return np.asarray(((x[..., None, :] - codebook) ** 2).sum(axis=-1))


def signatures(o: Array, w: int, m: int) -> Floats:
    """Return the signatures of m symbols, or of vectors, (*shape, M)."""
    if np.issubdtype(o.dtype, np.integer):
        return shares(o, w, m)
    return window_means(o, w, o.ndim - 1)


def distances(o: Array, codebook: Floats, w: int) -> Floats:
    """Return the squared distances of a lattice's signatures to the codewords, (*shape, N)."""
    return squared_distances(signatures(o, w, codebook.shape[1]), codebook)


def states_without(o: Array, codebook: Floats, w: int) -> Array:
    """Return the states of symbols from their windows without themselves."""
    sizes = window_sums(np.ones(o.shape), w, o.ndim)
    counts = shares(o, w, codebook.shape[1]) * sizes[..., None]
    counts -= np.eye(codebook.shape[1])[o]
    x = counts / np.maximum(sizes - 1, 1)[..., None]
    return np.asarray(squared_distances(x, codebook).argmin(axis=-1))


def steps(shape: tuple[int, ...]) -> Iterator[tuple[Any, Any]]:
    """Yield the places of nodes and of their neighbours, direction by direction."""
    for axis in range(len(shape)):
        rest = (slice(None),) * axis
        low, high = (*rest, slice(None, -1)), (*rest, slice(1, None))
        yield low, high
        yield high, low


def pair_counts(states: Array, n: int) -> NDArray[np.int64]:
    """Return A'(i, j), the ordered pairs of neighbours in states i and j."""
    counts = np.zeros((n, n), np.int64)
    for here, there in steps(states.shape):
        np.add.at(counts, (states[here], states[there]), 1)
    return counts


def pair_terms(
    states: Array, A: Floats, alpha: float | Floats, normalizer: Literal["neighbours", "states"]
) -> Floats:
    """Return the second term of each node: half the sum over its neighbours."""
    log_potentials, degrees = np.zeros(states.shape), np.zeros(states.shape)
    near = np.zeros(states.shape)
    for here, there in steps(states.shape):
        potentials = A[states[here], states[there]]
        log_potentials[here] += np.log(potentials)
        near[here] += potentials
        degrees[here] += 1
    k = near if normalizer == "neighbours" else A.sum(axis=1)[states]
    return np.asarray((log_potentials + degrees * (np.log(alpha) - np.log(k))) / 2)


def local_inertia(states: Array, w: int, n: int) -> Floats:
    """Return the root of the sum of squared shares of states in every window."""
    return np.asarray(np.sqrt((shares(states, w, n) ** 2).sum(axis=-1)))


def local_alpha(states: Array, w: int, n: int, base: float) -> Floats:
    """Return base ** h; h is 0 if all states are equally frequent, 1 for a single state."""
    least = 1 / np.sqrt(n)
    return np.asarray(base ** ((local_inertia(states, w, n) - least) / (1 - least)))


def log_densities(v: Array, states: Array, means: Floats, covariances: Floats) -> Floats:
    """Return the log of the normal density of each node's vector in its state."""
    found = np.zeros(states.shape)
    for j, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        y = v[states == j].astype(np.float64) - mean
        squares = (y * np.linalg.solve(covariance, y.T).T).sum(axis=1)
        log_volume = np.linalg.slogdet(2 * np.pi * covariance)[1]
        found[states == j] = -(squares + log_volume) / 2
    return found


def covariances(v: Array, states: Array, means: Floats) -> Floats:
    """Return Sigma: the mean products of the deviations from each state's mean."""
    deviations = [v[states == j].astype(np.float64) - mean for j, mean in enumerate(means)]
    return np.stack([y.T @ y / max(1, len(y)) for y in deviations])
