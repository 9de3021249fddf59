"""The signature space against plain computations."""

import math
from dataclasses import replace

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.windows.signature import window_signature
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.geometry import space
from latviz.engine.geometry.signature_space import Projection, SignatureSpace
from latviz.engine.geometry.space import density
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests import naive
from tests.new_frames import new_frame

GREY = np.ascontiguousarray(data.camera()[120:250:3, 150:330:3])
COLOUR = np.ascontiguousarray(data.astronaut()[:120:3, 100:260:3])
PHOTO = Picture(GREY, "photo")
SPACE, NONE = frozenset({"space"}), frozenset[str]()

PRINCIPAL = Projection("principal")
COMPONENTS = Projection("components", turn=(0.3, -1.2, 0.4, 2.0))
DRAGGED = Projection("polygon", corners=((0, 0), (1, 0), (0.3, 0.8), (0, 1), (-0.8, 0.2)))
SYMBOLS = Projection("symbols", (4, 0, 2))
CASES = [
    (GREY, Encoding("quantiles", 2), Projection(), 3, "segment"),
    (GREY, Encoding("quantiles", 2), Projection(), 0, "segment"),
    (GREY, Encoding("quantiles", 2), Projection(), 12, "segment"),
    (GREY, Encoding("quantiles", 3), Projection(), 2, "triangle"),
    (GREY, Encoding("quantiles", 3), Projection(), 60, "triangle"),
    (GREY, Encoding("quantiles", 5), Projection(), 3, "projection"),
    (GREY, Encoding("quantiles", 5), Projection("polygon"), 3, "projection"),
    (GREY, Encoding("quantiles", 4), Projection(), 2, "solid"),
    (GREY, Encoding("quantiles", 5), DRAGGED, 3, "projection"),
    (GREY, Encoding("quantiles", 5), COMPONENTS, 3, "solid"),
    (COLOUR, Encoding("rgb"), COMPONENTS, 2, "solid"),
    (GREY, Encoding("texture"), COMPONENTS, 1, "solid"),
    (GREY, Encoding("quantiles", 5), PRINCIPAL, 3, "projection"),
    (GREY, Encoding("quantiles", 64), PRINCIPAL, 2, "projection"),
    (COLOUR, Encoding("palette", 6), SYMBOLS, 3, "projection"),
    (GREY, Encoding("grey"), Projection(), 2, "histogram"),
    (COLOUR, Encoding("lab"), Projection(), 2, "plane"),
    (COLOUR, Encoding("rgb"), Projection(), 0, "plane"),
]


def name_of(case) -> str:
    _, encoding, projection, window, _ = case
    return f"{encoding.name} {encoding.n_symbols} {projection.kind} w={window}"


@pytest.fixture(scope="module", params=CASES, ids=name_of)
def frame(request) -> Frame:
    image, encoding, projection, window, kind = request.param
    parameters = Parameters(encoding, n_states=5, window=window)
    picture = Picture(image, "photo")
    frame = new_frame(picture, parameters, projection=projection, needs=SPACE)
    assert drawn(frame).kind == kind
    return frame


def drawn(frame: Frame) -> SignatureSpace:
    assert frame.space is not None
    return frame.space


def signatures_of(frame: Frame) -> np.ndarray:
    """Return all pixels' signatures, (H * W, M)."""
    observations, window = frame.observations, frame.request.parameters.window
    lattice = observations.values if observations.discrete else to_fixed_point(observations.values)
    found = window_signature(lattice, n_symbols=observations.n_symbols, window=window)
    return found.reshape(-1, observations.n_symbols).astype(np.float64)


# Drawing signatures


def test_locate_is_the_mean_of_the_symbols_places(frame):
    signatures, found = signatures_of(frame)[::97], drawn(frame)
    for x, at in zip(signatures, found.locate(signatures), strict=True):
        for axis in range(2):
            terms = [found.matrix[axis, k] * x[k] for k in range(len(x))]
            assert at[axis] == pytest.approx(found.origin[axis] + sum(terms), abs=1e-9)
    assert found.locate(signatures[0]).shape == (2,)


def test_codewords_and_corners_are_where_their_signatures_are(frame):
    found = drawn(frame)
    np.testing.assert_allclose(found.codewords, found.locate(frame.codebook), rtol=0, atol=1e-9)
    if not frame.observations.discrete:
        assert found.corners is None
    else:
        pure = np.eye(frame.observations.n_symbols)
        np.testing.assert_allclose(found.corners, found.locate(pure), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("wanted", "n_symbols", "shown"),
    [
        ((2, 5, 7), 8, (2, 5, 7)),
        ((7, 0, 3), 8, (7, 0, 3)),
        ((2, 5, 7), 4, (2, 0, 1)),
        ((3, 3, 3), 4, (3, 0, 1)),
        ((1, 1, 2), 4, (1, 2, 0)),
        ((9, 8, 7), 4, (0, 1, 2)),
    ],
)
def test_three_symbols_always_span_a_triangle(wanted, n_symbols, shown):
    projection = Projection("symbols", wanted)
    assert space.shown_symbols(projection, n_symbols) == shown
    plane = space.symbol_plane(n_symbols, projection, np.eye(n_symbols))
    np.testing.assert_array_equal(plane.corners[list(shown)], space.polygon(3))
    assert np.count_nonzero(plane.corners.any(axis=1)) == 3


# The density


def test_focus_holds_the_pixels_and_the_states(frame):
    found = drawn(frame)
    left, bottom, width, height = found.focus
    points = np.concatenate([found.locate(signatures_of(frame)), found.codewords])
    tolerance = 1e-6 * max(width, height)
    assert (points >= np.array([left, bottom]) - tolerance).all()
    assert (points <= np.array([left + width, bottom + height]) + tolerance).all()


def test_focus_holds_states_that_were_learned_with_another_window():
    parameters = Parameters(Encoding("quantiles", 5), n_states=8, window=25, learning_window=1)
    request = Request(PHOTO, parameters, projection=PRINCIPAL, needs=SPACE)
    found = drawn(Pipeline().run(request))
    left, bottom, width, height = found.focus
    columns = np.nonzero(found.density)[1]
    right_most = found.extent[0] + found.extent[2] * (columns.max() + 1) / 256
    assert found.codewords[:, 0].max() > right_most, "the case has no state outside of the pixels"
    assert (found.codewords >= (left, bottom)).all()
    assert (found.codewords <= np.array([left + width, bottom + height]) + 1e-12).all()


def segment(window: int) -> SignatureSpace:
    symbols = (GREY > 120).astype(np.uint8)
    plane = space.symbol_plane(2, Projection(), np.eye(2))
    counts = density(symbols, window, plane)
    return space.describe(plane, counts, np.eye(2), None)


def places(signatures: np.ndarray, plane: space.Plane, counts: np.ndarray) -> np.ndarray:
    """Return where signatures are in the bins of a plane, (n, 2): columns and rows."""
    left, bottom, width, height = space.extent(plane, counts.shape[1])
    drawn = plane.origin + signatures.reshape(-1, plane.matrix.shape[1]) @ plane.matrix.T
    return (drawn - (left, bottom)) / (width, height) * counts.shape[::-1]


@pytest.mark.parametrize("kind", ["symbols", "bytes", "floats"])
@pytest.mark.parametrize(
    ("shape", "window", "step"),
    [
        ((1,), 2, 1),
        ((90,), 200, 1),
        ((20_000,), 3, 1),
        ((1, 1), 0, 1),
        ((1, 23), 2, 1),
        ((23, 1), 2, 1),
        ((14, 17), 0, 1),
        ((14, 17), 3, 1),
        ((14, 17), 30, 1),
        ((5, 4, 7), 2, 1),
        ((3, 4, 5), 9, 1),
        ((14, 17), 0, 3),
        ((15, 17), 1, 4),
        ((31, 9), 3, 2),
        ((31, 9), 4, 5),
        ((14, 17), 30, 4),
    ],
)
def test_density_is_that_of_plain_loops(shape, window, step, kind):
    rng = np.random.default_rng(12)
    nodes = [t for t in naive.nodes(shape) if t[0] % step == step // 2]
    if kind == "symbols":
        lattice = rng.integers(0, 5, shape).astype(np.uint8)
        found = [naive.signature_at(lattice, t, window, 5) for t in nodes]
        plane = space.symbol_plane(5, Projection(), rng.dirichlet(np.ones(5), 40))
    else:
        vectors = rng.integers(0, 256, (*shape, 3)).astype(np.uint8)
        vectors = vectors if kind == "bytes" else (vectors / 7 - 3).astype(np.float32)
        found = [naive.mean_at(vectors, t, window) for t in nodes]
        lattice = to_fixed_point(vectors)
        sample = rng.uniform(lattice.low, lattice.high, (40, 3))
        plane = space.vector_plane(lattice.low, lattice.high, Projection(), sample)
    counts = density(lattice, window, plane, step)
    at = places(np.array(found), plane, counts)
    column, row = np.clip(np.floor(at).astype(int), 0, 255).T
    wanted = np.zeros((256, 256), int)
    np.add.at(wanted, (row, column), step)
    near = (np.abs(at - np.rint(at)) < 1e-4).any(axis=1)
    assert np.abs(counts - wanted).sum() <= 2 * step * np.count_nonzero(near)
    assert counts.sum() == step * len(found)
    assert near.mean() < 0.05 or len(set(map(tuple, at.tolist()))) == 1


# The cells


def depth(polygon: np.ndarray, point: np.ndarray) -> float:
    """Return how far inside of a convex polygon a point is; negative outside."""
    if len(polygon) < 3:
        return -math.inf
    centre, found = polygon.mean(axis=0), math.inf
    for k in range(len(polygon)):
        start, along = polygon[k - 1], polygon[k] - polygon[k - 1]
        length = math.hypot(*along)
        if length < 1e-12:
            continue
        normal = np.array([-along[1], along[0]]) / length
        if normal @ (centre - start) < 0:
            normal = -normal
        found = min(found, float(normal @ (point - start)))
    return found


def triangle_with(codebook: np.ndarray) -> SignatureSpace:
    plane = space.symbol_plane(3, Projection(), np.eye(3))
    return space.describe(plane, np.zeros((256, 256), np.int64), codebook, None)


@pytest.mark.parametrize("n_states", [1, 2, 7, 32])
def test_points_lie_in_the_cell_of_their_nearest_codeword(n_states):
    rng = np.random.default_rng(n_states)
    codebook = rng.dirichlet([0.7] * 3, n_states)
    found = triangle_with(codebook)
    signatures = rng.dirichlet([0.8] * 3, 150)
    for x, point in zip(signatures, found.locate(signatures), strict=True):
        distances = [math.dist(x, codeword) for codeword in codebook]
        nearest = distances.index(min(distances))
        assert depth(found.cells[nearest], point) > -1e-9
        for other, cell in enumerate(found.cells):
            assert other == nearest or depth(cell, point) < 1e-9


# The variance


@pytest.fixture(scope="module")
def sample() -> np.ndarray:
    rng = np.random.default_rng(5)
    return rng.dirichlet([0.3, 2.0, 0.7, 1.1, 0.2, 0.6], 400)


def test_principal_components_keep_what_plain_ones_keep(sample):
    plane = space.symbol_plane(6, PRINCIPAL, sample)
    values = np.linalg.eigvalsh(np.cov(sample.T))
    assert plane.variance_kept == pytest.approx(values[-2:].sum() / values.sum(), rel=1e-9)
    at = plane.origin + sample @ plane.matrix.T
    np.testing.assert_allclose(np.cov(at.T), np.diag(values[:-3:-1]), rtol=1e-9, atol=1e-12)
    assert np.abs(plane.matrix).argmax(axis=1).tolist() == plane.matrix.argmax(axis=1).tolist()


# Real vectors


def described(vectors, means, window) -> tuple[np.ndarray, SignatureSpace]:
    lattice = to_fixed_point(vectors)
    sample = window_signature(lattice, n_symbols=vectors.shape[-1], window=window).reshape(
        -1, vectors.shape[-1]
    )
    plane = space.vector_plane(lattice.low, lattice.high, Projection(), sample.astype(np.float64))
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(len(means), vectors.shape[-1], vectors.shape[-1]))
    covariances = mixing @ mixing.transpose(0, 2, 1)
    counts = density(lattice, window, plane)
    return covariances, space.describe(plane, counts, means, covariances)


def vectors_of(n_channels: int) -> np.ndarray:
    return np.random.default_rng(n_channels).normal(size=(30, 24, n_channels)) * 4 + 10


def test_values_are_drawn_on_their_own_axis():
    vectors, means = vectors_of(1), np.array([[12.0], [3.0], [9.5]])
    covariances, found = described(vectors, means, 0)
    assert found.kind == "histogram"
    np.testing.assert_array_equal(found.codewords, [[12.0, 0.0], [3.0, 0.0], [9.5, 0.0]])
    np.testing.assert_allclose(found.boundaries, [6.25, 10.75], rtol=1e-12)
    np.testing.assert_allclose(found.ellipses[:, 0, 0], covariances[:, 0, 0], rtol=1e-12)
    low, high = vectors.min(), vectors.max()
    np.testing.assert_allclose(found.extent, (low, 0, high - low, 1), rtol=0, atol=1e-5)
    assert found.focus == found.extent
    counts, edges = np.histogram(vectors, bins=256, range=(low, high))
    near = np.abs(vectors.reshape(-1, 1) - edges).min(axis=1) < 1e-5
    assert np.abs(found.density[0] - counts).sum() <= 2 * np.count_nonzero(near) < 40
    assert found.variance_kept == 1.0


def test_three_channels_show_the_plane_of_most_variance():
    vectors = vectors_of(3) * (1.0, 5.0, 2.0)
    _, found = described(vectors, vectors.reshape(-1, 3)[:3], 0)
    values, axes = np.linalg.eigh(np.cov(vectors.reshape(-1, 3).T))
    assert found.variance_kept == pytest.approx(values[1:].sum() / values.sum(), rel=1e-5)
    for row, axis in zip(found.matrix, axes.T[:0:-1], strict=True):
        assert abs(row @ axis) == pytest.approx(1.0, abs=1e-5)
    assert found.cells == ()
    assert found.ellipses.shape == (3, 2, 2)


def test_an_image_of_one_value_has_a_density():
    vectors = np.full((6, 5, 1), 7.0)
    _, found = described(vectors, np.array([[7.0]]), 2)
    assert found.density.sum() == 30
    assert found.extent[2] > 0


@pytest.mark.parametrize(
    ("shapes", "wanted"),
    [
        ([(512, 512)], 1),
        ([(1024, 1024)], 4),
        ([(2048, 4096)], 8),
        ([(4096, 1024)], 16),
        ([(8192, 8192)], 32),
        ([(100, 1 << 20)], 1),
        ([(256, 1 << 14), (600, 9)], 4),
        ([(1 << 22,)], 1),
        ([(128, 128, 128)], 1),
    ],
)
def test_rows_that_a_density_is_estimated_from(shapes, wanted):
    assert space.rows_apart(shapes) == wanted


def test_the_density_is_estimated_while_a_hand_moves(monkeypatch):
    monkeypatch.setattr(space, "ESTIMATED", 1 << 10)
    picture, pipeline = Picture(np.tile(GREY, (6, 1)), "tiled"), Pipeline()
    request = Request(picture, Parameters(window=5), sample=256)
    frame = pipeline.run(request, late=NONE)
    moving, own = frame.space, frame.observations
    assert not moving.counts_all
    assert not frame.finished
    assert moving.density.sum() == picture.n_nodes
    assert (moving.density % 4 == 0).all()
    resting = pipeline.run(request)
    assert resting.space.counts_all
    assert resting.n_learned < resting.n_signatures
    assert resting.space.density.sum() == picture.n_nodes
    signatures = window_signature(own.values, n_symbols=own.n_symbols, window=5)[2::4].reshape(
        -1, own.n_symbols
    )
    at = moving.origin + signatures @ moving.matrix.T
    left, bottom, width, height = moving.extent
    grid = [(left, left + width), (bottom, bottom + height)]
    wanted = 4 * np.histogram2d(*at.T, bins=256, range=grid)[0].T
    assert np.abs(moving.density - wanted).sum() < 0.02 * picture.n_nodes  # on the edges of bins
    other = replace(request, parameters=Parameters(window=5, n_states=3))
    assert pipeline.run(other, late=NONE).space.counts_all  # as counts are known
    learned = replace(request, complete=True)
    assert pipeline.run(learned, late=NONE).space.counts_all
    moved = replace(request, parameters=Parameters(window=4, learning_window=5))
    frame = pipeline.run(moved, late=NONE)
    assert frame.n_learned == frame.n_signatures
    assert not frame.space.counts_all
