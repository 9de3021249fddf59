"""The room of the guide in Explore, where the program opens, in a window of the usual size."""

from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.document.adviser import Adviser
from latviz.app.program.window import SIZE, MainWindow
from latviz.app.views.guide.view import GuideView
from latviz.engine.advice.acts import Promise
from latviz.engine.advice.advice import Advice, Offer
from tests.app.conftest import begin_anew, settle
from tests.app.cut import is_cut

SAYS = "Shading or more states? N is uncertain; choose it by eye."
BECAUSE = (
    "They remain if borders need three times the contrast. Neighbours are alike within states "
    "(correlation +0.87), so no number proves an N or a w."
)


def guide_of(window: MainWindow) -> GuideView:
    view = window.views["guide"]
    assert isinstance(view, GuideView)
    return view


def advised(window: MainWindow, text: str) -> Advice:
    now, promise = window.document.parameters, Promise("pixel error", 1.8, 1.4, "")
    offer = Offer("belief", text, now, now, promise, (), outlines=False)
    return Advice("uncertain", SAYS, BECAUSE, offer if text else None)


def place(window: MainWindow, within: QWidget | None = None) -> QRect:
    """Return the place of the slider in the window, or in another widget around it."""
    slider = guide_of(window).window_control.slider
    return QRect(slider.mapTo(within or window, QPoint()), slider.size())


def test_the_guide_and_its_slider(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.enter("explore")
    window.tabs.restore_default()
    check_a_slider_that_moves_nothing_leads_back_to_the_map_of_the_window(window, qtbot)
    begin_anew(qtbot, window)
    check_all_of_the_guide_is_seen_and_advice_moves_nothing(window, qtbot)


def check_all_of_the_guide_is_seen_and_advice_moves_nothing(window, qtbot) -> None:
    window.tabs.enter("explore")
    window.tabs.restore_default()
    assert (window.width(), window.height()) == SIZE == (1280, 800)
    settle(qtbot, window)
    guide, before = guide_of(window), place(window)
    qtbot.waitUntil(lambda: guide.scales is not None and guide.scales.complete)
    window.parts[Adviser].blockSignals(True)  # it may still try
    for text in ("", "Try levelled, N = 12, refined: pixel error −0.18 bits", "Try belief", ""):
        guide.show_advice(advised(window, text), is_dependent=True)
        qtbot.wait(20)
        assert place(window) == before
        assert guide.headline.text() == guide.headline.whole_text() == SAYS.removesuffix(".")
        assert guide.brief.text().startswith(BECAUSE)
        assert guide.offer.isVisible() == bool(text)
    qtbot.waitUntil(lambda: guide.rivers.river is not None)
    assert 84 <= guide.rivers.height() <= 96 + 20
    scales = guide.scales
    shown = [button for button in guide.pictures.buttons if button.isVisible()]
    assert len(shown) == len(scales.named()) > 1
    assert not [button.text() for button in (*shown, guide.choose) if is_cut(button)]
    assert min(button.iconSize().height() for button in shown) >= 40


def check_a_slider_that_moves_nothing_leads_back_to_the_map_of_the_window(window, qtbot) -> None:
    document, guide = window.document, guide_of(window)
    window.tabs.enter("explore")
    document.set("Decoder", decoder="belief", learning_window=3)
    believed = settle(qtbot, window)
    before = place(window, guide)
    assert guide.unused.isVisible()
    assert guide.unused.text().startswith("w is not used by belief")
    assert not is_cut(guide.unused)
    assert guide.window_control.slider.property("idle")
    QTest.mouseClick(guide.window_control.slider, Qt.MouseButton.LeftButton, pos=QPoint(300, 8))
    window_of = guide.window_control.slider.value()
    frame = settle(qtbot, window)
    assert document.parameters.decoder == "nearest"
    assert document.parameters.window == window_of > 0
    assert not guide.unused.isVisible()
    kept = frame.request.compared.decoding
    assert kept.parameters == believed.request.parameters
    assert document.display.comparison == "split"
    assert place(window, guide) == before
    assert not guide.window_control.slider.property("idle")
    document.set("Decoder", decoder="belief", learning_window=None)  # w moves the codebook
    settle(qtbot, window)
    assert not guide.unused.isVisible()
