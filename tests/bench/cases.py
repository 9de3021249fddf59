"""Fields of known states, photographs, and the accuracy of states."""

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
    emit,
    encode,
    matched_accuracy,
    sample_voronoi,
)
from latviz.core.types import Floats, States

Kind = Literal["discrete", "gaussian"]
Model = DiscreteModel | GaussianModel

SIDE = 192
STRENGTHS = (0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
EASY = 0.85
"""The least accuracy of a method given the true model, for a field to count in a table."""
TEXTURES = ("brick", "grass", "gravel")


@dataclass(frozen=True)
class Case:
    observations: NDArray[Any]
    kind: Kind
    truth: States
    n_symbols: int | None = None

    @classmethod
    def emitted(cls, model: Model, truth: States, seed: int) -> "Case":
        if isinstance(model, DiscreteModel):
            return cls(
                emit(truth, emission=model.B, random_state=seed), "discrete", truth, model.n_symbols
            )
        law = NormalEmission(model.means, model.covariances)
        return cls(emit(truth, emission=law, random_state=seed), "gaussian", truth)

    @classmethod
    def encoded(cls, image: NDArray[Any], truth: States, name: str, levels: int | None) -> "Case":
        """Return an image's encoded observations; ``levels`` is M, None for vectors."""
        encoding = Encoding(name, levels) if levels else Encoding(name)
        return cls(
            encode(image, encoding).values, "discrete" if levels else "gaussian", truth, levels
        )

    @cached_property
    def data(self) -> DataSet:
        return as_data_set(self.observations, kind=self.kind, n_symbols=self.n_symbols)

    def fit(self, n_states: int, window: int, codebook_window: int | None = None) -> Model:
        kind = GaussianModel if self.kind == "gaussian" else DiscreteModel
        own = {"window": window, "codebook_window": codebook_window}
        return kind.fit(self.data, n_states=n_states, **own)

    def accuracy(self, states: Any) -> float:
        """Return the share of nodes that are right when states are matched with the true ones."""
        return matched_accuracy(states, self.truth)


def mosaic(n: int, seed: int, side: int = SIDE) -> States:
    """Return polygons of the same size on a lattice of any size."""
    return sample_voronoi(
        (side, side), n_regions=round(60 * (side / SIDE) ** 2), n_states=n, random_state=seed
    )


def coupling(n: int) -> Floats:
    """Return potentials whose logarithms differ by 1, so that the strength is that of a field."""
    return np.exp(np.eye(n))


def picture(name: str) -> NDArray[np.uint8]:
    if name in ("china", "flower"):
        return np.asarray(load_sample_image(f"{name}.jpg"))
    return np.asarray(getattr(data, name)())
