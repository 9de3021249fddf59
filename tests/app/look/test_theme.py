"""Text can be read in both themes, and heat maps by everyone."""

from itertools import product

import numpy as np
import pytest
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QApplication, QCheckBox, QMenu, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import (
    DARK,
    LIGHT,
    Theme,
    contrast,
    legible_on,
    of_contrast,
    on_panel,
    restyle,
    stylesheet,
    to_colors,
)
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.engine.settings.palette import SLOT_COLORS
from tests.app.conftest import settle_all
from tests.app.frames import pixels
from tests.colors import VISIONS, differences, seen
from tests.screenshots import rgb_of

LEAST_FOR_TEXT = 4.5
"""WCAG 2.2, success criterion 1.4.3."""
LEAST_FOR_CONTROLS = 3.0
"""WCAG 2.2, success criterion 1.4.11: outlines of controls."""
LEAST_TO_GROUND = 12.0
"""CIEDE2000, of a state's colour to the panel."""
HIGH = of_contrast(LIGHT, True), of_contrast(DARK, True)
THEMES = pytest.mark.parametrize(
    "theme", [LIGHT, DARK, *HIGH], ids=["light", "dark", "high light", "high dark"]
)


@THEMES
def test_text_is_read_on_every_ground(theme: Theme) -> None:
    roles = ("text", "muted", "accent", "good", "warning", "bad")
    for role, ground in product(roles, ("window", "panel", "raised")):
        assert contrast(theme.color(role), theme.color(ground)) >= LEAST_FOR_TEXT, (role, ground)
    assert contrast(theme.color("panel"), theme.color("accent")) >= LEAST_FOR_TEXT


@THEMES
@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_outlines_of_boxes_stand_out(theme: Theme, kind: type[QWidget], qtbot: QtBot) -> None:
    ground = on_panel(QWidget())
    box = kind(ground)
    qtbot.addWidget(ground)
    for each in (theme, DARK if theme.name == "light" else LIGHT, theme):
        restyle(each)
        ground.resize(40, 40)
        drawn = rgb_of(ground.grab().toImage())[: box.height(), :20].reshape(-1, 3)
        ink = max(contrast(color, each.color("panel")) for color in to_colors(drawn))
        assert ink >= LEAST_FOR_CONTROLS
    restyle(LIGHT)


@pytest.mark.parametrize("theme", HIGH, ids=["light", "dark"])
def test_high_contrast_is_black_and_white_with_thick_lines(theme: Theme) -> None:
    for ground in ("window", "panel", "raised"):
        assert theme.color(ground).name() in ("#ffffff", "#000000")
        assert contrast(theme.color("text"), theme.color(ground)) == pytest.approx(21.0)
        for role in ("muted", "line", "accent", "good", "warning", "bad"):
            assert contrast(theme.color(role), theme.color(ground)) >= 7.0, role  # 1.4.6
    assert theme.pen("line", 1.5).widthF() == 3.0
    assert LIGHT.pen("line", 1.5).widthF() == 1.5


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
