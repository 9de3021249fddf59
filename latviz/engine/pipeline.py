"""The stages from an image to a frame, each remembered by its inputs."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from latviz.core.model import learning
from latviz.core.model.evaluation import Evaluation
from latviz.core.model.indices import associativity, state_counts
from latviz.core.model.models import DiscreteModel, GaussianModel
from latviz.core.types import Nodes
from latviz.core.windows.progressive import coarse_levels
from latviz.engine.coarse import Estimate, estimated, refined
from latviz.engine.comparing import agreement_of
from latviz.engine.dendrogram import Dendrogram, dendrogram
from latviz.engine.frame import Agreement, Frame, Request
from latviz.engine.highlight import Decoded, light
from latviz.engine.node_maps import NodeMap, node_map
from latviz.engine.selection import (
    ChangeSelection,
    Lit,
    MapKind,
    Mask,
    RangeSelection,
    RegionSelection,
    Selection,
)
from latviz.engine.source import Source
from latviz.engine.space_stages import SpaceStages
from latviz.engine.stages import Listener, Show, Stages, Watch
from latviz.engine.state_paths import SWEEP, Sweep

T = TypeVar("T")
Model = DiscreteModel | GaussianModel
Matrix = NDArray[np.float64]
States = NDArray[np.uint8]
Counts = NDArray[np.int64]
Stop = Callable[[], bool]

WORTH_TWO_FRAMES = 1 << 19
"""Pixels from which on what is decoded is shown before the rest is computed."""


class Pipeline:
    """Computes frames; remembers the last value of every stage.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._stages = Stages()

    def run(self, request: Request, listener: Listener | None = None) -> Frame:
        """Return the frame of a request; show coarse ones first if the image is large.

        Raises
        ------
        Cancelled
            If the listener said so. Stages that were done are remembered.
        ParameterError
            If the image cannot be encoded as asked.
        """
        self._stages.begin(request.picture)
        frame = _Run(self._stages, request, listener or Listener()).frame()
        self._stages.take(frame)
        return frame


class _Run:
    """One request on its way through the stages."""

    def __init__(self, stages: Stages, request: Request, listener: Listener) -> None:
        self._request, self._parameters, self._listener = request, request.parameters, listener
        self._stages, self._watch = stages, Watch(listener.stop)
        self._window = self._parameters.window
        self._learning_window = self._parameters.effective_learning_window
        self._shape = request.picture.shape
        self._n_nodes = request.picture.n_nodes
        self._source = Source.of(request, listener, self._stage)
        self._observations, self._lattices = self._source.observations, self._source.lattices

    def frame(self) -> Frame:
        self._tree = self._source.learned(self._stages.knows)
        self._codebook, self._slots = self._arranged()
        self._key = (self._tree.key, self._slots)
        self._space = self._space_stages()
        if self._listener.show is not None and self._is_shown_coarsely():
            self._show_coarsely(self._listener.show)
        pairs, model = self._modelled()
        states = self._decoded(model, self._window)
        views, show, sweep = self._request.views, self._listener.show, self._space.sweep()
        frame = self._decoded_frame(model, states, pairs, sweep)
        if show is not None:
            self._show_early(frame, show)
        frame = replace(
            frame,
            inertia=self._inertia(states) if "indices" in views else None,
            evaluation=self._evaluation(model) if "likelihood" in views else None,
            space=self._space.of(model) if "space" in views else None,
            map=self._map(self._request.map, model) if "map" in views else None,
            timings=self._stages.timings,
        )
        if sweep is None or frame.paths is not None:
            return frame
        if show is not None:
            self._stages.take(frame)
            show(frame)
        return replace(frame, paths=self._space.paths(sweep, model), timings=self._stages.timings)

    def _decoded_frame(
        self, model: Model, states: States, pairs: Counts, sweep: Sweep | None
    ) -> Frame:
        """Return a frame with what is there as soon as the states are."""
        space_known = self._stages.knows("density", self._space.density_key)
        return replace(
            self._plain_frame(model, states, pairs, self._occupancy(states)),
            lit=self._lit(states, pairs, model),
            agreement=self._agreement(states),
            space=self._space.of(model) if "space" in self._request.views and space_known else None,
            paths=self._space.paths(sweep, model) if sweep is not None and sweep.complete else None,
        )

    def _show_early(self, frame: Frame, show: Show) -> None:
        """Show what is there of a frame if the rest takes long: views draw it meanwhile."""
        timings, pending = self._stages.timings, self._missing(frame)
        decoded = {"states", "learning states"} & timings.keys()
        if pending and decoded and self._n_nodes >= WORTH_TWO_FRAMES:
            show(replace(frame, pending=pending, timings=timings))

    def _missing(self, frame: Frame) -> frozenset[str]:
        """Return the parts that visible views need and a frame has not."""
        wanted = {"indices": "inertia", "likelihood": "evaluation", "space": "space", "map": "map"}
        names = (name for view, name in wanted.items() if view in self._request.views)
        return frozenset(name for name in names if getattr(frame, name) is None)

    def _plain_frame(
        self, model: Model, states: States, pairs: Counts, occupancy: Counts, side: int = 1
    ) -> Frame:
        """Return a frame without what only some views need."""
        return Frame(
            request=self._request,
            observations=self._observations,
            model=model,
            states=states,
            occupancy=occupancy,
            pairs=pairs,
            slots=self._slots,
            associativity=associativity(model.A),
            inertia=None,
            evaluation=None,
            space=None,
            n_learned=self._tree.n_signatures,
            n_nodes=self._n_nodes,
            timings={},
            side=side,
            tree=self._dendrogram() if "tree" in self._request.views else None,
            row_slots=self._row_slots,
        )

    def _is_shown_coarsely(self) -> bool:
        """Return True if a large image must be decoded anew for a hand that moves."""
        if not self._source.is_large or self._request.complete:
            return False
        own = self._window != self._learning_window or self._smooths_emissions
        name, key = ("states", self._states_key) if own else ("learning states", self._learning_key)
        return not self._stages.knows(name, key)

    def _show_coarsely(self, show: Show) -> None:
        nodes, totals = self._source.nodes, self._source.totals
        estimate = self._stage(
            "estimate",
            self._learning_key,
            lambda: estimated(totals(), nodes, self._codebook, self._shape),
        )
        model = self._coarse_model(estimate, nodes)
        levels = coarse_levels(
            self._lattices.whole,
            model.codebook,
            self._window,
            visible=self._request.visible,
            progress=self._watch,
        )
        first = self._stage("first level", self._states_key, lambda: next(levels))
        frame = self._plain_frame(model, first.states, estimate.pairs, estimate.occupancy)
        if "space" in self._request.views and first.totals is not None:
            signatures = first.totals.signatures()
            frame = replace(frame, space=self._space.coarse(model, signatures))
        for level in chain([first], levels):
            frame = refined(frame, level)
            self._stages.take(frame)
            show(replace(frame, pending=self._missing(frame), timings=self._stages.timings))

    def _coarse_model(self, estimate: Estimate, nodes: Nodes) -> Model:
        smoothing = self._parameters.smoothing
        A = learning.adjacency(estimate.pairs, estimate.occupancy, 2, smoothing)
        if self._observations.discrete:
            B = learning.smoothed_emissions(self._codebook, estimate.occupancy, smoothing)
            return DiscreteModel(A, B, self._window)
        vectors = self._observations.values[nodes]
        sigma, ridge = learning.covariances([vectors], [estimate.states], self._codebook)
        return GaussianModel(A, self._codebook, sigma, self._window, ridge=ridge)

    def _stage(self, name: str, key: Hashable, compute: Callable[[], T]) -> T:
        return self._stages.stage(name, key, self._listener.stop, compute)

    def _space_stages(self) -> SpaceStages:
        listener, source = self._listener, self._source
        return SpaceStages(
            request=self._request,
            observations=self._observations,
            lattices=self._lattices,
            sample=source.signatures(),
            nodes=source.nodes,
            sample_key=source.sample_key,
            sweep_size=source.size_at(SWEEP[-1]),
            states_key=self._states_key,
            stage=self._stage,
            watch=Watch(lambda: listener.replaced() or listener.stop()),
        )

    def _arranged(self) -> tuple[Matrix, tuple[int, ...]]:
        """Return the codebook in the order of its states' slots, and those slots."""
        codebook = learning.codebook_of(self._tree.tree, self._parameters.n_states)
        sample = self._source.nodes, self._source.signatures()
        slots = self._stages.slots(self._request, self._tree, codebook, sample)
        self._row_slots = tuple(slots)
        order = np.argsort(slots)
        return codebook[order], tuple(sorted(slots))

    def _dendrogram(self) -> Dendrogram:
        return self._stage("dendrogram", self._tree.key, lambda: dendrogram(self._tree.tree))

    def _modelled(self) -> tuple[Counts, Model]:
        """Count what the codebook decodes with w_l; return A' and the model."""
        window, key = self._learning_window, self._learning_key
        states = self._stage("learning states", key, lambda: self._decode(self._codebook, window))
        n_states = self._parameters.n_states
        pairs, occupancy = self._stage(
            "learning counts", key, lambda: self._lattices.count(states, n_states)
        )
        self._learning = (states, occupancy)
        return pairs, self._stage(
            "model", self._states_key, lambda: self._model(states, pairs, occupancy)
        )

    def _model(self, states: States, pairs: Counts, occupancy: Counts) -> Model:
        smoothing, lattices = self._parameters.smoothing, self._lattices
        A = learning.adjacency(pairs, occupancy, lattices.dimensions, smoothing)
        if self._observations.discrete:
            B = learning.smoothed_emissions(self._codebook, occupancy, smoothing)
            return DiscreteModel(A, B, self._window)
        sigma, ridge = self._stage(
            "covariances",
            self._learning_key,
            lambda: lattices.covariances(states, self._codebook),
        )
        return GaussianModel(A, self._codebook, sigma, self._window, ridge=ridge)

    def _decoded(self, model: Model, window: int, name: str = "states") -> States:
        """Decode with the model, unless the same was decoded for learning."""
        if window == self._learning_window and not self._smooths_emissions:
            return self._learning[0]
        key = (*self._states_key[:-1], window)
        return self._stage(name, key, lambda: self._decode(model.codebook, window))

    def _decode(self, codebook: Matrix, window: int) -> States:
        return self._lattices.decode(codebook, window, self._watch)

    @property
    def _smooths_emissions(self) -> bool:
        return self._observations.discrete and self._parameters.smoothing > 0

    @property
    def _learning_key(self) -> tuple[Hashable, ...]:
        return (self._key, self._learning_window)

    @property
    def _states_key(self) -> tuple[Hashable, ...]:
        return (self._key, self._learning_window, self._parameters.smoothing, self._window)

    def _occupancy(self, states: States) -> Counts:
        if states is self._learning[0]:
            return self._learning[1]
        n_states = self._parameters.n_states
        return self._stage("occupancy", self._states_key, lambda: state_counts(states, n_states))

    def _inertia(self, states: States) -> float:
        n_states = self._parameters.n_states
        return self._stage(
            "inertia",
            self._states_key,
            lambda: self._lattices.inertia(states, n_states, self._window),
        )

    def _evaluation(self, model: Model) -> Evaluation:
        parameters = self._parameters
        window = parameters.effective_evaluation_window
        name = "states" if window == self._window else "evaluation states"
        states = self._decoded(model, window, name)
        key = (*self._states_key[:-1], window)
        plain = self._stage(
            "evaluation",
            (key, parameters.normalizer),
            lambda: self._lattices.evaluate(model, states, parameters.normalizer),
        )
        if parameters.alpha_mode == "constant":
            return replace(plain, alpha=parameters.alpha)
        return self._stage(
            "local alpha",
            (key, parameters.normalizer, parameters.alpha),
            lambda: self._localized(plain),
        )

    def _localized(self, plain: Evaluation) -> Evaluation:
        alpha = self._lattices.local_alpha(plain.states, self._parameters)
        evaluation = replace(plain, alpha=alpha)
        _ = evaluation.pair_term  # sums over all nodes, so not when a view first asks
        return evaluation

    def _lit(self, states: States, pairs: Counts, model: Model) -> Lit | None:
        selection, request = self._request.selection, self._request
        if selection is None:
            return self._stage("lit", None, lambda: None)
        by_kind = {RangeSelection: self._parameters, ChangeSelection: request.compared}
        key = (self._states_key, self._space.sample_key, selection, by_kind.get(type(selection)))
        return self._stage("lit", key, lambda: self._selected(selection, states, pairs, model))

    def _selected(self, chosen: Selection, states: States, pairs: Counts, model: Model) -> Lit:
        observations, window = self._observations, self._window

        def region(chosen: RegionSelection) -> Mask:
            plane = self._space.plane_of(chosen.projection)
            return self._lattices.in_region(window, plane, chosen.corners, self._watch)

        decoded = Decoded(
            states=states,
            slots=self._slots,
            paired=self._learning[0],
            pairs=pairs,
            symbols=observations.values if observations.discrete else None,
            dimensions=self._lattices.dimensions,
            compared=self._request.compared,
        )
        return light(chosen, decoded, region, lambda kind: self._map(kind, model).values)

    def _agreement(self, states: States) -> Agreement | None:
        compared, difference = self._request.compared, self._request.difference
        key = None if compared is None else (compared, difference, self._states_key)
        return self._stage("agreement", key, lambda: agreement_of(compared, states, difference))

    def _map(self, kind: MapKind, model: Model) -> NodeMap:
        depends = self._parameters if kind == "likelihood" else None
        key = (kind, self._states_key, depends)
        return self._stage("map", key, lambda: node_map(kind, self._map_values(kind, model)))

    def _map_values(self, kind: MapKind, model: Model) -> NDArray[np.float32]:
        if kind == "likelihood":
            return self._evaluation(model).node_log_likelihood / np.float32(np.log(2.0))
        if kind == "inertia":
            states = self._decoded(model, self._window)
            return self._lattices.local_inertia(states, self._parameters.n_states, self._window)
        return self._lattices.entropy(model, self._window, self._watch)
