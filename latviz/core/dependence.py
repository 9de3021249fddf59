"""How far neighbours resemble each other beyond their states.

The model takes observations as independent given the states. Inside sharp regions the
autocorrelation then falls in a straight line from its value at one step. Where it falls faster at
first, or hardly at first, as in photographs and in filtered features, neighbours tell more of each
other than their states do.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.code_length import States
from latviz.core.dataset import DataSet
from latviz.core.fixed_point import FixedPoint
from latviz.core.parts import Lattice
from latviz.core.progress import Cancelled, Progress

Floats = NDArray[np.float64]

BEND = 0.035
"""How much faster than a line the autocorrelation may fall in its first step, relative to it."""
MOST = {"discrete": 1.01, "gaussian": 0.985}
"""Where the line may meet no distance at all: vectors without noise are no draws from a density."""
SMALL = 0.05
"""Residual autocorrelation that counts as none."""
_REGION = 1 << 20

Likeness = Callable[[tuple[slice, ...], tuple[slice, ...]], float]


def reach_of_dependence(
    data: DataSet, states: list[States], most: int, progress: Progress | None = None
) -> int:
    """Return how far neighbours resemble each other beyond their states, 0 to ``most``.

    Parameters
    ----------
    data : DataSet
    states : list of ndarray, shape (*shape), uint8
        Fairly coarse states, of large windows; what they do not explain is correlated.
    most : int
        The largest answer.
    progress : Progress, optional
        May cancel; then `Cancelled` is raised.
    """
    rho, error = autocorrelation(data, 4, None, progress)
    if independent(rho, error, MOST[data.kind]):
        return 0
    residual, _ = autocorrelation(data, most, states, progress)
    small = np.flatnonzero(residual <= SMALL)
    return int(small[0]) + 1 if small.size else most


def independent(rho: Floats, error: float, most: float) -> bool:
    """Tell from the autocorrelation at 1 to 4 steps whether states alone can be behind it.

    ``error`` is the standard error of each, ``most`` as in `MOST`. No answer (NaN, or no
    correlation) means yes.
    """
    if not np.isfinite(rho).all() or rho[0] <= 3 * error:
        return True
    bend = (rho[0] - rho[1]) - (rho[1] - rho[3]) / 2
    straight = bend <= BEND * rho[0] + 4 * error
    return bool(straight and 2 * rho[0] - rho[1] <= most + 3 * error)


def autocorrelation(
    data: DataSet,
    most: int,
    states: list[States] | None = None,
    progress: Progress | None = None,
) -> tuple[Floats, float]:
    """Return the mean autocorrelation at 1 to ``most`` steps along the axes, and its error.

    Of symbols it is that of their one-hot vectors, of vectors that of their scaled channels. With
    ``states`` it is that of the residuals, what is left after the mean of each state. Steps that no
    lattice is long enough for give NaN.
    """
    sums, n_pairs = np.zeros(most), np.zeros(most)
    variance, n_nodes = 0.0, 0
    for k, lattice in enumerate(data.lattices):
        residuals = _residuals(lattice, data.n_symbols, None if states is None else states[k])
        variance += float((residuals**2).sum())
        n_nodes += residuals[..., 0].size
        for axis in range(residuals.ndim - 1):
            along = np.moveaxis(residuals, axis, 0)
            for step in range(1, min(most, len(along) - 1) + 1):
                if progress is not None and progress.cancelled():
                    raise Cancelled
                products = along[step:] * along[:-step]
                sums[step - 1] += float(products.sum(dtype=np.float64))
                n_pairs[step - 1] += along[step:, ..., 0].size
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = sums / n_pairs / (variance / n_nodes)
    free = max(1, data.n_symbols - (data.kind == "discrete"))
    return rho, 1.0 / float(np.sqrt(max(1.0, n_pairs[0]) * free))


def _residuals(lattice: Lattice, n_symbols: int, states: States | None) -> NDArray[np.float32]:
    """Return what the states' means leave of a lattice, or of its middle if it is large."""
    shape = lattice.values.shape[:-1] if isinstance(lattice, FixedPoint) else lattice.shape
    middle = _middle(shape)
    if isinstance(lattice, FixedPoint):
        values = lattice.values[middle] * lattice.scales
        spread = values.reshape(-1, values.shape[-1]).std(axis=0)
        values = values / np.where(spread > 0, spread, 1.0)
    else:
        values = np.eye(n_symbols)[lattice[middle]]
    flat = values.reshape(-1, values.shape[-1]).astype(np.float32)
    of = np.zeros(len(flat), np.uint8) if states is None else states[middle].reshape(-1)
    sizes = np.maximum(np.bincount(of), 1)
    means = np.stack([np.bincount(of, channel) / sizes for channel in flat.T], axis=1)
    rest: NDArray[np.float32] = (flat - means[of]).astype(np.float32).reshape(values.shape)
    return rest


def _middle(shape: tuple[int, ...]) -> Any:
    """Return the middle of a lattice, of about a million nodes if it has more."""
    shrink = min(1.0, (_REGION / np.prod(shape, dtype=float)) ** (1 / len(shape)))
    lengths = [max(1, int(length * shrink)) for length in shape]
    return tuple(
        slice((length - n) // 2, (length - n) // 2 + n)
        for length, n in zip(shape, lengths, strict=True)
    )
