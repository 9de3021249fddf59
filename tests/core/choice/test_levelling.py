"""Uneven light under numbers: what is subtracted, and which N is found."""

from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from latviz.core import choose, level_light, sample_blobs, sample_voronoi, stripes
from latviz.core.choice.growing import Growth
from latviz.core.data.data_set import as_data_set
from latviz.core.data.light import REJECTED, fitted, robust_light

SIDE = 112
Pattern = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


def light(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return a polynomial of the second degree with mean 0."""
    axes = np.meshgrid(*(np.linspace(0, 1, n) for n in shape), indexing="ij")
    found = sum((k + 1) * x - 1.3 * x * axes[0] for k, x in enumerate(axes))
    return np.asarray(found - found.mean())


@pytest.mark.parametrize("shape", [(300,), (70, 50), (24, 20, 28)])
def test_light_under_known_states_is_exact(shape: tuple[int, ...]) -> None:
    states = (
        sample_voronoi(shape, n_regions=3, n_states=3, random_state=4)
        if len(shape) > 1
        else np.arange(300) // 100 % 2
    )
    numbers = np.array([0.0, 5.0, 7.0])[states]
    np.testing.assert_allclose(
        level_light(numbers + light(shape), states=states), numbers, rtol=0, atol=1e-9
    )
    known = np.random.default_rng(3).random(shape) < 0.6
    part = np.where(known, states, 255), np.where(known, numbers + light(shape), np.nan)
    found = level_light(part[1], states=part[0])
    np.testing.assert_allclose(found[known], numbers[known], rtol=0, atol=1e-9)
    assert np.isnan(found[~known]).all()


def test_light_is_found_robustly_without_states() -> None:
    shape = (160, 160)
    truth = sample_voronoi(shape, n_regions=20, n_states=3, random_state=5)
    seen = truth + 0.4 * np.random.default_rng(6).normal(size=shape)
    left = level_light(seen + light(shape)) - seen
    assert left.std() < 0.15 * light(shape).std()
    known = np.random.default_rng(7).random(shape) < 0.7
    known[40:70, 30:60] = False
    (found,) = level_light(
        as_data_set(seen + light(shape), kind="gaussian", scalar=True, mask=known)
    )
    assert (found - seen)[known].std() < 0.15 * light(shape).std()
    assert np.isnan(found[~known]).all()


def test_several_lattices_have_a_light_each_and_tiny_ones_none() -> None:
    ramps = light((64, 64)), -2 * light((40, 80))
    for ramp, left in zip(ramps, level_light(list(ramps)), strict=True):
        assert np.ptp(left) < 0.01 * np.ptp(ramp)
    tiny = np.array([[1.0, 4.0], [2.0, 9.0]])
    np.testing.assert_array_equal(level_light(tiny), tiny)


@pytest.mark.parametrize("n_states", [1, 3])
def test_n_is_found_under_uneven_light(n_states: int) -> None:
    truth = sample_blobs((SIDE, SIDE), n_states=3, scale=10, random_state=1) * (n_states > 1)
    seen = truth + 0.4 * np.random.default_rng(2).normal(size=truth.shape)
    uneven = choose(seen + light(truth.shape), kind="gaussian", scalar=True, windows=[2, 4])
    assert (uneven.n_states, uneven.uneven, uneven.dependent) == (n_states, True, False)
    assert "light is uneven" in uneven.rule
    if n_states == 1:
        return
    known = np.random.default_rng(8).random(truth.shape) < 0.8
    part = as_data_set(seen + light(truth.shape), kind="gaussian", scalar=True, mask=known)
    found = choose(part, kind="gaussian", windows=[2, 4])
    assert (found.n_states, found.uneven, found.dependent) == (n_states, True, False)


def test_far_residuals_are_correlated_under_a_narrow_spot_of_light() -> None:
    y, x = np.indices((64, 64))
    seen = 2.7 * sample_blobs((64, 64), n_states=2, scale=8, random_state=1)
    seen = seen + np.random.default_rng(3).normal(size=seen.shape)
    spot = 5 * np.exp(-((y - 30) ** 2 + (x - 36) ** 2) / 128)
    even, lit = (Growth(as_data_set(v, kind="gaussian", scalar=True)) for v in (seen, seen + spot))
    assert even.far_correlation(2) == 0
    (states,) = lit.states(2)
    left = seen + spot
    left = left - np.array([left[states == k].mean() for k in (0, 1)])[states]
    pairs = np.append(left[4:] * left[:-4], left[:, 4:] * left[:, :-4])
    expected = pairs.mean() / np.square(left).mean()
    assert expected > 3.09 / np.sqrt(2 * 64**2)
    np.testing.assert_allclose(lit.far_correlation(2), expected, rtol=1e-3)


def test_a_photograph_is_not_levelled() -> None:
    found = choose(data.camera()[200:300, 200:300], kind="gaussian", scalar=True, windows=[2, 4])
    assert (found.dependent, found.uneven) == (True, False)


@pytest.mark.parametrize("shape", [(16, 300), (200, 9), (1, 1000), (16, 16, 16)])
def test_noise_has_no_light_and_a_ramp_has_its_own(shape: tuple[int, ...]) -> None:
    """Two blocks of 8 rows lie as far from the middle, so they do not show its square."""
    noise = np.random.default_rng(1).normal(size=shape)
    assert not robust_light(noise).any()
    ramp = np.broadcast_to(np.linspace(-4, 4, shape[-1]), shape)
    found = robust_light(noise + ramp)
    assert (found - ramp).std() < 0.15 * ramp.std()
    for scale in (1e-200, 1e149) if len(shape) == 3 else ():
        np.testing.assert_allclose(robust_light(scale * (noise + ramp)) / scale, found, atol=1e-9)


@pytest.mark.parametrize(
    ("states", "law"),
    [
        (lambda y, x: x // 6 % 3, "normal"),  # up, up and far down
        (lambda y, x: np.hypot(y - 30, x - 40).astype(int) // 8 % 3, "exponential"),
        (lambda y, x: (y // 9 + x // 9) % 2, "normal"),
    ],
    ids=["stripes", "rings", "checks"],
)
def test_light_is_found_under_fine_patterns(states: Pattern, law: str) -> None:
    truth = states(*np.indices((96, 96)))
    seen = truth + 0.35 * getattr(np.random.default_rng(3), law)(size=truth.shape)
    y, x = np.meshgrid(*[np.linspace(-1, 1, 96)] * 2, indexing="ij")
    for field in (0.8 * (x - 0.7 * y), 0.9 * (x**2 + 0.5 * y**2)):
        assert (level_light(seen + field) - seen + field.mean()).std() < 0.2 * field.std()
    np.testing.assert_array_equal(level_light(seen), seen)


WAVE, LAMP = (
    lambda y, x: 0.5 * np.sin(5 * x + 3 * y),
    lambda y, x: 1.3 * np.exp(-5 * ((x + 0.3) ** 2 + (y - 0.4) ** 2)),
)


@pytest.mark.parametrize("field", [WAVE, LAMP], ids=["wave", "lamp"])
def test_light_that_no_quadratic_holds_is_found_in_turn_with_levels(field: Any) -> None:
    truth = np.kron(np.random.default_rng(4).integers(0, 2, (10, 10)), np.ones((10, 10)))
    seen = truth + np.random.default_rng(7).normal(scale=0.35, size=truth.shape)
    light = field(*np.meshgrid(*[np.linspace(-1, 1, 100)] * 2, indexing="ij"))
    assert (level_light(seen + light) - seen).std() < 0.4 * light.std()
    np.testing.assert_array_equal(level_light(seen), seen)
    found = choose(seen + light, kind="gaussian", scalar=True, windows=[2, 4])
    assert (found.n_states, found.uneven, found.dependent) == (2, True, False)


def test_stripes_under_light_are_not_taken_for_dependent_pixels() -> None:
    truth = stripes((96, 96), widths=[5, 8], n_states=2)
    y, x = np.meshgrid(*[np.linspace(-1, 1, 96)] * 2, indexing="ij")
    seen = truth + np.random.default_rng(5).laplace(scale=0.25, size=truth.shape)
    found = choose(seen + 0.9 * (x + 0.4 * y**2), kind="gaussian", scalar=True, windows=[2, 4])
    assert (found.n_states, found.uneven, found.dependent) == (2, True, False)


def test_outliers_are_rejected_by_tukeys_biweight() -> None:
    """Weights (1 - (r / (c s))^2)^2, s from the median of |r|; c, s fit the normal law."""
    rng = np.random.default_rng(8)
    columns = np.column_stack([np.linspace(-1, 1, 400), np.ones(400)])
    values = columns @ [2.0, -1.0] + rng.normal(size=400)
    values[::9] += 40.0
    found, weights, spread = fitted(columns, values)
    left = np.abs(values - columns @ found)
    normal = NormalDist()
    assert spread == pytest.approx(np.median(left) / normal.inv_cdf(0.75), rel=1e-4)
    cut = 4.685 * spread
    wanted = [(1 - (r / cut) ** 2) ** 2 if r < cut else 0.0 for r in left]
    np.testing.assert_allclose(weights, wanted, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found, [2.0, -1.0], rtol=0, atol=0.25)
    # Of numbers x that are normal, the efficiency is E[psi']^2 / E[psi^2], psi = x times the weight
    x = np.linspace(-REJECTED, REJECTED, 200_001)
    share = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) * (x[1] - x[0])
    psi = x * (1 - (x / REJECTED) ** 2) ** 2
    slope = (1 - (x / REJECTED) ** 2) * (1 - 5 * (x / REJECTED) ** 2)
    assert (slope @ share) ** 2 / (psi**2 @ share) == pytest.approx(0.95, abs=1e-4)
