"""Computations on observations of every encoding: windows for several N, beliefs, encoding."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import contrast_regions, refine
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.data.fixed_point import FixedPoint, Lattice, to_fixed_point
from latviz.core.data.quantization import fast_pnn
from latviz.core.inference.window_beliefs import entropies
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.windows.decoding import decode
from latviz.core.windows.leave_one_out import decode_both
from latviz.engine.geometry import space
from latviz.engine.geometry.projection import Projection
from tests.bench.harness import Result, Task, against, settings
from tests.bench.pictures import Pixels, photograph

WINDOW = 5
SYMBOLS = 8
IMAGES = ("quantiles", "levels", "palette", "grey", "rgb", "lab", "texture")
"""Encodings; labels are symbols as those of a palette are."""
VECTORS = ("grey", "rgb", "lab", "texture", "vectors")
"""Prefixes of the names of real observations."""
STATES = (4, 8, 16, 32)
OTHERS = 2.5
"""Limit per node of noise in one or three dimensions, relative to a node of an image.

More of its neighbours differ, a sequence is one row, and a volume's sums are not in a cache."""
SIDE = 512
"""Of the photographs that are encoded, and decoded by beliefs."""
REFINED, CONTRASTED = 60.0, 15.0
"""Limits for such a photograph, in F: refining, regions by contrast."""
ENCODED = {"filters": 12.0, "textons": 15.0, "palette": 8.0, "texture": 3.2}
"""Limits for encoding a photograph of 1024 x 1024, in F."""


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
            B = rng.dirichlet(np.ones(SYMBOLS), n)
            return DiscreteModel(A, B, WINDOW)
        low, high = self._fixed.low, self._fixed.high
        means = rng.uniform(low, high, (n, low.size))
        covariances = np.stack([np.diag((high - low) ** 2 / 16)] * n)
        return GaussianModel(A, means, covariances, WINDOW)


def encodings() -> Iterator[Result]:
    """The work of views on images of every encoding, then on a sequence and a volume."""
    for kind in IMAGES:
        image = _image(kind, 1024)
        yield from _family(kind, encode(image, Encoding(kind, SYMBOLS)).values)
    rng = np.random.default_rng(1)
    for name, shape in (("sequence", (1 << 20,)), ("volume", (64, 128, 128))):
        symbols = rng.integers(0, SYMBOLS, shape).astype(np.uint8)
        yield from _family(name, symbols)
        colours = rng.integers(0, 256, (*shape, 3)).astype(np.uint8)
        yield from _family(f"vectors of a {name}", colours)


def encoders() -> Iterator[Result]:
    """Encoding a photograph as it grows, in every encoding."""
    for name in ENCODINGS:
        for side in (SIDE, 2 * SIDE):
            task = partial(encode, _image(name, side), Encoding(name, SYMBOLS))
            limit = ENCODED.get(name) if side == 2 * SIDE else None
            notes = settings(f"{side}² {name}")
            yield against(f"encode, {name}, {side}²", task, limit=limit, settings=notes)


def decoders() -> Iterator[Result]:
    """States of most belief of a photograph, and refining, for every encoding."""
    for name in ENCODINGS:
        image, encoding = _image(name, SIDE), Encoding(name, SYMBOLS)
        values = encode(image, encoding).values
        variant = DiscreteModel if encoding.discrete else GaussianModel
        model = variant.fit(values, n_states=8, window=3)
        for what, task, limit in (
            ("belief", partial(model.decode, values, decoder="belief"), None),
            ("refine", partial(refine, values, model), REFINED),
        ):
            notes = settings(f"{SIDE}² {name}", N=model.n_states)
            line = f"{what}, {name}, {SIDE}²"
            yield against(line, task, limit=limit, settings=notes)


def contrasts() -> Iterator[Result]:
    """Regions of a photograph by contrast, as it grows, and of a volume."""
    for side in (SIDE, 2 * SIDE, 4 * SIDE):
        task = partial(contrast_regions, photograph(side, colour=True))
        limit = CONTRASTED if side == SIDE else None
        yield against(f"contrast, {side}²", task, limit=limit, settings=f"{side}² rgb")
    volume = np.random.default_rng(1).integers(0, 256, (64, 64, 64)).astype(np.uint8)
    yield against("contrast, 64³", partial(contrast_regions, volume, dimensions=3), settings="grey")


def _image(name: str, side: int) -> Pixels:
    """Return a photograph as an encoding of this name can have it."""
    if name == "labels":
        return photograph(side) // (256 // SYMBOLS)
    return photograph(side, colour=name in ("palette", "rgb", "lab"))


def _family(name: str, values: NDArray[Any]) -> Iterator[Result]:
    for n_states in STATES:
        yield from _lines(Subject(name, values, n_states))


def _decoding(subject: Subject) -> Task:
    return partial(decode, subject.lattice, subject.model.codebook, WINDOW)


def _entropy(subject: Subject) -> Task:
    return partial(entropies, subject.model.emission, subject.lattice, WINDOW)


def _evaluation(subject: Subject) -> Task:
    data = subject.model.data_set([subject.values])
    states = [decode(subject.lattice, subject.model.codebook, WINDOW)]
    return partial(subject.model.evaluate_states, data, states)


def _leave_one_out(subject: Subject) -> Task:
    tree = fast_pnn(subject.model.codebook)
    return partial(decode_both, subject.lattice, tree.codewords_of([subject.n_states]), WINDOW)


def _density(subject: Subject) -> Task:
    lattice, projection = subject.lattice, Projection()
    sample = subject.model.codebook
    plane = (
        space.vector_plane(lattice.low, lattice.high, projection, sample)
        if isinstance(lattice, FixedPoint)
        else space.symbol_plane(SYMBOLS, projection, sample)
    )
    return partial(space.density, lattice, WINDOW, plane)


LIMITS: dict[str, tuple[Callable[[Subject], Task], float, float]] = {
    "decode": (_decoding, 0.2, 0.15),
    "belief entropy": (_entropy, 0.2, 0.35),
    "evaluate": (_evaluation, 0.4, 0.0),
    "density": (_density, 0.4, 0.0),
    "states without the node": (_leave_one_out, 0.4, 0.5),
}
"""For each task, the most time of a node in F, and in addition of each eight states."""


def _lines(subject: Subject) -> Iterator[Result]:
    letters = settings(f"2²⁰ nodes, {subject.name}", N=subject.n_states, w=WINDOW)
    for name, (task, base, each) in LIMITS.items():
        yield against(
            f"{name}, {subject.name}, N = {subject.n_states}",
            task(subject),
            limit=(base + each * subject.n_states / 8)
            * (OTHERS if subject.values.shape[:2] != (1024, 1024) else 1.0),
            settings=letters,
        )
