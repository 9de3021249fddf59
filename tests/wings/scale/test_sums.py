"""Counts and sums over chunks are those of the whole arrays."""

import dask.array as da
import numpy as np
import pytest

from latviz import core
from latviz.core.choice.code_length import Emitted
from latviz.core.data.data_set import as_data_set
from latviz.core.windows.leave_one_out import decode_without
from latviz.wings import scale
from latviz.wings.scale import sums
from tests import naive
from tests.core.cases import blocky, random_potentials, random_symbols

ROUNDING = 1e-12
"""Of the sum of the terms' sizes: sums of chunks are rounded in another order."""


@pytest.fixture(scope="session")
def states(case, model):
    found = model.decode(case.given)
    return found if isinstance(found, list) else [found]


def cut(maps, chunks):
    return [da.from_array(one, chunks=chunks[: one.ndim]) for one in maps]


def test_pairs_across_chunks_are_counted_once(case, states):
    pairs, occupancy = scale.count(cut(states, case.chunks), n_states=3)
    assert (pairs == sum(naive.pair_counts(one, 3) for one in states)).all()
    assert (occupancy == naive.state_counts(states, 3)).all()
    assert (scale.pair_counts(cut(states, case.chunks), n_states=3) == pairs).all()


def test_inertia_is_that_of_the_definition(case, states):
    found = scale.inertia(cut(states, case.chunks), n_states=3, window=case.window)
    assert found == pytest.approx(naive.inertia(states, 3, case.window), rel=1e-7, abs=0)


@pytest.mark.parametrize("normalizer", ["neighbours", "states"])
def test_the_log_likelihood_is_that_of_the_whole(case, model, normalizer):
    found = scale.evaluate(case.cut, model=model, normalizer=normalizer, alpha=0.6)
    whole = model.evaluate(case.given, normalizer=normalizer, alpha=0.6)
    size = abs(whole.data_term) + abs(whole.pair_term)
    for name in ("data_term", "plain_pair_term", "pair_term", "log_likelihood"):
        assert getattr(found, name) == pytest.approx(
            getattr(whole, name), rel=0, abs=ROUNDING * size
        )
    assert (found.n_nodes, found.n_impossible) == (whole.n_nodes, whole.n_impossible)
    assert found.under(0.9).pair_term == pytest.approx(
        whole.under(0.9).pair_term, rel=0, abs=ROUNDING * size
    )


def test_impossible_nodes_are_counted_once():
    o, states = blocky((14, 15), 3, 1), blocky((14, 15), 3, 2)
    A, B = random_potentials(3, 1), random_symbols(3, 3, 2)
    A[0, 1] = B[2, 0] = 0.0
    B /= B.sum(axis=1, keepdims=True)
    model = core.DiscreteModel(A, B, 1)
    wanted = naive.emissions_discrete(o, states, B) + naive.pair_terms(states, A, 1.0, "neighbours")
    found = scale.evaluate(
        da.from_array(o, chunks=4), model=model, states=da.from_array(states, chunks=5)
    )
    assert found.n_impossible == np.count_nonzero(np.isneginf(wanted)) > 0
    assert found.log_likelihood == -np.inf


def test_the_code_length_is_that_of_the_whole(case, model, monkeypatch):
    data = as_data_set(case.given, kind=case.kind, n_symbols=case.size)
    without = [decode_without(one, model.codebook, case.window) for one in data.lattices]
    whole = Emitted.of(data.lattices, without, 3, case.size).code_length()
    found = scale.code_length(case.cut, model=model)
    assert found.bits == pytest.approx(whole.bits, rel=0, abs=1e-7)
    assert found.sizes.sum() == data.n_nodes
    if case.name in ("image", "images", "volume"):
        assert (
            len(found.sizes)
            == scale.chunked(case.cut, kind=case.kind, n_symbols=case.size).n_chunks
        )
    monkeypatch.setattr(sums, "BLOCKS", 1)
    assert scale.code_length(case.cut, model=model).bits == pytest.approx(
        whole.bits, rel=0, abs=1e-7
    )


def test_states_of_another_shape_are_refused():
    o = da.from_array(blocky((12, 13), 3, 2), chunks=5)
    model = scale.fit(o, n_states=2, window=1)
    with pytest.raises(core.ParameterError, match="states must have the shapes"):
        scale.evaluate(o, model=model, states=o[:5])
    with pytest.raises(core.ParameterError, match="alpha must be"):
        scale.evaluate(o, model=model, alpha=2.0)
