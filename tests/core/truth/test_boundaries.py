"""The F-score of boundaries, against plain loops."""

import numpy as np
import pytest

from latviz.core import ParameterError, boundary_f_score
from latviz.core.truth.agreement import boundaries
from tests import naive
from tests.core import cases


def on_boundary(states):
    return [
        t
        for t in naive.nodes(states.shape)
        if any(states[r] != states[t] for r in naive.neighbours(states.shape, t))
    ]


def share_near(some, others, tolerance):
    near = [
        any(max(abs(a - b) for a, b in zip(t, s, strict=True)) <= tolerance for s in others)
        for t in some
    ]
    return sum(near) / len(near)


@pytest.mark.parametrize("shape", [(40,), (13, 17), (6, 7, 5)])
@pytest.mark.parametrize("tolerance", [0, 1, 2])
def test_against_plain_loops(shape, tolerance):
    found, truth = cases.blocks(shape, 3, 531, block=4), cases.blocks(shape, 3, 532, block=5)
    a, b = on_boundary(found), on_boundary(truth)
    assert set(a) == set(zip(*np.nonzero(boundaries(found)), strict=True))
    precision, recall = share_near(a, b, tolerance), share_near(b, a, tolerance)
    wanted = 2 * precision * recall / (precision + recall)
    assert boundary_f_score(found, truth, tolerance=tolerance) == pytest.approx(wanted, rel=1e-12)


def test_names_do_not_matter():
    truth = cases.blocks((30, 30), 3, 533, block=6)
    assert boundary_f_score(np.array([2, 0, 1])[truth], truth) == 1.0


def test_maps_of_one_state():
    flat, halves = np.zeros((8, 8), int), np.repeat([[0, 1]], 8, axis=0).repeat(4, axis=1)
    assert boundary_f_score(flat, flat) == 1.0
    assert boundary_f_score(flat, halves) == boundary_f_score(halves, flat) == 0.0
    assert boundary_f_score(halves, halves.T, tolerance=0) < 0.5


def test_bad_arguments():
    with pytest.raises(ParameterError, match="same shape"):
        boundary_f_score(np.zeros((2, 3), int), np.zeros((3, 2), int))
    with pytest.raises(ParameterError, match="tolerance"):
        boundary_f_score(np.zeros(3, int), np.zeros(3, int), tolerance=-1)
