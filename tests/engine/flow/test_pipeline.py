"""Frames against the public core, and the caches of stages."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from skimage import data

from latviz.core import ParameterError
from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, Frame, Request
from latviz.engine.frames.listener import Listener
from latviz.engine.geometry.selection import PairSelection, RegionSelection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.results import arrays, summary
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame

PHOTO = Picture(np.ascontiguousarray(data.camera()[100:200, 150:270]), "camera")
SMALL = Picture(np.ascontiguousarray(data.camera()[100:148, 150:198]), "small")
QUANTILES = Parameters(Encoding("quantiles", n_symbols=5), n_states=5, window=3)
ENCODED = {"fitted observations", "data set"}
"""Stages that depend on the picture and its encoding alone."""


def frame_of(picture: Picture, parameters: Parameters, **options: object) -> Frame:
    return new_frame(picture, parameters, **options)


def stages(pipeline: Pipeline, parameters: Parameters, **options: object) -> set[str]:
    frame = pipeline.run(Request(PHOTO, parameters, **options))
    return set(frame.timings)


def test_a_lasso_keeps_its_pixels_while_the_space_is_turned() -> None:
    pipeline, parameters = Pipeline(), replace(QUANTILES, encoding=Encoding("quantiles", 4))
    drawn = Projection(turn=(1.0, 0.2, 0.3, 0.0))
    corners = ((-0.5, -0.6), (0.7, -0.5), (0.1, 0.8))
    options = {"selection": RegionSelection(corners, drawn), "projection": drawn}
    before = pipeline.run(Request(PHOTO, parameters, **options))
    options["projection"] = Projection(turn=(0.1, 0.9, 0.0, 0.2))
    after = pipeline.run(Request(PHOTO, parameters, **options, number=2))
    assert 0 < before.lit.n_pixels < before.n_nodes
    assert after.lit is before.lit
    assert set(after.timings) == {"plane", "density", "space"}


def test_hidden_views_cost_nothing() -> None:
    every = {
        "inertia": "inertia",
        "evaluation": "plain evaluation",
        "space": "density",
        "node_map": "map of inertia",
        "regions": "components",
        "truth": "truth indices",
    }
    known = replace(PHOTO, truth=PHOTO.pixels // 128)
    for hidden, stage in every.items():
        asked = Request(known, QUANTILES, needs=frozenset(every), map="inertia")
        assert stage in Pipeline().run(asked).timings
        assert stage not in Pipeline().run(replace(asked, needs=asked.needs - {hidden})).timings
    frame = frame_of(PHOTO, QUANTILES, needs=frozenset())
    assert (frame.inertia, frame.evaluation, frame.space) == (None, None, None)
    for export in (arrays, summary):
        with pytest.raises(ValueError, match="lacks"):
            export(frame)


def test_the_complete_tree_is_kept_for_other_n() -> None:
    pipeline = Pipeline()
    sampled = pipeline.run(Request(PHOTO, QUANTILES))
    assert sampled.n_learned == pytest.approx(LIVE, rel=0.05)
    complete = pipeline.run(Request(PHOTO, QUANTILES, complete=True, number=2))
    assert complete.n_learned == complete.n_signatures == PHOTO.pixels.size
    other = pipeline.run(Request(PHOTO, replace(QUANTILES, n_states=7), number=3))
    assert other.n_learned == other.n_signatures
    assert not {"sample tree", "complete tree"} & other.timings.keys()


def test_slots_stay_along_the_tree_and_over_small_changes() -> None:
    pipeline = Pipeline()
    frames = {
        n: pipeline.run(Request(PHOTO, replace(QUANTILES, n_states=n), number=n))
        for n in (5, 6, 7, 6, 5)
    }
    assert [frames[n].slots for n in (5, 6, 7)] == [tuple(range(n)) for n in (5, 6, 7)]
    same = frames[5].states == frames[6].states
    assert same.mean() > 0.6
    before = frames[5]
    moved = replace(QUANTILES, window=4)
    follows = {"follows": before.to_follow(), "passing": True}
    after = pipeline.run(Request(PHOTO, moved, **follows, number=9))
    assert sorted(after.slots) == list(after.slots)
    five = np.array(before.slots)
    kept = five[before.states] == np.array(after.slots)[after.states]
    assert kept.mean() > 0.85


@pytest.mark.parametrize("encoding", [QUANTILES.encoding, Encoding("texture")])
def test_principal_axes_stay_while_a_hand_moves_w(encoding: Encoding) -> None:
    """Only the axes: what is drawn in them and the variance they keep are of the new w."""
    parameters = replace(QUANTILES, encoding=encoding, learning_window=None)
    options, pipeline = {"projection": Projection("principal")}, Pipeline()
    far = replace(parameters, window=12)
    before = pipeline.run(Request(PHOTO, parameters, **options)).space
    held = pipeline.run(Request(PHOTO, far, axes_window=3, number=2, **options)).space
    rest = pipeline.run(Request(PHOTO, far, number=3, **options)).space
    assert np.array_equal(held.matrix, before.matrix)
    assert not np.allclose(rest.matrix, before.matrix)
    assert held.variance_kept < rest.variance_kept < 1
    assert held.density.sum() == rest.density.sum()
    np.testing.assert_array_equal(
        rest.matrix, Pipeline().run(Request(PHOTO, far, **options)).space.matrix
    )


@pytest.mark.parametrize("complete", [False, True])
def test_numbers_at_rest_follow_from_what_is_set(complete: bool) -> None:
    """Whatever came before, and whatever frame a request follows."""
    steps = [
        replace(QUANTILES, n_states=n, window=w, learning_window=w_l)
        for n, w, w_l in ((4, 3, 3), (6, 3, 3), (4, 9, 3), (6, 9, 7), (4, 3, 3), (3, 9, 7))
    ]
    pipeline, before = Pipeline(), None
    for k, parameters in enumerate(steps):
        request = Request(PHOTO, parameters, complete=complete, number=k)
        alone = Pipeline().run(request)
        if before is not None:
            moving = pipeline.run(replace(request, follows=before.to_follow(), passing=True))
            before = pipeline.run(replace(request, follows=moving.to_follow()))
        else:
            before = pipeline.run(request)
        assert before.settled
        assert before.slots == alone.slots
        if complete:  # without it, the pipeline may have a tree from all signatures
            np.testing.assert_array_equal(before.states, alone.states)


def test_names_and_selections_move_with_their_states() -> None:
    pipeline, looks = Pipeline(), Looks(own=(Look(1, "sky"), Look(3, "", "#aa0000")))
    before = pipeline.run(Request(PHOTO, replace(QUANTILES, n_states=4), looks=looks))
    order = (2, 0, 3, 1)  # as another tree might number them
    turned = replace(before, states=np.array(order, np.uint8)[before.states], cut=None)
    named = Looks(own=(Look(order[1], "sky"), Look(order[3], "", "#aa0000")))
    request = Request(
        PHOTO,
        replace(QUANTILES, n_states=4),
        number=2,
        looks=named,
        selection=PairSelection(order[1], order[3]),
        follows=turned,
    )
    moving = pipeline.run(replace(request, passing=True))
    assert (moving.request.looks, moving.settled) == (named, False)
    after = pipeline.run(request)
    np.testing.assert_array_equal(after.states, before.states)
    assert (after.names, after.colors.tolist()) == (before.names, before.colors.tolist())
    assert after.request.looks == looks
    assert after.request.selection == PairSelection(1, 3)


def test_a_newer_request_cancels_at_a_stage() -> None:
    pipeline = Pipeline()
    answers = iter([False, False, False, True])
    with pytest.raises(Cancelled):
        pipeline.run(Request(PHOTO, QUANTILES), Listener(lambda: next(answers)))
    assert pipeline.run(Request(PHOTO, QUANTILES, number=2)).states.shape == PHOTO.shape


def test_an_encoding_that_does_not_fit_is_refused_and_loses_nothing() -> None:
    pipeline = Pipeline()
    pipeline.run(Request(PHOTO, QUANTILES))
    with pytest.raises(ParameterError, match="64"):
        pipeline.run(Request(PHOTO, replace(QUANTILES, encoding=Encoding("labels")), number=2))
    assert set(pipeline.run(Request(PHOTO, QUANTILES, number=3)).timings) <= ENCODED


def test_a_constant_image() -> None:
    for encoding in ("quantiles", "levels", "palette", "labels", "grey", "lab", "texture"):
        parameters = Parameters(Encoding(encoding), n_states=3, window=2)
        frame = frame_of(Picture(np.full((9, 9), 7, np.uint8), "flat"), parameters, complete=True)
        assert frame.occupancy.max() == 81
        assert frame.associativity == 1.0


def test_another_picture_takes_the_place_of_the_last() -> None:
    one, parameters = Pipeline(), Parameters(Encoding("quantiles", 3), n_states=3)
    pixels = np.random.default_rng(0).integers(0, 256, (12, 16)).astype(np.uint8)
    needs = ALL_NEEDS | {"paths"}
    before = one.run(Request(Picture(pixels, "a"), parameters, needs=needs))
    held = [weakref.ref(part) for part in (before.observations, before.states, before.node_map)]
    del before
    assert all(part() is not None for part in held)
    one.run(Request(Picture(pixels.T.copy(), "b"), parameters, number=2))
    gc.collect()
    assert [part() for part in held] == [None, None, None]
