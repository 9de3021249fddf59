"""Signatures of several windows end to end, against plain loops."""

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    ParameterError,
    fast_pnn,
    load_model,
    window_signature,
)
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.model.learning import codebook_of
from latviz.core.windows import decoding, end_to_end
from latviz.core.windows.leave_one_out import decode_both, decode_both_in_bands
from tests import naive
from tests.core import cases

CLEAR = 1e-6
WINDOWS = [(1, 3), (0, 2), (2, 0, 5, 1), (4, 4)]


def ends(observation, windows, n_symbols=None):
    """Return the signatures of windows end to end, from plain loops."""
    if n_symbols is None:
        each = [naive.signature_gaussian(observation, w) for w in windows]
    else:
        each = [naive.signature_discrete(observation, w, n_symbols) for w in windows]
    return np.concatenate(each, axis=-1)


def agree(states, x, codewords):
    """Assert that states are the nearest codewords where the nearest is clearly nearer."""
    distances = naive.squared_distances(x, codewords)
    first, second = np.sort(distances, axis=-1)[..., :2].transpose(-1, *range(states.ndim))
    clear = second - first > CLEAR
    assert clear.mean() > 0.5
    np.testing.assert_array_equal(states[clear], naive.decode(x, codewords)[clear])


SYMBOLS = [(cases.blocky((40,), 3, 901), 3), (cases.blocky((12, 9), 4, 902), 4)]
SYMBOLS += [(cases.blocky((5, 6, 4), 3, 903), 3)]
VECTORS = [cases.vectors((31,), 2, 904), cases.vectors((9, 11), 3, 905)]
VECTORS += [cases.vectors((4, 5, 6), 1, 906), 1e6 + cases.vectors((8, 9), 2, 907)]


@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize("case", SYMBOLS, ids=["sequence", "image", "volume"])
def test_symbols(case, windows):
    observation, n_symbols = case
    x = ends(observation, windows, n_symbols)
    np.testing.assert_allclose(
        window_signature(observation, n_symbols=n_symbols, window=windows), x, atol=1e-6
    )
    model = DiscreteModel.fit(observation, n_states=3, window=windows, n_symbols=n_symbols)
    wanted = fast_pnn(x.astype(np.float32).reshape(-1, x.shape[-1])).codebook(3)
    np.testing.assert_allclose(model.codewords, wanted, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(model.B, model.codewords[:, :n_symbols])
    states = model.decode(observation)
    agree(states, x, model.codewords)
    np.testing.assert_allclose(model.A, naive.adjacency([states], 3), rtol=0, atol=1e-12)


@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize("observation", VECTORS, ids=["sequence", "image", "volume", "far from 0"])
def test_vectors(observation, windows):
    x = ends(observation, windows)
    model = GaussianModel.fit(observation, n_states=3, window=windows)
    np.testing.assert_allclose(model.signature(observation), x, rtol=1e-6, atol=1e-6)
    states = model.decode(observation)
    agree(states, x, model.codewords)
    wanted = naive.covariances([observation], [states], model.means)
    np.testing.assert_allclose(model.covariances, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("windows", WINDOWS)
def test_left_out(windows):
    for observation, n_symbols in SYMBOLS:
        tree = fast_pnn(ends(observation, windows, n_symbols).reshape(-1, len(windows) * n_symbols))
        left_out(tree, observation, observation, windows)
    for observation in VECTORS:
        tree = fast_pnn(
            ends(observation, windows).reshape(-1, len(windows) * observation.shape[-1])
        )
        left_out(tree, observation, to_fixed_point(observation), windows)


def left_out(tree, observation, lattice, windows):
    plain, without = decode_both(lattice, tree.codewords_of([2, 3, 4]), windows)
    scalar = observation.ndim == plain.ndim - 1
    for s, n in enumerate((2, 3, 4)):
        codewords = codebook_of(tree, n)
        np.testing.assert_array_equal(plain[s], decoding.decode(lattice, codewords, windows))
        wanted, margins = naive.decode_without(observation, windows, codewords, scalar)
        clear = margins > CLEAR
        np.testing.assert_array_equal(without[s][clear], wanted[clear])


@pytest.mark.parametrize("observation", [SYMBOLS[1][0], VECTORS[1]], ids=["symbols", "vectors"])
def test_two_equal_windows_are_one(observation):
    kind = DiscreteModel if observation.ndim == 2 else GaussianModel
    one = kind.fit(observation, n_states=3, window=2)
    two = kind.fit(observation, n_states=3, window=(2, 2))
    np.testing.assert_allclose(two.codebook, one.codebook, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(two.decode(observation), one.decode(observation))


def test_the_first_window_moves_and_the_others_stay():
    observation, n_symbols = SYMBOLS[1]
    model = DiscreteModel.fit(
        observation, n_states=3, window=(1, 3), codebook_window=2, n_symbols=n_symbols
    )
    tree = fast_pnn(ends(observation, (2, 3), n_symbols).astype(np.float32).reshape(-1, 8))
    np.testing.assert_allclose(model.codewords, tree.codebook(3), rtol=0, atol=1e-6)
    assert model.windows() == (1, 3)
    agree(
        model.decode(observation, window=2), ends(observation, (2, 3), n_symbols), model.codewords
    )
    np.testing.assert_array_equal(
        model.decode(observation, window=(2, 3)), model.decode(observation, window=2)
    )
    evaluation = model.evaluate(observation, window=2)
    np.testing.assert_array_equal(evaluation.states, model.decode(observation, window=2))


def test_large_lattices_are_decoded_in_parts(monkeypatch):
    observation = cases.blocky((60, 17), 3, 908)
    model = DiscreteModel.fit(observation, n_states=3, window=(0, 2), n_symbols=3)
    whole = model.decode(observation)
    data: DataSet = as_data_set(observation, kind="discrete", n_symbols=3)
    both = decode_both(data.lattices[0], fast_pnn(model.codewords).codewords_of([2, 3]), (0, 2))
    monkeypatch.setattr(decoding, "BAND", 100)
    monkeypatch.setattr(end_to_end, "PART", 50)
    monkeypatch.setattr("latviz.core.windows.leave_one_out.BAND", 200)
    np.testing.assert_array_equal(model.decode(observation), whole)
    again = decode_both_in_bands(
        data.lattices[0], fast_pnn(model.codewords).codewords_of([2, 3]), (0, 2)
    )
    for parts, together in zip(again, both, strict=True):
        np.testing.assert_array_equal(parts, together)


@pytest.mark.parametrize("observation", [SYMBOLS[1][0], VECTORS[1]], ids=["symbols", "vectors"])
def test_turned_pictures_have_turned_states(observation):
    kind = DiscreteModel if observation.ndim == 2 else GaussianModel
    model = kind.fit(observation, n_states=3, window=(1, 3))
    turned = model.decode(np.ascontiguousarray(np.rot90(observation)))
    np.testing.assert_array_equal(turned, np.rot90(model.decode(observation)))


def test_pseudo_counts_are_those_of_each_window():
    observation, n_symbols = SYMBOLS[1]
    model = DiscreteModel.fit(
        observation, n_states=3, window=(1, 3), n_symbols=n_symbols, smoothing=2.0
    )
    halves = model.codewords.reshape(3, 2, n_symbols)
    np.testing.assert_allclose(halves.sum(axis=-1), 1.0, rtol=1e-6)
    assert halves.min() > 0


def test_files_hold_all_windows(tmp_path):
    observation, n_symbols = SYMBOLS[1]
    model = DiscreteModel.fit(observation, n_states=3, window=(1, 3), n_symbols=n_symbols)
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert again == model
    assert again.windows() == (1, 3)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m, o: m.decode(o, window=(1, 2, 3)), "as the model has windows, 2, got"),
        (lambda m, o: m.decode(o, window=(1, -2)), "window must be an integer >= 0"),
        (lambda m, o: m.decode_coarse_to_fine(o), "must have one window"),
        (lambda m, o: DiscreteModel(m.A, m.B, 1, (2,)), "further_codewords must have shape"),
        (lambda m, o: DiscreteModel(m.A, m.B, 1, (), m.B), "further_codewords must have shape"),
        (lambda m, o: DiscreteModel(m.A, m.B, 1, (-1,), m.B), "further_windows"),
        (lambda m, o: DiscreteModel.fit(o, n_states=2, window=()), "window"),
        (
            lambda m, o: DiscreteModel(m.A, m.B, 1).decode(o, window=(1, 2)),
            "as the model has windows, 1, got",
        ),
    ],
)
def test_refused(call, error):
    observation, n_symbols = SYMBOLS[1]
    model = DiscreteModel.fit(observation, n_states=3, window=(1, 3), n_symbols=n_symbols)
    with pytest.raises(ParameterError, match=error):
        call(model, observation)
