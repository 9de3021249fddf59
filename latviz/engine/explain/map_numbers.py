"""A pixel's numbers in the maps of doubt and resemblance, computed from the definitions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.engine.explain.explanation import Explanation, Node, around, density, summed
from latviz.engine.frames.frame import Frame

MOST_NODES = 1 << 20
"""Most nodes for computing the variance of residuals while the user waits."""

Floats = NDArray[np.float64]


def belief_of(frame: Frame, found: Explanation) -> Floats:
    """Return the distribution over states whose entropy is the doubt of a pixel, (N,)."""
    # By belief it is the pixel's own; by the nearest codeword its window's: proportional to the
    # probability of all symbols in the window, of vectors to the density of their mean
    if found.product is not None:
        return found.product.belief
    counts, total, n_pixels = summed(frame, found.node, frame.request.parameters.window)
    if frame.observations.discrete:
        bits = _bits_of_symbols(frame, counts)
    else:
        mean = total / n_pixels
        model = frame.decoding_model
        bits = np.array([density(model, mean, q, n_pixels) for q in range(len(frame.slots))])
    belief = np.exp2(bits - bits.max())
    return np.asarray(belief / belief.sum())


def entropy(belief: Floats) -> float:
    """Return the entropy of a distribution, in bits."""
    shares = belief[belief > 0]
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def _bits_of_symbols(frame: Frame, counts: NDArray[np.int64]) -> Floats:
    """Return log2 of the probability of a window's symbols in each state, (N,)."""
    # A state in which more of them are impossible than in another one has none.
    B = np.asarray(frame.decoding_model.B, dtype=np.float64)  # type: ignore[union-attr]
    impossible = (counts * (B == 0)).sum(axis=1)
    bits = (counts * np.log2(np.where(B > 0, B, 1.0))).sum(axis=1)
    return np.where(impossible == impossible.min(), bits, -np.inf)


@dataclass(frozen=True)
class Resemblance:
    """The correlation of a pixel's residual with its neighbours'."""

    products: tuple[float, ...]  # of its residual with that of each neighbour
    variance: float  # mean square of all residuals

    @property
    def value(self) -> float:
        """The mean product in units of the variance."""
        return sum(self.products) / len(self.products) / self.variance


def resemblance_of(frame: Frame, node: Node) -> Resemblance | None:
    """Return the correlation of a pixel with its neighbours; None if unknown."""
    # A residual is a pixel less the mean of its state's pixels: of symbols shares, of vectors
    # channels in units of their deviation
    neighbours = [at for _, at in around(frame, node)]
    if frame.states.size > MOST_NODES or not neighbours:
        return None
    apart = frame.request.parameters.slices_apart and frame.states.ndim == 3
    values, states = frame.observations.values, frame.states
    parts = [*zip(values, states, strict=True)] if apart else [(values, states)]
    means = [_Means.of(frame, *part) for part in parts]
    variance = sum(one.squares for one in means) / states.size
    if variance == 0:
        return None
    own = means[node[0] if apart else 0]  # neighbours are in the same lattice
    here, *there = (own.residual(values[at], int(states[at])) for at in (node, *neighbours))
    return Resemblance(tuple(float(here @ other) for other in there), variance)


@dataclass(frozen=True)
class _Means:
    """Shares of symbols or means of channels, (N, M), by units, (M,); all residuals' squares."""

    table: Floats
    units: Floats | None
    squares: float

    @classmethod
    def of(cls, frame: Frame, values: NDArray[Any], states: NDArray[Any]) -> "_Means":
        """Take them of a lattice."""
        n, own = len(frame.slots), states.reshape(-1).astype(np.intp)
        sizes = np.bincount(own, minlength=n)
        if frame.observations.discrete:
            m = frame.observations.n_symbols
            counts = np.bincount(own * m + values.reshape(-1), minlength=n * m).reshape(n, m)
            table = counts / np.maximum(sizes, 1)[:, None]
            return cls(
                table, None, float((sizes * (1.0 - (table**2).sum(axis=1)))[sizes > 0].sum())
            )
        rows = np.asarray(values, dtype=np.float64).reshape(own.size, -1)
        deviations = rows.std(axis=0)
        units = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
        rows *= units
        sums = [np.bincount(own, channel, minlength=n) for channel in rows.T]
        table = np.stack(sums, axis=1) / np.maximum(sizes, 1)[:, None]
        return cls(table, units, float(((rows - table[own]) ** 2).sum()))

    def residual(self, value: NDArray[Any], state: int) -> Floats:
        """Return a pixel's observation minus the mean of its state, (M,)."""
        if self.units is None:
            return np.asarray(np.eye(self.table.shape[1])[int(value)] - self.table[state])
        return np.asarray(np.asarray(value, dtype=np.float64) * self.units - self.table[state])
