"""The decoder is a setting like w: each view's display of beliefs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.pixel.evidence import EvidenceBars
from latviz.core import DiscreteModel
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture
from tests.app.conftest import settle
from tests.app.frames import corner_of_blobs

NODE = (50, 60)


def learned(frame: Frame) -> DiscreteModel:
    """Return the model of the exports, with states in the order of their colours."""
    values, parameters = frame.observations.values, frame.request.parameters
    found = DiscreteModel.fit(
        values,
        n_states=parameters.n_states,
        n_symbols=frame.observations.n_symbols,
        window=parameters.window,
    )
    order = np.argsort(frame.row_slots)
    return replace(found, A=found.A[np.ix_(order, order)], B=found.B[order])


def decoded(qtbot: QtBot, window: MainWindow, **changes: Any) -> Frame:
    """Set a decoder, or how it decodes."""
    window.document.set("Change the decoder", **changes)
    return settle(qtbot, window)


@pytest.mark.usefixtures("few_views")
def test_decoders_and_noise(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.stage.show_only(("image", "states", "pixel", "indices", "controls"))
    check_each_decoder_is_that_of_the_core(qtbot, window)
    check_noise_has_one_state_and_decoding_is_cancelled(qtbot, window)


def check_each_decoder_is_that_of_the_core(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open(*corner_of_blobs())
    before = settle(qtbot, window)
    model, values = learned(before), before.observations.values
    window.controls["decoder"].changed.emit("belief")
    frame = settle(qtbot, window)
    wanted = model.decode(values, decoder="belief", passes=10)
    np.testing.assert_array_equal(frame.states, wanted)
    assert frame.truth.accuracy > before.truth.accuracy + 0.01
    window.document.undo_stack.undo()
    np.testing.assert_array_equal(settle(qtbot, window).states, before.states)
    window.document.undo_stack.redo()
    check_the_pixel_panel_says_who_says_what(window, settle(qtbot, window), model)
    window.controls["passes"].changed.emit(0)
    wanted = model.decode(values, decoder="belief", passes=0)
    np.testing.assert_array_equal(settle(qtbot, window).states, wanted)
    window.controls["passes"].changed.emit(10)
    # Controls without effect are hidden.
    shown = {
        "nearest": {"smoothing"},
        "belief": {"passes", "smoothing"},
        "refined": {"passes"},
    }
    for decoder, fields in shown.items():
        window.document.set("Change the decoder", decoder=decoder)
        visible = {
            field for field in ("passes", "smoothing") if not window.controls[field].isHidden()
        }
        assert visible == fields, decoder
    decoded(qtbot, window, decoder="nearest")
    view = window.views["pixel"]
    says = view.findChild(EvidenceBars)
    assert says.isHidden()
    assert "at distance" in view.fields["State"].text()


def check_the_pixel_panel_says_who_says_what(
    window: MainWindow, frame: Frame, model: DiscreteModel
) -> None:
    window.document.pin(NODE)
    QApplication.processEvents()
    view = window.views["pixel"]
    beliefs = model.beliefs(frame.observations.values, passes=10)[NODE]
    best = np.argsort(-beliefs)[:2]
    for name, state in zip(("State", "Next"), best, strict=True):
        said, number = view.fields[name].text().split(", belief ")
        assert said.endswith(f" {state + 1}")
        assert float(number) == pytest.approx(beliefs[state], abs=5.1e-4)
    says = view.findChild(EvidenceBars)
    assert not says.isHidden()
    words = says.in_words(frame)
    assert words.startswith("Itself: state ")
    assert f"Belief: state {best[0] + 1}, {beliefs[best[0]]:.3f}" in words
    assert words.count("state") == 4


def check_noise_has_one_state_and_decoding_is_cancelled(qtbot: QtBot, window: MainWindow) -> None:
    rng = np.random.default_rng(5)
    noise = Picture(rng.integers(0, 256, (60, 70)).astype(np.uint8), "noise")
    window.document.open(noise, Parameters(Encoding("quantiles", 4), n_states=3, window=2))
    settle(qtbot, window)
    window.tabs.enter("explore")
    assert not decoded(qtbot, window, decoder="refined").states.any()
    # A long decoding can be cancelled.
    picture, parameters = make_picture("blobs")
    window.document.open(picture, parameters)
    settle(qtbot, window)
    document = window.document
    document.set("Change the decoder", decoder="refined")
    qtbot.waitUntil(lambda: document.activity.work == "decoding")
    document.cancel_work()
    assert document.parameters == parameters
    assert settle(qtbot, window).request.parameters == parameters
