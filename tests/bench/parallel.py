"""Several threads against one.

``python -m tests.bench.parallel`` prints the milliseconds of public calls on 1, 2, 4 threads and so
on, up to one per core. Given numbers replace these: ``python -m tests.bench.parallel 1 6``.
"""

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    choose,
    encode,
    fast_pnn,
    inertia,
    refine,
    sweep,
)
from latviz.core.data.encoding import Encoding
from latviz.core.threads import CORES, get_threads, set_threads
from latviz.core.windows.decoding import decode
from tests.bench.harness import Result, Task, against, times
from tests.bench.pictures import photograph
from tests.bench.quantization import M, N, signatures, symbols

GRAIN = 6.0


def parallel() -> Iterator[Result]:
    """Decode, score and quantize with two threads and with one."""
    lattice, points = symbols(2048), signatures(1024)
    codebook = np.random.default_rng(0).dirichlet(np.ones(M), N)
    states, usual = decode(lattice, codebook, 5), get_threads()
    try:
        for name, task, what in (
            ("decode", lambda: decode(lattice, codebook, 5), "2048² quantiles"),
            ("inertia", lambda: inertia(states, N, 5), "2048² states"),
            ("fast_pnn", lambda: fast_pnn(points), "2²⁰ signatures"),
        ):
            one, two = (_on_threads(n, task) for n in (1, 2))
            notes = f"{what}, M={M}, N={N}, w=5"
            yield against(f"{name}, 2 threads", two, one, "1 thread", settings=notes)
    finally:
        set_threads(usual)


def _on_threads(n_threads: int, task: Task) -> Task:
    def run() -> None:
        set_threads(n_threads)
        task()

    return run


def calls() -> Iterator[tuple[str, Task]]:
    """Yield public calls by their names; w = 7, or 3 where models are learned again."""
    pixels = photograph(512, colour=True, grain=GRAIN)
    grey, lab = pixels.mean(axis=2).astype(np.uint8) // 32, encode(pixels, Encoding("lab")).values
    model = DiscreteModel.fit(grey, n_states=N, window=7, n_symbols=M)
    for side in (1024, 8192):
        big = np.tile(grey, (side // 512, side // 512))
        states = model.decode(big)
        yield f"decode {side}", partial(model.decode, big)
        yield f"inertia {side}", partial(inertia, states, N, 7)
        yield f"evaluate {side}", partial(model.evaluate, big)
    big = np.tile(grey, (2, 2))
    yield "belief 1024", partial(model.beliefs, big, strength=1.0, passes=10)
    normal, vectors = GaussianModel.fit(lab, n_states=N, window=7), np.tile(lab, (2, 2, 1))
    yield "decode CIELAB 1024", partial(normal.decode, vectors)
    yield "evaluate CIELAB 1024", partial(normal.evaluate, vectors)
    for name in ("lab", "filters"):
        yield f"encode {name} 1024", partial(encode, np.tile(pixels, (2, 2, 1)), Encoding(name))
    first = DiscreteModel.fit(grey, n_states=N, window=3, n_symbols=M)
    yield "refine 512", partial(refine, grey, first)
    yield "refine CIELAB 512", partial(refine, lab, GaussianModel.fit(lab, n_states=N, window=3))
    yield "sweep 512, 16 x 8", lambda: list(sweep(grey, range(1, 17), range(1, 9), n_symbols=M))
    yield "choose 512", partial(choose, grey, n_symbols=M)


def main() -> None:
    """Print the table."""
    numbers = [int(n) for n in sys.argv[1:]] or [2**k for k in range(CORES.bit_length())]
    print(f"{'milliseconds on threads':25}", *(f"{n:9}" for n in numbers))
    for name, task in calls():
        found = []
        for n_threads in numbers:
            set_threads(n_threads)
            found.append(1000 * float(np.median(times(task))))
        print(f"{name:25}", *(f"{taken:9.1f}" for taken in found), flush=True)


if __name__ == "__main__":
    main()
