"""Fields and mosaics with the truth of them, and how well states agree with it."""

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
)
from latviz.core.types import States
from tests.bench.harness import peer

Kind = Literal["discrete", "gaussian"]
Model = DiscreteModel | GaussianModel

TEXTURES = ("brick", "grass", "gravel")
ENCODINGS = (("quantiles", 3), ("quantiles", 8), ("texture", None))
"""Of mosaics of textures: names and numbers of symbols; None of vectors."""


@dataclass(frozen=True)
class Case:
    """Observations, which variant of the model is for them, and the truth."""

    observations: NDArray[Any]
    kind: Kind
    truth: States
    n_symbols: int | None = None

    @classmethod
    def emitted(cls, model: Model, truth: States, seed: int) -> "Case":
        """Return what the true states emit by a model."""
        if isinstance(model, DiscreteModel):
            return cls(emit(truth, model.B, seed=seed), "discrete", truth, model.n_symbols)
        law = NormalEmission(model.means, model.covariances)
        return cls(emit(truth, law, seed=seed), "gaussian", truth)

    @classmethod
    def encoded(cls, image: NDArray[Any], truth: States, name: str, levels: int | None) -> "Case":
        """Return what an encoding makes of an image; ``levels`` is M, None of vectors."""
        encoding = Encoding(name, levels) if levels else Encoding(name)
        kind: Kind = "discrete" if levels else "gaussian"
        return cls(encode(image, encoding).values, kind, truth, levels)

    @cached_property
    def data(self) -> DataSet:
        """The observations, checked."""
        return as_data_set(self.observations, self.kind, self.n_symbols)

    def fit(self, n_states: int, window: int) -> Model:
        """Learn a model of N states."""
        if self.kind == "gaussian":
            return GaussianModel.fit(self.data, n_states=n_states, window=window)
        return DiscreteModel.fit(
            self.data, n_states=n_states, window=window, n_symbols=self.n_symbols
        )

    def accuracy(self, states: States) -> float:
        """Return the share of nodes that are right when states are matched with the true ones."""
        return matched_accuracy(contingency(states, self.truth))

    def believed(self, model: Model, strength: float | None = None) -> float:
        """Return the accuracy of the states of most belief by a model."""
        return self.accuracy(
            model.decode(self.observations, assignment="belief", strength=strength)
        )

    def refined(self, model: Model) -> float:
        """Return the accuracy of what `refine` makes of a model."""
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
