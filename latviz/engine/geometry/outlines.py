"""The outlines of regions: polygons along the sides of pixels, and lengths in a unit."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.types import Floats

Point = tuple[int, int]
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""To the pixel across each side: above, right, below, left; sides are walked along clockwise."""
_STARTS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
"""The corner that each side begins at, as (x, y) from the pixel's own."""


def outlines(labels: NDArray[np.int32]) -> list[list[list[Point]]]:
    """Return the closed rings of regions, given labels (H, W), as corners (x, y); outer first."""
    # Regions count from 0, and their pixels are connected by sides; nodes below 0 are in none.
    # Rings touch themselves nowhere: where pixels meet at a corner alone, holes touch
    padded = np.pad(labels, 1, constant_values=-1)
    found: list[list[list[Point]]] = [[] for _ in range(int(labels.max()) + 1)]
    for region, corners in _cycles(padded):
        found[region] += _simple(corners)
    return found


def _followers(padded: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return by side, 4 times the pixel's number + 0 to 3, the next one of an outline, or -1."""
    flat, width = padded.reshape(-1), padded.shape[1]
    across = [width * dy + dx for dy, dx in _STEPS]
    pixels = np.flatnonzero(flat >= 0)
    found = np.full(4 * flat.size, -1)
    for side in range(4):
        right, back = (side + 1) % 4, (side + 3) % 4
        here = pixels[flat[pixels] != flat[pixels + across[side]]]
        ahead, beyond = here + across[right], here + across[right] + across[side]
        turns = flat[ahead] != flat[here]
        straight = flat[beyond] != flat[here]
        onward = np.where(straight, 4 * ahead + side, 4 * beyond + back)
        found[4 * here + side] = np.where(turns, 4 * here + right, onward)
    return found


def _cycles(padded: NDArray[np.int32]) -> Iterator[tuple[int, list[Point]]]:
    """Yield the region of each outline, and the corners where it turns."""
    # Sides are in the order of pixels: the first of a region begins at a corner of its outer ring
    follower = _followers(padded)
    sides = np.flatnonzero(follower >= 0)
    following = np.searchsorted(sides, follower[sides])
    turns = np.zeros(sides.size, np.bool_)
    turns[following] = sides[following] % 4 != sides % 4
    y, x = np.divmod(sides // 4, padded.shape[1])
    points = np.stack([x - 1, y - 1], axis=1) + _STARTS[sides % 4]
    regions, corners = padded.flat[sides // 4].tolist(), list(map(tuple, points.tolist()))
    left, turning = following.tolist(), turns.tolist()
    for first, region in enumerate(regions):
        cycle, side = list[Point](), first
        while (onward := left[side]) >= 0:
            if turning[side]:
                cycle.append(corners[side])
            left[side], side = -1, onward
        if cycle:
            yield region, cycle


def _simple(corners: list[Point]) -> list[list[Point]]:
    """Return an outline as closed rings that have each corner once; the first has the first."""
    rings, path, places = list[list[Point]](), list[Point](), dict[Point, int]()
    for corner in corners:
        if corner in places:
            start = places[corner]
            rings.append([*path[start:], corner])
            for passed in path[start + 1 :]:
                del places[passed]
            del path[start + 1 :]
        else:
            places[corner] = len(path)
            path.append(corner)
    return [[*path, path[0]], *rings]


def outline_sizes(labels: NDArray[np.int32], spacing: Sequence[float]) -> Floats:
    """Return the length of each region's outline, or the area of its surface, (R,)."""
    # Crofton's formula, with lines along the neighbours of a pixel: 4 directions, or 13 of a voxel.
    # Each counts by the share of all directions that it is nearest to (Legland et al. 2007). The
    # last axes have the spacing; regions do not extend along others, and end at the border
    d = len(spacing)
    steps = np.array([step for step in product((-1, 0, 1), repeat=d) if step > (0,) * d])
    ways = steps * spacing
    lengths = np.linalg.norm(ways, axis=1)
    shares = _shares(ways / lengths[:, None])
    padded = np.pad(labels, [*[(0, 0)] * (labels.ndim - d), *[(1, 1)] * d], constant_values=-1)
    found = np.zeros(int(labels.max()) + 1)
    for step, length, share in zip(steps, lengths, shares, strict=True):
        one, other = _moved(padded, -step), _moved(padded, step)
        cut = one != other
        crossed = np.concatenate([one[cut], other[cut]]) + 1
        counts = np.bincount(crossed, minlength=len(found) + 1)[1:]
        found += counts * (share * math.prod(spacing) / length)
    return found * {2: math.pi / 2, 3: 2.0}[d]


def _moved(padded: NDArray[np.int32], step: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the nodes that have one at the opposite of a step along the last axes."""
    whole = [slice(None)] * (padded.ndim - len(step))
    pairs = zip(step.tolist(), padded.shape[-len(step) :], strict=True)
    return padded[(*whole, *(slice(max(0, s), n + min(0, s)) for s, n in pairs))]


def _shares(ways: Floats) -> Floats:
    """Return the share of all directions that is nearest to each of some, (k, d); they sum to 1."""
    both = np.concatenate([ways, -ways])
    if ways.shape[1] == 3:
        sphere = scipy.spatial.SphericalVoronoi(both)
        return np.asarray(sphere.calculate_areas()[: len(ways)] / (2 * math.pi))
    angles = np.arctan2(*both.T)
    order = np.argsort(angles)
    gaps = np.diff(angles[order], append=angles[order[0]] + 2 * math.pi)
    shares = np.empty(len(both))
    shares[order] = (gaps + np.roll(gaps, 1)) / (2 * math.pi)
    return shares[: len(ways)]
