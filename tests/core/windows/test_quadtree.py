"""Leaves of a quadtree against plain recursion."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latviz.core import ParameterError, quadtree_leaves
from tests.core import cases


def recursive(states):
    """Return the leaves as (side, row, column, state), by splitting squares of several states."""
    side = 1
    while side < max(states.shape):
        side *= 2
    waiting, found = [(side, 0, 0)], []
    while waiting:
        side, row, column = waiting.pop()
        block = states[row : row + side, column : column + side]
        if block.size == 0:
            continue
        if (block == block[0, 0]).all():
            found.append((side, row, column, int(block[0, 0])))
        else:
            half = side // 2
            waiting += [(half, row + half * i, column + half * j) for i in (0, 1) for j in (0, 1)]
    return sorted(found)


def listed(leaves):
    columns = leaves.sides, leaves.rows, leaves.columns, leaves.states
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 7), (8, 8), (5, 3), (16, 1), (31, 33), (64, 64)], ids=str
)
@pytest.mark.parametrize("n_states", [1, 2, 5])
def test_leaves_are_those_of_the_recursion(shape, n_states):
    states = cases.blocky(shape, n_states, 5, noise=0.02, block=9)
    assert listed(quadtree_leaves(states)) == recursive(states)


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 4), st.integers(0, 10**6))
def test_leaves_of_any_map(height, width, n_states, seed):
    states = cases.blocky((height, width), n_states, seed)
    leaves = quadtree_leaves(states)
    assert listed(leaves) == recursive(states)
    assert (np.diff(leaves.sides) <= 0).all()


@pytest.mark.parametrize("shape", [(3,), (2, 2, 2), (0, 4)])
def test_only_maps_have_quadtrees(shape):
    with pytest.raises(ParameterError, match="shape"):
        quadtree_leaves(np.zeros(shape, dtype=np.uint8))
