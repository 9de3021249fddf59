"""Beliefs in the view of a pixel, and a decoding that is cancelled."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.pixel.evidence import EvidenceBars
from latviz.engine.frames.frame import Frame
from latviz.workspace import make_picture
from tests.app.conftest import settle
from tests.app.frames import corner_of_blobs

NODE = (50, 60)


@pytest.mark.usefixtures("few_views")
def test_beliefs_of_a_pixel_and_a_decoding_that_is_cancelled(window, qtbot) -> None:
    window.tabs.stage.show_only(("image", "states", "pixel", "controls"))
    document, controls = window.document, window.controls
    document.open(*corner_of_blobs())
    settle(qtbot, window)
    document.pin(NODE)
    controls["decoder"].changed.emit("belief")
    check_the_view_of_a_pixel_says_who_says_what(window, settle(qtbot, window))
    # Controls without effect are hidden.
    shown = {"nearest": {"smoothing"}, "belief": {"passes", "smoothing"}, "refined": {"passes"}}
    for decoder, fields in shown.items():
        document.set("Change the decoder", decoder=decoder)
        visible = {field for field in ("passes", "smoothing") if not controls[field].isHidden()}
        assert visible == fields, decoder
    document.set("Change the decoder", decoder="nearest")
    settle(qtbot, window)
    view = window.views["pixel"]
    assert view.findChild(EvidenceBars).isHidden()
    assert "at distance" in view.fields["State"].text()
    check_a_decoding_is_cancelled(window, qtbot)


def check_the_view_of_a_pixel_says_who_says_what(window: MainWindow, frame: Frame) -> None:
    view, beliefs = window.views["pixel"], frame.believed.at(NODE).belief
    best = np.argsort(-beliefs)[:2]
    for name, state in zip(("State", "Next"), best, strict=True):
        said, number = view.fields[name].text().split(", belief ")
        assert said.endswith(f" {state + 1}")
        assert float(number) == pytest.approx(beliefs[state], abs=5.1e-4)
    evidence = view.findChild(EvidenceBars)
    assert not evidence.isHidden()
    words = evidence.in_words(frame)
    assert words.startswith("Itself: state ")
    assert f"Belief: state {best[0] + 1}, {beliefs[best[0]]:.3f}" in words
    assert words.count("state") == 4


def check_a_decoding_is_cancelled(window: MainWindow, qtbot: QtBot) -> None:
    picture, parameters = make_picture("blobs")
    document = window.document
    document.open(picture, parameters)
    settle(qtbot, window)
    document.set("Change the decoder", decoder="refined")
    qtbot.waitUntil(lambda: document.activity.work == "decoding")
    document.cancel_work()
    assert document.parameters == parameters
    assert settle(qtbot, window).request.parameters == parameters
