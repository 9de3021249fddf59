"""Local binary patterns, against plain loops."""

import itertools

import numpy as np
import pytest

from latviz.core import Encoding, encode

RING = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]


def by_hand(grey: np.ndarray) -> np.ndarray:
    """Compare the pixels around each one; those beyond the border are the nearest inside."""
    height, width = grey.shape
    found = np.empty(grey.shape, dtype=int)
    for i, j in itertools.product(range(height), range(width)):
        ring = []
        for down, right in RING:
            row, column = min(max(i + down, 0), height - 1), min(max(j + right, 0), width - 1)
            ring.append(bool(grey[row, column] >= grey[i, j]))
        changes = sum(one != other for one, other in zip(ring, ring[1:] + ring[:1], strict=True))
        found[i, j] = sum(ring) if changes <= 2 else 9
    return found


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (2, 2), (150, 13)])
def test_pixels_around_are_counted(shape: tuple[int, int], dtype: type) -> None:
    image = np.random.default_rng(1).integers(0, 4, shape).astype(dtype)
    made = encode(image, Encoding("patterns"))
    assert made.n_symbols == 10
    np.testing.assert_array_equal(made.values, by_hand(image))


def test_neither_light_nor_turns_change_them() -> None:
    image = np.random.default_rng(3).integers(0, 120, (30, 40)).astype(np.uint8)
    values = encode(image, Encoding("patterns")).values
    np.testing.assert_array_equal(encode(2 * image + 9, Encoding("patterns")).values, values)
    turned = encode(np.rot90(image).copy(), Encoding("patterns")).values
    np.testing.assert_array_equal(turned, np.rot90(values))


def test_symbols_mean_the_same_in_every_picture() -> None:
    flat, noise = np.zeros((5, 6), np.uint8), np.random.default_rng(4).integers(0, 9, (8, 9))
    encoder = encode(flat, Encoding("patterns")).encoder
    own = encode(noise.astype(np.uint8), Encoding("patterns"))
    np.testing.assert_array_equal(encoder.encode(noise.astype(np.uint8)).values, own.values)
    assert encoder.encode(flat).values.tolist() == [[8] * 6] * 5
    assert own.names[8:] == ("8 brighter", "several runs")


def test_a_colour_image_is_seen_in_grey() -> None:
    image = np.random.default_rng(5).integers(0, 256, (12, 14, 3)).astype(np.uint8)
    grey = np.rint(image @ np.array([0.2126, 0.7152, 0.0722]))
    found = encode(image, Encoding("patterns")).values
    assert (found == by_hand(grey)).mean() > 0.98  # a rounded half may fall to either side
