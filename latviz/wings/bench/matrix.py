"""Matrices of states as heat maps: to read, or to edit."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent

from latviz.app.look.theme import legible_on, to_colors
from latviz.app.widgets import heat, keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.touchpad import swipe_of
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.settings.palette import state_colors

_HEADER = 20.0
FACTOR, STEP = 1.1, 0.02
"""A step of plus, or of a notch of the wheel: of potentials, and of probabilities."""
_STEP_PIXELS = 5.0
"""Pixels that the mouse moves for a step."""
_COARSE = 7.3
"""Steps of a page key: potentials double."""
_STEPS: dict[int, float] = {
    Qt.Key.Key_Plus: 1,
    Qt.Key.Key_Equal: 1,
    Qt.Key.Key_Minus: -1,
    Qt.Key.Key_PageUp: _COARSE,
    Qt.Key.Key_PageDown: -_COARSE,
}
CAPTION = "Drag a cell up or down, turn the wheel over it, or press plus and minus."
KEYS = keyed(
    "Drag a cell up or down, or turn the wheel over it. Arrow keys choose a cell, plus and minus "
    "change it, page keys in larger steps; `Home` makes it 1."
)

Cell = tuple[int, int]


class MatrixMap(Painted):
    """Shows a matrix, (N, N), in log colours, with its numbers and others in brackets.

    A tool tip explains the entry under the pointer.
    """

    def __init__(self, name: str, caption: str) -> None:
        super().__init__()
        self.number: Callable[[float], str] = digits.probability
        self._caption = caption
        self.values: Matrix = np.ones((1, 1))
        self.others: Matrix | None = None
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
        return rows_in_words(self.values, self.number)

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
        """Paint the cells, their numbers, and the states next to them."""
        n, cells = len(self.values), self.cells()
        rgb = self.theme.heat_table()[heat.ColorScale.of(self.values, log=True).heat(self.values)]
        heat.draw_table(painter, cells, rgb)
        heat.draw_grid(painter, cells, n, QPen(self.theme.color("panel"), 1))
        heat.draw_border(painter, cells, QPen(self.theme.color("line"), 1))
        self._paint_numbers(painter, rgb)
        self._paint_states(painter)
        self._paint_caption(painter)

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
                write_entries(painter, texts, rgb, self.cell)
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
            left = QRectF(0, 0, size, min(size * 1.2, cell.height() - 2))
            left.moveCenter(QPointF(cells.left() - _HEADER / 2, cell.center().y()))
            for swatch in (above, left):
                p.draw_swatch(painter, swatch, color, str(k + 1), self.theme)


class EditableMatrix(MatrixMap):
    """A matrix whose entries are set with the mouse, the wheel or the keyboard, in steps."""

    edited = pyqtSignal(int, int, float)  # row and column of an entry, and its new value

    def __init__(self, name: str, by_factors: bool) -> None:
        super().__init__(name, CAPTION)
        self.number = digits.measure if by_factors else digits.probability
        self._by_factors = by_factors
        self._held: tuple[Cell, float, float] | None = None
        self.chosen = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def moved(self, value: float, steps: float) -> float:
        """Return a value some steps higher: by a factor, or by a share."""
        return value * FACTOR**steps if self._by_factors else value + STEP * steps

    def in_words(self) -> str:
        """Return the rows, the chosen entry, and the keys."""
        return f"{super().in_words()} Chosen: {self.text_of(*self.chosen)}. {KEYS}"

    def show_values(self, values: Matrix, others: Matrix | None = None) -> None:
        """Show the matrix; the entry that is chosen stays among its entries."""
        last = len(values) - 1
        self.chosen = min(self.chosen[0], last), min(self.chosen[1], last)
        super().show_values(values, others)

    def paint_all(self, painter: QPainter) -> None:
        """Paint a frame around the chosen cell, too."""
        super().paint_all(painter)
        painter.setPen(QPen(self.theme.color("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.cell(*self.chosen).adjusted(0, 0, -1, -1))

    def tip_at(self, position: QPointF) -> str | None:
        """Return the meaning of an entry, and how to set it."""
        text = super().tip_at(position)
        return None if text is None else f"{self.accessibleName()} {text}\n{KEYS}"

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
            steps = (start - event.position().y()) / _STEP_PIXELS
            self.edited.emit(*cell, self.moved(value, steps))

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
            self._move(event.angleDelta().y() / 120)
            event.accept()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Choose another entry, or make it more or less."""
        if event is None:
            return
        arrow, steps = keys.arrow(event), _STEPS.get(keys.plain(event))
        if arrow is not None:
            last = len(self.values) - 1
            row, column = self.chosen
            self._choose((min(max(row + arrow[1], 0), last), min(max(column + arrow[0], 0), last)))
        elif steps is not None:
            self._move(steps)
        elif keys.bare(event) == Qt.Key.Key_Home:
            self.edited.emit(*self.chosen, 1.0)
        else:
            super().keyPressEvent(event)

    def _choose(self, cell: Cell) -> None:
        self.chosen = cell
        self.setAccessibleDescription(self.in_words())
        self.update()

    def _move(self, steps: float) -> None:
        self.edited.emit(*self.chosen, self.moved(float(self.values[self.chosen]), steps))


def write_entries(
    painter: QPainter,
    texts: Sequence[str],
    colors: NDArray[np.uint8],
    cell: Callable[[int, int], QRectF],
) -> None:
    """Write the entries of a table, legible on its colours, (rows, columns, 3)."""
    grounds = to_colors(colors.reshape(-1, 3))
    for k, (text, color) in enumerate(zip(texts, grounds, strict=True)):
        painter.setPen(legible_on(color))
        painter.drawText(cell(*divmod(k, colors.shape[1])), p.CENTER, text)


def rows_in_words(values: Matrix, number: Callable[[float], str]) -> str:
    """Return the rows of a matrix of states as text."""
    rows = (
        f"state {k + 1}: {', '.join(number(float(a)) for a in row)}" for k, row in enumerate(values)
    )
    return f"{'; '.join(rows)}."
