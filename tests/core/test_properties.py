import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    associativity,
    fast_pnn,
    inertia,
    local_inertia,
    pair_counts,
)
from tests import naive
from tests.core import cases

N_SYMBOLS = 4
properties = settings(max_examples=40, deadline=None, derandomize=True)
shapes = st_numpy.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=6)
lattices = st_numpy.arrays(np.uint8, shapes, elements=st.integers(0, N_SYMBOLS - 1))
windows = st.integers(0, 7)
seeds = st.integers(0, 10**6)
counts = st.integers(1, 6)


def discrete_model(n_states, seed, window=1):
    A = cases.random_potentials(n_states, seed)
    B = cases.random_symbols(n_states, N_SYMBOLS, seed + 1)
    return DiscreteModel(A=A, B=B, window=window)


def gaussian_model(n_states, seed, n_channels=2, window=1):
    return GaussianModel(
        A=cases.random_potentials(n_states, seed),
        means=np.random.default_rng(seed).normal(size=(n_states, n_channels)),
        covariances=cases.random_covariances(n_states, n_channels, seed),
        window=window,
    )


@properties
@given(lattices, windows, counts, seeds)
def test_states_are_nearest_to_signatures_that_sum_to_one(o, window, n_states, seed):
    model = discrete_model(n_states, seed, window)
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
    model = discrete_model(n_states, seed, window)
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
    model = gaussian_model(n_states, seed)
    x = naive.signature_gaussian(v, window)
    found = model.signature(v, window=window)
    np.testing.assert_allclose(found, x, rtol=1e-5, atol=1e-5)
    cases.assert_same_states(model.decode(v, window=window), x, model.means)


@properties
@given(lattices, counts, seeds, st.permutations(range(N_SYMBOLS)))
def test_the_names_of_the_symbols_do_not_matter(o, n_states, seed, order):
    model = discrete_model(n_states, seed)
    order = np.array(order)
    renamed = DiscreteModel(A=model.A, B=model.B[:, order], window=1)
    clear = cases.clear_nodes(model.signature(o), model.B)
    states = renamed.decode(np.argsort(order)[o])
    np.testing.assert_array_equal(states[clear], model.decode(o)[clear])


@properties
@given(lattices, seeds, st.permutations(range(5)))
def test_the_order_of_the_states_does_not_matter(o, seed, order):
    model = discrete_model(5, seed)
    order = np.array(order)
    other = DiscreteModel(A=model.A[np.ix_(order, order)], B=model.B[order], window=1)
    clear = cases.clear_nodes(model.signature(o), model.B)
    states = order[other.decode(o)]
    np.testing.assert_array_equal(states[clear], model.decode(o)[clear])
    if clear.all():
        likelihoods = [m.evaluate(o).log_likelihood for m in (model, other)]
        np.testing.assert_allclose(likelihoods[0], likelihoods[1], rtol=1e-6, atol=1e-6)


@properties
@given(lattices, st.permutations(range(N_SYMBOLS)))
def test_every_pair_is_counted_twice_whatever_states_are_called(states, order):
    found = pair_counts(states, N_SYMBOLS)
    pairs = sum(states.size // size * (size - 1) for size in states.shape)
    assert found.sum() == 2 * pairs
    np.testing.assert_array_equal(found, found.T)
    permuted = pair_counts(np.argsort(order)[states], N_SYMBOLS)
    np.testing.assert_array_equal(permuted, found[np.ix_(order, order)])


@properties
@given(lattices, counts, seeds, st.data())
def test_flipping_and_transposing_the_lattice(o, n_states, seed, data):
    model = discrete_model(n_states, seed)
    axes = data.draw(st.permutations(range(o.ndim)))
    flipped = data.draw(st.sets(st.integers(0, o.ndim - 1)))

    def moved(array):
        return np.flip(np.transpose(array, axes), tuple(flipped))

    clear = moved(cases.clear_nodes(model.signature(o), model.B))
    np.testing.assert_array_equal(model.decode(moved(o))[clear], moved(model.decode(o))[clear])


@properties
@given(lattices, seeds)
def test_a_window_as_wide_as_the_lattice_has_one_signature(o, seed):
    model = discrete_model(3, seed)
    for window in (max(o.shape) - 1, max(o.shape), 1000):
        x = model.signature(o, window=window).reshape(-1, N_SYMBOLS)
        np.testing.assert_array_equal(x, np.tile(x[:1], (len(x), 1)))
        shares = np.bincount(o.ravel(), minlength=N_SYMBOLS) / o.size
        np.testing.assert_allclose(x[0], shares, rtol=1e-6, atol=0)
        assert np.unique(model.decode(o, window=window)).size == 1


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
@given(lattices, windows)
def test_inertia_is_within_its_range(states, window):
    least = 1 / math.sqrt(N_SYMBOLS)
    of_nodes = local_inertia(states, N_SYMBOLS, window)
    assert of_nodes.min() >= least - 1e-6
    assert of_nodes.max() <= 1 + 1e-6
    mean = inertia(states, N_SYMBOLS, window)
    np.testing.assert_allclose(mean, of_nodes.mean(dtype=np.float64), rtol=1e-6, atol=0)
    np.testing.assert_allclose(inertia(states * 0, N_SYMBOLS, window), 1.0, rtol=1e-6, atol=0)


@properties
@given(counts, seeds)
def test_associativity_is_within_its_range(n_states, seed):
    A = cases.random_potentials(n_states, seed)
    assert 0 <= associativity(A) <= 1
    assert associativity(A + np.eye(n_states)) >= associativity(A)


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
