"""The codebook belongs to w_l; states, A, sizes and covariances belong to w."""

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, ParameterError, associativity, noise_indices
from latviz.engine.pictures.demos import make_demo
from tests import naive
from tests.core import cases

SHAPES = [(200,), (19, 23), (7, 8, 9)]


@pytest.mark.parametrize(("window", "codebook_window"), [(3, 1), (0, 2), (2, 2)])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_symbols(shape, window, codebook_window):
    lattices = [cases.blocky(shape, 4, seed) for seed in (1, 2)]
    options = {"n_states": 3, "n_symbols": 4}
    model = DiscreteModel.fit(lattices, window=window, codebook_window=codebook_window, **options)
    assert model.window == window
    np.testing.assert_array_equal(
        model.B, DiscreteModel.fit(lattices, window=codebook_window, **options).B
    )
    states = [naive.decode_exactly(o, window, model.B)[0] for o in lattices]
    np.testing.assert_allclose(model.A, naive.adjacency(states, 3), rtol=1e-9, atol=0)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_vectors(shape):
    v = cases.vectors(shape, 2, 3)
    model = GaussianModel.fit(v, n_states=3, window=2, codebook_window=1)
    np.testing.assert_array_equal(model.means, GaussianModel.fit(v, n_states=3, window=1).means)
    states = [naive.decode_vectors_exactly(v, 2, model.means)[0]]
    np.testing.assert_allclose(model.A, naive.adjacency(states, 3), rtol=1e-9, atol=0)
    covariances = naive.covariances([v], states, model.means)
    np.testing.assert_allclose(model.covariances, covariances, rtol=1e-4, atol=1e-5)


def test_the_default_is_the_paper_s():
    o = cases.blocky((30, 31), 4, 4)
    one = DiscreteModel.fit(o, n_states=3, window=2, codebook_window=2)
    assert one == DiscreteModel.fit(o, n_states=3, window=2)


def test_associativity_follows_w_while_the_codebook_stands_still():
    """A = A(w): the larger the windows, the fewer borders between states."""
    symbols = make_demo("blobs").labels
    found = [
        associativity(DiscreteModel.fit(symbols, n_states=4, window=w, codebook_window=3).A)
        for w in (0, 1, 2, 4, 8)
    ]
    assert found == sorted(found)
    assert found[0] < 0.5
    assert found[-1] > 0.9


@pytest.mark.parametrize("bad", [-1, 1.5, "2"])
def test_a_window_that_is_none(bad):
    o = cases.blocky((9, 9), 3, 5)
    with pytest.raises(ParameterError, match="codebook_window"):
        DiscreteModel.fit(o, n_states=2, window=1, codebook_window=bad)
    with pytest.raises(ParameterError, match="codebook_window"):
        noise_indices(o, n_states=2, window=1, codebook_window=bad)
