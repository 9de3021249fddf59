"""Matrices of states as heat maps: one to read, and the editable potential."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent

from latviz.app.look.theme import to_colors
from latviz.app.widgets import heat, keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.touchpad import swipe_of
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.settings.palette import state_colors

_HEADER = 20.0
_DECADE = 120.0
"""Pixels that the mouse moves over while an entry becomes ten times as much."""
FINE, COARSE = 1.1, 2.0
"""Factors of plus and of a notch of the wheel, and of a page key."""
KEYS = keyed(
    "Drag a cell up or down, or turn the wheel over it. Arrow keys choose a cell, plus and minus "
    "change it, page keys in larger steps; `Home` makes it 1."
)

POTENTIAL = "Potential"
"""The editable matrix; A is the one that a model counts."""
CAPTION = "Drag a cell up or down, turn the wheel over it, or press plus and minus."

Cell = tuple[int, int]


class MatrixMap(Painted):
    """Shows a matrix, (N, N), in log colours, with its numbers and others in brackets.

    A tool tip explains the entry under the pointer.
    """

    number: Callable[[float], str] = staticmethod(digits.probability)

    def __init__(self, name: str, caption: str) -> None:
        super().__init__()
        self._caption = caption
        self.values: Matrix = np.ones((1, 1))
        self.others: Matrix | None = None
        self.chosen: Cell | None = None
        self.setAccessibleName(name)
        self.setMinimumSize(120, 120)

    def sizeHint(self) -> QSize:
        """Return the size it has by default."""
        return QSize(220, 220)

    def show_values(self, values: Matrix, others: Matrix | None = None) -> None:
        """Show a matrix, and another one's entries next to its own."""
        self.values, self.others = values, others
        self.setAccessibleDescription(self.in_words())
        self.update()

    def in_words(self) -> str:
        """Return the rows as text."""
        return heat.rows_in_words(self.values, self.number)

    def cells(self) -> QRectF:
        """Return the rectangle of the entries."""
        n, room = len(self.values), QRectF(self.rect()).adjusted(2, 2, -3, -3)
        line = 2 * p.text_height(p.scaled(self.font())) + 6
        side = min(room.width(), room.height() - line) - _HEADER
        side = max(n * 4.0, side // n * n)
        left = room.left() + (room.width() - side - _HEADER) // 2
        return QRectF(left + _HEADER, room.top() + _HEADER, side, side)

    def cell(self, row: int, column: int) -> QRectF:
        """Return the square of an entry."""
        cells = self.cells()
        step = cells.width() / len(self.values)
        return QRectF(cells.left() + column * step, cells.top() + row * step, step, step)

    def cell_at(self, position: QPointF) -> Cell | None:
        """Return the entry at a position."""
        cells = self.cells()
        if not cells.contains(position):
            return None
        n = len(self.values)
        at = (position - cells.topLeft()) * n / cells.width()
        return min(int(at.y()), n - 1), min(int(at.x()), n - 1)

    def text_of(self, row: int, column: int) -> str:
        """Return an entry in words."""
        text = f"[{row + 1}, {column + 1}] = {self.number(float(self.values[row, column]))}"
        if self.others is None:
            return text
        return f"{text}; in the field {self.number(float(self.others[row, column]))}"

    def tip_at(self, position: QPointF) -> str | None:
        """Return the meaning of an entry."""
        cell = self.cell_at(position)
        return None if cell is None else self.text_of(*cell)

    def paint_all(self, painter: QPainter) -> None:
        """Paint the cells, their numbers, the states next to them, and the chosen cell."""
        n, cells = len(self.values), self.cells()
        rgb = self.theme.heat_table()[heat.ColorScale.of(self.values, log=True).heat(self.values)]
        heat.draw_table(painter, cells, rgb)
        heat.draw_grid(painter, cells, n, QPen(self.theme.color("panel"), 1))
        heat.draw_border(painter, cells, QPen(self.theme.color("line"), 1))
        self._paint_numbers(painter, rgb)
        self._paint_states(painter)
        self._paint_caption(painter)
        if self.chosen is not None and max(self.chosen) < n:
            painter.setPen(QPen(self.theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.cell(*self.chosen).adjusted(0, 0, -1, -1))

    def _paint_caption(self, painter: QPainter) -> None:
        painter.setFont(p.scaled(self.font()))
        painter.setPen(self.theme.color("muted"))
        top = self.cells().bottom() + 6
        room = QRectF(self.rect()).adjusted(4, 0, -4, 0)
        room.setTop(top)
        painter.drawText(room, int(p.WRAP), self._caption)

    def _paint_numbers(self, painter: QPainter, rgb: NDArray[np.uint8]) -> None:
        whole, step, font = self._texts(), self.cell(0, 0).width(), p.scaled(self.font())
        for texts in (whole, [text.split("\n")[0] for text in whole]):
            if p.fits(font, texts, step - 4, step):
                painter.setFont(font)
                heat.write_entries(painter, texts, rgb, self.cell)
                return

    def _texts(self) -> list[str]:
        texts = list(map(self.number, self.values.ravel().tolist()))
        if self.others is None:
            return texts
        others = map(self.number, self.others.ravel().tolist())
        return [f"{text}\n({other})" for text, other in zip(texts, others, strict=True)]

    def _paint_states(self, painter: QPainter) -> None:
        painter.setFont(p.scaled(self.font()))
        size = _HEADER - 4
        for k, color in enumerate(to_colors(state_colors(tuple(range(len(self.values)))))):
            cell, cells = self.cell(k, k), self.cells()
            above = QRectF(0, 0, min(size * 1.6, cell.width() - 2), size)
            above.moveCenter(QPointF(cell.center().x(), cells.top() - _HEADER / 2))
            beside = QRectF(0, 0, size, min(size * 1.2, cell.height() - 2))
            beside.moveCenter(QPointF(cells.left() - _HEADER / 2, cell.center().y()))
            for swatch in (above, beside):
                p.draw_swatch(painter, swatch, color, str(k + 1), self.theme)


class PotentialsMap(MatrixMap):
    """The potential, whose entries are set with the mouse, the wheel or the keyboard."""

    number = staticmethod(digits.measure)
    edited = pyqtSignal(int, int, float)  # row and column of an entry, and its new value

    def __init__(self) -> None:
        super().__init__(POTENTIAL, CAPTION)
        self._held: tuple[Cell, float, float] | None = None
        self.chosen = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def in_words(self) -> str:
        """Return the rows, the chosen entry, and the keys."""
        chosen = "" if self.chosen is None else f" Chosen: {self.text_of(*self.chosen)}."
        return f"{super().in_words()}{chosen} {KEYS}"

    def show_values(self, values: Matrix, others: Matrix | None = None) -> None:
        """Show the potential; the entry that is chosen stays among its entries."""
        last = len(values) - 1
        row, column = self.chosen or (0, 0)
        self.chosen = min(row, last), min(column, last)
        super().show_values(values, others)

    def tip_at(self, position: QPointF) -> str | None:
        """Return the meaning of an entry, and how to set it."""
        text = super().tip_at(position)
        return None if text is None else f"{POTENTIAL} {text}\n{KEYS}"

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Take an entry."""
        cell = None if event is None else self.cell_at(event.position())
        if event is not None and cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self._held = cell, event.position().y(), float(self.values[cell])
            self._choose(cell)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Make the entry more or less."""
        if event is not None and self._held is not None:
            cell, start, value = self._held
            self.edited.emit(*cell, value * 10 ** ((start - event.position().y()) / _DECADE))

    def mouseReleaseEvent(self, _event: QMouseEvent | None) -> None:
        """Release the entry."""
        self._held = None

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Make the entry under the pointer more or less; two fingers scroll what is around."""
        cell = None if event is None else self.cell_at(event.position())
        if event is not None and swipe_of(event) is not None:
            event.ignore()
        elif event is not None and cell is not None:
            self._choose(cell)
            self._multiply(FINE ** (event.angleDelta().y() / 120))
            event.accept()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Choose another entry, or make it more or less."""
        if event is None or self.chosen is None:
            return
        arrow, change = keys.arrow(event), change_of(event, FINE, COARSE)
        if arrow is not None:
            last = len(self.values) - 1
            row, column = self.chosen
            self._choose((min(max(row + arrow[1], 0), last), min(max(column + arrow[0], 0), last)))
        elif change is not None:
            factor, sign = change
            self._multiply(factor**sign)
        elif keys.bare(event) == Qt.Key.Key_Home:
            self.edited.emit(*self.chosen, 1.0)
        else:
            super().keyPressEvent(event)

    def _choose(self, cell: Cell) -> None:
        self.chosen = cell
        self.setAccessibleDescription(self.in_words())
        self.update()

    def _multiply(self, factor: float) -> None:
        if self.chosen is not None:
            self.edited.emit(*self.chosen, float(self.values[self.chosen]) * factor)


def change_of(event: QKeyEvent, fine: float, coarse: float) -> tuple[float, int] | None:
    """Return the step and sign of a key's change to a number; None for other keys."""
    changes: dict[int, tuple[float, int]] = {
        Qt.Key.Key_Plus: (fine, 1),
        Qt.Key.Key_Equal: (fine, 1),
        Qt.Key.Key_Minus: (fine, -1),
        Qt.Key.Key_PageUp: (coarse, 1),
        Qt.Key.Key_PageDown: (coarse, -1),
    }
    return changes.get(keys.plain(event))
