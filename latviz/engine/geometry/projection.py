"""Projections that draw signature spaces of more than two dimensions."""

import math
from dataclasses import dataclass
from typing import Literal

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
