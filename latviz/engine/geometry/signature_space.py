"""The drawn signature space: plain values that views read."""

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.engine.geometry.projection import Corners

SpaceKind = Literal["segment", "triangle", "projection", "histogram", "plane", "solid"]
_ROUNDING = 1e-6  # of a bin


@dataclass(frozen=True, eq=False)
class Solid:
    """A space of three dimensions, of which the plane shows one side."""

    edges: Annotated[NDArray[np.float64], "(n, 2, 2)"]  # ends of the lines around it, in the plane
    hidden: Annotated[NDArray[np.bool_], "(n,)"]  # those behind it
    # ends in the plane: channels if M = 3, else principal components
    axes: Annotated[NDArray[np.float64] | None, "(3, 2)"]
    depths: Annotated[NDArray[np.float64], "(N,)"]  # of the states, from -1 (far) to 1 (near)
    variance_kept: float  # share in the three dimensions


@dataclass(frozen=True, eq=False)
class Paths:
    """The codewords learned with each window."""

    windows: tuple[int, ...]  # increasing
    # (len(windows), N, M): ``codewords[k, j]``, learned from a sample with ``windows[k]``, has most
    # nodes in common with the j-th of the window before. At the frame's w_l the j-th is that of
    # state j
    codewords: NDArray[np.float64]


def _beyond(cells: NDArray[np.int64], at: float) -> NDArray[np.float64]:
    """Return the distance of a place from each cell, which spans from its number to the next."""
    return np.asarray(np.maximum(0.0, np.maximum(cells - at, at - (cells + 1))))


@dataclass(frozen=True, eq=False)
class SignatureSpace:
    """The signatures drawn on a plane (or a line)."""

    # "segment", "triangle" (exact for M = 2, 3), "projection" (M > 3); "histogram" (Gaussian, M =
    # 1), "plane" (Gaussian, M > 1; exact for M = 2); "solid" (three dimensions, turned: exact in
    # space for M = 4)
    kind: SpaceKind
    matrix: NDArray[np.float64]  # (2, M); a signature x is drawn at origin + matrix @ x
    origin: Annotated[NDArray[np.float64], "(2,)"]
    extent: tuple[float, float, float, float]  # left, bottom, width, height of the density
    # pixels a bin, row 0 at the bottom; one row on a line
    density: Annotated[NDArray[np.int64], "(rows, columns)"]
    # left, bottom, width, height of the part worth showing
    focus: tuple[float, float, float, float]
    corners: Annotated[NDArray[np.float64] | None, "(M, 2)"]  # pure signatures (discrete kinds)
    codewords: Annotated[NDArray[np.float64], "(N, 2)"]  # of the states
    # (k, 2) each: nearest to each state, where exact; else empty
    cells: tuple[NDArray[np.float64], ...]
    # the borders of states on a line; else empty
    boundaries: Annotated[NDArray[np.float64], "(N - 1,)"]
    # covariances in the plane (Gaussian)
    ellipses: Annotated[NDArray[np.float64] | None, "(N, 2, 2)"]
    variance_kept: float  # share that the plane shows; 1.0 where exact
    zooms: bool = False  # there is room for far more than is worth showing
    # regular corners of a polygon, if they can be moved
    resting: Annotated[NDArray[np.float64] | None, "(M, 2)"] = None
    solid: Solid | None = None  # if the plane is a side of such a space
    counts_all: bool = True  # else the density is an estimate from some rows
    blur: float = 0.0  # bins over which a count is spread in ``levels``
    # as ``density``, uint8: on a log scale from none to most; empty on a line
    levels: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 0), np.uint8))

    def locate(self, signature: NDArray[Any]) -> NDArray[np.float64]:
        """Return the places of signatures, shape (..., M), in the plane, shape (..., 2)."""
        return np.asarray(self.origin + np.asarray(signature, np.float64) @ self.matrix.T)

    @property
    def on_line(self) -> bool:
        """True if signatures are drawn on a line, not on a plane."""
        return len(self.density) == 1

    def bin_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the row and column of the bin that holds a point, or None outside of all."""
        (left, bottom, width, height), (rows, columns) = self.extent, self.density.shape
        column = math.floor((x - left) / width * columns)
        row = 0 if self.on_line else math.floor((y - bottom) / height * rows)
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def bin_near(self, x: float, y: float, reach: tuple[float, float]) -> tuple[int, int] | None:
        """Return the row and column of the nearest bin that holds signatures, to a point."""
        # None beyond ``reach``, the half-axes of an ellipse along x and y; on a line along x alone
        (left, bottom, width, height), (rows, columns) = self.extent, self.density.shape
        right = _beyond(np.arange(columns), (x - left) / width * columns) * width / columns
        up = _beyond(np.arange(rows), (y - bottom) / height * rows) * height / rows
        if self.on_line:
            up = np.zeros(1)
        far = np.hypot(right[None] / reach[0], up[:, None] / reach[1])
        far[self.density == 0] = np.inf
        nearest = np.unravel_index(np.argmin(far), far.shape)
        return (int(nearest[0]), int(nearest[1])) if far[nearest] <= 1.0 else None

    def corners_of(self, row: int, column: int) -> Corners:
        """Return the corners of a bin, moved down by the rounding error of a pixel on an edge."""
        (left, bottom, width, height), (rows, columns) = self.extent, self.density.shape
        low, high = (left + width * (column + k - _ROUNDING) / columns for k in (0, 1))
        below, above = (bottom + height * (row + k - _ROUNDING) / rows for k in (0, 1))
        if self.on_line:
            below, above = -1.0, 1.0
        return (low, below), (high, below), (high, above), (low, above)
