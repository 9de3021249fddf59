"""Parts of a sequence only: letters in its cells, and an axis of positions."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from latviz.app.look.theme import legible_on, to_colors
from latviz.core import digits
from latviz.engine.geometry.axes import round_places

LEAST_CELL = 10.0
"""Screen pixels of a cell that has room for a letter."""
DIGIT = 7.5
"""Screen pixels of a digit on the axis, about."""


class PositionAxis(pg.AxisItem):  # type: ignore[misc]
    """Positions, counted from 1, under the middle of their cells, or the places of the nodes."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.setStyle(tickLength=-4)
        self._x: NDArray[Any] | None = None
        self._texts: dict[float, str] = {}

    def show_x(self, x: NDArray[Any] | None) -> None:
        """Show where the nodes are, (n,) increasing numbers or times; None for positions."""
        self._x = x
        self.picture = None
        self.update()

    def tickValues(self, low: float, high: float, size: float) -> Any:
        """Return ticks so far apart that their labels have room."""
        if self._x is not None and len(inside := self._x[max(0, math.ceil(low - 0.5)) :]) > 1:
            inside = inside[: max(2, math.floor(high + 0.5) - max(0, math.ceil(low - 0.5)))]
            return [(1.0, self._place(self._x, inside, (high - low) / max(size, 1.0)))]
        label = DIGIT * (len(digits.count(max(1, math.ceil(high)))) + 2)
        least = max(1.0, (high - low) * label / max(size, 1.0))
        decade = 10.0 ** math.floor(math.log10(least))
        step = round(next(decade * k for k in (1, 2, 5, 10) if decade * k >= least))
        first = max(1, math.ceil((low + 0.5) / step))
        return [(step, [k * step - 0.5 for k in range(first, math.floor((high + 0.5) / step) + 1)])]

    def _place(self, x: NDArray[Any], inside: NDArray[Any], pixel: float) -> list[float]:
        """Return the columns of round values of a part of x; ``pixel`` is in columns."""
        label = DIGIT * (8 if x.dtype.kind == "m" else 12) * pixel
        most = max(1, int(len(inside) / label))
        values, texts = round_places(inside, most)
        after = np.clip(np.searchsorted(x, values), 1, len(x) - 1)
        columns = after - 0.5 + (values - x[after - 1]) / (x[after] - x[after - 1])
        self._texts, last = {}, -math.inf
        for column, text in zip(columns.tolist(), texts, strict=True):
            if column - last >= label:  # steps of x may be uneven
                self._texts[column], last = text, column
        return list(self._texts)

    def tickStrings(self, values: Any, _scale: float, _spacing: float) -> list[str]:
        """Return the positions with thousands separators, or the texts of x."""
        if self._x is not None:
            return [self._texts.get(value, "") for value in values]
        return [digits.count(round(value + 0.5)) for value in values]


@dataclass(frozen=True, eq=False)
class Cells:
    """The letters of a sequence on their grounds: cell k is in the colour ``table[grounds[k]]``."""

    symbols: NDArray[np.uint8]
    alphabet: tuple[str, ...]
    grounds: NDArray[np.uint8]
    table: NDArray[np.uint8]


class Symbols(QGraphicsItem):
    """The letters of the cells in view, if there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._cells: Cells | None = None
        self._height = 1.0
        self.setFlag(self.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_cells(self, cells: Cells) -> None:
        """Draw these letters."""
        self.prepareGeometryChange()
        self._cells = cells
        self.update()

    def set_height(self, height: float) -> None:
        """Set the height of the letters' band from the top, as a share of the ribbon's."""
        if height != self._height:
            self.prepareGeometryChange()
            self._height = height
            self.update()

    def boundingRect(self) -> QRectF:
        """Cover the ribbon, or its upper part."""
        return QRectF(0, 0, 0 if self._cells is None else len(self._cells.symbols), self._height)

    def paint(
        self,
        painter: QPainter | None,
        option: QStyleOptionGraphicsItem | None,
        _widget: QWidget | None = None,
    ) -> None:
        """Draw the letters that are exposed."""
        assert painter is not None
        assert option is not None
        across, down = painter.worldTransform().m11(), painter.worldTransform().m22()
        if self._cells is None or across < LEAST_CELL:
            return
        cells, part = self._cells, option.exposedRect
        first, last = max(0, int(part.left())), min(len(cells.symbols), int(part.right()) + 1)
        inks = [legible_on(color) for color in to_colors(cells.table)]
        font = painter.font()
        font.setPixelSize(round(min(1.25 * across, 15.0)))
        painter.save()
        painter.setFont(font)
        painter.scale(1 / across, 1 / down)
        for k in range(first, last):
            painter.setPen(inks[cells.grounds[k]])
            room = QRectF(k * across, 0, across, self._height * down)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, cells.alphabet[cells.symbols[k]])
        painter.restore()
