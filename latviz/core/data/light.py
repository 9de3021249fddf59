"""Uneven light: a polynomial under the numbers of a lattice, fitted robustly."""

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from latviz.core.progress import stop_if_unwanted

BLOCK = 64
"""Nodes of a block, of any states."""
SEEN = 1 << 13
"""Nodes, spread at random, that show which light is right."""
BINS = 40
"""Bins of a histogram, from the 1st to the 99th percentile."""
WIDTHS = 0.08, 0.02
"""Widths of the kernel that smooths it, in its span: the first skips small dents."""
LEVELS = 4
"""Levels of the neighbours of a node, in comparing lights."""
SECOND = 2
"""Degree of the polynomial, of which steps between blocks show little more."""
DEGREES, MOST_TERMS = (2, 4, 6, 8), 44
"""Degrees that the levels of neighbours show, in turn with them; the terms of two axes' highest."""
TURNS, REWEIGHTED = 12, 3
"""Of these levels and a light, and of the robust fit in each, which the next one continues."""
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


def robust_light(numbers: npt.NDArray[Any]) -> Floats:
    """Return the light under numbers, NaN if unknown, of any states; 0 if none is of use."""
    # Steps between blocks show light under large regions, as most blocks share their state with
    # their neighbours. Under fine patterns they mislead: steps up, up and far down look like a
    # slope with outliers. But there the numbers minus their light have few values, and noise: the
    # least entropy. Large regions are too few for this, as a wrong light makes them alike. Many
    # terms would mislead both. But the level of a node's neighbours stands for its state, which it
    # has no part in, and a light of many terms is found in turn with these levels
    differences, slopes = steps(numbers, None, BLOCK)
    known, n_terms = np.flatnonzero(~np.isnan(numbers)), slopes.shape[1]
    some = np.random.default_rng(0).choice(known, min(known.size, SEEN), replace=False)
    places = np.unravel_index(some, numbers.shape)
    seen = numbers[places].astype(np.float64)
    unit = float(np.ptp(seen))
    if len(differences) <= 2 * n_terms or unit == 0:
        return np.zeros(numbers.shape)
    nodes, none = _Nodes(numbers, places, unit), np.zeros(0)
    least = nodes.least_entropy(np.zeros(n_terms))
    best = min(none, least, fitted(slopes, differences / unit)[0], key=nodes.coded)
    return light_of(unit * nodes.in_turn(best), numbers.shape)


def _around(numbers: npt.NDArray[Any], places: tuple[npt.NDArray[np.intp], ...]) -> Floats:
    """Return the mean of the neighbours of nodes, with corners; mirrored at the border."""
    # A node whose neighbours are all unknown is its own
    (total, n_known), moves = np.zeros((2, len(places[0]))), (-1, 0, 1)
    steps_to = itertools.product(moves, repeat=len(places))
    for step in (one for one in steps_to if any(one)):
        moved = tuple(
            np.where((at + k >= 0) & (at + k < n), at + k, at - k if n > 1 else at)
            for at, k, n in zip(places, step, numbers.shape, strict=True)
        )
        near = numbers[moved]
        known = ~np.isnan(near)
        total[known] += near[known]
        n_known += known
    return np.where(n_known > 0, total / np.maximum(n_known, 1), numbers[places])


class _Nodes:
    """Some nodes, their neighbours and the terms of a light there."""

    def __init__(
        self, numbers: npt.NDArray[Any], places: tuple[npt.NDArray[np.intp], ...], unit: float
    ) -> None:
        self._values = numbers[places].astype(np.float64) / unit
        self._around = _around(numbers, places) / unit
        axes = [axis[at] for axis, at in zip(_axes(numbers.shape), places, strict=True)]
        sizes = (math.comb(len(axes) + k, k) - 1 for k in DEGREES)
        self._sizes = [size for size in sizes if size <= MOST_TERMS]
        some = itertools.islice(_products(axes, DEGREES[-1]), self._sizes[-1])
        terms_at = np.stack([*some], axis=-1)
        self._terms = terms_at - terms_at.mean(axis=0)

    def _light(self, light: Floats) -> Floats:
        return np.asarray(np.einsum("nk,k->n", self._terms[:, : len(light)], light))

    def _levels(self, light: Floats) -> npt.NDArray[np.intp]:
        """Return the level that the neighbours of each node are nearest to."""
        around = self._around - self._light(light)
        levels = np.quantile(around, (np.arange(LEVELS) + 0.5) / LEVELS)
        for _ in range(ROUNDS):
            near = np.searchsorted((levels[1:] + levels[:-1]) / 2, around)
            counts = np.bincount(near, minlength=LEVELS)
            sums = np.bincount(near, around, minlength=LEVELS)
            levels = np.sort(np.where(counts > 0, sums / np.maximum(counts, 1), levels))
        return near

    def coded(self, light: Floats) -> float:
        """Return the nats of a value, given the level of its neighbours, and of the light."""
        stop_if_unwanted()
        near, values = self._levels(light), self._values - self._light(light)
        low, span = _inner(values)
        bins = np.clip((values - low) / span * BINS, -BINS, 2 * BINS - 1).astype(np.intp) + BINS
        table = np.bincount(near * 3 * BINS + bins, minlength=LEVELS * 3 * BINS) / values.size
        shares = table.reshape(LEVELS, -1).sum(axis=1)
        price = len(light) * math.log(values.size) / (2 * values.size)
        return math.log(span / BINS) - _plogp(table) + _plogp(shares) + price

    def in_turn(self, light: Floats) -> Floats:
        """Return a light of more terms, found in turn with levels, if that is coded shorter."""
        best = light
        for n_terms in self._sizes:
            light, bits, columns = best, math.inf, self._terms[:, :n_terms]
            for _ in range(TURNS):
                near = self._levels(light)[:, None] == np.arange(LEVELS)
                both = np.concatenate([near, columns], axis=1)
                light, last = fitted(both, self._values, REWEIGHTED)[0][LEVELS:], bits
                bits = self.coded(light)
                best = min(best, light, key=self.coded)
                if bits >= last:
                    break
        return best

    def least_entropy(self, light: Floats) -> Floats:
        """Return the light of the least entropy that a start leads to."""
        for _ in range(ROUNDS):
            inner = _inner(self._values - self._light(light))
            for width in WIDTHS:
                bounds = [(c - inner[1], c + inner[1]) for c in light]
                found = scipy.optimize.minimize(
                    self._entropy, light, (*inner, width), "L-BFGS-B", jac=True, bounds=bounds
                )
                light = np.asarray(found.x, np.float64)
            if _inner(self._values - self._light(light))[1] > inner[1] / 2:
                break  # the bins are narrow enough
        return light

    def _entropy(
        self, light: Floats, low: float, span: float, width: float
    ) -> tuple[float, Floats]:
        """Return the entropy of the numbers minus a light, and its slope."""
        # Of a histogram that a kernel smooths, whose width is a share of the span. The two nearest
        # bins share each number, so the entropy has a slope
        stop_if_unwanted()
        kernel = np.exp(-((np.arange(-BINS // 4, BINS // 4 + 1) / (BINS * width)) ** 2) / 2)
        kernel /= kernel.sum()
        places = (self._values - self._light(light) - low) / span * BINS + 1.5 * BINS
        places = np.clip(places, 0, 4 * BINS - 2)
        first = places.astype(np.intp)
        high = places - first
        counts = np.bincount(first, 1 - high, minlength=4 * BINS)
        counts += np.bincount(first + 1, high, minlength=4 * BINS)
        shares = np.convolve(counts / high.size, kernel, "same")
        logs = np.log(np.maximum(shares, TINY))
        pulls = np.convolve(logs, kernel, "same")
        each = (pulls[first + 1] - pulls[first]) * BINS / (high.size * span)
        return float(math.log(span / BINS) - shares @ logs), np.einsum(
            "nk,n->k", self._terms[:, : len(light)], each
        )


def _inner(values: Floats) -> tuple[float, float]:
    """Return the start and the length of the range of all values but the outer 2 %."""
    low, high = np.percentile(values, [1, 99])
    return float(low), max(float(high - low), TINY)


def _plogp(shares: Floats) -> float:
    """Return the sum of p log p."""
    some = shares[shares > 0]
    return float(some @ np.log(some))


def fitted(columns: Floats, values: Floats, rounds: int = ROUNDS) -> tuple[Floats, Floats, float]:
    """Return coefficients of columns (n, k) by Tukey's biweight, weights and the spread."""
    weights, rounding = np.ones(len(values)), ROUNDING * float(np.abs(values).max()) + TINY
    fit, both = np.full(len(values), np.inf), np.column_stack([columns, values])
    for _ in range(rounds):
        stop_if_unwanted()
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
    middles = blocks(numbers, n_nodes, _median).astype(np.float64)
    if kinds is None:
        kinds = np.where(np.isnan(middles), -1, 0)
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


def _median(numbers: npt.NDArray[Any], axis: Shape) -> npt.NDArray[Any]:
    """Return the median of known numbers, NaN if there are none."""
    if not np.isnan(numbers).any():
        return np.asarray(np.median(numbers, axis))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(np.nanmedian(numbers, axis))


def light_of(coefficients: Floats, shape: Shape) -> Floats:
    """Return a polynomial of mean 0, (*shape)."""
    found = np.zeros(shape)
    for c, term in zip(coefficients, terms(_axes(shape), DEGREES[-1]), strict=False):
        found += c * term
    return np.asarray(found - found.mean())


def columns_of(shape: Shape, degree: int, step: int) -> Floats:
    """Return the terms of a polynomial at every ``step``-th node, (n, k)."""
    every = (np.broadcast_to(term, shape) for term in terms(_axes(shape), degree))
    return np.stack([term.reshape(-1)[::step] for term in every], axis=-1)


def terms(axes: Sequence[Floats], degree: int) -> Iterator[Floats]:
    """Yield the terms of a polynomial but 1, which broadcast over the nodes."""
    yield from _products(np.meshgrid(*axes, indexing="ij", sparse=True), degree)


def _products(factors: Sequence[Floats], degree: int) -> Iterator[Floats]:
    """Yield the products of 1 to ``degree`` factors."""
    for k in range(1, degree + 1):
        for some in itertools.combinations_with_replacement(factors, k):
            yield np.asarray(math.prod(some))


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
