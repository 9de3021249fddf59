"""The kernels are compiled once, apart from the window, and all of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import latviz
from latviz.engine.startup import compile_cache as warm
from latviz.engine.startup import compilers
from tests import kernel_cache
from tests.products import FULL

KERNELS = """
import sys
from contextlib import contextmanager
from numba.core.registry import CPUDispatcher
from latviz.core.threads import set_threads

set_threads(1)  # which kernels run does not depend on it, and small pictures cost half

def kernels():
    # Those that this process has loaded or compiled, with their types; callees have no cache.
    modules = [m for name, m in sys.modules.items() if name.startswith("latviz.core.kernels.")]
    found = [f for m in modules for f in vars(m).values() if isinstance(f, CPUDispatcher)]
    kept = [f for f in found if f.stats.cache_path is not None]
    return {f"{f.py_func.__module__} {f.py_func.__name__} {t}" for f in kept for t in f.overloads}

@contextmanager
def no_other_kernels(*parts):
    # What runs needs no kernels beyond those of these parts, wherever they come from.
    for compile_part in parts:
        compile_part()
    before = kernels()
    assert before
    yield
    assert kernels() == before, kernels() - before
"""

TURNS = """
def in_turn(shapes, names, kinds):
    # Each name, then each shape with symbols, numbers and colours; shapes and kinds go round.
    for i, name in enumerate(names):
        yield shapes[i % len(shapes)], name, kinds[i % len(kinds)]
    for i, shape in enumerate(shapes):
        for j, name in enumerate(("quantiles", "grey", "rgb")):
            yield shape, name, kinds[(i + j) % len(kinds)]

def in_one_turn(shapes, names, kinds):
    # Names and shapes go round together, until each was there: what follows takes long.
    names = tuple(names)
    for i in range(max(len(shapes), len(names))):
        kind = kinds[(i + i // len(shapes)) % len(kinds)]
        yield shapes[i % len(shapes)], names[i % len(names)], kind
"""

EXPLORE = (
    TURNS
    + """
import numpy as np
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.errors import ParameterError
from latviz.engine.benches import laboratory as lab
from latviz.engine.startup import compile_cache as warm
from latviz.engine.frames.frame import ALL_NEEDS, LEFT_OUT, NEEDED, Request
from itertools import product
from typing import get_args
from latviz.engine.settings.parameters import Parameters
from latviz.engine.pictures.picture import Picture
from latviz.engine.geometry.projection import Projection, ProjectionKind
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.listener import Listener
from tests.core import cases

rng = np.random.default_rng(0)

def explore(pixels, name, symbols=8, request={}, **parameters):
    parameters = Parameters(Encoding(name, symbols), **parameters)
    request = {"needs": NEEDED - LEFT_OUT, **request}
    asked = Request(0, Picture(pixels.copy(), "test"), parameters, **request)
    frame = Pipeline().run(asked, Listener(show=lambda frame: None))
    assert frame.whole

with no_other_kernels(*warm.PARTS.values()):
    warm.warm_up()
    shapes = (40, 30), (1, 1), (50, 1), (20, 30, 3)
    for shape, name, kind in in_turn(shapes, ENCODINGS, (np.uint8, np.uint16, np.float32)):
        explore(rng.integers(0, 3, shape).astype(kind), name, n_states=3, window=2)
    pixels = rng.integers(0, 250, (90, 70)).astype(np.uint8)
    for name in ("quantiles", "grey"):
        for n in (1, 2, 9, 32):
            for w in (0, 64):
                explore(pixels, name, n_states=n, window=w, smoothing=0.5, alpha_mode="local")
        explore(pixels, name, window=3, learning_window=1, evaluation_window=2)
        explore(pixels, name, normalizer="states")
    for symbols in (2, 3, 4, 64):
        for kind in get_args(ProjectionKind):
            explore(pixels, "quantiles", symbols, {"projection": Projection(kind)})
    needs = ALL_NEEDS - LEFT_OUT | {"paths"}
    turned = {"projection": Projection("components"), "needs": needs}
    for kind in (np.uint8, np.float32):
        colours = rng.integers(0, 250, (90, 70, 3)).astype(kind)
        explore(colours, "rgb", request=turned, learning_window=1)
    explore(rng.integers(0, 250, (900, 700)).astype(np.uint8), "quantiles", request=turned)
    large = rng.integers(0, 250, (2100, 2000, 3)).astype(np.uint8)
    region = (slice(100, 300), slice(50, 250))
    for name in ("quantiles", "grey", "rgb"):
        explore(large, name, request={"visible": region})
    explore(large, "quantiles", 3, request={"complete": True}, n_states=3)
    explore(large[:600, :500], "quantiles", request={"complete": True})
    letters = tuple("ACGT")
    for length in (1, 50, 20000):
        symbols = rng.integers(0, 4, length).astype(np.uint8)
        asked = Parameters(Encoding("labels"), n_states=3, window=5)
        picture = Picture(symbols, "sequence", dimensions=1, alphabet=letters)
        for complete in (False, True):
            needs = NEEDED - LEFT_OUT
            Pipeline().run(Request(0, picture, asked, complete=complete, needs=needs))
    ways = list(product(get_args(lab.NoiseKind), get_args(lab.Codebook)))
    sampled = [field for field in get_args(lab.Field) if field != "drawn"]
    for number, field in enumerate(sampled):
        for kind, codebook in ways if number == 0 else ways[number % 4 :][:1]:
            sizes = {"n_states": 3, "region": 8, "side": 64, "replicates": 2}
            asked = lab.Experiment(field, noise_kind=kind, codebook=codebook, **sizes)
            assert list(lab.run(asked, 3, cases.Recorder()))[-1].complete
print("explored")
"""
)

DEEP_TURNS = (
    TURNS
    + """
# Whole volumes; then those whose slices are apart, of which few are enough.
thin = (5, 20, 30), (1, 1, 1), (3, 9, 8, 3)
deep = [(shape, False) for shape in (*thin, (17, 16, 17))]
deep += [(shape, True) for shape in (*thin, (3, 16, 17))]
"""
)

VOLUMES = (
    DEEP_TURNS
    + """
import numpy as np
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.engine.startup import compile_cache as warm
from latviz.engine.frames.frame import ALL_NEEDS, LEFT_OUT, Request
from latviz.engine.settings.parameters import Parameters
from latviz.engine.pictures.picture import Picture
from latviz.engine.geometry.projection import Projection
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.geometry.selection import RegionSelection

rng = np.random.default_rng(0)
corners = RegionSelection(((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)))

def explore(pixels, name, symbols=4, projection=Projection(), **parameters):
    picture = Picture(pixels.copy(), "volume", dimensions=3)
    for complete in (False, True):
        pipeline = Pipeline()  # of which another map asks for that map alone
        for kind in ("likelihood", "doubt", "inertia"):
            asked = Request(
                0, picture, Parameters(Encoding(name, symbols), **parameters), projection,
                complete=complete, needs=ALL_NEEDS - LEFT_OUT, map=kind, selection=corners,
            )
            pipeline.run(asked)

with no_other_kernels(*warm.PARTS.values(), warm.warm_up_volumes):
    warm.warm_up()
    for (shape, apart), name, kind in in_turn(deep, ENCODINGS, (np.uint8, np.uint16, np.float32)):
        pixels = rng.integers(0, 3, shape).astype(kind)
        explore(pixels, name, n_states=3, window=2, slices_apart=apart)
    pixels = rng.integers(0, 250, (20, 21, 22)).astype(np.uint8)
    for name in ("quantiles", "grey"):
        for n, window in ((1, 0), (2, 8), (9, 64), (32, 1)):
            explore(pixels, name, n_states=n, window=window, smoothing=0.5, alpha_mode="local")
        explore(pixels, name, window=3, learning_window=1, evaluation_window=9)
    for symbols in (2, 3, 64):
        for kind in ("polygon", "principal"):
            explore(pixels, "quantiles", symbols, Projection(kind), window=2)
print("explored")
"""
)


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load as a new process does."""
    monkeypatch.setattr(warm, "_loaded", set())


SWEEP = """
import numpy as np
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.engine.startup import compile_cache as warm
from latviz.engine.frames.frame import Request
from latviz.engine.settings.parameters import Parameters
from latviz.engine.pictures.picture import Picture
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.listener import Watch
from latviz.engine.choosing.sweeping import Sweeping

rng = np.random.default_rng(0)

def explore(pixels, name, symbols=8, dimensions=2, alphabet=(), **parameters):
    truth = rng.integers(0, 3, pixels.shape[:dimensions]).astype(np.uint8)
    picture = Picture(pixels.copy(), "test", None, (), truth, {}, dimensions, alphabet)
    asked = Request(0, picture, Parameters(Encoding(name, symbols), **parameters))
    frame, watch = Pipeline().run(asked), Watch(lambda: False)
    work = Sweeping()
    assert work.next(frame, watch).settings
    work.next(frame, watch)

"""

FLAT = """
with no_other_kernels(*warm.PARTS.values(), warm.warm_sweeping):
    warm.warm_up()
    shapes = (40, 30), (1, 1), (50, 1), (1, 70), (20, 30, 3), (70, 60)
    for shape, name, kind in in_turn(shapes, ENCODINGS, (np.uint8, np.uint16, np.float32)):
        explore(rng.integers(0, 3, shape).astype(kind), name, n_states=3, window=2)
    pixels = rng.integers(0, 250, (90, 70)).astype(np.uint8)
    for name in ("quantiles", "grey"):
        explore(pixels, name, 64, n_states=32, window=64)
    explore(rng.integers(0, 250, (1100, 1000)).astype(np.uint8), "quantiles", n_states=9)
    for length in (1, 50, 20000):
        symbols = rng.integers(0, 3, length).astype(np.uint8)
        explore(symbols, "labels", dimensions=1, alphabet=tuple("abc"), n_states=3, window=5)
print("explored")
"""

DEEP = """
with no_other_kernels(*warm.PARTS.values(), *warm.LATER.values()):
    warm.warm_up()
    for (shape, apart), name, kind in in_turn(deep, ENCODINGS, (np.uint8, np.uint16, np.float32)):
        pixels = rng.integers(0, 3, shape).astype(kind)
        explore(pixels, name, dimensions=3, n_states=3, window=2, slices_apart=apart)
    pixels = rng.integers(0, 250, (20, 21, 22)).astype(np.uint8)
    for name in ("quantiles", "grey"):
        for window in (0, 9, 64):
            explore(pixels, name, 64, dimensions=3, n_states=9, window=window)
print("explored")
"""


BELIEVE = """
from itertools import cycle, product
import numpy as np
from latviz.engine.frames.listener import Watch
from latviz.engine.choosing.sweeping import Sweeping
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.engine.startup import compile_cache as warm
from latviz.engine.frames.frame import ALL_NEEDS, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.settings.parameters import Parameters
from latviz.engine.pictures.picture import Picture
from latviz.engine.flow.pipeline import Pipeline

rng, chosen = np.random.default_rng(0), cycle("Nw")

def explore(pixels, name, symbols=8, dimensions=2, alphabet=(), **parameters):
    picture = Picture(pixels.copy(), "test", None, (), None, {}, dimensions, alphabet)
    asked = Parameters(Encoding(name, symbols), **parameters)
    # Noise refines a model four times over: that of small pictures tells which kernels it runs.
    refines_long = asked.decoder == "refined" and pixels.size > 100
    needs = ALL_NEEDS - {"noise"} if refines_long else ALL_NEEDS
    frame = Pipeline().run(Request(0, picture, asked, needs=needs, map="doubt"))
    inspect(frame, (0,) * dimensions)
    if asked.decoder == "belief":
        Sweeping().choose(frame, next(chosen), Watch(lambda: False))

with no_other_kernels(*warm.PARTS.values(), *warm.LATER.values()):
    warm.warm_up()
    kinds = list(product((np.uint8, np.uint16, np.float32), ("belief", "refined")))
    shapes = (40, 30), (1, 1), (50, 1), (1, 70), (20, 30, 3), (70, 60)
    for shape, name, (kind, decoder) in in_one_turn(shapes, ENCODINGS, kinds):
        pixels = rng.integers(0, 3, shape).astype(kind)
        explore(pixels, name, decoder=decoder, n_states=3, window=2)
    for (shape, apart), name, (kind, decoder) in in_one_turn(deep, ENCODINGS, kinds):
        pixels = rng.integers(0, 3, shape).astype(kind)
        asked = {"decoder": decoder, "n_states": 3, "window": 2, "slices_apart": apart}
        explore(pixels, name, dimensions=3, **asked)
    pixels = rng.integers(0, 250, (40, 30)).astype(np.uint8)
    for n_states, decoder in product((1, 2, 9, 32), ("belief", "refined")):
        asked = {"decoder": decoder, "n_states": n_states, "window": 3, "passes": 2}
        explore(pixels, "quantiles", 64, **asked)
    for length, decoder in product((1, 50, 20000), ("belief", "refined")):
        symbols = rng.integers(0, 3, length).astype(np.uint8)
        asked = {"decoder": decoder, "n_states": 3, "window": 5}
        explore(symbols, "labels", dimensions=1, alphabet=tuple("abc"), **asked)
print("explored")
"""


MERGE = """
import numpy as np
from latviz.core.segmentation.regions import regions_of
from latviz.engine.startup import compile_cache as warm

rng = np.random.default_rng(0)

def explore(states, values, discrete, dimensions):
    found = regions_of(states, values, discrete, 3, dimensions).merged(3).merged(1, 2.0)
    found.evidence, found.weakest, found.means

with no_other_kernels(*warm.PARTS.values(), warm.warm_regions):
    for shape in ((1,), (50,), (1, 1), (40, 30), (5, 20, 30)):
        states = rng.integers(0, 3, shape).astype(np.uint8)
        for kind in (np.uint8, np.uint16):
            explore(states, rng.integers(0, 3, shape).astype(kind), True, len(shape))
        for kind in (np.uint8, np.float32, np.float64):
            explore(states, rng.integers(0, 9, (*shape, 3)).astype(kind), False, len(shape))
    explore(states, states, True, 2)
print("explored")
"""


def run(script: str, *arguments: str, **environment: str) -> str:
    """Return what a script prints, which is to have no errors."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=1200,
    )
    assert done.stderr == ""
    return done.stdout


SCRIPTS = {
    "pictures": EXPLORE,
    "sweeping": TURNS + SWEEP + FLAT,
    "volumes": VOLUMES,
    "sweeping of volumes": DEEP_TURNS + SWEEP + DEEP,
    "beliefs": DEEP_TURNS + BELIEVE,
    "regions": MERGE,
}


@pytest.mark.parametrize("part", SCRIPTS)
def test_nothing_is_used_that_was_not_compiled(part: str) -> None:
    assert run(KERNELS + SCRIPTS[part]) == "explored\n"


LISTED = """
from latviz.engine.startup import compile_cache as warm

parts = warm.PARTS.values() if sys.argv[1] == "pictures" else [warm.LATER[sys.argv[1]]]
for compile_part in parts:
    compile_part()
print(*sorted(kernels()), sep=chr(10))
"""


def test_nothing_is_compiled_twice() -> None:
    """Parts that are compiled at the same time, beside what pictures need, share no kernel."""
    pictures = set(run(KERNELS + LISTED, "pictures").splitlines())
    assert len(pictures) > 40
    names = "sweeping", "beliefs", "regions", "fields"
    parts = [set(run(KERNELS + LISTED, name).splitlines()) - pictures for name in names]
    assert [len(part) > least for part, least in zip(parts, (5, 5, 5, 1), strict=True)] == (
        [True] * 4
    )
    assert len(set().union(*parts)) == sum(map(len, parts))


@pytest.mark.skipif(
    kernel_cache.AFRESH not in os.environ and not FULL, reason="began with compiled kernels"
)
def test_processes_compile_each_part(tmp_path: Path) -> None:
    """A run that began without a cache has compiled the parts one by one."""
    if kernel_cache.AFRESH in os.environ:
        made = Path(os.environ[kernel_cache.AFRESH])
    else:
        kernel_cache.compile_parts(made := tmp_path)
    names = "pictures", "sweeping", "beliefs", "regions", "fields"
    parts = [(made / f"{name}.txt").read_text().splitlines() for name in names]
    assert all(parts)
    assert len(set().union(*parts)) == sum(map(len, parts))
    assert (made / "volumes.txt").read_text() == "told\n"
    again = run(kernel_cache.PREPARE_VOLUMES, NUMBA_CACHE_DIR=str(made / "volumes"))
    assert again == ""


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("symbols", ("symbol nodes", "symbol states")),
        ("vectors", ("vector nodes", "vector states", "covariances")),
    ],
)
def test_what_a_first_state_map_needs_is_compiled_first(kind: str, first: tuple[str, ...]) -> None:
    script = """
import numpy as np
from latviz.core.data.encoding import Encoding
from latviz.core.windows.stratified import SAMPLE_EXACT
from latviz.engine.startup import compile_cache as warm
from latviz.engine.frames.frame import Request
from latviz.engine.settings.parameters import Parameters
from latviz.engine.pictures.picture import Picture
from latviz.engine.flow.pipeline import Pipeline

pixels = np.random.default_rng(0).integers(0, 256, (64, 70, 3)).astype(np.uint8)
encoding = Encoding("quantiles" if KIND == "symbols" else "lab")
few = {"needs": frozenset(), "sample": SAMPLE_EXACT}
request = Request(0, Picture(pixels, "test"), Parameters(encoding, n_states=4, window=2), **few)
with no_other_kernels(*(warm.PARTS[name] for name in (*warm.COMMON, *FIRST))):
    print(Pipeline().run(request).n_learned)
"""
    assert warm.SOON[kind][: len(first)] == first
    script = script.replace("FIRST", repr(first)).replace("KIND", repr(kind))
    assert 200 < int(run(KERNELS + script)) < 300


def test_preparing_says_that_it_compiles_and_can_be_stopped(tmp_path: Path) -> None:
    script = """
import psutil
from pathlib import Path
from latviz.engine.startup import compile_cache as warm

told, stopped = [], []

def kernels():
    return sum(1 for path in Path(NUMBA_CACHE_DIR).rglob("*.nbc"))

def stop():
    if not stopped and len(psutil.Process().children(recursive=True)) > 2 and kernels() > 1:
        stopped.append(kernels())
    return bool(stopped)

try:
    warm.prepare(lambda: told.append("told"), stop)
except BaseException as error:
    print(type(error).__name__, told, psutil.Process().children(True), kernels() < stopped[0] + 20)
"""
    script = script.replace("NUMBA_CACHE_DIR", repr(str(tmp_path)))
    assert run(script, NUMBA_CACHE_DIR=str(tmp_path)) == "Cancelled ['told'] [] True\n"


def test_a_later_part_is_compiled_beside_and_then_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def load(_stop: warm.Stop) -> None:
        told.append("load")
        if len(told) == 1:
            raise warm.kernels.compiler.NotCachedError

    sleeper = [sys.executable, "-c", "input()"]
    process = subprocess.Popen(sleeper, stdin=subprocess.PIPE, text=True)
    monkeypatch.setattr(warm, "apart", lambda *_: process)
    with warm.Part("sweeping", load) as part:
        assert not part.is_ready(lambda: told.append("told"), lambda: False)
        assert not part.is_ready(lambda: told.append("told"), lambda: False)
        assert told == ["load", "told"]
        assert part.is_compiling
        process.communicate("\n")
        assert not part.is_compiling
        assert part.is_ready(lambda: told.append("told"), lambda: False)
        assert part.is_ready(lambda: told.append("told"), lambda: False)
    assert told == ["load", "told", "load"]
    assert warm.Part("sweeping", load).ready  # for whoever comes later in this process
    process = subprocess.Popen(sleeper, stdin=subprocess.PIPE, text=True)
    told.clear()
    warm._loaded.clear()
    with warm.Part("sweeping", load) as part:
        assert not part.is_ready(lambda: None, lambda: False)
    assert process.returncode is not None
    process.communicate()


def test_where_no_process_can_be_started_kernels_are_compiled_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **_options: object) -> None:
        raise PermissionError("no more processes")

    calls: list[str] = []

    def warm_up(stop: warm.Stop) -> None:
        calls.append("warm up")
        if len(calls) == 1:
            raise warm.kernels.compiler.NotCachedError

    monkeypatch.setattr(compilers.subprocess, "Popen", refuse)
    monkeypatch.setattr(warm, "warm_up", warm_up)
    warm.prepare(lambda: calls.append("told"))
    assert calls == ["warm up", "told", "warm up"]


def test_where_no_cache_can_be_written_there_is_a_temporary_one(tmp_path: Path) -> None:
    script = """
import os, sys, tempfile
from pathlib import Path
import numpy as np

writable = tempfile.TemporaryFile

def only_temporary(dir):
    if not dir.startswith(tempfile.gettempdir()):
        raise PermissionError(dir)
    return writable(dir=dir)

tempfile.TemporaryFile = only_temporary
from latviz.core.windows.decoding import decode
print(decode(np.zeros((2, 3), np.uint8), np.eye(2), 1).tolist())
place = Path(os.environ["NUMBA_CACHE_DIR"])
print(place.parent == Path(tempfile.gettempdir()), len(list(place.glob("*/sweeps.*.nbi"))) > 0)
"""
    printed = run(script, TMPDIR=str(tmp_path), NUMBA_CACHE_DIR="")
    assert printed == "[[0, 0, 0], [0, 0, 0]]\nTrue True\n"
    assert list(tmp_path.iterdir()) == []


def test_kernels_are_compiled_for_this_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "latviz"
    other.mkdir()
    (other / "__init__.py").write_text("raise SystemExit('another copy')")
    monkeypatch.chdir(tmp_path)
    with compilers.apart("-c", "import latviz; print(latviz.__file__)") as process:
        assert process.wait(timeout=240) == 0
    assert Path(capfd.readouterr().out.strip()) == Path(latviz.__file__)
