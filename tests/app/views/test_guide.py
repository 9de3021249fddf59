"""The guide: its bands, on windows made up for the tests, and its advice."""

from dataclasses import replace

import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.guide.band import Band, Plateaus
from latviz.app.views.guide.spec import lines
from latviz.app.views.guide.view import ASKED, GuideView
from latviz.app.widgets.elided import ElidedLabel
from latviz.engine.advice.advice import Advice
from latviz.engine.choosing.tradeoff import WINDOWS
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import belief_after, frame_of, shown
from tests.engine.choosing.test_window_effects import CURVE, does, predicted, seen


def place_of(window: float) -> float:
    return 10.0 + 20.0 * window


def test_nothing_is_drawn_before_all_windows_are_known(qtbot: QtBot) -> None:
    band, plateaus = Band(place_of, ()), Plateaus(place_of)
    for widget in (band, plateaus):
        qtbot.addWidget(widget)
    some = replace(predicted({w: CURVE[w] for w in range(20)}, 5), scales=does(20))
    for effects in (seen(5, does(20)), some, None):
        band.show_effects(effects)
        plateaus.show_effects(effects)
        assert band.curve == []
        assert plateaus.bars == []


def test_the_curve_of_regions_has_a_scale_from_nothing_to_the_most(qtbot: QtBot) -> None:
    band = Band(place_of, ())
    qtbot.addWidget(band)
    for w in (0, 5, 20):
        band.show_effects(seen(w, does()))
        assert band.curve == [(w, 1.0 if w < 5 else 14 / 16) for w in WINDOWS]
        assert band.ends == ("16 regions", "0")


def test_the_scale_of_bits_stays_while_w_moves_and_leaves_out_what_is_far_off(qtbot: QtBot) -> None:
    """Without a window, w = 0 takes as much as one state does."""
    band, curve = Band(place_of, ()), {**CURVE, 0: 9.0}
    qtbot.addWidget(band)
    for w in (1, 5, 20):
        band.show_effects(predicted(curve, w))
        assert band.ends == ("2.000 bits", "2.300")
        heights = dict(band.curve)
        assert (heights[5], heights[20], heights[0]) == (1.0, 0.0, 0.0)
        assert heights[10] == pytest.approx(2 / 3)


def test_bars_stand_at_the_windows_of_plateaus_and_lead_to_their_middle(qtbot: QtBot) -> None:
    plateaus = Plateaus(place_of)
    qtbot.addWidget(plateaus)
    plateaus.resize(460, 20)
    plateaus.show_effects(seen(5, does()))
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


def test_advice_has_a_headline_a_reason_and_a_button(qtbot: QtBot) -> None:
    offer = belief_after(Parameters(n_states=2, window=2))
    advice = Advice("window", "It is so.", "It is why.", offer)
    frame = frame_of("two states")
    for height in (70, 300):  # without and with the texts below the headline
        view = shown(qtbot, GuideView, frame, (1000, height))
        assert view.offer.isHidden()
        view.show_advice(advice, False)
        assert view.headline.whole_text() == "It is so"
        assert view.brief.isVisible()
        assert view.brief.whole_text() == view.offer.toolTip() == "It is why."
        assert view.keyboard.accessibleDescription().startswith("It is so. It is why.")
        assert view.offer.text() == view.offer.accessibleName() == offer.text
        with qtbot.waitSignal(view.offer_taken):
            view.offer.click()
        view.show_lock(False)
        assert not view.offer.isEnabled()
        view.show_lock(True)
        assert lines(view, frame) == ["", "# It is so.", "# It is why."]
        figure = GuideView()
        qtbot.addWidget(figure)
        figure.show_as_figure(view, 1.0)
        assert figure.headline.whole_text() == "It is so"
        view.show_outcome("It was changed")
        assert view.outcome.isVisible()
        view.show_asked(True)
        assert view.headline.whole_text() == ASKED
        assert view.offer.isHidden()
        assert view.outcome.isHidden()
        assert "changed" not in view.keyboard.accessibleDescription()
        assert lines(view, frame) == []
        figure.show_as_figure(view, 1.0)
        assert figure.headline.whole_text() == ASKED
        view.show_asked(False)
        assert view.headline.whole_text() == "It is so"
        assert view.outcome.isVisible()
        view.show_outcome("")
        view.show_advice(None, None)
        assert lines(view, frame) == []
        assert view.headline.whole_text() == "N = 2, w = 4"  # until its regions are counted
        assert view.offer.isHidden()


def test_a_reason_of_two_lines_is_whole_in_every_size_of_type(qtbot: QtBot) -> None:
    label, text = ElidedLabel(), "They remain. " * 12 + "It ends."
    qtbot.addWidget(label)
    label.take_lines(2)
    for size in range(8, 24):
        font = label.font()
        font.setPointSizeF(size)
        label.setFont(font)
        long = label.fontMetrics().horizontalAdvance(text)
        for share, is_whole in ((0.6, True), (0.3, False)):
            label.resize(round(share * long), 100)
            label.show_text(text)
            assert (label.text() == text) is is_whole


def test_a_long_reason_uses_the_whole_width_and_a_second_line_if_there_is_room(qtbot) -> None:
    advice = Advice("photograph", "It is so.", "It is why, at length. " * 7 + "It ends.")
    frame = frame_of("two states")
    ends = {(1600, 104): True, (700, 104): False, (700, 200): True}  # one line, or two if high
    for size, is_whole in ends.items():
        view = shown(qtbot, GuideView, frame, size)
        view.setFixedHeight(size[1])
        view.show_advice(advice, False)
        height = view.brief.height()
        assert view.brief.text().endswith("It ends.") is is_whole
        assert height == (2 if size[1] == 200 else 1) * view.fontMetrics().lineSpacing()
        view.show_outcome("It changed.")
        qtbot.waitUntil(lambda view=view: view.changes.text() == "It changed.")
        assert view.outcome.height() == height  # nothing moves
