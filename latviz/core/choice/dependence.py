"""Dependence: resemblance of neighbours beyond their states.

The model takes observations as independent given the states. Inside sharp regions the
autocorrelation then falls in a straight line from its value at one step. Where it falls faster at
first, or hardly at first, as in photographs and in filtered features, neighbours tell more of each
other than their states do.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import FixedPoint, Lattice
from latviz.core.progress import Progress, stop_if_told
from latviz.core.types import Floats

BEND = 0.035
"""Excess over a line by which the autocorrelation may fall in its first step, relative to it."""
MOST = {"discrete": 1.01, "gaussian": 0.985}
"""Greatest autocorrelation at no distance to which the line may lead, by the kind of data.

That of vectors is lower: vectors without noise are no draws from a density.
"""


def independent(data: DataSet, progress: Progress | None = None) -> bool:
    """Tell from the autocorrelation at 1 to 4 steps whether states alone can be behind it.

    No answer, as there is no correlation or no lattice is long enough, means yes. ``progress`` may
    cancel; then `Cancelled` is raised.
    """
    rho, error = autocorrelation(data, 4, progress)
    if not np.isfinite(rho).all() or rho[0] <= 3 * error:
        return True
    bend = (rho[0] - rho[1]) - (rho[1] - rho[3]) / 2
    straight = bend <= BEND * rho[0] + 4 * error
    return bool(straight and 2 * rho[0] - rho[1] <= MOST[data.kind] + 3 * error)


def autocorrelation(
    data: DataSet, most: int, progress: Progress | None = None
) -> tuple[Floats, float]:
    """Return the mean autocorrelation at 1 to ``most`` steps along the axes, and its error.

    Of symbols it is that of their one-hot vectors, of vectors that of their scaled channels. Steps
    that no lattice is long enough for give NaN.
    """
    rho, n_pairs = _correlation(map(_centred, data.lattices), most, progress)
    free = max(1, data.n_symbols - (data.kind == "discrete"))
    return rho, 1.0 / float(np.sqrt(max(1.0, n_pairs[0]) * free))


def _correlation(
    rests: Iterable[NDArray[np.float32]], most: int, progress: Progress | None
) -> tuple[Floats, Floats]:
    """Return the mean correlation at 1 to ``most`` steps, and the number of pairs of each."""
    sums, n_pairs = np.zeros(most), np.zeros(most)
    variance, n_nodes = 0.0, 0
    for rest in rests:
        variance += float((rest**2).sum(dtype=np.float64))
        n_nodes += rest[..., 0].size
        for axis in range(rest.ndim - 1):
            along = np.moveaxis(rest, axis, 0)
            for step in range(1, min(most, len(along) - 1) + 1):
                stop_if_told(progress)
                products = along[step:] * along[:-step]
                sums[step - 1] += float(products.sum(dtype=np.float64))
                n_pairs[step - 1] += along[step:, ..., 0].size
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums / n_pairs / (variance / n_nodes), n_pairs


def _centred(lattice: Lattice) -> NDArray[np.float32]:
    if isinstance(lattice, FixedPoint):
        values = lattice.values * lattice.scales
        spread = values.reshape(-1, values.shape[-1]).std(axis=0)
        values = values / np.where(spread > 0, spread, 1.0)
    else:
        used = np.unique(lattice)  # the others are 0 everywhere
        values = np.eye(used.size)[np.searchsorted(used, lattice)]
    mean = values.reshape(-1, values.shape[-1]).mean(axis=0)
    return np.asarray(values - mean, dtype=np.float32)
