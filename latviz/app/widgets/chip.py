"""Chips in tables: discs are states, squares are colours of pixels."""

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPixmap

from latviz.app.widgets.lifetimes import painting_on

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
