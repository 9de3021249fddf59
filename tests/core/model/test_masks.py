"""Lattices with unknown nodes: these take part in nothing."""

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    ParameterError,
    as_data_set,
    fast_pnn,
    inertia,
    law_distance,
    local_inertia,
    local_residual_correlation,
    noise_indices,
    pair_counts,
    regions,
    residual_correlation,
    sweep,
)
from latviz.core.checks import UNKNOWN
from latviz.core.choice.code_length import Emitted
from latviz.core.model.evaluation import local_alpha
from latviz.core.windows import leave_one_out
from latviz.core.windows.stratified import sample_nodes
from tests import naive, naive_masks
from tests.core import cases

CLEAR = 1e-6
SHAPES = [(40,), (11, 9), (5, 6, 4)]


def masked(kind, shape, seed):
    """Return observations, with nonsense where they are unknown, their mask and M."""
    known = np.random.default_rng(seed).random(shape) < 0.6
    known[(slice(0, 3),) * len(shape)] = False  # windows that know nothing
    if kind is DiscreteModel:
        values = cases.blocky(shape, 4, seed).astype(np.int64)
        return np.where(known, values, -7), known, 4
    values = cases.vectors(shape, 2, seed)
    return np.where(known[..., None], values, np.nan), known, 2


def symbols_of(kind, M):
    return M if kind is DiscreteModel else None


@pytest.mark.parametrize("window", [0, 1, 3, (1, 3)])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_fit_and_decode_follow_the_oracle(kind, shape, window):
    values, known, M = masked(kind, shape, 41)
    windows = window if isinstance(window, tuple) else (window,)
    model = kind.fit(values, n_states=3, window=window, mask=known)
    x = [naive_masks.signatures(values, known, w, symbols_of(kind, M)) for w in windows]
    x = np.concatenate(x, axis=-1)
    np.testing.assert_allclose(
        model.signature(values, mask=known)[known], x[known], rtol=1e-6, atol=1e-6
    )
    wanted = fast_pnn(model.signature(values, mask=known)[known]).codebook(3)
    np.testing.assert_allclose(model.codewords, wanted, atol=1e-6)

    states = model.decode(values, mask=known)
    distances = np.sort(naive.squared_distances(x, model.codewords), axis=-1)
    clear = known & (distances[..., 1] - distances[..., 0] > CLEAR)
    assert clear.sum() > 0.5 * known.sum()
    np.testing.assert_array_equal(states[clear], naive.decode(x, model.codewords)[clear])
    assert (states[~known] == UNKNOWN).all()
    assert (states[known] < 3).all()

    pairs = naive_masks.pair_counts(states, known, 3)
    occupancy = [(states[known] == j).sum() for j in range(3)]
    np.testing.assert_array_equal(pair_counts(states, n_states=3), pairs)
    A = pairs / np.maximum(2 * len(shape) * np.array(occupancy), 1)[:, None]
    np.testing.assert_allclose(model.A, A)
    if kind is GaussianModel:
        flat = [values[known]], [states[known]], model.means
        sigma = naive.covariances(*flat)
        np.testing.assert_allclose(model.covariances, sigma, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("normalizer", ["neighbours", "states"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_likelihood_follows_the_oracle(kind, shape, normalizer):
    values, known, _ = masked(kind, shape, 42)
    model = kind.fit(values, n_states=3, window=1, mask=known)
    states = model.decode(values, mask=known)
    alpha = local_alpha(states, 3, 1, 0.5)
    inert = naive_masks.local_inertia(states, known, 3, 1)
    least, alpha = 1 / np.sqrt(3), np.minimum(alpha, 1.0)
    h = (inert - least) / (1 - least)
    np.testing.assert_allclose(alpha[known], 0.5 ** h[known], rtol=1e-6)
    rows = states[known]
    if kind is DiscreteModel:
        data = naive.emissions_discrete(values[known], rows, model.B)
    else:
        data = naive.emissions_gaussian(values[known], rows, model.means, model.covariances)
    for given in (0.5, alpha, "local"):
        found = model.evaluate(values, window=1, alpha=given, normalizer=normalizer, mask=known)
        used = np.broadcast_to(0.5 if isinstance(given, float) else alpha, known.shape)
        pairs = naive_masks.pair_terms(states, known, model.A, used, normalizer)
        assert found.n_nodes == known.sum()
        assert found.data_term == pytest.approx(data.sum(), rel=1e-6)
        assert found.pair_term == pytest.approx(pairs.sum(), rel=1e-6)
        np.testing.assert_allclose(
            found.node_log_likelihood[known], data + pairs[known], rtol=1e-4, atol=1e-4
        )
        assert np.isnan(found.node_log_likelihood[~known]).all()


@pytest.mark.parametrize("window", [0, 1, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_inertia_follows_the_oracle(shape, window):
    _, known, _ = masked(DiscreteModel, shape, 43)
    states = np.where(known, cases.blocky(shape, 3, 44), UNKNOWN)
    wanted = naive_masks.local_inertia(states, known, 3, window)
    np.testing.assert_allclose(local_inertia(states, n_states=3, window=window), wanted, rtol=1e-6)
    whole = cases.blocky(shape, 3, 45)
    both = [wanted[known], naive.local_inertia(whole, 3, window).reshape(-1)]
    known = np.ones(shape, bool)
    known[(1,) * len(shape)] = False  # most windows hold no unknown node
    few = np.where(known, whole, UNKNOWN)
    found = naive_masks.local_inertia(few, known, 3, min(window, 1))
    np.testing.assert_allclose(
        local_inertia(few, n_states=3, window=min(window, 1)), found, rtol=1e-6
    )
    assert inertia([states, whole], n_states=3, window=window) == pytest.approx(
        np.concatenate(both).mean()
    )


@pytest.mark.parametrize("window", [0, 1, 3])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_left_out_nodes_follow_the_oracle(kind, shape, window):
    values, known, M = masked(kind, shape, 50)
    kinds = {"kind": kind.kind, "n_symbols": M}
    data = as_data_set(values, **kinds, mask=known)
    model = kind.fit(values, n_states=3, window=2, mask=known)
    found = leave_one_out.decode_without(data.lattices[0], model.codebook, window)
    x = np.zeros((*known.shape, M))
    for t in naive.nodes(shape):
        others = [s for s in naive_masks.window(known, t, window) if s != t]
        for s in others:
            x[t] += np.eye(M)[values[s]] if kind is DiscreteModel else values[s]
        x[t] = x[t] / len(others) if others and known[t] else model.codebook[0]
    distances = np.sort(naive.squared_distances(x, model.codebook), axis=-1)
    clear = known & (distances[..., 1] - distances[..., 0] > CLEAR)
    np.testing.assert_array_equal(found[clear], naive.decode(x, model.codebook)[clear])
    assert (found[~known] == UNKNOWN).all()

    length = Emitted.of(data.lattices, [found], 3, M).code_length()
    assert length.sizes.sum() == known.sum()
    if kind is DiscreteModel:
        wanted = naive.symbol_code_length(values[known], found[known], 3, M)
        assert length.bits == pytest.approx(wanted)
    alone = as_data_set([values[known]], **kinds).lattices
    wanted = Emitted.of(alone, [found[known]], 3, M).code_length()
    assert length.bits == pytest.approx(wanted.bits, abs=1e-6)


@pytest.mark.parametrize("apart", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_residuals_follow_the_definition(kind, shape, apart):
    model = DiscreteModel if kind == "discrete" else GaussianModel
    values, known, M = masked(model, shape, 51)
    states = np.where(known, cases.blocky(shape, 2, 52), UNKNOWN)
    vectors = np.eye(M)[np.where(known, values, 0)] if kind == "discrete" else values
    rest = np.zeros(vectors.shape)
    for q in range(2):
        rest[states == q] = vectors[states == q] - vectors[states == q].mean(axis=0)
    if kind == "gaussian":
        rest = rest / vectors[known].std(axis=0)
    products, n = np.zeros(shape), np.zeros(shape)
    for t in naive.nodes(shape):
        for axis, size in enumerate(shape):
            for place in (t[axis] - apart, t[axis] + apart):
                r = (*t[:axis], place, *t[axis + 1 :])
                if 0 <= place < size and known[t] and known[r]:
                    products[t], n[t] = products[t] + rest[t] @ rest[r], n[t] + 1
    variance = (rest[known] ** 2).sum() / known.sum()
    found = residual_correlation(values, states=states, kind=kind, apart=apart)
    assert found == pytest.approx(products.sum() / n.sum() / variance, rel=1e-5)
    if apart == 1:
        nodes = local_residual_correlation(values, states=states, kind=kind)
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(nodes, products / n / variance, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_regions_are_those_of_known_nodes(shape):
    values, known, _ = masked(GaussianModel, shape, 55)
    states = np.where(known, cases.blocky(shape, 2, 56), UNKNOWN)
    found = regions(values, states=states, kind="gaussian")
    assert (found.labels[~known] == -1).all()
    left, perimeters, borders = [], [], {}
    for t in naive.nodes(shape):  # in raster order of first nodes
        if known[t] and not any(t in one for one in left):
            region, edge = {t}, [t]
            while edge:
                near = naive_masks.neighbours(known, edge.pop())
                new = [r for r in near if states[r] == states[t] and r not in region]
                region, edge = region | set(new), edge + new
            left.append(region)
    for k, region in enumerate(left):
        assert {found.labels[t] for t in region} == {k}
        near = [naive_masks.neighbours(known, t) for t in region]
        inside = sum(r in region for one in near for r in one)
        perimeters.append(2 * len(shape) * len(region) - inside)
        for r in (r for one in near for r in one if r not in region):
            pair = tuple(sorted((k, int(found.labels[r]))))
            borders[pair] = borders.get(pair, 0) + 0.5
    assert found.perimeters.tolist() == perimeters
    assert dict(zip(map(tuple, found.pairs.tolist()), found.borders, strict=True)) == borders
    means = [np.mean([values[t] for t in region], axis=0) for region in left]
    np.testing.assert_allclose(found.means, means, rtol=1e-6, atol=1e-6)
    merged = found.merged(least_size=5)
    assert (merged.labels[~known] == -1).all()
    assert merged.areas.sum() == known.sum()


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_sweeps_laws_and_noise_of_a_margin(kind):
    known = np.zeros((60, 70), bool)
    known[5:, :60] = True
    values = cases.blocky((60, 70), 3, 53)
    if kind == "gaussian":
        values = values[..., None] + cases.vectors((60, 70), 1, 54)
    rest, data = values[5:, :60], as_data_set(values, kind=kind, mask=known)
    names = "n_states", "window", "associativity", "inertia", "code_length", "changed"
    names = *names, "standard_error"
    both = [
        list(sweep(seen, windows=[1, 2], n_states=[1, 2, 3], kind=kind)) for seen in (data, rest)
    ]
    for found, wanted in zip(*both, strict=True):
        for name in names:
            one, other = getattr(found, name), getattr(wanted, name)
            assert one == other or one == pytest.approx(other, rel=1e-5, abs=1e-6), name
    fields = {"n_states": 2, "window": 2, "kind": kind, "n_orders": 3}
    indices, alone = noise_indices(data, **fields), noise_indices(rest, **fields)
    assert indices.inertia.mean() == pytest.approx(alone.inertia.mean(), abs=0.02)
    if kind == "gaussian":
        states = np.where(known, np.uint8(0), np.uint8(UNKNOWN))
        cut = rest[1:, :-1]  # nodes beside unknown ones do not count
        wanted = law_distance(cut, states=np.zeros(cut.shape[:2], int))
        assert law_distance(values, states=states) == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_a_mask_without_unknown_nodes_changes_nothing(kind):
    shape = 12, 13
    values = cases.blocky(shape, 4, 47) if kind is DiscreteModel else cases.vectors(shape, 2, 47)
    known = np.ones(shape, bool)
    assert kind.fit(values, n_states=3, window=2, mask=known) == kind.fit(
        values, n_states=3, window=2
    )
    part, cut = known.copy(), values[:5]
    part[2:4] = False
    model = kind.fit([values, cut], n_states=3, window=2, mask=[part, None])
    states = model.decode([values, cut], mask=[part, None])
    assert [(one == UNKNOWN).sum() for one in states] == [26, 0]
    found = model.evaluate([values, cut], mask=[part, None])
    own = model.evaluate(values, mask=part).data_term + model.evaluate(cut).data_term
    assert found.data_term == pytest.approx(own)
    assert model.recounted([values, cut], states=states) == model


def test_more_symbols_than_a_byte_and_few_known_nodes():
    rng = np.random.default_rng(48)
    for n_symbols in (255, 256, 300):
        values, known = rng.integers(0, n_symbols, (40, 41)), rng.random((40, 41)) < 0.5
        model = DiscreteModel.fit(values, n_states=2, window=1, n_symbols=n_symbols, mask=known)
        x = naive_masks.signatures(values, known, 1, n_symbols)
        np.testing.assert_allclose(model.signature(values, mask=known)[known], x[known], atol=1e-6)
    known = rng.random((300, 300)) < 0.05
    data = as_data_set(rng.integers(0, 3, known.shape), kind="discrete", mask=known)
    (nodes,) = sample_nodes(data, 1000)
    assert known[nodes].all()
    assert 500 < nodes[0].size < 2000


@pytest.mark.parametrize(
    ("mask", "text"),
    [
        (np.ones((5, 6), bool), "shape"),
        (np.ones((5, 5)), "True"),
        (np.zeros((5, 5), bool), "known"),
        ([np.ones((5, 5), bool)], "shape"),
    ],
)
def test_masks_that_do_not_fit_are_refused(mask, text):
    with pytest.raises(ParameterError, match=text):
        DiscreteModel.fit(np.zeros((5, 5), int), n_states=1, window=1, mask=mask)


@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
@pytest.mark.parametrize("shape", SHAPES)
def test_windows_without_their_middle_end_to_end(kind, shape):
    values, known, M = masked(kind, shape, 57)
    data, w = as_data_set(values, kind=kind.kind, n_symbols=M, mask=known), (1, 3)
    model = kind.fit(data, n_states=3, window=w)
    (plain,), (without,) = leave_one_out.decode_both(
        data.lattices[0], leave_one_out.apart([model.codewords]), w
    )
    np.testing.assert_array_equal(plain, model.decode(data)[0])
    x = np.zeros((*shape, 2, M))
    for t in naive.nodes(shape):
        for k in range(2):
            others = [s for s in naive_masks.window(known, t, w[k]) if s != t]
            for s in others if known[t] else []:
                x[t][k] += np.eye(M)[values[s]] if kind is DiscreteModel else values[s]
            x[t][k] /= max(1, len(others))
            if not others:
                x[t][k] = np.nan  # the other window decides
    books = np.stack(np.split(model.codewords, 2, axis=1), axis=1)
    apart = ((x[..., None, :, :] - books) ** 2).sum(axis=-1)
    distances = np.nansum(apart, axis=-1)
    two = np.sort(distances, axis=-1)
    clear = known & (two[..., 1] - two[..., 0] > CLEAR)
    np.testing.assert_array_equal(without[clear], distances.argmin(axis=-1)[clear])
    assert (without[~known] == UNKNOWN).all()


def test_coarse_levels_and_a_truth_leave_unknown_nodes_out():
    values, known, _ = masked(DiscreteModel, (600, 500), 58)
    data = as_data_set(values, kind="discrete", n_symbols=4, mask=known)
    model = DiscreteModel.fit(data, n_states=3, window=2)
    first, *_, last = model.decode_coarse_to_fine(data)
    np.testing.assert_array_equal(last.states, model.decode(data)[0])
    assert first.states.max() == UNKNOWN
    (found,) = sweep(
        data, windows=[2], n_states=[3], codebook_window=2, truth=np.where(known, last.states, 0)
    )
    wanted = sweep(data, windows=[2], n_states=[3], codebook_window=2)
    assert (found.accuracy, found.rand, found.boundary) == (1, 1, 1)
    assert found.code_length == next(wanted).code_length


def test_states_must_be_unknown_where_observations_are():
    values, known = cases.blocky((9, 9), 3, 49), np.ones((9, 9), bool)
    known[:3] = False
    model = DiscreteModel.fit(values, n_states=2, window=1, mask=known)
    with pytest.raises(ParameterError, match="255"):
        model.evaluate_states(
            as_data_set(values, kind="discrete", mask=known), states=np.zeros((9, 9), np.uint8)
        )
