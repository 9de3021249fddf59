"""Drawing a merge tree and the curve of its costs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PyQt6.QtCore import QLineF, QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from latviz.app.theme import Theme, legible_on
from latviz.app.views.tree.layout import Layout, cost_ticks
from latviz.app.widgets import painting as p
from latviz.engine.dendrogram import Dendrogram


@dataclass(frozen=True)
class Drawing:
    """Draws the parts of a tree; ``states`` are those of its rows, -1 if not known.

    ``marked``: numbers of states wherever they fit, not only if most do.
    """

    painter: QPainter
    theme: Theme
    tree: Dendrogram
    layout: Layout
    states: Sequence[int]
    colors: Sequence[QColor]
    marked: bool = False

    @property
    def n(self) -> int:
        """How many clusters the tree is cut into."""
        return min(len(self.states), self.tree.n_leaves)

    def axis(self) -> None:
        """Draw lines at costs, and their labels if there is room."""
        painter, layout = self.painter, self.layout
        line, last = p.text_height(painter.font()), math.inf
        for height, text in cost_ticks(self.tree):
            y = round(layout.y(height)) + 0.5
            if last - y < line:
                continue
            last = y
            painter.setPen(QPen(self.theme.color("line"), 1))
            for part in (layout.tree, layout.curve):
                painter.drawLine(QPointF(part.left(), y), QPointF(part.right(), y))
            if layout.tree.left() > p.PAD:
                painter.setPen(self.theme.color("muted"))
                label = QRectF(p.PAD, y - line / 2, layout.tree.left() - p.PAD - 5, line)
                painter.drawText(label, p.RIGHT, text)

    def branches(self, chosen: int | None) -> None:
        """Draw what is above the cut in grey, and each branch below it in its state's colour."""
        lines, rows = self.tree.lines(self.n)
        width, muted = min(3.0, max(1.5, self.layout.step / 5)), self.theme.color("muted")
        solid, cap = Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap
        edges, cores = [], []
        for (x1, y1, x2, y2), row in zip(lines.tolist(), rows.tolist(), strict=True):
            state = -1 if row < 0 else self.states[row]
            color = self.colors[state] if state >= 0 else muted
            wide = 1.2 if row < 0 else width + 1.5 * (state >= 0 and state == chosen)
            line, edge = QLineF(self.layout.at(x1, y1), self.layout.at(x2, y2)), color
            if state >= 0:
                edge = p.outline(color, self.theme)
            if edge != color:
                edges.append((line, QPen(edge, wide + 1.2, solid, cap)))
            cores.append((line, QPen(color, wide, solid, cap)))
        for line, pen in edges + cores:
            self.painter.setPen(pen)
            self.painter.drawLine(line)

    def band(self, empty: Sequence[bool], marks: Sequence[tuple[int | None, str]]) -> None:
        """Draw each state's swatch under its leaves, and around it the colours of its marks."""
        painter, layout, spans = self.painter, self.layout, self.tree.spans(self.n).tolist()
        if self.marked:
            painter.setFont(p.scaled(painter.font(), 0.85))
        numbered = (
            self.marked or self.n < 10 or layout.step > p.text_width(painter.font(), "88") + 3
        )
        inset = 1.0 if layout.step >= 6 else 0.25
        for (first, last), state in zip(spans, self.states[: self.n], strict=True):
            left, right = (layout.at(k, 0.0).x() for k in (first - 0.5, last + 0.5))
            rect = QRectF(left + inset, layout.band.top(), right - left - 2 * inset, 0)
            rect.setHeight(layout.band.height())
            if state < 0:
                p.draw_swatch(painter, rect, self.theme.color("muted"), "", self.theme)
                continue
            text, color = str(state + 1) if numbered else "", self.colors[state]
            p.draw_swatch(painter, rect, color, text, self.theme, hollow=empty[state])
            for marked, name in marks:
                if state == marked:
                    painter.setPen(QPen(self.theme.color(name), 2))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(rect.adjusted(-1, -1, 1, 1))

    def curve(self, current: int) -> None:
        """Draw the costs against N, and mark the current one."""
        painter, layout, n_leaves = self.painter, self.layout, self.tree.n_leaves
        room, accent, text = layout.curve, self.theme.color("accent"), self.theme.color("text")
        heights, x = self.tree.heights(), layout.x_of(current)
        points = [QPointF(layout.x_of(k), layout.y(heights[k])) for k in range(1, n_leaves)]
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        painter.setPen(QPen(accent, 1))
        painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
        painter.setPen(QPen(text, 1.5))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        for k, point in enumerate(points, start=1):
            painter.setBrush(accent if k == current else text)
            size = 4.0 if k == current else min(2.2, 0.3 * room.width() / n_leaves)
            painter.drawEllipse(point, size, size)
        below = QRectF(room.left(), layout.band.top(), room.width(), layout.band.height())
        painter.setPen(self.theme.color("muted"))
        ends = [((k - 0.5) / n_leaves, (str(k),)) for k in sorted({1, n_leaves})]
        p.draw_ticks(painter, below, [*ends, (0.5, ("N",))], painter.font())

    def cut(self, y: float, label: QRectF, text: str, *, focused: bool) -> None:
        """Draw the line across the tree, its label, and how it goes on to the curve."""
        painter, layout, accent = self.painter, self.layout, self.theme.color("accent")
        painter.setPen(QPen(accent, 2))
        painter.drawLine(QPointF(layout.tree.left(), y), QPointF(label.left(), y))
        painter.setPen(QPen(accent, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(label.right(), y), QPointF(layout.curve.right(), y))
        painter.setPen(QPen(self.theme.color("text"), 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawRoundedRect(label, 4, 4)
        painter.setPen(legible_on(accent))
        painter.drawText(label, p.CENTER, text)
