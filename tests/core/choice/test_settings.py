"""The sweep: every number against the function that it is defined by, its order, its errors."""

import numpy as np
import pytest

from latviz.core import (
    Cancelled,
    DiscreteModel,
    ParameterError,
    boundary_f_score,
    contingency,
    emit,
    sample_blobs,
    sweep,
)
from latviz.core.model.learning import learn_tree
from latviz.core.truth.agreement import accuracy_of, rand_of
from tests import naive
from tests.core import cases

SHAPE = (30, 36)
TRUTH = sample_blobs(SHAPE, n_states=3, scale=6, random_state=541)
SYMBOLS = emit(TRUTH, emission=np.full((3, 3), 0.1) + 0.7 * np.eye(3), random_state=542)


def by_setting(found):
    return {(s.n_states, s.window): s for s in found}


def decoded(codebook, window):
    """Return the states of SYMBOLS in plain loops."""
    return naive.decode_exactly(SYMBOLS, window, codebook)[0]


@pytest.mark.parametrize("codebook_window", [0, 5])
def test_numbers_are_those_of_their_definitions(codebook_window):
    windows, found = [1, 2, 4], {}
    how = {"codebook_window": codebook_window, "smoothing": 0.5}
    for setting in sweep(SYMBOLS, windows=windows, n_states=[1, 3, 4], truth=TRUTH, **how):
        found[setting.n_states, setting.window] = setting
    assert list(found) == [(n, w) for w in windows for n in (1, 3, 4)]
    for (n, w), setting in found.items():
        model = DiscreteModel.fit(SYMBOLS, n_states=n, window=w, n_symbols=3, **how)
        states = decoded(model.B, w)
        table = contingency(states, TRUTH)
        wanted = {
            "associativity": naive.associativity(naive.adjacency([states], n, 0.5)),
            "inertia": naive.inertia([states], n, w),
            "accuracy": accuracy_of(table),
            "rand": rand_of(table),
            "boundary": boundary_f_score(states, TRUTH),
        }
        for name, value in wanted.items():
            assert getattr(setting, name) == pytest.approx(value, rel=1e-6, abs=1e-9), name
        if w == 1:
            assert setting.changed is None
        else:
            v = windows[windows.index(w) - 1]
            before = DiscreteModel.fit(SYMBOLS, n_states=n, window=v, n_symbols=3, **how).B
            changed = (states != decoded(before, v)).mean()
            assert setting.changed == pytest.approx(changed, abs=1e-12)


def test_nodes_of_which_no_truth_is_known_count_for_nothing():
    shape = (16, 20)
    truth, symbols = TRUTH[:16, :20].copy(), SYMBOLS[:16, :20]
    truth[4:9, 6:15] = 255
    (found,) = sweep(symbols, windows=[1], n_states=[3], truth=truth)
    model = DiscreteModel.fit(symbols, n_states=3, window=1, codebook_window=3, n_symbols=3)
    states = model.decode(symbols)
    known = truth != 255
    table = contingency(states[known], truth[known])
    assert found.accuracy == accuracy_of(table)
    assert found.rand == pytest.approx(rand_of(table), rel=1e-12)
    on = [
        {
            t
            for t in naive.nodes(shape)
            if known[t] and any(known[r] and q[r] != q[t] for r in naive.neighbours(shape, t))
        }
        for q in (states, truth)
    ]
    near = [
        np.mean([bool(other & set(naive.window_nodes(shape, t, 2))) for t in own])
        for own, other in (on, on[::-1])
    ]
    assert found.boundary == pytest.approx(2 * near[0] * near[1] / sum(near), rel=1e-12)
    with pytest.raises(ParameterError, match="the truth must be known for at least one node"):
        next(sweep(symbols, windows=[1], n_states=[3], truth=np.full(shape, 255)))


def test_code_lengths_are_those_of_plain_loops():
    tree = learn_tree([SYMBOLS], 3, 2)
    for setting in sweep(SYMBOLS, windows=[0, 2], n_states=[1, 3], codebook_window=2):
        n = min(setting.n_states, tree.n_max)
        states, _ = naive.decode_without(SYMBOLS, setting.window, tree.codebook(n), True)
        wanted = naive.symbol_code_length(SYMBOLS, states, setting.n_states, 3)
        assert setting.code_length == pytest.approx(wanted, rel=1e-4)
        assert setting.standard_error > 0


def test_vectors_in_lists():
    one, other = cases.vectors((30, 20), 2, 543), cases.vectors((15, 25), 2, 544)
    found = by_setting(sweep([one, other], windows=[1, 3], n_states=[1, 2, 3], kind="gaussian"))
    assert all(s.accuracy is s.rand is s.boundary is None for s in found.values())
    assert found[3, 1].code_length < found[2, 1].code_length < found[1, 1].code_length
    assert found[1, 1].code_length == pytest.approx(found[1, 3].code_length, rel=1e-9)


@pytest.mark.parametrize("shape", [(300,), (6, 7, 8)])
def test_sequences_and_volumes(shape):
    found = list(sweep(cases.blocky(shape, 3, 545), windows=[1, 2], n_states=[1, 2, 3]))
    assert len(found) == 6
    assert all(0 < s.associativity <= 1 and 0.5 < s.inertia <= 1 for s in found)


def test_partial_results_progress_and_cancelling():
    watch = cases.Watch(reports=2)
    found = []
    with pytest.raises(Cancelled):
        found.extend(setting for setting in iter_into(found, watch))
    assert {s.window for s in found} == {1, 2}
    assert watch.fractions == [pytest.approx(1 / 4), pytest.approx(2 / 4)]


def iter_into(found, watch):
    for setting in sweep(SYMBOLS, windows=[1, 2, 3, 4], n_states=[2, 3], progress=watch):
        found.append(setting)
    return []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"windows": []}, "windows must hold"),
        ({"windows": [-1]}, "windows must be an integer >= 0"),
        ({"n_states": [0]}, "n_states must be an integer from 1 to 255"),
        ({"n_states": [256]}, "n_states must be"),
        ({"n_states": [2.5]}, "n_states must be"),
        ({"codebook_window": -1}, "codebook_window must be an integer >= 0"),
        ({"smoothing": -1.0}, "smoothing must be"),
        ({"kind": "other"}, "kind must be"),
        ({"n_symbols": 2}, "symbols must be from 0 to 1"),
        ({"truth": TRUTH[1:]}, "truth must have the shapes"),
        ({"truth": TRUTH.astype(float)}, "states must be"),
    ],
)
def test_bad_arguments_are_told_at_once(arguments, said):
    with pytest.raises(ParameterError, match=said):
        sweep(SYMBOLS, **{"windows": [1], "n_states": [2], **arguments})


def test_lattices_of_a_list_are_alike():
    with pytest.raises(ParameterError, match="same dimension"):
        sweep([np.zeros(4, int), np.zeros((2, 2), int)], windows=[1], n_states=[2])
    with pytest.raises(ParameterError, match="same channels"):
        sweep(
            [np.zeros((4, 4, 2)), np.zeros((4, 4, 3))], windows=[1], n_states=[2], kind="gaussian"
        )
