"""The signature space on a plane: projections, density of all pixels, cells of the states."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    known_of,
    numbers_of,
    shape_of,
    sides_in,
)
from latviz.core.data.lattice import frozen
from latviz.core.types import Counts, Matrix, Shape, Signature
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.parts import signatures_of_rows, sweeps
from latviz.core.windows.signature import vector_source
from latviz.core.windows.stratified import SAMPLE, spread_over_known
from latviz.core.windows.window_sums import (
    LONG,
    Source,
    blank_row,
    each_plane,
    looked_up,
    vector_columns,
)
from latviz.engine.geometry import solids
from latviz.engine.geometry.heat import blur_width, heat_levels
from latviz.engine.geometry.signature_space import (
    Projection,
    SignatureSpace,
    SpaceKind,
    shown_symbols,
)

Box = tuple[float, float, float, float]
Inner = tuple[int, int]

MARGIN = 0.04
_BAND = 1 << 20


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane for drawing signatures, and a box around them all."""

    kind: SpaceKind
    matrix: Matrix
    origin: Matrix
    box: Box
    corners: Matrix | None
    variance_kept: float
    exact: bool
    zooms: bool = False  # most of the box is empty, so only the rest is shown
    resting: Matrix | None = None  # regular corners of a polygon that the user moved
    body: solids.Body | None = None  # the space that the plane is a side of


@dataclass(frozen=True, eq=False)
class _Sample:
    """Some signatures, shape (n, M), float64, and their spread."""

    points: Matrix
    chosen_by: "_Sample | None" = None  # others, whose principal axes are taken

    @cached_property
    def mean(self) -> Matrix:
        """Of each channel, shape (M,)."""
        n = len(self.points)
        return np.asarray(np.ones(n) @ self.points / n)

    @cached_property
    def scatter(self) -> Matrix:
        """The sums of products of channels, less their means, shape (M, M)."""
        centred = self.points - self.mean
        return np.asarray(centred.T @ centred)


def _sample(signatures: Matrix, axes_of: Matrix | None) -> _Sample:
    return _Sample(signatures, None if axes_of is None else _Sample(axes_of))


def polygon(n_corners: int) -> Matrix:
    """Return the corners of a regular polygon on the unit circle, the first at the top left.

    Three corners make the triangle with its base at the bottom.
    """
    start = np.pi / 2 + (2 * np.pi / 3 if n_corners == 3 else np.pi / n_corners)
    angles = start + 2 * np.pi * np.arange(n_corners) / n_corners
    if n_corners > 3:
        angles = start - 2 * np.pi * np.arange(n_corners) / n_corners
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def symbol_plane(
    n_symbols: int, projection: Projection, signatures: Matrix, axes_of: Matrix | None = None
) -> Plane:
    """Return the plane for a simplex of ``n_symbols`` corners and some signatures, (n, M).

    Principal axes are those of ``axes_of``, other signatures, if they are given.
    """
    sample = _sample(signatures, axes_of)
    if n_symbols == 1:
        return _simplex_plane("projection", np.zeros((1, 2)), sample, exact=False)
    if n_symbols == 2:
        corners = np.array([[0.0, 0.0], [1.0, 0.0]])
        return _simplex_plane("segment", corners, sample, exact=True)
    if n_symbols == 3:
        return _simplex_plane("triangle", polygon(3), sample, exact=True)
    kind = projection.drawn(n_symbols, discrete=True)
    if kind == "tetrahedron":
        return _turned(solids.tetrahedron(), projection, sample, np.eye(4))
    if kind == "components":
        axes = _principal_axes(sample, 3)
        return _turned(_body(axes.T, sample, axes), projection, sample, np.eye(n_symbols))
    if kind == "principal":
        corners = _principal_axes(sample)
        return replace(_simplex_plane("projection", corners, sample, exact=False), zooms=True)
    if kind == "polygon":
        return _polygon_plane(n_symbols, projection, sample)
    corners = np.zeros((n_symbols, 2))
    corners[list(shown_symbols(projection, n_symbols))] = polygon(3)
    return _simplex_plane("projection", corners, sample, exact=False)


def _polygon_plane(n_symbols: int, projection: Projection, sample: _Sample) -> Plane:
    """Return the plane of a polygon whose corners the user may have moved."""
    regular = polygon(n_symbols)
    corners = np.array(projection.moved_corners(n_symbols) or regular.tolist(), dtype=np.float64)
    plane = _simplex_plane("projection", corners, sample, exact=False)
    all_over = _box(np.full(2, -1.0 - MARGIN), np.full(2, 1.0 + MARGIN))
    return replace(plane, box=all_over, resting=regular)


def _body(basis: Matrix, sample: _Sample, far: Matrix) -> solids.Body:
    """Return the space of three axes, around the sample; ``far``, (k, 3), surrounds it all."""
    at = sample.points @ basis.T
    kept = _variance_kept(sample, basis)
    return solids.block(basis, at.min(axis=0), at.max(axis=0), far, kept)


def _turned(
    body: solids.Body, projection: Projection, sample: _Sample, pure: Matrix | None
) -> Plane:
    """Return the side of a body that is shown; ``pure`` are the signatures of its corners."""
    rotation = solids.rotation_of(projection.turn)
    matrix, origin = rotation[:2] @ body.basis, -rotation[:2] @ body.centre
    reach = np.full(2, body.reach * (1 + MARGIN))
    corners = None if pure is None else origin + pure @ matrix.T
    inner = matrix if pure is None else matrix - matrix.mean(axis=1, keepdims=True)
    return Plane(
        kind="solid",
        matrix=matrix,
        origin=origin,
        box=_box(-reach, reach),
        corners=corners,
        variance_kept=_variance_kept(sample, inner),
        exact=False,
        zooms=body.axes is not None,
        body=replace(body, rotation=rotation),
    )


def vector_plane(
    low: Matrix, high: Matrix, projection: Projection, means: Matrix, axes_of: Matrix | None = None
) -> Plane:
    """Return the plane of window means in R^M, (n, M), or the line for M = 1.

    ``low`` and ``high`` are the range of each channel, shape (M,); ``axes_of`` as `symbol_plane`.
    """
    sample = _sample(means, axes_of)
    if low.size == 1:
        matrix = np.array([[1.0], [0.0]])
        reach = _reach((high - low) / 2)
        box = (float(((high + low) / 2 - reach)[0]), 0.0, float(2 * reach[0]), 1.0)
        return Plane("histogram", matrix, np.zeros(2), box, None, 1.0, exact=True)
    if projection.drawn(low.size, discrete=False) == "components":
        return _turned(_vector_body(low, high, sample), projection, sample, None)
    matrix = _principal_axes(sample).T
    # The middle of the range is the middle of a bin: grey pixels would lie on the edge of two.
    reach = _reach(np.abs(matrix) @ ((high - low) / 2)) * BINS / (BINS - 1)
    centre = matrix @ ((high + low) / 2) + reach / BINS
    box = _box(centre - reach, centre + reach)
    kept = _variance_kept(sample, matrix)
    return Plane("plane", matrix, np.zeros(2), box, None, kept, low.size == 2, zooms=True)


def _vector_body(low: Matrix, high: Matrix, sample: _Sample) -> solids.Body:
    """Return the space of three channels, or of three principal components of more."""
    basis = np.eye(3) if low.size == 3 else _principal_axes(sample, 3).T
    middle, reach = basis @ (high + low) / 2, np.abs(basis) @ (high - low) / 2
    return _body(basis, sample, solids.box_points(middle - reach, middle + reach))


def _reach(half_widths: Matrix) -> Matrix:
    """Return the half-widths of a box; of one without width, a half."""
    return np.where(half_widths > 0, half_widths, 0.5)


def describe(
    plane: Plane, counts: Counts, codebook: Matrix, covariances: Matrix | None
) -> SignatureSpace:
    """Add the states to the plane and its density."""
    codewords = plane.origin + codebook @ plane.matrix.T
    on_line = plane.kind in ("segment", "histogram")
    positions = np.sort(codewords[:, 0]) if on_line else np.empty(0)
    ellipses = None
    if covariances is not None:
        ellipses = plane.matrix @ covariances @ plane.matrix.T
    return SignatureSpace(
        kind=plane.kind,
        matrix=plane.matrix,
        origin=plane.origin,
        extent=extent(plane, counts.shape[1]),
        density=counts,
        focus=_focus(plane, counts, codewords),
        corners=plane.corners,
        codewords=codewords,
        cells=_cells(plane, codewords) if plane.exact and not on_line else (),
        boundaries=(positions[1:] + positions[:-1]) / 2,
        ellipses=ellipses,
        variance_kept=plane.variance_kept,
        zooms=plane.zooms,
        resting=plane.resting,
        solid=None if plane.body is None else solids.seen(plane.body, codebook),
    )


def plane_of(
    data_set: DataSet, sample: Signature, projection: Projection, axes_of: Signature
) -> Plane:
    """Return the plane of a data set's signatures, given samples, (n, M), of them and for axes."""
    points = sample.astype(np.float64)
    others = None if axes_of is sample else axes_of.astype(np.float64)
    if data_set.kind == "gaussian":
        return vector_plane(*data_set.value_range, projection, points, others)
    return symbol_plane(data_set.n_symbols, projection, points, others)


def _simplex_plane(kind: SpaceKind, corners: Matrix, sample: _Sample, exact: bool) -> Plane:
    if kind == "segment":
        box: Box = (0.0, 0.0, 1.0, 1.0)
    else:
        low, high = corners.min(axis=0), corners.max(axis=0)
        box = _box(low - MARGIN, high + MARGIN)
    kept = 1.0
    if not exact:  # signatures do not vary along (1, ..., 1)
        kept = _variance_kept(sample, corners.T - corners.mean(axis=0)[:, None])
    return Plane(kind, corners.T, np.zeros(2), box, corners, kept, exact)


def _box(low: Matrix, high: Matrix) -> Box:
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _principal_axes(sample: _Sample, n_axes: int = 2) -> Matrix:
    """Return the directions of most variance as columns (M, n_axes), signs fixed."""
    axes = np.linalg.eigh((sample.chosen_by or sample).scatter)[1][:, ::-1][:, :n_axes]
    largest = axes[np.argmax(np.abs(axes), axis=0), np.arange(n_axes)]
    return np.asarray(axes * np.where(largest < 0, -1.0, 1.0))


def _variance_kept(sample: _Sample, matrix: Matrix) -> float:
    """Return the share of a sample's variance in the row space of a matrix; of no variance, 1."""
    scatter, mean = sample.scatter, sample.mean
    total = float(np.trace(scatter))
    if total <= 1e-18 * (total + len(sample.points) * float(mean @ mean)):
        return 1.0
    _, lengths, directions = np.linalg.svd(matrix, full_matrices=False)
    basis = directions[lengths > 1e-9]
    return float(((basis @ scatter) * basis).sum()) / total


def _focus(plane: Plane, counts: NDArray[np.int64], codewords: Matrix) -> Box:
    """Return the part worth showing: of a space that can be turned, the same from all sides."""
    if not plane.zooms:
        return plane.box
    left, bottom, width, height = _occupied(plane, counts, codewords)
    if plane.body is None:
        return left, bottom, width, height
    radius = plane.body.radius
    low = np.minimum((left, bottom), -radius)
    return _box(low, np.maximum((left + width, bottom + height), radius))


def _occupied(plane: Plane, counts: NDArray[np.int64], codewords: Matrix) -> Box:
    """Return the box that holds the pixels, with a margin of two bins, and the states."""
    rows, columns = np.nonzero(counts.any(axis=1))[0], np.nonzero(counts.any(axis=0))[0]
    start = np.array(plane.box[:2])
    step = np.array(plane.box[2:]) / counts.shape[::-1]
    low = start + step * (columns[0] - 2, rows[0] - 2)
    high = start + step * (columns[-1] + 3, rows[-1] + 3)
    return _box(np.minimum(low, codewords.min(axis=0)), np.maximum(high, codewords.max(axis=0)))


def _cells(plane: Plane, codewords: Matrix) -> tuple[Matrix, ...]:
    if plane.kind == "triangle":
        hull = plane.corners
    else:
        left, bottom, width, height = plane.box
        hull = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (width, height) + (left, bottom)
    assert hull is not None
    return tuple(_cell(hull, codewords, state) for state in range(len(codewords)))


def _cell(hull: Matrix, codewords: Matrix, state: int) -> Matrix:
    """Return the part of a convex polygon nearest to one codeword (ties: the smallest)."""
    polygon_ = hull
    for other, codeword in enumerate(codewords):
        normal = codeword - codewords[state]
        if other == state:
            continue
        if not normal.any():
            if other < state:
                return np.empty((0, 2))
            continue
        polygon_ = _clip(polygon_, normal, normal @ (codeword + codewords[state]) / 2)
    return polygon_


def _clip(polygon_: Matrix, normal: Matrix, limit: float) -> Matrix:
    """Return the part of a convex polygon where ``normal @ point <= limit``."""
    if len(polygon_) == 0:
        return polygon_
    excess = polygon_ @ normal - limit
    inside = excess <= 0
    if inside.all():
        return polygon_
    following, next_excess = np.roll(polygon_, -1, axis=0), np.roll(excess, -1)
    crossing = inside != (next_excess <= 0)
    share = np.divide(excess, excess - next_excess, out=np.zeros_like(excess), where=crossing)
    cut = polygon_ + share[:, None] * (following - polygon_)
    both = np.stack([polygon_, cut], axis=1)
    return np.asarray(both[np.stack([inside, crossing], axis=1)])


def extent(plane: Plane, n_columns: int) -> Box:
    """Return the box that the density covers: of a segment, half a bin more at both ends."""
    if plane.kind != "segment":
        return plane.box
    return -0.5 / (n_columns - 1), 0.0, n_columns / (n_columns - 1), 1.0


BINS = 256


ESTIMATED = 1 << 18
"""Nodes that an estimate of the density is from, or up to twice as many."""
FURTHEST = 8
"""Rows that its nodes are apart, at most, unless it is from `ENOUGH_ROWS`."""
LEAST_ROWS = 64
"""Rows that it is from, at least."""
ENOUGH_ROWS = 256
"""Most rows for estimating a density, if nodes are many."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Signatures counted in the bins of a plane, (rows, columns) int64.

    ``rows_apart`` is the distance between the used rows of an image; 1 for all.
    """

    counts: Counts
    rows_apart: int
    blur: float  # as in `SignatureSpace`
    levels: NDArray[np.uint8]


def counted(counts: Counts, window: int, plane: Plane, rows_apart: int = 1) -> Counted:
    """Add to counts their levels, for a window's half-width."""
    rows, n_columns = counts.shape
    width = extent(plane, n_columns)[2] / n_columns
    blur = blur_width(plane.corners if plane.kind == "triangle" else None, window, width)
    levels = heat_levels(counts, blur) if rows > 1 else np.empty((0, 0), np.uint8)
    return Counted(counts, rows_apart, blur, levels)


def rows_apart(shapes: Sequence[Shape]) -> int:
    """Return the distance of rows from which a density is estimated: 1, all, if nodes are few."""
    # On generated photographs of 1024 x 1024, w = 2 to 9, every fourth row gave the counts of bins
    # of 64 nodes and more within 5 to 20 % (root mean square), and left 0 to .9 % of the nodes in
    # bins that seemed empty; 2 to 6 % of the nodes were counted in other bins. For 8192 x 8192
    # every 32nd row left .05 % in such bins, and 1 to 3 % were counted in other bins
    if any(len(shape) != 2 for shape in shapes):
        return 1
    n_nodes, height = sum(map(math.prod, shapes)), min(height for height, _ in shapes)
    furthest = min(max(FURTHEST, height // ENOUGH_ROWS), height // LEAST_ROWS)
    return max(1, min(n_nodes // ESTIMATED, furthest))


def density(lattice: Lattice, window: int, plane: Plane, step: int = 1) -> NDArray[np.int64]:
    """Count nodes' signatures in the bins of the plane's box, (rows, columns)."""
    # The bins of a segment are centred on the shares that a whole window can have. Of an image,
    # rows ``step`` apart are counted, each node ``step`` times
    shape = shape_of(lattice)
    sides = sides_in(lattice, window)
    if known_of(lattice) is not None:
        return _density_of_known(lattice, window, plane, step)
    rows, n_columns, per_unit, origin = _bins(sides, plane)
    window = sides[-1]  # within a plane, see `each_plane`
    source, projection, at_zero = _projected(lattice, sides, plane, (per_unit, origin))
    box = np.stack([at_zero, (n_columns - 1.0, rows - 1.0)])
    counts, lock = np.zeros(rows * n_columns, dtype=np.int64), Lock()

    def count(part: Any, layers: int, inner: Inner, rows: Inner, found: Counts) -> None:
        part = frozen(part)
        blank, bins = blank_row(part), (inner, box, n_columns, found)
        if part.ndim == 3:
            columns = vector_columns(part, window)
            kernels.density.of_vectors(
                part, blank, window, *rows, step, columns, layers, projection, *bins
            )
        else:
            tables, factors = _tables(source), np.diag(projection)
            kernels.density.of_symbols(part, tables, blank, window, *rows, step, factors, *bins)

    def add(found: Counts) -> None:
        with lock:
            np.add(counts, found, out=counts)

    def visit(part: Any, layers: int, _output: Any, start: int, stop: int) -> None:
        found = np.zeros_like(counts)
        count(part, layers, (0, part.shape[1]), (start, stop), found)
        add(found)

    def along(first: int, last: int) -> None:
        """Count parts of a sequence, each with its windows' margins."""
        found = np.zeros_like(counts)
        for k in range(first, last):
            start, stop = k * size, min(shape[0], (k + 1) * size)
            left, right = max(0, start - window), min(shape[0], stop + window)
            part, inner = source.values[None, left:right], (start - left, stop - left)
            count(part, 1, inner, (0, 1), found)
        add(found)

    if len(shape) == 1:
        size = max(LONG, 4 * window)
        threads.over_rows(-(-shape[0] // size), along)
    else:
        each_plane(source, sides, np.empty(shape), visit)
    return step * counts.reshape(rows, n_columns)


def _projected(
    lattice: Lattice, sides: Shape, plane: Plane, bins: tuple[Matrix, Matrix]
) -> tuple[Source, Matrix, Matrix]:
    """Return the source of sums of a lattice, and the bins of its averages: per unit, and of 0."""
    per_unit, origin = bins
    if isinstance(lattice, FixedPoint):
        matrix = plane.matrix * lattice.scales * per_unit[:, None]
        at_zero = origin + plane.matrix @ lattice.offsets * per_unit
        return vector_source(lattice), np.ascontiguousarray(matrix), at_zero
    source = looked_up(numbers_of(lattice), plane.matrix.T, sides)
    return source, np.diag(per_unit * source.unit), origin


def _tables(source: Source) -> NDArray[Any]:
    """Return the two numbers of each symbol after each other, and as many zeros."""
    assert source.table is not None
    table = source.table.reshape(-1).astype(np.float64)
    return np.stack([table, np.zeros_like(table)])


def _density_of_known(lattice: Lattice, window: int, plane: Plane, step: int) -> NDArray[np.int64]:
    # An estimate is from nodes spread evenly, fewer of them for large windows, which are summed one
    # by one
    known, sides, n = known_of(lattice), sides_in(lattice, window), plane.matrix.shape[1]
    assert known is not None
    if step > 1:
        size = max(SAMPLE, min(ESTIMATED, 8 * known.size // math.prod(2 * w + 1 for w in sides)))
        (nodes,) = spread_over_known([lattice], size)
        found = density_of(totals_at(lattice, n, window, nodes).signatures(), sides, plane)
        return np.rint(found * (np.count_nonzero(known) / nodes[0].size)).astype(np.int64)

    def count(rows: slice) -> NDArray[np.int64]:
        seen = signatures_of_rows(lattice, n, window, rows)[known[rows]]
        return density_of(seen, sides, plane)

    return np.asarray(sum(threads.each(list(sweeps(shape_of(lattice), _BAND, sides[0])), count)))


def density_of(signatures: NDArray[Any], sides: Shape, plane: Plane) -> NDArray[np.int64]:
    """Count some pixels' signatures, shape (n, M), in the bins that `density` counts in."""
    rows, columns, per_unit, origin = _bins(sides, plane)
    places = origin + per_unit * (signatures.astype(np.float64) @ plane.matrix.T)
    column, row = np.clip(np.floor(places).astype(np.int64), 0, (columns - 1, rows - 1)).T
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def _bins(sides: Shape, plane: Plane) -> tuple[int, int, Matrix, Matrix]:
    """Return the numbers of rows and columns of bins, bins per unit, and the origin in bins."""
    rows = 1 if plane.kind in ("segment", "histogram") else BINS
    n_columns = _shares(sides) if plane.kind == "segment" else BINS
    left, bottom, width, height = extent(plane, n_columns)
    per_unit = np.array([n_columns, rows]) / (width, height)
    return rows, n_columns, per_unit, (plane.origin - (left, bottom)) * per_unit


def _shares(sides: Shape) -> int:
    """Return the number of bins of shares: one for each possible share of a window's nodes."""
    # Of few shares each has an odd number of bins, the middle one its own; many come in 65 bins.
    n_nodes = math.prod(2 * side + 1 for side in sides)
    if n_nodes > 2 * BINS:
        return BINS // 4 + 1
    return n_nodes * (BINS // 8 // n_nodes // 2 * 2 + 1) + 1
