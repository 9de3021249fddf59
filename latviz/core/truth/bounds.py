"""Upper bounds on the share of windows inside one region that get another state."""

from collections.abc import Iterable
from math import comb
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from latviz.core.checks import MOST_COUNTED, as_array, check_integer, check_window
from latviz.core.data.lattice import sides_of, widths, window_sizes
from latviz.core.data.per_lattice import per_lattice
from latviz.core.data.stacks import gathered
from latviz.core.errors import ParameterError
from latviz.core.model.indices import as_maps
from latviz.core.renamed import renamed
from latviz.core.truth.emission import Emission, NormalEmission, as_emission
from latviz.core.types import Counts, Floats, States

COMPOSITIONS = 1 << 18
"""Most counts of symbols for which all are enumerated for one bound."""
TIE = 1e-6
"""Squared distances that differ by less may be equal in decoding."""


@renamed("emission state n_nodes")
def accuracy_bound(emission: Emission | ArrayLike, *, state: int, n_nodes: ArrayLike) -> Floats:
    """Return an upper bound on the probability that a signature is outside its state's cell.

    The n_t nodes of the window all have the true ``state``; the signature is outside if another row
    of the codebook (B or the means) is at least as near, ties within 1e-6 included. For a node
    whose window holds one state, the variance is at most this if it is decoded with the emission's
    own codebook.

    - Symbols: the sum of the multinomial probabilities outside the cell, exact except for ties, if
      there are at most 2^18 counts of symbols; else the sum over the other states k of the
      probability that k is at least as near. Each is exact if there are at most 2^18 counts that
      B_k - B_j separates, else by Hoeffding's inequality (1963): exp(-2 n D^4 / r^2), where
      D^2 = ||B_k - B_j||^2 is the mean by which the window sum prefers j, per node, and r the range
      of 2 (B_k - B_j) over the symbols.
    - Vectors: the tail of the normal law of the window mean beyond the midpoint to each other mean,
      summed.

    Parameters
    ----------
    emission : (N, M) float, or NormalEmission
        B, or normal laws.
    state : int
        The true state, 0..N-1.
    n_nodes : (K,) int or int
        Numbers n_t of nodes in the window, at least 1.

    Returns
    -------
    (K,) float64
        From 0 to 1, for each n_t.

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> accuracy_bound([[0.8, 0.2], [0.2, 0.8]], state=0, n_nodes=[1, 3]).round(3).tolist()
    [0.2, 0.104]
    """
    law = as_emission(emission)
    state = check_integer("state", state, 0, len(law.codebook) - 1)
    given = as_array("n_nodes", n_nodes)
    if given.ndim > 1:
        raise ParameterError(f"n_nodes must be a number or of shape (K,), got shape {given.shape}")
    sizes = [check_integer("n_nodes", n, 1, MOST_COUNTED) for n in np.atleast_1d(given)]
    if isinstance(law, NormalEmission):
        bounds: Iterable[float] = (_normal(law, state, n) for n in sizes)
    else:
        bounds = (_symbols(law.codebook, state, n) for n in sizes)
    return np.minimum(np.fromiter(bounds, dtype=np.float64, count=len(sizes)), 1.0)


@renamed("truth emission window")
@per_lattice
def bound_map(truth: Any, *, emission: Emission | ArrayLike, window: int) -> list[Floats]:
    """Return the `accuracy_bound` of each node whose window holds one state, else NaN.

    Its mean over the other nodes is an upper bound of their mean variance.

    Parameters
    ----------
    truth : (*shape) int, or a list or tuple of such arrays
        States 0..N-1.
    emission : (N, M) float, or NormalEmission
        B, or normal laws.
    window : int
        Half-width w >= 0; windows are clipped to the lattice.

    Returns
    -------
    (*shape) float64, or a list of them for a data set

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> found = bound_map([0, 0, 1], emission=[[0.8, 0.2], [0.2, 0.8]], window=1)
    >>> found.round(2).tolist()  # 1 - .8 ** 2
    [0.36, nan, nan]
    """
    law = as_emission(emission)
    maps, window = as_maps(truth, len(law.codebook)), check_window(window)
    shapes = [one.shape for one in maps]
    return gathered(shapes, lambda k: _bound_map(maps[k], law, window))


def _bound_map(states: States, law: Emission, window: int) -> Floats:
    sides = sides_of(window, states.shape)
    width = widths(sides, states.shape)
    pure = scipy.ndimage.maximum_filter(
        states, width, mode="nearest"
    ) == scipy.ndimage.minimum_filter(states, width, mode="nearest")
    sizes = window_sizes(states.shape, sides)
    found = np.full(states.shape, np.nan)
    for state in range(len(law.codebook)):
        nodes = pure & (states == state)
        distinct, place = np.unique(sizes[nodes], return_inverse=True)
        found[nodes] = accuracy_bound(law, state=state, n_nodes=distinct)[place]
    return found


def _symbols(B: Floats, state: int, n_nodes: int) -> float:
    possible = np.flatnonzero(B[state] > 0.0)
    n_counts = comb(n_nodes + possible.size - 1, possible.size - 1)
    if n_counts <= COMPOSITIONS:
        return _multinomial(B, state, n_nodes, possible)
    others = (k for k in range(len(B)) if k != state)
    return sum(_pairwise(B[k] - B[state], B[state], n_nodes, possible) for k in others)


def _pairwise(step: Floats, law: Floats, n_nodes: int, possible: Counts) -> float:
    """Return an upper bound on the probability that one other state, ``step`` away, is as near."""
    excess = float((step**2).sum()) - TIE
    values, group = np.unique(step[possible], return_inverse=True)
    if values.size == 1:
        return float(excess <= 0.0)
    if comb(n_nodes + values.size - 1, values.size - 1) > COMPOSITIONS:
        return float(np.exp(-2.0 * n_nodes * (max(excess, 0.0) / (2.0 * np.ptp(values))) ** 2))
    counts = _compositions(n_nodes, values.size)
    # The difference of distances from k and j, beyond that at the mean of the law of j.
    nearer = 2.0 * (counts @ values / n_nodes - step @ law)
    outside = counts[nearer >= excess]
    chances = np.bincount(group, law[possible])
    return float(scipy.stats.multinomial.pmf(outside, n_nodes, chances).sum())


def _multinomial(B: Floats, state: int, n_nodes: int, possible: Counts) -> float:
    counts = _compositions(n_nodes, possible.size)
    # ||x - B_k||^2 up to |x|^2, for the signatures x that can be.
    distances = (B**2).sum(axis=1) - 2.0 / n_nodes * counts @ B[:, possible].T
    others = np.delete(distances, state, axis=1).min(axis=1, initial=np.inf)
    outside = counts[others <= distances[:, state] + TIE]
    return float(scipy.stats.multinomial.pmf(outside, n_nodes, B[state, possible]).sum())


def _compositions(total: int, n_parts: int) -> Counts:
    """Return all rows of ``n_parts`` integers >= 0 that sum to ``total``."""
    found, left = np.zeros((1, 0), dtype=np.int64), np.array([total])
    for _ in range(n_parts - 1):
        choices = left + 1
        rows = np.repeat(np.arange(left.size), choices)
        taken = np.arange(rows.size) - np.repeat(np.cumsum(choices) - choices, choices)
        found, left = np.column_stack([found[rows], taken]), left[rows] - taken
    return np.column_stack([found, left])


def _normal(law: NormalEmission, state: int, n_nodes: int) -> float:
    steps = np.delete(law.means, state, axis=0) - law.means[state]
    squares = (steps**2).sum(axis=1)
    spread = np.sqrt(np.einsum("ka,ab,kb->k", steps, law.covariances[state], steps) / n_nodes)
    distances = np.divide(squares / 2.0, spread, out=np.zeros(len(steps)), where=spread > 0.0)
    tails = np.where(squares > 0.0, scipy.special.ndtr(-distances), 1.0)
    return float(tails.sum())
