"""Load every kernel that the window needs, compiling those that are in no cache."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from latviz import wings
from latviz.core import kernels, threads
from latviz.core.choice.growing import Growth
from latviz.core.choice.refining import refine
from latviz.core.data.color import srgb_to_lab
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.filters import Filters, Textons
from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of, to_fixed_point
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import FEW, fast_pnn, merge_to
from latviz.core.inference.beliefs import settled
from latviz.core.inference.fitting import fit, potts
from latviz.core.inference.laws import any_law_of
from latviz.core.inference.potentials import potentials_of
from latviz.core.inference.window_beliefs import entropies
from latviz.core.model.belief import belief_entropy
from latviz.core.model.indices import count, inertia, local_inertia, neighbourhoods
from latviz.core.model.learning import colours_of, covariances
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.model.residuals import residuals_of
from latviz.core.segmentation.contrast import contrast_regions_of
from latviz.core.segmentation.regions import regions_of
from latviz.core.segmentation.relief import relief_of
from latviz.core.windows.decoding import decode
from latviz.core.windows.leave_one_out import decode_both
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.signature import signature_at
from latviz.core.windows.stratified import stratified_nodes
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.coarse import estimated
from latviz.engine.frames.frame import ALL_NEEDS, LEFT_OUT, NEEDED, Request
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.geometry import space
from latviz.engine.geometry.projection import Projection
from latviz.engine.geometry.space import density
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import Parameters
from latviz.engine.startup.compilers import PartOfWing, compiling, early

_ENCODINGS = Encoding("quantiles", 3), Encoding("palette", 4), Encoding("grey"), Encoding("rgb")
_CODEBOOK = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
_A = np.ones((3, 3))
"""No pair is impossible: otherwise the sum of the others would not be needed."""
_SYMBOLS = np.random.default_rng(0).integers(0, 3, (40, 40)).astype(np.uint8)
_BYTES = np.random.default_rng(0).integers(0, 256, (40, 40, 3)).astype(np.uint8)
_VECTORS: tuple[NDArray[Any], ...] = _BYTES, _BYTES.astype(np.float32)
_POINTS = np.random.default_rng(0).random((FEW + 1, 3)).astype(np.float32)
_EVERYWHERE = stratified_nodes(_SYMBOLS.shape, _SYMBOLS.size)
_SYMBOL_MODEL = DiscreteModel(_A, _CODEBOOK, 1)
_VECTOR_MODEL = GaussianModel(_A, _CODEBOOK, np.stack([np.eye(3)] * 3), 1)

Stop = Callable[[], bool]
POLL_S = 0.05
"""Seconds between questions whether a process has compiled kernels."""
SPAWNED = 4
"""Most processes that compile where they cannot be forked: each imports the libraries by itself."""

_loaded = set[str]()
"""Kernels in the memory of this process: later windows need not load them again."""


def warm_up(stop: Stop = lambda: False) -> None:
    """Compute a frame of a small random image in each way that runs other kernels."""
    picture, pipeline = _picture(LIVE // 32, 33), Pipeline()
    for encoding in _ENCODINGS:
        for complete in (False, True):
            parameters = Parameters(encoding, n_states=2, window=1, alpha_mode="local")
            needs = NEEDED - LEFT_OUT
            looks = Looks(mean_colors=True)
            request = Request(picture, parameters, complete=complete, needs=needs, looks=looks)
            frame = pipeline.run(request, Listener(stop))
        values, discrete = frame.observations.values, frame.observations.discrete
        _estimate(values if discrete else to_fixed_point(values), frame.codebook)
    _decode_in_all_ways()
    _doubt(_SYMBOLS, _VECTORS)
    compile_filters()


def warm_up_volumes(stop: Stop = lambda: False) -> None:
    """Compute frames of small random volumes, in each way that runs other kernels."""
    # Windows of 17 x 17 nodes and more are summed in wider numbers, and of 33 x 33 in others again;
    # some slices are beyond them
    picture, pipeline = _picture(40, 17, 17), Pipeline()
    for encoding in _ENCODINGS:
        for window in (1, 8):
            parameters = Parameters(encoding, n_states=2, window=window, alpha_mode="local")
            needs = ALL_NEEDS - LEFT_OUT
            request = Request(picture, parameters, complete=window == 1, needs=needs)
            pipeline.run(request, Listener(stop))
    deep = 4, 10, 40
    _doubt(_SYMBOLS.reshape(deep), [values.reshape(*deep, 3) for values in _VECTORS])
    decode(np.zeros((35, 33, 1), np.uint8), _CODEBOOK, 16)
    long = np.zeros((1, 1, 1 << 16), np.uint8)
    inertia(long, 1, long.size), local_inertia(long, 1, long.size)


def compile_pictures(first: Callable[[], str]) -> None:
    """Compile the kernels of pictures: several processes take one part after the other."""
    # They are forked from this process, if possible, after it has imported the libraries. Kernels
    # for all pictures start before ``first`` returns the next kind, "symbols" or "vectors"; if it
    # returns neither, this does not wait for the others
    forks = sys.platform == "linux"  # elsewhere it is not safe with system libraries
    context: Any = multiprocessing.get_context("fork" if forks else "spawn")
    parts, saving = context.SimpleQueue(), context.Lock()
    gc.disable()  # the compiler's objects are kept anyway
    if forks:
        kernels.compiler.begin()
    processes = [
        context.Process(target=_compile_each, args=(parts, saving), daemon=True)
        for _ in range(threads.CORES if forks else min(threads.CORES, SPAWNED))
    ]
    for process in processes:
        process.start()
    for name in COMMON:
        parts.put(name)
    soon = SOON.get(first())
    if soon is None:
        return  # which ends the processes
    later = (name for name in PARTS if name not in (*COMMON, *soon))
    for more in (*soon, *later, *[None] * len(processes)):
        parts.put(more)
    for process in processes:
        process.join()


def _compile_each(parts: Any, saving: Any) -> None:
    """Compile one part after the other, until all are done or the parent process has ended."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    kernels.compiler.save_under(saving)
    gc.disable()
    began = multiprocessing.parent_process()
    assert began is not None
    threading.Thread(target=_end_with, args=(began,), daemon=True).start()
    while (name := parts.get()) is not None:
        PARTS[name]()


def _end_with(process: Any) -> None:
    """End this process when another one has ended, for any reason."""
    process.join()
    os._exit(1)


def compile_merges() -> None:
    """Run the kernels of merges that are exact, and of the tree that they make."""
    n = len(_CODEBOOK)
    merges, costs = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    kernels.pairwise.merge_all(_CODEBOOK, np.ones(n), merges, costs)
    MergeTree(_CODEBOOK, np.ones(n), merges, costs)


def compile_symbol_sweeps() -> None:
    """Run the other kernels of `sweeps` for a view of symbols, and of `density`."""
    residuals_of(as_data_set(_SYMBOLS, "discrete"), [_SYMBOLS])
    signature_at(_SYMBOLS, 3, 20, _EVERYWHERE)
    for window in (1, kernels.norms.WIDEST + 1):
        inertia(_SYMBOLS, 3, window), local_inertia(_SYMBOLS, 3, window)
    density(_SYMBOLS, 1, space.symbol_plane(3, Projection(), _CODEBOOK))
    _decode_in_all_ways()


def compile_symbol_likelihood() -> None:
    """Run the kernels of `likelihood` and of `entropy` for a view of symbols."""
    _ = _SYMBOL_MODEL.evaluate_states(_SYMBOLS, _SYMBOLS).node_log_likelihood
    belief_entropy(_SYMBOL_MODEL, _SYMBOLS)


def compile_rounding() -> None:
    """Round floats to fixed point, as all parts of vectors need it, and scale channels."""
    to_fixed_point(_BYTES.astype(np.float64))
    for values in _VECTORS:
        encode(values, Encoding("rgb", scaled=True))


def compile_lab() -> None:
    """Run the kernels of colours in CIELAB, of vectors and of palettes."""
    encode(_BYTES, Encoding("lab", scaled=False))
    srgb_to_lab(_BYTES / 255.0)


def compile_filters() -> None:
    """Run the kernels of encodings that use surrounding pixels: texture, filters and textons."""
    # Without Fast PNN, whose kernels are in other parts
    image, method = _BYTES[..., 0], Textons(2, 1)
    encode(image, Encoding("texture"))
    energies = method.prepare(image, None)
    fitted = Filters(1, True).fit([energies])
    method.values(energies, replace(fitted, arrays={**fitted.arrays, "codebook": np.eye(2, 1)}))
    Filters(1, True).values(energies, fitted)


def _whole(values: NDArray[Any]) -> DataSet:
    """Return whole numbers as a data set, without the kernel that rounds others."""
    fixed = values if values.dtype == np.uint8 else values.astype(np.int32)
    zeros, ones = np.zeros(3), np.ones(3)
    return DataSet((FixedPoint(fixed, zeros, ones, zeros, 255.0 * ones),), (values,), 3)


def compile_vector_sweeps(data: DataSet) -> None:
    """Run the other kernels of `sweeps` for a view of vectors, and of `density`."""
    residuals_of(data, [_SYMBOLS])
    signature_at(data.lattices[0], 3, 20, _EVERYWHERE)
    plane = space.vector_plane(*data.value_range, Projection(), _CODEBOOK)
    density(data.lattices[0], 1, plane)


def compile_vector_likelihood(data: DataSet) -> None:
    """Run the kernels of `likelihood` and of `entropy` for a view of vectors."""
    _ = _VECTOR_MODEL.evaluate_states(data, [_SYMBOLS]).node_log_likelihood
    belief_entropy(_VECTOR_MODEL, data)


def of_vectors(part: Callable[[DataSet], object]) -> Callable[[], None]:
    """Return a part that runs another one with vectors of three bytes and of three floats."""

    def of_both() -> None:
        for values in _VECTORS:
            part(_whole(values))

    return of_both


def warm_sweeping(stop: Stop = lambda: False) -> None:
    """Run the kernels that only the trade-off needs: `leave_one_out` and `tally`."""
    picture, pipeline, watch = _picture(LIVE // 32, 33), Pipeline(), Watch(stop)
    for encoding in (*_ENCODINGS, Encoding("lab")):
        parameters = Parameters(encoding, n_states=2, window=1)
        frame = pipeline.run(Request(picture, parameters), Listener(stop))
        sweeping = Sweeping()
        for _ in range(2):
            sweeping.next(frame, watch)
    large = np.zeros((80, 80), np.uint8)  # of whose windows the sums are wider
    decode_both(large, fast_pnn(_CODEBOOK).codewords_of([1, 2]), 80)


def warm_sweeping_volumes(stop: Stop = lambda: False) -> None:
    """Run the kernels that only the trade-off of volumes needs, in three dimensions."""
    picture, pipeline = _picture(40, 17, 17), Pipeline()
    for encoding in _ENCODINGS:
        for window in (1, 8):
            parameters = Parameters(encoding, n_states=2, window=window)
            frame = pipeline.run(Request(picture, parameters), Listener(stop))
            Sweeping().next(frame, Watch(stop))


def warm_beliefs(stop: Stop = lambda: False) -> None:
    """Run beliefs of a sequence, an image and a volume; refine and grow models of images.

    The other functions used are among the kernels of pictures.
    """
    watch = Watch(stop)
    cases: list[tuple[NDArray[Any], Model]] = [(_SYMBOLS, _SYMBOL_MODEL)]
    cases += [(values, _VECTOR_MODEL) for values in _VECTORS]
    for values, model in cases:
        refine(values, model, progress=watch)
        Growth(model.data_set(values)).enough(2, watch)
        for shape in ((1600,), (4, 10, 40)):
            data = model.data_set(values.reshape(*shape, *values.shape[2:]))
            (field,) = fit(model.emission, data, most=1, progress=watch).fields
            for potentials in (potts(3, 1.0), potentials_of(np.diag([1.0, 2.0, 3.0]))):
                field.send(potentials, 1)
            field.entropies(), field.beliefs(), field.states(), field.nats()
            if data.kind == "gaussian":
                bins = any_law_of(data, [_SYMBOLS.reshape(shape)], 3)
                entropies(bins, data.lattices[0], 1, watch)
        (field,) = settled(model.emission, model.A, model.data_set(values), 1.0, watch)
        field.entropies(), field.node_nats()


def warm_regions(stop: Stop = lambda: False) -> None:
    """Merge small regions, then weak borders; those of vectors and volumes run the same kernels.

    So do basins and their merges, but signatures of volumes are summed in wider integers.
    """
    _ = regions_of(_SYMBOLS, _SYMBOLS, True, 3, 2).merged(2, 1.0, Watch(stop)).evidence
    relief_of(_BYTES[:2], 3, 3, progress=Watch(stop))
    relief = relief_of(_BYTES, 2, 2, progress=Watch(stop))
    contrast_regions_of(relief, _SYMBOLS, _SYMBOLS, True, 3, 2).by_contrast(Watch(stop))


class Part:
    """Kernels for some uses, a row of `WARM_UPS`; a separate process compiles those not cached."""

    # Leaving its context ends that process. The compiler holds the interpreter's lock for longer
    # than a window may freeze. If no process can be started, or store kernels, this one compiles

    def __init__(self, name: str) -> None:
        self.name, self.begun = name, False
        self._process = early() if name == "pictures" else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()

    @property
    def ready(self) -> bool:
        """True if the kernels are in the memory of this process."""
        return self.name in _loaded

    @property
    def is_compiling(self) -> bool:
        """True while a process compiles them; thread-safe."""
        process = self._process
        return process is not None and process.poll() is None

    @property
    def settled(self) -> bool:
        """True if they are in memory, or in the cache as far as a process can store them."""
        return self.ready or (self.begun and not self.is_compiling)

    def begin(self, on_compile: Callable[[], None], first: str) -> None:
        """Compile them, unless that has begun; of pictures first "symbols" or "vectors"."""
        if self.begun:
            return
        on_compile()
        self.begun = True
        with suppress(OSError):
            self._process = self._process or compiling(self.name)
            stream = self._process.stdin
            assert stream is not None
            with stream:
                stream.write(f"{first}\n")

    def is_ready(self, on_compile: Callable[[], None], stop: Stop, first: str = "") -> bool:
        """Return True if they are in memory; if they are not yet, ask again later."""
        # ``on_compile`` is called if they have to be compiled. Kernels that begin early wait for
        # ``first``. After `Cancelled` loading may continue
        if self.ready or self._is_loaded(stop):
            _loaded.add(self.name)
            return True
        if first or not self.is_compiling:
            self.begin(on_compile, first or "symbols")
        return False

    def wait(self, on_compile: Callable[[], None], stop: Stop) -> bool:
        """Wait until they are in memory; return False if ``stop`` returns True before."""
        while not self.is_ready(on_compile, stop):
            if stop():
                return False
            time.sleep(POLL_S)
        return True

    def _is_loaded(self, stop: Stop) -> bool:
        if self.is_compiling:
            return False
        try:
            with nullcontext() if self.begun else kernels.compiler.refusing_to_compile():
                WARM_UPS[self.name](stop)
        except kernels.compiler.NotCachedError:
            return False
        return True


def _picture(*shape: int) -> Picture:
    """Return random colours."""
    pixels = np.random.default_rng(0).integers(0, 256, (*shape, 3)).astype(np.uint8)
    return Picture(pixels, "warm-up", dimensions=len(shape))


def _decode_in_all_ways() -> None:
    """Decode an image and a sequence in windows whose sums have 32 bits, and in wider ones."""
    for lattice in (_SYMBOLS, _SYMBOLS.reshape(-1)):
        for window in (1, 128):
            decode(lattice, _CODEBOOK, window)


def _doubt(symbols: NDArray[np.uint8], vectors: Iterable[NDArray[Any]]) -> None:
    """Map the entropy of beliefs, which is only computed for its view."""
    belief_entropy(_SYMBOL_MODEL, symbols)
    for values in vectors:
        belief_entropy(_VECTOR_MODEL, values)


def _estimate(lattice: Lattice, codebook: NDArray[np.float64]) -> None:
    """Sum single windows, as is done for large images."""
    shape = shape_of(lattice)[0], shape_of(lattice)[1]
    nodes = stratified_nodes(shape, 9)
    estimated(totals_at(lattice, codebook.shape[1], 1, nodes), nodes, codebook, shape)


PARTS: dict[str, Callable[[], object]] = {
    "merges": compile_merges,
    "distinct points": lambda: merge_to(_CODEBOOK, len(_CODEBOOK)),
    "neighbours": lambda: neighbourhoods(_SYMBOLS, 3),
    "counts": lambda: (
        count([_SYMBOLS], 3),
        colours_of(_BYTES.reshape(-1, 3), _SYMBOLS.reshape(-1), 3),
    ),
    "buckets": lambda: merge_to(_POINTS, FEW // 4),
    "symbol nodes": lambda: _estimate(_SYMBOLS, _CODEBOOK),
    "symbol states": lambda: decode(_SYMBOLS, _CODEBOOK, 1),
    "symbol sweeps": compile_symbol_sweeps,
    "symbol likelihood": compile_symbol_likelihood,
    "rounding": compile_rounding,
    "lab": compile_lab,
    "filters": compile_filters,
    "vector nodes": of_vectors(lambda data: _estimate(data.lattices[0], _CODEBOOK)),
    "vector states": of_vectors(lambda data: decode(data.lattices[0], _CODEBOOK, 1)),
    "covariances": of_vectors(
        lambda data: covariances(data, [_SYMBOLS], _CODEBOOK, np.ones(3, np.int64))
    ),
    "vector sweeps": of_vectors(compile_vector_sweeps),
    "vector likelihood": of_vectors(compile_vector_likelihood),
}
"""The kernels of pictures; none is in two parts."""
COMMON = "merges", "neighbours", "distinct points"
"""Kernels for a first state map of any picture, those that take longest first."""
SOON = {
    "symbols": (
        "symbol nodes",
        "symbol states",
        "buckets",
        "counts",
        "symbol sweeps",
        "symbol likelihood",
        "lab",
    ),
    "vectors": (
        "rounding",
        "lab",
        "vector nodes",
        "vector states",
        "covariances",
        "buckets",
        "counts",
        "vector sweeps",
        "vector likelihood",
    ),
}
"""Further kernels for pictures of symbols or of vectors, in order of need."""
WARM_UPS: dict[str, Callable[..., None]] = {
    "pictures": warm_up,
    "volumes": warm_up_volumes,
    "sweeping": warm_sweeping,
    "sweeping volumes": warm_sweeping_volumes,
    "beliefs": warm_beliefs,
    "regions": warm_regions,
    **dict(wings.rows("kernels", PartOfWing)),
}
"""What runs the kernels of each part; those of pictures come before all others."""


def _end(*_: object) -> None:
    """End at once, with the processes that this one began; an exception might end in a callback."""
    for process in multiprocessing.active_children():
        process.terminate()
    os._exit(1)


def _main(name: str) -> None:
    """Compile a part; the first kind of pictures is read from a line."""
    signal.signal(signal.SIGTERM, _end)
    if name == "pictures":
        compile_pictures(lambda: sys.stdin.readline().strip())
    else:
        WARM_UPS[name]()


if __name__ == "__main__":
    _main(*sys.argv[1:])
