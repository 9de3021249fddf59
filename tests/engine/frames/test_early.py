"""Early frames: decoded states are shown before the rest is computed, and nothing is done twice."""

from dataclasses import replace

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.engine.flow import pipeline
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import LATE, Frame, Request, differing
from latviz.engine.frames.listener import Listener
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

PHOTO = Picture(np.ascontiguousarray(data.camera()), "camera")
BEFORE = Parameters(Encoding("quantiles", 5), n_states=4, window=2)
EARLY = frozenset({"inertia", "evaluation", "space"})
LATER = "code_lengths", "law_distance", "noise", "residual_correlation"


@pytest.fixture(autouse=True)
def _worth_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "WORTH_TWO_FRAMES", 1)


def run(one: Pipeline, parameters: Parameters, **options: object) -> tuple[list[Frame], Frame]:
    shown: list[Frame] = []
    asked = {"needs": EARLY, **options}
    request = Request(PHOTO, parameters, **asked)
    return shown, one.run(request, Listener(show=shown.append))


@pytest.mark.parametrize(
    ("change", "pending"),
    [
        ({"n_states": 5}, {"inertia", "evaluation"}),
        ({"window": 4}, {"inertia", "evaluation", "space"}),
        ({"encoding": Encoding("rgb")}, {"inertia", "evaluation", "space"}),
        ({"alpha": 0.5}, None),
        ({"normalizer": "states"}, None),
    ],
)
def test_only_what_is_decoded_anew_comes_early(change: dict, pending: set | None) -> None:
    one = Pipeline()
    run(one, BEFORE)
    shown, last = run(one, replace(BEFORE, **change))
    assert last.whole
    if pending is None:
        assert shown == []
        return
    (early,) = shown
    assert early.pending == pending
    assert not early.whole
    assert not early.coarse
    assert set(differing(early, last)) == pending
    assert all(getattr(early, name) is None for name in pending)
    assert early.states is last.states


def test_states_that_were_computed_in_advance_come_early_if_the_rest_was_not() -> None:
    """All results of settings that were known in advance come at once."""
    one, after = Pipeline(), replace(BEFORE, window=4)
    run(one, BEFORE)
    run(one.aside(), after, needs=frozenset())
    (early,), last = run(one, after)
    assert early.states is last.states
    assert early.pending == {"inertia", "evaluation", "space"}
    run(one.aside(), replace(BEFORE, window=5))
    assert run(one, replace(BEFORE, window=5))[0] == []


def test_nothing_comes_early_that_is_all_there_is() -> None:
    shown, last = run(Pipeline(), BEFORE, needs=frozenset())
    assert shown == []
    assert last.whole


def test_small_pictures_come_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "WORTH_TWO_FRAMES", PHOTO.pixels.size + 1)
    assert run(Pipeline(), BEFORE)[0] == []


def test_what_is_picked_out_is_lit_early() -> None:
    one = Pipeline()
    slot = run(one, BEFORE)[1].slots[0]
    (early,), last = run(one, replace(BEFORE, n_states=6), selection=StateSelection(slot))
    assert early.lit is last.lit
    np.testing.assert_array_equal(last.lit.mask, last.states == last.slots.index(slot))


def test_frames_differ_in_what_was_computed_anew() -> None:
    one = Pipeline()
    first = run(one, BEFORE)[1]
    assert set(differing(first, run(one, replace(BEFORE, alpha=0.5))[1])) == {"evaluation"}
    assert set(differing(first, run(one, replace(BEFORE, n_states=5))[1])) >= {
        "states",
        "model",
        "space",
    }


def test_late_results_come_one_by_one_after_all_others() -> None:
    one, asked = Pipeline(), EARLY | {*LATER}
    assert {*LATER} <= LATE
    shown, last = run(one, BEFORE, needs=asked)
    assert last.finished
    assert [frame.results.keys() - EARLY for frame in (*shown[-4:], last)] == [
        {*LATER[:n]} for n in range(5)
    ]
    assert all(frame.whole for frame in shown[-4:])
    assert not any(frame.finished for frame in shown)
    again, last = run(one, replace(BEFORE, alpha=0.5), needs=asked)
    assert again == []  # known results are not late
    assert last.finished
