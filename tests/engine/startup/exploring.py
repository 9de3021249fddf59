"""The kernels that parts of the program run, found in processes that have loaded no others.

``python -m tests.engine.startup.exploring`` fails if one runs kernels beyond those of the parts
that it has loaded. It names these by lines to add to `compile_cache.FILE`.
"""

import multiprocessing
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, cycle, product
from typing import Any, get_args

import numpy as np
from numba import types
from numba.core.registry import CPUDispatcher

from latviz.core.choice import calibrating, growing, refining
from latviz.core.data.encoding import Encoding, words
from latviz.core.segmentation.contrast import contrast_regions_of
from latviz.core.segmentation.regions import regions_of
from latviz.core.segmentation.relief import relief_of
from latviz.core.threads import set_threads
from latviz.core.windows.stratified import SAMPLE_EXACT
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, LEFT_OUT, NEEDED, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.geometry.selection import RegionSelection
from latviz.engine.geometry.signature_space import Projection, ProjectionKind
from latviz.engine.pictures import sample_size
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.parameters import Parameters
from latviz.engine.startup import compile_cache as warm
from tests.of_wings import of_wings
from tests.products import FULL

KINDS = np.uint8, np.uint16, np.float32
FLAT = (40, 30), (1, 1), (50, 1), (1, 70), (20, 30, 3), (70, 60)
THIN = (5, 20, 30), (1, 1, 1), (3, 9, 8, 3)
# Whole volumes; then those whose slices are apart, of which few are enough.
DEEP = [(shape, False) for shape in (*THIN, (17, 16, 17))]
DEEP += [(shape, True) for shape in (*THIN, (3, 16, 17))]
QUIET = NEEDED - LEFT_OUT - {"noise"}
"""Noise takes long, and learns and decodes as all else does: some explorations are enough."""

rng = np.random.default_rng(0)


def as_text(kind: Any) -> str:
    """Return a type of Numba as `compile_cache.FILE` has it."""
    if isinstance(kind, types.BaseTuple):
        return f"({', '.join(map(as_text, kind.types))},)"
    if not isinstance(kind, types.Array):
        return str(kind)
    axes = [":"] * kind.ndim
    if kind.layout != "A":
        axes[-1 if kind.layout == "C" else 0] = "::1"
    found = f"{as_text(kind.dtype)}[{', '.join(axes)}]"
    return found if kind.mutable else f"const({found})"


def kernels() -> set[str]:
    """Return the kernels that this process has loaded or compiled, each with its types."""
    modules = [m for name, m in sys.modules.items() if name.startswith("latviz.core.kernels.")]
    found = [f for m in modules for f in vars(m).values() if isinstance(f, CPUDispatcher)]
    kept = [f for f in found if f.stats.cache_path is not None]  # callees have no cache
    return {
        f"{f.py_func.__module__.rpartition('.')[2]}.{f.py_func.__name__} "
        + ", ".join(map(as_text, found))
        for f in kept
        for found in f.overloads
    }


NAMES = words()


@contextmanager
def no_other_kernels(*parts: Callable[[], object]) -> Iterator[None]:
    """Load some parts; fail if the code that follows runs other kernels, from any package."""
    for load in parts:
        load()
    before = kernels()
    assert before
    yield
    assert kernels() == before, "\n".join(sorted(kernels() - before))


def in_turn(shapes: Any, names: Any = NAMES, kinds: Any = KINDS) -> Iterator[Any]:
    """Yield each name, then each shape with symbols, numbers and colours; the others in turn."""
    for i, name in enumerate(names):
        yield shapes[i % len(shapes)], name, kinds[i % len(kinds)]
    for i, shape in enumerate(shapes):
        for j, name in enumerate(("quantiles", "grey", "rgb")):
            yield shape, name, kinds[(i + j) % len(kinds)]


def in_one_turn(shapes: Any, kinds: Any) -> Iterator[Any]:
    """Yield names and shapes together, until each was used: the following code is slow."""
    names = NAMES
    for i in range(max(len(shapes), len(names))):
        kind = kinds[(i + i // len(shapes)) % len(kinds)]
        yield shapes[i % len(shapes)], names[i % len(names)], kind


def few(shape: tuple[int, ...], kind: Any) -> Any:
    """Return pixels of few values."""
    return rng.integers(0, 3, shape).astype(kind)


def many(*shape: int, kind: Any = np.uint8) -> Any:
    return rng.integers(0, 250, shape).astype(kind)


def letters(length: int) -> Picture:
    return Picture(few((length,), np.uint8), "sequence", dimensions=1, alphabet=tuple("ACGT"))


def as_picture(pixels: Any, dimensions: int) -> Picture:
    return pixels if isinstance(pixels, Picture) else Picture(pixels, "", dimensions=dimensions)


def first_map(kind: str) -> None:
    encoding = Encoding("quantiles" if kind == "symbols" else "lab")
    parameters = Parameters(encoding, n_states=4, window=2)
    few_needs: dict[str, Any] = {"needs": frozenset(), "sample": SAMPLE_EXACT}
    request = Request(Picture(many(64, 70, 3), "test"), parameters, **few_needs)
    with no_other_kernels(partial(warm.load, ("any", kind))):
        assert 200 < Pipeline().run(request).n_learned < 300


def explore_pictures() -> None:
    with no_other_kernels():
        for shape, name, kind in in_turn([(40, 30), (1, 1), (50, 1), (20, 30, 3)]):
            show(few(shape, kind), name, n_states=3, window=2)
        pixels = many(90, 70)
        for name in ("quantiles", "grey"):
            for n, w in product((1, 2, 9, 32), (0, 64)) if FULL else ((1, 0), (9, 0), (32, 64)):
                own = {"n_states": n, "window": w, "smoothing": 0.5, "alpha_mode": "local"}
                show(pixels, name, asked={"needs": QUIET}, **own)
            show(pixels, name, window=3, learning_window=1)
            show(pixels, name, asked={"needs": QUIET}, normalizer="states")
        for symbols, projection in product((2, 3, 4, 64), get_args(ProjectionKind)):
            drawn = {"projection": Projection(projection), "needs": frozenset({"space"})}
            show(pixels, "quantiles", symbols, drawn)
        explore_turned()
        explore_large()
        for length, complete in product((1, 50, 20000), (False, True)):
            show(letters(length), "labels", 4, {"complete": complete}, n_states=3, window=5)


def show(pixels: Any, name: str, symbols: int = 8, asked: Any = None, **parameters: Any) -> None:
    """Show a picture as the window does at first."""
    asked = {"needs": NEEDED - LEFT_OUT, **(asked or {})}
    settings = Parameters(Encoding(name, symbols), **parameters)
    request = Request(as_picture(pixels, 2), settings, **asked)
    assert Pipeline().run(request, Listener(show=lambda frame: None)).whole


def explore_turned() -> None:
    needs = ALL_NEEDS - LEFT_OUT | {"paths"}
    turned = {"projection": Projection("components"), "needs": needs}
    for kind in (np.uint8, np.float32):
        show(many(90, 70, 3, kind=kind), "rgb", 8, turned, learning_window=1)
    show(many(300, 400), "quantiles", 8, turned)


def explore_large() -> None:
    seen = {"visible": (slice(100, 300), slice(50, 250)), "needs": QUIET}
    show(many(2100, 2000), "quantiles", 8, seen)
    sample_size.LARGE = 1 << 18
    for name in ("quantiles", "grey", "rgb"):
        show(many(600, 500, 3), name, 8, seen)
    show(many(600, 500), "quantiles", 3, {"complete": True, "needs": QUIET}, n_states=3)


def explore_sweeping() -> None:
    with no_other_kernels(partial(warm.load, ["sweeping"])):
        for shape, name, kind in in_turn(FLAT):
            sweep(few(shape, kind), name, n_states=3, window=2)
        for name in ("quantiles", "grey"):
            sweep(many(90, 70), name, 64, n_states=32, window=64)
        sweep(many(1100, 1000), "quantiles", n_states=9)
        for length in (1, 50, 20000):
            sweep(letters(length), "labels", dimensions=1, n_states=3, window=5)


def sweep(pixels, name, symbols=8, /, *, dimensions=2, apart=False, **parameters) -> None:
    """Compute two windows of the trade-off, compared with a truth."""
    shown = as_picture(pixels, dimensions)
    truth = few(shown.shape, np.uint8)
    picture = Picture(shown.pixels, "", truth=truth, dimensions=dimensions, alphabet=shown.alphabet)
    settings = Parameters(Encoding(name, symbols), **parameters)
    frame = Pipeline().run(Request(picture.sliced(apart), settings, needs=LEFT_OUT))
    work, watch = Sweeping(), Watch(lambda: False)
    assert work.next(frame, watch)
    work.next(frame, watch)


def explore_volumes() -> None:
    with no_other_kernels(partial(warm.load, ["volumes"])):
        for (shape, apart), name, kind in in_turn(DEEP):
            map_volume(few(shape, kind), name, apart, n_states=3, window=2)
        pixels = many(20, 21, 22)
        for name in ("quantiles", "grey"):
            for n, w in ((1, 0), (2, 8), (9, 64), (32, 1)):
                map_volume(pixels, name, n_states=n, window=w, smoothing=0.5, alpha_mode="local")
            map_volume(pixels, name, window=3, learning_window=1)
        for symbols, projection in product((2, 3, 64), ("polygon", "principal")):
            drawn = {"projection": Projection(projection), "needs": frozenset({"space"})}
            show(as_picture(pixels, 3), "quantiles", symbols, drawn, window=2)


MAPS = "likelihood", "doubt", "inertia"
_next = (MAPS[(k + k // 3) % 3] for k in count())
"""One map after another, moved on after each three: so each encoding in turn meets all of them."""


def map_volume(pixels: Any, name: str, apart: bool = False, **parameters: Any) -> None:
    """Show a volume with a lasso, and with all maps or the next one."""
    settings, picture = (
        Parameters(Encoding(name, 4), **parameters),
        as_picture(pixels, 3).sliced(apart),
    )
    corners = RegionSelection(((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)))
    for complete in {False, picture.n_nodes > LIVE}:  # of few nodes all are learned from at once
        needs = ALL_NEEDS - LEFT_OUT - ({"noise"} if complete else set())
        pipeline = Pipeline()  # of which another map asks for that map alone
        for kind in MAPS if FULL else [next(_next)]:
            asked: Any = {"complete": complete, "needs": needs, "map": kind}
            pipeline.run(Request(picture, settings, selection=corners, **asked))


def explore_sweeping_of_volumes() -> None:
    with no_other_kernels():
        for (shape, apart), name, kind in in_turn(DEEP):
            sweep(few(shape, kind), name, dimensions=3, apart=apart, n_states=3, window=2)
        for name, window in product(("quantiles", "grey"), (0, 9, 64)):
            sweep(many(17, 18, 17), name, 64, dimensions=3, n_states=9, window=window)


def explore_beliefs() -> None:
    # More rounds run the same kernels again.
    refining.FIRST, refining.MOST = growing.FIRST, growing.MOST = 1, 2
    refining.LAST = refining.SENDINGS = calibrating.SENDINGS = 2
    chosen = cycle("Nw")

    def believe(pixels, name, symbols=8, dimensions=2, apart=False, **own) -> None:
        picture = as_picture(pixels, dimensions).sliced(apart)
        settings = Parameters(Encoding(name, symbols), **own)
        # Noise is decoded four times: that of small pictures shows which kernels it runs.
        needs = ALL_NEEDS if picture.n_nodes <= 100 else ALL_NEEDS - {"noise"}
        frame = Pipeline().run(Request(picture, settings, needs=needs, map="doubt"))
        inspect(frame, (0,) * dimensions)
        if settings.decoder == "belief" and picture.n_nodes < 6000:
            Trying(Sweeping()).choose(frame, next(chosen), Watch(lambda: False))

    with no_other_kernels():
        both = ("belief", "refined")
        kinds = list(product(KINDS, both))
        for shape, name, (kind, decoder) in in_one_turn(FLAT, kinds):
            believe(few(shape, kind), name, decoder=decoder, n_states=3, window=2)
        for (shape, apart), name, (kind, decoder) in in_one_turn(DEEP, kinds):
            own = {"decoder": decoder, "n_states": 3, "window": 2, "apart": apart}
            believe(few(shape, kind), name, dimensions=3, **own)
        # How many states there are chooses no kernel.
        some = product((1, 2, 9, 32), both) if FULL else ((1, "belief"), (32, "refined"))
        for n_states, decoder in some:
            own = {"decoder": decoder, "n_states": n_states, "window": 3, "passes": 2}
            believe(many(40, 30), "quantiles", 64, **own)
        lengths = product((1, 50, 6000), both) if FULL else ((1, "refined"), (6000, "belief"))
        for length, decoder in lengths:
            own = {"decoder": decoder, "n_states": 3, "window": 5}
            believe(letters(length), "labels", dimensions=1, **own)


def explore_regions() -> None:
    def merge(states: Any, values: Any, discrete: bool) -> None:
        found = (
            regions_of(states, values, discrete, 3, states.ndim)
            .merged(3)
            .merged(1, least_evidence=2.0)
        )
        _ = found.evidence, found.weakest, found.means

    with no_other_kernels(partial(warm.load, ["regions"])):
        for shape in ((1,), (50,), (1, 1), (40, 30), (5, 20, 30)):
            states = few(shape, np.uint8)
            for kind in (np.uint8, np.uint16):
                merge(states, few(shape, kind), True)
            for kind in (np.uint8, np.float32, np.float64):
                merge(states, rng.integers(0, 9, (*shape, 3)).astype(kind), False)
        merge(states, states, True)
        for shape in ((40, 30), (1, 1), (70, 60, 3)):
            for kind in KINDS:
                relief = relief_of(rng.integers(0, 9, shape).astype(kind), 2, 2)
                states = np.zeros(relief.basins.shape, np.uint8)
                found = contrast_regions_of(relief, states, states, True, 3, 2)
                _ = found.merged(3, least_evidence=2.0, least_contrast=0.01).contrasts
        relief_of(few((50,), np.uint8), 1, 1, "ABC")


def explore_regions_of_volumes() -> None:
    with no_other_kernels():
        for shape in ((5, 20, 30), (1, 1, 1), (3, 9, 8, 3)):
            for kind in KINDS:
                relief_of(few(shape, kind), 3, 3)


BEFORE = explore_pictures, explore_sweeping, explore_volumes, explore_regions
"""Of processes that have loaded the kernels of pictures."""
AFTER = explore_sweeping_of_volumes, explore_beliefs, explore_regions_of_volumes
"""For processes that have loaded all kernels."""


def forked(work: Callable[..., Any], *arguments: str) -> Any:
    """Return a function's result in a copy of this process, which has loaded the same kernels."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=lambda: theirs.send((work(*arguments),)), name=work.__name__)
    process.start()
    theirs.close()  # so that ours ends when the process does
    try:
        (found,) = ours.recv()
    except EOFError:  # the process has printed the reason
        found = None
    process.join()
    return found


def main() -> None:
    set_threads(1)  # the kernels do not depend on it, and small pictures cost half
    for kind in warm.SOON:
        forked(first_map, kind)
    warm.WARM_UPS["pictures"]()
    for explore in (*BEFORE, *(wing.explore for wing in of_wings("exploring"))):
        forked(explore)
    for load in warm.WARM_UPS.values():
        load()
    for explore in AFTER:
        forked(explore)


if __name__ == "__main__":
    main()
