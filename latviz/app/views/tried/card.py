"""A card of the strip: the small picture of a setting over its words."""

from PyQt6.QtCore import QModelIndex, QRect, QSize, Qt
from PyQt6.QtGui import QFontMetrics, QPainter, QPixmap
from PyQt6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from latviz.app.look.theme import LIGHT, Theme
from latviz.engine.frames.thumbnail import SIDE

_PAD = 6
_LINES = 2
"""Lines of text below a picture: the setting and its score."""


def height_of(text: QFontMetrics) -> int:
    """Return the height of a card."""
    return SIDE + _LINES * text.height() + 3 * _PAD


class CardDelegate(QStyledItemDelegate):
    """Draws a card; a border marks the current one, and its picture is not tinted."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """Return the size of a card, as wide as its words."""
        text = option.fontMetrics
        widest = max(map(text.horizontalAdvance, str(index.data()).splitlines()))
        return QSize(max(SIDE, widest) + 2 * _PAD, height_of(text))

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw a card."""
        if painter is None:
            return
        painter.save()
        room = option.rect.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(picture, QPixmap):
            place = QRect(room.left() + (room.width() - SIDE) // 2, room.top(), SIDE, SIDE)
            painter.drawPixmap(place, picture)
        room.setTop(room.top() + SIDE + _PAD)
        painter.setPen(self.theme.color("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter, str(index.data()))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(self.theme.pen("accent", 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
        painter.restore()
