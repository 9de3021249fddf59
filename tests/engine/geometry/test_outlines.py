"""Outlines of regions, on random maps with holes and with corners that touch."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import label

from latviz.engine.geometry.outlines import Point, outline_sizes, outlines


def some_regions(shape: tuple[int, int], n: int, seed: int) -> NDArray[np.int32]:
    """Return the connected parts of random values, from 0; those of the value n are in none."""
    values = np.random.default_rng(seed).integers(0, n + 1, shape)
    found, total = np.full(shape, -1, np.int32), 0
    for value in range(n):
        parts, many = label(values == value)
        found[parts > 0] = parts[parts > 0] - 1 + total
        total += many
    return found


def area(ring: list[Point]) -> float:
    """Return the area by Gauss's formula, positive if y grows to the left of x."""
    return sum(x * v - u * y for (x, y), (u, v) in pairwise(ring)) / 2


def holds(ring: list[Point], x: float, y: float) -> bool:
    """Return True if a ray to the right of a point crosses a ring an odd number of times."""
    crossed = [u for (u, v), (a, b) in pairwise(ring) if u == a and min(v, b) < y < max(v, b)]
    return sum(u > x for u in crossed) % 2 == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 30), (17, 1), (12, 15), (30, 40)])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_polygons_are_the_regions(shape: tuple[int, int], n: int) -> None:
    for seed in range(4):
        labels = some_regions(shape, n, seed)
        if labels.max() < 0:
            continue
        found = outlines(labels)
        assert len(found) == labels.max() + 1
        for k, (outer, *holes) in enumerate(found):
            inside = labels == k
            assert area(outer) + sum(map(area, holes)) == inside.sum()
            assert area(outer) > 0 > max(map(area, holes), default=-1)
            for ring in (outer, *holes):
                assert ring[0] == ring[-1]
                assert len(set(ring)) == len(ring) - 1 >= 4  # it touches itself nowhere
                steps = [(u - x, v - y) for (x, y), (u, v) in pairwise(ring)]
                assert all((x == 0) != (y == 0) for x, y in steps)
            padded = np.pad(inside, 1).astype(int)
            sides = sum(int(np.abs(np.diff(padded, axis=axis)).sum()) for axis in (0, 1))
            rings = [outer, *holes]
            lengths = (abs(u - x) + abs(v - y) for r in rings for (x, y), (u, v) in pairwise(r))
            assert sum(lengths) == sides
            if inside.size < 200:
                for y, x in np.ndindex(shape):
                    within = holds(outer, x + 0.5, y + 0.5)
                    within &= not any(holds(hole, x + 0.5, y + 0.5) for hole in holes)
                    assert within == inside[y, x]


def test_holes_touch_where_pixels_meet_at_a_corner() -> None:
    labels = np.zeros((4, 4), np.int32)
    labels[1, 1] = labels[2, 2] = -1
    ((outer, *holes),) = outlines(labels)
    assert (area(outer), [area(hole) for hole in holes]) == (16, [-1, -1])


@pytest.mark.parametrize("spacing", [(1.0, 1.0), (0.5, 0.5), (2.0, 0.5)])
def test_outlines_of_ellipses_have_their_lengths(spacing: tuple[float, float]) -> None:
    y, x = np.mgrid[:90, :330] * np.array(spacing)[:, None, None]
    a, b = 20.3 * spacing[0], 130.7 * spacing[1]
    inside = ((y - 45.1 * spacing[0]) / a) ** 2 + ((x - 160.2 * spacing[1]) / b) ** 2 < 1
    angles = np.linspace(0, 2 * np.pi, 100_001)
    wanted = np.hypot(np.diff(a * np.sin(angles)), np.diff(b * np.cos(angles))).sum()
    found = outline_sizes(inside.astype(np.int32), spacing)
    assert found[1] == pytest.approx(wanted, rel=0.03)
    mask = outline_sizes(inside.astype(np.int32) - 1, spacing)  # the rest is unknown
    assert mask == pytest.approx(found[1:])
    if spacing == (1.0, 1.0):
        skimage = pytest.importorskip("skimage.measure")
        assert found[1] == pytest.approx(skimage.perimeter_crofton(inside, directions=4))


@pytest.mark.parametrize("spacing", [(1.0, 1.0, 1.0), (3.0, 1.0, 1.0)])
def test_balls_have_their_surfaces(spacing: tuple[float, float, float]) -> None:
    z, y, x = (np.indices((60, 60, 60)).T * spacing - np.array([30.2, 29.9, 30.1]) * spacing).T
    inside = z**2 + y**2 + x**2 < 25**2
    found = outline_sizes(inside.astype(np.int32), spacing)
    assert found[1] == pytest.approx(4 * np.pi * 25**2, rel=0.03)
