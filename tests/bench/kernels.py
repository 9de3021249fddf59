"""Compiled kernels by encoding, size and dimension, against F or a similar task."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from latviz.core import inertia, refine, window_signature
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding, words
from latviz.core.data.fixed_point import FixedPoint, Lattice, to_fixed_point
from latviz.core.data.quantization import fast_pnn
from latviz.core.inference.emission import SymbolDensities
from latviz.core.inference.field import Field, field_of
from latviz.core.inference.fitting import potts
from latviz.core.inference.window_beliefs import entropies
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.types import Shape
from latviz.core.windows.decoding import decode
from latviz.core.windows.leave_one_out import decode_both
from latviz.engine.geometry import space
from latviz.engine.geometry.projection import Projection
from tests.bench.harness import Result, Task, against, settings
from tests.bench.pictures import Pixels, photograph

SIDE, M, N, W = 1024, 8, 8, 5
IMAGES = ("quantiles", "levels", "palette", "grey", "rgb", "lab", "texture")
"""Encodings; labels are symbols as those of a palette are."""
VECTORS = ("grey", "rgb", "lab", "texture", "vectors")
"""Prefixes of the names of real observations."""
STATES = (4, 8, 16, 32)
OTHERS = 2.5
"""Limit per node of noise in one or three dimensions, relative to a node of an image.

More of its neighbours differ, a sequence is one row, and a volume's sums are not in a cache."""
ENCODED = {"filters": 12.0, "textons": 15.0, "palette": 8.0, "texture": 3.2, "lab": 1.5}
"""Limits for encoding a photograph of 1024 x 1024, in F."""
SAME = {"M": M, "N": N, "w": W}
LETTERS: tuple[tuple[str, dict[str, int], dict[str, int], float], ...] = (
    ("w", {**SAME, "w": 50}, {**SAME, "w": 8}, 1.15),
    ("w", {**SAME, "w": 7}, {**SAME, "w": 1}, 1.15),
    ("M", {**SAME, "M": 64}, {**SAME, "M": 4}, 1.15),
    ("N", {**SAME, "N": 32}, SAME, 4.0),
)
"""Windows of up to 255 nodes, as w = 7 has, are summed in 32 bits, others in float64."""
SHAPES: dict[str, Shape] = {
    "1024²": (SIDE, SIDE),
    "2²⁰ in a sequence": (SIDE**2,),
    "128 × 128 × 64": (128, 128, 64),
}


def decoding() -> Iterator[Result]:
    """Decode a photograph by letter and by size, and other lattices; then its inertia."""
    notes = settings("1024² quantiles", **SAME)
    yield against("decode", decoder(), limit=0.12, settings=notes)
    for letter, many, few, limit in LETTERS:
        name, other = (f"{letter} = {letters[letter]}" for letters in (many, few))
        notes = settings("1024² quantiles", **many)
        task, reference = decoder(**many), decoder(**few)
        yield against(f"decode, {name}", task, reference, other, limit, settings=notes)
    for side in (2 * SIDE, 4 * SIDE, 8 * SIDE):
        task, reference = decoder(side), decoder(side // 2)
        notes = settings(f"{side}² quantiles", **SAME)
        yield against(f"decode, {side}²", task, reference, "a quarter", 4.4, settings=notes)
    rng = np.random.default_rng(1)
    for name, shape, limit in (
        ("sequence", (10_000_000,), 2.0),
        ("volume", (256, 256, 256), 3.5),  # whose sums over slices are in no cache
    ):
        values = rng.integers(0, M, shape).astype(np.uint8)
        yield against(
            f"decode a {name}, a node",
            decoder_of(values, **SAME),
            decoder(),
            "a node of 1024²",
            limit,
            settings=settings(f"{values.size:,} symbols", **SAME),
            share=values.size / SIDE**2,
        )
    states = decoder()()
    notes = settings("1024² states", N=N, w=W)
    yield against("inertia", partial(inertia, states, N, W), limit=0.08, settings=notes)


def decoder(side: int = SIDE, *, M: int = M, N: int = N, w: int = W) -> Task:
    """Return a task that decodes a photograph."""
    values = encode(photograph(side), Encoding("quantiles", M)).values
    return decoder_of(values, M=M, N=N, w=w)


def decoder_of(values: NDArray[Any], *, M: int, N: int, w: int) -> Task:
    """Return a task that decodes symbols."""
    codebook = np.random.default_rng(0).dirichlet(np.ones(M), N)
    return lambda: decode(values, codebook, w)


@dataclass(frozen=True)
class Subject:
    """Observations of one encoding, and a model."""

    name: str  # their kind
    values: NDArray[Any]  # symbols, or vectors
    n_states: int

    @cached_property
    def lattice(self) -> Lattice:
        """The observations as windows are summed over them."""
        return self.values if self.discrete else self._fixed

    @property
    def discrete(self) -> bool:
        """True for symbols."""
        return not self.name.startswith(VECTORS)

    @cached_property
    def _fixed(self) -> FixedPoint:
        return to_fixed_point(self.values)

    @cached_property
    def model(self) -> Model:
        """A model whose states are as distinct as those of a picture, with little doubt."""
        rng, n = np.random.default_rng(0), self.n_states
        A = rng.uniform(0.1, 1.0, (n, n)) + 5 * np.eye(n)
        if self.discrete:
            return DiscreteModel(A, rng.dirichlet(np.ones(M), n), W)
        low, high = self._fixed.low, self._fixed.high
        covariances = np.stack([np.diag((high - low) ** 2 / 16)] * n)
        return GaussianModel(A, rng.uniform(low, high, (n, low.size)), covariances, W)


def encodings() -> Iterator[Result]:
    """The work of views on images of every encoding, then on a sequence and a volume."""
    for name in IMAGES:
        values = encode(image_for(name, SIDE), Encoding(name, M)).values
        for n_states in STATES:
            yield from _lines(Subject(name, values, n_states), 1.0)
    rng = np.random.default_rng(1)
    for name, shape in (("sequence", (SIDE**2,)), ("volume", (64, 128, 128))):
        symbols = rng.integers(0, M, shape).astype(np.uint8)
        colours = rng.integers(0, 256, (*shape, 3)).astype(np.uint8)
        for n_states in STATES:
            yield from _lines(Subject(name, symbols, n_states), OTHERS)
            yield from _lines(Subject(f"vectors of a {name}", colours, n_states), OTHERS)


def _leave_one_out(subject: Subject) -> Task:
    tree = fast_pnn(subject.model.codebook)
    return partial(decode_both, subject.lattice, tree.codewords_of([subject.n_states]), W)


def _density(subject: Subject) -> Task:
    lattice, projection = subject.lattice, Projection()
    sample = subject.model.codebook
    plane = (
        space.vector_plane(lattice.low, lattice.high, projection, sample)
        if isinstance(lattice, FixedPoint)
        else space.symbol_plane(M, projection, sample)
    )
    return partial(space.density, lattice, W, plane)


def _decoding(subject: Subject) -> Task:
    return partial(decode, subject.lattice, subject.model.codebook, W)


def _entropy(subject: Subject) -> Task:
    return partial(entropies, subject.model.emission, subject.lattice, W)


LIMITS: dict[str, tuple[Callable[[Subject], Task], float, float]] = {
    "decode": (_decoding, 0.2, 0.15),
    "belief entropy": (_entropy, 0.2, 0.35),
    "density": (_density, 0.4, 0.0),
    "states without the node": (_leave_one_out, 0.4, 0.5),
}
"""For each task, the most time of a node in F, and in addition of each eight states."""


def _lines(subject: Subject, slower: float) -> Iterator[Result]:
    notes = settings(f"2²⁰ nodes, {subject.name}", N=subject.n_states, w=W)
    for name, (task, base, each) in LIMITS.items():
        limit = (base + each * subject.n_states / 8) * slower
        line = f"{name}, {subject.name}, N = {subject.n_states}"
        yield against(line, task(subject), limit=limit, settings=notes)


def encoders() -> Iterator[Result]:
    """Encode a photograph; then its states of most belief, and refining."""
    for name in words():
        encoding, side = Encoding(name, M), SIDE // 2
        task = partial(encode, image_for(name, SIDE), encoding)
        notes = settings(f"{SIDE}² {name}")
        yield against(f"encode, {name}", task, limit=ENCODED.get(name), settings=notes)
        values = encode(image_for(name, side), encoding).values
        variant = DiscreteModel if encoding.discrete else GaussianModel
        model, notes = variant.fit(values, n_states=N, window=3), settings(f"{side}² {name}", N=N)
        task = partial(model.decode, values, decoder="belief")
        yield against(f"belief, {name}", task, settings=notes)
        yield against(f"refine, {name}", partial(refine, values, model), limit=60, settings=notes)


def image_for(name: str, side: int) -> Pixels:
    """Return a photograph as an encoding of this name can have it."""
    if name == "labels":
        return photograph(side) // (256 // M)
    return photograph(side, colour=name in ("palette", "rgb", "lab"))


def beliefs() -> Iterator[Result]:
    """Pass messages of Potts fields by N and dimension."""
    for name, shape in SHAPES.items():
        for n_states in STATES:
            limit = 1.0 if (len(shape), n_states) == (2, N) else None
            task: Task = partial(a_field(shape, n_states).send, potts(n_states, 1.0), 1)
            notes = settings(name, N=n_states)
            yield against(f"pass, N = {n_states}, {name}", task, limit=limit, settings=notes)


def a_field(shape: Shape, n_states: int) -> Field:
    """Return a field of noise that is observed."""
    rng = np.random.default_rng(1)
    symbols = rng.integers(0, M, shape).astype(np.uint8)
    return field_of(SymbolDensities(rng.dirichlet(np.ones(M), n_states)), symbols, shape)


def learning() -> Iterator[Result]:
    """Fast PNN of many signatures against k-means."""
    symbols = encode(photograph(SIDE), Encoding("quantiles", M)).values
    points = window_signature(symbols, M, W).reshape(-1, M)
    notes = settings("1024² quantiles", **SAME)
    fit = KMeans(N, n_init=1, random_state=0).fit
    name = f"KMeans({N}, n_init=1)"
    task, means = partial(fast_pnn, points), partial(fit, points)
    yield against("fast_pnn, 2²⁰ signatures", task, means, name, 0.7, settings=notes)


FAMILIES: dict[str, Callable[[], Iterator[Result]]] = {
    "decoding": decoding,
    "encodings": encodings,
    "encoders": encoders,
    "beliefs": beliefs,
    "learning": learning,
}
