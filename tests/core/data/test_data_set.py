"""A list or tuple of arrays is a data set in every function; anything else is one lattice."""

import math

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    ParameterError,
    belief_entropy,
    bias_variance,
    bias_variance_by_copies,
    bound_map,
    boundary_f_score,
    choose,
    contingency,
    disagreement,
    emit,
    encode,
    inertia,
    local_inertia,
    pair_counts,
    quadtree_leaves,
    sweep,
    window_signature,
)
from latviz.core.data.data_set import as_data_set
from latviz.core.data.stacks import stacked
from latviz.core.model.evaluation import local_alpha
from latviz.core.model.indices import count, state_counts
from latviz.core.windows.parts import signatures_of
from latviz.core.windows.stratified import by_lattice, stratified_nodes
from tests import naive
from tests.core import cases
from tests.products import FULL

N, M, W = 3, 4, 2
MODEL = cases.discrete_model(N, M, W)
GAUSSIAN = cases.gaussian_model(N, 2, W)
SHAPES = {
    "sequences": [(17,), (1,), (9,)],
    "sequences of one length": [(12,), (12,)],
    "images": [(7, 9), (1, 6), (5, 4)],
    "images of one shape": [(6, 8), (6, 8), (6, 8)],
    "volumes": [(4, 3, 5), (2, 6, 3)],
    "volumes of one shape": [(3, 4, 3), (3, 4, 3)],
    "one image": [(6, 7)],
}
BOTH = [(shapes, kind) for shapes in SHAPES.values() for kind in (list, tuple)]
"""Shapes, and containers of the lattices: a list and a tuple in turn, or both of them."""


@pytest.fixture(params=BOTH if FULL else [BOTH[2 * k + k % 2] for k in range(len(SHAPES))], ids=str)
def made(request):
    """Return a function that makes a list or a tuple of lattices."""
    shapes, kind = request.param
    return lambda make, n, seed: kind(make(shape, n, seed + k) for k, shape in enumerate(shapes))


@pytest.fixture
def symbols(made):
    return made(cases.blocky, M, 700)


@pytest.fixture
def maps(made):
    return made(cases.blocky, N, 800)


def assert_lists(found, wanted, **tolerance):
    assert isinstance(found, list)
    assert [f.shape for f in found] == [w.shape for w in wanted]
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f, w, **({"rtol": 1e-6, "atol": 1e-6} | tolerance))


# Symbols


def test_signatures_states_and_doubt_of_symbols(symbols):
    wanted = [naive.signature_discrete(o, W, M) for o in symbols]
    assert_lists(MODEL.signature(symbols), wanted)
    assert_lists(window_signature(symbols, n_symbols=M, window=W), wanted)
    assert_decoded(MODEL.decode(symbols), wanted, MODEL.B)
    doubt = [naive.belief_entropy_discrete(o, MODEL.B, W) for o in symbols]
    assert_lists(belief_entropy(symbols, model=MODEL), doubt, atol=1e-5)


def assert_decoded(states, signatures, codebook):
    assert isinstance(states, list)
    for q, x in zip(states, signatures, strict=True):
        cases.assert_same_states(q, x, codebook)


@pytest.mark.parametrize("normalizer", ["neighbours", "states"])
@pytest.mark.parametrize("kind", ["number", "arrays", "local"])
def test_the_likelihood_of_symbols_is_a_sum(symbols, kind, normalizer):
    arrays = [np.random.default_rng(6).uniform(0.1, 1.0, size=o.shape) for o in symbols]
    given = {"number": 0.3, "arrays": arrays, "local": "local"}[kind]
    e = MODEL.evaluate(symbols, alpha=given, normalizer=normalizer)
    each = given if kind == "arrays" else [given] * len(symbols)
    pairs = zip(symbols, each, strict=True)
    alone = [MODEL.evaluate(o, alpha=alpha, normalizer=normalizer) for o, alpha in pairs]
    assert e.parts == tuple(alone)
    for name in ("data_term", "pair_term", "log_likelihood", "n_nodes", "n_impossible"):
        wanted = sum(getattr(one, name) for one in alone)
        assert getattr(e, name) == pytest.approx(wanted, rel=1e-12)
    assert e.bits_per_node == pytest.approx(e.log_likelihood / math.log(2) / e.n_nodes, rel=1e-12)
    assert_lists(e.node_log_likelihood, [one.node_log_likelihood for one in alone])


def test_another_alpha_of_a_data_set(symbols):
    plain = MODEL.evaluate(symbols)
    for given in (0.25, [np.full(o.shape, 0.25) for o in symbols]):
        wanted = MODEL.evaluate(symbols, alpha=0.25)
        assert plain.under(given).log_likelihood == pytest.approx(wanted.log_likelihood, rel=1e-9)
    assert plain.under(0.25).alpha == 0.25
    assert plain.alpha == 1.0
    assert_lists(plain.under(given).alpha, given)


def test_impossible_nodes_are_counted_in_all_lattices():
    model = DiscreteModel(A=np.ones((2, 2)), B=[[1.0, 0.0], [0.0, 1.0]], window=1)
    lattices = [np.array([0, 0, 1, 0, 0]), np.array([[1, 1], [1, 1]]).reshape(4)]
    states = [np.zeros(5, np.uint8), np.zeros(4, np.uint8)]
    e = model.evaluate_states(lattices, states=states)
    assert e.n_impossible == 5
    assert [part.n_impossible for part in e.parts] == [1, 4]
    assert e.log_likelihood == -math.inf


# Maps of states


def test_indices(maps):
    assert inertia(maps, n_states=N, window=W) == pytest.approx(naive.inertia(maps, N, W), rel=1e-6)
    assert_lists(
        local_inertia(maps, n_states=N, window=W), [naive.local_inertia(q, N, W) for q in maps]
    )
    assert_lists(local_alpha(maps, N, W, 0.4), [naive.local_alpha(q, N, W, 0.4) for q in maps])
    pairs = sum(naive.pair_counts(q, N) for q in maps)
    np.testing.assert_array_equal(pair_counts(maps, n_states=N), pairs)
    np.testing.assert_array_equal(state_counts(maps, N), naive.state_counts(maps, N))
    np.testing.assert_array_equal(count(maps, N)[0], pairs)


def test_agreement(maps):
    others = type(maps)(np.roll(q, 1, axis=0) for q in maps)
    both = list(zip(maps, others, strict=True))
    n_one, n_other = (1 + max(int(q.max()) for q in side) for side in (maps, others))
    table = contingency(maps, others)
    np.testing.assert_array_equal(table, naive.contingency(both, n_one, n_other))
    flat = [np.concatenate([q.reshape(-1) for q in side]) for side in (maps, others)]
    found = disagreement(maps, others, table=table)
    assert [f.shape for f in found] == [q.shape for q in maps]
    wrong = tuple(bool(x) for x in np.concatenate([f.reshape(-1) for f in found]))
    assert wrong in naive.disagreements(*flat)
    for tolerance in (0, 1, 2):
        wanted = naive.boundary_f_score(both, tolerance)
        assert boundary_f_score(maps, others, tolerance=tolerance) == pytest.approx(
            wanted, rel=1e-12
        )


def test_emissions_and_bounds(maps):
    B = cases.random_symbols(N, M, 7)
    symbols = emit(maps, emission=B, random_state=8)
    assert [o.shape for o in symbols] == [q.shape for q in maps]
    one = emit(np.concatenate([q.reshape(-1) for q in maps]), emission=B, random_state=8)
    np.testing.assert_array_equal(np.concatenate([o.reshape(-1) for o in symbols]), one)
    bounds = bound_map(maps, emission=B, window=1)
    assert_lists(bounds, [bound_map(q, emission=B, window=1) for q in maps])


@pytest.mark.parametrize("source", ["true", "model"])
def test_bias_and_variance(maps, source):
    B = cases.random_symbols(N, N, 9)
    model = source if source == "true" else DiscreteModel(np.ones((N, N)), B, 1)
    found = bias_variance(
        maps, emission=B, windows=[0, 1], replicates=3, model=model, random_state=10
    )
    children = np.random.SeedSequence(10).spawn(3)
    copies = [emit(maps, emission=B, random_state=child) for child in children]
    size = sum(q.size for q in maps)
    for k, w in enumerate([0, 1]):
        bias = variance = error = 0.0
        for i, truth in enumerate(maps):
            decoded = [naive.decode(naive.signature_discrete(copy[i], w, N), B) for copy in copies]
            if source == "true":
                modes, varies, errs = naive.bias_variance(truth, decoded)
                np.testing.assert_array_equal(found.modes[i][k], modes)
                np.testing.assert_array_equal(found.bias_maps[i][k], modes != truth)
                np.testing.assert_allclose(found.variance_maps[i][k], varies, atol=1e-6)
                bias += float((modes != truth).sum())
                variance, error = variance + varies.sum(), error + errs.sum()
        if source == "true":
            assert found.bias[k] == pytest.approx(bias / size, abs=1e-12)
            assert found.variance[k] == pytest.approx(variance / size, abs=1e-12)
            assert found.error[k] == pytest.approx(error / size, abs=1e-12)
    *_, last = bias_variance_by_copies(
        maps, emission=B, windows=[0, 1], replicates=3, model=model, random_state=10
    )
    np.testing.assert_array_equal(last.error_band, found.error_band)


# Choosing


def test_a_sweep_over_a_data_set():
    truth = [cases.blocks((9, 12), 3, 20), cases.blocks((14, 8), 3, 21)]
    symbols = emit(truth, emission=np.full((3, 3), 0.1) + 0.7 * np.eye(3), random_state=22)
    for setting in sweep(symbols, windows=[1, 2], n_states=[1, 3], codebook_window=2, truth=truth):
        n, w = setting.n_states, setting.window
        model = DiscreteModel.fit(symbols, n_states=n, window=w, codebook_window=2, n_symbols=3)
        states = model.decode(symbols)
        A = naive.adjacency(states, n)
        both = list(zip(states, truth, strict=True))
        assert setting.associativity == pytest.approx(naive.associativity(A))
        assert setting.inertia == pytest.approx(naive.inertia(states, n, w), rel=1e-6)
        assert setting.boundary == pytest.approx(naive.boundary_f_score(both, 2))


# One lattice


def test_nested_lists_of_numbers_are_one_lattice():
    assert MODEL.decode([0, 1, 2, 3]).shape == (4,)
    assert MODEL.decode([[0, 1, 2], [3, 2, 1]]).shape == (2, 3)
    assert MODEL.decode([[[0, 1]], [[2, 3]]]).shape == (2, 1, 2)
    assert MODEL.signature([[0, 1], [2, 3]]).shape == (2, 2, M)
    assert window_signature([[0, 1], [2, 3]], n_symbols=M, window=1).shape == (2, 2, M)
    assert belief_entropy([[0, 1], [2, 3]], model=MODEL).shape == (2, 2)
    assert MODEL.evaluate(((0, 1), (2, 3))).states.shape == (2, 2)
    image = np.array([[0, 1, 1], [1, 0, 0]])
    np.testing.assert_array_equal(MODEL.decode(image.tolist()), MODEL.decode(image))
    np.testing.assert_array_equal(
        pair_counts(image.tolist(), n_states=2), naive.pair_counts(image, 2)
    )
    assert inertia(image.tolist(), n_states=2, window=1) == pytest.approx(
        naive.inertia([image], 2, 1)
    )
    np.testing.assert_array_equal(contingency(image.tolist(), image), [[3, 0], [0, 3]])
    model = DiscreteModel.fit(image.tolist(), n_states=2, window=1)
    np.testing.assert_array_equal(model.A, DiscreteModel.fit(image, n_states=2, window=1).A)
    assert GAUSSIAN.decode([[[0.0, 1.0]], [[1.0, 0.0]]]).shape == (2, 1)
    assert emit([[0, 1], [1, 0]], emission=np.eye(2), random_state=1).shape == (2, 2)
    assert isinstance(
        bias_variance([[0, 1]], emission=np.eye(2), windows=[1], replicates=2).modes, np.ndarray
    )


def test_arrays_of_one_shape_are_no_volume():
    a, b = cases.blocky((9, 9), M, 40), cases.blocky((9, 9), M, 41)
    found = MODEL.decode([a, b])
    np.testing.assert_array_equal(found[0], MODEL.decode(a))
    np.testing.assert_array_equal(found[1], MODEL.decode(b))
    volume = MODEL.decode(np.stack([a, b]))
    assert volume.shape == (2, 9, 9)
    assert (volume != np.stack(found)).any()


# Errors


IMAGE = np.zeros((3, 4), dtype=np.uint8)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: MODEL.decode([IMAGE, IMAGE + 9]), "lattice 1: .*from 0 to 3, got 9 to 9"),
        (lambda: MODEL.decode([IMAGE, IMAGE * 0.5]), "lattice 1: symbols must be integers"),
        (lambda: MODEL.decode([IMAGE, np.zeros((0, 3), int)]), "lattice 1: .*empty"),
        (lambda: MODEL.decode([IMAGE, [[0, 1]]]), "lattice 1: it must be an array.* a list"),
        (lambda: MODEL.decode([IMAGE, np.zeros(3, int)]), "same dimension.* lattice 1"),
        (lambda: MODEL.decode([[0, 1], [2]]), "unequal lengths"),
        (lambda: MODEL.evaluate([IMAGE, IMAGE], alpha=[IMAGE + 1.0, IMAGE[:2] + 1.0]), "lattice 1"),
        (lambda: MODEL.evaluate([IMAGE, IMAGE], alpha=[IMAGE + 1.0]), "2 lattices, got 1"),
        (lambda: MODEL.evaluate([IMAGE, IMAGE], alpha=IMAGE + 1.0), "one number"),
        (lambda: belief_entropy([IMAGE, IMAGE + 4], model=MODEL), "lattice 1"),
        (
            lambda: inertia([IMAGE, IMAGE, IMAGE + 7], n_states=3, window=1),
            "lattice 2: states must be",
        ),
        (
            lambda: local_inertia([IMAGE, IMAGE - 1.0], n_states=3, window=1),
            "lattice 1: states must be",
        ),
        (lambda: pair_counts([IMAGE + 5, IMAGE], n_states=3), "lattice 0: states must be"),
        (lambda: window_signature([IMAGE, IMAGE + 4], n_symbols=4, window=1), "lattice 1"),
        (lambda: DiscreteModel.fit([IMAGE, IMAGE + 0.5], n_states=1, window=1), "lattice 1"),
        (lambda: GAUSSIAN.decode([np.zeros((3, 2)), np.full((3, 2), np.nan)]), "lattice 1"),
        (lambda: GAUSSIAN.decode([np.zeros((3, 2)), np.zeros((3, 3))]), "lattice 1: .*2 channels"),
        (
            lambda: GaussianModel.fit(
                [np.zeros((3, 3, 2)), np.zeros((3, 3, 3))], n_states=1, window=1
            ),
            "same channels.* lattice 1",
        ),
        (lambda: contingency([IMAGE, IMAGE], [IMAGE, IMAGE.T]), "lattice 1: .*same shape"),
        (lambda: contingency([IMAGE, IMAGE], [IMAGE]), "as many maps of both, got 2 and 1"),
        (lambda: contingency([IMAGE], IMAGE), "as many maps of both"),
        (lambda: boundary_f_score([IMAGE], [IMAGE.T]), "lattice 0: .*same shape"),
        (lambda: emit([IMAGE, IMAGE + 2], emission=np.eye(2), random_state=1), "lattice 1"),
        (lambda: quadtree_leaves([IMAGE, IMAGE[0]]), "lattice 1"),
        (lambda: list(MODEL.decode_coarse_to_fine([IMAGE, IMAGE])), "one lattice, got 2"),
        (
            lambda: MODEL.decode(as_data_set(IMAGE, kind="discrete", n_symbols=2)),
            "4 symbols, got 2",
        ),
        (
            lambda: GAUSSIAN.decode(as_data_set(IMAGE, kind="discrete", n_symbols=2)),
            "must be gaussian",
        ),
        (lambda: sweep([IMAGE, IMAGE + 0.5], windows=[1], n_states=[2]), "lattice 1"),
        (lambda: choose([IMAGE, IMAGE + 0.5]), "lattice 1"),
        (
            lambda: bias_variance(
                [IMAGE, IMAGE + 3], emission=np.eye(2), windows=[1], replicates=2
            ),
            "lattice 1",
        ),
    ],
)
def test_errors_name_the_lattice(call, said):
    with pytest.raises(ParameterError, match=said):
        call()


# The type itself


def test_a_data_set_is_taken_as_it_is(symbols):
    data = as_data_set(symbols, kind="discrete", n_symbols=M)
    assert as_data_set(data, kind="discrete", n_symbols=M) is data
    assert len(data) == len(symbols)
    assert data.shapes == [o.shape for o in symbols]
    assert data.n_nodes == sum(o.size for o in symbols)
    assert data.dimensions == symbols[0].ndim
    assert_lists(MODEL.decode(data), MODEL.decode(symbols), rtol=0, atol=0)
    assert MODEL.evaluate(data).log_likelihood == MODEL.evaluate(symbols).log_likelihood
    model = DiscreteModel.fit(data, n_states=2, window=1)
    np.testing.assert_array_equal(model.A, DiscreteModel.fit(symbols, n_states=2, window=1).A)


def test_results_of_one_shape_are_slices_of_one_array():
    volume = cases.blocky((5, 8, 9), M, 50)
    data = as_data_set(list(volume), kind="discrete", n_symbols=M)
    for found in (MODEL.decode(data), MODEL.signature(data), belief_entropy(data, model=MODEL)):
        whole = stacked(found)
        assert whole.flags.c_contiguous
        assert all(np.shares_memory(whole[k], found[k]) for k in range(5))
        np.testing.assert_array_equal(whole, np.stack(found))
    assert stacked(list(volume)) is volume
    turned = [volume[k] for k in (1, 0, 2, 3, 4)]
    np.testing.assert_array_equal(stacked(turned), np.stack(turned))
    np.testing.assert_array_equal(stacked([volume[0]]), volume[:1])


def test_signatures_at_some_nodes_of_each_lattice():
    volume = cases.blocky((6, 20, 30), M, 51)
    data = as_data_set(list(volume), kind="discrete", n_symbols=M)
    nodes = stratified_nodes(volume.shape, 200)
    parts = by_lattice(nodes, 6)
    assert [len(part) for part in parts] == [2] * 6
    wanted = [naive.signature_at(volume[k], t, W, M) for k, *t in zip(*nodes, strict=True)]
    np.testing.assert_allclose(signatures_of(data, W, parts), wanted, atol=1e-6)
    none = tuple(axis[:0] for axis in parts[0])
    assert signatures_of(data, W, [none] * 6).shape == (0, M)


def test_the_range_of_values():
    low, high = as_data_set(
        [np.array([[1.0, 5.0]]), np.array([[3.0, -2.0]])], kind="gaussian"
    ).value_range
    np.testing.assert_array_equal([low, high], [[1.0, -2.0], [3.0, 5.0]])
    low, high = as_data_set(IMAGE, kind="discrete", n_symbols=2).value_range
    np.testing.assert_array_equal([low, high], [[0.0, 0.0], [1.0, 1.0]])


def test_what_is_derived_is_made_once():
    data, made = as_data_set(IMAGE, kind="discrete", n_symbols=2), []
    assert [data.once("key", lambda: made.append(1) or 7) for _ in range(3)] == [7, 7, 7]
    assert made == [1]


def test_arrays_over_other_memory_are_stacked() -> None:
    arrays = [np.frombuffer(bytes(range(k, k + 4)), np.uint8) for k in (0, 4)]
    np.testing.assert_array_equal(stacked(arrays), [[0, 1, 2, 3], [4, 5, 6, 7]])


@pytest.mark.parametrize("axis", [0, 1, -2, -1])
def test_any_axis_may_hold_the_channels(axis: int) -> None:
    vectors = np.random.default_rng(5).normal(size=(9, 11, 3))
    moved = np.moveaxis(vectors, -1, axis)
    model = GaussianModel.fit(vectors, n_states=2, window=1)
    assert GaussianModel.fit(moved, n_states=2, window=1, channel_axis=axis) == model
    both = GaussianModel.fit([moved, moved], n_states=2, window=1, channel_axis=axis)
    assert both == GaussianModel.fit([vectors, vectors], n_states=2, window=1)
    data = as_data_set(moved, kind="gaussian", channel_axis=axis)
    np.testing.assert_array_equal(model.decode(data)[0], model.decode(vectors))
    known = np.ones((9, 11), bool)
    known[:3] = False
    masked = as_data_set(moved, kind="gaussian", channel_axis=axis, mask=known)
    np.testing.assert_array_equal(model.decode(masked)[0], model.decode(vectors, mask=known))
    found = encode(moved, "channels", channel_axis=axis).values
    np.testing.assert_array_equal(found, encode(vectors, "channels").values)


def test_channels_are_on_an_axis_that_there_is() -> None:
    vectors = np.zeros((9, 11, 3))
    for axis in (3, -4):
        with pytest.raises(ParameterError, match=f"channel_axis must be .* -3 to 2, got {axis}"):
            as_data_set(vectors, kind="gaussian", channel_axis=axis)
    for how in ({"kind": "discrete"}, {"kind": "gaussian", "scalar": True}):
        with pytest.raises(ParameterError, match="symbols and numbers have none"):
            as_data_set(np.zeros((9, 11), int), channel_axis=0, **how)
    with pytest.raises(ParameterError, match="channel_axis must be given to as_data_set"):
        as_data_set(as_data_set(vectors, kind="gaussian"), kind="gaussian", channel_axis=0)
