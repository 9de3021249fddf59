"""Choosing N and w: what is found, when nothing is, and what the answer says."""

import numpy as np
import pytest
from scipy import ndimage

from latviz.core import (
    Cancelled,
    DiscreteModel,
    GaussianModel,
    NormalEmission,
    ParameterError,
    choose,
    contingency,
    emit,
    encode,
    matched_accuracy,
    sample_blobs,
)
from latviz.core.choice.choosing import pick, pick_in_context
from latviz.core.choice.code_length import CodeLength
from latviz.core.data.encoding import Encoding
from tests.core import cases

SIDE = (160, 160)


@pytest.mark.parametrize(("n", "noise", "seed"), [(2, 0.35, 551), (3, 0.5, 552), (4, 0.35, 553)])
def test_finds_the_states_of_symbols(n, noise, seed):
    truth = sample_blobs(SIDE, n, scale=10, seed=seed)
    symbols = emit(truth, cases.channel(n, noise), seed=seed + 50)
    choice = choose(symbols, windows=range(1, 13))
    assert (choice.n_states, choice.hole) == (n, 0)
    assert isinstance(choice.model, DiscreteModel)
    reached = {}
    for w in choice.windows:
        states = DiscreteModel.fit(symbols, n_states=n, window=w).decode(symbols)
        reached[w] = matched_accuracy(contingency(states, truth))
    assert reached[choice.window] > max(reached.values()) - 0.01
    assert choice.window == choice.windows[int(choice.agreement.argmax())]
    assert "agree most" in choice.rule
    B = choice.grown.B[np.argsort(choice.grown.B.argmax(axis=1))]
    np.testing.assert_allclose(B, cases.channel(n, noise), rtol=0, atol=0.03)
    states = choice.grown.decode(symbols, assignment="belief")
    assert matched_accuracy(contingency(states, truth)) > max(reached.values())
    shared = contingency(states, choice.model.decode(symbols))
    assert (shared.argmax(axis=1) == np.arange(n)).all()


@pytest.mark.parametrize(("n", "spread"), [(2, 1.5), (3, 1.0), (5, 0.4)])
def test_finds_the_states_of_vectors(n, spread):
    truth = sample_blobs(SIDE, n, scale=10, seed=554)
    rng = np.random.default_rng(555)
    vectors = truth + spread * rng.normal(size=SIDE)
    choice = choose(vectors, kind="gaussian", scalar=True, windows=range(1, 13))
    assert (choice.n_states, choice.hole) == (n, 0)
    assert isinstance(choice.model, GaussianModel)
    assert choice.model.scalar
    order = np.argsort(choice.grown.means[:, 0])
    np.testing.assert_allclose(choice.grown.means[order, 0], range(n), rtol=0, atol=0.1)
    np.testing.assert_array_equal(order, np.argsort(choice.model.means[:, 0]))


def test_the_window_agrees_with_beliefs_more_than_others_and_so_with_the_truth():
    """Code lengths take w = 2, which is right in 8 of 100 nodes less."""
    truth = sample_blobs((192, 192), 7, scale=8, seed=41)
    rng = np.random.default_rng([41, 7])
    means, spreads = rng.normal(size=(7, 3)) * 1.3, rng.uniform(0.4, 1.6, (7, 3))
    law = NormalEmission(means, np.array([np.diag(one) for one in spreads]))
    vectors = emit(truth, law, seed=42)
    choice = choose(vectors, kind="gaussian", windows=range(1, 5), n_states=range(1, 9))
    assert choice.n_states == 7
    right = {}
    for window in choice.windows:
        states = GaussianModel.fit(vectors, n_states=7, window=window).decode(vectors)
        right[window] = matched_accuracy(contingency(states, truth))
    assert right[choice.window] == max(right.values())


def test_the_answer_is_of_the_shape_that_was_asked_for():
    symbols = emit(sample_blobs((60, 60), 3, scale=6, seed=556), cases.channel(3, 0.2), seed=557)
    choice = choose(symbols, n_symbols=5, n_states=[4, 2, 3], windows=[5, 1, 3])
    assert choice.states == (1, 2, 3, 4)
    assert choice.windows == (1, 3, 5)
    for array in (choice.bits, choice.standard_errors, choice.thickness):
        assert array.shape == (4, 3)
    assert choice.model.n_states == choice.n_states
    assert choice.model.window == choice.window
    assert choice.model.n_symbols == 5
    np.testing.assert_allclose(choice.bits[0], choice.bits[0, 0], rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_white_noise_has_no_structure(seed):
    rng = np.random.default_rng(558 + seed)
    choice = choose(rng.integers(6, size=(100, 100)), windows=range(1, 9))
    assert choice.n_states == 1
    assert choice.agreement is None
    assert choice.windows[int(choice.window_bits.argmin())] == choice.window
    assert "no structure" in choice.rule
    assert "from 2 to 8 saves anything" in choice.rule
    vectors = rng.normal(size=(100, 100, 2))
    assert choose(vectors, kind="gaussian", windows=range(1, 9)).n_states == 1
    assert choose(np.zeros((9, 9), int)).n_states == 1


def test_the_answer_is_about_what_was_asked():
    """Three states are there, but of one number alone nothing is said of others."""
    symbols = emit(sample_blobs((60, 60), 3, scale=6, seed=556), cases.channel(3, 0.2), seed=557)
    assert choose(symbols, n_symbols=5, windows=[1, 3]).n_states == 3
    noise = np.random.default_rng(559).integers(6, size=(80, 80))
    single = choose(noise, n_states=[4], windows=[1, 3])
    assert single.n_states == 1
    assert single.rule.endswith("; 4 states save no more than one")
    assert "structure" not in choose(noise, n_states=[1], windows=[1, 3]).rule


def test_photographs_are_told_by_their_neighbours_and_say_so():
    rng = np.random.default_rng(561)
    grain = sum(np.kron(rng.normal(size=(160 // k, 160 // k)), np.ones((k, k))) for k in (1, 2, 4))
    photograph = 3.0 * sample_blobs(SIDE, 2, scale=25, seed=562) + grain
    choice = choose(photograph, kind="gaussian", scalar=True, n_states=range(1, 5))
    assert choice.n_states == 2
    assert choice.hole == 4  # as far as the grain reaches: nearer nodes tell what states tell
    assert choice.window > 4
    assert (
        "told by its neighbours 4 away and by its window without those within 4 of it"
        in choice.rule
    )
    assert "given their states and neighbours 4 away" in choice.assumption
    alone = choose(photograph, kind="gaussian", scalar=True, n_states=range(1, 5), hole=0)
    assert alone.hole == 0
    assert "independent given their states" in alone.assumption
    assert alone.window < choice.window


def test_lists_sequences_and_volumes():
    truths = [sample_blobs((80, 70), 3, scale=8, seed=seed) for seed in (563, 564)]
    parts = [emit(truth, cases.channel(3, 0.3), seed=k) for k, truth in enumerate(truths)]
    assert choose(parts, windows=range(1, 9)).n_states == 3
    row = emit(sample_blobs((6000,), 2, scale=12, seed=565), cases.channel(2, 0.2), seed=566)
    assert choose(row, n_states=range(1, 5)).n_states == 2
    volume = emit(sample_blobs((24, 24, 24), 3, scale=4, seed=567), cases.channel(3, 0.4), seed=568)
    assert choose(volume, n_states=range(1, 5), windows=range(1, 5)).n_states == 3


def test_the_same_every_time():
    symbols = cases.blocky((70, 80), 4, 569, block=9)
    one, other = (choose(symbols, n_states=range(1, 6), windows=range(1, 6)) for _ in range(2))
    np.testing.assert_array_equal(one.bits, other.bits)
    np.testing.assert_array_equal(one.model.codebook, other.model.codebook)


def length(bits: float, spread: float = 0.0) -> CodeLength:
    blocks = 100 * (bits + spread * np.array([1.0, -1.0, 1.0, -1.0]))
    return CodeLength(bits, blocks, np.full(4, 100))


@pytest.mark.parametrize(
    ("sizes", "enough", "n"),
    [
        ([1, 2, 3, 4], 3, 3),
        ([1, 2, 3, 4], 1, 1),
        ([1], 1, 1),
        ([1, 4], 4, 4),
        ([1, 4], 2, 4),  # more than one are worth it, if not four
        ([1, 4], 1, 1),
        ([1, 2, 8], 3, 2),
        ([1, 2, 8], 8, 8),
    ],
)
def test_the_number_that_is_taken(sizes, enough, n):
    assert sizes[pick(sizes, enough)] == n


def in_context(bits, thick=9.0, sizes=(1, 2, 3, 4)):
    lengths = [[length(one) for one in row] for row in bits]
    thickness = np.full((len(bits), len(bits[0])), thick)
    windows = range(1, 1 + len(bits[0]))
    return pick_in_context(lengths, thickness, windows, sizes[: len(bits)])


def test_the_rule_with_a_hole():
    assert in_context([[3.0], [2.0], [1.5]]) == (2, 0)
    assert in_context([[3.0], [2.0], [1.87]]) == (1, 0)  # saves 0.13 of what the one before does
    assert in_context([[3.0], [2.0], [1.85]]) == (2, 0)
    assert in_context([[3.0], [2.0], [1.0], [0.87]]) == (2, 0)  # of what two save on average
    assert in_context([[3.0], [2.0], [1.0], [0.85]]) == (3, 0)
    assert in_context([[3.0], [2.0], [1.8]], sizes=(1, 2, 4)) == (1, 0)  # two must save twice that
    assert in_context([[3.0], [2.0], [1.9], [1.0]]) == (1, 0)  # the first that fails ends it
    assert in_context([[3.0], [2.0], [1.5]], thick=1.5) == (0, 0)  # thinner than 0.8 (w + 1)
    assert in_context([[3.0], [3.1], [3.2]]) == (0, 0)
    assert in_context([[3.0], [2.98], [2.97], [2.0]]) == (0, 0)  # less than 0.04 bits
    assert in_context([[3.0], [2.98], [2.95]]) == (2, 0)
    lengths = [[length(bits)] for bits in (3.0, 2.0, 1.5)]
    thin = np.array([[9.0], [1.0], [9.0]])
    assert pick_in_context(lengths, thin, [1], [1, 2, 3]) == (2, 0)  # two states are thin


def test_the_window_with_a_hole_is_that_of_the_first_two_numbers():
    bits = [[3.0, 3.0, 3.0], [2.0, 2.3, 2.9], [1.8, 1.0, 1.5], [0.9, 0.8, 0.0]]
    assert in_context(bits) == (3, 1)  # 1 + 0.6, 0.7 + 1, 0.1 + 0.75 of the most that they save
    bits[1] = [2.0, 2.5, 2.9]
    assert in_context(bits)[1] == 0
    assert in_context([[3.0, 3.0], [2.5, 2.0]])[1] == 1
    assert in_context([[3.0, 3.0], [3.2, 3.1], [2.0, 2.5]]) == (2, 0)  # two save nothing anywhere
    assert in_context([[3.0, 3.0]]) == (0, 0)


def test_changes_of_light_are_no_states():
    """Two textures of equal greys, one of which slowly grows brighter; 8 quantiles."""
    rng = np.random.default_rng(571)
    grain = ndimage.gaussian_filter(rng.normal(size=SIDE), 1.5)
    grain /= grain.std()
    light = np.linspace(-1.5, 1.5, SIDE[0])[:, None]
    busy = np.arange(SIDE[1]) >= SIDE[1] // 2
    image = np.where(busy, 2 * grain, light + 0.3 * grain)
    symbols = encode(image, Encoding("quantiles", 8)).values
    choice = choose(symbols, n_symbols=8, n_states=range(1, 7), windows=range(1, 21, 2))
    assert choice.hole > 0
    assert 1 < choice.n_states < 5


def test_cancelling():
    symbols = cases.blocky((30, 30), 3, 570)
    watch = cases.Watch(reports=3)
    with pytest.raises(Cancelled):
        choose(symbols, progress=watch)
    assert len(watch.fractions) in (3, 4)  # it is looked at before what takes long
    done = cases.Watch()
    choose(symbols, n_states=[2, 3], windows=[1, 2], progress=done)
    assert done.fractions == sorted(done.fractions)
    assert done.fractions[-1] == pytest.approx(1.0)
    looks = 10**6 - done.patience
    later = np.random.default_rng(572).integers(5, looks, 8)
    for patience in (*range(5), *later, looks - 1):
        watch = cases.Watch(patience)
        with pytest.raises(Cancelled):
            choose(symbols, n_states=[2, 3], windows=[1, 2], progress=watch)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n_states": [0]}, "n_states must be"),
        ({"windows": []}, "windows must hold"),
        ({"hole": -1}, "hole must be"),
        ({"kind": "words"}, "kind must be"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(ParameterError, match=said):
        choose(np.zeros((5, 5), int), **arguments)
    with pytest.raises(ParameterError, match="1 or 2 dimensions"):
        choose(np.zeros((3, 3, 3), int), hole=1)
