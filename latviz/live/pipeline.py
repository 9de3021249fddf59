"""The stages from an image to a frame, each remembered by its inputs."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from latviz.core import learning
from latviz.core.decoding import decode
from latviz.core.evaluation import Evaluation, local_alpha
from latviz.core.fixed_point import FixedPoint, to_fixed_point
from latviz.core.indices import associativity, inertia, state_counts
from latviz.core.models import DiscreteModel, GaussianModel
from latviz.core.observations import Observations, encode
from latviz.core.progress import Cancelled
from latviz.core.quantization import N_EXACT, MergeTree, fast_pnn
from latviz.core.signature import signature_at, window_signature
from latviz.live import space
from latviz.live.frame import Frame, Request, SignatureSpace
from latviz.live.matching import extended, initial_slots, matched_slots
from latviz.live.sampling import COMPLETE, LIVE, LIVE_EXACT, Nodes, stratified_nodes

T = TypeVar("T")
Model = DiscreteModel | GaussianModel
Matrix = NDArray[np.float64]
Stop = Callable[[], bool]


@dataclass(frozen=True, eq=False)
class Learned:
    """A merge tree, and what it was learned from."""

    tree: MergeTree
    n_signatures: int
    key: Hashable


class _Watch:
    """Lets the stages' long computations ask whether they are still wanted."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    def report(self, fraction: float) -> None:
        """Take no note: the window shows that it is busy, not how far."""

    def cancelled(self) -> bool:
        return self._stop()


class Pipeline:
    """Computes frames; remembers the last value of every stage.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._remembered: dict[str, tuple[Hashable, Any]] = {}
        self._timings: dict[str, float] = {}
        self._row_slots: list[int] = []
        self._slots_key: Hashable = None
        self._last: Frame | None = None

    def run(self, request: Request, stop: Stop = lambda: False) -> Frame:
        """Return the frame of a request.

        Raises
        ------
        Cancelled
            If ``stop()`` became true at the boundary of a stage. What was computed is remembered.
        ParameterError
            If the image cannot be encoded as asked.
        """
        self._timings = {}
        run = _Run(self, request, stop)
        frame = run.frame(self._timings)
        self._last = frame
        return frame

    def stage(self, name: str, key: Hashable, stop: Stop, compute: Callable[[], T]) -> T:
        """Return the value remembered under this key, or compute it."""
        known = self._remembered.get(name)
        if known is not None and known[0] == key:
            return known[1]  # type: ignore[no-any-return]
        if stop():
            raise Cancelled
        start = time.perf_counter()
        value = compute()
        self._timings[name] = time.perf_counter() - start
        self._remembered[name] = (key, value)
        return value

    def knows(self, name: str, key: Hashable) -> bool:
        """Return True if the value under this key is remembered."""
        known = self._remembered.get(name)
        return known is not None and known[0] == key

    def slots(self, request: Request, learned: Learned, codebook: Matrix, sample: Any) -> list[int]:
        """Return the colour slot of each row of the tree's codebook.

        Along one tree rows keep their slots whatever N is. When the tree changes, its rows take
        the slots of the states of the last frame that they overlap most, if that frame is of the
        same picture.
        """
        if self._slots_key != learned.key:
            self._row_slots = self._first_slots(request, codebook, sample)
            self._slots_key = learned.key
        missing = max(0, len(codebook) - len(self._row_slots))
        self._row_slots = extended([*self._row_slots, *[None] * missing])
        return self._row_slots[: len(codebook)]

    def _first_slots(self, request: Request, codebook: Matrix, sample: Any) -> list[int]:
        nodes, signatures = sample
        last = self._last
        if last is None or last.request.picture is not request.picture:
            return initial_slots(codebook, request.parameters.encoding.discrete)
        distances = (codebook**2).sum(axis=1) - 2 * signatures.astype(np.float64) @ codebook.T
        return matched_slots(
            last.states[nodes], last.slots, distances.argmin(axis=1), len(codebook)
        )


class _Run:
    """One request on its way through the stages."""

    def __init__(self, pipeline: Pipeline, request: Request, stop: Stop) -> None:
        self._request, self._parameters, self._stop = request, request.parameters, stop
        self._pipeline = pipeline
        self._stage = partial(self._in_pipeline, pipeline)
        self._window = self._parameters.window
        self._learning_window = self._parameters.effective_learning_window
        self._source_key = (request.picture, self._parameters.encoding)
        self._observations = self._stage("encoding", self._source_key, self._encode)
        self._lattice = self._stage("lattice", self._source_key, self._to_lattice)

    def frame(self, timings: dict[str, float]) -> Frame:
        learned = self._learned()
        self._codebook, slots = self._arranged(learned)
        self._key = (learned.key, slots)
        pairs, model = self._modelled()
        states = self._decoded(model, self._window)
        views = self._request.views
        return Frame(
            request=self._request,
            observations=self._observations,
            model=model,
            states=states,
            occupancy=self._occupancy(states),
            pairs=pairs,
            slots=slots,
            associativity=associativity(model.A),
            inertia=self._inertia(states) if "indices" in views else None,
            evaluation=self._evaluation(model) if "likelihood" in views else None,
            space=self._space(model) if "space" in views else None,
            n_learned=learned.n_signatures,
            n_nodes=states.size,
            timings=dict(timings),
        )

    def _in_pipeline(
        self, pipeline: Pipeline, name: str, key: Hashable, compute: Callable[[], T]
    ) -> T:
        return pipeline.stage(name, key, self._stop, compute)

    def _encode(self) -> Observations:
        picture = self._request.picture
        return encode(picture.pixels, self._parameters.encoding, labels=picture.labels)

    def _to_lattice(self) -> NDArray[Any] | FixedPoint:
        values = self._observations.values
        return values if self._observations.discrete else to_fixed_point(values)

    def _learned(self) -> Learned:
        """Return the merge tree: the complete one if it is asked for or there already."""
        key = (*self._source_key, self._learning_window)
        complete = self._request.complete or self._pipeline.knows("complete tree", key)
        if complete and int(np.prod(self._request.picture.shape)) > LIVE:
            return self._stage("complete tree", key, lambda: self._learn(key, COMPLETE))
        return self._stage("tree", key, lambda: self._learn(key, LIVE))

    def _learn(self, key: Hashable, size: int) -> Learned:
        signatures = self._sample()[1] if size == LIVE else self._signatures(size)
        n_nodes = int(np.prod(self._request.picture.shape))
        n_exact = LIVE_EXACT if size == LIVE and len(signatures) < n_nodes else N_EXACT
        tree = fast_pnn(signatures, n_exact=n_exact, progress=_Watch(self._stop))
        return Learned(tree, len(signatures), (key, size))

    def _signatures(self, size: int) -> NDArray[np.float32]:
        window, n_symbols = self._learning_window, self._observations.n_symbols
        if int(np.prod(self._request.picture.shape)) <= size:
            return window_signature(self._lattice, n_symbols, window).reshape(-1, n_symbols)
        nodes = stratified_nodes(self._request.picture.shape, size)
        return signature_at(self._lattice, n_symbols, window, nodes)

    def _sample(self) -> tuple[Nodes, NDArray[np.float32]]:
        shape = self._request.picture.shape
        nodes = self._stage("nodes", shape, lambda: stratified_nodes(shape, LIVE))
        window = self._learning_window
        n_symbols = self._observations.n_symbols

        def compute() -> NDArray[np.float32]:
            return signature_at(self._lattice, n_symbols, window, nodes)

        return nodes, self._stage("sample", (*self._source_key, window), compute)

    def _arranged(self, learned: Learned) -> tuple[Matrix, tuple[int, ...]]:
        """Return the codebook in the order of its states' slots, and those slots."""
        codebook = learning.codebook_of(learned.tree, self._parameters.n_states)
        slots = self._pipeline.slots(self._request, learned, codebook, self._sample())
        order = np.argsort(slots)
        return codebook[order], tuple(sorted(slots))

    def _modelled(self) -> tuple[NDArray[np.int64], Model]:
        """Count what the codebook decodes with w_l; return A' and the model."""
        window, smoothing = self._learning_window, self._parameters.smoothing
        key = (self._key, window)
        states = self._stage(
            "learning states", key, lambda: decode(self._lattice, self._codebook, window)
        )
        n_states = self._parameters.n_states
        pairs, occupancy = self._stage(
            "learning counts", key, lambda: learning.count([states], n_states)
        )
        self._learning = (states, occupancy)
        A = learning.adjacency(pairs, occupancy, states.ndim, smoothing)
        if self._observations.discrete:
            B = learning.smoothed_emissions(self._codebook, occupancy, smoothing)
            return pairs, DiscreteModel(A, B, self._window)
        sigma, ridge = self._stage("covariances", key, lambda: self._covariances(states))
        return pairs, GaussianModel(A, self._codebook, sigma, self._window, ridge=ridge)

    def _decoded(self, model: Model, window: int, name: str = "states") -> NDArray[np.uint8]:
        """Decode with the model, unless the same was decoded for learning."""
        smoothed = isinstance(model, DiscreteModel) and self._parameters.smoothing > 0
        if window == self._learning_window and not smoothed:
            return self._learning[0]
        codebook = model.B if isinstance(model, DiscreteModel) else model.means
        key = (*self._states_key[:-1], window)
        return self._stage(name, key, lambda: decode(self._lattice, codebook, window))

    @property
    def _states_key(self) -> tuple[Hashable, ...]:
        return (self._key, self._learning_window, self._parameters.smoothing, self._window)

    def _occupancy(self, states: NDArray[np.uint8]) -> NDArray[np.int64]:
        if states is self._learning[0]:
            return self._learning[1]
        n_states = self._parameters.n_states
        return self._stage("occupancy", self._states_key, lambda: state_counts(states, n_states))

    def _covariances(self, states: NDArray[np.uint8]) -> tuple[Matrix, float]:
        return learning.covariances([self._observations.values], [states], self._codebook)

    def _inertia(self, states: NDArray[np.uint8]) -> float:
        n_states = self._parameters.n_states
        return self._stage(
            "inertia", self._states_key, lambda: inertia(states, n_states, self._window)
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
            lambda: model.evaluate_states(self._observations.values, states, parameters.normalizer),
        )
        if parameters.alpha_mode == "constant":
            return replace(plain, alpha=parameters.alpha)
        return self._stage(
            "local alpha",
            (key, parameters.normalizer, parameters.alpha),
            lambda: self._localized(plain),
        )

    def _localized(self, plain: Evaluation) -> Evaluation:
        parameters = self._parameters
        window = parameters.effective_evaluation_window
        alpha = local_alpha(plain.states, parameters.n_states, window, parameters.alpha)
        evaluation = replace(plain, alpha=alpha)
        _ = evaluation.pair_term  # sums over all nodes, so not when a view first asks
        return evaluation

    def _space(self, model: Model) -> SignatureSpace:
        plane_key = (*self._source_key, self._learning_window, self._request.projection)
        plane = self._stage("plane", plane_key, self._plane)
        density_key = (plane_key, self._window)
        counts = self._stage(
            "density", density_key, lambda: space.density(self._lattice, self._window, plane)
        )
        if isinstance(model, GaussianModel):
            codewords, sigma = model.means, model.covariances
        else:
            codewords, sigma = model.B, None
        return self._stage(
            "space",
            (density_key, self._states_key),
            lambda: space.describe(plane, counts, codewords, sigma),
        )

    def _plane(self) -> space.Plane:
        sample = self._sample()[1].astype(np.float64)
        if isinstance(self._lattice, FixedPoint):
            return space.vector_plane(self._lattice, sample)
        return space.symbol_plane(self._observations.n_symbols, self._request.projection, sample)
