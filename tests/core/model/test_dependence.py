"""Independent neighbours are coupled by the code length, dependent ones strongly."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data as pictures
from sklearn.datasets import load_sample_image
from sklearn.metrics import adjusted_rand_score

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    emit,
    encode,
    load_model,
    refine,
    sample_blobs,
    sample_potts,
    sample_voronoi,
    save_model,
)
from latviz.core.data.encoding import Encoding
from latviz.core.inference.beliefs import STRENGTHS, strength_of
from latviz.core.model.dependence import DEPENDENT, correlation_in_small_windows
from tests.products import FULL

PHOTOGRAPHS: dict[str, Callable[[], NDArray[np.uint8]]] = {
    "astronaut": pictures.astronaut,
    "coffee": pictures.coffee,
    "cat": pictures.chelsea,
    "temple": lambda: load_sample_image("china.jpg"),
    "flower": lambda: load_sample_image("flower.jpg"),
    "rocket": pictures.rocket,
}
FIELDS: dict[str, Callable[[], NDArray[np.uint8]]] = {
    "blobs": lambda: sample_blobs((96, 96), n_states=4, scale=8, random_state=1),
    "polygons": lambda: sample_voronoi((96, 96), n_regions=20, n_states=4, random_state=2),
    "Potts": lambda: sample_potts(np.exp(1.1 * np.eye(4)), shape=(96, 96), random_state=3),
    "noise": lambda: np.zeros((96, 96), np.uint8),
    "a volume": lambda: sample_blobs((24, 26, 22), n_states=4, scale=4, random_state=4),
    "a sequence": lambda: np.repeat(np.arange(4000, dtype=np.uint8) * 7 % 11 % 4, 5),
}


def colours(name: str) -> NDArray[np.float32]:
    """Return a photograph in CIELAB, every other pixel."""
    values = encode(PHOTOGRAPHS[name]()[::2, ::2], Encoding("lab")).values
    assert isinstance(values, np.ndarray)
    return values


def observed(truth: NDArray[np.uint8], kind: str) -> NDArray[np.generic]:
    """Return noisy symbols, or numbers, of known states."""
    rng = np.random.default_rng(5)
    if kind == "numbers":
        return truth + rng.normal(0, 0.7, truth.shape)
    channel = np.full((4, 4), 0.15) + 0.4 * np.eye(4)
    return emit(truth, emission=channel, random_state=6)


def fitted(seen: NDArray[np.generic], kind: str) -> DiscreteModel | GaussianModel:
    if kind == "numbers":
        return GaussianModel.fit(seen, n_states=4, window=3, scalar=True)
    return DiscreteModel.fit(seen, n_states=4, window=3, n_symbols=4)


@pytest.mark.parametrize("kind", ["symbols", "numbers"])
@pytest.mark.parametrize("field", FIELDS)
def test_known_fields_are_coupled_by_their_code_length(field: str, kind: str) -> None:
    seen = observed(FIELDS[field](), kind)
    model = fitted(seen, kind)
    data = model.data_set(seen)
    assert correlation_in_small_windows(data, 4) < DEPENDENT / 2
    assert model.strength(seen) == strength_of(model.emission, model.A, data) < STRENGTHS[1]


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_photographs_are_coupled_strongly(name: str) -> None:
    seen = colours(name)
    model = GaussianModel.fit(seen, n_states=4, window=7)
    assert correlation_in_small_windows(model.data_set(seen), 4) > 1.5 * DEPENDENT
    assert model.strength(seen) == STRENGTHS[1]
    believed = model.decode(seen, decoder="belief")
    np.testing.assert_array_equal(believed, model.decode(seen, decoder="belief", strength=4.0))
    found = refine(seen, model=model)
    assert (found.states == believed).mean() > 0.93


def test_a_given_A_is_taken_as_it_is_where_that_is_exact_or_neighbours_depend(tmp_path) -> None:
    seen = observed(FIELDS["a sequence"](), "symbols")
    model = fitted(seen, "symbols")
    given = DiscreteModel(model.A, model.B, model.window)
    assert model.A_decoded
    assert not given.A_decoded
    assert given.strength(seen) == 1.0 != model.strength(seen)
    believed = given.beliefs(seen)
    np.testing.assert_array_equal(believed, model.beliefs(seen, strength=1.0))
    photo = np.ascontiguousarray(colours("coffee")[:100, :120])
    learned = GaussianModel.fit(photo, n_states=4, window=3)
    assert (learned.strength(photo), replace(learned, A_decoded=False).strength(photo)) == (4, 1)
    for one in (model, given):
        save_model(one, tmp_path / "model.npz")
        assert load_model(tmp_path / "model.npz") == one
    assert refine(seen, model=given).model.A_decoded


def collage(seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return parts of four photographs in the regions of a map, and the map."""
    rng, side = np.random.default_rng(seed), 160
    truth = sample_voronoi((side, side), n_regions=10, n_states=4, random_state=seed)
    image = np.zeros((side, side, 3), np.uint8)
    for state, name in enumerate(rng.choice(list(PHOTOGRAPHS), 4, replace=False)):
        pixels = PHOTOGRAPHS[name]()
        row, column = (int(rng.integers(0, extent - side)) for extent in pixels.shape[:2])
        part = pixels[row : row + side, column : column + side]
        image[truth == state] = part[truth == state]
    return image, truth


def test_regions_of_photographs_are_found_better_than_by_windows_and_weak_coupling() -> None:
    gains = []
    for seed in range(6 if FULL else 3):
        image, truth = collage(seed)
        seen = encode(image, Encoding("lab")).values
        model = GaussianModel.fit(seen, n_states=4, window=7)
        weak = strength_of(model.emission, model.A, model.data_set(seen))
        maps = (
            model.decode(seen),
            model.decode(seen, decoder="belief", strength=weak),
            model.decode(seen, decoder="belief"),
            refine(seen, model=model).states,
        )
        gains.append([adjusted_rand_score(truth.ravel(), one.ravel()) for one in maps])
    nearest, weak, believed, refined = np.mean(gains, axis=0)
    assert min(believed, refined) > nearest + 0.03
    assert min(believed, refined) > weak
