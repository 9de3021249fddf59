"""The guide: its advice, and the lives below its slider."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from latviz.app.views.guide.spec import lines
from latviz.app.views.guide.view import ASKED, GuideView
from latviz.app.widgets.elided import ElidedLabel
from latviz.engine.advice.advice import Advice
from latviz.engine.choosing.tradeoff import Chosen
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import belief_after, frame_of, shown


def test_advice_has_a_headline_a_reason_and_a_button(qtbot: QtBot) -> None:
    offer = belief_after(Parameters(n_states=2, window=2))
    advice = Advice("window", "It is so.", "It is why.", offer)
    frame = frame_of("two states")
    for height in (190, 300):
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
        assert view.changes.isVisible()
        view.show_asked(True)
        assert view.headline.whole_text() == ASKED
        assert view.offer.isHidden()
        assert view.changes.isHidden()
        assert "changed" not in view.keyboard.accessibleDescription()
        assert lines(view, frame) == []
        figure.show_as_figure(view, 1.0)
        assert figure.headline.whole_text() == ASKED
        view.show_asked(False)
        assert view.headline.whole_text() == "It is so"
        assert view.changes.isVisible()
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


def test_a_long_reason_uses_all_lines_that_there_is_room_for(qtbot) -> None:
    advice = Advice("photograph", "It is so.", "It is why, at length. " * 7 + "It ends.")
    frame = frame_of("two states")
    ends = {(1600, 100): True, (700, 100): False, (700, 290): True}  # beside or above the slider
    for size, is_whole in ends.items():
        view = shown(qtbot, GuideView, frame, size)
        view.setFixedHeight(max(size[1], view.minimumSizeHint().height()))
        view.show_advice(advice, False)
        view.layout().activate()
        height, slider = view.brief.height(), view.window_control.pos()
        assert view.brief.text().endswith("It ends.") is is_whole
        assert height % view.fontMetrics().lineSpacing() == 0
        view.show_outcome("It changed.")
        qtbot.waitUntil(lambda view=view: view.changes.text() == "It changed.")
        view.layout().activate()
        assert view.window_control.pos() == slider


def test_what_was_chosen_is_said_while_it_is_set(qtbot: QtBot) -> None:
    frame = frame_of("two states")
    found = Chosen(None, "w", 2, 6, "w = 6: it is lowest", "It is why.", "by a rule")
    view = shown(qtbot, GuideView, frame, (1000, 190))
    view.show_chosen(found)
    chosen = found.applied(frame.request.parameters)
    for set_so, is_set in ((chosen, True), (replace(chosen, window=8), False), (chosen, True)):
        view.show_frame(replace(frame, request=replace(frame.request, parameters=set_so)))
        view.show_state(replace(view.state, parameters=set_so))
        assert (view.headline.whole_text() == "w = 6: it is lowest") == is_set
        assert ("It is why." in view.brief.whole_text()) == is_set
