"""A pixel is explained with its own numbers, as they stand in the other views."""

import numpy as np
from PyQt6.QtGui import QColor
from pytestqt.qtbot import QtBot

from latviz.app.views.why.view import INVITATION, WhyView
from latviz.app.widgets.formula import Typesetter
from latviz.app.window import MainWindow
from latviz.engine.explanation import explain
from latviz.engine.formulas import Formula
from tests.app.conftest import settle
from tests.app.frames import pixels


def begun(window: MainWindow, qtbot: QtBot) -> WhyView:
    window.menus["Explain a pixel"].trigger()
    settle(qtbot, window)
    view = window.views["why"]
    assert isinstance(view, WhyView)
    return view


def test_it_follows_the_pointer_and_falls_back_on_the_last_pin(
    window: MainWindow, qtbot: QtBot
) -> None:
    view = begun(window, qtbot)
    assert view.text == INVITATION
    window.document.pin((20, 30))
    window.document.pin((50, 60))
    qtbot.waitUntil(lambda: view.explanation is not None and view.explanation.node == (50, 60))
    window.document.inspector.hover((5, 6))
    qtbot.waitUntil(lambda: view.explanation.node == (5, 6))
    window.document.inspector.hover(None)
    qtbot.waitUntil(lambda: view.explanation.node == (50, 60))
    window.document.unpin_all()
    qtbot.waitUntil(lambda: view.explanation is None)
    assert view.text == INVITATION


def test_its_text_holds_the_numbers(window: MainWindow, qtbot: QtBot) -> None:
    view = begun(window, qtbot)
    window.document.pin((20, 30))
    qtbot.waitUntil(lambda: view.explanation is not None)
    frame = settle(qtbot, window)
    found, text = explain(frame, (20, 30)), view.text
    assert found.counts is not None
    for count, share in zip(found.counts, found.signature, strict=True):
        assert f"{int(count):,}</td><td>/ {found.n_pixels} = {share:.3f}" in text
    for q in found.ranked:
        assert f"{found.distances[q]:.4g}" in text
    assert "state <span" in text
    assert f"{found.bits:.3f}".replace("-", "−") in text
    assert f"is in state {found.state + 1}." in view.keyboard.accessibleDescription()
    rows = window.specs["why"].table(view, frame)  # type: ignore[misc]
    assert rows[1][0] == found.ranked[0] + 1


def test_it_moves_with_the_window(window: MainWindow, qtbot: QtBot) -> None:
    view = begun(window, qtbot)
    window.document.pin((20, 30))
    for w in (0, 5):
        window.document.set("w", window=w)
        frame = settle(qtbot, window)
        n = (2 * w + 1) ** 2
        assert view.explanation is not None
        assert view.explanation.n_pixels == n
        assert view.explanation.state == frame.states[20, 30]
    for changes in ({"n_states": 1}, {"n_states": 9}, {"decoder": "belief"}):
        window.document.set("more", **changes)
        settle(qtbot, window)
        assert view.explanation is not None
        assert "is in state" in view.text


def test_its_formulas_are_typeset_in_the_colour_of_text(window: MainWindow, qtbot: QtBot) -> None:
    view = begun(window, qtbot)
    window.document.set("belief", decoder="belief")
    window.document.pin((20, 30))
    settle(qtbot, window)
    formulas = [p.formula for p in view.parts if p.formula.isVisible()]
    assert len(formulas) == 4
    qtbot.waitUntil(lambda: all(formula.is_typeset for formula in formulas))
    belief = formulas[2]
    assert belief.text().startswith("belief in j is proportional to")  # what screen readers say
    assert belief.sizeHint().height() > belief.fontMetrics().height()
    for theme in ("light", "dark"):
        window.preferences.choose_theme(theme)
        ink = np.array(QColor(window.preferences.theme.text).getRgb()[:3])
        assert (np.abs(pixels(belief).astype(int) - ink).max(axis=-1) < 40).sum() > 50
    belief.show_formula(Formula("\\frac{1", "one"))
    assert not belief.is_typeset
    qtbot.waitUntil(lambda: Typesetter.known("\\frac{1") is not None)
    assert belief.text() == "one"


def test_a_belief_is_multiplied_out(window: MainWindow, qtbot: QtBot) -> None:
    view = begun(window, qtbot)
    window.document.set("belief", decoder="belief")
    window.document.pin((20, 30))
    frame = settle(qtbot, window)
    assert frame.believed is not None
    said = frame.believed.at((20, 30))
    assert f"<b>{said.belief.max():.4f}</b>" in view.text
    for axis in said.axes:
        assert f"{axis[int(said.belief.argmax())]:.3g}" in view.text
    first, second = sorted(said.belief.tolist(), reverse=True)[:2]
    assert f"believed in {first - second:.3g} less" in view.text
