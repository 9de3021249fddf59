"""Sum-product: a pass along every axis, and reading its results."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from latviz.core.inference.emission import SymbolDensities
from latviz.core.inference.field import Field, field_of
from latviz.core.inference.fitting import potts
from latviz.core.types import Shape
from tests.bench.harness import Result, Task, against, settings

M = 8
SHAPES: tuple[tuple[str, Shape], ...] = (
    ("1024²", (1024, 1024)),
    ("2^20 in a sequence", (1 << 20,)),
    ("128 × 128 × 64", (128, 128, 64)),
)
LIMITS: dict[tuple[str, int], float] = {("1024²", 8): 1.0}
"""The limits of a pass, in F."""


def beliefs() -> Iterator[Result]:
    """Time passes of Potts fields and others by N and dimension, against F."""
    for name, shape in SHAPES:
        for n_states in (4, 8, 16, 32):
            limit, notes = LIMITS.get((name, n_states)), settings(name, N=n_states)
            task: Task = partial(a_field(shape, n_states).send, potts(n_states, 1.0), 1)
            line = f"pass, N = {n_states}, {name}"
            yield against(line, task, limit=limit, settings=notes)
    field = a_field((1024, 1024), 8)
    mixed = np.clip(np.random.default_rng(2).random((8, 8)), 0.1, 1)
    mixed = np.maximum(mixed, mixed.T) / mixed.max()
    for line, task in (
        ("pass, N = 8, any potentials", partial(field.send, mixed, 1)),
        ("states of most belief, N = 8", field.states),
        ("beliefs, N = 8", field.beliefs),
        ("cavity code length, N = 8", field.nats),
    ):
        yield against(line, task, settings=settings("1024²", N=8))


def a_field(shape: Shape, n_states: int) -> Field:
    """Return a field of noise that is observed."""
    rng = np.random.default_rng(1)
    symbols = rng.integers(0, M, shape).astype(np.uint8)
    return field_of(SymbolDensities(rng.dirichlet(np.ones(M), n_states)), symbols, shape)
