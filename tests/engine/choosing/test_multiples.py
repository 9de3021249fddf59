"""Several N and w side by side: each is the result of setting them."""

from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.choosing.cells import WINDOWS, Cell, cells_of, drawn, due, ground_of, scale_of
from latviz.engine.choosing.multiples import Multiples
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import PictureSet, as_set
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests.engine.choosing.test_sweeping import LABELS, Counting, picture
from tests.new_frames import new_frame

SAMPLE = 512


def frame_of(complete: bool = True) -> Frame:
    made = Parameters(encoding=LABELS, n_states=3, window=3)
    asked: dict[str, Any] = {"complete": complete, "needs": frozenset()}
    return new_frame(picture(), made, sample=SAMPLE, **asked)


def test_errors_below_0_are_bits_saved() -> None:
    cell = Multiples().decode(frame_of(), (3, 1), Counting())
    assert cell.frame.results == {}
    assert scale_of([cell]).one is None
    below = replace(cell, bits=-0.5)  # a density
    scale = scale_of([cell, below, replace(cell, bits=None)])
    assert [scale.value(each.bits) for each in (cell, below)] == [
        *(cell.bits_of_one - cell.bits, cell.bits_of_one + 0.5)
    ]


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
    early, late = frame_of(complete=False), frame_of()
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


# A cell equals the screen once its N and w are set

TEN: tuple[Place, ...] = (
    *((3, w) for w in (0, 1, 3, 6)),
    *((n, 3) for n in (1, 2, 5)),
    *((2, 1), (5, 0), (6, 6)),
)
MADE = Parameters(encoding=LABELS, n_states=3, window=3, learning_window=2)
SMALL = picture((36, 44))
WAYS: dict[str, dict[str, object]] = {
    "nearest": {},
    "belief": {"parameters": replace(MADE, decoder="belief")},
    "refined": {"parameters": replace(MADE, decoder="refined")},
    "linked": {"parameters": replace(MADE, learning_window=None)},
    "smooth": {"parameters": replace(MADE, smoothing=2.0)},
    "cut": {},
    "several": {"pictures": PictureSet((SMALL, picture((40, 50))), 1)},
    "other": {"pictures": PictureSet((picture((40, 50)),), 0, SMALL)},
}


def joined(frame: Frame) -> HandCut:
    """Return a cut that keeps the two most similar states together: another is split instead."""
    book = [tuple(codeword.tolist()) for codeword in frame.codebook]
    return HandCut(together=(Pair(*min(combinations(book, 2), key=lambda pair: dist(*pair))),))


def by_slots(frame: Frame) -> NDArray[np.intp]:
    """Return the slot of each pixel."""
    return np.array(frame.slots)[frame.states]


def asked_so(request: Request, place: Place) -> Request:
    """Return the request once N and w are set."""
    set_so = replace(request.parameters, n_states=place[0], window=place[1])
    return replace(request, parameters=set_so, needs=frozenset({"code_lengths", "truth"}))


def assert_shows(cell: Cell, shown: Frame, set_so: Frame, one_tree: bool) -> None:
    """Compare a cell that is drawn next to ``shown`` with the frame of its settings."""
    look, lengths, truth = drawn(cell, shown), set_so.code_lengths, set_so.truth
    assert (cell.bits, cell.accuracy) == (lengths.states.bits, truth.accuracy)
    assert look.associativity == pytest.approx(set_so.associativity, rel=1e-12)
    if one_tree:
        np.testing.assert_array_equal(by_slots(look), by_slots(set_so))
    pairs = np.unique(32 * look.states.astype(int) + set_so.states)
    assert len(pairs) == len(np.unique(look.states)) == len(np.unique(set_so.states))


@pytest.mark.parametrize("way", WAYS)
def test_a_cell_is_what_is_on_screen_once_its_n_and_w_are_set(way: str) -> None:
    asked: dict[str, Any] = {"pictures": SMALL, "parameters": MADE, "complete": True}
    asked["needs"] = frozenset()
    document, work = Pipeline(), Multiples()
    frame = document.run(Request(**asked | WAYS[way]))
    if way == "cut":
        straight, document = frame.states, Pipeline()
        frame = document.run(replace(frame.request, hand_cut=joined(frame)))
        assert len(np.unique(8 * straight + frame.states)) > 3
    for place in TEN if way == "nearest" else TEN[::3]:
        set_so = document.aside().run(asked_so(frame.request, place))
        cell = work.decode(frame, place, Counting())
        assert_shows(cell, frame, set_so, way != "linked" or place[1] == 3)
        assert_shows(cell, set_so, set_so, True)  # and the screen is its own cell


def test_cells_of_a_given_model_have_its_n_and_follow_what_is_given() -> None:
    frame = frame_of()
    given = Given(frame.model, frame.observations.encoder, "a.npz", frame.slots)
    state = State(pictures=as_set(picture()), cells=((2, 4), (5, 4), (3, 1)), given=given)
    assert cells_of(state) == ((3, 4), (3, 1))
    applied = new_frame(picture(), MADE, given=given)
    set_so = Pipeline().run(asked_so(applied.request, (3, 1)))
    assert_shows(Multiples().decode(applied, (3, 1), Counting()), applied, set_so, True)
    bare = new_frame(applied.request.pictures, applied.request.parameters)
    cut = Pipeline().run(replace(bare.request, hand_cut=joined(bare)))
    grounds = [ground_of(one) for one in (applied, bare, cut)]
    assert all(a != b for a, b in combinations(grounds, 2))


def test_what_is_kept_of_a_cell_has_the_names_of_its_states() -> None:
    looks = Looks(own=tuple(Look(slot, f"name {slot}") for slot in range(4)))
    frame = new_frame(picture(), MADE, complete=True, looks=looks)
    cell = Multiples().decode(frame, (2, 1), Counting())
    assert set(cell.frame.names) < set(frame.names)
