"""The stages from a picture to a merge tree: observations, a sample of signatures, learning."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.observations import Observations
from latviz.core.data.quantization import N_EXACT, fast_pnn
from latviz.core.types import Nodes
from latviz.core.windows.nodes import Totals, totals_at
from latviz.core.windows.stratified import SAMPLE_EXACT, stratified_nodes
from latviz.engine.fitting import check_fits
from latviz.engine.frame import Request
from latviz.engine.lattices import Lattices, observed
from latviz.engine.sample_size import LARGE, sample_size
from latviz.engine.stages import Learned, Listener, Watch

Key = tuple[Hashable, ...]
Stage = Callable[[str, Hashable, Callable[[], Any]], Any]


@dataclass(frozen=True, eq=False)
class Source:
    """What one request learns from.

    Attributes
    ----------
    lattices : Lattices
        The observations, as windows are summed over them.
    key : tuple
        What the lattices depend on.
    stage : callable
        Takes a name, a key and what to compute unless it is remembered under that key.
    """

    request: Request
    listener: Listener
    observations: Observations
    lattices: Lattices
    key: Key
    stage: Stage

    @classmethod
    def of(cls, request: Request, listener: Listener, stage: Stage) -> "Source":
        """Encode the request's picture.

        Raises
        ------
        ParameterError
            If it cannot be encoded as asked.
        """
        picture, parameters = request.picture, request.parameters
        apart = parameters.slices_apart and len(picture.shape) == 3
        encoded = (picture, parameters.encoding)

        def encode() -> Observations:
            check_fits(request)
            return observed(picture, parameters.encoding)

        found: Observations = stage("encoding", encoded, encode)
        key = (*encoded, apart)
        lattices = stage("lattice", key, lambda: Lattices.of(found, apart))
        return cls(request, listener, found, lattices, key, stage)

    @property
    def is_large(self) -> bool:
        """Whether it is an image that is shown coarsely first."""
        picture = self.request.picture
        return len(picture.shape) == 2 and picture.n_nodes > LARGE

    @property
    def window(self) -> int:
        """The half-width w_l."""
        return self.request.parameters.effective_learning_window

    @property
    def size(self) -> int:
        """How many signatures the sample has, about."""
        return self.size_at(self.window)

    def size_at(self, window: int) -> int:
        """Return how many signatures to learn from at a window."""
        shape, observations = self.request.picture.shape, self.observations
        n_channels = 1 if observations.discrete else observations.n_symbols
        return sample_size(shape, window, self.request.sample, n_channels)

    @property
    def sample_key(self) -> Key:
        """What the sample depends on."""
        return (*self.key, self.window, self.size)

    @property
    def nodes(self) -> Nodes:
        """Where the sample is, axis by axis."""
        shape, size = self.request.picture.shape, self.size
        nodes: Nodes = self.stage("nodes", (shape, size), lambda: stratified_nodes(shape, size))
        return nodes

    def signatures(self) -> NDArray[np.float32]:
        """Return the sample, shape (n, M)."""
        nodes = self.nodes

        def compute() -> NDArray[np.float32]:
            if self.is_large:
                return self.totals().signatures()
            return self.lattices.signatures_at(self.window, nodes)

        found: NDArray[np.float32] = self.stage("sample", self.sample_key, compute)
        return found

    def totals(self) -> Totals:
        """Return the sums over the windows of the sample."""
        lattice, nodes = self.lattices.whole, self.nodes
        found: Totals = self.stage(
            "sample totals",
            self.sample_key,
            lambda: totals_at(lattice, self.observations.n_symbols, self.window, nodes),
        )
        return found

    def learned(self, knows: Callable[[str, Hashable], bool]) -> Learned:
        """Return the merge tree: the complete one if it is asked for or there already.

        ``knows`` tells whether a stage remembers a value under a key.
        """
        key, n_nodes = (*self.key, self.window), self.request.picture.n_nodes
        complete = self.request.complete or knows("complete tree", key)
        found: Learned
        if complete and n_nodes > self.size:
            found = self.stage("complete tree", key, lambda: self._learn_from_all(key))
        else:
            found = self.stage("tree", self.sample_key, lambda: self._learn_from_sample(key))
        return found

    def _learn_from_all(self, key: Key) -> Learned:
        watch = Watch(self.listener.stop, self.listener.report)
        tree = self.lattices.learn_tree(self.window, watch)
        return Learned(tree, self.request.picture.n_nodes, (key, "all"))

    def _learn_from_sample(self, key: Key) -> Learned:
        signatures = self.signatures()
        n_exact = SAMPLE_EXACT if len(signatures) < self.request.picture.n_nodes else N_EXACT
        tree = fast_pnn(signatures, n_exact=n_exact, progress=Watch(self.listener.stop))
        return Learned(tree, len(signatures), (key, self.size))
