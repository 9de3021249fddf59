"""Uneven light: a slow field under the numbers of a lattice, which adds to what states emit.

Numbers under a ramp or a vignette look like many states, or like dependent neighbours. Blocks that
are neighbours mostly share their states, so the differences of their means show the slope of the
light, while borders of regions are outliers. The field is a polynomial of the second degree.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import MOST_STATES
from latviz.core.choice.growing import Growth
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.per_lattice import per_lattice
from latviz.core.inference.binning import has_bins
from latviz.core.model.dependence import are_dependent
from latviz.core.model.indices import maps_like
from latviz.core.progress import Progress, report, shares
from latviz.core.types import Floats, Shape, States

BLOCK, PURE_BLOCK = 64, 16
"""Nodes of a block: of any states, and of one state."""
ROUNDS = 20
"""Of the robust fit."""
REJECTED = 4.685
"""Robust standard deviations from which differences do not count (Tukey: 95 % efficient)."""
CLEAR = 3.0
"""Standard errors from which a coefficient is not chance."""
COARSE, FINE = 4, 8
"""States of a trial for dependence; and to find pure blocks: more than there are do no harm."""


@per_lattice
def level(observations: Any, states: Any = None) -> list[Floats]:
    """Return numbers minus the slow field of uneven light under them.

    The field is a polynomial of the second degree with mean 0. Without states it is fitted robustly
    to the differences of neighbouring blocks of some 64 nodes (Tukey's biweight); with states, to
    those of neighbouring blocks in one and the same state.

    Parameters
    ----------
    observations : ndarray, shape (*shape), or a list or tuple of them, or DataSet
        Numbers; each lattice has its own light.
    states : ndarray of int, shape (*shape), optional
        Decoded states, from 0 to 254; for a data set a list of them.

    Returns
    -------
    ndarray, shape (*shape), float64, or a list of them for a data set
        The same numbers if a lattice is too small to show any light.

    Raises
    ------
    ParameterError
        If observations are not numbers, or the states do not have their shapes.

    Examples
    --------
    >>> ramp = np.add.outer(np.arange(32.0), np.zeros(32))
    >>> bool(np.ptp(level(ramp)) < 1e-6)
    True
    """
    data = as_data_set(observations, "gaussian", scalar=True)
    numbers = [values[..., 0] for values in data.values]
    if states is None:
        return [values - _robust(values)[0] for values in numbers]
    maps = maps_like(states, MOST_STATES, data.shapes)
    return [v - _pure(v, own) for v, own in zip(numbers, maps, strict=True)]


def in_even_light(growth: Growth, most: int, progress: Progress | None = None) -> Growth:
    """Return the growth, or that of levelled numbers if as many states take fewer bits of them."""
    # Numbers that are dependent even so are those of photographs, and stay as they are
    if growth.even is None:
        growth.even = _even(growth, most, progress)
    report(progress, 1.0)
    return growth.even


def _even(growth: Growth, most: int, progress: Progress | None) -> Growth:
    seen = growth.observed
    if not has_bins(seen):
        return growth
    testing, first, second = shares(progress, [1, 4, 4])
    found = [_robust(values[..., 0]) for values in seen.values]
    even = _levelled(seen, [light for light, _ in found])
    if max(clear for _, clear in found) < CLEAR or are_dependent(even, COARSE, testing):
        return growth
    once = Growth(even, levelled=True)
    states = once.states(FINE, first)
    lights = [_pure(values[..., 0], own) for values, own in zip(seen.values, states, strict=True)]
    twice = Growth(_levelled(seen, lights), levelled=True)
    n_states = twice.enough(most, second)
    best = min(once, twice, key=lambda one: one.number_bits(n_states))
    n_numbers = len(found) * len(_terms((2,) * seen.dimensions))
    price = n_numbers * np.log2(seen.n_nodes) / (2 * seen.n_nodes)
    is_shorter = best.number_bits(n_states) + price < growth.number_bits(n_states)
    return best if is_shorter else growth


def _levelled(data: DataSet, lights: Sequence[Floats]) -> DataSet:
    """Return a data set of numbers minus their lights."""
    even = [v[..., 0] - light for v, light in zip(data.values, lights, strict=True)]
    return as_data_set(even, "gaussian", scalar=True)


def _robust(numbers: NDArray[Any]) -> tuple[Floats, float]:
    """Return the light under numbers of any states, and its clearest term in standard errors."""
    steps, slopes = _steps(numbers, _blocks(numbers, BLOCK) * 0, BLOCK)
    if len(steps) <= 2 * slopes.shape[1]:
        return np.zeros(numbers.shape), 0.0
    weights, tiny = np.ones(len(steps)), np.finfo(float).tiny
    for _ in range(ROUNDS):
        found = np.linalg.lstsq(slopes * weights[:, None], steps * weights, rcond=None)[0]
        left = np.abs(steps - slopes @ found)
        spread = 1.4826 * float(np.median(left)) + tiny
        weights = np.maximum(1 - (left / (REJECTED * spread)) ** 2, 0)
    weighted = slopes * weights[:, None]
    errors = spread * np.sqrt(np.diagonal(np.linalg.pinv(weighted.T @ weighted)))
    return _light(found.astype(np.float64), numbers.shape), float(
        (np.abs(found) / np.maximum(errors, tiny)).max()
    )


def _pure(numbers: NDArray[Any], states: States) -> Floats:
    """Return the light under numbers of known states."""
    low, high = (_blocks(states, PURE_BLOCK, f).astype(np.int64) for f in (np.min, np.max))
    steps, slopes = _steps(numbers, np.where(low == high, low, -1), PURE_BLOCK)
    found = np.linalg.lstsq(slopes, steps, rcond=None)[0]
    return _light(found.astype(np.float64), numbers.shape)


def _steps(numbers: NDArray[Any], kinds: NDArray[Any], n_nodes: int) -> tuple[Floats, Floats]:
    """Return the differences of neighbouring blocks (n,), and those of the terms, (n, k)."""
    # Of blocks of one kind (*blocks); those below 0 are left out
    means = _blocks(numbers, n_nodes).astype(np.float64)
    terms = np.stack([_blocks(term, n_nodes) for term in _terms(numbers.shape)], axis=-1)
    steps, slopes = [], []
    for axis in range(kinds.ndim):
        kind, mean, term = (np.moveaxis(a, axis, 0) for a in (kinds, means, terms))
        alike = (kind[1:] == kind[:-1]) & (kind[1:] >= 0)
        steps.append((mean[1:] - mean[:-1])[alike])
        slopes.append((term[1:] - term[:-1])[alike])
    return np.concatenate(steps), np.concatenate(slopes)


def _light(found: Floats, shape: Shape) -> Floats:
    """Return the polynomial of these coefficients."""
    return np.asarray(sum(c * term for c, term in zip(found, _terms(shape), strict=True)))


def _terms(shape: Shape) -> list[Floats]:
    """Return the terms of a polynomial, of mean 0 over the nodes."""
    axes = np.meshgrid(*(np.linspace(-1, 1, n) for n in shape), indexing="ij")
    linear = [*axes, *(a * b for a, b in itertools.combinations_with_replacement(axes, 2))]
    return [term - term.mean() for term in linear]


def _blocks(
    values: NDArray[Any], n_nodes: int, reduce: Callable[..., Any] = np.mean
) -> NDArray[Any]:
    """Return the means of blocks of about so many nodes; rests at the ends are left out."""
    side = round(n_nodes ** (1 / values.ndim))
    sides = [min(side, n) for n in values.shape]
    inner = values[tuple(slice(n // s * s) for n, s in zip(values.shape, sides, strict=True))]
    parts = [k for n, s in zip(values.shape, sides, strict=True) for k in (n // s, s)]
    return np.asarray(reduce(inner.reshape(parts), axis=tuple(range(1, 2 * values.ndim, 2))))
