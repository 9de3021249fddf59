"""Decoding: by window, by symbols and states, by size and by dimension."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import inertia, local_inertia
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.windows.decoding import decode
from tests.bench.encodings import Subject
from tests.bench.harness import Line, Result, Skipped, Task, against, peer, settings
from tests.bench.pictures import photograph

Letters = dict[str, int]
SAME = {"M": 8, "N": 8, "w": 5}

LETTERS: tuple[tuple[str, Letters, Letters, float], ...] = (
    ("w", {**SAME, "w": 50}, {**SAME, "w": 8}, 1.15),
    ("w", {**SAME, "w": 7}, {**SAME, "w": 1}, 1.15),
    ("M", {**SAME, "M": 64}, {**SAME, "M": 4}, 1.15),
    ("N", {**SAME, "N": 32}, SAME, 4.0),
)
"""Windows of up to 255 nodes, as w = 7 has, are summed in 32 bits, others in float64."""
AGAINST_F: tuple[tuple[str, Letters, float], ...] = (
    ("decode", SAME, 0.12),
    ("decode, w = 50, by F", {**SAME, "w": 50}, 0.12),
    ("decode, N = 32, by F", {**SAME, "N": 32}, 0.5),
)


def decoding() -> Iterator[Line]:
    """Decode a photograph in many ways, and other lattices, each compared with a similar task."""
    for name, letters, limit in AGAINST_F:
        task, notes = decoder(**letters), settings("1024² quantiles", **letters)
        yield against(name, task, limit=limit, settings=notes)
    yield from vectors()
    yield from calls()
    yield against_opencv()
    yield from indices()
    for letter, many, few, limit in LETTERS:
        name, peer = (f"{letter} = {letters[letter]}" for letters in (many, few))
        task, reference = decoder(**many), decoder(**few)
        notes = settings("1024² quantiles", **many)
        yield against(f"decode, {name}", task, reference, peer, limit, settings=notes)
    for side in (2048, 4096, 8192):
        task, reference = decoder(side), decoder(side // 2)
        name, peer = f"decode, {side}²", f"{side // 2}²"
        notes = settings(f"{side}² quantiles", **SAME)
        yield against(name, task, reference, peer, 4.4, settings=notes)
    yield from other_dimensions()


VECTORS: tuple[tuple[str, int, float], ...] = (
    ("rgb", 8, 0.35),
    ("rgb", 32, 1.0),
    ("lab", 8, 0.35),
    ("grey", 4, 0.15),
)


def vectors() -> Iterator[Result]:
    """Decode vectors, of one channel and of three."""
    for kind, n_states, limit in VECTORS:
        encoded = encode(photograph(colour=kind != "grey"), Encoding(kind)).values
        lattice = to_fixed_point(encoded)
        means = np.random.default_rng(0).uniform(
            lattice.low, lattice.high, (n_states, lattice.low.size)
        )
        yield against(
            f"decode {kind}, N = {n_states}",
            partial(decode, lattice, means, SAME["w"]),
            limit=limit,
            settings=settings(f"1024² {kind}", N=n_states, w=SAME["w"]),
        )


CALLS = {"decode": 0.35, "evaluate": 0.6, "decode, inertia and evaluate": 1.0}
"""Limits in F for methods with an array of CIELAB, which is checked and rounded at each call."""


def calls() -> Iterator[Result]:
    """Call a model's methods with an array, as a script does."""
    image = photograph(colour=True)
    encoding = Encoding("lab")
    values = encode(image, encoding).values
    model = Subject("lab", values, SAME["N"]).model

    def together() -> None:
        inertia(model.decode(values), model.n_states, model.window)
        model.evaluate(values)

    tasks = partial(model.decode, values), partial(model.evaluate, values), together
    notes = settings("1024² lab", N=model.n_states, w=model.window)
    for (name, limit), task in zip(CALLS.items(), tasks, strict=True):
        yield against(f"{name}, an array", task, limit=limit, settings=notes)
    encoding_task = partial(encode, image, encoding)
    yield against("encode lab", encoding_task, limit=1.0, settings=settings("1024² lab"))


def against_opencv() -> Line:
    """Decode against the fastest mean over windows that there is, of bytes and of one channel."""
    name, opencv = "decode against OpenCV", peer("cv2")
    if opencv is None:
        return Skipped(name, "opencv-python-headless is not installed")
    across, image = 2 * SAME["w"] + 1, photograph()
    notes = settings("1024² quantiles", **SAME)

    def box() -> object:
        return opencv.boxFilter(image, -1, (across, across))

    return against(name, decoder(), box, "boxFilter", settings=notes)


def indices() -> Iterator[Result]:
    """Inertia of a photograph's states, and its map."""
    states, notes = decoder()(), settings("1024² states", N=SAME["N"], w=SAME["w"])
    for name, index, limit in (("inertia", inertia, 0.08), ("map of inertia", local_inertia, 0.2)):
        yield against(
            name, partial(index, states, SAME["N"], SAME["w"]), limit=limit, settings=notes
        )


def other_dimensions() -> Iterator[Result]:
    """Decode a sequence and a volume; the ratio is that of the costs of a node."""
    rng = np.random.default_rng(1)
    for name, shape, limit in (
        ("sequence", (10_000_000,), 2.0),
        ("volume", (256, 256, 256), 3.5),  # whose sums over slices are in no cache
    ):
        values = rng.integers(0, SAME["M"], shape).astype(np.uint8)
        yield against(
            f"decode a {name}, a node",
            _decoder_of(values, **SAME),
            decoder(),
            "a node of 1024²",
            limit,
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
