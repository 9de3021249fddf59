"""Texts and stacks that painted views share."""

import math
from collections.abc import Callable

import pytest
from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QColor, QFont
from pytestqt.qtbot import QtBot

from latviz.app.theme import DARK, LIGHT
from latviz.app.widgets import painting as p
from latviz.engine.palette import SLOT_COLORS


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


def block(width: float, height: float) -> p.Block:
    return p.Block(width, height, 10.0, lambda painter, rect: None)


def test_the_first_stack_that_fits() -> None:
    large, wide, small = [block(10, 40)] * 3, [block(90, 10)] * 2, [block(10, 20)] * 2
    of = {"large": large, "wide": wide, "small": small}
    room, stacks, built = QRectF(0, 0, 80, 60), p.Stacks(), list[str]()

    def best(*names: str, room: QRectF = room) -> list[p.Block]:
        def builder(name: str) -> Callable[[], list[p.Block]]:
            return lambda: built.append(name) or of[name]  # type: ignore[func-returns-value]

        built.clear()
        return list(stacks.best([(name, builder(name)) for name in names], room))

    assert p.stack_height(small) == 50
    assert best("large", "wide", "small") == small
    assert built == ["large", "wide", "small"]
    assert best("large", "wide", "small") == small
    assert built == ["wide", "small"]  # what was too high is not built again
    assert best("large", "wide", "small", room=QRectF(0, 0, 80, 140)) == large
    assert best("large", "wide") == wide
    assert best("wide", "large") == large  # the last one, though it is too high
    assert best("wide", "small", room=QRectF(0, 0, 90, 60)) == wide
    assert best() == []
