"""Colours of the window, light and dark, and its style sheet."""

from dataclasses import dataclass, replace
from functools import cache
from string import Template

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QFont, QGuiApplication, QPalette, QPen
from PyQt6.QtWidgets import QApplication, QWidget


@dataclass(frozen=True)
class Theme:
    """Named colours, "#rrggbb". Views draw with these alone, and with the states' own."""

    name: str
    window: str  # behind the panels
    panel: str  # behind the views' contents
    raised: str  # buttons, fields
    text: str
    muted: str  # secondary text, axes
    line: str  # borders, grids
    accent: str
    good: str
    warning: str
    bad: str
    heat: tuple[str, ...]  # from nothing to most, for densities and heat maps
    stroke: float = 1.0  # factor of line widths

    def color(self, name: str) -> QColor:
        """Return one of the colours by its name."""
        return QColor(_rgb(getattr(self, name)))

    def pen(self, name: str, width: float = 1.0) -> QPen:
        """Return a pen in one of the colours, for lines of this usual width in pixels."""
        return QPen(self.color(name), width * self.stroke)

    def heat_table(self) -> NDArray[np.uint8]:
        """Return the heat colours as a read-only table of shape (256, 3), uint8."""
        return table_between(self.heat, 256)


@cache
def _rgb(code: str) -> int:
    return QColor(code).rgb()


@cache
def table_between(codes: tuple[str, ...], n: int) -> NDArray[np.uint8]:
    """Return n colours, evenly spaced between some colours, (n, 3) uint8."""
    stops = np.array([QColor(code).getRgb()[:3] for code in codes], dtype=np.float64)
    at = np.linspace(0.0, len(stops) - 1, n)
    channels = [np.interp(at, np.arange(len(stops)), stops[:, c]) for c in range(3)]
    table = np.rint(np.stack(channels, axis=1)).astype(np.uint8)
    table.setflags(write=False)
    return table


LIGHT = Theme(
    name="light",
    window="#eceef1",
    panel="#ffffff",
    raised="#f6f7f9",
    text="#1d2127",
    muted="#626b78",
    line="#d3d8df",
    accent="#2463c9",
    good="#177543",
    warning="#925c00",
    bad="#c0322b",
    heat=("#ffffff", "#cfe0f1", "#86b6dc", "#3d81bd", "#1a4f8f", "#0b2654"),
)

DARK = Theme(
    name="dark",
    window="#14171b",
    panel="#1c2026",
    raised="#272c34",
    text="#e4e7eb",
    muted="#98a2af",
    line="#363d47",
    accent="#6ea8fe",
    good="#4cc38a",
    warning="#e2a93b",
    bad="#f0716a",
    heat=("#1c2026", "#1f3a5f", "#2b659c", "#4d9bd0", "#9dd0e6", "#f4fbff"),
)

_CONTRAST = {
    LIGHT: replace(
        LIGHT,
        window="#ffffff",
        raised="#ffffff",
        text="#000000",
        muted="#1f1f1f",
        line="#000000",
        accent="#0044b3",
        good="#005a2b",
        warning="#6b4300",
        bad="#a3000b",
        stroke=2.0,
    ),
    DARK: replace(
        DARK,
        window="#000000",
        panel="#000000",
        raised="#000000",
        text="#ffffff",
        muted="#e4e4e4",
        line="#ffffff",
        accent="#8fc0ff",
        good="#6ff0b0",
        warning="#ffcf70",
        bad="#ffa19c",
        heat=("#000000", *DARK.heat[1:]),
        stroke=2.0,
    ),
}


def of_contrast(theme: Theme, high: bool) -> Theme:
    """Return a theme on a white or black ground with thick lines, or the theme unchanged."""
    return _CONTRAST[theme] if high else theme


def contrast(first: QColor, second: QColor) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2)."""
    low, high = sorted((_luminance(first.rgb()), _luminance(second.rgb())))
    return (high + 0.05) / (low + 0.05)


@cache
def _luminance(rgb: int) -> float:
    parts = ((rgb >> shift & 255) / 255 for shift in (16, 8, 0))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def system_theme() -> Theme:
    """Return the desktop's theme, or the light one if it has none."""
    hints = QGuiApplication.styleHints()
    dark = hints is not None and hints.colorScheme() == Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


_DONE = 0.4
"""Share of the accent in the done part of a bar; its number is legible over both parts."""


def _between(first: str, second: str) -> str:
    """Return the colour of the done part, near enough to the first one for text over it."""
    pairs = zip(QColor(first).getRgb()[:3], QColor(second).getRgb()[:3], strict=True)
    channels = (round((1 - _DONE) * (a or 0) + _DONE * (b or 0)) for a, b in pairs)
    return QColor(*channels).name()


def palette(theme: Theme) -> QPalette:
    """Return the palette for Qt's own widgets."""
    role = QPalette.ColorRole
    result = QPalette()
    colors = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.panel,
        role.PlaceholderText: theme.muted,
        role.Link: theme.accent,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Light: theme.raised,
        role.Midlight: _between(theme.raised, theme.accent),  # the done part of a bar
        role.Shadow: theme.window,
        role.BrightText: theme.bad,
        role.Accent: theme.accent,
    }
    for key, code in colors.items():
        result.setColor(key, QColor(code))
    for key in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.muted))
    return result


def on_panel(part: QWidget) -> QWidget:
    """Fill a part with the panel's colour, so that nothing behind it is painted with it."""
    part.setBackgroundRole(QPalette.ColorRole.Base)
    part.setAutoFillBackground(True)
    return part


def to_colors(rgb: NDArray[np.uint8]) -> list[QColor]:
    """Turn rows of red, green and blue into colours."""
    return [QColor(r, g, b) for r, g, b in rgb.tolist()]


def legible_on(background: QColor) -> QColor:
    """Return black or white, the one of more contrast, which is at least 4.58 on any colour."""
    return QColor(_legible_on(background.rgb()))


@cache
def _legible_on(rgb: int) -> int:
    inks = QColor("#000000"), QColor("#ffffff")
    return max(inks, key=lambda ink: contrast(ink, QColor(rgb))).rgb()


_RULES = Template("""
QMainWindow, QSplitter::handle { background: $window; }
QSplitter::handle:hover { background: $accent; }
Dock, DrawerTabs { background: $panel; }
#dock-title { background: $panel; border-bottom: 1px solid $line; }
#dock-title QLabel { font-weight: 600; color: $text; background: transparent; }
#dock-title QLabel[muted="true"] { font-weight: 400; color: $muted; }
#dock-title QToolButton { border: none; color: $muted; background: transparent; }
#dock-title QToolButton[menu="true"] { padding-right: 6px; }
#dock-title QToolButton::menu-indicator { image: none; }
#dock-title QToolButton:hover { color: $text; background: $raised; }
#dock-title QToolButton:checked { color: $text; border-bottom: 2px solid $accent; }
QGroupBox { font-weight: 600; border: none; margin-top: 1.3em; padding: 0; }
QGroupBox::title { subcontrol-origin: margin; left: 0; color: $text; }
QLabel[muted="true"] { color: $muted; }
QScrollArea, QScrollArea > QWidget > QScrollBar { background: $panel; border: none; }
*[lit="true"] { background: $panel; border: 2px solid $accent; border-radius: 3px; }
QToolTip { color: $text; background: $raised; border: 1px solid $line;
            padding: 4px 6px; }
QStatusBar { background: $window; color: $muted; }
QStatusBar::item { border: none; }
QMenuBar { background: $window; color: $text; }
QMenuBar::item:selected, QMenu::item:selected { background: $accent; color: $panel; }
QMenu { background: $panel; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 24px; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QPushButton, QToolButton#tool { background: $raised; border: 1px solid $line;
    border-radius: 4px; padding: 4px 12px; }
QPushButton[small="true"] { padding: 0 8px; }
QPushButton[link="true"] { padding: 0; border: none; background: none; text-align: left;
    color: $accent; }
QProgressBar { background: $raised; border: 1px solid $line; border-radius: 4px;
    color: $text; text-align: center; max-height: 16px; }
QProgressBar::chunk { background: $done; border-radius: 3px; }
QPushButton:hover { border-color: $muted; }
QPushButton:checked { background: $accent; color: $panel; }
QPushButton:focus { border: 1px solid $accent; }
QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled, QSlider[idle="true"]::sub-page:horizontal {
    background: $line; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px;
    background: $panel; border: 2px solid $accent; }
QSlider::handle:horizontal:focus { background: $accent; }
QSlider::handle:horizontal:disabled, QSlider[idle="true"]::handle:horizontal {
    border-color: $line; }
[strip="true"] { background: $panel;
    border-bottom: 1px solid $line; }
#scribble-bar QLineEdit { background: $panel; color: $text; border: 1px solid $muted;
    border-radius: 4px; padding: 2px 4px; }
#scribble-bar QLineEdit:focus { border-color: $accent; }
#scribble-bar QToolButton { border: 1px solid $line; border-radius: 4px; padding: 2px 6px; }
#scribble-bar QToolButton:hover { border-color: $muted; }
#scribble-bar QToolButton:checked { border-color: $accent; }
#scribble-bar QToolButton:focus { border-color: $text; }
#cell { border: 2px solid transparent; border-radius: 4px; background: $panel; }
#cell[current="true"] { border-color: $accent; }
#cell:focus { border-color: $text; }
#cell QToolButton { border: none; color: $muted; background: transparent; }
#layers { background: $panel; border: 1px solid $line; border-radius: 4px; }
#drop-zone { background: $raised; border: 2px dashed $muted; border-radius: 8px; }
#drop-zone QLabel { background: transparent; }
QToolButton#tile { border: 1px solid $line; border-radius: 6px; padding: 6px; }
QToolButton#tile:hover { border-color: $muted; }
#card { background: $panel; border: 1px solid $line; }
#banner { background: $raised; border: 1px solid $bad; border-left: 5px solid $bad; }
#banner QLabel { color: $text; background: transparent; }
#uses { background: $window; }
#uses::tab { background: transparent; color: $muted; padding: 5px 14px 3px 14px; border: none;
    border-bottom: 2px solid transparent; }
#uses::tab:selected { color: $text; border-bottom: 2px solid $accent; }
#uses::tab:hover { color: $text; }
QTabBar::tab { background: $window; color: $muted; padding: 4px 10px; }
QTabBar::tab:selected { background: $panel; color: $text; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QTextBrowser { background: $panel; border: none; }
""")
"""Styles that a palette cannot set."""

_DARKENED = 140
"""The percentage by which Qt's style divides the lightness of a colour for outlines."""
_ROLES = {
    "window": "window",
    "panel": "base",
    "raised": "button",
    "text": "window-text",
    "muted": "placeholder-text",
    "line": "mid",
    "accent": "highlight",
    "bad": "bright-text",
    "done": "midlight",
}
"""The roles of a theme's colours in the palette, as style sheets name them."""


def stylesheet(theme: Theme | None = None) -> str:
    """Return the rules that the palette cannot express, in colours of a theme or the palette."""
    if theme is None:
        return _RULES.substitute({name: f"palette({role})" for name, role in _ROLES.items()})
    done = _between(theme.raised, theme.accent)
    return _RULES.substitute({name: getattr(theme, name, done) for name in _ROLES})


def font_size(font: QFont, factor: float) -> str:
    """Return the rules that give all in a widget another text size than a font's."""
    # Under a style sheet, fonts of widgets do not follow their parent's. No rules for the same size
    points = font.pointSizeF()
    size = f"{points * factor:g}pt" if points > 0 else f"{round(font.pixelSize() * factor)}px"
    return "" if factor == 1.0 else f"* {{ font-size: {size}; }}"


_CONTRAST_RULES = """
QSplitter::handle { background: palette(mid); }
#dock-title { border-bottom: 2px solid palette(mid); }
QSlider:horizontal { min-height: 30px; }
QSlider::groove:horizontal { height: 6px; border-radius: 3px; }
QSlider::handle:horizontal { width: 18px; height: 18px; margin: -10px 0; border-radius: 13px;
    border: 4px solid palette(highlight); }
#dock-title QSlider:horizontal { min-height: 20px; }
#dock-title QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0;
    border-radius: 9px; border: 3px solid palette(highlight); }
QPushButton { border: 2px solid palette(mid); }
#uses::tab:selected { border-bottom: 5px solid palette(highlight); }
"""


def contrast_rules(theme: Theme) -> str:
    """Return the rules that give Qt's own controls thick lines, too, if a theme has them."""
    return _CONTRAST_RULES if theme.stroke > 1.0 else ""


class WindowRules:
    """The style sheet of one window besides the program's, made of parts by name."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._parts: dict[str, str] = {}

    def set(self, name: str, rules: str) -> None:
        """Replace the rules of a part; without rules, remove it."""
        self.keep(name, rules)
        self.apply()

    def keep(self, name: str, rules: str) -> None:
        """Replace the rules of a part when they are applied next, with those of others."""
        self._parts[name] = rules

    def apply(self) -> None:
        """Give the window the rules of all parts."""
        sheet = "\n".join(part for part in self._parts.values() if part)
        if sheet != self._window.styleSheet():  # otherwise Qt would apply it to all widgets again
            self._window.setStyleSheet(sheet)


def _begin() -> QApplication:
    """Give the application its style sheet, unless it has it, and return it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    if application.styleSheet() != stylesheet():
        application.setStyleSheet(stylesheet())
    return application


def restyle(theme: Theme) -> None:
    """Give all of Qt's widgets the colours of a theme."""
    # Before any widget is made this takes no time, and all are measured in the style that they are
    # shown in. Later the style sheet stays, as setting another one takes four times as long. A
    # polished widget keeps the palette's old colours, so each is polished again
    application = _begin()
    colors = palette(theme)
    if application.palette() == colors:  # as for a second window
        return
    application.setPalette(colors)
    # Qt outlines these in the window's colour, darkened, which is hardly seen on a dark panel
    colors.setColor(QPalette.ColorRole.Window, QColor(theme.muted).lighter(_DARKENED))
    for kind in ("QCheckBox", "QRadioButton"):
        application.setPalette(colors, kind)
    for widget in application.allWidgets():
        style = widget.style()
        assert style is not None
        style.unpolish(widget)
        style.polish(widget)
        widget.update()
