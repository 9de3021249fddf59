"""B as rows of bars that you can drag."""

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen

from latviz.app.benches.playground.matrix import change_of
from latviz.app.look.theme import legible_on, to_colors
from latviz.app.widgets import keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.painting import Painted
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.settings.palette import state_colors

_HEADER, _FOOTER = 24.0, 20.0
FINE, COARSE = 0.01, 0.1
KEYS = (
    "Drag a bar up or down; the rest of its row adapts. Arrow keys choose a bar, plus and minus "
    "change it, page keys in larger steps."
)

Bar = tuple[int, int]


class EmissionBars(Painted):
    """Shows the probability of each symbol in each state; a bar as high as its row stands for 1."""

    edited = pyqtSignal(int, int, float)  # state and symbol of a bar, and its new probability

    def __init__(self) -> None:
        super().__init__()
        self.values: Matrix = np.ones((1, 1))
        self.chosen: Bar = (0, 0)
        self._held: Bar | None = None
        self.setAccessibleName("B")
        self.setMinimumSize(120, 120)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def sizeHint(self) -> QSize:
        """Return the size it has by default."""
        return QSize(220, 220)

    def show_values(self, values: Matrix) -> None:
        """Show B; the bar that is chosen stays among its bars."""
        self.values = values
        self.chosen = min(self.chosen[0], len(values) - 1), min(self.chosen[1], values.shape[1] - 1)
        self._describe()

    def _describe(self) -> None:
        rows = (
            f"state {k + 1}: {', '.join(f'{digits.probability(b)}' for b in row)}"
            for k, row in enumerate(self.values)
        )
        text = f"{'; '.join(rows)}. Chosen: {self.text_of(*self.chosen)}. {KEYS}"
        self.setAccessibleDescription(text)
        self.update()

    def text_of(self, state: int, symbol: int) -> str:
        """Return a probability in words."""
        share = digits.probability(float(self.values[state, symbol]))
        return f"state {state + 1} shows symbol {symbol} with probability {share}"

    def bar(self, state: int, symbol: int) -> QRectF:
        """Return the room of a bar."""
        room = QRectF(self.rect()).adjusted(_HEADER + 4, 4, -4, -_FOOTER)
        high, wide = room.height() / len(self.values), room.width() / self.values.shape[1]
        top, left = room.top() + state * high, room.left() + symbol * wide
        return QRectF(left, top, wide, high).adjusted(1.5, 3, -1.5, -3)

    def bar_at(self, position: QPointF) -> Bar | None:
        """Return the bar in whose room a position is."""
        for bar in np.ndindex(*self.values.shape):
            if self.bar(bar[0], bar[1]).adjusted(-1.5, -3, 1.5, 3).contains(position):
                return bar[0], bar[1]
        return None

    def tip_at(self, position: QPointF) -> str | None:
        """Return the meaning of a bar, and how to set it."""
        bar = self.bar_at(position)
        return None if bar is None else f"B: {self.text_of(*bar)}\n{KEYS}"

    def paint_all(self, painter: QPainter) -> None:
        """Paint the bars, the states next to them and the symbols below."""
        n, m = self.values.shape
        colors = to_colors(state_colors(tuple(range(max(n, m)))))
        for state, symbol in np.ndindex(n, m):
            self._paint_bar(painter, state, symbol)
        painter.setFont(p.scaled(self.font()))
        for state in range(n):
            row = self.bar(state, 0)
            swatch = QRectF(4, 0, 16, min(20.0, row.height()))
            swatch.moveCenter(QPointF(_HEADER / 2, row.center().y()))
            p.draw_swatch(painter, swatch, colors[state], str(state + 1), self.theme)
        painter.setPen(self.theme.color("muted"))
        for symbol in range(m):
            foot = self.bar(n - 1, symbol)
            line = QRectF(foot.left(), self.height() - _FOOTER, foot.width(), _FOOTER)
            painter.drawText(line, p.CENTER, str(symbol))

    def _paint_bar(self, painter: QPainter, state: int, symbol: int) -> None:
        room, value = self.bar(state, symbol), float(self.values[state, symbol])
        color = to_colors(state_colors((symbol,)))[0]
        painter.fillRect(room, p.mixed(self.theme.color("panel"), self.theme.color("line"), 0.45))
        high = value * room.height()
        full = QRectF(room.left(), room.bottom() - high, room.width(), high)
        painter.fillRect(full, p.outline(color, self.theme))
        painter.fillRect(full.adjusted(1, min(1.0, high), -1, 0), color)
        font, text = p.scaled(self.font()), digits.probability(value)
        fits = p.text_width(font, text) <= room.width() and 2 * p.text_height(font) <= room.height()
        if fits:
            painter.setFont(font)
            line = QRectF(room.left(), 0, room.width(), p.text_height(font))
            inside = high > room.height() / 2
            line.moveBottom(full.top() + line.height() if inside else full.top())
            ground = color if inside else self.theme.color("panel")
            painter.setPen(legible_on(ground))
            painter.drawText(line, p.CENTER, text)
        if (state, symbol) == self.chosen:
            painter.setPen(QPen(self.theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(room)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Take a bar, and bring its top to the pointer."""
        bar = None if event is None else self.bar_at(event.position())
        if event is not None and bar is not None and event.button() == Qt.MouseButton.LeftButton:
            self._held = self.chosen = bar
            self._bring(event.position())
            self._describe()

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Move the top of the bar with the mouse."""
        if event is not None and self._held is not None:
            self._bring(event.position())

    def mouseReleaseEvent(self, _event: QMouseEvent | None) -> None:
        """Release the bar."""
        self._held = None

    def _bring(self, position: QPointF) -> None:
        if self._held is not None:
            room = self.bar(*self._held)
            value = (room.bottom() - position.y()) / room.height()
            self.edited.emit(*self._held, min(max(value, 0.0), 1.0))

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Choose another bar, or make it higher or lower."""
        if event is None:
            return
        arrow, change = keys.arrow(event), change_of(event, FINE, COARSE)
        if arrow is not None:
            n, m = self.values.shape
            state, symbol = self.chosen[0] + arrow[1], self.chosen[1] + arrow[0]
            self.chosen = min(max(state, 0), n - 1), min(max(symbol, 0), m - 1)
            self._describe()
        elif change is not None:
            step, sign = change
            self.edited.emit(*self.chosen, float(self.values[self.chosen]) + sign * step)
        else:
            super().keyPressEvent(event)
