"""Text can be read in both themes, and heat maps by everyone."""

from itertools import product

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QPalette
from PyQt6.QtWidgets import QApplication, QMenu, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import (
    DARK,
    LIGHT,
    Theme,
    contrast,
    legible_on,
    of_contrast,
    palette,
    stylesheet,
    to_colors,
)
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.engine.settings.palette import SLOT_COLORS
from tests.app.conftest import settle_all
from tests.app.frames import pixels
from tests.colors import VISIONS, differences, seen

LEAST_FOR_TEXT = 4.5
"""WCAG 2.2, success criterion 1.4.3."""
LEAST_FOR_MARKS = 3.0
"""WCAG 2.2, success criterion 1.4.11: rings, handles, gauges."""
LEAST_TO_GROUND = 12.0
"""CIEDE2000, of a state's colour to the panel."""
HIGH = of_contrast(LIGHT, True), of_contrast(DARK, True)
THEMES = pytest.mark.parametrize(
    "theme", [LIGHT, DARK, *HIGH], ids=["light", "dark", "high light", "high dark"]
)
Role = QPalette.ColorRole


@THEMES
def test_text_is_read_on_every_ground(theme: Theme) -> None:
    roles = ("text", "muted", "accent", "good", "warning", "bad")
    for role, ground in product(roles, ("window", "panel", "raised")):
        assert contrast(theme.color(role), theme.color(ground)) >= LEAST_FOR_TEXT, (role, ground)
    assert contrast(theme.color("panel"), theme.color("accent")) >= LEAST_FOR_TEXT


@pytest.mark.parametrize("theme", HIGH, ids=["light", "dark"])
def test_high_contrast_is_black_and_white_with_thick_lines(theme: Theme) -> None:
    for ground in ("window", "panel", "raised"):
        assert theme.color(ground).name() in ("#ffffff", "#000000")
        assert contrast(theme.color("text"), theme.color(ground)) == pytest.approx(21.0)
        for role in ("muted", "line", "accent", "good", "warning", "bad"):
            assert contrast(theme.color(role), theme.color(ground)) >= 7.0, role  # 1.4.6
    assert theme.pen("line", 1.5).widthF() == 3.0
    assert LIGHT.pen("line", 1.5).widthF() == 1.5


@THEMES
def test_texts_of_the_palette_are_read(theme: Theme) -> None:
    made = palette(theme)
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Disabled):
        for text, ground in (
            (Role.WindowText, Role.Window),
            (Role.Text, Role.Base),
            (Role.Text, Role.AlternateBase),
            (Role.ButtonText, Role.Button),
            (Role.ToolTipText, Role.ToolTipBase),
            (Role.PlaceholderText, Role.Base),
            (Role.HighlightedText, Role.Highlight),
            (Role.Link, Role.Base),
        ):
            found = contrast(made.color(group, text), made.color(group, ground))
            assert found >= LEAST_FOR_TEXT, (group, text, ground)


def test_numbers_are_read_on_every_state() -> None:
    for color in to_colors(SLOT_COLORS):
        assert contrast(legible_on(color), color) >= LEAST_FOR_TEXT
    for theme in (LIGHT, DARK):
        for color in to_colors(theme.heat_table()):
            assert contrast(legible_on(color), color) >= LEAST_FOR_TEXT


@THEMES
@pytest.mark.parametrize("vision", VISIONS)
def test_lightness_of_the_heat_colours_is_monotone(theme: Theme, vision: str) -> None:
    lightness = seen(theme.heat_table(), vision)[:, 0]
    steps = np.diff(lightness) * (1 if theme.name == "dark" else -1)
    assert steps.min() >= -0.05
    assert abs(lightness[-1] - lightness[0]) > 70
    assert steps.max() < 1.5


@THEMES
@pytest.mark.parametrize("vision", VISIONS)
def test_states_stand_out_from_the_ground(theme: Theme, vision: str) -> None:
    ground = seen([theme.color("panel").getRgb()[:3]], vision)
    assert differences(seen(SLOT_COLORS[:12], vision), ground).min() >= LEAST_TO_GROUND


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21.0)
    assert contrast(QColor("#777777"), QColor("#ffffff")) == pytest.approx(4.48, abs=0.005)
    assert contrast(QColor("#ff0000"), QColor("#ff0000")) == 1.0


@THEMES
@pytest.mark.parametrize("value", [0, 50, 100])
def test_the_number_on_a_bar_is_legible(qtbot: QtBot, theme: Theme, value: int) -> None:
    bar = QProgressBar()
    qtbot.addWidget(bar)
    bar.setPalette(palette(theme))
    bar.setStyleSheet(stylesheet(theme))
    bar.setFormat("%p %")
    bar.setFixedSize(110, 16)
    bar.setValue(value)
    bar.show()
    image, ink = bar.grab().toImage(), QColor(theme.text)
    # Between border and number the ground alone is drawn; the number is drawn in the text's colour.
    drawn = {image.pixelColor(x, y).name() for x in range(30, 80) for y in range(3, 13)}
    assert ink.name() in drawn
    for x in (8, 101):
        assert contrast(image.pixelColor(x, 8), ink) >= LEAST_FOR_TEXT


@THEMES
def test_texts_in_a_highlighted_control_are_legible(qtbot: QtBot, theme: Theme) -> None:
    """Texts of any colour lie on its ground; its frame stands out from that."""
    part = QWidget()
    qtbot.addWidget(part)
    part.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    part.setProperty("lit", True)
    part.setPalette(palette(theme))
    part.setStyleSheet(stylesheet(theme))
    part.resize(60, 40)
    image = part.grab().toImage()
    ground, frame = image.pixelColor(30, 20), image.pixelColor(30, 0)
    for role in ("text", "muted", "accent", "good", "warning", "bad"):
        assert contrast(theme.color(role), ground) >= LEAST_FOR_TEXT, role
    assert contrast(frame, ground) >= LEAST_FOR_MARKS


def test_every_widget_takes_the_colors_of_another_theme(window: MainWindow, qtbot: QtBot) -> None:
    """The colours equal those of a style sheet in which they are written out.

    Setting that instead took 0.1 s, in which no event was handled.
    """
    window.tabs.restore_default()
    settle_all(qtbot, window)
    window.menus.refresh()
    parts = [window, *window.findChildren(QMenu)]
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    usual = application.styleSheet()
    for theme in (DARK, LIGHT):
        window.parts[Preferences].choose_theme(theme.name)
        QApplication.processEvents()
        assert application.styleSheet() == usual
        found = [pixels(part) for part in parts]
        try:
            application.setStyleSheet(stylesheet(theme))
            QApplication.processEvents()
            for part, colors in zip(parts, found, strict=True):
                np.testing.assert_array_equal(colors, pixels(part))
        finally:
            application.setStyleSheet(usual)
