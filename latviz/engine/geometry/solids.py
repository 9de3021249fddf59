"""Signature spaces of three dimensions: the tetrahedron, principal components, and turning them."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.types import Matrix
from latviz.engine.geometry.signature_space import Solid, Turn

TETRAHEDRON = np.array(
    [
        [-np.sqrt(2 / 3), -1 / 3, np.sqrt(2) / 3],
        [np.sqrt(2 / 3), -1 / 3, np.sqrt(2) / 3],
        [0.0, -1 / 3, -2 * np.sqrt(2) / 3],
        [0.0, 1.0, 0.0],
    ]
)
"""The corners of a regular tetrahedron in the unit sphere, the last at the top."""
_TRIANGLES = tuple(combinations(range(4), 3))
_SQUARES = tuple(
    tuple(k for k in range(8) if k >> axis & 1 == side) for axis in range(3) for side in (0, 1)
)


@dataclass(frozen=True, eq=False)
class Body:
    """A space of three dimensions, and a convex body that is drawn around it."""

    basis: Matrix  # (3, M); before the turn a signature x is at basis @ x - centre
    centre: Annotated[Matrix, "(3,)"]
    points: Annotated[Matrix, "(k, 3)"]  # the corners
    faces: tuple[tuple[int, ...], ...]  # the corners of each
    reach: float  # greatest distance of a signature from 0
    variance_kept: float  # its share of the signatures' variance
    axes: Annotated[Matrix | None, "(3, 3)"] = None  # the ends
    # (3, 3); all other fields are before the turn
    rotation: Matrix = field(default_factory=lambda: np.eye(3))

    @property
    def radius(self) -> float:
        """The distance of the farthest corner from 0."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @property
    def edges(self) -> NDArray[np.int64]:
        """The pairs of corners between which there are edges, shape (n, 2)."""
        pairs = combinations(range(len(self.points)), 2)
        return np.array([pair for pair in pairs if len(self._faces_of(pair)) == 2])

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """True for edges behind the body, shape (n,)."""
        turned = self.points @ self.rotation.T
        towards = np.array([_normal(turned, face)[2] > 0 for face in self.faces])
        return np.array([not towards[self._faces_of(edge)].any() for edge in self.edges.tolist()])

    def _faces_of(self, edge: tuple[int, ...]) -> list[int]:
        return [k for k, face in enumerate(self.faces) if set(edge) <= set(face)]


def tetrahedron() -> Body:
    """Return the simplex of four symbols."""
    return Body(TETRAHEDRON.T, np.zeros(3), TETRAHEDRON, _TRIANGLES, 1.0, 1.0)


def block(basis: Matrix, low: Matrix, high: Matrix, far: Matrix, variance_kept: float) -> Body:
    """Return a box around a space, whose sides are along its axes."""
    # Its ends are low, high (3,). All signatures lie between the places ``far`` (k, 3)
    centre, half = (low + high) / 2, np.where(high > low, (high - low) / 2, 0.5)
    points = box_points(-half, half)
    reach = float(np.linalg.norm(np.concatenate([far - centre, points]), axis=1).max())
    axes = points[[1, 2, 4]]  # the neighbours of the corner that is lowest along all axes
    return Body(basis, centre, points, _SQUARES, reach, variance_kept, axes)


def box_points(low: Matrix, high: Matrix) -> Matrix:
    """Return the corners of a box, shape (8, 3): corner k is high along axis a if bit a of k is."""
    bits = np.arange(8)[:, None] >> np.arange(3) & 1
    return np.asarray(np.where(bits == 1, high, low))


def seen(body: Body, codebook: Matrix) -> Solid:
    """Return the visible parts of a body with its states."""
    rotation = body.rotation
    points = body.points @ rotation.T
    depths = (codebook @ body.basis.T - body.centre) @ rotation[2] / body.radius
    return Solid(
        edges=points[body.edges, :2],
        hidden=body.hidden,
        axes=None if body.axes is None else (body.axes @ rotation.T)[:, :2],
        depths=np.clip(depths, -1.0, 1.0),
        variance_kept=body.variance_kept,
    )


def rotation_of(turn: Turn) -> Matrix:
    """Return the rotation matrix of a quaternion (w, x, y, z), shape (3, 3)."""
    w, x, y, z = turn
    return np.asarray(scipy.spatial.transform.Rotation.from_quat((x, y, z, w)).as_matrix())


def _normal(points: Matrix, face: tuple[int, ...]) -> Matrix:
    """Return the direction out of a convex body that is square to a face."""
    a, b, c = points[list(face[:3])]
    normal = np.cross(b - a, c - a)
    return np.asarray(normal if normal @ (a - points.mean(axis=0)) > 0 else -normal)
