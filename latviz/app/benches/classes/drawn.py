"""Maps of scores as bytes to draw, and their totals in numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz import collection
from latviz.app.benches.classes.matrix import differences
from latviz.core.types import Floats

CLIP = 99.5
"""The percentile of the differences' sizes that has the strongest colour."""
LOOKED_AT = 1 << 18
"""Pixels that percentiles are taken over, evenly, at most."""


@dataclass(frozen=True)
class Wish:
    """A request for maps: two classes, and the radius to average over."""

    first: int
    second: int
    radius: int


@dataclass(frozen=True, eq=False)
class DrawnMaps:
    """The maps of two classes and their difference."""

    wish: Wish
    # (H, W), as ``second``: scores from the least to the greatest of ``ends``
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    difference: NDArray[np.uint8]  # (H, W): rows of a `difference_table` from -``most`` to ``most``
    ends: tuple[float, float]
    most: float
    totals: tuple[float, float]  # scores of the whole image, nats
    share: float  # of the pixels that favour the first class

    @property
    def gap(self) -> float:
        """The score of the first class less that of the second, in nats."""
        return self.totals[0] - self.totals[1]


def draw(maps: Floats, wish: Wish) -> DrawnMaps:
    """Return the maps of two classes, of those of all, (K, H, W)."""
    raw = maps[wish.first], maps[wish.second]
    first, second = (collection.classes.averaged(plane, wish.radius) for plane in raw)
    few = np.stack([_few(first), _few(second)])
    low, high = np.percentile(few, [100 - CLIP, 100.0]).tolist()
    gaps = first - second
    most = max(float(np.percentile(np.abs(_few(gaps)), CLIP)), 1e-12)
    return DrawnMaps(
        wish,
        scaled(first, low, high),
        scaled(second, low, high),
        differences(gaps, most),
        (low, high),
        most,
        (float(raw[0].sum()), float(raw[1].sum())),
        float((raw[0] > raw[1]).mean()),
    )


def _few(plane: Floats) -> Floats:
    flat = plane.reshape(-1)
    return flat[:: max(1, flat.size // LOOKED_AT)]


def scaled(plane: Floats, low: float, high: float) -> NDArray[np.uint8]:
    """Return numbers from ``low`` (0) to ``high`` (255)."""
    spread = max(high - low, 1e-12)
    return np.rint(255 * np.clip((plane - low) / spread, 0.0, 1.0)).astype(np.uint8)
