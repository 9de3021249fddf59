"""The arrow of buttons that lead somewhere, in the colours of the theme."""

from PyQt6.QtCore import QPointF, QSize, Qt
from PyQt6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PyQt6.QtWidgets import QCommandLinkButton

from latviz.app.look.theme import Theme
from latviz.app.widgets.lifetimes import painting_on

SIDE = 16
_CORNERS = ((0.3, 0.15), (0.8, 0.5), (0.3, 0.85))


def draw_arrow(button: QCommandLinkButton, theme: Theme) -> None:
    """Give a button an arrow in the theme's colour: Qt's own is always black."""
    ratio = button.devicePixelRatioF()
    picture = QPixmap(round(SIDE * ratio), round(SIDE * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with painting_on(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawPolygon(QPolygonF([QPointF(SIDE * x, SIDE * y) for x, y in _CORNERS]))
    button.setIcon(QIcon(picture))
    button.setIconSize(QSize(SIDE, SIDE))
