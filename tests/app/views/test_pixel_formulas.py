"""The formulas of a pixel with its numbers, in the view of that pixel."""

import sys

import numpy as np
from PyQt6.QtGui import QColor
from pytestqt.qtbot import QtBot

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.pixel.formulas import NO_PIXEL, Formulas
from latviz.app.widgets.formula import FormulaLabel, Typesetter
from latviz.engine.explain.explanation import explain
from latviz.engine.explain.formulas import TOPICS, Formula
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle, settle_all
from tests.app.frames import pixels


def formulas(window: MainWindow) -> Formulas:
    return window.views["pixel"].formulas


def test_a_pixel_is_explained_while_its_formulas_are_shown(window, qtbot) -> None:
    window.shell.show("pixel")
    frame, shown, document = settle(qtbot, window), formulas(window), window.document
    assert not shown.isVisible()
    assert shown.text == ""
    assert "code_lengths" not in window.specs["pixel"].asks(document.state)
    window.menus["Explain a pixel"].trigger()
    qtbot.waitUntil(lambda: NO_PIXEL in shown.text)
    document.inspector.hover((5, 6))
    qtbot.waitUntil(lambda: "Row 5, column 6" in shown.text)
    settle_all(qtbot, window)
    qtbot.waitUntil(lambda: "in the same tree: " in shown.text or "no other N" in shown.text)
    found = explain(frame, (5, 6))
    for q in found.ranked:
        assert f"squared distance to state {q + 1} = " in shown.text
    sentences = TOPICS["another"].sentences
    assert sentences is not None
    for sentence in sentences(document.frame, found):
        assert sentence in shown.text
    document.pin((20, 30))
    document.inspector.hover(None)  # the pixel that was pinned last
    qtbot.waitUntil(lambda: "Row 20, column 30" in shown.text)
    document.set("w", window=1)
    after = settle(qtbot, window)
    counts = explain(after, (20, 30)).counts
    qtbot.waitUntil(lambda: f" = {counts.max()} / 9 = " in shown.text)
    check_themes(window, qtbot)
    document.undo_stack.undo()
    # Pixels of the last picture are not asked for in the next one.
    symbols = np.random.default_rng(0).integers(0, 4, (12, 10), dtype=np.uint8)
    window.document.open(Picture(40 * symbols, "other"), Parameters(n_states=3))
    window.document.pin((11, 9))
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "Row 11, column 9" in formulas(window).text)
    formulas(window).parentWidget().why.click()
    assert not formulas(window).isVisible()


def check_themes(window: MainWindow, qtbot: QtBot) -> None:
    """Look for formulas in the colour of text."""
    shown = formulas(window)
    qtbot.waitUntil(lambda: all(label.is_typeset for label in shown.labels))
    for theme in ("light", "dark"):
        window.parts[Preferences].choose_theme(theme)
        label = shown.labels[0]
        assert label.sizeHint().height() > label.fontMetrics().height()
        ink = np.array(QColor(window.parts[Preferences].theme.text).getRgb()[:3])
        assert (np.abs(pixels(label).astype(int) - ink).max(axis=-1) < 40).sum() > 30
    label.show_formula(Formula("\\frac{1", "one"))  # stays in words if it cannot be typeset
    qtbot.waitUntil(lambda: Typesetter.known("\\frac{1") is not None)
    assert not label.is_typeset
    assert label.text() == "one"


def test_a_formula_whose_library_cannot_be_loaded_now_is_typeset_when_asked_again(
    qtbot, monkeypatch
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
