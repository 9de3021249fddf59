"""The decoder is a choice beside w: what each view shows of beliefs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.guide.view import GuideView
from latviz.app.views.pixel.says import SaysBars
from latviz.app.views.pixel.view import PixelView
from latviz.core import DiscreteModel, refine
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture
from tests.app.conftest import settle

NODE = (50, 60)


def opened(qtbot: QtBot, window: MainWindow, demo: str = "blobs", **changes: Any) -> Frame:
    """Show the corner of a demo, an eighth of it."""
    whole, parameters = make_picture(demo)
    arrays = {"pixels": whole.pixels, "labels": whole.labels, "truth": whole.truth}
    corner = {name: array[:96, :88] for name, array in arrays.items() if array is not None}
    window.document.open(replace(whole, **corner), replace(parameters, **changes))
    settle(qtbot, window)
    assert window.document.frame is not None
    return window.document.frame


def learned(frame: Frame) -> DiscreteModel:
    """Return the model that windows tell, with states in the order of their colours."""
    values, parameters = frame.observations.values, frame.request.parameters
    found = DiscreteModel.fit(
        values,
        n_states=parameters.n_states,
        n_symbols=frame.observations.n_symbols,
        window=parameters.window,
    )
    order = np.argsort(frame.row_slots)
    return DiscreteModel(found.A[np.ix_(order, order)], found.B[order], parameters.window)


def test_belief_is_chosen_beside_w(qtbot: QtBot, window: MainWindow) -> None:
    before = opened(qtbot, window)
    control = window.controls["decoder"]
    control.changed.emit("belief")
    settle(qtbot, window)
    frame = window.document.frame
    assert frame is not None
    values = frame.observations.values
    wanted = learned(frame).decode(values, decoder="belief", passes=10)
    np.testing.assert_array_equal(frame.states, wanted)
    assert frame.truth is not None
    assert before.truth is not None
    assert frame.truth.accuracy > before.truth.accuracy + 0.01
    window.document.undo_stack.undo()
    settle(qtbot, window)
    assert window.document.frame is not None
    np.testing.assert_array_equal(window.document.frame.states, before.states)


def test_refined_states_are_those_of_a_refined_model(qtbot: QtBot, window: MainWindow) -> None:
    frame = opened(qtbot, window, decoder="refined")
    values = frame.observations.values
    refined = refine(values, learned(frame))
    np.testing.assert_array_equal(frame.model.A, refined.model.A)
    np.testing.assert_array_equal(frame.codebook, refined.model.codebook)
    np.testing.assert_array_equal(
        frame.states, refined.model.decode(values, decoder="belief", passes=10)
    )
    assert (frame.states == refined.states).mean() > 0.99


@pytest.mark.parametrize("passes", [0, 2])
def test_passes_are_a_film(passes: int, qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, decoder="belief")
    window.controls["passes"].changed.emit(passes)
    settle(qtbot, window)
    frame = window.document.frame
    assert frame is not None
    values = frame.observations.values
    wanted = learned(frame).decode(values, decoder="belief", passes=passes)
    np.testing.assert_array_equal(frame.states, wanted)


def test_controls_without_effect_are_hidden(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window)
    shown = {
        "nearest": {"evaluation_window", "smoothing"},
        "belief": {"passes", "smoothing"},
        "refined": {"passes"},
    }
    for decoder, fields in shown.items():
        window.document.set("Change the decoder", decoder=decoder)
        visible = {
            field
            for field in ("passes", "smoothing", "evaluation_window")
            if not window.controls[field].isHidden()
        }
        assert visible == fields, decoder


def test_the_pixel_panel_says_who_says_what(qtbot: QtBot, window: MainWindow) -> None:
    frame = opened(qtbot, window, decoder="belief")
    window.document.pin(NODE)
    QApplication.processEvents()
    view = window.views["pixel"]
    assert isinstance(view, PixelView)
    beliefs = learned(frame).beliefs(frame.observations.values, passes=10)[NODE]
    best = np.argsort(-beliefs)[:2]
    for name, state in zip(("State", "Next"), best, strict=True):
        said, number = view.fields[name].text().split(", belief ")
        assert said.endswith(f" {state + 1}")
        assert float(number) == pytest.approx(beliefs[state], abs=1e-4)
    says = view.findChild(SaysBars)
    assert says is not None
    assert not says.isHidden()
    words = says.in_words(frame)
    assert words.startswith("Itself: state ")
    assert f"Belief: state {best[0] + 1}, {beliefs[best[0]]:.2f}" in words
    assert words.count("state") == 4
    window.document.set("Change the decoder", decoder="nearest")
    settle(qtbot, window)
    assert says.isHidden()
    assert "at distance" in view.fields["State"].text()


def test_it_is_said_that_noise_has_one_state(qtbot: QtBot, window: MainWindow) -> None:
    rng = np.random.default_rng(5)
    noise = Picture(rng.integers(0, 256, (60, 70)).astype(np.uint8), "noise")
    window.document.open(noise, Parameters(Encoding("quantiles", 4), n_states=3, window=2))
    settle(qtbot, window)
    window.tabs.enter("explore")
    guide = window.findChild(GuideView)
    assert guide is not None
    assert guide.guidance.advice != "alone"
    window.document.set("Change the decoder", decoder="refined")
    settle(qtbot, window)
    assert window.document.frame is not None
    assert not window.document.frame.states.any()
    assert guide.headline.text() == "One state says as much as more"


def test_a_long_decoding_can_be_cancelled(qtbot: QtBot, window: MainWindow) -> None:
    picture, parameters = make_picture("blobs")
    window.document.open(picture, parameters)
    settle(qtbot, window)
    document = window.document
    document.set("Change the decoder", decoder="refined")
    qtbot.waitUntil(lambda: document.activity.work == "decoding")
    document.cancel_work()
    assert document.parameters == parameters
    settle(qtbot, window)
    assert document.frame is not None
    assert document.frame.request.parameters == parameters
