"""The lattices that a picture is: one, or the slices of a volume, each a lattice of its own."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.fixed_point import FixedPoint, Lattice, to_fixed_point
from latviz.core.data.observations import Observations
from latviz.core.data.quantization import MergeTree
from latviz.core.model import evaluation, learning
from latviz.core.model.belief import entropy_of
from latviz.core.model.evaluation import Evaluation, Normalizer, local_alpha
from latviz.core.model.indices import count, inertia, local_inertia
from latviz.core.model.models import DiscreteModel, GaussianModel
from latviz.core.progress import Progress
from latviz.core.types import Nodes
from latviz.core.windows.parts import signatures_at
from latviz.core.windows.progressive import decode_in_bands
from latviz.engine.density import density
from latviz.engine.highlight import in_region
from latviz.engine.picture import Picture
from latviz.engine.projection import Corners
from latviz.engine.selection import Mask
from latviz.engine.space import Plane

Matrix = NDArray[np.float64]
States = NDArray[np.uint8]
Counts = NDArray[np.int64]
Model = DiscreteModel | GaussianModel


def observed(picture: Picture, encoding: Encoding) -> Observations:
    """Make observations of a picture.

    Raises
    ------
    ParameterError
        If it cannot be encoded like this.
    """
    return encode(
        picture.pixels,
        encoding,
        labels=picture.labels,
        dimensions=picture.dimensions,
        alphabet=picture.alphabet,
    )


@dataclass(frozen=True, eq=False)
class Lattices:
    """The data set of a picture, and what windows and neighbours are asked for of it.

    Results are arrays of the picture's shape, (*shape) or (*shape, ...), however many lattices
    there are. Windows and neighbours never reach from one lattice into another.

    Attributes
    ----------
    observations : Observations
        Of the whole picture.
    parts : tuple
        The lattices: symbols, or vectors in fixed point.
    apart : bool
        Whether they are the slices of a volume; otherwise there is one.
    """

    observations: Observations
    parts: tuple[Lattice, ...]
    apart: bool

    @classmethod
    def of(cls, observations: Observations, apart: bool) -> "Lattices":
        """Put observations into fixed point, slice by slice if they are to be apart."""
        arrays = tuple(observations.values) if apart else (observations.values,)
        if observations.discrete:
            return cls(observations, arrays, apart)
        return cls(observations, tuple(to_fixed_point(values) for values in arrays), apart)

    @property
    def whole(self) -> Lattice:
        """The one lattice, or the first with the range of values of all."""
        first = self.parts[0]
        if len(self.parts) == 1 or not isinstance(first, FixedPoint):
            return first
        ranges = [(p.low, p.high) for p in self.parts if isinstance(p, FixedPoint)]
        low, high = (np.array(ends) for ends in zip(*ranges, strict=True))
        return replace(first, low=low.min(axis=0), high=high.max(axis=0))

    @property
    def shape(self) -> tuple[int, ...]:
        """The picture's."""
        values = self.observations.values
        return values.shape if self.observations.discrete else values.shape[:-1]

    @property
    def dimensions(self) -> int:
        """The d of each lattice."""
        return len(self.shape) - self.apart

    def cut(self, array: NDArray[Any]) -> list[NDArray[Any]]:
        """Return an array of the picture as one for each lattice."""
        return list(array) if self.apart else [array]

    def joined(self, arrays: list[NDArray[Any]]) -> NDArray[Any]:
        """Return an array for each lattice as one of the picture."""
        return np.stack(arrays) if self.apart else arrays[0]

    def _each(self, make: Callable[[Lattice], NDArray[Any]]) -> NDArray[Any]:
        return self.joined([make(part) for part in self.parts])

    def signatures_at(self, window: int, nodes: Nodes) -> NDArray[np.float32]:
        """Return the signatures at some nodes of `stratified_nodes`, shape (n, M)."""
        n_symbols = self.observations.n_symbols
        if not self.apart:
            return signatures_at(self.parts[0], n_symbols, window, nodes)
        slices, *inner = nodes
        ends = np.searchsorted(slices, np.arange(len(self.parts) + 1))
        found = [
            signatures_at(part, n_symbols, window, tuple(axis[a:b] for axis in inner))
            for part, a, b in zip(self.parts, ends[:-1], ends[1:], strict=True)
            if b > a
        ]
        return np.concatenate(found)

    def learn_tree(self, window: int, watch: Progress) -> MergeTree:
        """Return the merge tree of all signatures."""
        return learning.learn_tree(self.parts, self.observations.n_symbols, window, watch)

    def decode(self, codebook: Matrix, window: int, watch: Progress) -> States:
        """Return the state of each node."""
        return self._each(lambda part: decode_in_bands(part, codebook, window, watch))

    def count(self, states: States, n_states: int) -> tuple[Counts, Counts]:
        """Return A' and the number of nodes in each state."""
        return count(self.cut(states), n_states)

    def covariances(self, states: States, means: Matrix) -> tuple[Matrix, float]:
        """Return Sigma and its ridge."""
        vectors = self.cut(self.observations.values)
        return learning.covariances(vectors, self.cut(states), means)

    def inertia(self, states: States, n_states: int, window: int) -> float:
        """Return the mean over all nodes."""
        return inertia(self.cut(states), n_states, window)

    def local_inertia(self, states: States, n_states: int, window: int) -> NDArray[np.float32]:
        """Return the inertia of each node's window."""
        parts = self.cut(states)
        return self.joined([local_inertia(part, n_states, window) for part in parts])

    def evaluate(self, model: Model, states: States, normalizer: Normalizer) -> Evaluation:
        """Return the evaluation of a decoding under alpha = 1."""
        pairs = zip(self.cut(self.observations.values), self.cut(states), strict=True)
        parts = [model.evaluate_states(values, part, normalizer) for values, part in pairs]
        return evaluation.stacked(parts) if self.apart else parts[0]

    def local_alpha(self, states: States, n_states: int, window: int, base: float) -> Matrix:
        """Return alpha of each node by the inertia of its evaluation window."""
        return self.joined([local_alpha(part, n_states, window, base) for part in self.cut(states)])

    def entropy(self, model: Model, window: int, watch: Progress) -> NDArray[np.float32]:
        """Return the entropy of each node's belief state."""
        return self._each(lambda part: entropy_of(model, part, window, watch))

    def density(self, window: int, plane: Plane) -> Counts:
        """Count all signatures in the bins of a plane."""
        return np.asarray(sum(density(part, window, plane) for part in self.parts))

    def in_region(self, window: int, plane: Plane, corners: Corners, watch: Progress) -> Mask:
        """Return whose signatures are drawn inside a polygon."""
        n_symbols = self.observations.n_symbols
        return self._each(lambda part: in_region(part, n_symbols, window, plane, corners, watch))
