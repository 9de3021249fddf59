"""The stacked bar and the table of a log-likelihood's terms."""

from dataclasses import dataclass
from functools import cached_property

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QBrush, QFont, QPainter

from latviz.app.theme import Theme
from latviz.app.views.likelihood.terms import Segment, Summary, bits_texts, segments
from latviz.app.widgets import painting as p

_TEMPLATES = ("−00.00", "−0,000,000")


def fill(painter: QPainter, rect: QRectF, term: int, theme: Theme) -> None:
    """Fill with what stands for a term: two colours, and a hatch for alpha's part."""
    color = theme.color("accent" if term == 0 else "muted")
    if term < 2:
        painter.fillRect(rect, color)
    else:
        painter.fillRect(rect, p.mixed(theme.color("panel"), color, 0.25))
        painter.fillRect(rect, QBrush(color, Qt.BrushStyle.BDiagPattern))


@dataclass(frozen=True)
class Bar:
    """The stacked bar, from the lowest of its stretches to the highest."""

    shown: Summary
    parts: list[Segment]
    low: float
    high: float
    theme: Theme
    font: QFont

    @classmethod
    def of(cls, shown: Summary, theme: Theme, font: QFont) -> "Bar | None":
        """Return the bar; None if there is nothing to pile up."""
        parts = segments(shown)
        if not parts:
            return None
        low = min(0.0, *(part.start for part in parts))
        high = max(0.0, *(part.stop for part in parts))
        return cls(shown, parts, low, high, theme, font)

    def _at(self, bits: float) -> float:
        return (bits - self.low) / (self.high - self.low)

    def _x(self, rect: QRectF, bits: float) -> float:
        return round(rect.left() + 1 + self._at(bits) * (rect.width() - 2))

    def draw(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the stretches, a thin line at 0 and a thick one at the total."""
        for part in self.parts:
            left, right = self._x(rect, part.start), self._x(rect, part.stop)
            stretch = QRectF(left, rect.top() + 3, right - left, rect.height() - 6)
            fill(painter, stretch, part.term, self.theme)
        text = self.theme.color("text")
        painter.fillRect(QRectF(self._x(rect, 0.0), rect.top(), 1, rect.height()), text)
        total = self._x(rect, self.shown.total.bits)
        painter.fillRect(QRectF(total - 1, rect.top(), 3, rect.height()), text)

    def label(self, painter: QPainter, rect: QRectF) -> None:
        """Write the total and 0 under their lines."""
        painter.setPen(self.theme.color("muted"))
        ends = [(self.shown.total.bits, bits_texts(self.shown)[-1]), (0.0, "0")]
        p.draw_ticks(painter, rect, [(self._at(bits), (text,)) for bits, text in ends], self.font)


@dataclass(frozen=True)
class Table:
    """The terms' names and numbers, in columns that end where their longest entry ends."""

    theme: Theme
    font: QFont
    small: QFont
    columns: list[tuple[str, list[str]]]
    names: list[tuple[str, ...]]
    rows: tuple[int, ...]
    key: float

    @cached_property
    def widths(self) -> list[float]:
        """The widths of the columns of numbers; templates keep them from changing with a digit."""
        bold = p.scaled(self.font, 1.0, bold=True)
        result = []
        for (title, texts), template in zip(self.columns, _TEMPLATES, strict=False):
            widest = max(p.text_width(bold, text) for text in (*texts, template))
            result.append(max(widest, p.text_width(self.small, title)))
        return result

    @property
    def gutter(self) -> float:
        """The least space left of a column of numbers."""
        return p.text_width(self.font, "00")

    @property
    def indent(self) -> float:
        """Where names start, right of the keys to the bar."""
        return self.key + 6.0 if self.key else 0.0

    @cached_property
    def width(self) -> float:
        """The least width it needs."""
        names = max(p.text_width(self.font, self.names[row][-1]) for row in self.rows)
        return self.indent + names + sum(width + self.gutter for width in self.widths)

    def _cells(self, rect: QRectF) -> list[QRectF]:
        cells: list[QRectF] = []
        right = rect.right()
        for width in reversed(self.widths):
            cells.insert(0, QRectF(right - width, rect.top(), width, rect.height()))
            right -= width + self.gutter
        return cells

    def draw_header(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the columns' titles."""
        painter.setFont(self.small)
        painter.setPen(self.theme.color("muted"))
        for cell, (title, _) in zip(self._cells(rect), self.columns, strict=True):
            painter.drawText(cell, p.RIGHT, title)

    def draw(self, row: int, painter: QPainter, rect: QRectF) -> None:
        """Draw a term's key, name and numbers; the last is the total, under a line."""
        last = row == len(self.names) - 1
        cells = self._cells(rect)
        if last:
            line = QRectF(rect.left(), rect.top() - 2, rect.width(), 1)
            painter.fillRect(line, self.theme.color("line"))
        elif self.key:
            top = round(rect.center().y() - self.key / 2)
            fill(painter, QRectF(rect.left(), top, self.key, self.key), row, self.theme)
        painter.setFont(p.scaled(self.font, 1.0, bold=last))
        painter.setPen(self.theme.color("muted" if row == 2 else "text"))
        name = self._name(row, cells[0].left() - 6 - rect.left() - self.indent)
        painter.drawText(rect.adjusted(self.indent, 0, 0, 0), p.LEFT, name)
        for cell, (_, texts) in zip(cells, self.columns, strict=True):
            painter.drawText(cell, p.RIGHT, texts[row])

    def _name(self, row: int, room: float) -> str:
        """Return the row's name, a long one if there is room for the long ones of all rows."""
        longs = (p.text_width(self.font, self.names[k][0]) for k in self.rows)
        name = self.names[row][0 if max(longs) <= room else -1]
        return p.fitting(self.font, room, name)
