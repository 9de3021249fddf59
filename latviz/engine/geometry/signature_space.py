"""The drawn signature space: its projection, and plain values that views read."""

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core.errors import ParameterError

ProjectionKind = Literal["polygon", "tetrahedron", "principal", "components", "symbols"]
Turn = tuple[float, float, float, float]
Corners = tuple[tuple[float, float], ...]

FRONT: Turn = (0.96611, 0.15302, -0.20535, -0.03252)
"""A space of three dimensions from its front, a little from above and from the right."""


@dataclass(frozen=True)
class Projection:
    """Linear map that draws a signature space of more than two dimensions on the plane."""

    # "polygon": symbols are the corners of a polygon; "tetrahedron": of a tetrahedron (M = 4);
    # "symbols": three symbols are the corners of a triangle; "principal", "components": the first
    # two, or three, principal components. None, or a kind that is not `offered`: the natural one
    kind: ProjectionKind | None = None
    symbols: tuple[int, int, int] = (0, 1, 2)  # the three that span the triangle
    # Of three dimensions: a quaternion (w, x, y, z) of any length but 0. x points to the right, y
    # upwards, z at the viewer
    turn: Turn = FRONT
    # where the user put the polygon's corners, -1 to 1; None: regular
    corners: Corners | None = None

    def __post_init__(self) -> None:
        if min(self.symbols) < 0:
            raise ParameterError(f"symbols must not be negative, got {self.symbols}")
        length = math.hypot(*self.turn)
        if len(self.turn) != 4 or not (math.isfinite(length) and length > 0):
            raise ParameterError(f"the turn must be a quaternion other than 0, got {self.turn}")
        for corner in self.corners or ():
            if len(corner) != 2 or not all(-1 <= value <= 1 for value in corner):
                raise ParameterError(f"a corner must be (x, y), both from -1 to 1, got {corner}")

    def drawn(self, n_symbols: int, discrete: bool) -> ProjectionKind | None:
        """Return the kind that is drawn of such observations; None if all of the space is."""
        kinds = offered(n_symbols, discrete)
        if not kinds:
            return None
        return self.kind if self.kind in kinds else kinds[0]

    def moved_corners(self, n_symbols: int) -> Corners | None:
        """Return the corners that the user moved, for this number of symbols; None if regular."""
        return self.corners if self.corners and len(self.corners) == n_symbols else None


def offered(n_symbols: int, discrete: bool) -> tuple[ProjectionKind, ...]:
    """Return the kinds of projections of M symbols, or channels; the natural one first."""
    # None if the plane shows all of the space. The turned tetrahedron shows all of M = 4, and from
    # one side it is the square, so there is no polygon of four corners. With more symbols no plane
    # shows more variance than two principal components
    if n_symbols <= (3 if discrete else 2):
        return ()
    if not discrete:
        return "principal", "components"
    if n_symbols == 4:
        return "tetrahedron", "principal", "symbols"
    return "principal", "polygon", "components", "symbols"


def shown_symbols(projection: Projection, n_symbols: int) -> tuple[int, int, int]:
    """Return the symbols that span the triangle: the chosen ones, if they exist.

    Missing and repeated symbols are replaced by the first unused ones.
    """
    wanted = [symbol for symbol in (*projection.symbols, *range(3)) if symbol < n_symbols]
    a, b, c = list(dict.fromkeys(wanted))[:3]
    return a, b, c


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
