from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from latviz.core import DiscreteModel, ParameterError
from latviz.core.progress import Cancelled
from latviz.core.threads import get_threads, set_threads
from tests import naive
from tests.core import cases
from tests.core.cases import DISCRETE, Recorder, assert_same_rows, assert_same_states, by_name

A = np.array([[0.7, 0.2], [0.1, 0.8]])
B = np.array([[0.8, 0.1, 0.1], [0.2, 0.3, 0.5]])


def fit(case, **options):
    return DiscreteModel.fit(
        list(case.lattices),
        n_states=case.n_states,
        window=case.window,
        n_symbols=case.n_channels,
        **options,
    )


def all_signatures(lattices, window, n_symbols):
    of_each = [naive.signature_discrete(o, window, n_symbols) for o in lattices]
    return np.concatenate([x.reshape(-1, n_symbols) for x in of_each])


@pytest.fixture(scope="module", params=DISCRETE, ids=by_name)
def fitted(request):
    """Return each case and the model that is fitted to it."""
    return request.param, fit(request.param)


@pytest.fixture
def threads():
    """Return the function that sets the number of threads; the number comes back afterwards."""
    before = get_threads()
    yield set_threads
    set_threads(before)


def test_shapes_and_attributes(fitted):
    case, model = fitted
    assert model.A.shape == (case.n_states, case.n_states)
    assert model.B.shape == (case.n_states, case.n_channels)
    assert model.A.dtype == model.B.dtype == np.float64
    assert (model.n_states, model.n_symbols) == model.B.shape
    assert model.window == case.window


def test_rows_of_B_are_distributions(fitted):
    _, model = fitted
    assert (model.B >= 0).all()
    np.testing.assert_allclose(model.B.sum(axis=1), 1.0, rtol=0, atol=1e-6)


def test_fitted_codebook_is_that_of_exact_merging(fitted):
    case, model = fitted
    x = all_signatures(case.lattices, case.window, case.n_channels)
    exact = naive.ExactPNN(x)
    wanted = exact.codebook(case.n_states)
    if exact.is_decided(case.n_states, rtol=1e-4):
        assert_same_rows(model.B, wanted, rtol=1e-5, atol=1e-7)
    ones = np.ones(len(x))
    best = naive.squared_error(x, ones, wanted)
    assert naive.squared_error(x, ones, model.B) <= 1.1 * best + 1e-9


@pytest.mark.parametrize(
    ("shape", "window", "n_symbols"),
    [((30,), 3, 2), ((6, 6), 2, 5), ((6, 6), 4, 8), ((4, 7), 3, 3)],
)
def test_fitted_codebooks_where_no_costs_tie(shape, window, n_symbols):
    decided = 0
    for seed in range(100, 110):
        o = cases.blocky(shape, n_symbols, seed)
        exact = naive.ExactPNN(all_signatures([o], window, n_symbols))
        for n_states in (2, 4, 7):
            if exact.is_decided(n_states, rtol=1e-4):
                options = {"n_states": n_states, "window": window, "n_symbols": n_symbols}
                model = DiscreteModel.fit(o, **options)
                assert_same_rows(model.B, exact.codebook(n_states), rtol=1e-5, atol=1e-7)
                decided += 1
    assert decided >= 15


def test_fitted_codebook_of_many_signatures():
    o = cases.blocky((60, 55), 8, 141)
    x = all_signatures([o], 3, 8)
    exact = naive.ExactPNN(x)
    assert len(exact.points) > 1024
    ones = np.ones(len(x))
    for n_states in (2, 4, 8, 30):
        model = DiscreteModel.fit(o, n_states=n_states, window=3, n_symbols=8)
        best = naive.squared_error(x, ones, exact.codebook(n_states))
        assert naive.squared_error(x, ones, model.B) < 1.1 * best


def test_decoded_states_are_nearest(fitted):
    case, model = fitted
    for o in case.lattices:
        states = model.decode(o)
        assert states.dtype == np.uint8
        x = naive.signature_discrete(o, case.window, case.n_channels)
        assert_same_states(states, x, model.B)


@pytest.mark.parametrize("case", DISCRETE, ids=by_name)
@pytest.mark.parametrize("n_states", [1, 2, 5, 40])
def test_decoding_with_given_symbols(case, n_states):
    B = cases.random_symbols(n_states, case.n_channels, n_states)
    model = DiscreteModel(A=np.eye(n_states), B=B, window=case.window)
    for o in case.lattices:
        x = naive.signature_discrete(o, case.window, case.n_channels)
        assert_same_states(model.decode(o), x, B)


@pytest.mark.parametrize("window", [0, 1, 4, 13, 50])
def test_the_given_window_comes_before_the_model_s(window):
    o = cases.blocky((11, 14), 4, 142)
    model = DiscreteModel(A=np.eye(3), B=cases.random_symbols(3, 4, 143), window=2)
    states = model.decode(o, window=window)
    assert_same_states(states, naive.signature_discrete(o, window, 4), model.B)
    assert model.window == 2


@pytest.mark.parametrize(("shape", "window"), [((30, 40), 1), ((20000, 3), 10000), ((400,), 150)])
@pytest.mark.parametrize("spread", [1e-3, 1e-5])
def test_codewords_near_each_other(shape, window, spread):
    o = cases.blocky(shape, 8, 171, block=5)
    shares = np.bincount(o.ravel(), minlength=8) / o.size
    B = shares + spread * np.random.default_rng(172).uniform(-1, 1, size=(255, 8))
    B /= B.sum(axis=1, keepdims=True)
    states = DiscreteModel(A=np.eye(255), B=B, window=window).decode(o)
    places = np.random.default_rng(173).integers(shape, size=(12, len(shape)))
    x = np.array([naive.signature_at(o, tuple(t), window, 8) for t in places])
    assert_same_states(states[tuple(places.T)], x, B)


def test_as_many_states_as_a_byte_tells_apart():
    B = cases.random_symbols(255, 3, 144)
    o = cases.white((14, 15), 3, 145)
    states = DiscreteModel(A=np.eye(255), B=B, window=1).decode(o)
    assert_same_states(states, naive.signature_discrete(o, 1, 3), B)
    assert states.max() > 127


def test_more_symbols_than_a_byte_tells_apart():
    o = np.random.default_rng(146).integers(1000, size=(12, 13)).astype(np.uint16)
    B = cases.random_symbols(4, 1000, 147)
    model = DiscreteModel(A=np.eye(4), B=B, window=2)
    x = naive.signature_discrete(o, 2, 1000)
    np.testing.assert_allclose(model.signature(o), x, rtol=1e-6, atol=1e-7)
    assert_same_states(model.decode(o), x, B)


@pytest.mark.parametrize(
    ("o", "B", "wanted"),
    [
        ([0, 1], [[0.75, 0.25], [0.25, 0.75]], 0),
        ([0, 1], [[0.25, 0.75], [0.75, 0.25]], 0),
        ([0, 1], [[0.8, 0.2], [0.2, 0.8]], 0),
        ([0, 1], [[0.9, 0.1], [0.3, 0.7], [0.7, 0.3]], 1),
        ([0, 1], [[0.2, 0.8], [0.5, 0.5], [0.5, 0.5]], 1),
        ([0, 1, 2], np.eye(3), 0),
        ([0, 1, 2], np.eye(3)[::-1], 0),
        ([0, 0, 0, 1], [[1, 0], [0.5, 0.5], [0, 1]], 0),
        ([0, 0, 0, 1], [[0, 1], [0.5, 0.5], [1, 0]], 1),
        ([0, 1, 2, 3], np.full((255, 4), 0.25), 0),
    ],
)
def test_the_smallest_of_tied_states_is_taken(o, B, wanted):
    model = DiscreteModel(A=np.eye(len(B)), B=np.array(B, dtype=float), window=9)
    np.testing.assert_array_equal(model.decode(np.array(o)), np.full(len(o), wanted))


@pytest.mark.parametrize("seed", range(8))
def test_no_tie_goes_to_another_state(seed):
    rng = np.random.default_rng(150 + seed)
    B = rng.multinomial(8, [0.25, 0.25, 0.5], size=9) / 8
    model = DiscreteModel(A=np.eye(9), B=B, window=1)
    o = cases.blocky((15, 14), 3, 150 + seed)
    states, n_ties = naive.decode_exactly(o, 1, B)
    assert n_ties > 5
    np.testing.assert_array_equal(model.decode(o), states)


def test_fitted_potentials_count_adjacent_states(fitted):
    case, model = fitted
    states = [model.decode(o) for o in case.lattices]
    wanted = naive.adjacency(states, case.n_states)
    np.testing.assert_allclose(model.A, wanted, rtol=1e-9, atol=0)
    assert (model.A.sum(axis=1) <= 1 + 1e-9).all()


@pytest.mark.parametrize("smoothing", [0.25, 1.0, 50.0])
def test_smoothing_adds_counts_to_the_unsmoothed_model(fitted, smoothing):
    case, plain = fitted
    model = fit(case, smoothing=smoothing)
    states = [plain.decode(o) for o in case.lattices]
    A = naive.adjacency(states, case.n_states, smoothing)
    np.testing.assert_allclose(model.A, A, rtol=1e-9, atol=0)
    B = naive.smoothed_symbols(plain.B, states, smoothing)
    np.testing.assert_allclose(model.B, B, rtol=1e-6, atol=1e-9)
    assert model.A.min() > 0
    assert model.B.min() > 0


def test_potentials_of_a_known_lattice():
    o = np.array([0, 0, 0, 0, 1, 1, 1, 1], dtype=np.uint8)
    model = DiscreteModel.fit(o, n_states=2, window=0, n_symbols=2)
    zero = model.decode(np.array([0], dtype=np.uint8))[0]
    np.testing.assert_allclose(model.B[zero], [1, 0], rtol=0, atol=1e-12)
    wanted = [[6 / 8, 1 / 8], [1 / 8, 6 / 8]]
    np.testing.assert_allclose(model.A, wanted, rtol=1e-12, atol=0)


def test_one_node_has_no_pairs():
    model = DiscreteModel.fit(np.array([[1]]), n_states=1, window=3, n_symbols=4)
    np.testing.assert_array_equal(model.A, [[0.0]])
    np.testing.assert_allclose(model.B, [[0, 1, 0, 0]], rtol=0, atol=1e-12)


def test_one_lattice_is_a_list_of_one():
    o = cases.blocky((12, 13), 4, 160)
    options = {"n_states": 3, "window": 1, "n_symbols": 4}
    alone = DiscreteModel.fit(o, **options)
    for data in ([o], (o,)):
        model = DiscreteModel.fit(data, **options)
        np.testing.assert_array_equal(model.A, alone.A)
        np.testing.assert_array_equal(model.B, alone.B)


def test_lattices_of_a_list_do_not_touch():
    top, bottom = cases.blocky((6, 9), 3, 161), cases.blocky((7, 9), 3, 162)
    options = {"n_states": 3, "window": 2, "n_symbols": 3}
    apart = DiscreteModel.fit([top, bottom], **options)
    joined = DiscreteModel.fit(np.concatenate([top, bottom]), **options)
    assert np.abs(apart.A - joined.A).max() > 1e-3
    assert np.abs(apart.B - joined.B).max() > 1e-3


def test_the_number_of_symbols_is_one_more_than_the_largest():
    o = cases.blocky((10, 10), 4, 163)
    model = DiscreteModel.fit([o, np.array([[6]])], n_states=3, window=1, n_symbols=None)
    assert model.n_symbols == 7


def test_symbols_that_never_occur_have_probability_zero():
    o = cases.blocky((10, 10), 3, 164)
    model = DiscreteModel.fit(o, n_states=3, window=1, n_symbols=6)
    np.testing.assert_array_equal(model.B[:, 3:], 0)


def test_states_beyond_the_distinct_signatures_are_taken_by_no_node():
    o = np.array([[0, 0, 1], [2, 2, 2]], dtype=np.uint8)
    model = DiscreteModel.fit(o, n_states=6, window=0, n_symbols=3)
    assert model.B.shape == (6, 3)
    assert_same_rows(model.B[:3], np.eye(3), rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.B.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    states = model.decode(o)
    assert set(states.ravel().tolist()) == {0, 1, 2}
    np.testing.assert_array_equal(model.A[3:], 0)
    np.testing.assert_allclose(model.A, naive.adjacency([states], 6), rtol=1e-12, atol=0)
    assert model.evaluate(o).n_impossible == 0


def test_fitting_is_deterministic_and_leaves_the_observation_alone():
    o = cases.blocky((40, 50), 8, 165)
    before = o.copy()
    o.flags.writeable = False
    one, other = (DiscreteModel.fit(o, n_states=6, window=2, n_symbols=8) for _ in range(2))
    np.testing.assert_array_equal(one.A, other.A)
    np.testing.assert_array_equal(one.B, other.B)
    np.testing.assert_array_equal(o, before)


@pytest.mark.parametrize("shape", [(120_000,), (300, 211), (3, 5000), (24, 25, 60)])
def test_results_do_not_depend_on_the_threads(threads, shape):
    o = cases.blocky(shape, 8, 166, block=6)
    found = []
    for n_threads in (1, 2, 5):
        threads(n_threads)
        model = DiscreteModel.fit(o, n_states=5, window=2, n_symbols=8)
        e = model.evaluate(o, alpha="local")
        found.append((model.A, model.B, model.decode(o), model.signature(o), *parts(e)))
    for other in found[1:]:
        for one_result, other_result in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one_result, other_result)


def parts(e):
    return e.log_likelihood, e.data_term, e.pair_term, e.node_log_likelihood, e.states


def test_models_serve_several_threads_at_once(threads):
    threads(2)
    o = cases.blocky((150, 160), 8, 169)
    model = DiscreteModel(A=np.eye(5), B=cases.random_symbols(5, 8, 170), window=4)
    wanted = model.decode(o)
    with ThreadPoolExecutor(4) as pool:
        for states in pool.map(model.decode, [o] * 20):
            np.testing.assert_array_equal(states, wanted)


def test_the_number_of_threads_can_be_read(threads):
    threads(3)
    assert get_threads() == 3
    with pytest.raises(ParameterError, match=r"\b0\b"):
        threads(0)
    assert get_threads() == 3


def test_progress_is_told_of_rising_fractions():
    recorder = Recorder()
    o = cases.blocky((80, 90), 8, 167)
    DiscreteModel.fit(o, n_states=4, window=2, n_symbols=8, progress=recorder)
    assert len(recorder.fractions) >= 2
    assert recorder.fractions == sorted(recorder.fractions)
    assert recorder.fractions[0] >= 0
    assert recorder.fractions[-1] <= 1


@pytest.mark.parametrize("reports", [0, 1])
def test_progress_can_cancel(reports):
    o = cases.blocky((80, 90), 8, 168)
    with pytest.raises(Cancelled):
        DiscreteModel.fit(o, n_states=4, window=2, progress=Recorder(cancel_after=reports))


def test_models_are_frozen():
    model = DiscreteModel(A=A, B=B, window=3)
    for name in ("A", "B", "window"):
        with pytest.raises(AttributeError):
            setattr(model, name, getattr(model, name))
    for array in (model.A, model.B):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0.5


def test_a_model_keeps_its_own_arrays():
    mine, yours = A.copy(), B.copy()
    model = DiscreteModel(A=mine, B=yours, window=3)
    mine[:], yours[:] = 9, 9
    np.testing.assert_array_equal(model.A, A)
    np.testing.assert_array_equal(model.B, B)


def test_a_model_takes_lists_of_numbers():
    model = DiscreteModel(A=A.tolist(), B=B.tolist(), window=np.int64(1))
    np.testing.assert_array_equal(model.B, B)
    assert model.decode(np.array([[0, 2]])).shape == (1, 2)


@pytest.mark.parametrize(
    ("changed", "given"),
    [
        ({"A": np.ones((2, 3))}, r"\(2, 3\)"),
        ({"A": np.ones((3, 3))}, r"\(2, 3\)"),
        ({"A": np.ones(4)}, r"\(4,\)"),
        ({"A": [[0.5, -0.25], [0.1, 0.1]]}, r"-0\.25"),
        ({"A": [[0.5, np.nan], [0.1, 0.1]]}, r"\bnan\b"),
        ({"A": [[0.5, np.inf], [0.1, 0.1]]}, r"\binf\b"),
        ({"B": np.ones(4) / 4}, r"\(4,\)"),
        ({"B": [[0.5, 0.5], [0.5, 0.25]]}, r"0\.75"),
        ({"B": [[0.5, 0.5], [1.5, -0.5]]}, r"-0\.5"),
        ({"B": [[0.5, 0.5], [np.nan, 0.5]]}, r"\bnan\b"),
        ({"window": -1}, "-1"),
        ({"window": 1.5}, r"1\.5"),
    ],
)
def test_unusable_parameters(changed, given):
    with pytest.raises(ParameterError, match=given):
        DiscreteModel(**{"A": A, "B": B, "window": 3, **changed})


@pytest.mark.parametrize(
    ("changed", "given"),
    [
        ({"n_states": 0}, r"\b0\b"),
        ({"n_states": -3}, "-3"),
        ({"n_states": 256}, r"\b256\b"),
        ({"n_states": 2.5}, r"2\.5"),
        ({"window": -1}, "-1"),
        ({"n_symbols": 3}, r"\b3\b"),
        ({"n_symbols": 0}, r"\b0\b"),
        ({"smoothing": -0.5}, r"-0\.5"),
        ({"smoothing": np.nan}, r"\bnan\b"),
        ({"observations": np.zeros((0, 4), dtype=np.uint8)}, r"\(0, 4\)"),
        ({"observations": []}, "empty"),
        ({"observations": np.array([[0, -7]])}, "-7"),
        ({"observations": np.array([[0.0, 0.5]])}, "float64"),
        ({"observations": [np.zeros((3, 3), dtype=int), np.zeros(4, dtype=int)]}, r"\b1\b"),
    ],
)
def test_fitting_with_unusable_arguments(changed, given):
    usable = {"n_states": 2, "window": 1, "n_symbols": 4}
    usable["observations"] = np.array([[0, 1, 1, 3], [2, 0, 0, 3]])
    options = {**usable, **changed}
    with pytest.raises(ParameterError, match=given):
        DiscreteModel.fit(options.pop("observations"), **options)


@pytest.mark.parametrize("method", ["signature", "decode", "evaluate"])
@pytest.mark.parametrize(
    ("o", "window", "given"),
    [
        (np.array([[0, 3]]), None, r"\b3\b"),
        (np.array([[0, 3]], dtype=np.uint8), None, r"\b3\b"),
        (np.array([0, -2]), None, "-2"),
        (np.array([0, 300]), None, r"\b300\b"),
        (np.array([0.0, 1.0]), None, "float64"),
        (np.zeros((4, 0), dtype=int), None, r"\(4, 0\)"),
        (np.array([0, 1]), -1, "-1"),
        (np.array([0, 1]), 0.5, r"0\.5"),
    ],
)
def test_unusable_observations(method, o, window, given):
    model = DiscreteModel(A=A, B=B, window=1)
    with pytest.raises(ParameterError, match=given):
        getattr(model, method)(o, window=window)
