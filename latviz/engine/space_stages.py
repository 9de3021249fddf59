"""The stages from signatures to the signature space on a plane, with the states' paths."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.fixed_point import FixedPoint
from latviz.core.data.observations import Observations
from latviz.core.model.models import DiscreteModel, GaussianModel
from latviz.core.progress import Progress
from latviz.core.windows.stratified import Nodes
from latviz.engine import space
from latviz.engine.density import density_of
from latviz.engine.frame import Request, SignatureSpace
from latviz.engine.lattices import Lattices
from latviz.engine.projection import Projection
from latviz.engine.solids import cloud_of
from latviz.engine.state_paths import Paths, Sweep, named

Key = tuple[Hashable, ...]
Model = DiscreteModel | GaussianModel
Stage = Callable[[str, Hashable, Callable[[], Any]], Any]


@dataclass(frozen=True, eq=False)
class SpaceStages:
    """Draws one request's signatures.

    Attributes
    ----------
    lattices : Lattices
        The observations, as windows are summed over them.
    sample : ndarray, shape (n, M), float32
        Signatures that the directions of a plane are learned from.
    nodes : tuple of ndarray
        Where the sample is, axis by axis.
    sample_key, states_key : tuple
        What the sample and the states depend on.
    sweep_size : int
        How many signatures to learn from at each window, for the paths of the states.
    stage : callable
        Takes a name, a key and what to compute unless it is remembered under that key.
    watch : Progress
        Says when the paths are not wanted any more, or have to give way.
    """

    request: Request
    observations: Observations
    lattices: Lattices
    sample: NDArray[np.float32]
    nodes: Nodes
    sample_key: Key
    sweep_size: int
    states_key: Key
    stage: Stage
    watch: Progress

    def of(self, model: Model) -> SignatureSpace:
        """Return the space with the density of all signatures."""
        plane, window = self.plane_of(self.request.projection), self.request.parameters.window
        key = self.density_key
        counts = self.stage("density", key, lambda: self.lattices.density(window, plane))
        described: SignatureSpace = self.stage(
            "space", (key, self.states_key), lambda: self._described(plane, counts, model)
        )
        return described

    def coarse(self, model: Model, signatures: NDArray[np.float32]) -> SignatureSpace:
        """Return the space with the density of some signatures, shape (n, M)."""
        plane = self.plane_of(self.request.projection)
        counts = density_of(signatures, self.request.parameters.window, plane)
        return self._described(plane, counts, model)

    def sweep(self) -> Sweep | None:
        """Return what learns at all windows; None if the paths of the states are not seen."""
        request, size = self.request, self.sweep_size
        if not (request.paths and "space" in request.views):
            return None
        key = (request.picture, request.parameters.encoding, self.lattices.apart, size)
        found: Sweep = self.stage("sweep", key, lambda: Sweep(self.lattices, size))
        return found

    def paths(self, sweep: Sweep, model: Model) -> Paths:
        """Return the paths of a model's states."""
        parameters = self.request.parameters
        n_states = parameters.n_states
        codewords = self.stage(
            "paths", (sweep, n_states), lambda: sweep.paths(n_states, self.watch)
        )
        return named(codewords, model.codebook, parameters.effective_learning_window)

    def plane_of(self, projection: Projection) -> space.Plane:
        """Return the plane of a projection, be it the request's or an older one."""
        name = "plane" if projection == self.request.projection else "plane of the selection"
        plane: space.Plane = self.stage(
            name, self.plane_key(projection), lambda: self._plane(projection)
        )
        return plane

    @property
    def density_key(self) -> Key:
        """What the density depends on."""
        return (self.plane_key(self.request.projection), self.request.parameters.window)

    def plane_key(self, projection: Projection) -> Key:
        """Return what a plane depends on."""
        return (*self.sample_key, projection)

    def _plane(self, projection: Projection) -> space.Plane:
        sample, lattice = self.sample.astype(np.float64), self.lattices.whole
        if isinstance(lattice, FixedPoint):
            return space.vector_plane(lattice, projection, sample)
        return space.symbol_plane(self.observations.n_symbols, projection, sample)

    def _described(
        self, plane: space.Plane, counts: NDArray[np.int64], model: Model
    ) -> SignatureSpace:
        sigma = model.covariances if isinstance(model, GaussianModel) else None
        described = space.describe(plane, counts, model.codebook, sigma)
        if plane.body is None or not self.request.projection.camera:
            return described
        discrete = self.observations.discrete
        return replace(
            described, cloud=cloud_of(plane.body, model.codebook, self._signatures(), discrete)
        )

    def _signatures(self) -> NDArray[np.float32]:
        """Return the sample's signatures with w, which those to learn from have if it is w_l."""
        parameters = self.request.parameters
        window = parameters.window
        if window == parameters.effective_learning_window:
            return self.sample
        found: NDArray[np.float32] = self.stage(
            "cloud",
            (self.sample_key, window),
            lambda: self.lattices.signatures_at(window, self.nodes),
        )
        return found
