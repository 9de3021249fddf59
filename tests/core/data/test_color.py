import math

import numpy as np
import pytest
from skimage import color as reference

from latviz.core.data import color
from latviz.core.errors import ParameterError

# scikit-image rounds its matrix and its white point differently, which amounts to this.
LAB_ATOL = 0.02


def random_colours(n: int = 5000) -> np.ndarray:
    rng = np.random.default_rng(1)
    dark = 0.05 * rng.random((n // 5, 3))
    return np.concatenate([rng.random((n, 3)), dark, np.eye(3), np.ones((1, 3)), np.zeros((1, 3))])


def test_lab_agrees_with_scikit_image():
    rgb = random_colours()
    lab = color.srgb_to_lab(rgb)
    np.testing.assert_allclose(lab, reference.rgb2lab(rgb), rtol=0, atol=LAB_ATOL)


def plain_lab(rgb: list[float]) -> list[float]:
    """Return CIELAB by the formulas of its standards, one number after another."""
    linear = [u / 12.92 if u <= 0.04045 else ((u + 0.055) / 1.055) ** 2.4 for u in rgb]
    rows = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    shares = [sum(a * u for a, u in zip(row, linear, strict=True)) / math.fsum(row) for row in rows]
    x, y, z = (s ** (1 / 3) if s > (6 / 29) ** 3 else s * 841 / 108 + 4 / 29 for s in shares)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("n", [1, 7, 8, 9, 300])
def test_lab_is_that_of_the_formulas(n):
    """In each precision, and for numbers of colours around eight."""
    rng = np.random.default_rng(n)
    rgb = np.where(rng.random((n, 3)) < 0.3, 10, 255) * rng.random((n, 3))
    levels = rgb.astype(np.uint8)
    for colours, units, atol in (
        (levels, (levels / 255).astype(np.float32), 4e-6),
        ((levels / 255).astype(np.float32), (levels / 255).astype(np.float32), 4e-6),
        (rgb / 255, rgb / 255, 1e-7),
    ):
        expected = [plain_lab(one) for one in units.astype(float).tolist()]
        np.testing.assert_allclose(color.srgb_to_lab(colours), expected, rtol=0, atol=atol)


def test_bytes_have_the_coordinates_of_floats():
    levels = np.random.default_rng(3).integers(0, 256, (40, 30, 3)).astype(np.uint8)
    units = (levels / 255).astype(np.float32)
    np.testing.assert_array_equal(color.srgb_to_lab(levels), color.srgb_to_lab(units))


def test_srgb_agrees_with_scikit_image():
    rgb = random_colours()
    lab = reference.rgb2lab(rgb)
    # In the darkest colours sRGB changes by 0.001 for each 0.01 of L*.
    np.testing.assert_allclose(color.lab_to_srgb(lab), rgb, rtol=0, atol=2e-3)


def test_single_precision_keeps_single_precision():
    rgb = random_colours().astype(np.float32)
    lab = color.srgb_to_lab(rgb)
    assert lab.dtype == np.float32
    assert color.lab_to_srgb(lab).dtype == np.float32
    np.testing.assert_allclose(lab, color.srgb_to_lab(rgb.astype(float)), rtol=0, atol=1e-3)


def test_any_leading_shape():
    rgb = random_colours(20)[:24]
    flat = color.srgb_to_lab(rgb)
    np.testing.assert_array_equal(color.srgb_to_lab(rgb[0]), flat[0])
    shaped = color.srgb_to_lab(rgb.reshape(2, 3, 4, 3))
    np.testing.assert_array_equal(shaped.reshape(-1, 3), flat)


def test_values_outside_are_clipped():
    np.testing.assert_array_equal(
        color.srgb_to_lab([[-0.5, 0.5, 1.5]]), color.srgb_to_lab([[0.0, 0.5, 1.0]])
    )
    wild = color.lab_to_srgb([[50.0, 300.0, -300.0], [120.0, 0.0, 0.0], [-5.0, 0.0, 0.0]])
    assert wild.min() >= 0.0
    assert wild.max() <= 1.0
    np.testing.assert_allclose(wild[1], 1.0, rtol=1e-12, atol=0)
    np.testing.assert_array_equal(wild[2], 0.0)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.float64])
def test_luma_weighs_the_channels_in_their_own_units(dtype):
    rgb = np.array([[200, 0, 0], [0, 200, 0], [0, 0, 200], [200, 200, 200]], dtype=dtype)
    result = color.luma(rgb)
    assert result.dtype == (np.float64 if dtype == np.float64 else np.float32)
    np.testing.assert_allclose(result, [42.52, 143.04, 14.44, 200.0], rtol=1e-6, atol=0)


def test_a_last_axis_that_is_not_three():
    for function in (color.srgb_to_lab, color.lab_to_srgb, color.luma):
        for shape in [(4,), (3, 4), ()]:
            with pytest.raises(ParameterError, match=r"must have shape \(\.\.\., 3\), got \("):
                function(np.zeros(shape))


def test_packed_colours_come_back():
    rgb = np.random.default_rng(2).integers(0, 256, (50, 3), dtype=np.uint8)
    np.testing.assert_array_equal(color.unpacked(color.packed(rgb)), rgb)
    assert color.hex_names(np.array([[161, 178, 195], [0, 0, 9]], np.uint8)) == (
        "#a1b2c3",
        "#000009",
    )


def test_nearest_colours_by_brute_force():
    rng = np.random.default_rng(3)
    lab = color.srgb_to_lab(rng.random((10_000, 3)))
    palette = rng.integers(0, 256, (40, 3), dtype=np.uint8)
    distances = np.linalg.norm(lab[:, None] - color.srgb_to_lab(palette / 255.0), axis=2)
    np.testing.assert_array_equal(color.nearest_colours(lab, palette), distances.argmin(axis=1))


def test_distinct_colours_differ():
    lab = color.srgb_to_lab(color.distinct_colours(64) / 255.0)
    distances = np.linalg.norm(lab[:, None] - lab, axis=2)
    assert distances[~np.eye(64, dtype=bool)].min() > 8.0
