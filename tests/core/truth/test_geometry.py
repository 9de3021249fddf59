import numpy as np
import pytest

from latviz.core import ParameterError, associativity, pair_counts
from latviz.core.truth.geometry import checkerboard, sample_blobs, sample_voronoi, stripes


class TestBlobs:
    @pytest.mark.parametrize("shape", [(4000,), (128, 128), (32, 32, 32)])
    def test_are_smooth_and_of_equal_shares(self, shape):
        q = sample_blobs(shape, n_states=4, scale=4.0, random_state=1)
        assert q.shape == shape
        assert q.dtype == np.uint8
        shares = np.bincount(q.ravel(), minlength=4) / q.size
        np.testing.assert_allclose(shares, 0.25, rtol=0.35, atol=0)
        for axis in range(q.ndim):
            assert (np.diff(q, axis=axis) == 0).mean() > 0.8

    def test_grow_with_the_scale(self):
        fields = [
            sample_blobs((128, 128), n_states=3, scale=scale, random_state=2)
            for scale in (1.0, 3.0, 9.0)
        ]
        borders = [(np.diff(q, axis=0) != 0).mean() for q in fields]
        assert borders[0] > 2 * borders[1] > 4 * borders[2]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"scale": 0.0}, "scale must be a finite number above 0 and at most 10000, got 0.0"),
            ({"scale": np.nan}, "scale must be a finite number above 0 .*, got nan"),
            ({"n_states": 0}, "n_states must be an integer from 1 to 255, got 0"),
            ({"n_states": 256}, "n_states must be an integer from 1 to 255, got 256"),
            ({"shape": (3, -1)}, r"shape must be a sequence of positive integers, got \(3, -1\)"),
        ],
    )
    def test_refuse(self, change, message):
        arguments = {"shape": (8, 8), "n_states": 2, "scale": 2.0, "random_state": 0} | change
        with pytest.raises(ParameterError, match=message):
            sample_blobs(**arguments)


class TestVoronoi:
    def test_cells_are_convex(self):
        q = sample_voronoi((60, 70), n_regions=8, n_states=8, random_state=1)
        assert set(np.unique(q)) == set(range(8))
        for lines in (q, q.T):
            for line in lines:
                changes = np.flatnonzero(np.diff(line)) + 1
                assert changes.size + 1 == np.unique(line).size

    def test_centres_are_dealt_out_evenly(self):
        q = sample_voronoi((3000,), n_regions=30, n_states=3, random_state=2)
        starts = np.concatenate([[0], np.flatnonzero(np.diff(q)) + 1])
        # Adjacent cells of one state run together, so no state can have more runs than centres.
        assert (np.bincount(q[starts], minlength=3) <= 10).all()
        assert starts.size > 10

    def test_of_three_dimensions(self):
        q = sample_voronoi((6, 7, 8), n_regions=1, n_states=1, random_state=3)
        np.testing.assert_array_equal(q, np.zeros((6, 7, 8)))

    def test_refuses_fewer_regions_than_states(self):
        with pytest.raises(ParameterError, match="n_regions must be an integer >= 5, got 4"):
            sample_voronoi((9, 9), n_regions=4, n_states=5, random_state=0)


class TestStripes:
    @pytest.mark.parametrize(("width", "n_states"), [(1, 2), (3, 2), (5, 3)])
    def test_of_one_width(self, width, n_states):
        q = stripes((4, 31), widths=width, n_states=n_states)
        assert q.dtype == np.uint8
        for x in range(31):
            assert (q[:, x] == x // width % n_states).all()

    def test_of_given_widths(self):
        q = stripes((2, 12), widths=[2, 1, 4])
        np.testing.assert_array_equal(q, [[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]] * 2)
        q = stripes((12,), widths=[2, 1, 4, 1], n_states=3)
        np.testing.assert_array_equal(q, [0, 0, 1, 2, 2, 2, 2, 0, 0, 0, 0, 0])

    def test_sway(self):
        q = stripes((8, 40), widths=10, sway=3.0, period=8.0)
        first = [int(np.flatnonzero(np.diff(row))[0]) + 1 for row in q]
        # The first stripe ends where x + 3 + 3 sin(2 pi y / 8) reaches 10.
        assert first == [7, 5, 4, 5, 7, 10, 10, 10]

    def test_are_alike_in_every_layer(self):
        q = stripes((3, 8, 40), widths=7, sway=3.0, period=8.0)
        for layer in q:
            np.testing.assert_array_equal(layer, stripes((8, 40), widths=7, sway=3.0, period=8.0))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"widths": 0.0}, "widths must be positive and finite, 1e-09 or more, got 0.0"),
            (
                {"widths": [2, -1]},
                r"widths must be positive and finite, 1e-09 or more, got \[2, -1\]",
            ),
            ({"widths": []}, r"widths must be positive and finite, 1e-09 or more, got \[\]"),
            ({"sway": np.inf}, "sway must be a finite number from .*, got inf"),
            ({"period": 0.0}, "period must be a finite number from .*, got 0.0"),
            ({"n_states": 0}, "n_states must be an integer from 1 to 255, got 0"),
        ],
    )
    def test_refuse(self, change, message):
        with pytest.raises(ParameterError, match=message):
            stripes(**({"shape": (4, 4), "widths": 2.0} | change))


class TestCheckerboard:
    @pytest.mark.parametrize("shape", [(9,), (6, 7), (3, 4, 5)])
    @pytest.mark.parametrize(("side", "n_states"), [(1, 2), (2, 2), (2, 3)])
    def test_counts_cubes(self, shape, side, n_states):
        q = checkerboard(shape, side=side, n_states=n_states)
        assert q.dtype == np.uint8
        for node in np.ndindex(shape):
            assert q[node] == sum(t // side for t in node) % n_states

    def test_no_pair_is_alike(self):
        assert associativity(pair_counts(checkerboard((8, 9)), n_states=2)) == 0.0

    def test_refuses(self):
        with pytest.raises(ParameterError, match="side must be an integer >= 1, got 0"):
            checkerboard((4, 4), side=0)


@pytest.mark.parametrize(
    "sample",
    [
        lambda seed: sample_blobs((30, 40), n_states=3, scale=2.0, random_state=seed),
        lambda seed: sample_voronoi((30, 40), n_regions=9, n_states=3, random_state=seed),
    ],
    ids=["blobs", "voronoi"],
)
def test_a_seed_settles_everything(sample):
    np.testing.assert_array_equal(sample(1), sample(1))
    assert (sample(1) != sample(2)).any()


def test_a_generator_is_a_seed_too() -> None:
    """The generator of seed 3 draws what seed 3 does; then it has advanced."""
    rng = np.random.default_rng(3)
    first, second = (
        sample_blobs((16, 16), n_states=3, scale=2.0, random_state=rng) for _ in range(2)
    )
    np.testing.assert_array_equal(
        first, sample_blobs((16, 16), n_states=3, scale=2.0, random_state=3)
    )
    assert (first != second).any()
