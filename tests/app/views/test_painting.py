"""Texts and stacks that painted views share."""

from PyQt6.QtGui import QColor, QFont
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.widgets import painting as p
from latviz.engine.settings.palette import SLOT_COLORS


def test_the_first_text_that_fits(qtbot: QtBot) -> None:
    font = QFont()
    texts = ("a long text that says all", "a short text", "text")
    widths = [p.text_width(font, text) for text in texts]
    assert [p.fitting(font, width, *texts) for width in widths] == list(texts)
    cut = p.fitting(font, widths[2] - 2, *texts)
    assert cut.endswith("…")
    assert p.text_width(font, cut) <= widths[2] - 2


def test_every_state_shows_on_both_panels(qtbot: QtBot) -> None:
    for theme in (LIGHT, DARK):
        for red, green, blue in SLOT_COLORS.tolist():
            edge = p.outline(QColor(red, green, blue), theme)
            assert p.contrast(edge, theme.color("panel")) >= 1.9
