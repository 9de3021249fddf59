"""Texts and stacks that painted views share."""

import math

import pytest
from PyQt6.QtGui import QColor, QFont
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.widgets import painting as p
from latviz.engine.settings.palette import SLOT_COLORS


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 10, "0"),
        (10, 10, "100"),
        (312, 1000, "31.2"),
        (1, 10_000, "<0.1"),
        (5, 10_000, "0.1"),
        (9_999, 10_000, ">99.9"),
        (9_990, 10_000, "99.9"),
    ],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert p.percent_text(part, whole) == f"{text}\N{NO-BREAK SPACE}%"


def test_the_share_of_nothing() -> None:
    assert p.percent_text(0, 0) == "–"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-4.404, 2, "−4.40"),
        (-0.001, 2, "0.00"),
        (-1234567.8, 0, "−1,234,568"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
        (math.nan, 2, "–"),
    ],
)
def test_signed_numbers(value: float, decimals: int, text: str) -> None:
    assert p.signed(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.0123456, 3, "0.0123"), (1.24e-7, 2, "1.2e-7"), (-3.0, 3, "−3"), (0.0, 3, "0")],
)
def test_significant_digits(value: float, digits: int, text: str) -> None:
    assert p.significant(value, digits) == text


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
