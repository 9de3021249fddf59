"""Refining with two chains, where these predict hidden nodes better."""

import numpy as np
from numpy.testing import assert_allclose

from latviz import core
from tests.core.choice.test_factorial import accuracy, nested


def test_two_chains_replace_one_where_they_save_bits() -> None:
    o, truth = nested()
    plain = core.DiscreteModel.fit(o, n_states=4, window=2, n_symbols=3)
    one, two = core.refine(o, model=plain), core.refine_scales(o, model=plain)
    assert two.bits < one.bits
    assert accuracy(two.states, truth) > accuracy(one.states, truth) + 0.1
    assert_allclose(two.model.A, np.exp(two.strength * (two.attraction - 1)), atol=1e-4)
    believed = two.model.decode(o, decoder="belief")
    assert accuracy(believed, truth) > accuracy(two.states, truth) - 0.01


def test_one_scale_is_left_to_one_chain() -> None:
    truth = core.sample_blobs((64, 64), n_states=4, scale=6, random_state=3)
    o = core.emit(truth, emission=0.6 * np.eye(4) + 0.1, random_state=4)
    plain = core.DiscreteModel.fit(o, n_states=4, window=2)
    assert core.refine_scales(o, model=plain) == core.refine(o, model=plain)
