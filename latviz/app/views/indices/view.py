"""The indices that say whether the model fits, as gauges with a verdict."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QMouseEvent, QPainter, QPainterPath, QPen, QPolygonF
from PyQt6.QtWidgets import QWidget

from latviz.app.views.mark import YOU, Mark
from latviz.app.views.painted import PaintedView
from latviz.app.widgets import painting as p
from latviz.engine.frame import Frame
from latviz.engine.indices import Gauge, Verdict, gauges, needs, value_text, verdict, verdicts

_DETAILS = (
    *((scale, True, True) for scale in (1.3, 1.1, 1.0, 0.9)),
    (0.9, True, False),
    (0.9, False, True),
    *((scale, False, False) for scale in (0.9, 0.8, 0.7, 0.6)),
)
"""From much to little: the scale of fonts, whether there are ticks, and if the verdict is whole."""


def needed() -> frozenset[str]:
    """Return the results of a frame that are drawn."""
    return needs() | {"truth"}


def ticks_of(gauge: Gauge) -> list[p.Tick]:
    """Return the ticks of a gauge, the most important first."""
    needed = f"{gauge.index.needed:g}"
    ends: list[p.Tick] = [(0.0, ("0",)), (1.0, ("1",))]
    others: list[p.Tick] = []
    for name, value in (("noise", gauge.noise), ("truth", gauge.truth)):
        if value is not None and not math.isnan(value) and gauge.tells:
            short = short_text(value)
            others.append((value, (f"{name} {short}", name)))
    if gauge.chance is None:
        return [(gauge.index.needed, (f"≥ {needed}", needed)), *others, *ends]
    chance = short_text(gauge.chance)
    if abs(gauge.chance - gauge.index.needed) < 0.005:
        both = f"≥ {needed}, chance {chance}", f"≥ {needed}", needed
        return [(gauge.index.needed, both), *others, *ends]
    marked: list[p.Tick] = [(gauge.index.needed, (f"≥ {needed}", needed)), *others]
    return [*marked, (gauge.chance, (f"chance {chance}", chance)), *ends]


def _ticks_of_mark(mark: Mark | None) -> list[p.Tick]:
    """Return the tick of the place that a person chose."""
    if mark is None or mark.place is None:
        return []
    return [(mark.place[0], (f"{YOU} {short_text(mark.place[0])}", YOU))]


def _reach(track: QRectF) -> QRectF:
    """Return where a press means a track: on it, and near it."""
    high = track.height()
    return track.adjusted(-p.PAD, -high, p.PAD, 2 * high)


def short_text(value: float) -> str:
    """Return an index to two decimals, without its 0: ".83"."""
    return f"{value:.2f}".removeprefix("0")


def truth_text(frame: Frame) -> str:
    """Return how far the states are from known ones; empty if none are known."""
    truth = frame.truth
    if truth is None:
        return ""
    return f"Accuracy {truth.accuracy:.3f}, adjusted Rand {truth.rand:.3f} against the truth"


def _first(shape: QPainterPath, share: float) -> QPainterPath:
    """Return the left part of a shape; it is cut, since not every program clips."""
    bounds, part = shape.boundingRect(), QPainterPath()
    part.addRect(QRectF(bounds.left(), bounds.top(), share * bounds.width(), bounds.height()))
    return shape.intersected(part)


class IndicesView(PaintedView):
    """The indices of fit against their thresholds and chance levels, and a verdict."""

    TITLE = "Indices"
    MARKS = frozenset({"gauge"})

    _held = False

    def __init__(self, parent: QWidget | None = None) -> None:
        self._stacks = p.Stacks()
        super().__init__(parent)

    def needed(self) -> frozenset[str]:
        """Return the results that are drawn."""
        return needed()

    def in_words(self, frame: Frame) -> str:
        """Return the indices and the verdict."""
        said = []
        for g in gauges(frame):
            needed, text = g.index.needed, value_text(g.value, g.index.needed)
            said.append(f"{g.index.title} {text}, {needed:g} is needed.")
            if g.known and g.noise is not None:
                said.append(f"Noise reaches {g.noise:.3f}.")
            if g.truth is not None:
                said.append(f"The truth has {g.truth:.3f}.")
        if frame.truth is not None:
            said.append(f"{truth_text(frame)}.")
        return " ".join([*said, verdict(frame).whole])

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the gauges and the verdict."""
        p.draw_stack(painter, *self._stack(frame))

    def _stack(self, frame: Frame) -> tuple[Sequence[p.Block], QRectF]:
        """Return the parts of the view, and the room that they are in."""
        room = QRectF(self.rect()).adjusted(p.PAD, p.PAD, -p.PAD, -p.PAD)
        return self._stacks.best(self._candidates(frame, room.width()), room), room

    def track_of(self, index: str) -> QRectF:
        """Return where the track of an index is; empty before there is a frame."""
        blocks, room = ((), QRectF()) if self.frame is None else self._stack(self.frame)
        places = zip(blocks, p.stacked(blocks, room), strict=True)
        return next((place for block, place in places if block.name == index), QRectF())

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Put the mark on its gauge, if one is asked for."""
        mark = self.free_mark
        if event is None or mark is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        elif _reach(self.track_of(mark.part)).contains(event.position()):
            self._held = True
            self._place(mark.part, event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Let the mark follow the pointer."""
        super().mouseMoveEvent(event)
        mark = self.free_mark
        if event is not None and self._held and mark is not None:
            self._place(mark.part, event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Let go of the mark."""
        super().mouseReleaseEvent(event)
        self._held = False

    def _place(self, index: str, x: float) -> None:
        track = self.track_of(index)
        self.placed.emit((min(max((x - track.left()) / track.width(), 0.0), 1.0),))

    def _mark_on(self, gauge: Gauge) -> Mark | None:
        """Return the mark, if it is on a gauge."""
        return self.mark if self.mark is not None and self.mark.part == gauge.index.name else None

    def _candidates(
        self, frame: Frame, width: float
    ) -> Iterator[tuple[Hashable, Callable[[], list[p.Block]]]]:
        shown = gauges(frame)
        blocks = partial(self._blocks, frame, shown, width)
        for detail in _DETAILS:
            height = self.font(), width, frame.truth is None
            yield (detail, *height), partial(blocks, *detail)

    def _blocks(
        self,
        frame: Frame,
        shown: Iterable[Gauge],
        width: float,
        scale: float,
        ticks: bool,
        whole: bool,
    ) -> list[p.Block]:
        blocks = []
        for gauge in shown:
            blocks.append(self._head(gauge, scale))
            blocks.append(self._track(gauge, scale, 2.0 if ticks else 8.0))
            if ticks:
                blocks.append(self._ticks(gauge, scale))
        blocks[-1] = replace(blocks[-1], gap=10.0)
        if frame.truth is not None:
            blocks.append(self._accuracy(truth_text(frame), scale))
        texts = {one: one.whole if whole else f"{one.headline}." for one in verdicts()}
        return [*blocks, self._verdict(texts, verdict(frame), scale, width)]

    def _head(self, gauge: Gauge, scale: float) -> p.Block:
        name, value = p.scaled(self.font(), scale), p.scaled(self.font(), 1.5 * scale, bold=True)
        text, height = value_text(gauge.value, gauge.index.needed), p.text_height(value)
        enough = gauge.enough if gauge.known else None
        mark = 0 if enough is None else round(0.55 * height)
        wide = p.text_width(name, gauge.index.title) + p.text_width(value, text) + mark + 16

        def draw(painter: QPainter, rect: QRectF) -> None:
            color = self.theme.color(gauge.color)
            painter.setFont(name)
            painter.setPen(self.theme.color("text"))
            painter.drawText(rect, p.LEFT, gauge.index.title)
            painter.setFont(value)
            painter.setPen(color if gauge.known else self.theme.color("muted"))
            painter.drawText(rect, p.RIGHT, text)
            if mark:
                left = rect.right() - p.text_width(value, text) - mark - 5
                place = QRectF(left, rect.center().y() - mark / 2, mark, mark)
                p.draw_mark(painter, place, bool(enough), color)

        return p.Block(wide, height, 1.0, draw)

    def _track(self, gauge: Gauge, scale: float, gap: float) -> p.Block:
        def draw(painter: QPainter, rect: QRectF) -> None:
            bar = rect.adjusted(0, 3, 0, -3)
            shape = QPainterPath()
            shape.addRoundedRect(bar, bar.height() / 2, bar.height() / 2)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            panel, line = self.theme.color("panel"), self.theme.color("line")
            painter.fillPath(shape, p.mixed(panel, line, 0.7))
            if gauge.value is not None and not math.isnan(gauge.value):
                painter.fillPath(_first(shape, gauge.value), self.theme.color(gauge.color))
            if gauge.least > 0:
                self._shade(painter, shape, gauge.least)
            painter.restore()
            mark = self._mark_on(gauge)
            if mark is not None and mark.gap is not None:
                self._draw_gap(painter, rect, *mark.gap)
            self._marks(painter, rect, gauge)
            if mark is not None:
                self._draw_guess(painter, rect, mark)

        return p.Block(60.0, 6.0 + round(8 * scale), gap, draw, gauge.index.name)

    def _draw_gap(self, painter: QPainter, rect: QRectF, low: float, high: float) -> None:
        """Shade what lies between a guess and the truth."""
        first, last = (round(rect.left() + share * rect.width()) for share in (low, high))
        gap, color = QRectF(first, rect.top(), last - first, rect.height()), "warning"
        painter.fillRect(gap, p.mixed(self.theme.color("panel"), self.theme.color(color), 0.35))
        p.draw_hatch(painter, gap, self.theme.color(color))

    def _draw_guess(self, painter: QPainter, rect: QRectF, mark: Mark) -> None:
        """Mark a guess and the truth."""
        for place, color in ((mark.truth, "text"), (mark.place, "warning")):
            if place is not None:
                x = round(rect.left() + place[0] * rect.width())
                line = QRectF(x - 1.5, rect.top() - 3, 3, rect.height() + 6)
                painter.fillRect(line, self.theme.color(color))

    def _shade(self, painter: QPainter, shape: QPainterPath, share: float) -> None:
        impossible = _first(shape, share)
        painter.fillPath(impossible, self.theme.color("line"))
        painter.setClipPath(impossible)
        p.draw_hatch(painter, impossible.boundingRect(), self.theme.color("muted"))

    def _marks(self, painter: QPainter, rect: QRectF, gauge: Gauge) -> None:
        x, top, height = rect.left() + gauge.index.needed * rect.width(), rect.top(), rect.height()
        painter.fillRect(QRectF(round(x) - 2, top, 4, height), self.theme.color("panel"))
        painter.fillRect(QRectF(round(x) - 1, top, 2, height), self.theme.color("text"))
        if gauge.chance is not None:
            x = round(rect.left() + gauge.chance * rect.width())
            painter.setPen(QPen(self.theme.color("text"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, top), QPointF(x, rect.bottom()))
        if gauge.known and gauge.noise is not None:
            x = round(rect.left() + gauge.noise * rect.width())
            painter.setPen(QPen(self.theme.color("text"), 2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, top), QPointF(x, rect.bottom()))
        if gauge.known and gauge.truth is not None and not math.isnan(gauge.truth):
            self._diamond(painter, rect, rect.left() + gauge.truth * rect.width())

    def _diamond(self, painter: QPainter, rect: QRectF, x: float) -> None:
        """Draw what stands for the truth, in the middle of a bar."""
        y, half = rect.center().y(), min(6.0, rect.height() / 2)
        x = min(max(x, rect.left() + half), rect.right() - half)
        corners = [(0, -half), (half, 0), (0, half), (-half, 0)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.pen("text", 1.2))
        painter.setBrush(self.theme.color("panel"))
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
        painter.restore()

    def _ticks(self, gauge: Gauge, scale: float) -> p.Block:
        font = p.scaled(self.font(), 0.85 * scale)

        def draw(painter: QPainter, rect: QRectF) -> None:
            painter.setPen(self.theme.color("muted"))
            p.draw_ticks(
                painter, rect, [*_ticks_of_mark(self._mark_on(gauge)), *ticks_of(gauge)], font
            )

        return p.Block(0.0, p.text_height(font), 8.0, draw)

    def _accuracy(self, text: str, scale: float) -> p.Block:
        font = p.scaled(self.font(), 0.9 * scale)

        def draw(painter: QPainter, rect: QRectF) -> None:
            painter.setFont(font)
            painter.setPen(self.theme.color("text"))
            shorter = text.removesuffix(" against the truth"), text.split(",")[0]
            painter.drawText(rect, p.LEFT, p.fitting(font, rect.width(), text, *shorter))

        return p.Block(0.0, p.text_height(font), 4.0, draw)

    def _verdict(
        self, texts: dict[Verdict, str], key: Verdict, scale: float, width: float
    ) -> p.Block:
        """Return a block with room for every verdict, so that none moves the gauges."""
        font = p.scaled(self.font(), min(scale, 2.0))

        def draw(painter: QPainter, rect: QRectF) -> None:
            painter.setFont(font)
            painter.setPen(self.theme.color("text"))
            painter.drawText(rect, int(p.WRAP), texts[key])

        height = max(p.text_height(font, text, width) for text in texts.values())
        return p.Block(0.0, height, 0.0, draw)
