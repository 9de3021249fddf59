"""Code lengths of observations given all others."""

import math

import numpy as np
import pytest

from latviz.core.choice.cavity import cavity_length
from latviz.core.inference.emission import NormalDensities, SymbolDensities
from latviz.core.inference.field import field_of
from tests import naive, naive_beliefs
from tests.core.inference.test_field import nats_of

B = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
POTENTIALS = np.exp(1.2 * (np.eye(2) - 1))


@pytest.mark.parametrize("shapes", [[(40,)], [(9, 11)], [(3, 4, 5)], [(9, 11), (4, 4)]])
def test_it_is_that_of_all_cavities_and_parameters(shapes):
    rng, fields, nats = np.random.default_rng(1), [], 0.0
    for shape in shapes:
        symbols = rng.integers(0, 3, shape).astype(np.uint8)
        field = field_of(SymbolDensities(B), symbols, shape)
        field.send(POTENTIALS, 4)
        fields.append(field)
        likelihood = {t: list(B[:, symbols[t]]) for t in naive.nodes(shape)}
        _, cavities = naive_beliefs.in_passes(likelihood, POTENTIALS, shape, 4)
        nats += sum(nats_of(cavities, likelihood).values())
    n = sum(math.prod(shape) for shape in shapes)
    found = cavity_length(fields, SymbolDensities(B))
    n_parameters = 2 * 2 + 1
    wanted = (nats / math.log(2) + n_parameters / 2 * math.log2(n)) / n
    assert found.bits == pytest.approx(wanted, abs=2e-3)
    assert found.sizes.sum() == n
    assert found.blocks.sum() == pytest.approx(nats / math.log(2), abs=2e-3 * n)


def test_one_state_has_no_coupling():
    vectors = np.random.default_rng(2).normal(size=(7, 9, 2))
    emission = NormalDensities(np.zeros((1, 2)), np.eye(2)[None])
    field = field_of(emission, vectors, (7, 9))
    nats = (0.5 * (vectors**2).sum(axis=-1) + math.log(2 * math.pi)).sum()
    wanted = (nats / math.log(2) + 5 / 2 * math.log2(63)) / 63
    assert cavity_length([field], emission).bits == pytest.approx(wanted, rel=1e-6)
