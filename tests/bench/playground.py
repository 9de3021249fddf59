"""Sweeps per second of the playground: ``python -m tests.bench.playground [side]``.

The kernels alone, by A, number of states and threads; then the window in use: it sweeps as fast as
it can, measures each sweep, draws, observes and decodes, and a timer of the window's thread beats
to find the longest stall.
"""

import os
import sys
import time
from threading import Event

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np

from latviz.app.benches.playground.window import PlayWindow
from latviz.app.look.theme import LIGHT
from latviz.app.program.main import SWITCH_S, application
from latviz.app.shell.settings import Settings
from latviz.core import sample_potts, sweep_potts, threads
from latviz.engine.benches.playground import PRESETS, cycle, potts
from latviz.engine.keeping.plain import to_line
from latviz.engine.startup.compile_cache import warm_fields, warm_up
from tests.bench.drag import WAIT, Beats

SWEEPS, SECONDS = 40, 3.0
SIZE = (1280, 800)
CASES = {
    "2 states": potts(2, 1.0, 0.1),
    "2 states, checkerboard": potts(2, 1.0, 10.0),
    "6 states in a ring": cycle(6, 10.0, 4.0, 0.1),
    "8 states": potts(8, 1.0, 0.1),
}


def rate(A: np.ndarray, side: int, method: str) -> float:
    """Return the kernels' sweeps per second, the best of three runs."""
    states = np.random.default_rng(0).integers(0, len(A), (side, side)).astype(np.uint8)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        sweep_potts(states, A, sweeps=SWEEPS, method=method, seed=0)  # type: ignore[arg-type]
        best = min(best, time.perf_counter() - start)
    return SWEEPS / best


def sampled_rate(A: np.ndarray, side: int) -> float:
    """Return the sweeps per second of `sample_potts`, which is not compiled."""
    start = time.perf_counter()
    sample_potts(A, (side, side), sweeps=5, method="gibbs", seed=0)
    return 5 / (time.perf_counter() - start)


def window_rate(preset: str, side: int) -> tuple[float, float]:
    """Return the window's sweeps per second at full pace, and its longest stall in ms."""
    app, settings, prepared = application(), Settings(lasting=False), Event()
    settings.keep_bench("playground", to_line(PRESETS[preset].world(side=side)))
    prepared.set()
    play = PlayWindow(settings, prepared, LIGHT)
    play.resize(*SIZE)
    play.show()
    play.document.set_pace(0)
    while play.document.moment is None or play.document.moment.sweeps < 5:
        app.processEvents(WAIT)
    beats = Beats()
    start, first = time.perf_counter(), play.document.moment.sweeps
    while time.perf_counter() - start < SECONDS:
        app.processEvents(WAIT)
    swept = (play.document.moment.sweeps - first) / (time.perf_counter() - start)
    beats.stop()
    worker = play.document.worker
    play.close()
    worker.wait()
    return swept, beats.longest(start)


def main(side: int) -> None:
    """Print tables of rates."""
    sys.setswitchinterval(SWITCH_S)
    warm_up()
    warm_fields()
    print(f"{side} x {side}, sweeps a second")
    cores = threads.CORES
    print(f"{'A':26}{'1 thread':>10}{cores:>8} threads{'clusters':>10}{'sample_potts':>14}")
    for name, A in CASES.items():
        rates = []
        for n_threads in (1, cores):
            threads.set_threads(n_threads)
            rates.append(rate(A, side, "gibbs"))
        attracts = "ring" not in name and A[0, 0] > A[0, 1]
        clusters = f"{rate(A, side, 'clusters'):10.0f}" if attracts else f"{'-':>10}"
        print(f"{name:26}{rates[0]:10.0f}{rates[1]:16.0f}{clusters}{sampled_rate(A, side):14.1f}")
    print(f"\n{'window, as fast as it can':26}{'sweeps/s':>10}{'stall, ms':>12}")
    for preset in PRESETS:
        swept, stall = window_rate(preset, side)
        print(f"{preset:26}{swept:10.0f}{stall:12.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 256)
