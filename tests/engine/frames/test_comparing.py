"""The current map next to the reference: agreement, difference, and selections of both."""

import gc
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from skimage import data

from latviz.core import contingency, disagreement
from latviz.core.data.encoding import Encoding
from latviz.core.truth.agreement import accuracy_of, rand_of
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.requests import frame_of, keep
from latviz.engine.geometry.selection import ChangeSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters

PHOTO = Picture(np.ascontiguousarray(data.camera()[100:190, 150:230]), "camera")
PARAMETERS = Parameters(Encoding("quantiles", 4), n_states=4, window=2)
A = Request(PHOTO, PARAMETERS, complete=True, needs=frozenset())
B = replace(A, number=2, parameters=replace(A.parameters, n_states=6, window=5))


def test_how_far_and_where_they_agree() -> None:
    pipeline = Pipeline()
    kept = pipeline.run(A)
    plain = pipeline.run(replace(B, compared=keep(kept)))
    found = pipeline.run(replace(B, compared=keep(kept), difference=True))
    table = contingency(kept.states, found.states)
    assert plain.agreement.different is None
    for agreement in (plain.agreement, found.agreement):
        np.testing.assert_array_equal(agreement.table, table)
        assert agreement.matched == accuracy_of(table)
        assert agreement.rand == rand_of(table)
    mask = found.agreement.different
    np.testing.assert_array_equal(mask, disagreement(kept.states, found.states, table=table))
    assert found.agreement.n_different == np.count_nonzero(mask) > 100


def test_it_is_remembered_until_something_else_is_compared() -> None:
    pipeline = Pipeline()
    kept = pipeline.run(A)
    asked = replace(B, compared=keep(kept), difference=True)
    first = pipeline.run(asked)
    again = pipeline.run(replace(asked, number=3, needs=frozenset()))
    assert again.agreement is first.agreement
    assert "agreement" not in again.timings
    assert pipeline.run(replace(asked, compared=keep(first))).agreement.matched == 1.0


@pytest.mark.parametrize("pick", [None, ChangeSelection(0, 0)])
def test_what_is_let_go_is_not_kept_in_memory(pick: ChangeSelection | None) -> None:
    pipeline = Pipeline()
    kept = keep(pipeline.run(A))
    gone = weakref.ref(frame_of(kept))
    frame = pipeline.run(replace(B, compared=kept, difference=True, selection=pick))
    del kept, frame
    pipeline.run(B)
    gc.collect()
    assert gone() is None


def test_frames_of_another_shape_are_not_compared() -> None:
    other = Picture(np.zeros((9, 11), np.uint8), "other")
    kept = Pipeline().run(replace(A, pictures=other))
    chosen = ChangeSelection(0, 0)
    found = Pipeline().run(replace(B, compared=keep(kept), difference=True, selection=chosen))
    assert found.agreement is None
    assert found.lit.n_pixels == 0


def test_pixels_that_went_from_one_state_to_another() -> None:
    pipeline = Pipeline()
    kept = pipeline.run(A)
    plain = pipeline.run(B)
    for i, j in ((0, 0), (1, 3), (3, 5)):
        chosen = ChangeSelection(kept.slots[i], plain.slots[j])
        lit = pipeline.run(replace(B, compared=keep(kept), selection=chosen)).lit
        np.testing.assert_array_equal(lit.mask, (kept.states == i) & (plain.states == j))
        assert lit.n_pixels == contingency(kept.states, plain.states)[i, j]
    nowhere = pipeline.run(replace(B, compared=keep(kept), selection=ChangeSelection(31, 0))).lit
    assert nowhere.n_pixels == 0
    without = pipeline.run(replace(B, selection=ChangeSelection(0, 0))).lit
    assert without.n_pixels == 0


def test_what_is_equal_is_one_and_what_differs_in_anything_is_another() -> None:
    pipeline = Pipeline()
    frame, other = pipeline.run(A), pipeline.run(B)
    a = keep(frame)
    assert keep(pipeline.run(replace(A, number=7))) is a
    assert frame_of(a).states is frame.states
    assert keep(other) != a
    named = replace(A, looks=Looks((Look(0, "sky"),)))
    sampled = replace(A, complete=False, sample=1024)
    elsewhere = replace(A, pictures=Picture(PHOTO.pixels, "camera"))
    raced = replace(frame, by="another method")
    frames = [Pipeline().run(one) for one in (named, sampled, elsewhere)]
    others = [
        keep(one) for one in (*frames, replace(frame, row_slots=frame.row_slots[::-1]), raced)
    ]
    assert len({a, *others}) == 1 + len(others)
    for one, kept in zip((*frames, frame, raced), (*others,), strict=True):
        assert frame_of(kept).states is one.states


def test_a_is_decoded_again_only_if_its_frame_is_not_there(monkeypatch) -> None:
    first = Pipeline().run(A)
    a, asked = keep(first), list[Parameters]()
    run = Pipeline.run

    def counted(pipeline: Pipeline, request: Request, *rest: Any, **more: Any) -> Frame:
        asked.append(request.parameters)
        return run(pipeline, request, *rest, **more)

    monkeypatch.setattr(Pipeline, "run", counted)
    table = Pipeline().run(replace(B, compared=a)).agreement.table
    assert asked == [B.parameters]
    lost = replace(a)  # another object: no frame is kept for it, once the first is deleted
    del a, first
    gc.collect()
    assert frame_of(lost) is None
    again = Pipeline().run(replace(B, compared=lost))
    assert asked[1:] == [B.parameters, A.parameters]
    np.testing.assert_array_equal(again.agreement.table, table)
    assert frame_of(lost) is not None
    labels = replace(lost, by="ICM")
    assert Pipeline().run(replace(B, compared=labels)).agreement is None
    assert len(asked) == 4  # other labels are not decoded
