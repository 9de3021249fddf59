import numpy as np
import pytest

from latviz.core import GaussianModel, ParameterError
from latviz.core.model.learning import scatter_of
from latviz.core.progress import Cancelled
from latviz.core.threads import get_threads, set_threads
from tests import naive
from tests.core import cases
from tests.core.cases import GAUSSIAN, Recorder, assert_same_rows, assert_same_states, by_name

A = np.array([[0.7, 0.2], [0.1, 0.8]])
MEANS = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])
COVARIANCES = np.array([np.eye(3), 2 * np.eye(3)])


def fit(case, **options):
    return GaussianModel.fit(
        list(case.lattices), n_states=case.n_states, window=case.window, **options
    )


def all_signatures(lattices, window):
    of_each = [naive.signature_gaussian(v, window) for v in lattices]
    return np.concatenate([x.reshape(-1, x.shape[-1]) for x in of_each])


def given_model(means, window, scalar=False):
    N, M = means.shape
    covariances = np.tile(np.eye(M), (N, 1, 1))
    return GaussianModel(
        A=np.ones((N, N)), means=means, covariances=covariances, window=window, scalar=scalar
    )


@pytest.fixture(scope="module", params=GAUSSIAN, ids=by_name)
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
    N, M = case.n_states, case.n_channels
    assert model.A.shape == (N, N)
    assert model.means.shape == (N, M)
    assert model.covariances.shape == (N, M, M)
    assert model.A.dtype == model.means.dtype == model.covariances.dtype == np.float64
    assert model.n_states == N
    assert model.window == case.window
    assert model.scalar is False


def test_fitted_codebook_is_that_of_exact_merging(fitted):
    case, model = fitted
    exact = naive.ExactPNN(all_signatures(case.lattices, case.window))
    assert exact.is_decided(case.n_states, rtol=1e-4)
    assert_same_rows(model.means, exact.codebook(case.n_states), rtol=1e-5, atol=1e-6)


def test_fitted_codebook_of_many_signatures():
    v = cases.vectors((48, 50), 3, 201)
    x = all_signatures([v], 2)
    exact, ones = naive.ExactPNN(x), np.ones(len(x))
    for n_states in (2, 4, 8, 30):
        model = GaussianModel.fit(v, n_states=n_states, window=2)
        best = naive.squared_error(x, ones, exact.codebook(n_states))
        assert naive.squared_error(x, ones, model.means) < 1.1 * best


def test_decoded_states_are_nearest(fitted):
    case, model = fitted
    for v in case.lattices:
        states = model.decode(v)
        assert states.dtype == np.uint8
        assert_same_states(states, naive.signature_gaussian(v, case.window), model.means)


@pytest.mark.parametrize("case", GAUSSIAN, ids=by_name)
@pytest.mark.parametrize("n_states", [1, 2, 5, 40])
def test_decoding_with_given_means(case, n_states):
    means = np.random.default_rng(n_states).normal(size=(n_states, case.n_channels)) * 2
    for v in case.lattices:
        states = given_model(means, case.window).decode(v)
        assert_same_states(states, naive.signature_gaussian(v, case.window), means)


@pytest.mark.parametrize("window", [0, 1, 4, 12, 50])
def test_the_given_window_comes_before_the_model_s(window):
    v = cases.vectors((11, 12), 2, 202)
    model = given_model(np.random.default_rng(203).normal(size=(4, 2)), 2)
    states = model.decode(v, window=window)
    assert_same_states(states, naive.signature_gaussian(v, window), model.means)
    assert model.window == 2


@pytest.mark.parametrize(
    ("scale", "offset"), [(1e-6, 0.0), (60.0, 128.0), (1e9, 0.0), (1.0, 500.0), (1.0, -3e4)]
)
def test_other_units(scale, offset):
    v = cases.vectors((12, 13), 3, 204) * scale + offset
    model = GaussianModel.fit(v, n_states=4, window=1)
    x = naive.signature_gaussian(v, 1)
    assert_same_states(model.decode(v), x, model.means, tolerance=1e-5 * scale**2)
    exact = naive.ExactPNN(x.reshape(-1, 3)).codebook(4)
    assert_same_rows(model.means, exact, rtol=1e-5, atol=1e-5 * scale)
    wanted = naive.covariances([v], [model.decode(v)], model.means)
    assert model.ridge == 0.0
    np.testing.assert_allclose(model.covariances, wanted, rtol=1e-4, atol=1e-5 * scale**2)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float16, ">f8"])
def test_vectors_of_other_types(dtype):
    v = (10 * np.abs(cases.vectors((9, 10), 3, 219))).astype(dtype)
    model, wanted = fit_vectors(v), fit_vectors(v.astype(np.float64))
    np.testing.assert_array_equal(model.means, wanted.means)
    np.testing.assert_array_equal(model.covariances, wanted.covariances)
    np.testing.assert_array_equal(model.decode(v), wanted.decode(v.astype(np.float64)))
    likelihood = wanted.evaluate(v.astype(np.float64)).log_likelihood
    np.testing.assert_allclose(model.evaluate(v).log_likelihood, likelihood, rtol=1e-6, atol=0)


def test_one_channel_far_larger_than_the_others():
    v = cases.vectors((12, 13), 3, 205) * np.array([1e4, 1.0, 1e-3])
    means = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1e4, 1.0, 0.0]])
    x = naive.signature_gaussian(v, 1)
    assert_same_states(given_model(means, 1).decode(v), x, means, tolerance=1e-4)


@pytest.mark.parametrize(
    ("v", "means", "wanted"),
    [
        ([[1.0], [1.0]], [[0.0], [2.0]], 0),
        ([[1.0], [1.0]], [[2.0], [0.0]], 0),
        ([[0.0], [2.0]], [[5.0], [1.5], [0.5]], 1),
        ([[0.0, 2.0], [2.0, 0.0]], [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]], 0),
        ([[0.5, 0.5]], [[3.0, 3.0], [1.0, 0.0], [0.0, 1.0]], 1),
        ([[4.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]], 0),
    ],
)
def test_the_smallest_of_tied_states_is_taken(v, means, wanted):
    states = given_model(np.array(means), 5).decode(np.array(v))
    np.testing.assert_array_equal(states, np.full(len(v), wanted))


def test_fitted_potentials_count_adjacent_states(fitted):
    case, model = fitted
    states = [model.decode(v) for v in case.lattices]
    wanted = naive.adjacency(states, case.n_states)
    np.testing.assert_allclose(model.A, wanted, rtol=1e-9, atol=0)


@pytest.mark.parametrize("smoothing", [0.25, 10.0])
def test_smoothing_adds_counts_to_the_potentials_alone(fitted, smoothing):
    case, plain = fitted
    model = fit(case, smoothing=smoothing)
    states = [plain.decode(v) for v in case.lattices]
    wanted = naive.adjacency(states, case.n_states, smoothing)
    np.testing.assert_allclose(model.A, wanted, rtol=1e-9, atol=0)
    np.testing.assert_array_equal(model.means, plain.means)
    np.testing.assert_array_equal(model.covariances, plain.covariances)


def test_fitted_covariances_are_about_the_codewords(fitted):
    case, model = fitted
    states = [model.decode(v) for v in case.lattices]
    wanted = naive.covariances(case.lattices, states, model.means)
    assert model.ridge == 0.0
    np.testing.assert_allclose(model.covariances, wanted, rtol=1e-5, atol=1e-6)


def assert_ridge(model, wanted):
    added = model.covariances - wanted
    diagonals = np.diagonal(added, axis1=1, axis2=2)
    np.testing.assert_allclose(diagonals.max(), model.ridge, rtol=1e-3, atol=1e-12)
    for matrix, diagonal in zip(added, diagonals, strict=True):
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-2, atol=1e-9)
        np.testing.assert_allclose(matrix - np.diag(diagonal), 0, rtol=0, atol=1e-5)


@pytest.mark.parametrize("constant", [0.0, 7.0])
def test_a_constant_channel_gets_a_ridge(constant):
    v = cases.vectors((10, 11), 3, 206)
    v[..., 1] = constant
    model = GaussianModel.fit(v, n_states=3, window=1)
    assert 0 < model.ridge < 1
    assert_ridge(model, naive.covariances([v], [model.decode(v)], model.means))
    assert np.isfinite(model.evaluate(v).log_likelihood)


def test_channels_that_depend_on_each_other_get_a_ridge():
    v = cases.vectors((10, 11), 2, 207)
    v = np.concatenate([v, v[..., :1] + v[..., 1:]], axis=-1)
    model = GaussianModel.fit(v, n_states=2, window=1)
    assert 0 < model.ridge < 1
    assert np.linalg.eigvalsh(model.covariances).min() > 0
    assert np.isfinite(model.evaluate(v).log_likelihood)


def test_a_lattice_of_one_vector_gets_a_ridge():
    v = np.tile([2.0, 5.0], (6, 7, 1))
    model = GaussianModel.fit(v, n_states=1, window=1)
    assert model.ridge > 0
    np.testing.assert_allclose(model.means, [[2.0, 5.0]], rtol=1e-6, atol=0)
    assert np.isfinite(model.evaluate(v).log_likelihood)


def test_as_many_states_as_distinct_vectors_gets_a_ridge():
    v = np.array([0.0, 0.0, 5.0, 5.0, 9.0])
    model = GaussianModel.fit(v, n_states=3, window=0)
    assert model.ridge > 0
    np.testing.assert_allclose(np.sort(model.means[:, 0]), [0, 5, 9], rtol=0, atol=1e-5)
    assert np.isfinite(model.evaluate(v).log_likelihood)


def test_a_sequence_of_numbers_has_one_channel():
    v = cases.vectors((40,), 1, 208)
    for data in (v[:, 0], [v[:, 0]]):
        model = GaussianModel.fit(data, n_states=3, window=1)
        assert model.means.shape == (3, 1)
        assert model.scalar is True
        np.testing.assert_array_equal(model.means, fit_vectors(v).means)
        np.testing.assert_array_equal(model.decode(v[:, 0]), fit_vectors(v).decode(v))
        assert model.signature(v[:, 0]).shape == (40, 1)


def fit_vectors(v):
    return GaussianModel.fit(v, n_states=3, window=1)


@pytest.mark.parametrize("shape", [(9, 8), (5, 4, 3)])
def test_scalar_lattices_have_one_channel(shape):
    v = cases.vectors(shape, 1, 209)
    scalar = GaussianModel.fit(v[..., 0], n_states=3, window=1, scalar=True)
    model = fit_vectors(v)
    assert scalar.scalar is True
    np.testing.assert_array_equal(scalar.A, model.A)
    np.testing.assert_array_equal(scalar.means, model.means)
    np.testing.assert_array_equal(scalar.covariances, model.covariances)
    np.testing.assert_array_equal(scalar.decode(v[..., 0]), model.decode(v))
    e, wanted = scalar.evaluate(v[..., 0]), model.evaluate(v)
    np.testing.assert_array_equal(e.node_log_likelihood, wanted.node_log_likelihood)


def test_the_last_axis_is_the_channels_unless_scalar():
    v = cases.vectors((9,), 3, 210)
    assert GaussianModel.fit(v, n_states=2, window=1).means.shape == (2, 3)
    assert GaussianModel.fit(v, n_states=2, window=1, scalar=True).means.shape == (2, 1)


def test_one_lattice_is_a_list_of_one():
    v = cases.vectors((12, 13), 2, 211)
    alone = GaussianModel.fit(v, n_states=3, window=1)
    for data in ([v], (v,)):
        model = GaussianModel.fit(data, n_states=3, window=1)
        np.testing.assert_array_equal(model.A, alone.A)
        np.testing.assert_array_equal(model.means, alone.means)
        np.testing.assert_array_equal(model.covariances, alone.covariances)


def test_states_beyond_the_distinct_signatures_are_taken_by_no_node():
    v = np.array([0.0, 3.0, 0.0, 8.0, 8.5, 7.5, 3.5, 0.5])
    model = GaussianModel.fit(v, n_states=4, window=9)
    np.testing.assert_allclose(model.means, np.full((4, 1), v.mean()), rtol=1e-6, atol=0)
    np.testing.assert_array_equal(model.decode(v), np.zeros(8))
    np.testing.assert_array_equal(model.A[1:], 0)
    assert model.ridge > 0
    np.testing.assert_allclose(model.covariances[0], [[v.var()]], rtol=1e-5, atol=0)
    assert np.isfinite(model.evaluate(v).log_likelihood)


def test_one_vector_far_from_the_others():
    v = cases.vectors((12, 13), 2, 218)
    v[3, 4] = [2e4, -2e4]
    means = np.array([[-2.0, 0.0], [0.0, 2.0], [2.0, 1.0]])
    x = naive.signature_gaussian(v, 1)
    model = given_model(means, 1)
    np.testing.assert_allclose(model.signature(v), x, rtol=1e-3, atol=1e-3)
    assert_same_states(model.decode(v), x, means, tolerance=0.01)


def test_fitting_is_deterministic_and_leaves_the_vectors_alone():
    v = cases.vectors((40, 50), 3, 212)
    before = v.copy()
    v.flags.writeable = False
    one, other = (GaussianModel.fit(v, n_states=6, window=2) for _ in range(2))
    np.testing.assert_array_equal(one.A, other.A)
    np.testing.assert_array_equal(one.means, other.means)
    np.testing.assert_array_equal(one.covariances, other.covariances)
    np.testing.assert_array_equal(v, before)


@pytest.mark.parametrize("shape", [(60_000,), (180, 170), (3, 4000), (20, 21, 40)])
def test_results_do_not_depend_on_the_threads(threads, shape):
    v = cases.vectors(shape, 3, 213)
    found = []
    for n_threads in (1, 2, 5):
        threads(n_threads)
        model = GaussianModel.fit(v, n_states=5, window=2)
        e = model.evaluate(v, alpha="local")
        arrays = model.A, model.means, model.covariances, model.decode(v), model.signature(v)
        found.append((*arrays, e.log_likelihood, e.data_term, e.pair_term, e.node_log_likelihood))
    for other in found[1:]:
        for one_result, other_result in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one_result, other_result)


def test_progress_is_told_of_rising_fractions():
    recorder = Recorder()
    GaussianModel.fit(cases.vectors((70, 60), 3, 214), n_states=4, window=2, progress=recorder)
    assert len(recorder.fractions) >= 2
    assert recorder.fractions == sorted(recorder.fractions)
    assert recorder.fractions[0] >= 0
    assert recorder.fractions[-1] <= 1


@pytest.mark.parametrize("reports", [0, 1])
def test_progress_can_cancel(reports):
    v = cases.vectors((70, 60), 3, 215)
    with pytest.raises(Cancelled):
        GaussianModel.fit(v, n_states=4, window=2, progress=Recorder(cancel_after=reports))


def test_models_are_frozen():
    model = GaussianModel(A=A, means=MEANS, covariances=COVARIANCES, window=3)
    for name in ("A", "means", "covariances", "window", "scalar", "ridge"):
        with pytest.raises(AttributeError):
            setattr(model, name, getattr(model, name))
    for array in (model.A, model.means, model.covariances):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.5


def test_a_model_keeps_its_own_arrays():
    given = [A.copy(), MEANS.copy(), COVARIANCES.copy()]
    model = GaussianModel(A=given[0], means=given[1], covariances=given[2], window=3)
    for array in given:
        array[:] = 9
    np.testing.assert_array_equal(model.A, A)
    np.testing.assert_array_equal(model.means, MEANS)
    np.testing.assert_array_equal(model.covariances, COVARIANCES)


@pytest.mark.parametrize(
    ("changed", "given"),
    [
        ({"A": np.ones((2, 3))}, r"\(2, 3\)"),
        ({"A": [[0.5, -0.25], [0.1, 0.1]]}, r"-0\.25"),
        ({"A": [[0.5, np.nan], [0.1, 0.1]]}, r"\bnan\b"),
        ({"means": np.ones(5)}, r"\(5,\)"),
        ({"means": np.ones((4, 3))}, r"\(4, 3\)"),
        ({"means": [[0.0, np.inf, 0.0], [0.0, 0.0, 0.0]]}, r"\binf\b"),
        ({"covariances": np.ones((2, 3))}, r"\(2, 3\)"),
        ({"covariances": np.ones((2, 4, 4))}, r"\(2, 4, 4\)"),
        ({"covariances": np.full((2, 3, 3), np.nan)}, r"\bnan\b"),
        ({"window": -1}, "-1"),
        ({"window": 1.5}, r"1\.5"),
    ],
)
def test_unusable_parameters(changed, given):
    usable = {"A": A, "means": MEANS, "covariances": COVARIANCES, "window": 3}
    with pytest.raises(ParameterError, match=given):
        GaussianModel(**{**usable, **changed})


def with_value(value):
    v = cases.vectors((6, 7), 3, 216)
    v[2, 3, 1] = value
    return v


@pytest.mark.parametrize(
    ("changed", "given"),
    [
        ({"n_states": 0}, r"\b0\b"),
        ({"n_states": 256}, r"\b256\b"),
        ({"window": -1}, "-1"),
        ({"smoothing": -0.5}, r"-0\.5"),
        ({"vectors": with_value(np.nan)}, r"\bnan\b"),
        ({"vectors": with_value(np.inf)}, r"\binf\b"),
        ({"vectors": with_value(-np.inf)}, r"-inf\b"),
        ({"vectors": np.zeros((0, 4, 3))}, r"\(0, 4, 3\)"),
        ({"vectors": np.zeros((4, 3, 0))}, r"\(4, 3, 0\)"),
        ({"vectors": []}, "empty"),
        ({"vectors": [np.zeros((4, 4, 3)), np.zeros((4, 4, 2))]}, r"\b2\b"),
    ],
)
def test_fitting_with_unusable_arguments(changed, given):
    usable = {"vectors": cases.vectors((6, 7), 3, 217), "n_states": 2, "window": 1}
    options = {**usable, **changed}
    with pytest.raises(ParameterError, match=given):
        GaussianModel.fit(options.pop("vectors"), **options)


@pytest.mark.parametrize("method", ["signature", "decode", "evaluate"])
@pytest.mark.parametrize(
    ("v", "window", "given"),
    [
        (np.zeros((4, 5, 2)), None, r"\b2\b"),
        (np.zeros((0, 5, 3)), None, r"\(0, 5, 3\)"),
        (with_value(np.nan), None, r"\bnan\b"),
        (with_value(np.inf), None, r"\binf\b"),
        (np.zeros((4, 5, 3)), -1, "-1"),
    ],
)
def test_unusable_vectors(method, v, window, given):
    model = GaussianModel(A=A, means=MEANS, covariances=COVARIANCES, window=1)
    with pytest.raises(ParameterError, match=given):
        getattr(model, method)(v, window=window)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int16, np.float32, np.float64])
@pytest.mark.parametrize("n_channels", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("n_nodes", [1, 4, 5, 6, 97])
def test_sums_of_products(n_nodes, n_channels, kind):
    rng = np.random.default_rng(11)
    vectors = rng.integers(0, 250, (n_nodes, n_channels)).astype(kind)
    states = np.repeat(rng.integers(0, 5, n_nodes), rng.integers(1, 20, n_nodes))[:n_nodes]
    means = rng.uniform(0, 250, (5, n_channels))
    wanted = np.zeros((5, n_channels, n_channels))
    for o, j in zip(vectors.astype(np.float64), states, strict=True):
        wanted[j] += np.outer(o - means[j], o - means[j])
    found = scatter_of(vectors, states.astype(np.uint8), means)
    np.testing.assert_allclose(found, np.tril(wanted), rtol=1e-12, atol=1e-9)
