"""The factorial model against plain loops, and on fields of two scales."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from latviz import core
from latviz.core.inference.emission import SymbolDensities
from latviz.core.inference.fitting import fit
from tests import naive_beliefs, naive_factorial

SIZES, STRENGTHS = (2, 3), (1.3, 0.4)
A = [[0.8, 0.2], [0.3, 0.7]], [[0.6, 0.2, 0.1], [0.1, 0.7, 0.2], [0.2, 0.3, 0.5]]
TREES = {
    (5,): [(0,), (1,), (2,), (3,), (4,)],
    (6,): [(0,), (1,), (3,), (4,), (5,)],
    (3, 3): [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    (2, 2, 2): [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 0)],
}
"""Known nodes of lattices, without loops."""


def by_hand() -> core.FactorialModel:
    table = np.random.default_rng(3).dirichlet(np.ones(4), 6)
    own = np.full((2, 4), 0.25), np.full((3, 4), 0.25)
    chains = [core.DiscreteModel(a, b, w) for a, b, w in zip(A, own, (5, 1), strict=True)]
    joint = core.DiscreteModel(np.eye(6), table, 1)
    return core.FactorialModel(tuple(chains), joint, STRENGTHS)


def observed(shape: tuple[int, ...], nodes: Any = None) -> tuple[Any, Any, dict[Any, int]]:
    """Return symbols, the mask of nodes, all by default, and their symbols by node."""
    o, known = np.random.default_rng(len(shape)).integers(0, 4, shape), np.zeros(shape, bool)
    for t in np.ndindex(shape) if nodes is None else nodes:
        known[t] = True
    return o, known, {t: int(o[t]) for t in np.ndindex(shape) if known[t]}


@pytest.mark.parametrize("shape", TREES)
def test_beliefs_on_trees_are_sums_over_all_decodings(shape: tuple[int, ...]) -> None:
    model, (o, known, seen) = by_hand(), observed(shape, TREES[shape])
    given = seen, shape, SIZES, STRENGTHS, model.joint.codebook.tolist()
    wanted, sums = naive_factorial.on_tree(*given), naive_factorial.exact(*given)
    found, states = model.beliefs(o, mask=known), model.decode(o, mask=known)
    for t in seen:
        assert_allclose(wanted[t], sums[t], rtol=1e-9)
        assert_allclose(found[t], wanted[t], atol=2e-3)
    assert_array_equal(states[known], found[known].argmax(-1))
    assert (states[~known] == 255).all()
    assert not found[~known].any()


def test_messages_in_loops_are_those_of_plain_loops() -> None:
    model, (o, _, seen) = by_hand(), observed((3, 4))
    every = naive_factorial.tuples(SIZES)
    pairs = [[naive_factorial.potential(q, r, STRENGTHS) for r in every] for q in every]
    likelihood = {t: model.joint.codebook[:, k].tolist() for t, k in seen.items()}
    wanted, _ = naive_beliefs.in_passes(likelihood, pairs, (3, 4), 2)
    found = model.beliefs(o, passes=2)
    assert_allclose([found[t] for t in seen], [wanted[t] for t in seen], atol=2e-3)


@pytest.mark.parametrize("normalizer", ["neighbours", "states"])
def test_evaluation_adds_the_terms_of_chains(normalizer: Any) -> None:
    model, (o, known, seen) = by_hand(), observed((3, 3), TREES[3, 3])
    whole = {t: int(o[t]) for t in np.ndindex(3, 3)}
    table = model.joint.codebook.tolist()
    for mask, nodes in ((None, whole), (known, seen)):
        score = model.evaluate(o, alpha=0.5, normalizer=normalizer, mask=mask)
        data, pairs = naive_factorial.log_likelihood(
            nodes, (3, 3), score.states, A, table, normalizer
        )
        n_pairs = sum(len(naive_factorial.neighbours(nodes, (3, 3), t)) for t in nodes) / 2
        assert_allclose(score.data_term, data)
        assert_allclose(score.pair_term, pairs + n_pairs * math.log(0.5))
    several = model.evaluate([o, o.T])
    assert [part.states.shape for part in several.parts] == [(3, 3), (3, 3)]


def test_tuples_are_states_of_chains() -> None:
    every = np.arange(7).reshape(1, 7)
    every[0, 6] = 255
    chains = by_hand().split(every)
    assert chains.tolist() == [[[0, 0, 0, 1, 1, 1, 255]], [[0, 1, 2, 0, 1, 2, 255]]]


def test_one_part_of_an_attraction_is_the_attraction() -> None:
    data = core.as_data_set(observed((12, 9))[0], kind="discrete", n_symbols=4)
    law = SymbolDensities(np.random.default_rng(1).dirichlet(np.ones(4), 3))
    whole, part = (
        fit(law, data, 0.7, most=6),
        fit(law, data, 0.7, most=6, attraction=np.eye(3)[None]),
    )
    assert whole.bits == part.bits
    assert_allclose(part.attraction[0], whole.strength * np.eye(3))


def nested(size: int = 64) -> tuple[Any, Any]:
    """Return two textures of the same two kinds, in halves of 3 : 1 and 1 : 3, and their tuples."""
    rng = np.random.default_rng(5)
    coarse = np.repeat([0, 1], size // 2)[None].repeat(size, 0)
    fine = core.sample_blobs((size, size), n_states=2, scale=2.0, random_state=2).astype(int)
    kinds = np.array([[0, 1], [1, 2]])[coarse, fine]
    o = np.where(rng.random(kinds.shape) < 0.2, rng.integers(0, 3, kinds.shape), kinds)
    return o.astype(np.uint8), (2 * coarse + fine).astype(np.uint8)


def accuracy(states: Any, truth: Any) -> float:
    return core.matched_accuracy(states, truth)


def test_two_scales_are_found_where_one_model_mixes_them() -> None:
    o, truth = nested()
    model = core.FactorialModel.fit(o, n_states=(2, 2), n_symbols=3)
    one = core.refine(o, model=core.DiscreteModel.fit(o, n_states=4, window=2, n_symbols=3))
    coarse, _ = model.split(model.decode(o))
    assert accuracy(coarse, truth // 2) > 0.98
    assert accuracy(model.decode(o), truth) > accuracy(one.states, truth) + 0.1
    assert model.bits is not None
    assert model.bits < one.bits
    assert model.strengths[0] > model.strengths[1]
    assert model.chains[0].window > model.chains[1].window


def test_unknown_nodes_and_units_of_axes_take_part() -> None:
    o, truth = nested(48)
    known = np.ones(o.shape, bool)
    known[:12] = False
    settings = {"n_states": (2, 2), "n_symbols": 3, "windows": (8, 1), "spacing": (2.0, 1.0)}
    model = core.FactorialModel.fit(o, mask=known, **settings)
    other = np.where(known, o, 2 - o)
    assert core.FactorialModel.fit(other, mask=known, **settings) == model
    assert [chain.window for chain in model.chains] == [8, 1]
    assert {chain.spacing for chain in (*model.chains, model.joint)} == {(2.0, 1.0)}
    states = model.decode(o, mask=known)
    assert (states[~known] == 255).all()
    assert accuracy(states[known], truth[known]) > 0.9


@pytest.mark.parametrize("shape", [(3000,), (16, 20, 24)])
def test_vectors_of_any_lattice(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(4)
    coarse = np.zeros(shape, int)
    coarse[: shape[0] // 2] = 1
    fine = np.indices(shape).sum(0) // 6 % 2
    vectors = np.stack([3.0 * coarse, 3.0 * fine], -1) + rng.normal(size=(*shape, 2))
    model = core.FactorialModel.fit(vectors, n_states=(2, 2), kind="gaussian", windows=(8, 1))
    assert accuracy(model.decode(vectors), 2 * coarse + fine) > 0.95
    score = model.evaluate([vectors, vectors])
    assert score.n_nodes == 2 * coarse.size
    assert np.isfinite(score.log_likelihood)


def test_chains_that_do_not_fit_are_refused() -> None:
    model = by_hand()
    with pytest.raises(core.ParameterError, match="a state for each tuple"):
        core.FactorialModel(model.chains, model.chains[0], STRENGTHS)
    with pytest.raises(core.ParameterError, match="1 to 5 chains"):
        core.FactorialModel.fit(np.zeros((4, 4), int), n_states=(16, 16))
