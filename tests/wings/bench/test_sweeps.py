"""Sampled truths: their settings, their sweeps, and the readings of the model."""

import math
from dataclasses import replace

import numpy as np
import pytest

from latviz.wings.bench.experiment import (
    PRESETS,
    Experiment,
    channel,
    cycle,
    potts,
    rows_of,
    with_potential,
    with_probability,
)
from latviz.wings.bench.exports import picture_of
from latviz.wings.bench.sweeps import Measure, Reading, SweptField
from tests import naive

SMALL = PRESETS["smooth"].experiment(side=64)


def sampled(A: np.ndarray, **changes: object) -> Experiment:
    matrices = {"A": rows_of(A), "B": rows_of(channel(len(A), 0.8))}
    return replace(SMALL, n_states=len(A), **matrices, **changes)


def test_a_potts_field_says_where_it_is_critical() -> None:
    for n in (2, 3, 5):
        at = sampled(potts(n, 7.0, 0.5)).critical_strength
        assert at is not None
        assert (7.0 / 0.5) ** at == pytest.approx(1 + math.sqrt(n), rel=1e-12)
    checks = PRESETS["checkerboard"].experiment()
    assert checks.critical_strength == pytest.approx(math.log(1 + math.sqrt(2)) / math.log(10))
    assert not checks.takes_clusters
    assert sampled(potts(3, 1.0, 10.0)).critical_strength is None
    assert sampled(cycle(4, 5.0, 2.0, 0.1)).critical_strength is None
    assert sampled(potts(3, 2.0, 2.0)).critical_strength is None


def test_entries_of_a_are_set_with_their_mirror_image_and_kept_in_range() -> None:
    A = with_potential(SMALL.A, 0, 2, 7.0)
    assert A[0][2] == A[2][0] == 7.0
    assert with_potential(SMALL.A, 1, 1, 1e9)[1][1] == 100.0
    assert with_potential(SMALL.A, 1, 1, 0.0)[1][1] == 0.01


def test_a_bar_of_b_leaves_the_others_their_proportions() -> None:
    B = ((0.5, 0.3, 0.2), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    np.testing.assert_allclose(with_probability(B, 0, 0, 0.75)[0], (0.75, 0.15, 0.1), rtol=1e-12)
    np.testing.assert_allclose(with_probability(B, 1, 0, 0.4)[1], (0.4, 0.3, 0.3), rtol=1e-12)
    assert with_probability(B, 2, 0, 2.0)[2] == (1.0, 0.0, 0.0)
    assert with_probability(B, 2, 0, 2.0)[:2] == B[:2]


def test_other_states_come_and_go() -> None:
    A = with_potential(SMALL.A, 0, 1, 5.0)
    more = replace(SMALL, A=A, n_states=5)
    assert np.array(more.A)[:3, :3].tolist() == [list(row) for row in A]
    assert more.A[4][4] == pytest.approx(1.0)
    assert more.A[4][0] == pytest.approx((5.0 * 0.1 * 0.1) ** (1 / 3), rel=1e-9)
    np.testing.assert_allclose(more.emissions.sum(axis=1), 1.0, rtol=1e-12)
    assert replace(more, n_states=2).A == ((1.0, 5.0), (5.0, 1.0))


def test_a_field_is_measured_as_plain_loops_would() -> None:
    some = sampled(cycle(4, 5.0, 2.0, 0.1), strength=0.7)
    states = np.random.default_rng(1).integers(0, 4, (64, 64)).astype(np.uint8)[:6, :7]
    pairs = [
        (int(states[t]), int(states[r]))
        for t in naive.nodes(states.shape)
        for r in naive.neighbours(states.shape, t)
    ]
    found = Measure.of(some, states, 3)
    assert found.like == pytest.approx(sum(i == j for i, j in pairs) / len(pairs), rel=1e-12)
    energy = -sum(0.7 * math.log(some.A[i][j]) for i, j in pairs) / len(pairs)
    assert found.energy == pytest.approx(energy, rel=1e-9)


def test_what_is_read_is_what_plain_loops_read() -> None:
    field = SweptField(sampled(potts(3, 1.0, 0.1), window=1))
    for _ in range(10):
        field.sweep()
    read = Reading.of(field.experiment, field.states)
    part = (slice(0, 9), slice(0, 11))
    B = read.experiment.emissions
    for t in naive.nodes((8, 10)):  # windows that the part holds whole
        seen = read.observation[part]
        x = naive.signature_at(seen, t, 1, 3)
        distances = [naive.squared_distance(x, row) for row in B]
        assert distances[read.decoded[t]] == pytest.approx(min(distances), abs=1e-9)
    assert read.accuracy == (read.decoded == field.states).mean() > 0.8
    shares = [(read.observation[field.states == j] == j).mean() for j in range(3)]
    np.testing.assert_allclose(shares, 0.8, rtol=0, atol=0.05)
    pairs = np.zeros((3, 3))
    q = read.decoded.astype(int)
    for one, other in ((q[1:], q[:-1]), (q[:, 1:], q[:, :-1])):
        np.add.at(pairs, (one, other), 1)
        np.add.at(pairs, (other, one), 1)
    wanted = pairs / (4 * np.bincount(q.ravel())[:, None])
    np.testing.assert_allclose(read.learned_A, wanted, rtol=1e-12)
    assert read.associativities[0] == pytest.approx(3 / 3.6)
    assert read.associativities[2] == pytest.approx(np.trace(wanted) / wanted.sum())


def test_a_field_follows_the_experiment() -> None:
    one, other = SweptField(SMALL), SweptField(SMALL)
    for _ in range(3):
        one.sweep()
        other.sweep()
    np.testing.assert_array_equal(one.states, other.states)
    other.take(replace(SMALL, strength=0.0))
    one.sweep()
    other.sweep()
    assert (one.states != other.states).any()
    assert [m.sweeps for m in one.taken_measures()] == [0, 1, 2, 3, 4]
    assert one.taken_measures() == ()


def test_what_was_made_becomes_a_picture_with_its_truth() -> None:
    states = np.array([[0, 1, 2], [2, 1, 0]], np.uint8)
    picture, parameters = picture_of(states[::-1], states, 3, 2, "made")
    assert picture.labels is not None
    assert picture.truth is not None
    np.testing.assert_array_equal(picture.labels, states[::-1])
    np.testing.assert_array_equal(picture.truth, states)
    assert (parameters.encoding.name, parameters.n_states, parameters.window) == ("labels", 3, 2)
    assert len({tuple(rgb) for rgb in picture.pixels.reshape(-1, 3).tolist()}) == 3
    grey, parameters = picture_of(states[..., None].astype(float), states, 3, 2, "made")
    assert grey.is_grey
    assert np.unique(grey.pixels).tolist() == [40, 128, 215]
    assert parameters.encoding.how == "levels"
