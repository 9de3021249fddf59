"""Vectors in fixed point are rounded to 26 bits of the range of each channel."""

import math

import numpy as np
import pytest

from latviz.core.data.fixed_point import fixed_within, to_fixed_point
from tests.core import cases

SCALES = {np.float32: (1.0, 1e-30, 1e30), np.float64: (1.0, 1e-99, 1e140)}
"""Units of vectors of each type."""


def rounded(numbers: list[float]) -> list[int]:
    """Round the numbers of one channel in plain Python; ``round`` takes halves to the even one."""
    low, high = min(numbers), max(numbers)
    middle = low / 2 + high / 2
    exponent = math.ceil(math.log2(high - middle)) - 25
    return [round(math.ldexp(number - middle, -exponent)) for number in numbers]


@pytest.mark.parametrize("n_channels", [1, 2, 3, 8, 11])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_each_channel_is_rounded_by_its_own_range(kind, n_channels) -> None:
    """Lengths around eight, of which the last nodes are rounded one by one."""
    for n, scale in zip((7, 8, 43), SCALES[kind], strict=True):
        spread = scale * 10.0 ** -np.arange(n_channels)
        vectors = (cases.vectors((n,), n_channels, 31) * spread + 3 * spread).astype(kind)
        found = to_fixed_point(vectors)
        wanted = [rounded(channel) for channel in vectors.T.astype(float).tolist()]
        np.testing.assert_array_equal(found.values, np.array(wanted).T)
        again = found.offsets + found.scales * found.values
        assert (np.abs(again - vectors) <= found.scales).all()


def test_halves_go_to_the_even_number() -> None:
    ends = np.array([-(2.0**25)]), np.array([2.0**25])
    vectors = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5])[:, None]
    found = fixed_within(vectors, *ends).values[:, 0]
    np.testing.assert_array_equal(found, [-2, -2, 0, 0, 2, 2, 4, 4, 6])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_threads_and_the_layout_change_nothing(kind) -> None:
    vectors = cases.vectors((1200, 700), 2, 32).astype(kind)
    one, two = cases.on_threads((1, 3), lambda: to_fixed_point(vectors))
    turned = to_fixed_point(vectors.transpose(1, 0, 2))
    np.testing.assert_array_equal(one.values, two.values)
    np.testing.assert_array_equal(turned.values, one.values.transpose(1, 0, 2))
    part = fixed_within(vectors[3:9], one.low, one.high)
    np.testing.assert_array_equal(part.values, one.values[3:9])
