"""Uneven light: a polynomial under the numbers of a lattice, fitted robustly."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 64
"""Nodes of a block, of any states."""
SECOND = 2
"""Degree of the polynomial, of which steps between blocks show little more."""
ROUNDS, ROUNDING, TINY = 20, 1e-9, 1e-300
"""Of the robust fit; its least spread, as a share of the largest value; more than nothing."""
STRETCH = 128
"""Rows of a product, too few for the threads of OpenBLAS, which would wait for each other."""
STILL = 1e-3
"""Robust standard deviations: a fit that moves no value by more has ended."""
REJECTED = 4.685
"""Robust standard deviations from which values do not count (Tukey: 95 % efficient)."""

Floats = npt.NDArray[np.float64]
Shape = tuple[int, ...]


def robust_light(numbers: npt.NDArray[Any]) -> tuple[Floats, float]:
    """Return the light under numbers of any states, and its clearest term in standard errors."""
    # Neighbouring blocks mostly share their states: other differences are outliers
    differences, slopes = steps(numbers, None, BLOCK)
    if len(differences) <= 2 * slopes.shape[1]:
        return np.zeros(numbers.shape), 0.0
    found, weights, spread = fitted(slopes, differences)
    weighted = slopes * weights[:, None]
    variances = np.diagonal(np.linalg.pinv(weighted.T @ weighted))
    # A term that these blocks do not show, such as a square of two, has neither size nor error
    shown = variances > ROUNDING * variances.max()
    errors = np.maximum(spread * np.sqrt(variances[shown]), TINY)
    clear = float((np.abs(found[shown]) / errors).max(initial=0.0))
    return light_of(found, numbers.shape), clear


def fitted(columns: Floats, values: Floats) -> tuple[Floats, Floats, float]:
    """Return coefficients of columns (n, k) by Tukey's biweight, weights and the spread."""
    weights, rounding = np.ones(len(values)), ROUNDING * float(np.abs(values).max()) + TINY
    fit, both = np.full(len(values), np.inf), np.column_stack([columns, values])
    for _ in range(ROUNDS):
        products = _squared(both * np.sqrt(weights)[:, None])
        found = np.linalg.lstsq(products[:-1, :-1], products[:-1, -1], rcond=None)[0]
        last, fit = fit, np.einsum("nk,k->n", columns, found)
        left = np.abs(values - fit)
        spread = 1.4826 * float(np.median(left)) + rounding
        weights = np.maximum(1 - (left / (REJECTED * spread)) ** 2, 0) ** 2
        if np.abs(fit - last).max() <= STILL * spread:
            break
    return np.asarray(found, np.float64), weights, spread


def _squared(rows: Floats) -> Floats:
    """Return the sum over rows (n, k) of their products with themselves, (k, k)."""
    even = len(rows) // STRETCH * STRETCH
    whole = rows[:even].reshape(-1, STRETCH, rows.shape[1])
    rest = rows[even:]
    return np.asarray((whole.transpose(0, 2, 1) @ whole).sum(axis=0) + rest.T @ rest)


def steps(
    numbers: npt.NDArray[Any], kinds: npt.NDArray[np.int64] | None, n_nodes: int
) -> tuple[Floats, Floats]:
    """Return the differences of neighbouring blocks (n,), and those of the terms, (n, k)."""
    # Of the medians of blocks of one kind (*blocks); those below 0 are left out. None: all of one
    middles = blocks(numbers, n_nodes, np.median).astype(np.float64)
    if kinds is None:
        kinds = np.zeros(middles.shape, np.int64)
    side = round(n_nodes ** (1 / numbers.ndim))
    axes = [_middles(line, min(side, line.size)) for line in _axes(numbers.shape)]
    at = np.stack([np.broadcast_to(one, kinds.shape) for one in terms(axes, SECOND)], axis=-1)
    differences, slopes = [], []
    for axis in range(kinds.ndim):
        kind, middle, term = (np.moveaxis(a, axis, 0) for a in (kinds, middles, at))
        alike = (kind[1:] == kind[:-1]) & (kind[1:] >= 0)
        differences.append((middle[1:] - middle[:-1])[alike])
        slopes.append((term[1:] - term[:-1])[alike])
    return np.concatenate(differences), np.concatenate(slopes)


def light_of(coefficients: Floats, shape: Shape, degree: int = SECOND) -> Floats:
    """Return a polynomial of mean 0, (*shape)."""
    found = np.zeros(shape)
    for c, term in zip(coefficients, terms(_axes(shape), degree), strict=True):
        found += c * term
    return np.asarray(found - found.mean())


def columns_of(shape: Shape, degree: int, step: int) -> Floats:
    """Return the terms of a polynomial at every ``step``-th node, (n, k)."""
    every = (np.broadcast_to(term, shape) for term in terms(_axes(shape), degree))
    return np.stack([term.reshape(-1)[::step] for term in every], axis=-1)


def terms(axes: Sequence[Floats], degree: int) -> Iterator[Floats]:
    """Yield the terms of a polynomial but 1, which broadcast over the nodes."""
    grid = np.meshgrid(*axes, indexing="ij", sparse=True)
    for k in range(1, degree + 1):
        for factors in itertools.combinations_with_replacement(grid, k):
            yield np.asarray(math.prod(factors))


def _middles(line: Floats, side: int) -> Floats:
    """Return the means of blocks of coordinates."""
    return np.asarray(line[: line.size // side * side].reshape(-1, side).mean(axis=1))


def _axes(shape: Shape) -> list[Floats]:
    return [np.linspace(-1, 1, n) for n in shape]


def blocks(values: npt.NDArray[Any], n_nodes: int, reduce: Callable[..., Any]) -> npt.NDArray[Any]:
    """Reduce blocks of about that many nodes; rests at the ends are left out."""
    side = round(n_nodes ** (1 / values.ndim))
    sides = [min(side, n) for n in values.shape]
    inner = values[tuple(slice(n // s * s) for n, s in zip(values.shape, sides, strict=True))]
    parts = [k for n, s in zip(values.shape, sides, strict=True) for k in (n // s, s)]
    return np.asarray(reduce(inner.reshape(parts), axis=tuple(range(1, 2 * values.ndim, 2))))
