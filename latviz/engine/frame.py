"""What the stages compute for one request, as frozen values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core.errors import ParameterError
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.projection import Corners, Projection
from latviz.engine.sample_size import LIVE
from latviz.engine.selection import Lit, MapKind, Selection

if TYPE_CHECKING:  # these load the compiled kernels, which the window must not wait for
    from latviz.core.data.observations import Observations
    from latviz.core.model.evaluation import Evaluation
    from latviz.core.model.models import DiscreteModel, GaussianModel
    from latviz.core.windows.progressive import Level
    from latviz.engine.dendrogram import Dendrogram
    from latviz.engine.node_maps import NodeMap
    from latviz.engine.state_paths import Paths

_ROUNDING = 1e-6  # of a bin
SpaceKind = Literal["segment", "triangle", "projection", "histogram", "plane", "solid"]
VIEWS = ("image", "states", "space", "adjacency", "indices", "likelihood", "emissions")
"""The views that are shown unless a person hides them."""
ALL_VIEWS = (*VIEWS, "map", "tree", "tradeoff")


OPTIONAL = frozenset({"inertia", "evaluation", "space", "map", "tree", "paths"})
"""The parts of a frame that are None unless a visible view needs them."""


@dataclass(frozen=True)
class Coloring:
    """The colours of the codewords of one merge tree.

    Attributes
    ----------
    slots : tuple of int
        The slot of each row of the tree's codebook, in the tree's own order; all different.
    n_learned : int
        How many signatures the tree was learned from.

    Raises
    ------
    ParameterError
        If slots are outside 0 to 255 or the same, or nothing was learned from.
    """

    slots: tuple[int, ...]
    n_learned: int

    def __post_init__(self) -> None:
        if len(set(self.slots) & set(range(256))) < len(self.slots):
            raise ParameterError(f"slots must be different, from 0 to 255, got {self.slots}")
        if self.n_learned < 1:
            raise ParameterError(f"n_learned must be 1 at least, got {self.n_learned}")


@dataclass(frozen=True, eq=False)
class Request:
    """What to compute.

    Attributes
    ----------
    number : int
        Requests are numbered in order; a frame carries its request's number.
    complete : bool
        Learn the codebook from all signatures, not from a sample.
    sample : int
        How many signatures a sample has (see `sampling.sample_size`).
    visible : tuple of two slices, or None
        The rows and columns on screen, which a large image is refined in first.
    views : frozenset of str
        The views that are visible: what none of them needs is not computed.
    selection : Selection, optional
        Which pixels to light.
    map : str
        Which map the view of maps shows.
    compared : Frame, optional
        A frame of the same picture to compare with.
    difference : bool
        Whether the pixels in which they differ are wanted.
    paths : bool
        Whether the signature space shows the states' paths as w grows.
    coloring : Coloring, optional
        The colours of the first tree that is learned from as many signatures.
    """

    number: int
    picture: Picture
    parameters: Parameters
    projection: Projection = field(default_factory=Projection)
    complete: bool = False
    sample: int = LIVE
    visible: tuple[slice, slice] | None = None
    views: frozenset[str] = frozenset(VIEWS)
    selection: Selection | None = None
    map: MapKind = "likelihood"
    compared: "Frame | None" = None
    difference: bool = False
    paths: bool = False
    coloring: Coloring | None = None


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far two decodings agree, when states are matched as well as they can be.

    Attributes
    ----------
    table : ndarray, shape (N1, N2), int64
        Pixels by their states in both.
    matched : float
        The share of pixels in matched states.
    rand : float
        The adjusted Rand index.
    different : ndarray of bool, or None
        Where states are not matched, of the maps' shape; None if nobody asked.
    """

    table: NDArray[np.int64]
    matched: float
    rand: float
    different: NDArray[np.bool_] | None = None

    @property
    def n_different(self) -> int:
        """How many pixels are in states that are not matched."""
        total = int(self.table.sum())
        return total - round(self.matched * total)


@dataclass(frozen=True, eq=False)
class Solid:
    """A space of three dimensions, of which the plane shows one side.

    Attributes
    ----------
    edges : ndarray, shape (n, 2, 2)
        Ends of the lines around it, in the plane.
    hidden : ndarray, shape (n,), bool
        Which of them are behind it.
    axes : ndarray, shape (3, 2), or None
        The ends of its axes in the plane: channels if M = 3, else principal components.
    depths : ndarray, shape (N,)
        How near the states are, from -1 (far) to 1 (near).
    variance_kept : float
        Share of the signatures' variance in the three dimensions.
    """

    edges: NDArray[np.float64]
    hidden: NDArray[np.bool_]
    axes: NDArray[np.float64] | None
    depths: NDArray[np.float64]
    variance_kept: float


@dataclass(frozen=True, eq=False)
class Cloud:
    """A sample of the signatures in a space of three dimensions that is not turned yet.

    Attributes
    ----------
    points : ndarray, shape (n, 3)
    states : ndarray, shape (n,), int64
        Those of the points.
    codewords : ndarray, shape (N, 3)
    edges : ndarray, shape (k, 2, 3)
        Ends of the lines around the space.
    corners : ndarray, shape (M, 3), or None
        Where the pure signatures are (discrete kinds).
    axes : ndarray, shape (3, 3), or None
        The ends of the axes; None for the tetrahedron.
    """

    points: NDArray[np.float64]
    states: NDArray[np.int64]
    codewords: NDArray[np.float64]
    edges: NDArray[np.float64]
    corners: NDArray[np.float64] | None
    axes: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class SignatureSpace:
    """The signatures drawn on a plane (or a line).

    Attributes
    ----------
    kind : str
        "segment", "triangle" (exact for M = 2, 3), "projection" (M > 3); "histogram" (Gaussian,
        M = 1), "plane" (Gaussian, M > 1; exact for M = 2); "solid" (three dimensions, turned:
        exact in space for M = 4).
    matrix, origin : ndarray, shapes (2, M), (2,)
        A signature x is drawn at ``origin + matrix @ x``.
    extent : tuple
        (left, bottom, width, height) of the density in that plane.
    density : ndarray, shape (rows, columns), int64
        How many pixels fall into each bin, row 0 at the bottom; one row for kinds on a line.
    focus : tuple
        (left, bottom, width, height) of the part worth showing.
    corners : ndarray, shape (M, 2), or None
        Where the pure signatures are (discrete kinds).
    codewords : ndarray, shape (N, 2)
        Where the states are.
    cells : tuple of ndarray, shape (k, 2)
        The polygon of signatures nearest to each state, where the plane is exact; else empty.
    boundaries : ndarray, shape (N - 1,)
        Where neighbouring states meet, for kinds on a line; else empty.
    ellipses : ndarray, shape (N, 2, 2), or None
        The covariances in the plane (Gaussian).
    variance_kept : float
        Share of the signatures' variance that the plane shows; 1.0 where it is exact.
    zooms : bool
        Whether there is room for far more than what is worth showing.
    resting : ndarray, shape (M, 2), or None
        Of a polygon whose corners can be moved: where they are if they are not.
    solid : Solid or None
        The three dimensions, if the plane is a side of such a space.
    cloud : Cloud or None
        What a camera sees of it, if one is asked for.
    """

    kind: SpaceKind
    matrix: NDArray[np.float64]
    origin: NDArray[np.float64]
    extent: tuple[float, float, float, float]
    density: NDArray[np.int64]
    focus: tuple[float, float, float, float]
    corners: NDArray[np.float64] | None
    codewords: NDArray[np.float64]
    cells: tuple[NDArray[np.float64], ...]
    boundaries: NDArray[np.float64]
    ellipses: NDArray[np.float64] | None
    variance_kept: float
    zooms: bool = False
    resting: NDArray[np.float64] | None = None
    solid: Solid | None = None
    cloud: Cloud | None = None

    def locate(self, signature: NDArray[Any]) -> NDArray[np.float64]:
        """Return where signatures, shape (..., M), are drawn, shape (..., 2)."""
        return np.asarray(self.origin + np.asarray(signature, np.float64) @ self.matrix.T)

    @property
    def on_line(self) -> bool:
        """Whether signatures are drawn on a line, not on a plane."""
        return len(self.density) == 1

    def bin_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the row and column of the bin that holds a point, or None outside of all."""
        (left, bottom, width, height), (rows, columns) = self.extent, self.density.shape
        column = math.floor((x - left) / width * columns)
        row = 0 if self.on_line else math.floor((y - bottom) / height * rows)
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def corners_of(self, row: int, column: int) -> Corners:
        """Return the corners of a bin, moved down by what rounding may move a pixel on an edge."""
        (left, bottom, width, height), (rows, columns) = self.extent, self.density.shape
        low, high = (left + width * (column + k - _ROUNDING) / columns for k in (0, 1))
        below, above = (bottom + height * (row + k - _ROUNDING) / rows for k in (0, 1))
        if self.on_line:
            below, above = -1.0, 1.0
        return (low, below), (high, below), (high, above), (low, above)


@dataclass(frozen=True, eq=False)
class Frame:
    """One computed picture of the model; views show it and keep nothing else.

    A large image is shown in coarse frames first. They hold the states of one pixel in each cell
    of ``side`` x ``side``, and estimates of the counts from a sample; the model follows from these.

    Attributes
    ----------
    states : ndarray, shape (*shape), uint8, or (ceil(H / side), ceil(W / side))
        Decoded with w.
    occupancy : ndarray, shape (N,), int64
        Nodes in each state of ``states``.
    pairs : ndarray, shape (N, N), int64
        A', counted over the states decoded with w_l.
    side : int
        1, unless the frame is coarse.
    detail : Level or None
        In a coarse frame: finer states of the part on screen.
    lit : Lit or None
        The pixels of the selection, if there is one and the frame is whole.
    agreement : Agreement or None
        With the frame to compare with, if there is one and this frame is whole.
    slots : tuple of int
        The colour of each state, as an index into the palette; increasing.
    inertia : float or None
        None if no visible view asked.
    evaluation, space, map, tree, paths
        None if no visible view asked.
    pending : frozenset of str
        The names of parts that visible views need and a later frame of the same request brings.
    row_slots : tuple of int
        The slot of each row of the merge tree's codebook, in the tree's own order.
    n_learned, n_nodes : int
        How many signatures the codebook was learned from, and how many there are.
    timings : Mapping of str to float
        Seconds that each stage took; stages that were remembered are not in it.
    """

    request: Request
    observations: "Observations"
    model: "DiscreteModel | GaussianModel"
    states: NDArray[np.uint8]
    occupancy: NDArray[np.int64]
    pairs: NDArray[np.int64]
    slots: tuple[int, ...]
    associativity: float
    inertia: float | None
    evaluation: "Evaluation | None"
    space: SignatureSpace | None
    n_learned: int
    n_nodes: int
    timings: Mapping[str, float]
    side: int = 1
    detail: "Level | None" = None
    lit: Lit | None = None
    map: "NodeMap | None" = None
    tree: "Dendrogram | None" = None
    agreement: Agreement | None = None
    paths: "Paths | None" = None
    row_slots: tuple[int, ...] = ()
    pending: frozenset[str] = frozenset()

    @property
    def coarse(self) -> bool:
        """Whether states are those of one pixel in each cell."""
        return self.side > 1

    @property
    def coloring(self) -> Coloring:
        """The colours of its tree's codewords."""
        return Coloring(self.row_slots, self.n_learned)

    @property
    def whole(self) -> bool:
        """Whether no other frame of the same request follows, but for one with the paths."""
        return not (self.coarse or self.pending)

    def to_keep(self) -> "Frame":
        """Return the frame without what only views of the newest frame show."""
        request = replace(self.request, compared=None, selection=None)
        nothing: dict[str, Any] = dict.fromkeys((*OPTIONAL, "lit", "agreement"))
        return replace(self, request=request, pending=frozenset(), **nothing)

    def states_at(self, *nodes: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the states of some nodes, given axis by axis; of a coarse frame their cells'."""
        return np.asarray(self.states[tuple(axis // self.side for axis in nodes)])

    @property
    def codebook(self) -> NDArray[np.float64]:
        """B or the means, shape (N, M)."""
        model: Any = self.model
        return np.asarray(model.B if self.observations.discrete else model.means)


def differing(before: Frame, after: Frame) -> set[str]:
    """Return the names of the parts in which two frames differ, of those that views draw."""
    told = {field.name for field in fields(Frame)} - {"request", "timings", "pending"}
    return {name for name in told if not _same(getattr(before, name), getattr(after, name))}


def _same(one: Any, other: Any) -> bool:
    return one is other or (isinstance(one, int | float | tuple) and bool(one == other))
