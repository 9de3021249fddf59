import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from latviz.core import DiscreteModel, fast_pnn
from tests import naive
from tests.core import cases

N_SYMBOLS = 4
properties = settings(max_examples=40, deadline=None, derandomize=True)
shapes = st_numpy.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=6)
lattices = st_numpy.arrays(np.uint8, shapes, elements=st.integers(0, N_SYMBOLS - 1))
windows = st.integers(0, 7)
seeds = st.integers(0, 10**6)
counts = st.integers(1, 6)


@properties
@given(lattices, windows, counts, seeds)
def test_states_are_nearest_to_signatures_that_sum_to_one(o, window, n_states, seed):
    model = cases.discrete_model(n_states, N_SYMBOLS, window, seed)
    found = model.signature(o)
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=-1), 1.0, rtol=0, atol=1e-6)
    x = naive.signature_discrete(o, window, N_SYMBOLS)
    states = model.decode(o)
    np.testing.assert_array_equal(model.decode([o])[0], states)
    cases.assert_same_states(states, x, model.B)
    clear = cases.clear_nodes(x, model.B)
    np.testing.assert_array_equal(states[clear], naive.decode(x, model.B)[clear])


@properties
@given(lattices, windows, counts, seeds)
def test_evaluation_is_the_sum_over_the_nodes(o, window, n_states, seed):
    model = cases.discrete_model(n_states, N_SYMBOLS, window, seed)
    e = model.evaluate(o, alpha="local")
    alpha = naive.local_alpha(e.states, n_states, window, 0.5)
    wanted = naive.emissions_discrete(o, e.states, model.B)
    wanted += naive.pair_terms(e.states, model.A, alpha, "neighbours")
    np.testing.assert_allclose(e.node_log_likelihood, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(e.log_likelihood, wanted.sum(), rtol=1e-5, atol=1e-5)


@properties
@given(lattices, windows, counts, seeds)
def test_vectors_of_any_lattice(o, window, n_states, seed):
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(N_SYMBOLS, 2))[o] + 0.3 * rng.normal(size=(*o.shape, 2))
    model = cases.gaussian_model(n_states, 2, 1, seed)
    x = naive.signature_gaussian(v, window)
    found = model.signature(v, window=window)
    np.testing.assert_allclose(found, x, rtol=1e-5, atol=1e-5)
    cases.assert_same_states(model.decode(v, window=window), x, model.means)


@properties
@given(lattices, counts, windows)
def test_fitted_models_count_what_they_decode(o, n_states, window):
    model = DiscreteModel.fit(o, n_states=n_states, window=window, n_symbols=N_SYMBOLS)
    np.testing.assert_allclose(model.B.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    states = model.decode(o)
    np.testing.assert_allclose(model.A, naive.adjacency([states], n_states), rtol=1e-9, atol=0)
    error = naive.squared_error(
        naive.signature_discrete(o, window, N_SYMBOLS).reshape(-1, N_SYMBOLS),
        np.ones(o.size),
        model.B,
    )
    if n_states >= len(np.unique(model.signature(o).reshape(-1, N_SYMBOLS), axis=0)):
        assert error < 1e-9 * o.size


@properties
@given(
    st_numpy.arrays(
        np.float64,
        st.tuples(st.integers(1, 40), st.integers(1, 3)),
        elements=st.integers(-4, 4).map(float),
    )
)
def test_trees_of_tied_points(points):
    tree = fast_pnn(points)
    found, masses = naive.distinct(points)
    assert tree.n_max == len(found)
    np.testing.assert_array_equal(
        np.unique(tree.codebook(tree.n_max), axis=0), np.unique(found, axis=0)
    )
    for k in range(2, tree.n_max + 1):
        least = naive.least_merge_cost(tree.codebook(k), tree.weights_of(k))
        np.testing.assert_allclose(tree.costs[tree.n_max - k], least, rtol=1e-6, atol=1e-9)
    assert tree.weights_of(1)[0] == masses.sum()
