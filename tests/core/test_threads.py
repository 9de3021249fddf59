"""All results are the same, bit for bit, on one thread and on several."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
import threadpoolctl

from latviz.core import threads
from latviz.core.data import vectors
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding, words
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn, merge_in_cells, merge_to
from latviz.core.errors import ParameterError
from latviz.core.model import learning
from latviz.core.model.evaluation import local_alpha
from latviz.core.model.indices import inertia, local_inertia, pair_counts
from latviz.core.model.models import DiscreteModel, GaussianModel
from latviz.core.progress import Cancelled, heeding
from latviz.core.threads import at_most, each, get_threads, in_background, over_rows, set_threads
from latviz.core.windows import decoding
from latviz.core.windows.decoding import decode
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.quadtree import quadtree_leaves
from latviz.core.windows.signature import signature_at, window_signature
from latviz.engine.geometry import space
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.geometry.space import density
from tests.core import cases
from tests.products import FULL

COUNTS = (1, 2, 8) if FULL else (1, 8)
SHAPES = [(70_001,), (131, 243), (3, 9000), (13, 40, 41)]
"""The sequence is cut in parts, and has more nodes than a block of covariances."""
WINDOWS = [0, 3, 30]
M, N = 5, 11
B = cases.random_symbols(N, M, 301)
MEANS = np.random.default_rng(302).normal(size=(N, 3)) * 2


@pytest.fixture(autouse=True)
def usual_threads(monkeypatch):
    """Have cores for all threads, and leave as many threads as there were."""
    before = get_threads()
    monkeypatch.setattr(threads, "CORES", threads.MOST)
    yield
    set_threads(before)


def arrays(result):
    """Return all numbers of a result, as a list of arrays."""
    if isinstance(result, MergeTree):
        return [result.costs, *(part for n in (1, 2, N, result.n_max) for part in cut(result, n))]
    if is_dataclass(result):
        return arrays([getattr(result, field.name) for field in fields(result)])
    if isinstance(result, Mapping):
        return arrays(list(result.values()))
    if isinstance(result, list | tuple):
        return [array for part in result for array in arrays(part)]
    return [np.asarray(result() if callable(result) else result)]


def cut(tree, n):
    n = min(n, tree.n_max)
    return tree.codebook(n), tree.weights_of(n)


def check(compute):
    """Assert that a computation does not depend on the threads; return its result."""
    found = cases.on_threads(COUNTS, compute)
    wanted, *others = [arrays(result) for result in found]
    for other in others:
        assert len(other) == len(wanted)
        for one, two in zip(wanted, other, strict=True):
            assert one.dtype == two.dtype
            np.testing.assert_array_equal(one, two)
    return found[0]


def symbols_of(shape):
    return cases.blocky(shape, M, 303, block=6)


def vectors_of(shape, kind):
    values = cases.vectors(shape, 3, 304)
    if kind is np.uint8:
        return np.clip(np.rint(40 * values + 128), 0, 255).astype(np.uint8)
    return values.astype(kind)


def lattices_of(shape):
    """Return a lattice of symbols, one of bytes and one of reals, each with a codebook."""
    return [
        (symbols_of(shape), B),
        (to_fixed_point(vectors_of(shape, np.uint8)), 40 * MEANS + 128),
        (to_fixed_point(vectors_of(shape, np.float32)), MEANS),
    ]


def test_blas_has_the_threads_that_the_tests_give_it():
    """It must not be imported before them: its threads wait for each other on a busy machine."""
    pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    assert {pool["num_threads"] for pool in pools} <= {int(os.environ["OPENBLAS_NUM_THREADS"])}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("window", WINDOWS)
def test_signatures_decodings_and_inertia(shape, window):
    def compute(lattice, n_symbols):
        signature = window_signature(lattice, n_symbols=n_symbols, window=window)
        codebook = signature.reshape(-1, n_symbols)[:: signature[..., 0].size // N][:N]
        states = decode(lattice, codebook.astype(np.float64), window)
        inert = (
            inertia(states, n_states=N, window=window),
            local_inertia(states, n_states=N, window=window),
        )
        return states, signature, inert, local_alpha(states, N, window, 0.3)

    for lattice, given in lattices_of(shape):
        states = check(lambda: compute(lattice, given.shape[1]))[0]  # noqa: B023
        assert states.min() < states.max()


@pytest.mark.parametrize(
    ("shape", "normalizer"), [*zip(SHAPES, ["neighbours", "states"] * 2, strict=True)]
)
def test_the_discrete_model(shape, normalizer):
    def compute():
        model = DiscreteModel.fit(o, n_states=N, window=2, n_symbols=M, smoothing=0.5)
        states = model.decode(o)
        plain = model.evaluate(o, normalizer=normalizer)
        local = model.evaluate(o, alpha="local", normalizer=normalizer)
        sums = [(e.log_likelihood, e.pair_term, e.node_log_likelihood) for e in (plain, local)]
        return model, states, pair_counts(states, n_states=N), plain, local, sums

    o = symbols_of(shape)
    assert check(compute)[3].n_impossible == 0
    narrow = DiscreteModel(np.eye(2), np.eye(2, M), 1)
    assert check(lambda: narrow.evaluate(o, normalizer=normalizer)).n_impossible > 0


@pytest.mark.parametrize(
    ("shape", "kind"), [*zip(SHAPES, [np.uint8, np.float32, np.float64, np.uint8], strict=True)]
)
def test_the_gaussian_model(shape, kind):
    def compute():
        model = GaussianModel.fit(v, n_states=N, window=2, smoothing=0.5)
        plain, local = model.evaluate(v), model.evaluate(v, alpha="local")
        sums = [(e.log_likelihood, e.pair_term, e.node_log_likelihood) for e in (plain, local)]
        return model, model.decode(v), plain, local, sums

    v = vectors_of(shape, kind)
    check(compute)


@pytest.mark.parametrize("shape", [(200_000,), (430, 440), (20, 96, 95)])
def test_levels(shape, monkeypatch):
    monkeypatch.setattr(decoding, "BAND", 60_000)
    visible = tuple(slice(length // 3, length // 2) for length in shape)
    for lattice, codebook in lattices_of(shape)[::2]:

        def compute(lattice=lattice, codebook=codebook):
            levels = decoding.decode_coarse_to_fine(lattice, codebook, 2, visible=visible)
            return [(v.side, sums(v.totals) if v.totals else (), v.states) for v in levels]

        found = check(compute)
        assert len(found) > 2
        np.testing.assert_array_equal(found[-1][-1], decode(lattice, codebook, 2))


def sums(totals):
    """Return the content of totals, without the decoded lattice."""
    return totals.values, totals.sizes, totals.signatures()


@pytest.mark.parametrize("shape", SHAPES)
def test_single_windows(shape):
    rng = np.random.default_rng(305)
    nodes = tuple(np.sort(axis) for axis in (rng.integers(length, size=999) for length in shape))
    for lattice, codebook in lattices_of(shape):
        totals = check(lambda: sums(totals_at(lattice, codebook.shape[1], 3, nodes)))  # noqa: B023
        assert totals[0].any()
        check(lambda: totals_at(lattice, codebook.shape[1], 3, nodes).decode(codebook))  # noqa: B023


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_tasks_within_tasks_share_the_threads(n_threads):
    """Callers of other pools do so too, and none waits for a thread that waits for it."""
    set_threads(n_threads)
    lock, at_work, most = threading.Lock(), set(), []

    def inner(start, stop):
        with lock:
            at_work.add(threading.get_ident())
            most.append(len(at_work))
        time.sleep(0.002)
        with lock:
            at_work.discard(threading.get_ident())
        return list(range(start, stop))

    def outer(item):
        return [row for rows in over_rows(6, inner) for row in rows], each([item], abs)

    def caller(k):
        return each([-k, -k - 1, -k - 2], outer)

    for n_callers in (1, 3):
        most.clear()
        with ThreadPoolExecutor(n_callers) as pool:
            found = list(pool.map(caller, range(n_callers)))
        for k, of_caller in enumerate(found):
            assert of_caller == [([0, 1, 2, 3, 4, 5], [k + i]) for i in range(3)]
        assert max(most) <= n_threads + n_callers  # one that waited may go on before another ends
    assert len(over_rows(8, inner)) == min(n_threads, 8)


def test_no_more_threads_than_cores_compute(monkeypatch):
    monkeypatch.setattr(threads, "CORES", 3)
    set_threads(16)
    with pytest.raises(ParameterError, match=r"\b0\b"):
        set_threads(0)
    assert get_threads() == 16
    assert len(over_rows(100, lambda start, stop: stop - start)) == 3


def test_what_is_unwanted_begins_nothing_more():
    set_threads(4)
    begun = []
    with heeding(cases.Watch(3)), pytest.raises(Cancelled):
        each(range(1000), begun.append, most=1)
    assert begun == [0, 1, 2]
    with heeding(cases.Watch(3)), pytest.raises(Cancelled):
        each(range(1000), begun.append)  # helpers ask, too
    assert len(begun) < 1000
    with heeding(cases.Watch(1)):
        assert sum(over_rows(8, lambda start, stop: stop - start)) == 8
        with pytest.raises(Cancelled):
            over_rows(8, lambda *_: pytest.fail("begun"))


def test_each_item_is_taken_once_and_none_after_a_failure():
    set_threads(4)
    assert each(range(7), str, threads.COST) == list("0123456")
    assert set(each(range(7), lambda _: threading.get_ident(), 0.1)) == {threading.get_ident()}
    threads_seen = each(range(8), lambda _: (time.sleep(0.001), threading.get_ident())[1], most=2)
    assert len(set(threads_seen)) <= 2
    begun = []

    def failing(k):
        begun.append(k)
        raise ValueError(k)

    with pytest.raises(ValueError, match="0"):
        each(range(100), failing, most=1)
    assert begun == [0]
    with pytest.raises(ValueError, match=r"\d"):
        each(range(100), failing)
    assert len(begun) <= 1 + 4


@pytest.mark.parametrize("window", [1, 40])
def test_signatures_at_nodes(window):
    """Few nodes of small windows are summed one by one, others by rows."""
    shape, rng = (211, 307), np.random.default_rng(306)
    rows, columns = np.sort(rng.integers(211, size=2000)), rng.integers(307, size=2000)
    for lattice, codebook in lattices_of(shape):
        check(lambda: signature_at(lattice, codebook.shape[1], window, (rows, columns)))  # noqa: B023


@pytest.mark.parametrize(
    ("n", "channels", "levels"),
    [(1, 1, 0), (9, 2, 12), (1024, 3, 0), (1500, 1, 12), (20_000, 3, 0), (17_000, 8, 12)],
)
def test_merging(n, channels, levels):
    """Rounded to a few levels, many points are equal and many costs tie."""
    rng = np.random.default_rng(307)
    points = rng.random((n, channels))
    if levels:
        points = np.rint(levels * points)
    weights = rng.integers(1, 4, n).astype(float)
    check(lambda: fast_pnn(points))
    check(lambda: fast_pnn(points, weights=weights, n_exact=50))
    check(lambda: merge_to(points, 100))
    check(lambda: merge_in_cells(points, 0.1, weights))


@pytest.mark.parametrize("shape", [(20_001,), *SHAPES[1:]])
def test_learning_in_parts(shape, monkeypatch):
    monkeypatch.setattr(learning, "PART", 9000)
    monkeypatch.setattr(learning, "PART_CLUSTERS", 500)
    for lattice, codebook in lattices_of(shape):
        check(lambda: learning.learn_tree([lattice] * 2, codebook.shape[1], 2))  # noqa: B023


@pytest.mark.parametrize(
    ("name", "kind", "channels"),
    [
        (name, [np.uint8, np.uint16, np.float32][k % 3], [(), (3,)][k // 3 % 2])
        for k, name in enumerate(words())
    ],
)
def test_encodings(name, kind, channels, monkeypatch):
    """With this many random colours, more are merged than one thread merges alone."""
    monkeypatch.setattr(vectors, "_PART", 1500)
    rng, shape = np.random.default_rng(309), (110, 101, *channels)
    image = rng.integers(0, 2 if name == "labels" else 250, shape).astype(kind)
    if kind is np.float32 and name != "labels":
        image = rng.normal(size=shape)
    found = check(lambda: encode(image, Encoding(name, 6)))
    check(lambda: [one.values for one in found.encoder.encode([image, image[:9], image[5:]])])
    if not found.discrete:
        check(lambda: to_fixed_point(found.values))


def test_leaves():
    o = symbols_of((300, 411))
    leaves = check(lambda: quadtree_leaves(decode(o, B, 3)))
    assert leaves.sides.max() > 1


@pytest.mark.parametrize(
    ("window", "kind"), [(0, "polygon"), (2, "principal"), (70, "components"), (2, "symbols")]
)
def test_density_of_symbols(window, kind):
    for n_symbols in (1, 2, 3, 6):
        o = cases.blocky((401, 307), n_symbols, 310, block=6)
        sample = (
            window_signature(o, n_symbols=n_symbols, window=2)
            .reshape(-1, n_symbols)[::7]
            .astype(float)
        )
        plane = space.symbol_plane(n_symbols, Projection(kind), sample)
        assert check(lambda: density(o, window, plane)).sum() == o.size  # noqa: B023
        check(lambda: density(o, window, plane, 4))  # noqa: B023


@pytest.mark.parametrize(
    ("window", "kind", "channels"),
    [(0, np.uint8, 1), (2, np.float32, 1), (70, np.uint8, 2), (2, np.float32, 3)],
)
def test_density_of_vectors(window, kind, channels):
    lattice = to_fixed_point(vectors_of((401, 307), kind)[..., :channels].copy())
    sample = (
        window_signature(lattice, n_symbols=channels, window=2)
        .reshape(-1, channels)[::7]
        .astype(float)
    )
    plane = space.vector_plane(lattice.low, lattice.high, Projection(), sample)
    assert check(lambda: density(lattice, window, plane)).sum() == 401 * 307
    check(lambda: density(lattice, window, plane, 4))


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2, 0.9, 3.0, 40.0, np.inf])
@pytest.mark.parametrize("n_rows", [1, 5, 23, 4001])
def test_work_is_cut_into_as_many_parts_as_are_done_soonest(n_rows, share):
    """One more thread costs as much as some of the work."""
    set_threads(16)
    found = over_rows(n_rows, lambda start, stop: range(start, stop), share * threads.COST)
    assert [row for rows in found for row in rows] == list(range(n_rows))
    numbers = range(1, min(16, n_rows) + 1)
    soonest = min(numbers, key=lambda n: (n_rows * share / n + n - 1, -n)) if n_rows > 1 else 1
    assert len(found) == (numbers[-1] if share == np.inf else soonest)


def test_fewer_threads_take_part_while_others_compute(monkeypatch):
    """Each of them may hold the interpreter's lock."""
    set_threads(16)
    monkeypatch.setattr(threads, "_busy", 4)
    assert len(over_rows(20, lambda start, stop: stop - start, threads.COST)) == 2
    monkeypatch.setattr(threads, "_busy", 0)
    assert len(over_rows(20, lambda start, stop: stop - start, threads.COST)) == 5


@pytest.mark.parametrize(("given", "wanted"), [("3", 3), (" 16 ", 16), ("", None), ("two", None)])
def test_the_number_of_threads_comes_from_the_environment(given, wanted) -> None:
    script = "from latviz.core.threads import CORES, get_threads; print(CORES, get_threads())"
    environment = os.environ | {"LATVIZ_THREADS": given}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    n_cores, n_threads = map(int, done.stdout.split())
    assert n_threads == (wanted or n_cores)
    assert ("LATVIZ_THREADS must be a number from 1 to 256" in done.stderr) == (given == "two")


IN_PROCESSES = """
import multiprocessing, os
from latviz.core import threads
threads.set_threads(3)
threads.each(range(9), abs)
def found(method, *call):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.apply(*call)
print(found("fork", threads.each, (range(3), abs)), found("fork", threads.get_threads))
os.environ["OMP_NUM_THREADS"] = "2"
print(found("spawn", threads.get_threads), threads.get_threads())
os.environ["LATVIZ_THREADS"] = "5"
print(found("spawn", threads.get_threads))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_worker_process_computes_on_one_thread_unless_told():
    """A forked one must not wait for the threads of the process that it copies."""
    given = {k: v for k, v in os.environ.items() if k not in ("LATVIZ_THREADS", "OMP_NUM_THREADS")}
    command = [sys.executable, "-W", "ignore", "-c", IN_PROCESSES]
    done = subprocess.run(command, capture_output=True, text=True, env=given, check=True)
    assert done.stdout.split("\n")[:3] == ["[0, 1, 2] 1", "2 3", "5"]


AT_THE_END = """
import threading
from latviz.core import threads
def compute():
    threading.main_thread().join()
    kept = threads.in_background(lambda: threads.each(range(2), abs))
    print(threads.each([-3, 4, -5], abs), kept(), threads._busy)
    threads.over_rows(2, lambda start, stop: 1 // start)
threads.CORES = 4
threads.set_threads(4)
threads.each(range(9), abs)
threading.Thread(target=compute).start()
"""


def test_a_thread_that_outlives_the_main_one_still_computes() -> None:
    """Executors refuse tasks as soon as the main thread has ended."""
    command = [sys.executable, "-c", AT_THE_END]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[3, 4, 5] [0, 1] 0\n"
    assert "ZeroDivisionError" in done.stderr
    assert "RuntimeError" not in done.stderr


def test_what_fails_waits_for_what_works_on() -> None:
    """Without waiting, threads went on writing to arrays, or compiled unwanted kernels."""
    set_threads(4)
    begun, ended = threading.Event(), []

    def task(start: int, _stop: int) -> None:
        if start == 0:
            assert begun.wait(60)
            raise ValueError("first")
        begun.set()
        time.sleep(0.1)
        ended.append(start)

    with pytest.raises(ValueError, match="first"):
        over_rows(4, task)
    assert sorted(ended) == [1, 2, 3]


def test_what_is_done_beside_is_done_by_one_other_thread() -> None:
    set_threads(3)
    released = threading.Event()

    def task() -> tuple[int, int]:
        assert released.wait(60)
        return threading.get_ident(), len(over_rows(8, lambda _start, _stop: None))

    result = in_background(task)
    released.set()
    thread, n_parts = result()
    assert thread != threading.get_ident()
    assert n_parts == 1
    assert result() == (thread, n_parts)


def test_a_thread_that_does_all_by_itself_does_that_too() -> None:
    set_threads(1)
    assert in_background(threading.get_ident)() == threading.get_ident()
    set_threads(3)
    with at_most(1):
        with at_most(1):
            pass
        assert in_background(threading.get_ident)() == threading.get_ident()


@pytest.mark.parametrize(("most", "n_parts"), [(0, 1), (1, 1), (2, 2), (3, 3), (9, 4)])
def test_a_thread_can_leave_others_free(most: int, n_parts: int) -> None:
    set_threads(4)
    with at_most(most):
        assert len(over_rows(8, lambda _start, _stop: None)) == n_parts
    assert len(over_rows(8, lambda _start, _stop: None)) == 4
