"""The next settings that a moving slider will request."""

from dataclasses import replace

import numpy as np
import pytest

from latviz.engine.flow.ahead import HAND_S, Foreseen, Hand
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

PICTURE = Picture(np.random.default_rng(3).integers(0, 256, (40, 50), np.uint8), "noise")
LARGE = Picture(np.broadcast_to(np.uint8(0), (4096, 1025)), "large")


def expected(*values, picture=PICTURE, complete=False, apart=0.1) -> Parameters | None:
    hand, found = Hand(), None
    for k, changes in enumerate(values):
        parameters = replace(Parameters(n_states=4, window=3), **changes)
        request = Request(picture, parameters, complete=complete, number=k)
        found = hand.follow(request, 7.0 + k * apart)
    return None if found is None else found.parameters


def moved(name: str, *values: object, **options: object) -> object:
    """Return the value of a parameter that is expected after some others."""
    found = expected(*({name: value} for value in values), **options)
    return None if found is None else getattr(found, name)


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("window", (3, 4, 5), 6),
        ("window", (9, 7, 6), 5),
        ("window", (2, 3, 8), 13),
        ("n_states", (4, 5, 6), 7),
        ("n_states", (4, 3, 2), 1),
        ("n_states", (3, 2, 1), None),  # 0 is not a value
        ("window", (62, 63, 64), None),
        ("window", (60, 62, 63), 64),
        ("window", (3,), None),
        ("window", (3, 4), None),  # one step is not a movement
        ("window", (3, 4, 3), None),
        ("window", (3, 4, 4), None),
        ("window", (4, 4, 5), None),
        ("alpha", (0.5, 0.6, 0.7), None),  # no result changes
        ("smoothing", (1.0, 2.0, 3.0), None),
    ],
)
def test_it_moves_on_as_it_moved_last(name, values, wanted) -> None:
    assert moved(name, *values) == wanted


def test_nothing_is_expected_of_a_hand_that_does_something_else() -> None:
    assert expected({"window": 3}, {"window": 4}, {"window": 4, "n_states": 5}) is None
    assert expected({"window": 3}, {"window": 4, "alpha": 0.5}, {"window": 5, "alpha": 0.5}) is None
    assert expected({"window": 3}, {"window": 4}, {"window": 5, "alpha": 0.5}) is None


def test_nothing_is_expected_of_another_picture() -> None:
    hand, other = Hand(), Picture(PICTURE.pixels.copy(), "noise")
    for picture, w in ((PICTURE, 3), (PICTURE, 4), (other, 5)):
        assert hand.follow(Request(picture, Parameters(window=w)), 0.0) is None


def test_nothing_is_expected_of_a_hand_that_rests() -> None:
    assert moved("window", 3, 4, 5, apart=0.9 * HAND_S) == 6
    assert moved("window", 3, 4, 5, apart=1.1 * HAND_S) is None


def test_nothing_is_computed_ahead_that_takes_long() -> None:
    assert moved("window", 3, 4, 5, picture=LARGE) is None
    assert moved("window", 3, 4, 5, complete=True) is None
    believed = {"decoder": "belief"}
    steps = [{"n_states": n, **believed} for n in (3, 4, 5)]
    assert expected(*steps) is None
    for decoder, small in (("nearest", False), ("belief", False), ("refined", True)):
        parameters = Parameters(decoder=decoder)
        assert Request(PICTURE, parameters).takes_long == small
        assert Request(LARGE, parameters).takes_long == (decoder != "nearest")


STEPS = (1, 4), (2, 4), (3, 4), (4, 4), (3, 4), (3, 5), (3, 6), (3, 7), (3, 3), (8, 3), (4, 7)
"""Values of w and N."""


@pytest.mark.parametrize("takes_frames", [False, True])
def test_what_was_computed_ahead_is_what_would_have_been_computed(takes_frames: bool) -> None:
    """Colours are equal as well: expected frames that were not requested leave no trace."""
    plain, ahead, hand = Pipeline(), Pipeline(), Hand()
    foreseen, n_foreseen, n_known = None, 0, 0
    for k, (window, n_states) in enumerate(STEPS):
        request = Request(PICTURE, Parameters(n_states=n_states, window=window), number=k)
        mine = plain.run(request)
        if takes_frames and foreseen is not None and foreseen.answers(request):
            ahead.take(foreseen.frame)
            other, n_foreseen = replace(foreseen.frame, request=request), n_foreseen + 1
        else:
            other = ahead.run(request)
        assert other.slots == mine.slots
        np.testing.assert_array_equal(other.states, mine.states)
        assert other.results.keys() == mine.results.keys()
        assert other.results["inertia"] == mine.results["inertia"]
        n_known += not other.timings and bool(mine.timings)
        foreseen, following = None, hand.follow(request, 0.0)
        if following is not None:
            foreseen = Foreseen(following, ahead.aside().run(following))
    assert (n_foreseen if takes_frames else n_known) >= 2


def test_a_frame_answers_the_expected_request_alone() -> None:
    request = Request(PICTURE, Parameters(n_states=3, window=2))
    frame = Pipeline().run(request)
    foreseen = Foreseen(request, frame)
    same = replace(request, number=9, needs=frozenset(request.needs), follows=frame.to_follow())
    assert foreseen.answers(same)
    unsettled = replace(frame, settled=False)
    assert not Foreseen(request, unsettled).answers(same)
    assert Foreseen(replace(request, follows=frame), unsettled).answers(same)
    for changes in (
        {"parameters": Parameters(n_states=3, window=3)},
        {"pictures": Picture(PICTURE.pixels.copy(), "another")},
        {"needs": frozenset({"inertia"})},
        {"complete": True},
        {"visible": (slice(0, 9), slice(0, 9))},
        {"map": "entropy"},
    ):
        assert not foreseen.answers(replace(request, **changes)), changes
