"""N is found whatever the law of the noise of numbers."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core import choose, sample_blobs
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


def numbers(name: str) -> NDArray[np.float64]:
    """Return a field of three states with noise of a law."""
    return LAWS[name][1](sample_blobs((SIDE, SIDE), 3, scale=9, seed=11), np.random.default_rng(12))


@pytest.mark.parametrize("name", LAWS)
def test_the_number_of_states_is_found(name: str) -> None:
    found = choose(numbers(name), kind="gaussian", scalar=True, windows=[2, 4])
    assert (found.n_states, found.dependent) == (LAWS[name][0], False)
    assert found.model.kind == "gaussian"
    assert found.grown is not None
    assert found.grown.means.shape == found.model.means.shape


def test_a_monotone_change_of_numbers_changes_nothing() -> None:
    one, other = (
        Growth(as_data_set(values, "gaussian", scalar=True))
        for values in (numbers("normal"), np.exp(numbers("normal")))
    )
    assert [one.bits(n) for n in (1, 2, 3)] == [other.bits(n) for n in (1, 2, 3)]
