"""Draws a file of the shelf: thumbnail, tick, name, and the shares of its states."""

from pathlib import PurePath
from typing import Any

from PyQt6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QRect, QSize, Qt
from PyQt6.QtGui import QColor, QMouseEvent, QPainter, QPixmap
from PyQt6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
)

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import painting as p

SHOWN = Qt.ItemDataRole.UserRole
REASON = Qt.ItemDataRole.UserRole + 1
SHARES = Qt.ItemDataRole.UserRole + 2
"""Role of the shares of states, besides name, thumbnail and tick."""

PICTURE = 72
"""The side of the room for a small picture, in pixels."""
_PAD = 5
_BAR = 4
"""The height of the bar of states."""
_TICK = 16


class ShelfDelegate(QStyledItemDelegate):
    """Draws a file in a room of the same size for all."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.has_toggled = False
        """True if the last click was on a tick."""

    def room(self, line: int) -> QSize:
        """Return the size of a file, given the height of a line of text."""
        return QSize(PICTURE + 4 * _PAD, PICTURE + _BAR + line + 3 * _PAD)

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Return the size of a file."""
        return self.room(option.fontMetrics.height())

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw a file."""
        if painter is None:
            return
        painter.save()
        self._draw_ground(painter, option, index)
        place = self._picture(option.rect)
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        reason = index.data(REASON)
        if isinstance(picture, QPixmap):
            _draw_picture(painter, place, picture)
        else:
            self._draw_nothing(painter, place, reason)
        self._draw_states(painter, place, index.data(SHARES) or ())
        self._draw_name(painter, option, index, place, bool(reason))
        if not reason:
            self._draw_tick(painter, option, index)
        painter.restore()

    def editorEvent(
        self,
        event: QEvent | None,
        model: QAbstractItemModel | None,
        option: QStyleOptionViewItem,
        index: QModelIndex,
    ) -> bool:
        """Turn a click on a tick, or the space bar, into another tick."""
        if isinstance(event, QMouseEvent):
            inside = _tick(option.rect).adjusted(-3, -3, 3, 3).contains(event.position().toPoint())
            if event.type() == QEvent.Type.MouseButtonPress:
                self.has_toggled = False
            if not inside or event.button() != Qt.MouseButton.LeftButton:
                return False
            if event.type() != QEvent.Type.MouseButtonRelease:
                return True
            self.has_toggled = True
            return self._toggle(model, index)
        if event is not None and event.type() == QEvent.Type.KeyPress:
            key = getattr(event, "key", lambda: None)()
            return key == Qt.Key.Key_Space and self._toggle(model, index)
        return False

    def _toggle(self, model: QAbstractItemModel | None, index: QModelIndex) -> bool:
        if model is None or not model.flags(index) & Qt.ItemFlag.ItemIsUserCheckable:
            return False
        return model.setData(index, None, Qt.ItemDataRole.CheckStateRole)

    def _picture(self, rect: QRect) -> QRect:
        left = rect.left() + (rect.width() - PICTURE) // 2
        return QRect(left, rect.top() + _PAD, PICTURE, PICTURE)

    def _draw_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Frame the file on screen, and mark the selected ones."""
        inner = option.rect.adjusted(1, 1, -2, -2)
        if option.state & QStyle.StateFlag.State_Selected:
            ground = self.theme.color("accent")
            ground.setAlpha(45)
            painter.fillRect(inner, ground)
        if index.data(SHOWN):
            painter.setPen(self.theme.pen("accent", 2))
            painter.drawRect(inner)
        elif option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self.theme.pen("muted", 1))
            painter.drawRect(inner)

    def _draw_nothing(self, painter: QPainter, place: QRect, reason: str) -> None:
        """Draw an empty frame with the reason, if any, for the missing picture."""
        painter.setPen(self.theme.pen("line", 1))
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        if reason:
            painter.setPen(self.theme.color("muted"))
            font = painter.font()
            painter.setFont(p.scaled(font))
            room = place.adjusted(3, 2, -3, -2)
            line = painter.fontMetrics().lineSpacing()
            room.setHeight(room.height() // line * line)  # no line is cut in its middle
            painter.setClipRect(room)
            painter.drawText(room, p.WRAP, reason)
            painter.setClipping(False)
            painter.setFont(font)

    def _draw_states(self, painter: QPainter, place: QRect, shares: Any) -> None:
        """Draw the shares of the states as a bar below the picture."""
        left = float(place.left())
        for color, share in shares:
            width = share * place.width()
            bar = QRect(round(left), place.bottom() + 2, max(1, round(width)), _BAR)
            painter.fillRect(bar, QColor(color))
            left += width

    def _draw_name(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex,
        place: QRect,
        lost: bool,
    ) -> None:
        room = option.rect.adjusted(_PAD, 0, -_PAD, -2)
        room.setTop(place.bottom() + _BAR + 3)
        text = option.fontMetrics.elidedText(
            PurePath(str(index.data())).stem, Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.setPen(self.theme.color("muted" if lost else "text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)

    def _draw_tick(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw the tick in the upper left corner."""
        box, style = QStyleOptionButton(), QApplication.style()
        box.rect = _tick(option.rect)
        is_on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        box.state = QStyle.StateFlag.State_On if is_on else QStyle.StateFlag.State_Off
        model = index.model()
        if model is not None and model.flags(index) & Qt.ItemFlag.ItemIsUserCheckable:
            box.state |= QStyle.StateFlag.State_Enabled
        if style is not None:
            style.drawPrimitive(QStyle.PrimitiveElement.PE_IndicatorCheckBox, box, painter)


def _tick(rect: QRect) -> QRect:
    return QRect(rect.left() + _PAD, rect.top() + _PAD, _TICK, _TICK)


def _draw_picture(painter: QPainter, place: QRect, picture: QPixmap) -> None:
    """Draw a small picture in the middle of its room, as large as fits."""
    size = picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
    target = QRect(0, 0, size.width(), size.height())
    target.moveCenter(place.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawPixmap(target, picture)
