"""Buttons with a text or a sign, and a tip; chips: discs are states, squares colours."""

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPixmap
from PyQt6.QtWidgets import QPushButton, QToolButton

from latviz.app.widgets.lifetimes import painting_on


def button(text: str, tip: str, name: str = "") -> QPushButton:
    """Return a button, with the accessible name ``name`` if its text is ambiguous."""
    made = QPushButton(text)
    made.setToolTip(tip)
    if name:
        made.setAccessibleName(name)
    return made


def small_button(text: str, tip: str, name: str = "") -> QPushButton:
    """Return a button for a line of controls."""
    made = button(text, tip, name)
    made.setProperty("small", True)
    return made


def link(text: str, tip: str) -> QPushButton:
    """Return a button that looks like a text to click, for a line of text."""
    made = button(text, tip)
    made.setProperty("link", True)
    return made


def cross(tip: str, name: str) -> QToolButton:
    """Return a button that closes something."""
    made = QToolButton()
    made.setText("✕")
    made.setAutoRaise(True)
    made.setToolTip(tip)
    made.setAccessibleName(name)
    return made


CHIP = 10
"""Pixels of a chip's side."""


def chip(color: QColor, *, square: bool = False) -> QIcon:
    """Return a disc in a state's colour, or a square, in chosen rows too."""
    drawn = QPixmap(2 * CHIP, 2 * CHIP)
    drawn.setDevicePixelRatio(2.0)
    drawn.fill(Qt.GlobalColor.transparent)
    with painting_on(drawn) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        place = QRectF(0.0, 0.0, CHIP, CHIP)
        if square:
            painter.drawRect(place)
        else:
            painter.drawEllipse(place)
    icon = QIcon(drawn)
    icon.addPixmap(drawn, QIcon.Mode.Selected)  # else Qt mixes the colour with the row's
    return icon
