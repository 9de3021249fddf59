"""Two threads against one."""

from collections.abc import Iterator

import numpy as np

from latviz.core import fast_pnn, inertia
from latviz.core.threads import get_threads, set_threads
from latviz.core.windows.decoding import decode
from tests.bench.harness import Result, Task, against
from tests.bench.quantization import M, N, signatures, symbols


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
