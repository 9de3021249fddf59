"""Decoding: by window, by symbols and states, by size and by dimension."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.windows.decoding import decode
from tests.bench.harness import Result, Task, against, box_filter, settings
from tests.bench.pictures import photograph

Letters = dict[str, int]
SAME = {"M": 8, "N": 8, "w": 5}

LETTERS: tuple[tuple[str, Letters, Letters, float], ...] = (
    ("w", {**SAME, "w": 50}, {**SAME, "w": 1}, 1.15),
    ("M", {**SAME, "M": 64}, {**SAME, "M": 4}, 1.3),
    ("N", {**SAME, "N": 32}, SAME, 4.0),
)


def decoding(repeats: int) -> Iterator[Result]:
    """Decode a photograph in many ways, and other lattices, each against the like."""
    task, notes = decoder(), settings("1024² quantiles", **SAME)
    yield against("decode", task, box_filter(), "F", repeats=repeats, settings=notes)
    for letter, many, few, limit in LETTERS:
        name, peer = (f"{letter} = {letters[letter]}" for letters in (many, few))
        task, reference = decoder(**many), decoder(**few)
        notes = settings("1024² quantiles", **many)
        yield against(
            f"decode, {name}", task, reference, peer, limit, repeats=repeats, settings=notes
        )
    for side in (2048, 4096, 8192):
        task, reference = decoder(side), decoder(side // 2)
        name, peer = f"decode, {side}²", f"{side // 2}²"
        notes = settings(f"{side}² quantiles", **SAME)
        yield against(name, task, reference, peer, 4.4, repeats=repeats, settings=notes)
    yield from other_dimensions(repeats)


def other_dimensions(repeats: int) -> Iterator[Result]:
    """Decode a sequence and a volume; the ratio is that of the costs of a node."""
    rng = np.random.default_rng(1)
    for name, shape in (("sequence", (10_000_000,)), ("volume", (256, 256, 256))):
        values = rng.integers(0, SAME["M"], shape).astype(np.uint8)
        yield against(
            f"decode a {name}, a node",
            _decoder_of(values, **SAME),
            decoder(),
            "a node of 1024²",
            2.0,
            repeats=repeats,
            settings=settings("10⁷ symbols" if len(shape) == 1 else "256³ symbols", **SAME),
            share=values.size / 1024**2,
        )


def decoder(side: int = 1024, *, M: int = 8, N: int = 8, w: int = 5) -> Task:
    """Return a task that decodes a photograph."""
    values = encode(photograph(side), Encoding("quantiles", M)).values
    return _decoder_of(values, M=M, N=N, w=w)


def _decoder_of(values: NDArray[Any], *, M: int, N: int, w: int) -> Task:
    codebook = np.random.default_rng(0).dirichlet(np.ones(M), N)
    return lambda: decode(values, codebook, w)
