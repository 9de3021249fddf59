"""The indices that noise alone reaches, against plain loops."""

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    ParameterError,
    as_data_set,
    associativity,
    emit,
    inertia,
    noise_indices,
    sample_blobs,
)
from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.noise import N_ORDERS, shuffled
from latviz.core.choice.settings import length_of_one_state
from latviz.core.inference.beliefs import settled
from latviz.core.model.learning import codebook_of, learn_from_sample
from tests import naive
from tests.core import cases


def in_orders(lattices, n_channels=()):
    """Return the lattices with their nodes' observations in random orders, drawn one by one."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([o.reshape(-1, *n_channels) for o in lattices])
    for _ in range(N_ORDERS):
        left = iter(rows[rng.permutation(len(rows))])
        order = [np.empty_like(o) for o in lattices]
        for o in order:
            for t in naive.nodes(o.shape[: o.ndim - len(n_channels)]):
                o[t] = next(left)
        yield order


def indices_of(states, n, w, smoothing):
    """Return both indices by the oracle."""
    return (naive.associativity(naive.adjacency(states, n, smoothing)), naive.inertia(states, n, w))


@pytest.mark.parametrize(
    ("shapes", "n", "w", "w_l", "smoothing"),
    [
        ([(60,)], 2, 2, 2, 0.0),
        ([(14, 12)], 3, 1, 1, 0.0),
        ([(14, 12)], 2, 3, 1, 0.0),
        ([(14, 12)], 3, 2, 2, 1.5),
        ([(5, 6, 4)], 2, 1, 1, 0.0),
        ([(9, 11), (6, 8)], 2, 1, 2, 0.0),
        ([(6, 5)], 2, 40, 40, 0.0),
    ],
    ids=str,
)
def test_symbols_against_plain_loops(shapes, n, w, w_l, smoothing):
    """The codebooks alone are Fast PNN's, as symbols' signatures are full of equal distances."""
    lattices = [cases.blocky(shape, 3, 900 + k) for k, shape in enumerate(shapes)]
    found = noise_indices(
        lattices if len(lattices) > 1 else lattices[0],
        n_states=n,
        window=w,
        n_symbols=3,
        codebook_window=w_l,
        smoothing=smoothing,
    )
    for k, order in enumerate(in_orders(lattices)):
        codebook = codebook_of(
            learn_from_sample(as_data_set(order, kind="discrete", n_symbols=3), w_l), n
        )
        states = [naive.decode_exactly(o, w, codebook)[0] for o in order]
        if smoothing:
            codebook = naive.smoothed_symbols(codebook, states, smoothing)
            states = [naive.decode_exactly(o, w, codebook)[0] for o in order]
        wanted = indices_of(states, n, w, smoothing)
        assert found.associativity[k] == pytest.approx(wanted[0], rel=1e-9, abs=0)
        assert found.inertia[k] == pytest.approx(wanted[1], rel=1e-6, abs=0)


@pytest.mark.parametrize("shapes", [[(50,)], [(13, 9)], [(4, 5, 6)], [(7, 9), (8, 5)]], ids=str)
def test_vectors_against_plain_loops(shapes):
    lattices = [cases.vectors(shape, 2, 910 + k) for k, shape in enumerate(shapes)]
    found = noise_indices(lattices, n_states=3, window=1, kind="gaussian")
    for k, order in enumerate(in_orders(lattices, (2,))):
        signatures = [naive.signature_gaussian(o, 1) for o in order]
        pnn = naive.ExactPNN(np.concatenate([x.reshape(-1, 2) for x in signatures]))
        assert pnn.is_decided(3, 1e-9)
        states = [naive.decode(x, pnn.codebook(3)) for x in signatures]
        wanted = indices_of(states, 3, 1, 0.0)
        assert found.associativity[k] == pytest.approx(wanted[0], rel=1e-9, abs=0)
        assert found.inertia[k] == pytest.approx(wanted[1], rel=1e-6, abs=0)


def test_vectors_keep_their_channels_together():
    colours = cases.vectors((20, 16), 3, 901)
    rows = {tuple(row) for row in colours.reshape(-1, 3).tolist()}
    for data in shuffled(as_data_set(colours, kind="gaussian")):
        mixed = data.values[0]
        assert mixed.shape == colours.shape
        assert {tuple(row) for row in mixed.reshape(-1, 3).tolist()} == rows
        assert not np.array_equal(mixed, colours)


@pytest.mark.parametrize("w", [1, 7])
def test_structure_beats_noise_and_noise_does_not(w):
    truth = sample_blobs((72, 72), n_states=3, scale=10.0, random_state=11)
    symbols = emit(truth, emission=np.full((3, 3), 0.2) + 0.4 * np.eye(3), random_state=12)
    noise = np.random.default_rng(13).permutation(symbols.reshape(-1)).reshape(symbols.shape)
    for observations, is_better in ((symbols, True), (noise, False)):
        model = DiscreteModel.fit(observations, n_states=3, window=w, n_symbols=3)
        states = model.decode(observations)
        found = noise_indices(observations, n_states=3, window=w, n_symbols=3)
        own = associativity(model.A), inertia(states, n_states=3, window=w)
        for value, level in zip(own, (found.associativity, found.inertia), strict=True):
            if is_better:
                assert value > level.max() + 0.03
            else:  # another order of the same symbols: as one of those tried
                assert value == pytest.approx(level.mean(), rel=0, abs=0.05)


def test_associativity_of_noise_rises_with_w():
    noise = cases.white((96, 96), 4, 902)
    levels = [
        noise_indices(noise, n_states=4, window=w, n_symbols=4).associativity.mean()
        for w in (0, 1, 3, 8)
    ]
    assert levels == sorted(levels)
    assert levels[0] == pytest.approx(0.25, rel=0, abs=0.02)
    assert levels[-1] > 0.7


def test_large_data_sets_are_cut_to_their_middle():
    symbols = cases.white((600, 500), 3, 903)
    few = shuffled(as_data_set(symbols, kind="discrete", n_symbols=3), 1)[0]
    assert 60_000 < few.n_nodes < 70_000


def test_one_state_and_flat_observations():
    one = noise_indices(cases.white((9, 9), 3, 904), n_states=1, window=2, n_symbols=3)
    assert one.associativity.tolist() == one.inertia.tolist() == [1.0] * N_ORDERS
    flat = noise_indices(np.zeros((9, 9), np.uint8), n_states=3, window=2, n_symbols=3)
    assert flat.associativity.tolist() == flat.inertia.tolist() == [1.0] * N_ORDERS
    pixel = noise_indices(np.zeros((1, 1), np.uint8), n_states=2, window=2, n_symbols=3)
    assert np.isnan(pixel.associativity).all()


@pytest.mark.parametrize(
    "bad",
    [
        {"n_states": 0},
        {"window": -1},
        {"codebook_window": 1.5},
        {"smoothing": -1.0},
        {"n_orders": 0},
        {"kind": "real"},
    ],
    ids=str,
)
def test_errors(bad):
    with pytest.raises(ParameterError):
        noise_indices(cases.white((9, 9), 3, 906), **{"n_states": 2, "window": 1, **bad})


@pytest.mark.parametrize("decoder", ["belief", "refined"])
@pytest.mark.parametrize("kind", ["symbols", "vectors"])
def test_beliefs_of_noise_gain_next_to_nothing(decoder, kind):
    """Neighbours in a field predict each other; those in random orders do not."""
    truth = sample_blobs((56, 60), n_states=3, scale=7, random_state=1)
    channel = np.full((3, 3), 0.15) + 0.55 * np.eye(3)
    observed = emit(truth, emission=channel, random_state=2)
    options = {"kind": "discrete", "n_symbols": 3}
    if kind == "vectors":
        observed, options = np.float64(observed) + 0.5, {"kind": "gaussian", "scalar": True}
        observed += np.random.default_rng(3).normal(scale=0.5, size=observed.shape)
    found = noise_indices(observed, n_states=3, window=3, decoder=decoder, n_orders=2, **options)
    assert np.isfinite(found.gain).all()
    assert np.abs(found.gain).max() < 0.05
    kind_of = DiscreteModel if kind == "symbols" else GaussianModel
    more = {"n_symbols": 3} if kind == "symbols" else {"scalar": True}
    model = kind_of.fit(observed, n_states=3, window=3, **more)
    data = model.data_set(observed)
    fields = settled(model.emission, model.A, data, model.strength(data))
    alone = length_of_one_state(data).bits
    assert alone - cavity_length(fields, model.emission).bits > 0.1


def test_windows_gain_nothing():
    found = noise_indices(np.eye(20, dtype=np.uint8), n_states=2, window=1)
    assert np.isnan(found.gain).all()
