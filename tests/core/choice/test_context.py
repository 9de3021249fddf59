"""Code lengths in context: against plain loops, and what neighbours leave for states to tell."""

import numpy as np
import pytest

from latviz.core.choice import context
from latviz.core.choice.context import NOISE, Context, context_of
from latviz.core.data.data_set import as_data_set
from tests import naive
from tests.core import cases


@pytest.mark.parametrize(
    ("shape", "distance"),
    [((60,), 1), ((60,), 4), ((9, 14), 1), ((11, 9), 3), ((5, 5), 1), ((4, 5, 6), 1)],
)
@pytest.mark.parametrize("n_states", [1, 3])
def test_as_by_loops(shape, distance, n_states):
    states = cases.blocks(shape, n_states, 591).astype(np.uint8)
    symbols, vectors = cases.blocky(shape, 5, 592), cases.vectors(shape, 2, 593)
    for kind, values, given in (
        ("discrete", symbols, symbols[..., None]),
        ("gaussian", *2 * (vectors,)),
    ):
        found = context_of(as_data_set(values, kind), distance).code_length([states], n_states)
        wanted = naive.context_code_length([given], [states], n_states, distance, NOISE)
        np.testing.assert_allclose(found.bits, wanted, rtol=1e-6, atol=1e-6)
        n_inner = np.prod([n - 2 * distance for n in shape])
        assert found.sizes.sum() == n_inner


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_lattices_of_other_ranges_as_by_loops(offset):
    """Each lattice has a fixed point of its own, but their rows are those of one data set."""
    one, other = cases.vectors((9, 14), 2, 593), 3 * cases.vectors((11, 8), 2, 594) + 5
    lattices = [one + offset, other + offset]
    states = [cases.blocks(v.shape[:2], 2, 591).astype(np.uint8) for v in lattices]
    found = context_of(as_data_set(lattices, "gaussian"), 1).code_length(states, 2)
    wanted = naive.context_code_length([one, other], states, 2, 1, NOISE)
    np.testing.assert_allclose(found.bits, wanted, rtol=1e-5, atol=0.0)


def test_of_several_lattices_those_count_that_have_inner_nodes():
    rng = np.random.default_rng(594)
    one, flat = rng.integers(4, size=(20, 30)), rng.integers(4, size=(2, 30))
    states = [rng.integers(2, size=o.shape, dtype=np.uint8) for o in (flat, one)]
    both = Context([flat, one], 4, 1).code_length(states, 2)
    alone = Context([one], 4, 1).code_length(states[1:], 2)
    assert both.bits == pytest.approx(alone.bits, rel=1e-12)
    assert Context([flat], 4, 1).code_length(states[:1], 2).bits == 0.0
    assert Context([flat], 4, 1).code_length(states[:1], 2).standard_error == 0.0


def test_large_data_sets_are_estimated_from_some_rows(monkeypatch):
    rng = np.random.default_rng(595)
    symbols = rng.integers(4, size=(90, 80)) + 4 * cases.blocks((90, 80), 2, 596)
    states = cases.blocks((90, 80), 2, 596).astype(np.uint8)
    whole = Context([symbols], 8, 1).code_length([states], 2)
    monkeypatch.setattr(context, "NODES", 90 * 80 // 3)
    some = Context([symbols], 8, 1).code_length([states], 2)
    assert some.sizes.sum() == 30 * 78
    assert some.bits == pytest.approx(whole.bits, abs=0.1)


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_states_that_neighbours_tell_save_nothing(kind):
    steps = np.repeat(np.arange(4), 30)[:, None] + np.zeros((120, 100), int)
    rng = np.random.default_rng(583)
    busy = rng.integers(4, size=(120, 100))
    image = np.concatenate([steps + rng.integers(2, size=(120, 100)), busy], axis=1)
    data = as_data_set(
        image if kind == "discrete" else image.astype(float), kind, scalar=kind == "gaussian"
    )
    kinds = np.repeat(np.uint8([[0, 1]]), 100, axis=1) + np.zeros((120, 1), np.uint8)
    light = np.where(kinds == 0, steps[:, :1] // 2 * 2, 1).astype(np.uint8)
    one, textures, levels = (
        context_of(data, 1).code_length([states], n).bits
        for n, states in enumerate((kinds * 0, kinds, light), start=1)
    )
    assert one - textures > 0.2
    assert textures - levels < 0.1 * (one - textures)


def test_constant_channels_cost_nothing_special():
    flat = np.zeros((12, 13, 2))
    flat[..., 0] = np.random.default_rng(597).normal(size=(12, 13))
    found = context_of(as_data_set(flat, "gaussian"), 1).code_length(
        [np.zeros((12, 13), np.uint8)], 1
    )
    assert np.isfinite(found.bits)
