"""Help in place: "?" over anything, and F1 at the matching page."""

import sys
from unittest.mock import patch

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QColor, QCursor
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.explaining.card import NO_PIXEL, Card
from latviz.app.explaining.explainer import Explainer
from latviz.app.explaining.subjects import Subjects
from latviz.app.help import manual
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.formula import FormulaLabel, Typesetter
from latviz.core.data.encoding import Encoding
from latviz.core.parameter import rows
from latviz.engine.explain.explanation import explain
from latviz.engine.explain.formulas import TOPICS, Formula
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle, settle_all
from tests.app.frames import pixels
from tests.test_manual import HELP, anchors

WITHOUT_FORMULAS = {"multiples", "tried", "shelf", "images"}
"""Views that show several settings, or none."""


def opened(window: MainWindow, qtbot: QtBot) -> Card:
    card = window.parts[Explainer].card
    qtbot.waitUntil(card.isVisible)
    return card


def closed(window: MainWindow, qtbot: QtBot, card: Card) -> None:
    QTest.keyClick(card, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.parts[Explainer].card is None)


def point(widget: QWidget) -> None:
    """Put the pointer over the upper left of a widget, which must be on the small screen."""
    at = widget.mapToGlobal(QPoint(20, min(20, widget.height() // 2)))
    QCursor.setPos(at)
    assert QCursor.pos() == at


def test_what_is_under_the_pointer_is_explained(window: MainWindow, qtbot: QtBot) -> None:
    window.document.pin((20, 30))
    frame = settle(qtbot, window)
    point(window.views["states"].keyboard)
    QTest.keyClick(window, Qt.Key.Key_Question)
    card = opened(window, qtbot)
    found, text = explain(frame, (20, 30)), card.text
    assert window.specs["states"].help in text
    assert "Row 20, column 30:" in text
    for q in found.ranked:
        assert f"squared distance to state {q + 1} = " in text
    assert card.area.accessibleName() == "State map"
    assert card.area.accessibleDescription() == text
    assert QApplication.focusWidget() is card.area
    qtbot.waitUntil(lambda: all(formula.is_typeset for formula in card.formulas))
    closed(window, qtbot, card)
    point(window.controls["n_states"])
    QTest.keyClick(window, Qt.Key.Key_Question)
    card = opened(window, qtbot)
    assert card.text.startswith("States N\n")
    qtbot.waitUntil(lambda: "the next merge, from N = 4 to 3" in card.text)  # computed on request
    closed(window, qtbot, card)

    # Context menus explain.
    for widget in (window.views["tree"], window.docks["likelihood"].bar, window.controls["alpha"]):
        action = next(a for a in widget.actions() if a.text() == "What is this?")
        action.trigger()
        card = opened(window, qtbot)
        assert len(card.formulas) > 0
        closed(window, qtbot, card)

    # Without a target, the card says how to ask.
    with patch.object(window.parts[Explainer], "_widget_in_use", lambda: None):
        window.parts[Explainer].explain_here()
    assert "press ? again" in window.status.message.whole_text()
    qtbot.waitUntil(lambda: window.parts[Explainer].card is None)


def test_a_question_mark_while_another_picture_opens(window: MainWindow, qtbot: QtBot) -> None:
    for shape in ((6, 20, 24), (12, 10), (500,)):
        check_question(shape, window, qtbot)


def check_question(shape: tuple[int, ...], window: MainWindow, qtbot: QtBot) -> None:
    """A pixel of one is not requested in the other; the card is filled when the frame arrives."""
    symbols = np.random.default_rng(0).integers(0, 4, shape, dtype=np.uint8)
    names = ("a", "c", "g", "t") if len(shape) == 1 else ()
    picture = Picture(40 * symbols // (40 if names else 1), "other", alphabet=names,
                      dimensions=len(shape))  # fmt: skip
    document, node = window.document, tuple(n - 1 for n in shape)
    settle(qtbot, window)
    encoding = Encoding("labels") if names else Encoding("quantiles", 4)
    document.open(picture, Parameters(encoding, n_states=3))
    document.pin(node)
    assert document.frame is None
    assert document.picture is picture
    window.parts[Explainer].explain(window.views["states"].keyboard)
    card = opened(window, qtbot)
    assert NO_PIXEL in card.text
    settle(qtbot, window)
    qtbot.waitUntil(lambda: f"{node_text(node).capitalize()}:" in card.text)
    closed(window, qtbot, card)


def test_everything_has_a_page_and_its_formulas(window: MainWindow, qtbot: QtBot) -> None:
    subjects = Subjects(window.docks, window.specs, window.controls)
    for name, view in window.views.items():
        subject = subjects.of(view.keyboard)
        assert subject.page == f"views/{name}.md"
        assert subject.topics or name in WITHOUT_FORMULAS
        assert set(subject.topics) <= TOPICS.keys()
    for row in rows(Parameters):
        subject = subjects.of(window.controls[row.field])
        assert subject.title == row.name
        assert set(subject.topics) <= TOPICS.keys()
        assert subject.anchor in anchors(HELP / subject.page)
    for name in ("controls", "lesson"):
        subject = subjects.of(window.docks[name].bar)
        assert subject.page in {entry.name for entry in manual.contents()}
    button = subjects.of(window.controls.reset)
    assert button.title == "Reset"
    assert window.controls.reset.toolTip() in button.paragraphs
    assert subjects.of(window) is None

    # F1 opens the page of the target.
    point(window.views["states"])
    QTest.keyClick(window, Qt.Key.Key_F1)
    (dialog,) = window.findChildren(HelpDialog)
    assert dialog.browser.page == "views/states.md"
    dialog.close()
    point(window.docks["image"].bar)
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert dialog.browser.page == "views/image.md"
    dialog.close()

    # The keyboard is meant once it was used.
    window.controls["window"].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    card = opened(window, qtbot)
    assert card.text.startswith("Window w\n")
    assert NO_PIXEL in card.text
    QTest.keyClick(card, Qt.Key.Key_F1)
    (dialog,) = window.findChildren(HelpDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.browser.page == "parameters.md"
    assert dialog.browser.source().fragment() == "model"
    dialog.close()


def test_cards_of_pixels_in_both_themes(window: MainWindow, qtbot: QtBot) -> None:
    # A pixel is explained though the card covers it.
    frame = settle(qtbot, window)
    window.document.pin((20, 30))
    window.document.inspector.hover((5, 6))
    window.menus["Explain a pixel"].trigger()
    card = opened(window, qtbot)
    window.document.inspector.hover(None)  # as when the card comes between
    qtbot.waitUntil(lambda: "in the same tree: " in card.text or "no other N" in card.text)
    assert "Row 5, column 6:" in card.text
    assert "Row 20, column 30:" not in card.text
    for sentence in TOPICS["another"].sentences(window.document.frame, explain(frame, (5, 6))):
        if "tree" not in sentence:
            assert sentence in card.text
    closed(window, qtbot, card)
    window.menus["Explain a pixel"].trigger()
    card = opened(window, qtbot)
    assert "Row 20, column 30:" in card.text
    closed(window, qtbot, card)

    # Formulas and cards in both themes.
    for theme in ("light", "dark"):
        window.parts[Preferences].choose_theme(theme)
        check_formulas(window, qtbot)
    for theme in ("light", "dark"):
        window.parts[Preferences].choose_theme(theme)
        check_room(window, qtbot)


def check_formulas(window: MainWindow, qtbot: QtBot) -> None:
    """Look for formulas in the colour of text."""
    window.parts[Explainer].explain(window.docks["pixel"])
    card = opened(window, qtbot)
    subject = window.parts[Explainer]._subject_of(window.docks["pixel"])
    assert subject is not None
    qtbot.waitUntil(lambda: not window.parts[Explainer]._missing(subject))
    settle_all(qtbot, window)  # the missing results have filled it again
    qtbot.waitUntil(lambda: all(formula.is_typeset for formula in card.formulas))
    formula = card.formulas[0]
    assert formula.sizeHint().height() > formula.fontMetrics().height()
    ink = np.array(QColor(window.parts[Preferences].theme.text).getRgb()[:3])
    assert (np.abs(pixels(formula).astype(int) - ink).max(axis=-1) < 40).sum() > 30
    formula.show_formula(Formula("\\frac{1", "one"))  # stays in words if it cannot be typeset
    qtbot.waitUntil(lambda: Typesetter.known("\\frac{1") is not None)
    assert not formula.is_typeset
    assert formula.text() == "one"
    closed(window, qtbot, card)


def check_room(window: MainWindow, qtbot: QtBot) -> None:
    """Look for the whole card on the screen."""
    settle(qtbot, window)
    window.parts[Explainer].explain(window.docks["indices"].bar)
    card = opened(window, qtbot)
    screen = card.screen()
    card.open_at(screen.availableGeometry().bottomRight())
    assert screen.availableGeometry().contains(card.geometry())
    closed(window, qtbot, card)


def test_a_formula_whose_library_cannot_be_loaded_now_is_typeset_when_asked_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads that import it at once may fail, which is not an error of the formula."""
    formula = Formula("\\frac{4711}{2}", "4711 / 2")
    typesetter, label = Typesetter(), FormulaLabel()
    qtbot.addWidget(label)
    monkeypatch.setitem(sys.modules, "ziamath", None)  # importing it fails
    label.show_formula(formula)
    label.use(typesetter)
    qtbot.waitUntil(lambda: not typesetter._asked)
    assert not label.is_typeset
    monkeypatch.delitem(sys.modules, "ziamath")
    label.use(typesetter)
    qtbot.waitUntil(lambda: label.is_typeset)
    typesetter.close()
