"""Drawing A as a graph of states."""

from collections.abc import Mapping
from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from latviz.app.theme import Theme, legible_on
from latviz.app.views.adjacency.graph import THINNEST, Graph
from latviz.app.views.adjacency.graph_layout import arrow
from latviz.app.views.painted import Spot
from latviz.app.views.space.layout import number_font
from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import draw_ticks
from latviz.core.types import Matrix

_FAINT_EDGE, _FAINT_NODE = 0.12, 0.3
_STRONG = 2.5


@dataclass(frozen=True, eq=False)
class Drawing:
    """How a graph is drawn.

    Attributes
    ----------
    colors : list of QColor
        Those of the states.
    chosen : int or None
        The state to set off.
    marks : Mapping of Spot to QColor
        States and edges to outline.
    """

    painter: QPainter
    theme: Theme
    graph: Graph
    colors: list[QColor]
    chosen: int | None
    marks: Mapping[Spot, QColor]

    def draw(self) -> None:
        """Draw the edges, the strongest last, and the states over them."""
        painter, graph = self.painter, self.graph
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pairs, lines = graph.with_all_of(self.chosen)
        edges = [
            ((i, j), graph.strength(i, j), line)
            for (i, j), line in zip(pairs.tolist(), lines, strict=True)
        ]
        for edge in sorted(edges, key=lambda edge: (Spot(*edge[0]) in self.marks, edge[1])):
            self._draw_edge(*edge)
        for state in range(len(self.colors)):
            self._draw_node(state)
        painter.restore()

    def _draw_edge(self, pair: tuple[int, int], strength: float, line: Matrix) -> None:
        width = self.graph.width(*pair)
        size = max(6.0, 1.7 * width)
        if pair[0] == pair[1]:
            size = min(size, 0.6 * self.graph.nodes.reach)
        shaft, head = arrow(line, size)
        color = p.outline(self.colors[pair[0]], self.theme)
        mark, faded = self.marks.get(Spot(*pair)), self.chosen not in (None, *pair)
        strokes = [(color, 0.0, _FAINT_EDGE if faded else 0.35 + 0.6 * strength)]
        if mark is not None:
            strokes = [(mark, 4.0, 1.0), (color, 0.0, 1.0)]
        flat, join = Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.BevelJoin
        for stroke, halo, opacity in strokes:
            self.painter.setOpacity(opacity)
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.setPen(QPen(stroke, width + halo, Qt.PenStyle.SolidLine, flat, join))
            self.painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in shaft.tolist()]))
            self.painter.setPen(QPen(stroke, halo) if halo else Qt.PenStyle.NoPen)
            self.painter.setBrush(stroke)
            self.painter.drawPolygon(QPolygonF(head))

    def _draw_node(self, state: int) -> None:
        painter, theme, nodes = self.painter, self.theme, self.graph.nodes
        centre, radius = QPointF(*nodes.centres[state].tolist()), float(nodes.radii[state])
        empty, color = not self.graph.frame.occupancy[state], self.colors[state]
        painter.setOpacity(1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("panel"))
        painter.drawEllipse(centre, radius + 1.5, radius + 1.5)
        painter.setOpacity(1.0 if self.chosen in (None, state) else _FAINT_NODE)
        pen = QPen(theme.color("text"), _STRONG if state == self.chosen else 1.0)
        if Spot(state) in self.marks:
            painter.setOpacity(1.0)
            pen = QPen(self.marks[Spot(state)], _STRONG)
        if empty:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(theme.color("panel") if empty else color)
        painter.drawEllipse(centre, radius, radius)
        painter.setFont(number_font(self.graph.font, radius))
        if p.text_width(painter.font(), str(state + 1)) <= 2 * radius:
            painter.setPen(theme.color("muted") if empty else legible_on(color))
            painter.drawText(
                QRectF(centre.x() - 20, centre.y() - 20, 40, 40), p.CENTER, str(state + 1)
            )


def draw_wedge(painter: QPainter, bar: QRectF, graph: Graph, theme: Theme) -> None:
    """Draw an upright scale of widths with ticks and labels on its right."""
    middle, widest = bar.left() + graph.widest / 2, graph.widest
    ends = ((-widest, bar.top()), (widest, bar.top()), (THINNEST, bar.bottom()))
    corners = [QPointF(middle + x / 2, y) for x, y in (*ends, (-THINNEST, bar.bottom()))]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("muted"))
    painter.drawPolygon(QPolygonF(corners))
    painter.restore()
    draw_ticks(painter, bar, graph.scales[0], theme)
