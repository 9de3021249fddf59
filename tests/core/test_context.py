"""Bits in context: against plain loops, and that neighbours are told from states."""

import numpy as np
import pytest

from latviz.core.context import bits_in_context
from latviz.core.dataset import as_dataset


def by_loops(symbols, states, n_symbols):
    """Code one node after the other, by what followed its context in its state, plus 1/2."""
    seen, bits, n = {}, 0.0, 0
    for i in range(1, symbols.shape[0]):
        for j in range(1, symbols.shape[1]):
            key = states[i, j], symbols[i, j - 1], symbols[i - 1, j]
            counts = seen.setdefault(key, np.full(n_symbols, 0.5))
            bits -= np.log2(counts[symbols[i, j]] / counts.sum())
            counts[symbols[i, j]] += 1
            n += 1
    return bits / n


def test_symbols_are_coded_as_by_loops():
    rng = np.random.default_rng(581)
    symbols, states = rng.integers(3, size=(20, 30)), rng.integers(2, size=(20, 30), dtype=np.uint8)
    data = as_dataset(symbols, "discrete", 3)
    found = bits_in_context(data, [[np.zeros_like(states)], [states]], [1, 2])
    wanted = [by_loops(symbols, np.zeros_like(states), 3), by_loops(symbols, states, 3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_vectors_are_coded_by_regression():
    rng = np.random.default_rng(582)
    walk = np.cumsum(rng.normal(size=4001))
    data = as_dataset(walk, "gaussian", scalar=True)
    found = bits_in_context(data, [[np.zeros(4001, np.uint8)]], [1])[0]
    rows = np.stack([walk[:-1], np.ones(4000)], axis=1)
    rest = walk[1:] - rows @ np.linalg.lstsq(rows, walk[1:], rcond=None)[0]
    sigma = rest.var() / walk[1:].var()  # in units of the channel's own spread
    wanted = 0.5 * np.log2(2 * np.pi * np.e * sigma) + 0.5 * 3 * np.log2(4000) / 4000
    np.testing.assert_allclose(found, wanted, atol=0.01)


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_states_that_neighbours_tell_save_nothing(kind):
    steps = np.repeat(np.arange(4), 30)[:, None] + np.zeros((120, 100), int)
    rng = np.random.default_rng(583)
    busy = rng.integers(4, size=(120, 100))
    image = np.concatenate([steps, busy], axis=1)
    values = image if kind == "discrete" else image + 0.01 * rng.normal(size=image.shape)
    data = as_dataset(values, kind, scalar=kind == "gaussian")
    kinds = np.repeat(np.uint8([[0, 1]]), 100, axis=1) + np.zeros((120, 1), np.uint8)
    light = np.where(kinds == 0, steps[:, :1] // 2 * 2, 1).astype(np.uint8)
    one, textures, levels = bits_in_context(data, [[kinds * 0], [kinds], [light]], [1, 2, 3])
    assert one - textures > 0.2
    assert textures - levels < 0.1 * (one - textures)


def test_a_lattice_without_inner_nodes():
    data = as_dataset(np.zeros((1, 9), int), "discrete", 2)
    np.testing.assert_array_equal(bits_in_context(data, [[np.zeros((1, 9), np.uint8)]], [1]), 0.0)
