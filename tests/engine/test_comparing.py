"""Decoding B beside decoding A: agreement, difference, and what is picked out of both."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from skimage import data

from latviz.core import adjusted_rand, contingency, disagreement, matched_accuracy
from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.geometry.selection import ChangeSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

PHOTO = Picture(np.ascontiguousarray(data.camera()[100:190, 150:230]), "camera")
A = Request(1, PHOTO, Parameters(Encoding("quantiles", 4), n_states=4, window=2), complete=True)
B = replace(A, number=2, parameters=replace(A.parameters, n_states=6, window=5))


def test_how_far_and_where_they_agree() -> None:
    pipeline = Pipeline()
    kept = pipeline.run(A)
    plain = pipeline.run(replace(B, compared=kept))
    found = pipeline.run(replace(B, compared=kept, difference=True))
    table = contingency(kept.states, found.states)
    assert plain.agreement is not None
    assert plain.agreement.different is None
    assert found.agreement is not None
    for agreement in (plain.agreement, found.agreement):
        np.testing.assert_array_equal(agreement.table, table)
        assert agreement.matched == matched_accuracy(table)
        assert agreement.rand == adjusted_rand(table)
    mask = found.agreement.different
    np.testing.assert_array_equal(mask, disagreement(kept.states, found.states, table))
    assert found.agreement.n_different == np.count_nonzero(mask) > 100


def test_it_is_remembered_until_something_else_is_compared() -> None:
    pipeline = Pipeline()
    kept = pipeline.run(A)
    asked = replace(B, compared=kept, difference=True)
    first = pipeline.run(asked)
    again = pipeline.run(replace(asked, number=3, needs=frozenset()))
    assert again.agreement is first.agreement
    assert "agreement" not in again.timings
    assert pipeline.run(replace(asked, compared=first)).agreement.matched == 1.0


@pytest.mark.parametrize("pick", [None, ChangeSelection(0, 0)])
def test_what_is_let_go_is_not_kept_in_memory(pick: ChangeSelection | None) -> None:
    pipeline = Pipeline()
    kept = replace(pipeline.run(A))
    gone = weakref.ref(kept)
    frame = pipeline.run(replace(B, compared=kept, difference=True, selection=pick))
    del kept, frame
    pipeline.run(B)
    gc.collect()
    assert gone() is None


def test_frames_of_another_shape_are_not_compared() -> None:
    other = Picture(np.zeros((9, 11), np.uint8), "other")
    kept = Pipeline().run(replace(A, pictures=other))
    chosen = ChangeSelection(0, 0)
    found = Pipeline().run(replace(B, compared=kept, difference=True, selection=chosen))
    assert found.agreement is None
    assert found.lit is not None
    assert found.lit.n_pixels == 0


def test_pixels_that_went_from_one_state_to_another() -> None:
    pipeline = Pipeline()
    kept = pipeline.run(A)
    plain = pipeline.run(B)
    for i, j in ((0, 0), (1, 3), (3, 5)):
        chosen = ChangeSelection(kept.slots[i], plain.slots[j])
        lit = pipeline.run(replace(B, compared=kept, selection=chosen)).lit
        assert lit is not None
        np.testing.assert_array_equal(lit.mask, (kept.states == i) & (plain.states == j))
        assert lit.n_pixels == contingency(kept.states, plain.states)[i, j]
    nowhere = pipeline.run(replace(B, compared=kept, selection=ChangeSelection(31, 0))).lit
    assert nowhere is not None
    assert nowhere.n_pixels == 0
    without = pipeline.run(replace(B, selection=ChangeSelection(0, 0))).lit
    assert without is not None
    assert without.n_pixels == 0
