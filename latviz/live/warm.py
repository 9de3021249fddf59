"""Bring every kernel that the window needs into memory, compiling those that are in no cache."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba.core import event

from latviz.core.encoding import Encoding
from latviz.core.fixed_point import to_fixed_point
from latviz.live.coarse import estimated
from latviz.live.frame import Frame, Request
from latviz.live.parameters import Parameters, Picture
from latviz.live.pipeline import Pipeline
from latviz.live.sampling import LIVE, LIVE_RANGE, stratified_nodes
from latviz.live.stages import Listener

_ENCODINGS = (
    Encoding("quantiles", n_symbols=3),
    Encoding("palette", n_symbols=4),
    Encoding("grey"),
    Encoding("rgb"),
)

Stop = Callable[[], bool]


class _NotCachedError(Exception):
    """A kernel would have to be compiled."""


class _Refusal(event.Listener):  # type: ignore[misc]
    def on_start(self, _event: Any) -> None:
        raise _NotCachedError

    def on_end(self, _event: Any) -> None:
        pass


def prepare(on_compile: Callable[[], None], stop: Stop = lambda: False) -> None:
    """Load all kernels; if one is in no cache, call ``on_compile`` and compile them first.

    They are compiled in a process of their own, because the compiler holds the interpreter lock
    for longer than a window may stand still. If that fails (no place for a cache, say) they are
    compiled here.
    """
    try:
        with _refusing_to_compile():
            warm_up(stop)
    except _NotCachedError:
        on_compile()
        _compile_apart(stop)
        warm_up(stop)


def warm_up(stop: Stop = lambda: False) -> None:
    """Compute a frame of a small random image in each way that runs kernels of its own."""
    rng = np.random.default_rng(0)
    picture = Picture(rng.integers(0, 256, (LIVE // 32, 33, 3)).astype(np.uint8), "warm-up")
    pipeline = Pipeline()
    for encoding in _ENCODINGS:
        for complete in (False, True):
            parameters = Parameters(encoding, n_states=2, window=1, alpha_mode="local")
            request = Request(0, picture, parameters, complete=complete)
            frame = pipeline.run(request, Listener(stop))
        _warm_up_nodes(frame)


def _warm_up_nodes(frame: Frame) -> None:
    """Sum single windows, as is done for large images."""
    values, shape = frame.observations.values, frame.states.shape
    lattice = values if frame.observations.discrete else to_fixed_point(values)
    estimated(lattice, frame.codebook, 1, stratified_nodes(shape, LIVE_RANGE[0]), shape)


@contextmanager
def _refusing_to_compile() -> Iterator[None]:
    refusal = _Refusal()
    event.register("numba:compile", refusal)
    try:
        yield
    finally:
        event.unregister("numba:compile", refusal)


def _compile_apart(stop: Stop) -> None:
    with subprocess.Popen([sys.executable, "-m", __name__]) as process:
        while process.poll() is None:
            try:
                process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                if stop():
                    process.terminate()


if __name__ == "__main__":
    warm_up()
