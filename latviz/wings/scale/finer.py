"""The finer levels of a zarr image that was opened at a coarser one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from latviz.core.axes import roles_of, settled
from latviz.core.types import Region, Shape
from latviz.files.levels import axes_of, filled_part, read_channels
from latviz.files.pyramids import Pyramid

MOST = 1 << 22
"""Most pixels of a finer level to read for the screen: a few for each of its pixels, within memory
and a moment."""


@dataclass(frozen=True, eq=False)
class Finer:
    """A pyramid, and the image opened from it."""

    pyramid: Pyramid
    time: int  # the image's place in time
    shape: Shape  # height and width of the opened image
    roles: str = ""  # of its axes

    def n_finer(self) -> int:
        """Return the number of levels finer than the open one; 0 for anything but an image."""
        if self.pyramid.dimensions != 2 or len(self.shape) != 2:
            return 0
        shapes = (self.pyramid.shape(k) for k in range(len(self.pyramid.levels)))
        return sum(shape[1] > self.shape[1] for shape in shapes)

    def steps(self, level: int) -> tuple[float, ...]:
        """Return the number of a level's pixels that an open one covers, along each axis."""
        # Whole numbers if sides fit them: levels are cut at the border
        sides = zip(self.pyramid.shape(level), self.shape, strict=True)
        return tuple(_step(length, opened) for length, opened in sides)

    def level_for(self, region: Region, most: int = MOST) -> int | None:
        """Return the finest level with at most ``most`` pixels in a region, or None."""
        sizes = (_size(self.region(level, region)) for level in range(self.n_finer()))
        return next((level for level, size in enumerate(sizes) if size <= most), None)

    def region(self, level: int, region: Region) -> Region:
        """Return the pixels of a level that correspond to a region of the open image."""
        parts = zip(region, self.steps(level), self.pyramid.shape(level), strict=True)
        return tuple(
            slice(min(length, math.floor(s.start * step)), min(length, math.ceil(s.stop * step)))
            for s, step, length in parts
        )

    def read(self, level: int, region: Region) -> NDArray[Any]:
        """Return pixels of a level for display: grey, colours, or the channels of the image."""
        # Unknown ones hold a known value. ImageError if they cannot be read
        axes = axes_of(self.pyramid)
        channels, _ = read_channels(axes, settled(axes, roles_of(self.roles)))
        pixels = self.pyramid.read_chosen(level, region, self.time, channels)
        return filled_part(self.pyramid, pixels)[0]


def _size(region: Region) -> int:
    return math.prod(max(0, s.stop - s.start) for s in region)


def _step(length: int, opened: int) -> float:
    """Return the ratio of two sides, rounded if the shorter is the longer by a whole step."""
    step = max(1, round(length / opened))
    return float(step) if length // step <= opened <= -(-length // step) else length / opened
