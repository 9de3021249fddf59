"""The two kernels that find the least of the scores summed over a window agree."""

import numpy as np
import pytest

from latviz.core.kernels import lanes8
from latviz.core.windows import decoding
from tests.core import cases

KERNELS = (lanes8.least_scores, lanes8.least_small_scores)


def found_by(kernel, symbols, table, window):
    groups = np.ascontiguousarray(table.reshape(len(table), -1, 8).transpose(1, 0, 2))
    height, width = symbols.shape
    columns = np.empty((len(groups), 8 * (width + 2 * window + 1)), np.int32)
    states = np.empty(symbols.shape, np.uint8)
    flat = groups.reshape(len(groups), -1)
    kernel(symbols, flat, window, 0, height, columns, window, table.shape[1], states)
    return states


@pytest.mark.parametrize("n_states", [8, 24, 256])
@pytest.mark.parametrize("most", [0, 1, (2**31 - 1) // 7])
def test_scores_small_and_great_and_ties(n_states, most):
    rng = np.random.default_rng(401)
    symbols = rng.integers(5, size=(40, 53)).astype(np.uint8)
    symbols.flags.writeable = False
    table = rng.integers(-most, most, (5, n_states), endpoint=True).astype(np.int32)
    one, other = (found_by(kernel, symbols, table, 3) for kernel in KERNELS)
    np.testing.assert_array_equal(one, other)
    assert most or not one.any()


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_greatest_totals(sign):
    symbols = np.zeros((1, 3000), np.uint8)
    symbols.flags.writeable = False
    table = np.full((1, 256), sign * (2**31 - 1), np.int32)
    table[0, 77::40] -= 1
    one, other = (found_by(kernel, symbols, table, 2999) for kernel in KERNELS)
    np.testing.assert_array_equal(one, other)
    assert (one == 77).all()


@pytest.mark.parametrize("shape", [(500,), (60, 70), (9, 20, 21)])
@pytest.mark.parametrize("n_states", [2, 4, 5, 9, 12, 13, 255])
def test_decoding_by_either(shape, n_states, monkeypatch):
    o = cases.blocky(shape, 6, 402)
    B = cases.random_symbols(n_states, 6, 403)
    usual = decoding.decode(o, B, 4)
    monkeypatch.setattr(decoding, "SHORT", 0)
    np.testing.assert_array_equal(usual, decoding.decode(o, B, 4))
