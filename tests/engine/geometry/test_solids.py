"""Spaces of three dimensions against plain computations."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from latviz.core.errors import ParameterError
from latviz.engine.geometry import solids, space
from latviz.engine.geometry.signature_space import FRONT, Projection, offered

TURNS = [FRONT, (1, 0, 0, 0), (0.3, -1.2, 0.4, 2.0), (0, 0, 5, 0), (0.2, 0.1, -0.7, 0.4)]


def plain_rotation(turn):
    """Return the rotation matrix of a quaternion by the textbook's formula."""
    w, x, y, z = np.array(turn) / math.sqrt(sum(value**2 for value in turn))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.fixture(scope="module")
def sample():
    return np.random.default_rng(5).dirichlet([0.3, 2.0, 0.7, 1.1], 400)


def described(plane, codebook):
    return space.describe(plane, np.ones((256, 256), np.int64), codebook, None)


@pytest.mark.parametrize("turn", TURNS)
def test_signatures_are_where_the_turned_tetrahedron_has_them(sample, turn):
    plane = space.symbol_plane(4, Projection(turn=turn), sample)
    rotation = plain_rotation(turn)
    for x in sample[::40]:
        at = sum(share * corner for share, corner in zip(x, solids.TETRAHEDRON, strict=True))
        np.testing.assert_allclose(
            plane.origin + plane.matrix @ x, (rotation @ at)[:2], rtol=0, atol=1e-9
        )
    left, bottom, width, height = plane.box
    assert left == bottom == pytest.approx(-1 - space.MARGIN)
    assert width == height == pytest.approx(2 + 2 * space.MARGIN)


@pytest.mark.parametrize("turn", TURNS)
def test_depths_are_how_near_the_states_are(sample, turn):
    codebook = sample[:7]
    found = described(space.symbol_plane(4, Projection(turn=turn), sample), codebook)
    wanted = [(plain_rotation(turn) @ (x @ solids.TETRAHEDRON))[2] for x in codebook]
    np.testing.assert_allclose(found.solid.depths, wanted, rtol=0, atol=1e-9)


def in_tetrahedron(point):
    shares = np.linalg.solve(np.vstack([solids.TETRAHEDRON.T, np.ones(4)]), [*point, 1.0])
    return (shares > 1e-9).all()


@pytest.mark.parametrize("seed", range(12))
def test_hidden_edges_of_the_tetrahedron_are_those_behind_it(seed):
    rotation = plain_rotation(np.random.default_rng(seed).normal(size=4))
    body = solids.tetrahedron()
    check_hidden(body, rotation, in_tetrahedron)
    assert len(body.edges) == 6


@pytest.mark.parametrize("seed", range(12))
def test_hidden_edges_of_a_box_are_those_behind_it(seed):
    rng = np.random.default_rng(seed)
    low, high = -rng.random(3), rng.random(3) + 0.2
    body = solids.block(np.eye(3), low, high, np.zeros((1, 3)), 1.0)
    half = (high - low) / 2
    check_hidden(body, plain_rotation(rng.normal(size=4)), lambda p: (np.abs(p) < half).all())
    assert len(body.edges) == 12
    for a, b in body.points[body.edges]:
        assert np.count_nonzero(np.abs(a - b) > 1e-12) == 1


def check_hidden(body, rotation, holds):
    """An edge is hidden if a step from its middle towards the viewer leads into the body."""
    found = solids.seen(replace(body, rotation=rotation), np.zeros((1, body.basis.shape[1])))
    for (start, stop), segment, hidden in zip(body.edges, found.edges, found.hidden, strict=True):
        ends = body.points[[start, stop]]
        np.testing.assert_allclose(segment, (ends @ rotation.T)[:, :2], rtol=0, atol=1e-12)
        assert hidden == holds(ends.mean(axis=0) + 1e-4 * rotation[2])
    assert 0 < np.count_nonzero(found.hidden) < len(found.hidden) or len(found.hidden) == 6


@pytest.mark.parametrize("turn", TURNS)
def test_three_components_are_turned_principal_axes(turn):
    rng = np.random.default_rng(2)
    sample = rng.dirichlet([0.3, 2.0, 0.7, 1.1, 0.2, 0.6], 400)
    plane = space.symbol_plane(6, Projection("components", turn=turn), sample)
    values, vectors = np.linalg.eigh(np.cov(sample.T))
    found = described(plane, sample[:3])
    assert found.solid.variance_kept == pytest.approx(values[-3:].sum() / values.sum())
    assert found.variance_kept < found.solid.variance_kept
    axes = vectors[:, ::-1][:, :3] * np.sign(np.diag(plane.body.basis @ vectors[:, ::-1][:, :3]))
    shown = (plain_rotation(turn) @ axes.T)[:2]
    np.testing.assert_allclose(plane.matrix, shown, rtol=0, atol=1e-9)
    at = plane.origin + sample @ plane.matrix.T
    assert np.hypot(*at.T).max() <= plane.body.radius + 1e-9
    assert found.cells == ()


def test_what_is_offered_shows_less_than_all():
    assert [offered(m, True) for m in (1, 2, 3)] == [()] * 3
    assert [offered(m, False) for m in (1, 2)] == [()] * 2
    assert offered(4, True)[0] == "tetrahedron"
    assert offered(5, True)[0] == "principal"
    assert offered(3, False)[0] == "principal"


def test_a_kind_that_is_not_offered_gives_way_to_the_natural_one():
    assert Projection().drawn(4, True) == "tetrahedron"
    assert Projection("tetrahedron").drawn(8, True) == "principal"
    assert Projection("tetrahedron").drawn(3, False) == "principal"
    assert Projection("symbols").drawn(3, False) == "principal"
    assert Projection("components").drawn(3, False) == "components"
    assert Projection("components").drawn(3, True) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"turn": (0, 0, 0, 0)},
        {"turn": (1, 0, 0)},
        {"turn": (math.nan, 0, 0, 1)},
        {"corners": ((0, 0), (1.2, 0))},
        {"corners": ((0, 0, 0),)},
        {"corners": ((0, math.nan),)},
    ],
)
def test_wrong_turns_and_corners_are_refused(wrong):
    with pytest.raises(ParameterError, match="must be"):
        Projection(**wrong)


def test_moved_corners_are_the_corners():
    corners = ((0.0, 0.1), (1.0, 0.0), (0.5, 0.9), (-0.2, 0.8), (-1.0, -1.0))
    sample = np.random.default_rng(1).dirichlet([1.0] * 5, 200)
    plane = space.symbol_plane(5, Projection("polygon", corners=corners), sample)
    np.testing.assert_array_equal(plane.corners, corners)
    np.testing.assert_array_equal(plane.resting, space.polygon(5))
    other = space.symbol_plane(5, Projection("polygon"), sample)
    assert plane.variance_kept != pytest.approx(other.variance_kept, rel=1e-3)
    assert plane.box == other.box
    six = space.symbol_plane(6, Projection("polygon", corners=corners), np.eye(6))
    np.testing.assert_array_equal(six.corners, space.polygon(6))


def test_tetrahedron_is_regular_in_the_unit_sphere():
    corners = solids.TETRAHEDRON
    np.testing.assert_allclose(corners.sum(axis=0), 0, rtol=0, atol=1e-12)
    for corner in corners:
        assert math.hypot(*corner) == pytest.approx(1)
    sides = [math.dist(a, b) for a, b in itertools.combinations(corners, 2)]
    assert sides == pytest.approx([math.sqrt(8 / 3)] * 6)
