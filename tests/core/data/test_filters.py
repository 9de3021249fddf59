"""Filters and textons, against sums in plain loops over small images."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from latviz.core import Encoding, encode
from latviz.core.data import filters
from latviz.core.data.wavelets import N_FILTERS, N_ORIENTATIONS, REACH, WAVELENGTHS
from tests.core.cases import on_threads


def mirrored(place: int, size: int) -> int:
    """Return where an image that is mirrored at its borders has a row or column."""
    place %= 2 * size
    return place if place < size else 2 * size - 1 - place


@cache
def kernel(wavelength: float, direction: int) -> dict[tuple[int, int], complex]:
    """Return a log-Gabor filter, by a sum over its frequencies for each place."""
    reach = int(2 * wavelength)
    side = 2 * reach + 1
    gains = {}
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            if row == column == 0:
                continue
            frequency = math.hypot(row, column) / side
            turn = math.atan2(row, column) - math.pi * direction / N_ORIENTATIONS
            turn = math.atan2(math.sin(turn), math.cos(turn))
            size = math.log(frequency * wavelength) / math.log(0.65)
            gains[row, column] = math.exp(-(size**2) / 2 - (turn / (0.6 * math.pi / 6)) ** 2 / 2)
    places = np.arange(-reach, reach + 1)
    found = np.zeros((side, side), complex)
    for (row, column), gain in gains.items():
        wave = np.add.outer(row * places, column * places) / side
        found += gain * np.exp(2j * np.pi * wave) / side**2
    return {(y - reach, x - reach): found[y, x] for y in range(side) for x in range(side)}


def log_energy(image, node, found, step=1.0) -> float:
    answer, rounding = 0j, 0.0
    for (down, right), weight in found.items():
        row = mirrored(node[0] - down, image.shape[0])
        column = mirrored(node[1] - right, image.shape[1])
        answer += weight * float(image[row, column])
        rounding += (step * abs(weight)) ** 2 / 12
    return math.log(abs(answer) ** 2 + rounding)


def energies_of(image: Any, step: float = 1.0) -> Any:
    """Return the logarithms of an image of one tile, (filters, height, width)."""
    energies = filters.Energies(image)
    (tile,) = energies.tiles()
    blocks, bands, _, high, wide = (found := energies.of(tile, step)).shape
    planes = found.transpose(2, 1, 3, 0, 4).reshape(-1, bands * high, blocks * wide)
    height, width = image.shape
    assert not planes[:, height:].any()
    assert not planes[:, :, width:].any()
    return planes[:, :height, :width]


@pytest.mark.parametrize("shape", [(9, 90), (1, 150), (220, 1), (280, 340)])
def test_energies_are_those_of_plain_sums(shape: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    assert int(2 * WAVELENGTHS[-1]) == REACH
    found, flat = energies_of(image), energies_of(0 * image, 2.0)
    assert found.shape == (N_FILTERS, *shape)
    node = shape[0] // 2, shape[1] // 3
    for k, wavelength in enumerate(WAVELENGTHS[:3]):
        for m in (0, 2, 5):
            expected = log_energy(image, node, kernel(wavelength, m))
            value = found[k * N_ORIENTATIONS + m][node]
            assert value == pytest.approx(expected, rel=0, abs=2e-3)
            expected = log_energy(0 * image, node, kernel(wavelength, m), step=2.0)
            value = flat[k * N_ORIENTATIONS + m][node]
            assert value == pytest.approx(expected, rel=0, abs=2e-3)


def test_parts_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.random.default_rng(2).integers(0, 256, (70, 90)).astype(np.uint8)
    whole = encode(image, Encoding("filters", n_features=3))
    monkeypatch.setattr(filters, "TILE", 32)
    monkeypatch.setattr(filters, "MOST_TILES", 99)
    parts = encode(image, Encoding("filters", n_features=3))
    np.testing.assert_allclose(parts.values, whole.values, rtol=0, atol=2e-3)


@pytest.mark.parametrize("name", ["filters", "textons"])
def test_the_same_bits_on_any_number_of_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.random.default_rng(5).integers(0, 256, (70, 90)).astype(np.uint8)
    monkeypatch.setattr(filters, "TILE", 60)
    monkeypatch.setattr(filters, "MOST_PIXELS", 2000)
    one, several = on_threads((1, 3), lambda: encode(image, Encoding(name, 4)).values)
    assert one.tobytes() == several.tobytes()


def test_components_of_a_share_of_the_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.random.default_rng(6).integers(0, 256, (120, 150)).astype(np.uint8)
    whole = encode(image, Encoding("filters", n_features=2)).values
    monkeypatch.setattr(filters, "MOST_PIXELS", image.size // 2)
    some = encode(image, Encoding("filters", n_features=2)).values
    assert not np.array_equal(some, whole)
    np.testing.assert_allclose(some.std(axis=(0, 1)), 1.0, rtol=0, atol=0.05)
    np.testing.assert_allclose(some.mean(axis=(0, 1)), 0.0, rtol=0, atol=0.1)


def test_components_are_uncorrelated_and_largest_first() -> None:
    image = np.random.default_rng(3).integers(0, 256, (80, 70)).astype(np.uint8)
    plain = encode(image, Encoding("filters", n_features=5, scaled=False)).values.reshape(-1, 5)
    covariance = np.cov(plain.T.astype(float))
    variances = np.diag(covariance)
    assert (np.diff(variances) < 0).all()
    np.testing.assert_allclose(covariance - np.diag(variances), 0, rtol=0, atol=0.01)
    np.testing.assert_allclose(plain.mean(axis=0), 0, rtol=0, atol=1e-3)
    scaled = encode(image, Encoding("filters", n_features=5)).values.reshape(-1, 5)
    np.testing.assert_allclose(scaled.std(axis=0), 1, rtol=0, atol=1e-3)


def stripes(period: float, angle: float, side: int = 96) -> Any:
    down, right = np.indices((side, side))
    wave = np.cos(2 * np.pi / period * (right * math.cos(angle) + down * math.sin(angle)))
    return (127 + 100 * wave).astype(np.uint8)


@pytest.mark.parametrize(("k", "m"), [(0, 0), (1, 3), (2, 5)])
def test_the_filter_of_a_wave_answers_most(k: int, m: int) -> None:
    image = stripes(WAVELENGTHS[k], math.pi * m / N_ORIENTATIONS)
    found = energies_of(image)[:, 48, 48]
    assert int(np.argmax(found)) == k * N_ORIENTATIONS + m


@pytest.mark.parametrize("name", ["filters", "textons"])
def test_tell_patterns_apart_that_have_the_same_greys(name: str) -> None:
    image = np.hstack([stripes(6.0, 0.0), stripes(6.0, math.pi / 2)])
    values = encode(image, Encoding(name, 2, n_features=2)).values
    inner = values[16:80, 16:80], values[16:80, 112:176]
    if name == "textons":
        assert [len(np.unique(part)) for part in inner] == [1, 1]
        assert inner[0][0, 0] != inner[1][0, 0]
    else:
        gap = np.abs(inner[0].mean(axis=(0, 1)) - inner[1].mean(axis=(0, 1))).max()
        assert gap > 4 * max(part.std(axis=(0, 1)).max() for part in inner)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("name", ["filters", "textons"])
def test_of_an_image_without_any_pattern(name: str, dtype: type) -> None:
    made = encode(np.full((20, 30), 7, dtype), Encoding(name, 5))
    assert len(np.unique(made.values.reshape(600, -1), axis=0)) == 1
    if name == "textons":
        assert made.notes == ("only 1 of 5 textons occur",)


def test_each_pixel_takes_its_nearest_texton() -> None:
    image = np.random.default_rng(4).integers(0, 256, (40, 50)).astype(np.uint8)
    made = encode(image, Encoding("textons", 6, n_features=3))
    points = encode(image, Encoding("filters", n_features=3, scaled=False)).values
    codebook = made.encoder.fitted.arrays["codebook"]
    squares = ((points[:, :, None].astype(float) - codebook) ** 2).sum(axis=-1)
    chosen = np.take_along_axis(squares, made.values[..., None].astype(int), axis=-1)[..., 0]
    np.testing.assert_allclose(chosen, squares.min(axis=-1), rtol=1e-3, atol=1e-3)
    assert (np.diff(codebook[:, 0]) >= 0).all()
