"""A row of the page: a small state map with its words, and room for a button below them."""

from PyQt6.QtCore import QModelIndex, QRect, QSize, Qt
from PyQt6.QtGui import QFont, QFontMetrics, QPainter, QPixmap
from PyQt6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.views.multiples.view import best_columns
from latviz.app.widgets import painting as p
from latviz.engine.frames.thumbnail import MAP_SIDE

MARK, NOTE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
"""Roles of a word at the bottom, and of words below the score."""
ON_SCREEN = "On screen"
"""The mark of a row with a border."""
PAD = 6
_WORDS = "Accuracy 99.9 % · 999 ms  "
"""The words have room for this much."""
_BOTTOM = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
_LINES, _LEAST = 5, 90
"""Lines of a row: name, score, note, and two of the button; pixels of its height, at least."""


def least_height(font: QFont) -> int:
    """Return the least height of a row."""
    return max(_LEAST, _LINES * QFontMetrics(font).height()) + 2 * PAD


class RowDelegate(QStyledItemDelegate):
    """Draws a row; a border marks the one on screen, and no state map is tinted."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.row = self.picture = QSize(1, 1)

    def fit(self, count: int, shape: tuple[int, int], room: QSize, font: QFont) -> None:
        """Give the state maps of some rows, with rows and columns of pixels, the largest size."""
        words = QFontMetrics(font).horizontalAdvance(_WORDS) + 3 * PAD
        columns = best_columns(count, (room.width(), room.height()), shape, (words, 2 * PAD))
        wide, high = room.width() // columns, room.height() // -(-count // columns)
        least = least_height(font)  # the rest scrolls
        most = QSize(wide - words, max(least, high) - 2 * PAD).boundedTo(QSize(MAP_SIDE, MAP_SIDE))
        size = QSize(shape[1], shape[0]).scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
        self.picture = size.expandedTo(QSize(1, 1))
        self.row = QSize(min(wide, size.width() + 2 * words), max(least, size.height() + 2 * PAD))

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Return the size of a row, which is that of all."""
        return self.row

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw a row."""
        if painter is None:
            return
        painter.save()
        room = option.rect.adjusted(PAD, PAD, -PAD, -PAD)
        self._draw_map(painter, QRect(room.topLeft(), self.picture), index)
        room.setLeft(room.left() + self.picture.width() + PAD)
        self._draw_words(painter, room, QFont(option.font), index)
        is_shown = ON_SCREEN in index.data(MARK)
        if is_shown or option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self.theme.pen("accent" if is_shown else "muted", 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _draw_map(self, painter: QPainter, place: QRect, index: QModelIndex) -> None:
        """Draw the state map as large as fits; pixels that are enlarged stay sharp."""
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(picture, QPixmap):
            size = picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRect(place.topLeft(), size)
            is_reduced = size.width() < picture.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, is_reduced)
            painter.drawPixmap(target, picture)

    def _draw_words(self, painter: QPainter, room: QRect, font: QFont, index: QModelIndex) -> None:
        """Draw the name, the score, as much of the note as has room, and the mark."""
        line, bold = QFontMetrics(font).height(), p.scaled(font, bold=True)
        name, _, score = str(index.data()).partition("\n")
        painter.setFont(bold)
        painter.setPen(self.theme.color("text"))
        painter.drawText(room, p.WRAP, name)
        painter.setFont(font)
        room.setTop(room.top() + line)
        painter.drawText(room, p.WRAP, p.fitting(font, room.width(), score))
        painter.setPen(self.theme.color("accent"))
        painter.drawText(room, _BOTTOM, index.data(MARK))
        room.setTop(room.top() + line)
        painter.setPen(self.theme.color("muted"))
        note = index.data(NOTE)
        while len(note) > 1 and p.text_height(font, note, room.width()) > room.height() - 2 * line:
            note = f"{note.rstrip('…').rpartition(' ')[0]}…"
        painter.drawText(room, p.WRAP, note)
