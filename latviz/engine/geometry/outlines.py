"""The outlines of regions as polygons, along the sides of pixels."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

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
