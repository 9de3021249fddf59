"""The merge tree, cut at N, and the cost of each merge."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from PyQt6.QtWidgets import QWidget

from latviz.app.look.theme import Theme, legible_on
from latviz.app.views.painted import PointedPart, PointedView
from latviz.app.views.tree.layout import TreeLayout, cost_ticks, merge_texts
from latviz.app.widgets import keys
from latviz.app.widgets import painting as p
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.dendrogram import Cut, Dendrogram
from latviz.engine.geometry.selection import index_of


@dataclass(frozen=True)
class TreeDrawing:
    """Draws the parts of a tree."""

    painter: QPainter
    theme: Theme
    tree: Dendrogram
    layout: TreeLayout
    states: Sequence[int]  # of its rows, -1 if unknown
    colors: Sequence[QColor]
    at: Cut  # the cut of the tree
    marked: bool = False  # show numbers of states if they fit, not only if most do

    @property
    def n(self) -> int:
        """The number of clusters at the cut."""
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
            painter.setPen(self.theme.pen("line", 1))
            for part in (layout.tree, layout.curve):
                painter.drawLine(QPointF(part.left(), y), QPointF(part.right(), y))
            if layout.tree.left() > p.PAD:
                painter.setPen(self.theme.color("muted"))
                label = QRectF(p.PAD, y - line / 2, layout.tree.left() - p.PAD - 5, line)
                painter.drawText(label, p.RIGHT, text)

    def branches(self, chosen: int | None) -> None:
        """Draw lines above the cut in grey, and each branch below it in its state's colour."""
        lines, rows = self.tree.lines(self.at)
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
        painter, layout, spans = self.painter, self.layout, self.tree.spans(self.at).tolist()
        if self.marked:
            painter.setFont(p.scaled(painter.font()))
        numbered = (
            self.marked or self.n < 10 or layout.step > p.text_width(painter.font(), "88") + 3
        )
        inset = 1.0 if layout.step >= 6 else 0.25
        for (first, last), state in zip(spans, self.states, strict=False):
            left, right = (layout.at(k, 0.0).x() for k in (first - 0.5, last + 0.5))
            high = layout.band.height()
            rect = QRectF(left + inset, layout.band.top(), right - left - 2 * inset, high)
            if state < 0:
                p.draw_swatch(painter, rect, self.theme.color("muted"), "", self.theme)
                continue
            text, color = str(state + 1) if numbered else "", self.colors[state]
            p.draw_swatch(painter, rect, color, text, self.theme, hollow=empty[state])
            for marked, name in marks:
                if state == marked:
                    painter.setPen(self.theme.pen(name, 2))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(rect.adjusted(-1, -1, 1, 1))

    def curve(self, current: int) -> None:
        """Draw the costs against N, and mark the current one."""
        painter, layout, n_leaves = self.painter, self.layout, self.tree.n_leaves
        room, accent, text = layout.curve, self.theme.color("accent"), self.theme.color("text")
        heights, x = self.tree.heights(), layout.x_of(current)
        points = [QPointF(layout.x_of(k), layout.y(heights[k])) for k in range(1, n_leaves)]
        painter.setPen(self.theme.pen("line", 1))
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
        """Draw the line across the tree, its label, and its continuation to the curve."""
        painter, layout, accent = self.painter, self.layout, self.theme.color("accent")
        painter.setPen(QPen(accent, 2))
        if isinstance(self.at, int):
            painter.drawLine(QPointF(layout.tree.left(), y), QPointF(label.left(), y))
        else:
            self._steps(label)
        painter.setPen(QPen(accent, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(label.right(), y), QPointF(layout.curve.right(), y))
        painter.setPen(self.theme.pen("text", 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawRoundedRect(label, 4, 4)
        painter.setPen(legible_on(accent))
        painter.drawText(label, p.CENTER, text)

    def _steps(self, label: QRectF) -> None:
        """Draw a cut by hand: a step over each cluster at its height, and a line to the label."""
        layout, points = self.layout, list[QPointF]()
        tops, spans = self.tree.tops(self.at), self.tree.spans(self.at)
        for row in np.argsort(spans[:, 0]).tolist():
            left, right = spans[row].tolist()
            points += [layout.at(left - 0.5, tops[row]), layout.at(right + 0.5, tops[row])]
        end = QPointF(layout.tree.right(), label.center().y())
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawPolyline(QPolygonF([*points, end, QPointF(label.left(), end.y())]))


_CAPTIONS = (
    "Squared error that each merge adds (log scale)",
    "Squared error added (log scale)",
    "Cost of merges (log scale)",
    "Cost (log scale)",
)
_ALONE = ("One signature: nothing to merge", "Nothing to merge")
_GRIP = 6.0
_STEPS: dict[int, int] = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -4,
    Qt.Key.Key_PageDown: 4,
    Qt.Key.Key_Home: -1000,
    Qt.Key.Key_End: 1000,
}


class TreeView(PointedView):
    """The last merges as a dendrogram with a cut that is N, and the curve of their costs."""

    NEEDS = frozenset({"dendrogram"})
    TITLE = "Merge tree"
    SIZE = (420, 260)
    KEYS = "Arrow and page keys move the cut."

    n_states_wanted = pyqtSignal(int)  # the cut was moved

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted: int | None = None
        self._passed: set[int] = set()
        self._pull: Callable[[QPointF], None] | None = None
        self._pulled_to: float | None = None

    @property
    def tree(self) -> Dendrogram | None:
        """The frame's merge tree, if it was requested."""
        return self.frame.dendrogram if self.frame is not None else None

    @property
    def n_shown(self) -> int:
        """The N of the cut: the last one requested, until its frame arrives."""
        if self._wanted is not None:
            return self._wanted
        return 1 if self.frame is None else len(self.frame.slots)

    def cut_of(self, frame: Frame) -> Cut:
        """Return the place of the cut in the frame's tree."""
        n = len(frame.slots)
        if self.tree is None or frame.cut is None:
            return n if self.tree is None else min(n, self.tree.n_leaves)
        return self.tree.undone(frame.cut)

    def states(self, frame: Frame) -> list[int]:
        """Return the state of each row of the tree cut at the frame's N; -1 if not known."""
        slots = frame.row_slots
        found = [index_of(frame.slots, slot) for slot in slots]
        return [*(-1 if k is None else k for k in found), *[-1] * (len(frame.slots) - len(found))]

    def draw_frame(self) -> None:
        """Repaint, and drop the pending N once its frame, or one of an unexpected N, arrives."""
        n = len(self.frame.slots) if self.frame else 1
        if n == self._wanted or n not in self._passed:
            self._wanted, self._passed = None, set()
        super().draw_frame()

    def in_words(self, frame: Frame) -> str:
        """Return the cut's N, and the cost of its merge."""
        n, tree = len(frame.slots), self.tree
        if tree is None:
            return "No merge tree yet."
        text = f"N = {n} of at most {tree.n_leaves}."
        if not isinstance(self.cut_of(frame), int):
            return f"{text} Cut by hand."
        return f"{text} {merge_texts(tree, n - 1)[0]}." if 1 < n <= tree.n_leaves else text

    def tree_layout(self, tree: Dendrogram) -> TreeLayout:
        """Return the layout of the view."""
        font = self._font()
        label = p.text_width(self._bold(), "N = 88") + 10
        axis = max((p.text_width(font, text) for _, text in cost_ticks(tree)), default=-8.0) + 8
        axis = axis if self.width() >= 260 else 0.0
        return TreeLayout.of(self.size(), tree.n_leaves, p.text_height(font), axis, label)

    def spot_at(self, frame: Frame, position: QPointF) -> PointedPart | None:
        """Return the merge at a position, and the state if it is below the cut."""
        if (tree := self.tree) is None:
            return None
        layout = self.tree_layout(tree)
        if layout.curve.contains(position):
            n = layout.n_at(position.x())
            return PointedPart(-1, n) if n < tree.n_leaves else None
        if not layout.tree.united(layout.band).contains(position):
            return None
        state = -1
        place, height = layout.place(position.x()), layout.height(position.y())
        leaf = tree.order[min(max(round(place), 0), tree.n_leaves - 1)]
        row = tree.rows(self.cut_of(frame))[leaf]
        if height < tree.tops(self.cut_of(frame))[row]:
            state = self.states(frame)[row]
        reach = (4 / layout.step, 4 / layout.tree.height())
        merge = tree.merge_at(place, height, reach)
        return None if merge is None and state < 0 else PointedPart(state, merge)

    def tool_tip(self, frame: Frame, spot: PointedPart) -> str:
        """Return the cost of the merge, or else the state's number of signatures."""
        if (tree := self.tree) is None:
            return ""
        if spot.item is not None:
            return merge_texts(tree, spot.item)[0]
        row = self.states(frame).index(spot.state)
        weight = tree.weights[tree.rows(self.cut_of(frame)) == row].sum()
        share = digits.share(float(weight), float(tree.weights.sum()))
        return f"{frame.titled(spot.state)}: {share} of the signatures"

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Grab the cut, or highlight the state under the pointer."""
        tree, left = self.tree, Qt.MouseButton.LeftButton
        if event is not None and tree is not None and event.button() == left:
            at, layout = event.position(), self.tree_layout(tree)
            if self._is_held_at(at):
                offset = self._line_y(tree) - at.y()
                self._pull = lambda to: self._pull_to(to.y() + offset)
                return
            if layout.curve.contains(at):
                self._pull = lambda to: self._want(self.tree_layout(tree).n_at(to.x()))
                self._pull(at)
                return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Move the cut if it is held, else follow the pointer."""
        if event is not None and self._pull is not None:
            self._pull(event.position())
            return
        super().mouseMoveEvent(event)
        if event is not None and self.tree is not None:
            at, shape = event.position(), Qt.CursorShape.ArrowCursor
            if self._is_held_at(at):
                shape = Qt.CursorShape.SizeVerCursor
            elif self.tree_layout(self.tree).curve.contains(at):
                shape = Qt.CursorShape.SizeHorCursor
            self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Release the cut."""
        super().mouseReleaseEvent(event)
        self._pull = self._pulled_to = None
        self.update()

    def event(self, event: QEvent | None) -> bool:
        """Keep the keys that move the cut from the menus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if keys.bare(event) in _STEPS:
                event.accept()
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Move the cut: up and left to fewer states, down and right to more."""
        step = _STEPS.get(keys.bare(event))
        if step is None:
            super().keyPressEvent(event)
        elif self.tree is not None:
            self._want(min(self.n_shown, self.tree.n_leaves) + step)

    def _is_held_at(self, at: QPointF) -> bool:
        if (tree := self.tree) is None:
            return False
        layout = self.tree_layout(tree)
        top, wide = self._line_y(tree) - _GRIP, layout.tree.width()
        line = QRectF(layout.tree.left(), top, wide, 2 * _GRIP)
        by_hand = self.frame is not None and not isinstance(self.cut_of(self.frame), int)
        return self._label_at(tree).contains(at) or (not by_hand and line.contains(at))

    def _line_y(self, tree: Dendrogram) -> float:
        if self._pulled_to is not None:
            return self._pulled_to
        return self.tree_layout(tree).y(tree.cut(min(self.n_shown, tree.n_leaves)))

    def _label_at(self, tree: Dendrogram) -> QRectF:
        room, height = self.tree_layout(tree).handle, p.text_height(self._bold()) + 2
        top = max(room.top() - 5, round(self._line_y(tree) - height / 2))
        return QRectF(room.left(), top, room.width(), height)

    def _pull_to(self, y: float) -> None:
        if (tree := self.tree) is not None:
            layout = self.tree_layout(tree)
            self._pulled_to = layout.y(layout.height(y))
            self._want(tree.n_at(layout.height(y)))
            self.update()

    def _want(self, n: int) -> None:
        if (tree := self.tree) is None:
            return
        n = min(max(n, 1), tree.n_leaves)
        if n != min(self.n_shown, tree.n_leaves):
            self._passed.add(self.n_shown)
            self._wanted = n
            self.update()
            self.n_states_wanted.emit(n)

    def _font(self) -> QFont:
        return p.scaled(self.font())

    def _bold(self) -> QFont:
        return p.scaled(self.font(), bold=True)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the tree, the band of its states, the curve of costs and the cut."""
        painter.setFont(self._font())
        painter.setPen(self.theme.color("muted"))
        if (tree := self.tree) is None:
            painter.drawText(QRectF(self.rect()), p.CENTER, "No merge tree yet")
            return
        layout = self.tree_layout(tree)
        merge = None if self.spot is None else self.spot.item
        texts: tuple[str, ...] = _CAPTIONS if tree.n_leaves > 1 else _ALONE
        texts = texts if merge is None else merge_texts(tree, merge)
        room = QRectF(p.PAD, p.PAD, self.width() - 2 * p.PAD, p.text_height(painter.font()))
        painter.setPen(self.theme.color("muted" if merge is None else "text"))
        painter.drawText(room, p.LEFT, p.fitting(painter.font(), room.width(), *texts))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        states, marked = self.states(frame), self.display.marks != "none"
        at = self.cut_of(frame)
        drawing = TreeDrawing(painter, self.theme, tree, layout, states, self.colors(), at, marked)
        empty = [not count for count in frame.occupancy]
        inspected = None if self.inspection is None else self.inspection.state
        drawing.axis()
        drawing.branches(self.chosen)
        drawing.band(empty, [(inspected, "accent"), (self.chosen, "text")])
        drawing.curve(min(self.n_shown, tree.n_leaves))
        painter.setFont(self._bold())
        label = self._label_at(tree), f"N = {self.n_shown}"
        drawing.cut(self._line_y(tree), *label, focused=self.hasFocus())
