"""N is found whatever the law of the noise of numbers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core import (
    GaussianModel,
    choose,
    load_model,
    matched_accuracy,
    refine,
    sample_blobs,
    save_model,
)
from latviz.core.choice.growing import Growth
from latviz.core.data.data_set import as_data_set

SIDE = 120
Law = Callable[[NDArray[np.uint8], np.random.Generator], NDArray[np.float64]]
LAWS: dict[str, tuple[int, Law]] = {
    "normal": (3, lambda z, rng: z + 0.5 * rng.normal(size=z.shape)),
    "Student, 2 degrees of freedom": (3, lambda z, rng: z + 0.25 * rng.standard_t(2, z.shape)),
    "speckle of 2 looks": (3, lambda z, rng: 2.5**z * rng.gamma(2, 0.5, z.shape)),
    "outliers": (
        3,
        lambda z, rng: np.where(
            rng.random(z.shape) < 0.05,
            rng.choice([-5.0, 9.0], z.shape),
            z + 0.4 * rng.normal(size=z.shape),
        ),
    ),
    "spread alone": (3, lambda z, rng: np.array([0.5, 1, 2])[z] * rng.normal(size=z.shape)),
    "lognormal noise": (1, lambda z, rng: rng.lognormal(size=z.shape)),
    "normal noise": (1, lambda z, rng: rng.normal(size=z.shape)),
}


TRUTH = sample_blobs((SIDE, SIDE), n_states=3, scale=9, random_state=11)


def numbers(name: str) -> NDArray[np.float64]:
    """Return a field of three states with noise of a law."""
    return LAWS[name][1](TRUTH, np.random.default_rng(12))


@pytest.mark.parametrize("name", LAWS)
def test_the_number_of_states_is_found(name: str) -> None:
    found = choose(numbers(name), kind="gaussian", scalar=True, windows=[2, 4])
    assert (found.n_states, found.dependent) == (LAWS[name][0], False)
    assert found.model.kind == "gaussian"
    assert found.assumption.endswith("with noise of any law")
    assert found.grown.means.shape == found.model.means.shape


@pytest.mark.parametrize(
    ("law", "n_states"), [("normal", 3), ("standard_t", 1), ("lognormal", 3), ("laplace", 1)]
)
def test_the_number_of_states_of_vectors_is_found(law: str, n_states: int) -> None:
    rng = np.random.default_rng(21)
    means = 1.4 * rng.normal(size=(n_states, 3))
    draw = getattr(rng, law)
    noise = draw(2, (SIDE, SIDE, 3)) if law == "standard_t" else draw(size=(SIDE, SIDE, 3))
    seen = means[TRUTH % n_states] + 0.6 * noise
    assert Growth(as_data_set(seen, kind="gaussian")).enough(4) == n_states


def test_a_monotone_change_of_channels_changes_nothing() -> None:
    rng = np.random.default_rng(22)
    seen = rng.normal(size=(3, 2))[TRUTH] + 0.5 * rng.normal(size=(SIDE, SIDE, 2))
    data = (as_data_set(values, kind="gaussian") for values in (seen, np.exp(seen)))
    one, other = (Growth(some) for some in data)
    assert [one.bits(n) for n in (1, 2, 3)] == [other.bits(n) for n in (1, 2, 3)]


def test_a_monotone_change_of_numbers_changes_nothing() -> None:
    one, other = (
        Growth(as_data_set(values, kind="gaussian", scalar=True))
        for values in (numbers("normal"), np.exp(numbers("normal")))
    )
    assert [one.bits(n) for n in (1, 2, 3)] == [other.bits(n) for n in (1, 2, 3)]


@pytest.mark.parametrize("name", [name for name, (n_states, _) in LAWS.items() if n_states == 3])
def test_states_are_found_as_well_as_in_normal_noise(name: str, tmp_path: Path) -> None:
    seen = numbers(name)
    model = GaussianModel.fit(seen, n_states=3, window=3, scalar=True)
    found = refine(seen, model=model)
    least = 0.93 if name in ("spread alone", "speckle of 2 looks") else 0.985
    assert matched_accuracy(found.states, TRUTH) > least
    save_model(found.model, tmp_path / "refined.npz")
    kept = load_model(tmp_path / "refined.npz")
    decoded = kept.decode(seen, decoder="belief")
    assert matched_accuracy(decoded, TRUTH) > least


@pytest.mark.parametrize("law", ["normal", "exponential"])
def test_states_of_vectors_are_found_as_well_as_in_normal_noise(law: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(23)
    shape = SIDE, SIDE, 2
    draws = {"normal": rng.normal(size=shape), "exponential": rng.exponential(size=shape)}
    noise = draws[law] @ [[1.0, 0.5], [0.0, 0.8]]
    seen = np.array([[0.0, 0.0], [1.8, 0.0], [0.0, 1.8]])[TRUTH] + noise
    found = refine(seen, model=GaussianModel.fit(seen, n_states=3, window=3))
    assert isinstance(found.model, GaussianModel)
    assert (found.model.score_correlations is None) == (law == "normal")
    save_model(found.model, tmp_path / "refined.npz")
    decoded = load_model(tmp_path / "refined.npz").decode(seen, decoder="belief")
    for states in (found.states, decoded):
        assert matched_accuracy(states, TRUTH) > 0.98


def test_refined_states_stay_in_any_monotone_change_of_numbers() -> None:
    start = GaussianModel.fit(numbers("normal"), n_states=3, window=3, scalar=True)
    one = refine(numbers("normal"), model=start).states
    changed = np.exp(numbers("normal"))
    other = refine(
        changed, model=GaussianModel.fit(changed, n_states=3, window=3, scalar=True)
    ).states
    assert matched_accuracy(one, other) > 0.995
