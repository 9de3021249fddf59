"""The guide: its bands, on windows made up for the tests, and its next step."""

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.guide.band import Band, Plateaus
from latviz.app.views.guide.view import GuideView
from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.guidance import Offer, guidance
from latviz.engine.choosing.tradeoff import WINDOWS
from tests.app.frames import computed, shown
from tests.engine.choosing.test_guidance import CURVE, does, known


def place_of(window: float) -> float:
    return 10.0 + 20.0 * window


def test_nothing_is_drawn_before_all_windows_are_known(qtbot: QtBot) -> None:
    band, plateaus = Band(place_of, ()), Plateaus(place_of)
    for widget in (band, plateaus):
        qtbot.addWidget(widget)
    early = guidance(None, 3, 5, "alike", scales=does(20))
    some = guidance(known({w: CURVE[w] for w in range(20)}), 3, 5, "none", scales=does(20))
    for said in (early, some):
        band.show_guidance(said)
        plateaus.show_guidance(said)
        assert band.curve == []
        assert plateaus.bars == []


def test_the_curve_of_regions_has_a_scale_from_nothing_to_the_most(qtbot: QtBot) -> None:
    band = Band(place_of, ())
    qtbot.addWidget(band)
    for w in (0, 5, 20):
        band.show_guidance(guidance(known(CURVE), 3, w, "alike", scales=does()))
        assert band.curve == [(w, 1.0 if w < 5 else 14 / 16) for w in WINDOWS]
        assert band.ends == ("16 regions", "0")


def test_the_scale_of_bits_stays_while_w_moves_and_leaves_out_what_is_far_off(
    qtbot: QtBot,
) -> None:
    """Without a window, w = 0 takes as much as one state does."""
    band, curve = Band(place_of, ()), {**CURVE, 0: 9.0}
    qtbot.addWidget(band)
    for w in (1, 5, 20):
        band.show_guidance(guidance(known(curve), 3, w, "none"))
        assert band.ends == ("2.000 bits", "2.300")
        heights = dict(band.curve)
        assert (heights[5], heights[20], heights[0]) == (1.0, 0.0, 0.0)
        assert heights[10] == pytest.approx(2 / 3)


def test_bars_stand_at_the_windows_of_plateaus_and_lead_to_their_middle(qtbot: QtBot) -> None:
    plateaus = Plateaus(place_of)
    qtbot.addWidget(plateaus)
    plateaus.resize(460, 20)
    plateaus.show_guidance(guidance(None, 3, 5, "alike", scales=does()))
    (fine, first), (coarse, second) = plateaus.bars
    assert (fine.middle, coarse.middle) == (2, 12)
    assert (first.left(), first.right()) == (11, place_of(4.5) - 1)
    assert (second.left(), second.right()) == (place_of(4.5) + 1, place_of(20.5) - 1)
    assert "14 large regions from w = 5 to 20" in plateaus.tip_at(QPointF(place_of(9), 5))
    with qtbot.waitSignal(plateaus.window_wanted) as heard:
        QTest.mouseClick(
            plateaus, Qt.MouseButton.LeftButton, pos=QPointF(place_of(20), 5).toPoint()
        )
    assert heard.args == [12]


def test_what_contradicts_the_model_is_said_with_a_button(qtbot: QtBot) -> None:
    rng = np.random.default_rng(1)
    pixels = (np.indices((60, 60))[1] // 30 + 0.3 * rng.laplace(size=(60, 60))).astype(np.float32)
    frame = computed(pixels, Encoding("grey"), n_states=2, window=2)
    for height in (70, 300):  # without and with the texts below the headline
        view = shown(qtbot, GuideView, frame, (1000, height))
        assert view.check is not None
        assert view.brief.isVisible()
        assert view.brief.whole_text() == view.check.text
        assert view.check.text.startswith("The noise is not normal")
        assert view.check.text in view.keyboard.accessibleDescription()
        assert view.step.text() == "Try belief, refined"
        with qtbot.waitSignal(view.offer_taken) as heard:
            view.step.click()
        assert heard.args == [Offer("Try belief, refined", {"decoder": "refined"})]
    view.show_frame(frame.with_results(law_distance=0.01))
    assert view.step.isHidden()
    assert view.check is None
