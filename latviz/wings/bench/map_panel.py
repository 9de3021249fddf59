"""A zoomable map with a title above it and a key of its colours below."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QPainter, QPaintEvent
from PyQt6.QtWidgets import QLabel, QWidget

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.heat import draw_table
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.lifetimes import painting_on

_SWATCH = 11.0

Colors = NDArray[np.uint8]


class Key(QWidget):
    """The key of a map: some colours by name, or a scale with both ends."""

    def __init__(self) -> None:
        super().__init__()
        self._colors: Colors = np.zeros((0, 3), dtype=np.uint8)
        self._names: tuple[str, ...] = ()
        self._theme = LIGHT
        self.setFixedHeight(20)

    def show_names(self, colors: Colors, names: tuple[str, ...], theme: Theme) -> None:
        """Show the meaning of each colour, or with two names for more colours a scale."""
        self._colors, self._names, self._theme = colors, names, theme
        self.update()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw swatches and names, or a bar between two names."""
        with painting_on(self) as painter:
            painter.setFont(p.scaled(self.font()))
            room = QRectF(self.rect()).adjusted(2, 2, -2, -2)
            if len(self._colors) > len(self._names):
                self._paint_scale(painter, room)
            else:
                self._paint_swatches(painter, room)

    def _paint_scale(self, painter: QPainter, room: QRectF) -> None:
        low, high = self._names
        painter.setPen(self._theme.color("text"))
        painter.drawText(room, p.LEFT, low)
        painter.drawText(room, p.RIGHT, high)
        left, right = (p.text_width(painter.font(), name) + 6 for name in self._names)
        bar = QRectF(0, 0, room.width() - left - right, _SWATCH - 2)
        bar.moveTo(room.left() + left, room.center().y() - bar.height() / 2)
        draw_table(painter, bar, self._colors[None])
        painter.setPen(self._theme.color("line"))
        painter.drawRect(bar)

    def _paint_swatches(self, painter: QPainter, room: QRectF) -> None:
        step = room.width() / max(1, len(self._names))
        for k, (rgb, name) in enumerate(zip(self._colors, self._names, strict=True)):
            cell = QRectF(room.left() + k * step, room.top(), step, room.height())
            swatch = QRectF(cell.left(), cell.center().y() - _SWATCH / 2, _SWATCH, _SWATCH)
            draw_table(painter, swatch, rgb[None, None])
            painter.setPen(self._theme.color("line"))
            painter.drawRect(swatch)
            painter.setPen(self._theme.color("text"))
            painter.drawText(cell.adjusted(_SWATCH + 4, 0, 0, 0), p.LEFT, name)


class MapPanel(QWidget):
    """A title, a zoomable map, and the key of its colours."""

    spacing = 3

    def __init__(self, title: str, tip: str, canvas: Canvas | None = None) -> None:
        super().__init__()
        self._title = title
        self.title = QLabel(title)
        self.title.setToolTip(tip)
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.canvas = canvas or Canvas()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setMinimumSize(120, 120)
        self.canvas.setAccessibleName(title)
        self.canvas.setToolTip(tip)
        self.layer = Layer(self.canvas)
        self.canvas.add_layer(self.layer, 0)
        self.key = Key()
        layouts.column(self.title, (self.canvas, 1), self.key, of=self, spacing=self.spacing)

    def show_plane(self, plane: Colors, colors: Colors, note: str = "") -> None:
        """Show a map, (side, side) uint8 in colours of a table, and a note in the title."""
        self.canvas.set_shape((plane.shape[0], plane.shape[1]))
        self.layer.show_plane(plane, colors)
        self.title.setText(f"{self._title} · {note}" if note else self._title)
