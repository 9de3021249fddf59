"""Several N and w side by side: each is what a person would get by setting them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from latviz.core.errors import ParameterError
from latviz.core.model.models import DiscreteModel
from latviz.core.progress import Cancelled
from latviz.engine.cells import WINDOWS, cells_of, due
from latviz.engine.frame import Frame, Request
from latviz.engine.multiples import Multiples
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture, as_set
from latviz.engine.pipeline import Pipeline
from latviz.engine.state import State
from latviz.engine.tradeoff import Place
from tests.engine.test_sweeping import LABELS, Counting, picture

SAMPLE = 512
PLACES = (3, 1), (3, 4), (5, 4), (2, 9)


def frame_of(**parameters: object) -> Frame:
    made = Parameters(encoding=LABELS, n_states=3, window=3)
    return Pipeline().run(
        Request(1, picture(), replace(made, **parameters), sample=SAMPLE, complete=True)
    )


def test_each_cell_is_what_the_model_says_and_keeps_its_colours() -> None:
    frame, work = frame_of(), Multiples()
    shown: Picture = picture()
    for n, w in PLACES:
        cell = work.decode(frame, (n, w), Counting())
        symbols = frame.observations.values
        model = DiscreteModel.fit(symbols, n_states=n, window=w, n_symbols=3)
        pairs = 8 * model.decode(symbols).astype(int) + cell.frame.states
        assert len(np.unique(pairs)) == n  # the same states, by other numbers
        truth, states = shown.truth, cell.frame.states
        if n == 3:  # one state for each true one: most of its nodes name it
            names = [np.bincount(truth[states == k]).argmax() for k in range(3)]
            assert sorted(names) == [0, 1, 2]
            wanted = np.mean(np.array(names)[states] == truth)
            assert cell.accuracy == pytest.approx(wanted, rel=1e-12)
            drawn, before = np.array(cell.frame.slots)[states], np.array(frame.slots)[frame.states]
            assert np.mean(drawn == before) > 0.7
        assert cell.bits is not None
        assert 1.0 < cell.bits < np.log2(3) + 0.1
        assert cell.frame.results == {}


def test_a_cell_is_given_up_when_told_and_comes_whole_later() -> None:
    frame, work = frame_of(), Multiples()
    with pytest.raises(Cancelled):
        work.decode(frame, (4, 6), Counting(stop_at=2))
    again = work.decode(frame, (4, 6), Counting())
    fresh = Multiples().decode(frame, (4, 6), Counting())
    np.testing.assert_array_equal(again.frame.states, fresh.frame.states)
    work.rest()


def test_what_is_set_comes_first_and_nothing_twice() -> None:
    frame = frame_of()
    wanted: tuple[Place, ...] = ((4, 7), (2, 3), (3, 3), (2, 7), (4, 7))
    assert due(frame, wanted, {}) == ((3, 3), (2, 3), (2, 7), (4, 7))
    known = {(2, 3): Multiples().decode(frame, (2, 3), Counting())}
    assert due(frame, wanted, known) == ((3, 3), (2, 7), (4, 7))


def test_cells_of_a_sample_are_decoded_again_once_all_is_learned_from() -> None:
    made = Parameters(encoding=LABELS, n_states=3, window=3)
    run: Callable[[bool], Frame] = lambda complete: Pipeline().run(  # noqa: E731
        Request(1, picture(), made, sample=SAMPLE, complete=complete)
    )
    early, late = run(False), run(True)
    known = {(3, 1): Multiples().decode(early, (3, 1), Counting())}
    assert due(early, ((3, 1),), known) == ()
    assert due(late, ((3, 1),), known) == ((3, 1),)
    known = {(3, 1): Multiples().decode(late, (3, 1), Counting())}
    assert due(early, ((3, 1),), known) == due(late, ((3, 1),), known) == ()


def test_until_a_person_says_which_several_w_follow_n() -> None:
    state = State(pictures=as_set(picture()), parameters=Parameters(n_states=5, window=2))
    assert cells_of(state) == tuple((5, w) for w in WINDOWS)
    assert cells_of(replace(state, cells=((2, 9),))) == ((2, 9),)
    for cells in (((0, 3),), ((3, 999),)):
        with pytest.raises(ParameterError):
            State(cells=cells)
