"""The window that a codebook is learned with, against plain loops."""

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, as_data_set, emit, sample_blobs
from latviz.core.choice import codebook_window as module
from latviz.core.choice.codebook_window import codebook_window
from tests import naive
from tests.core import cases


def some_symbols(shape, seed):
    return emit(
        sample_blobs(shape, n_states=3, scale=4, random_state=seed),
        emission=cases.channel(3, 0.3),
        random_state=seed + 1,
    )


def errors(model, observations, n_states, windows):
    """Return for each w_l the least squared error of left-out nodes over all windows."""
    found = {}
    for w_l in windows:
        codebook = model.fit(observations, n_states=n_states, window=w_l).codebook
        found[w_l] = min(naive.left_out_error(observations, w, codebook) for w in windows)
    return found


@pytest.mark.parametrize("shape", [(200,), (16, 17), (6, 7, 8)])
@pytest.mark.parametrize("seed", [581, 582])
def test_symbols(shape, seed):
    symbols = some_symbols(shape, seed)
    found, codebook = codebook_window(
        as_data_set(symbols, kind="discrete", n_symbols=3), [1, 2, 3], 3
    )
    wanted = errors(DiscreteModel, symbols, 3, [1, 2, 3])
    assert wanted[found] == pytest.approx(min(wanted.values()), rel=1e-9)
    fitted = DiscreteModel.fit(symbols, n_states=3, window=0, codebook_window=found)
    np.testing.assert_array_equal(codebook, fitted.codebook)


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_vectors_wherever_their_zero_is(far):
    vectors = cases.vectors((15, 16), 2, 583)
    found, _ = codebook_window(as_data_set(vectors + far, kind="gaussian"), [1, 2, 3], 3)
    wanted = errors(GaussianModel, vectors, 3, [1, 2, 3])
    assert wanted[found] == pytest.approx(min(wanted.values()), rel=1e-6)


def test_the_windows_that_are_tried_grow_by_half(monkeypatch):
    data, tried = as_data_set(some_symbols((20, 20), 584), kind="discrete", n_symbols=3), []

    def learned(data, w_l, n_states, progress=None):
        tried.append(w_l)
        return np.eye(3)

    monkeypatch.setattr(module, "learned_codebook", learned)
    codebook_window(data, range(21), 3)
    assert tried == [0, 1, 2, 3, 5, 8, 12, 18]


def test_codebooks_of_all_nodes_are_compared_last(monkeypatch):
    """The middle of these data has two states, which are not the three of the rest."""
    symbols = some_symbols((60, 60), 585)
    symbols[20:40, 20:40] = np.where(np.arange(20) < 10, 0, 1)
    data = as_data_set(symbols, kind="discrete", n_symbols=3)
    monkeypatch.setattr(module, "SEEN", 400)
    found, codebook = codebook_window(data, [1, 2, 3, 5], 3)
    fitted = DiscreteModel.fit(symbols, n_states=3, window=0, codebook_window=found)
    np.testing.assert_array_equal(codebook, fitted.codebook)
