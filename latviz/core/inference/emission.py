"""What a node's observation says of its state, on its own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.lattice import frozen
from latviz.core.types import Matrix

FLOOR = 2.0**-60
"""The least likelihood of an observation under a state, as a share of that of the likeliest."""
Sizes = tuple[int, int, int, int]
"""The number of axes, of tiles, of rows and of states: D, T, R, N, as `kernels.chains` has them."""
Tiles = NDArray[np.float32]
"""A number for each state of each node, flat, (T R N 8,)."""


class Emission(ABC):
    """The distribution of an observation under each state."""

    n_states: int

    @abstractmethod
    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write how likely each observation is under each state, as a share of the likeliest.

        Parameters
        ----------
        values : ndarray, shape (R, W) or (R, W, M)
            A lattice's observations by row.
        sizes : tuple of int
            Of the tiles.
        out : ndarray, shape (T R N 8,), float32
            From `FLOOR` to 1.

        Returns
        -------
        float
            The sum over all nodes of the log-likelihood under the likeliest state, in nats: -inf if
            an observation is impossible under all states, which says nothing of its state.
        """


@dataclass(frozen=True, eq=False)
class SymbolEmission(Emission):
    """Symbols by their distributions B (N, M)."""

    B: Matrix

    @property
    def n_states(self) -> int:  # type: ignore[override]
        """N."""
        return len(self.B)

    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write the likelihoods of symbols (R, W)."""
        most = self.B.max(axis=0)
        shares = np.divide(self.B, most, out=np.ones_like(self.B), where=most > 0)
        table = np.ascontiguousarray(np.maximum(shares, FLOOR).T, dtype=np.float32)
        symbols = frozen(values)
        threads.over_rows(
            sizes[1], lambda a, b: kernels.marginals.of_symbols(symbols, table, sizes, a, b, out)
        )
        counts = np.bincount(symbols.reshape(-1), minlength=len(most))
        seen = counts > 0
        with np.errstate(divide="ignore"):
            return float(counts[seen] @ np.log(most[seen]))


@dataclass(frozen=True, eq=False)
class NormalEmission(Emission):
    """Vectors by normal densities, ``normals`` (N, P) as `lanes.log_densities_of_row` has them."""

    normals: Matrix

    @property
    def n_states(self) -> int:  # type: ignore[override]
        """N."""
        return len(self.normals)

    def likelihoods(self, values: NDArray[Any], sizes: Sizes, out: Tiles) -> float:
        """Write the likelihoods of vectors (R, W, M)."""
        vectors, tops = frozen(values), np.empty(len(values))
        threads.over_rows(
            len(values),
            lambda a, b: kernels.marginals.of_vectors(
                vectors, self.normals, sizes, a, b, out, tops
            ),
        )
        return float(tops.sum())
