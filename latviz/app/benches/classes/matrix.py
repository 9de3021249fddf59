"""A matrix of states by symbols or states, as a heat map to read."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from latviz.app.look.theme import Theme, table_between, to_colors
from latviz.app.widgets import heat
from latviz.app.widgets import painting as p
from latviz.app.widgets.painting import Painted
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.settings.palette import state_colors

_HEADER = 18.0
_ROW = 22.0
"""Pixels that a row has by default."""


ENDS = {"light": ("#2166ac", "#f5f6f8", "#b2410e"), "dark": ("#5aa9ee", "#1c2026", "#f08a4b")}
"""Colours of negative values, of 0 and of positive values."""


def difference_table(theme: Theme) -> NDArray[np.uint8]:
    """Return the colours of differences from the least to the greatest, (255, 3) uint8."""
    return table_between(ENDS[theme.name], 255)


def class_table(theme: Theme, color: QColor) -> NDArray[np.uint8]:
    """Return the colours of a class's scores from the least to the greatest, (256, 3) uint8."""
    return table_between((theme.panel, color.name()), 256)


def against_table(theme: Theme, one: QColor, other: QColor) -> NDArray[np.uint8]:
    """Return the colours from evidence for another class to evidence for this one, (255, 3)."""
    return table_between((other.name(), ENDS[theme.name][1], one.name()), 255)


def differences(values: Matrix, most: float) -> NDArray[np.uint8]:
    """Return the rows of numbers in a `difference_table`, from -``most`` to ``most``."""
    shares = np.clip(values / max(most, 1e-300), -1.0, 1.0)
    return np.rint(127 + 127 * shares).astype(np.uint8)


class MatrixHeat(Painted):
    """Shows a matrix with a row for each state; ``columns`` are "state", "symbol", "channel"..."""

    def __init__(self, name: str, columns: str) -> None:
        super().__init__()
        self.name, self._columns = name, columns
        self.values: Matrix = np.ones((1, 1))
        self._highest, self._is_signed = 1.0, False
        self._heads: list[str] = []
        self.setAccessibleName(name)
        self.setMinimumWidth(150)

    def show_values(
        self,
        values: Matrix,
        highest: float | None = None,
        heads: list[str] | None = None,
        *,
        signed: bool = False,
    ) -> None:
        """Show a matrix; ``highest``, by default its own, has the strongest colour."""
        # ``heads`` are the names of the columns, if not their numbers: from 0 for symbols, from 1
        # for states and channels. With ``signed``, negative numbers have other colours
        first = 0 if self._columns == "symbol" else 1
        self.values = values
        self._heads = heads or [str(first + k) for k in range(values.shape[1])]
        self._highest = float(np.abs(values).max()) if highest is None else highest
        self._is_signed = signed
        self.setAccessibleDescription(heat.rows_in_words(values, self._written))
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size it has by default."""
        return QSize(220, int(_HEADER + _ROW * min(len(self.values), 16) + 4))

    def cells(self) -> QRectF:
        """Return the rectangle of the entries."""
        return QRectF(self.rect()).adjusted(_HEADER + 2, _HEADER, -2, -3)

    def cell(self, row: int, column: int) -> QRectF:
        """Return the room of an entry."""
        cells, (n, m) = self.cells(), self.values.shape
        high, wide = cells.height() / n, cells.width() / m
        return QRectF(cells.left() + column * wide, cells.top() + row * high, wide, high)

    def tip_at(self, position: QPointF) -> str | None:
        """Return the meaning of an entry."""
        cells, (n, m) = self.cells(), self.values.shape
        if not cells.contains(position):
            return None
        at = position - cells.topLeft()
        row = min(int(at.y() * n / cells.height()), n - 1)
        column = min(int(at.x() * m / cells.width()), m - 1)
        value = self._written(float(self.values[row, column]))
        return f"{self.name}: state {row + 1}, {self._columns} {self._heads[column]}: {value}"

    def paint_all(self, painter: QPainter) -> None:
        """Paint the cells, their numbers, and the headings of rows and columns."""
        rgb = self._rgb()
        heat.draw_table(painter, self.cells(), rgb)
        heat.draw_border(painter, self.cells(), QPen(self.theme.color("line"), 1))
        self._paint_numbers(painter, rgb)
        self._paint_heads(painter)

    def _rgb(self) -> NDArray[np.uint8]:
        """Return the colour of each entry."""
        if self._is_signed:
            return np.asarray(difference_table(self.theme)[differences(self.values, self._highest)])
        scale = heat.ColorScale(0.0, max(self._highest, 1e-300), False)
        return self.theme.heat_table()[scale.heat(np.clip(self.values, 0.0, self._highest))]

    @property
    def _written(self) -> Callable[[float], str]:
        """The function that formats a value."""
        are_shares = (self.values >= 0).all() and (self.values <= 1).all()
        return digits.probability if are_shares else digits.measure

    def _paint_numbers(self, painter: QPainter, rgb: NDArray[np.uint8]) -> None:
        texts = list(map(self._written, self.values.ravel().tolist()))
        room, font = self.cell(0, 0), p.scaled(self.font())
        if p.fits(font, texts, room.width() - 3, room.height()):
            painter.setFont(font)
            heat.write_entries(painter, texts, rgb, self.cell)

    def _paint_heads(self, painter: QPainter) -> None:
        n, m = self.values.shape
        colors = to_colors(state_colors(tuple(range(max(n, m)))))
        painter.setFont(p.scaled(self.font()))
        for row in range(n):
            room = self.cell(row, 0)
            swatch = QRectF(0, 0, 15, min(15.0, room.height() - 1))
            swatch.moveCenter(QPointF(_HEADER / 2, room.center().y()))
            p.draw_swatch(painter, swatch, colors[row], str(row + 1), self.theme)
        for column in range(m):
            room = self.cell(0, column)
            head = QRectF(room.left(), 1, room.width(), _HEADER - 3)
            if self._columns == "state":
                swatch = QRectF(0, 0, min(15.0, room.width() - 1), 15)
                swatch.moveCenter(head.center())
                p.draw_swatch(painter, swatch, colors[column], str(column + 1), self.theme)
            elif room.width() >= 12:
                painter.setPen(self.theme.color("muted"))
                text = painter.fontMetrics().elidedText(
                    self._heads[column], Qt.TextElideMode.ElideRight, int(head.width())
                )
                painter.drawText(head, p.CENTER, text)
