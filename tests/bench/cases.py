"""Fields and mosaics with their truth, and the accuracy of states."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core import (
    DataSet,
    DiscreteModel,
    Encoding,
    GaussianModel,
    NormalEmission,
    as_data_set,
    contingency,
    emit,
    encode,
    matched_accuracy,
    refine,
    sample_blobs,
)
from latviz.core.types import States
from tests.bench.harness import peer

Kind = Literal["discrete", "gaussian"]
Model = DiscreteModel | GaussianModel

PHOTOGRAPHS = [
    "astronaut",
    "camera",
    "cell",
    "chelsea",
    "clock",
    "coffee",
    "coins",
    "hubble_deep_field",
    "immunohistochemistry",
    "moon",
    "page",
    "retina",
    "rocket",
    "text",
    "brick",
    "grass",
    "gravel",
]
"""Of scikit-image; scikit-learn has two more."""
TEXTURES = ("brick", "grass", "gravel")
ENCODINGS = (("quantiles", 3), ("quantiles", 8), ("texture", None))
"""Of mosaics of textures: names and numbers of symbols; None of vectors."""

NOISES = {
    "channel": (0.2, 0.35, 0.5),
    "skewed": (0.0, 0.2, 0.4),
    "circle": (0.5, 1.0, 1.5),
    "scattered": (0.5, 1.0, 1.5),
}


@dataclass(frozen=True)
class Case:
    """Observations, the variant of the model for them, and the truth."""

    observations: NDArray[Any]
    kind: Kind
    truth: States
    n_symbols: int | None = None

    @classmethod
    def emitted(cls, model: Model, truth: States, seed: int) -> "Case":
        """Return the true states' emissions by a model."""
        if isinstance(model, DiscreteModel):
            return cls(emit(truth, model.B, seed=seed), "discrete", truth, model.n_symbols)
        law = NormalEmission(model.means, model.covariances)
        return cls(emit(truth, law, seed=seed), "gaussian", truth)

    @classmethod
    def encoded(cls, image: NDArray[Any], truth: States, name: str, levels: int | None) -> "Case":
        """Return an image's encoded observations; ``levels`` is M, None for vectors."""
        encoding = Encoding(name, levels) if levels else Encoding(name)
        kind: Kind = "discrete" if levels else "gaussian"
        return cls(encode(image, encoding).values, kind, truth, levels)

    @cached_property
    def data(self) -> DataSet:
        """The observations, checked."""
        return as_data_set(self.observations, self.kind, self.n_symbols)

    def fit(self, n_states: int, window: int, codebook_window: int | None = None) -> Model:
        """Learn a model of N states."""
        kind = GaussianModel if self.kind == "gaussian" else DiscreteModel
        return kind.fit(
            self.data, n_states=n_states, window=window, codebook_window=codebook_window
        )

    def accuracy(self, states: States) -> float:
        """Return the share of nodes that are right when states are matched with the true ones."""
        return matched_accuracy(contingency(states, self.truth))

    def believed(self, model: Model, strength: float | None = None) -> float:
        """Return the accuracy of the states of most belief by a model."""
        return self.accuracy(model.decode(self.observations, decoder="belief", strength=strength))

    def refined(self, model: Model) -> float:
        """Return the accuracy of `refine` on a model."""
        states = refine(self.observations, model).states
        assert not isinstance(states, list)
        return self.accuracy(states)


def texture_mosaics(truth: States) -> Iterator[tuple[str, Case]]:
    """Yield a mosaic of three textures, one for each state, by the name of each encoding."""
    height, width = truth.shape
    image = np.choose(truth, [picture(name)[:height, :width] for name in TEXTURES])
    for name, levels in ENCODINGS:
        yield f"{name} {levels or ''}", Case.encoded(image, truth, name, levels)


def picture(name: str) -> NDArray[np.uint8]:
    """Return a photograph of scikit-image."""
    data = peer("skimage.data")
    if data is None:
        raise SystemExit("scikit-image is not installed")
    return np.asarray(getattr(data, name)())


def field(family: str, n: int, scale: float, noise: float, seed: int, side: int) -> Case:
    """Return blobs of n states seen through noise."""
    truth = sample_blobs((side, side), n, scale=scale, seed=seed)
    return seen(truth, family, n, noise, seed)


def seen(truth: States, family: str, n: int, noise: float, seed: int) -> Case:
    """Return a field of n states seen through noise.

    "channel": n symbols, the state's own but for the noise. "skewed": 8 symbols, distributions at
    random. "circle": means in the plane, neighbours 1 apart. "scattered": means at random in space.
    """
    rng = np.random.default_rng(seed + 1)
    if family == "channel":
        noise = 0.42 if n == 2 and noise == 0.5 else noise  # half of two symbols: no signal
        B = np.full((n, n), noise / (n - 1)) + (1 - noise - noise / (n - 1)) * np.eye(n)
        return Case(emit(truth, B, seed=seed + 2), "discrete", truth, n)
    if family == "skewed":
        B = (1 - noise) * rng.dirichlet(np.full(8, 0.35), n) + noise / 8
        return Case(emit(truth, B, seed=seed + 2), "discrete", truth, 8)
    if family == "circle":
        angles = 2 * np.pi * np.arange(n) / n
        means = np.stack([np.cos(angles), np.sin(angles)], axis=1) / (2 * np.sin(np.pi / n))
    else:
        means = rng.normal(size=(n, 3))
    scattered = noise * rng.normal(size=(*truth.shape, means.shape[1]))
    return Case(means[truth] + scattered, "gaussian", truth)


def photographs() -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Yield the name and the pixels of nineteen photographs."""
    for name in PHOTOGRAPHS:
        yield name, picture(name)
    data = peer("sklearn.datasets")
    if data is not None:
        for name in ("china", "flower"):
            yield name, np.asarray(data.load_sample_image(f"{name}.jpg"))
