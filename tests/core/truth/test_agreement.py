"""Agreement of two maps, against plain loops and scikit-learn."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from latviz.core import ParameterError, adjusted_rand, contingency, disagreement, matched_accuracy
from latviz.core.truth import agreement
from tests import naive


def maps(n_one, n_other, shape, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(n_one, size=shape), rng.integers(n_other, size=shape)


@pytest.mark.parametrize("shape", [(1,), (50,), (13, 7), (4, 5, 6)])
def test_contingency_counts_every_node(shape, monkeypatch):
    monkeypatch.setattr(agreement, "_BLOCK", 7)
    one, other = maps(3, 4, shape, 1)
    found = contingency(one, other)
    for i, j in np.ndindex(found.shape):
        wanted = sum(a == i and b == j for a, b in zip(one.flat, other.flat, strict=True))
        assert found[i, j] == wanted


def test_nodes_of_no_known_state_are_counted_nowhere():
    states = [np.array([0, 0, 1, 1]), np.array([1, 0])]
    known = [np.array([0, 255, 1, 0]), np.array([1, 0])]
    assert agreement.known_contingency(states, known).tolist() == [[2, 0], [1, 2]]


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 60), st.integers(0, 1000))
def test_best_matching_and_rand(n_one, n_other, size, seed):
    one, other = maps(n_one, n_other, (size,), seed)
    table = contingency(one, other)
    wide = np.zeros((4, 4), int)
    wide[: table.shape[0], : table.shape[1]] = table
    best = max(sum(wide[i, p[i]] for i in range(4)) for p in permutations(range(4)))
    assert matched_accuracy(one, other) == pytest.approx(best / size, abs=1e-12)
    assert adjusted_rand(one, other) == pytest.approx(adjusted_rand_score(one, other), abs=1e-9)


def test_names_do_not_matter():
    one, _ = maps(5, 2, (30, 40), 3)
    other = np.array([3, 0, 4, 1, 2])[one]
    assert matched_accuracy(one, other) == adjusted_rand(one, other) == 1.0


def test_independent_maps_agree_by_chance():
    assert abs(adjusted_rand(*maps(4, 4, (300, 300), 4))) < 0.002


@pytest.mark.parametrize("shape", [(1,), (40,), (9, 7), (3, 4, 5)])
@pytest.mark.parametrize("n_states", [(1, 1), (1, 3), (3, 3), (4, 2), (2, 4)])
def test_where_they_differ(shape, n_states, monkeypatch):
    monkeypatch.setattr(agreement, "_BLOCK", 7)
    for seed in range(5):
        one, other = maps(*n_states, shape, seed)
        found = disagreement(one, other, table=contingency(one, other))
        assert found.shape == shape
        assert found.dtype == bool
        assert tuple(found.reshape(-1).tolist()) in naive.disagreements(one, other)


def test_where_they_differ_and_how_much():
    one, other = maps(6, 5, (50, 60), 5)
    found = disagreement(one, other)
    assert matched_accuracy(one, other) == pytest.approx(1 - found.mean(), abs=1e-12)


def test_a_renumbering_is_no_difference():
    one, _ = maps(5, 2, (30, 40), 3)
    other = np.array([3, 0, 4, 1, 2])[one]
    assert not disagreement(one, other, table=contingency(one, other)).any()
    other[7, 9] = other[0, 0] if other[7, 9] != other[0, 0] else (other[0, 0] + 1) % 5
    found = disagreement(one, other, table=contingency(one, other))
    assert np.argwhere(found).tolist() == [[7, 9]]


def test_a_table_of_other_maps():
    one, other = maps(3, 3, (4, 5), 1)
    with pytest.raises(ParameterError, match="all states"):
        disagreement(one, other, table=np.ones((2, 3), int))
    with pytest.raises(ParameterError, match="same shape"):
        disagreement(one, other[:2], table=np.ones((3, 3), int))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (np.zeros((2, 3), int), np.zeros((3, 2), int), "same shape"),
        (np.zeros(4), np.zeros(4, int), "one must be a non-empty array of integers"),
        (np.zeros(4, int), np.array([0, 1, 256, 0]), "other must be from 0 to 255, got 0 to 256"),
        (np.zeros(4, int), np.array([0, -1, 2, 0]), "other must be from 0 to 255, got -1 to 2"),
    ],
)
def test_what_is_no_map(one, other, said):
    with pytest.raises(ParameterError, match=said):
        contingency(one, other)


@pytest.mark.parametrize("table", [np.zeros((2, 2), int), np.ones(3, int), np.ones((2, 2)) / 2])
def test_what_is_no_table(table):
    for measure in (agreement.accuracy_of, agreement.rand_of):
        with pytest.raises(ParameterError, match="table"):
            measure(table)
