"""Fields and mosaics with their truth, and the accuracy of states."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from skimage import data
from sklearn.datasets import load_sample_image

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
    sample_potts,
    sample_voronoi,
)
from latviz.core.types import Floats, States

Kind = Literal["discrete", "gaussian"]
Model = DiscreteModel | GaussianModel

SIDE = 192
STRENGTHS = (0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
NOISE = 0.45
"""Share of symbols that are another one."""
EASY = 0.85
"""The least accuracy of a method given the true model, for a field to count in a table."""
TEXTURES = ("brick", "grass", "gravel")
ENCODINGS = (("quantiles", 3), ("quantiles", 8), ("texture", None))
"""Of mosaics of textures: names and numbers of symbols; None of vectors."""


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


def critical(n: int) -> float:
    """Return the strength at which an infinite Potts field of n states is critical."""
    return float(np.log(1 + np.sqrt(n)))


def mosaic(n: int, seed: int, side: int = SIDE) -> States:
    """Return polygons of the same size on a lattice of any size."""
    return sample_voronoi((side, side), round(60 * (side / SIDE) ** 2), n, seed=seed)


def with_a_rare_state(n: int, seed: int, side: int = SIDE) -> States:
    """Return a mosaic in which one state has a twentieth of the squares of 24 x 24."""
    n_squares = -(-side // 24)
    rare, n_rare = np.zeros(n_squares**2, bool), max(1, round(n_squares**2 / 20))
    rare[np.random.default_rng(seed).choice(rare.size, n_rare, replace=False)] = True
    squares = rare.reshape(n_squares, n_squares)
    blocks = np.kron(squares, np.ones((24, 24), dtype=bool))[:side, :side]
    return np.where(blocks, n - 1, mosaic(max(1, n - 1), seed, side)).astype(np.uint8)


def near_critical(n: int, seed: int, side: int = SIDE) -> States:
    """Return a Potts field in equilibrium, with domains of every size."""
    coupled = np.exp(0.98 * critical(n) * np.eye(n))
    return sample_potts(coupled, (side, side), seed=seed)


def quenched(n: int, seed: int, side: int = SIDE) -> States:
    """Return a Potts field that was cooled at once, and whose domains still grow."""
    coupled = np.exp(1.5 * critical(n) * np.eye(n))
    return sample_potts(coupled, (side, side), sweeps=30, method="gibbs", seed=seed)


def blobs(n: int, seed: int, side: int = SIDE) -> States:
    """Return smooth blobs."""
    return sample_blobs((side, side), n, scale=8, seed=seed)


FAMILIES: dict[str, Callable[[int, int], States]] = {
    "Potts, near critical": near_critical,
    "Potts, quenched": quenched,
    "blobs": blobs,
    "Voronoi": mosaic,
    "a rare state": with_a_rare_state,
}


def coupling(n: int) -> Floats:
    """Return potentials whose logarithms differ by 1, so that the strength is that of a field."""
    return np.exp(np.eye(n))


def symbol_model(n: int) -> DiscreteModel:
    """Return a symmetric channel."""
    B = np.full((n, n), NOISE / (n - 1)) + (1 - NOISE * n / (n - 1)) * np.eye(n)
    return DiscreteModel(coupling(n), B, window=1)


def vector_model(n: int, rng: np.random.Generator) -> GaussianModel:
    """Return normal densities of three channels with unequal covariances."""
    means = rng.normal(size=(n, 3)) * 1.3
    covariances = np.array([np.diag(rng.uniform(0.4, 1.6, 3)) for _ in range(n)])
    return GaussianModel(coupling(n), means, covariances, window=1)


def texture_mosaics(truth: States) -> Iterator[tuple[str, Case]]:
    """Yield a mosaic of three textures, one for each state, by the name of each encoding."""
    height, width = truth.shape
    image = np.choose(truth, [picture(name)[:height, :width] for name in TEXTURES])
    for name, levels in ENCODINGS:
        yield f"{name} {levels or ''}", Case.encoded(image, truth, name, levels)


def picture(name: str) -> NDArray[np.uint8]:
    """Return a photograph of scikit-image, or one of scikit-learn."""
    if name in ("china", "flower"):
        return np.asarray(load_sample_image(f"{name}.jpg"))
    return np.asarray(getattr(data, name)())
