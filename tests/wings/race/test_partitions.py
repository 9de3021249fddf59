"""Clusters of signatures, and regions of images that are clustered by their means."""

import numpy as np
import pytest

from latviz.core import Cancelled, adjusted_rand, contingency
from latviz.core.truth.agreement import rand_of
from latviz.wings.race import peers
from latviz.wings.race.peers.problem import Problem
from tests.wings.race.cases import Listener, a_problem

BY_NAME = {
    "kmeans": lambda *a: peers.partitions.clustered(*a),
    "felzenszwalb": lambda *a: peers.partitions.graph_regions(*a),
    "slic": lambda *a: peers.partitions.superpixels(*a),
}
EACH = pytest.mark.parametrize("label", BY_NAME.values(), ids=BY_NAME)


def a_mosaic(n_channels=3):
    """Return squares of 32 x 32 in three states, and distinct signatures with noise."""
    rng = np.random.default_rng(1)
    truth = np.kron([[0, 1, 2], [2, 0, 1]], np.ones((32, 32), int))
    means = 4 * np.eye(3, n_channels)
    signature = means[truth] + 0.2 * rng.normal(size=(*truth.shape, n_channels))
    unary = np.zeros((*truth.shape, 3), np.float32)
    return truth, Problem((unary,), 1.0, (signature,))


@EACH
@pytest.mark.parametrize("n_channels", [2, 3, 4])
def test_clear_regions_are_found(label, n_channels):
    truth, problem = a_mosaic(n_channels)
    (states,) = label(problem)
    assert states.dtype == np.uint8
    assert adjusted_rand(states, truth) > 0.97


@EACH
def test_lattices_share_their_states(label):
    truth, problem = a_mosaic()
    both = Problem(problem.unary * 2, 1.0, (problem.signatures[0], problem.signatures[0][::-1]))
    one, other = label(both)
    table = contingency([one, other], [truth, truth[::-1]])
    assert rand_of(table) > 0.97
    assert [one.shape, other.shape] == both.shapes


@EACH
def test_one_state_and_no_contrast(label):
    _, problem = a_mosaic()
    flat = Problem(problem.unary, 1.0, (np.ones_like(problem.signatures[0]),))
    assert not label(flat)[0].any()
    single = Problem((problem.unary[0][..., :1],), 1.0, problem.signatures)
    assert not label(single)[0].any()


@EACH
def test_they_can_be_cancelled(label):
    with pytest.raises(Cancelled):
        label(a_problem((20, 20), 2, seed=1, signatures=True), Listener(most=-1))
