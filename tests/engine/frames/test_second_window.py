"""A second window: all views and files follow from signatures end to end."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.scaling import Scaling
from latviz.engine.explain.explanation import explain
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.keeping.session import Session, from_content, to_content
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests import naive
from tests.engine.choosing.test_sweeping import filled

RNG = np.random.default_rng(17)
COARSE = np.kron(RNG.integers(0, 2, (4, 5)), np.ones((9, 8), dtype=int))
FINE = np.kron(RNG.integers(0, 2, (18, 20)), np.ones((2, 2), dtype=int))
PIXELS = (90 * COARSE + 60 * FINE + RNG.integers(0, 60, COARSE.shape)).astype(np.uint8)
COLOURS = np.stack([PIXELS, PIXELS[::-1], 255 - PIXELS[:, ::-1]], axis=-1)
SYMBOLS = Parameters(
    Encoding("quantiles", 4), n_states=4, window=1, learning_window=2, second_window=5
)
VECTORS = replace(SYMBOLS, encoding=Encoding("rgb", scaled=False))
NEEDS = frozenset({"inertia", "evaluation", "code_lengths", "cuts", "changes"})
CASES = {
    "symbols": (Picture(PIXELS, "grey"), SYMBOLS),
    "vectors": (Picture(COLOURS, "colours"), VECTORS),
}


def framed(picture, parameters, pipeline=None, **more) -> Frame:
    asked = {"complete": True, "needs": NEEDS, **more}
    return (pipeline or Pipeline()).run(Request(picture, parameters, **asked))


def left_out(frame: Frame) -> Any:
    """Return the states from windows without their middle, and where they are clear."""
    scalar = frame.observations.discrete
    values = np.asarray(frame.observations.values)
    windows = (frame.request.parameters.window, *frame.further)
    return naive.decode_without(values, windows, frame.codewords, scalar)


@pytest.mark.parametrize("kind", CASES)
def test_w_moves_and_the_second_window_stays(kind: str) -> None:
    picture, parameters = CASES[kind]
    frame = framed(picture, parameters)
    found = filled(Scaling(), frame)
    before = framed(picture, replace(parameters, window=0))
    np.testing.assert_array_equal(before.codewords, frame.codewords)
    np.testing.assert_array_equal(found.maps[0], before.states)
    np.testing.assert_array_equal(found.maps[1], frame.states)
    changes = frame.results["changes"].mask
    np.testing.assert_array_equal(changes, before.states != frame.states)


@pytest.mark.parametrize("kind", CASES)
def test_explanations_are_of_the_state_on_screen(kind: str) -> None:
    frame = framed(*CASES[kind])
    states, margins = left_out(frame)
    values = np.asarray(frame.observations.values)
    for node in ((0, 0), (7, 30), (17, 12), (35, 39)):
        found, seen = explain(frame, node), inspect(frame, node)
        assert found.ranked[0] == found.state == seen.state == frame.states[node]
        of_windows = []
        for k, w in enumerate((1, 5)):
            x = (
                naive.signature_at(values, node, w, 4)
                if frame.observations.discrete
                else naive.mean_at(values, node, w)
            )
            m = len(x)
            blocks = frame.codewords[:, k * m : (k + 1) * m]
            of_windows.append([naive.squared_distance(x, codeword) for codeword in blocks])
        np.testing.assert_allclose(found.by_window, of_windows, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found.distances, np.sum(of_windows, axis=0), rtol=1e-9)
        assert found.flip is None
        if margins[node] > 1e-6:
            assert found.left_out.state == states[node]
        if found.larger is not None:
            w, other = found.larger
            assert frame.model.decode(values, window=w)[node] == other


@pytest.mark.parametrize("kind", CASES)
def test_a_model_of_two_windows_can_be_applied_and_kept(kind: str) -> None:
    picture, parameters = CASES[kind]
    frame = framed(picture, parameters)
    given = Given(frame.model, frame.observations.encoder, "two.npz", frame.slots)
    state, written = State().applying(given), dict[str, Any]()
    assert state.parameters.second_window == 5
    back = from_content(to_content(Session(state), written), written)
    assert back.state.given == given
    other = Picture(np.ascontiguousarray(picture.pixels[::-1]), "other")
    applied = framed(other, replace(state.parameters, window=1), given=given)
    np.testing.assert_array_equal(applied.states, frame.states[::-1])


def test_beliefs_have_no_second_window() -> None:
    picture, parameters = CASES["symbols"]
    believed = replace(parameters, decoder="belief")
    one = framed(picture, replace(believed, second_window=None))
    np.testing.assert_array_equal(framed(picture, believed).states, one.states)


def test_a_large_picture_is_decoded_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latviz.engine.pictures.sample_size.LARGE", 10_000)
    pixels = np.tile(PIXELS, (3, 4))
    parameters = replace(SYMBOLS, window=1, second_window=3)
    request = Request(Picture(pixels, "large"), parameters)
    frame = Pipeline().run(request)
    np.testing.assert_array_equal(
        frame.states, frame.model.decode(frame.observations.values, window=(1, 3))
    )
