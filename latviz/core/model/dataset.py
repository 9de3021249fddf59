"""A data set as what is summed over windows, and a codebook from a sample of its signatures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import as_vectors, same_dimensions
from latviz.core.choice.context import Context
from latviz.core.data.fixed_point import FixedPoint, to_fixed_point
from latviz.core.data.lattice import (
    Shape,
    as_lattices,
    check_integer,
    check_symbols,
    frozen,
    middle_of,
)
from latviz.core.errors import ParameterError
from latviz.core.model.learning import learn_tree
from latviz.core.model.quantization import MergeTree, fast_pnn
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.parts import Lattice, around, shape_of
from latviz.core.windows.stratified import SAMPLE, SAMPLE_EXACT, stratified_nodes

Kind = Literal["discrete", "gaussian"]
Where = tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, eq=False)
class DataSet:
    """Lattices that were checked.

    Attributes
    ----------
    lattices : tuple of ndarray, shape (*shape), or FixedPoint
        Symbols 0..M-1, or vectors; all of the same dimension and number of channels.
    n_symbols : int
        M.
    """

    lattices: tuple[Lattice, ...]
    n_symbols: int
    _contexts: dict[int, Context] = field(default_factory=dict, init=False, repr=False)

    @property
    def kind(self) -> Kind:
        """Which variant of the model is for it."""
        return "gaussian" if isinstance(self.lattices[0], FixedPoint) else "discrete"

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of the lattices."""
        return [shape_of(lattice) for lattice in self.lattices]

    @property
    def n_nodes(self) -> int:
        """U, the number of nodes over all lattices."""
        return sum(int(np.prod(shape)) for shape in self.shapes)

    def context(self, distance: int) -> Context:
        """Return its nodes with those at some distance."""
        if distance not in self._contexts:
            self._contexts[distance] = Context(self.lattices, self.n_symbols, distance)
        return self._contexts[distance]

    def middle(self, most: int) -> "DataSet":
        """Return the middle of its lattices, with about ``most`` nodes in all, or itself."""
        if self.n_nodes <= most:
            return self
        (some,) = middle_of((len(self.lattices),), most * len(self.lattices) // self.n_nodes)
        kept = self.lattices[some]
        size = max(1, most // len(kept))
        parts = (around(o, middle_of(shape_of(o), size), 0)[0] for o in kept)
        return DataSet(tuple(parts), self.n_symbols)

    def sample(self, size: int = SAMPLE) -> list[Where]:
        """Return about ``size`` nodes, spread evenly over each lattice, axis by axis."""
        share = size / self.n_nodes
        return [_spread(shape, max(1, round(share * np.prod(shape)))) for shape in self.shapes]

    def learn(self, window: int) -> MergeTree:
        """Return the merge tree of a sample of signatures, or of all where there are few."""
        if self.n_nodes <= SAMPLE or len(self.shapes[0]) > 3:
            return learn_tree(self.lattices, self.n_symbols, window)
        parts = [
            totals_at(lattice, self.n_symbols, window, where).signatures()
            for lattice, where in zip(self.lattices, self.sample(), strict=True)
        ]
        return fast_pnn(np.concatenate(parts), n_exact=SAMPLE_EXACT)


@lru_cache(maxsize=64)
def _spread(shape: Shape, size: int) -> Where:
    """Return nodes of a lattice of any dimension: one in each cell of its rows and columns."""
    rows, columns = stratified_nodes((int(np.prod(shape[:-1])), shape[-1]), size)
    places = np.unravel_index(rows * shape[-1] + columns, shape)
    return tuple(frozen(axis.astype(np.int64)) for axis in places)


def as_dataset(
    observations: Any, kind: str, n_symbols: int | None = None, scalar: bool = False
) -> DataSet:
    """Check a data set of one lattice or a list of them.

    Raises
    ------
    ParameterError
        If the kind is neither "discrete" nor "gaussian", or a lattice is not of it.
    """
    if kind not in get_args(Kind):
        raise ParameterError(f"kind must be 'discrete' or 'gaussian', got {kind!r}")
    lattices = same_dimensions(as_lattices(observations))
    if kind == "discrete":
        if n_symbols is None:
            n_symbols = max(int(lattice.max()) for lattice in lattices) + 1
        return DataSet(tuple(check_symbols(o, n_symbols) for o in lattices), n_symbols)
    vectors = [as_vectors(lattice, scalar) for lattice in lattices]
    channels = {array.shape[-1] for array in vectors}
    if len(channels) > 1:
        raise ParameterError(f"lattices must have the same channels, got {sorted(channels)}")
    return DataSet(tuple(to_fixed_point(array) for array in vectors), channels.pop())


def as_sizes(name: str, values: Sequence[int], low: int, high: int | None = None) -> list[int]:
    """Return distinct integers in order, or raise `ParameterError` if there are none or others."""
    found = sorted({check_integer(f"each of {name}", value, low, high) for value in values})
    if not found:
        raise ParameterError(f"{name} must hold one number or more, got none")
    return found
