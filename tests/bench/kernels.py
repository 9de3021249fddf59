"""Compiled kernels by encoding, size and dimension, against F or a similar task."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from latviz.core import inertia, refine, window_signature
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding, words
from latviz.core.data.fixed_point import FixedPoint, to_fixed_point
from latviz.core.data.quantization import fast_pnn
from latviz.core.inference.emission import SymbolDensities
from latviz.core.inference.field import field_of
from latviz.core.inference.fitting import potts
from latviz.core.model.models import DiscreteModel, GaussianModel
from latviz.core.types import Shape
from latviz.core.windows.decoding import decode
from latviz.core.windows.leave_one_out import decode_both
from latviz.engine.geometry import space
from latviz.engine.geometry.signature_space import Projection
from tests.bench.harness import Result, Task, against
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
LETTERS = (("w", 50, 8, 1.15), ("w", 7, 1, 1.15), ("M", 64, 4, 1.15), ("N", 32, 8, 4.0))
"""Windows of up to 255 nodes, as w = 7 has, are summed in 32 bits, others in float64."""
SHAPES: dict[str, Shape] = {
    "1024²": (SIDE, SIDE),
    "2²⁰ in a sequence": (SIDE**2,),
    "128 × 128 × 64": (128, 128, 64),
}


def decoder_of(values: NDArray[Any], M: int = M, N: int = N, w: int = W) -> Task:
    codebook = np.random.default_rng(0).dirichlet(np.ones(M), N)
    return lambda: decode(values, codebook, w)


def decoder(side: int = SIDE, M: int = M, **letters: int) -> Task:
    return decoder_of(encode(photograph(side), Encoding("quantiles", M)).values, M, **letters)


def noise(*shape: int, below: int = M) -> Pixels:
    return np.random.default_rng(1).integers(0, below, shape).astype(np.uint8)


def decoding() -> Iterator[Result]:
    """Decode a photograph by letter and by size, and other lattices; then its inertia."""
    yield against("decode", decoder(), limit=0.12)
    for letter, many, few, limit in LETTERS:
        tasks = (decoder(**{letter: value}) for value in (many, few))
        yield against(f"decode, {letter} = {many}", *tasks, f"{letter} = {few}", limit)
    for side in (2 * SIDE, 4 * SIDE, 8 * SIDE):
        yield against(f"decode, {side}²", decoder(side), decoder(side // 2), "a quarter", 4.4)
    for name, shape, limit in (
        ("sequence", (10_000_000,), 2.0),
        ("volume", (256, 256, 256), 3.5),  # whose sums over slices are in no cache
    ):
        task, share = decoder_of(noise(*shape)), np.prod(shape) / SIDE**2
        own = f"decode a {name}, a node"
        yield against(own, task, decoder(), "a node of 1024²", limit, share)
    yield against("inertia", partial(inertia, decoder()(), n_states=N, window=W), limit=0.08)


def encodings() -> Iterator[Result]:
    """The work of views on images of every encoding, then on a sequence and a volume."""
    cases = [(n, encode(image_for(n, SIDE), Encoding(n, M)).values, 1.0) for n in IMAGES]
    for name, shape in (("sequence", (SIDE**2,)), ("volume", (64, 128, 128))):
        cases.append((name, noise(*shape), OTHERS))
        cases.append((f"vectors of a {name}", noise(*shape, 3, below=256), OTHERS))
    rng = np.random.default_rng(0)
    for name, values, slower in cases:
        lattice = to_fixed_point(values) if name.startswith(VECTORS) else values
        for n_states in STATES:
            if isinstance(lattice, FixedPoint):
                low, high = lattice.low, lattice.high
                codebook = rng.uniform(low, high, (n_states, low.size))
                plane = space.vector_plane(low, high, Projection(), codebook)
            else:
                codebook = rng.dirichlet(np.ones(M), n_states)
                plane = space.symbol_plane(M, Projection(), codebook)
            codewords = fast_pnn(codebook).codewords_of([n_states])
            # The most time in F, and in addition of each eight states
            for line, task, base, each in (
                ("decode", partial(decode, lattice, codebook, W), 0.2, 0.15),
                ("density", partial(space.density, lattice, W, plane), 0.4, 0.0),
                ("states without the node", partial(decode_both, lattice, codewords, W), 0.4, 0.5),
            ):
                limit = (base + each * n_states / 8) * slower
                yield against(f"{line}, {name}, N = {n_states}", task, limit=limit)


def encoders() -> Iterator[Result]:
    """Encode a photograph; then its states of most belief, and refining."""
    for name in words():
        encoding = Encoding(name, M)
        task = partial(encode, image_for(name, SIDE), encoding)
        yield against(f"encode, {name}", task, limit=ENCODED.get(name))
        values = encode(image_for(name, SIDE // 2), encoding).values
        variant = DiscreteModel if encoding.discrete else GaussianModel
        model = variant.fit(values, n_states=N, window=3)
        yield against(f"belief, {name}", partial(model.decode, values, decoder="belief"))
        yield against(f"refine, {name}", partial(refine, values, model=model), limit=60)


def image_for(name: str, side: int) -> Pixels:
    if name == "labels":
        return photograph(side) // (256 // M)
    return photograph(side, colour=name in ("palette", "rgb", "lab"))


def beliefs() -> Iterator[Result]:
    """Pass messages of Potts fields by N and dimension, observed as noise."""
    for name, shape in SHAPES.items():
        for n_states in STATES:
            B = np.random.default_rng(2).dirichlet(np.ones(M), n_states)
            field = field_of(SymbolDensities(B), noise(*shape), shape)
            limit = 1.0 if (len(shape), n_states) == (2, N) else None
            task = partial(field.send, potts(n_states, 1.0), 1)
            yield against(f"pass, N = {n_states}, {name}", task, limit=limit)


def learning() -> Iterator[Result]:
    symbols = encode(photograph(SIDE), Encoding("quantiles", M)).values
    points = window_signature(symbols, n_symbols=M, window=W).reshape(-1, M)
    means = partial(KMeans(N, n_init=1, random_state=0).fit, points)
    name = "fast_pnn, 2²⁰ signatures"
    yield against(name, partial(fast_pnn, points), means, f"KMeans({N}, n_init=1)", 0.7)


FAMILIES: dict[str, Callable[[], Iterator[Result]]] = {
    f.__name__: f for f in (decoding, encodings, encoders, beliefs, learning)
}
