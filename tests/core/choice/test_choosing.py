"""Choosing N and w: the values found, answers without states, and the words of answers."""

from itertools import product

import numpy as np
import pytest
from scipy import ndimage

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    NormalEmission,
    ParameterError,
    choose,
    contingency,
    emit,
    encode,
    sample_blobs,
)
from latviz.core.choice.choosing import pick, place_of
from latviz.core.data.encoding import Encoding
from tests import naive
from tests.core import cases
from tests.products import FULL

SIDE = (96, 96)


def best_of_linked_windows(kind, observations, n, truth, **more):
    """Return the most accurate of models learned and decoded with the same window."""
    fits = (kind.fit(observations, n_states=n, window=w, **more) for w in range(1, 9))
    return max(cases.accuracy(model.decode(observations), truth) for model in fits)


OF_SYMBOLS = [(3, 0.5, 572), (4, 0.35, 553), (2, 0.35, 551)]
OF_VECTORS = [(5, 0.4), (2, 1.5), (3, 1.0)]
MOST = 3 if FULL else 1


@pytest.mark.parametrize(("n", "noise", "seed"), OF_SYMBOLS[:MOST])
def test_finds_the_states_of_symbols(n, noise, seed):
    truth = sample_blobs(SIDE, n_states=n, scale=10, random_state=seed)
    symbols = emit(truth, emission=cases.channel(n, noise), random_state=seed + 50)
    choice = choose(symbols, windows=range(1, 10))
    assert (choice.n_states, choice.dependent) == (n, False)
    assert isinstance(choice.model, DiscreteModel)
    best = best_of_linked_windows(DiscreteModel, symbols, n, truth)
    assert cases.accuracy(choice.model.decode(symbols), truth) > best - 0.002
    assert choice.window == choice.windows[int(choice.code_lengths.argmin())]
    assert "lowest prediction error" in choice.rule
    B = choice.grown.B[np.argsort(choice.grown.B.argmax(axis=1))]
    np.testing.assert_allclose(B, cases.channel(n, noise), rtol=0, atol=0.03)
    states = choice.grown.decode(symbols, decoder="belief")
    assert cases.accuracy(states, truth) > best
    shared = contingency(states, choice.model.decode(symbols))
    assert (shared.argmax(axis=1) == np.arange(n)).all()


@pytest.mark.parametrize(("n", "spread"), OF_VECTORS[:MOST])
def test_finds_the_states_of_vectors(n, spread):
    truth = sample_blobs(SIDE, n_states=n, scale=10, random_state=554)
    rng = np.random.default_rng(555)
    vectors = truth + spread * rng.normal(size=SIDE)
    choice = choose(vectors, kind="gaussian", scalar=True, windows=range(1, 10))
    assert (choice.n_states, choice.dependent) == (n, False)
    assert isinstance(choice.model, GaussianModel)
    assert choice.model.scalar
    best = best_of_linked_windows(GaussianModel, vectors, n, truth, scalar=True)
    assert cases.accuracy(choice.model.decode(vectors), truth) > best - 0.002
    order = np.argsort(choice.grown.means[:, 0])
    np.testing.assert_allclose(choice.grown.means[order, 0], range(n), rtol=0, atol=0.1)
    np.testing.assert_array_equal(order, np.argsort(choice.model.means[:, 0]))


def test_wrong_states_with_covariances_of_their_own_are_not_chosen():
    """Of linked windows w = 2 has the least code length, and 8 in 100 nodes fewer are right."""
    truth = sample_blobs((144, 144), n_states=7, scale=8, random_state=41)
    rng = np.random.default_rng([41, 7])
    means, spreads = rng.normal(size=(7, 3)) * 1.3, rng.uniform(0.4, 1.6, (7, 3))
    law = NormalEmission(means, np.array([np.diag(one) for one in spreads]))
    vectors = emit(truth, emission=law, random_state=42)
    choice = choose(vectors, kind="gaussian", windows=range(1, 4), n_states=range(1, 9))
    assert choice.n_states == 7
    best = best_of_linked_windows(GaussianModel, vectors, 7, truth)
    assert cases.accuracy(choice.model.decode(vectors), truth) > best - 0.002


def test_the_model_is_learned_with_both_windows_and_the_lengths_are_of_its_codebook():
    symbols = emit(
        sample_blobs((60, 60), n_states=3, scale=6, random_state=560),
        emission=cases.channel(3, 0.3),
        random_state=561,
    )
    choice = choose(symbols, windows=[1, 2, 3, 5])
    n, w, w_l = choice.n_states, choice.window, choice.codebook_window
    assert w != w_l
    fitted = DiscreteModel.fit(symbols, n_states=n, window=w, codebook_window=w_l)
    assert choice.model == fitted
    for window, length in zip(choice.windows, choice.code_lengths, strict=True):
        states, margins = naive.decode_without(symbols, window, fitted.B, True)
        assert margins.min() > 1e-9
        assert length == pytest.approx(naive.symbol_code_length(symbols, states, n, 3), rel=1e-12)


def test_the_answer_is_of_the_shape_that_was_asked_for():
    symbols = emit(
        sample_blobs((60, 60), n_states=3, scale=6, random_state=556),
        emission=cases.channel(3, 0.2),
        random_state=557,
    )
    choice = choose(symbols, n_symbols=5, n_states=[4, 2, 3], windows=[5, 1, 3])
    assert choice.states == (1, 2, 3, 4)
    assert choice.windows == (1, 3, 5)
    assert choice.code_lengths.shape == (3,)
    assert choice.model.n_states == choice.n_states
    assert choice.model.window == choice.window
    assert choice.model.n_symbols == 5


@pytest.mark.parametrize("seed", range(MOST))
def test_white_noise_has_no_structure(seed):
    rng = np.random.default_rng(558 + seed)
    choice = choose(rng.integers(6, size=(70, 70)), windows=range(1, 9))
    assert choice.n_states == 1
    assert choice.code_lengths is None
    assert choice.window == 1
    assert "no structure" in choice.rule
    assert "from 2 to 8 saves bits" in choice.rule
    vectors = rng.normal(size=(70, 70, 2))
    assert choose(vectors, kind="gaussian", windows=range(1, 9)).n_states == 1
    assert choose(np.zeros((9, 9), int)).n_states == 1


def test_the_answer_is_about_what_was_asked():
    """Three states exist, but one number of states alone gives no comparison with others."""
    symbols = emit(
        sample_blobs((60, 60), n_states=3, scale=6, random_state=556),
        emission=cases.channel(3, 0.2),
        random_state=557,
    )
    assert choose(symbols, n_symbols=5, windows=[1, 3]).n_states == 3
    noise = np.random.default_rng(559).integers(6, size=(80, 80))
    single = choose(noise, n_states=[4], windows=[1, 3])
    assert single.n_states == 1
    assert single.rule.endswith(". 4 states save no more bits than one state")
    assert "structure" not in choose(noise, n_states=[1], windows=[1, 3]).rule


SMALL = (80, 80)
GRAIN = ndimage.gaussian_filter(np.random.default_rng(571).normal(size=SMALL), 1.5)
LIGHT = np.linspace(-1.5, 1.5, SMALL[0])[:, None]
PHOTOGRAPHS = {
    "grain over two regions": 3.0 * sample_blobs(SMALL, n_states=2, scale=25, random_state=562)
    + GRAIN / GRAIN.std(),
    "two textures in changing light": np.where(
        np.arange(SMALL[1]) >= SMALL[1] // 2, 2 * GRAIN / GRAIN.std(), LIGHT + 0.3 * GRAIN
    ),
    "light alone": LIGHT + 0.3 * np.random.default_rng(572).normal(size=SMALL),
}


ENCODINGS = Encoding("quantiles", 8), Encoding("grey")
ENCODED = list(zip(PHOTOGRAPHS, (*ENCODINGS, ENCODINGS[0]), strict=True))


@pytest.mark.parametrize(
    ("name", "encoding"), [*product(PHOTOGRAPHS, ENCODINGS)] if FULL else ENCODED
)
def test_no_number_is_right_where_neighbours_resemble_each_other_beyond_states(name, encoding):
    observations = encode(PHOTOGRAPHS[name], encoding)
    kind = "discrete" if observations.discrete else "gaussian"
    choice = choose(observations.values, kind=kind, windows=range(1, 10))
    assert choice.dependent
    assert (choice.n_states, choice.window, choice.codebook_window) == (4, 7, 7)
    assert choice.code_lengths is None
    assert choice.rule.startswith("no number of states is right")
    assert f"residual correlation {choice.residual_correlation:.2f}" in choice.rule


def test_a_start_is_as_near_as_what_is_offered():
    values = encode(PHOTOGRAPHS["grain over two regions"], Encoding("grey")).values
    choice = choose(values, kind="gaussian", n_states=[2, 3, 6], windows=[1, 2, 12])
    assert choice.dependent
    assert (choice.n_states, choice.window) == (3, 2)
    assert [place_of([1, 3, 5], wanted) for wanted in (0, 4, 9)] == [0, 1, 2]


def test_noise_between_neighbours_is_told_from_states():
    """The remainder after states is the noise; neighbours share it if it is smoothed."""
    truth = sample_blobs(SIDE, n_states=3, scale=12, random_state=573)
    noise = np.random.default_rng(574).normal(size=SIDE)
    found = []
    for smooth in (0.0, 0.55):
        grain = ndimage.gaussian_filter(noise, smooth)
        vectors = 2.5 * truth + grain / grain.std()
        choice = choose(vectors, kind="gaussian", scalar=True, windows=range(1, 6))
        found.append((choice.dependent, choice.residual_correlation))
    assert [dependent for dependent, _ in found] == [False, True]
    assert abs(found[0][1]) < 0.05 < found[1][1]


def test_lists_sequences_and_volumes():
    truths = [sample_blobs((60, 50), n_states=3, scale=6, random_state=seed) for seed in (563, 564)]
    parts = [
        emit(truth, emission=cases.channel(3, 0.3), random_state=k)
        for k, truth in enumerate(truths)
    ]
    assert choose(parts, n_states=range(1, 5), windows=range(1, 6)).n_states == 3
    row = emit(
        sample_blobs((4000,), n_states=2, scale=12, random_state=565),
        emission=cases.channel(2, 0.2),
        random_state=566,
    )
    assert choose(row, n_states=range(1, 4), windows=range(1, 9)).n_states == 2
    volume = emit(
        sample_blobs((20, 20, 20), n_states=2, scale=4, random_state=567),
        emission=cases.channel(2, 0.3),
        random_state=568,
    )
    assert choose(volume, n_states=range(1, 4), windows=range(1, 4)).n_states == 2


@pytest.mark.parametrize(
    ("sizes", "enough", "n"),
    [
        ([1, 2, 3, 4], 3, 3),
        ([1, 2, 3, 4], 1, 1),
        ([1], 1, 1),
        ([1, 4], 4, 4),
        ([1, 4], 2, 4),  # more than one are useful, if not four
        ([1, 4], 1, 1),
        ([1, 2, 8], 3, 2),
        ([1, 2, 8], 8, 8),
    ],
)
def test_the_number_that_is_taken(sizes, enough, n):
    assert sizes[pick(sizes, enough)] == n


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n_states": [0]}, "n_states must be"),
        ({"windows": []}, "windows must hold"),
        ({"kind": "words"}, "kind must be"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(ParameterError, match=said):
        choose(np.zeros((5, 5), int), **arguments)
