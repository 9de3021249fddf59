"""The indices of fit as gauges."""

import math

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QMouseEvent, QPainter, QPainterPath, QPen, QPolygonF
from PyQt6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from latviz.app.views.indices.quantiles import QuantilePlot, described
from latviz.app.views.mark import YOU, Mark
from latviz.app.views.painted import PaintedView
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.work.timers import once_after
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.indices import (
    INDICES,
    Gauge,
    gauges,
    needs,
    value_text,
)

_BAR, _LARGE = 12, 1.3
"""Height of a track in pixels, and relative size of the value next to its title."""
QUANTILES = frozenset({"law_quantiles"})
"""The result that is drawn on request."""


def needed() -> frozenset[str]:
    """Return the results of a frame that are drawn."""
    return needs() | {"truth"}


def _why(gauge: Gauge) -> str:
    """Return why an index is undefined."""
    return f": {gauge.index.undefined}" if gauge.index.undefined else ""


def ticks_of(gauge: Gauge) -> list[p.Tick]:
    """Return the ticks of a gauge, the most important first."""
    needed = f"{gauge.index.needed:g}"
    ends: list[p.Tick] = [(0.0, ("0",)), (1.0, ("1",))]
    others: list[p.Tick] = []
    for name, value in (("noise", gauge.noise), ("truth", gauge.truth)):
        if value is not None and not math.isnan(value) and gauge.depends_on_states:
            short = digits.probability(value)
            others.append((value, (f"{name} {short}", name)))
    if gauge.chance is None:
        return [(gauge.index.needed, (f"≥ {needed}", needed)), *others, *ends]
    chance = digits.probability(gauge.chance)
    if abs(gauge.chance - gauge.index.needed) < 0.005:
        both = f"≥ {needed}, chance {chance}", f"≥ {needed}", needed
        return [(gauge.index.needed, both), *others, *ends]
    marked: list[p.Tick] = [(gauge.index.needed, (f"≥ {needed}", needed)), *others]
    return [*marked, (gauge.chance, (f"chance {chance}", chance)), *ends]


def _ticks_of_mark(mark: Mark | None) -> list[p.Tick]:
    """Return the tick of the user's place."""
    if mark is None or mark.place is None:
        return []
    return [(mark.place[0], (f"{YOU} {digits.probability(mark.place[0])}", YOU))]


def _reach(track: QRectF) -> QRectF:
    """Return the area of a track for clicks: the track and its surroundings."""
    high = track.height()
    return track.adjusted(-p.PAD, -high, p.PAD, 2 * high)


def truth_text(frame: Frame) -> str:
    """Return the accuracy of the states; "" without true ones."""
    truth = frame.truth
    if truth is None:
        return ""
    accuracy, rand = digits.share(truth.accuracy), digits.probability(truth.rand)
    return f"Accuracy {accuracy}, adjusted Rand {rand} against the truth"


def _first(shape: QPainterPath, share: float) -> QPainterPath:
    """Return the left part of a shape; it is cut, since not every program clips."""
    bounds, part = shape.boundingRect(), QPainterPath()
    part.addRect(QRectF(bounds.left(), bounds.top(), share * bounds.width(), bounds.height()))
    return shape.intersected(part)


class GaugeBar(p.Painted):
    """One index: its title and value over a track, and comparisons under it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.gauge: Gauge | None = None
        self.mark: Mark | None = None
        self.fold = ""  # after the title: "▸" or "▾", if there is more to show
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        """Return the size of three lines, of which the middle one is the track."""
        return QSize(150, round(self.track.bottom() + p.text_height(self.font())))

    def minimumSizeHint(self) -> QSize:
        """Return the size without the line of comparisons: no text is smaller than elsewhere."""
        return QSize(p.LEAST, round(self.track.bottom()))

    def show_gauge(self, gauge: Gauge, mark: Mark | None) -> None:
        """Show an index, and the mark on it."""
        self.gauge, self.mark = gauge, mark
        self.update()

    @property
    def track(self) -> QRectF:
        """The rectangle of the track."""
        return QRectF(0.0, p.text_height(self._large), self.width(), _BAR)

    @property
    def _large(self) -> QFont:
        return p.scaled(self.font(), _LARGE, bold=True)

    def paint_all(self, painter: QPainter) -> None:
        """Paint the index."""
        if self.gauge is None:
            return
        track, font = self.track, p.scaled(self.font())
        self._draw_head(painter, QRectF(0.0, 0.0, self.width(), track.top()), self.gauge)
        self._draw_track(painter, track, self.gauge)
        painter.setPen(self.theme.color("muted"))
        below = QRectF(0.0, track.bottom(), self.width(), self.height() - track.bottom())
        if below.height() < p.text_height(font):
            return
        ticks = [*_ticks_of_mark(self.mark), *ticks_of(self.gauge)]
        p.draw_ticks(painter, below, ticks, font)

    def _draw_head(self, painter: QPainter, rect: QRectF, gauge: Gauge) -> None:
        text, font = value_text(gauge.value, gauge.index.needed), p.scaled(self.font())
        enough, color = gauge.enough if gauge.known else None, self.theme.color(gauge.color)
        painter.setFont(self._large)
        painter.setPen(color)
        painter.drawText(rect, p.RIGHT, text)
        right = rect.right() - p.text_width(self._large, text) - 5
        if enough is not None:
            mark = round(0.55 * rect.height())
            right -= mark
            place = QRectF(right, rect.center().y() - mark / 2, mark, mark)
            p.draw_mark(painter, place, enough, color)
        painter.setFont(font)
        painter.setPen(self.theme.color("text"))
        titles = gauge.index.title, *gauge.index.short
        title = p.fitting(font, right - 5, *(f"{one} {self.fold}".strip() for one in titles))
        painter.drawText(rect, p.LEFT, title)

    def _draw_track(self, painter: QPainter, rect: QRectF, gauge: Gauge) -> None:
        bar, shape = rect.adjusted(0, 3, 0, -3), QPainterPath()
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
        if self.mark is not None and self.mark.gap is not None:
            self._draw_gap(painter, rect, *self.mark.gap)
        self._marks(painter, rect, gauge)
        if self.mark is not None:
            self._draw_guess(painter, rect, self.mark)

    def _draw_gap(self, painter: QPainter, rect: QRectF, low: float, high: float) -> None:
        """Shade the gap between a guess and the truth."""
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
        """Draw the mark of the truth, in the middle of a bar."""
        y, half = rect.center().y(), min(6.0, rect.height() / 2)
        x = min(max(x, rect.left() + half), rect.right() - half)
        corners = [(0, -half), (half, 0), (0, half), (-half, 0)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.pen("text", 1.2))
        painter.setBrush(self.theme.color("panel"))
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
        painter.restore()


class IndicesView(PaintedView):
    """The indices of fit against their thresholds and chance levels."""

    TITLE = "Indices"
    MARKS = frozenset({"gauge"})

    law_toggled = pyqtSignal(bool)
    """Emitted with whether to show the quantiles, when the user clicks the gauge of the law."""

    _held = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)  # that of the layout
        self.bars = {name: GaugeBar(self) for name in INDICES}
        self.quantiles = QuantilePlot(self)
        self.bars["law"].setCursor(Qt.CursorShape.PointingHandCursor)
        self._opened = once_after(0, self._reveal, self)  # once there is room for the quantiles
        self.truth = ElidedLabel(self)
        pad = int(p.PAD)
        margins = pad, pad // 2, pad, pad // 2
        rows = layouts.column(*self.bars.values(), of=self, margins=margins, spacing=4)
        rows.insertWidget(rows.indexOf(self.bars["law"]) + 1, self.quantiles)
        layouts.filled(rows, self.truth, margins=None)
        rows.addStretch(1)

    def needed(self) -> frozenset[str]:
        """Return the results that are drawn."""
        return needed() | (QUANTILES if self.display.law else frozenset())

    def in_words(self, frame: Frame) -> str:
        """Return the indices."""
        sentences = []
        for g in gauges(frame):
            needed, text = g.index.needed, value_text(g.value, g.index.needed)
            sentences.append(f"{g.index.title} {text}, at least {needed:g} is needed.")
            if g.value is not None and math.isnan(g.value):
                sentences[-1] = f"{g.index.title} is undefined{_why(g)}."
            if g.known and g.noise is not None:
                sentences.append(f"Value of noise: {digits.probability(g.noise)}.")
            if g.truth is not None:
                sentences.append(f"Value of the truth: {digits.probability(g.truth)}.")
        if self.display.law and INDICES["law"].suits(frame):
            sentences.append(described(frame, frame.law_quantiles)[0])
        if frame.truth is not None:
            sentences.append(f"{truth_text(frame)}.")
        return " ".join(sentences)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint nothing: the parts paint themselves."""

    def draw_frame(self) -> None:
        """Show the gauges."""
        assert self.frame is not None
        for gauge in gauges(self.frame):
            on_it = self.mark is not None and self.mark.part == gauge.index.name
            bar = self.bars[gauge.index.name]
            bar.show_gauge(gauge, self.mark if on_it else None)
            bar.setVisible(gauge.index.suits(self.frame))
        self._show_quantiles(self.frame)
        self.truth.setVisible(self.frame.truth is not None)
        text = truth_text(self.frame)
        self.truth.show_text(text, text.removesuffix(" against the truth"), text.split(",")[0])

    def _show_quantiles(self, frame: Frame) -> None:
        bar, is_on = self.bars["law"], self.display.law
        bar.fold = "" if self.is_figure else "▾" if is_on else "▸"
        bar.setToolTip(f"Click to {'hide' if is_on else 'show'} the quantiles of each state")
        self.quantiles.setVisible(is_on and INDICES["law"].suits(frame))
        if is_on:
            self.quantiles.show_quantiles(frame)

    def _reveal(self) -> None:
        """Scroll to the quantiles, if they are shown in a dock that is too low for all."""
        around: QWidget | None = self
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if around is not None and self.quantiles.isVisible():
            around.ensureWidgetVisible(self.quantiles, 0, int(p.PAD))

    def draw_theme(self) -> None:
        """Take other colours."""
        for part in (*self.bars.values(), self.quantiles):
            part.apply_theme(self.theme)
        self.update()

    def track_of(self, index: str) -> QRectF:
        """Return the rectangle of an index's track; empty before there is a frame."""
        if self.frame is None:
            return QRectF()
        bar = self.bars[index]
        return bar.track.translated(bar.mapTo(self, QPointF()))

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Place a requested mark on its gauge, or show or hide the quantiles."""
        mark = self.free_mark
        if event is None or mark is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            if event is not None and event.button() == Qt.MouseButton.LeftButton:
                law = self.bars["law"]
                if law.isVisible() and law.geometry().contains(event.position().toPoint()):
                    self.law_toggled.emit(not self.display.law)
                    self._opened.start()
        elif _reach(self.track_of(mark.part)).contains(event.position()):
            self._held = True
            self._place(mark.part, event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Move the mark with the pointer."""
        super().mouseMoveEvent(event)
        mark = self.free_mark
        if event is None or mark is None:
            return
        self._held &= bool(event.buttons() & Qt.MouseButton.LeftButton)  # a menu takes a release
        if self._held:
            self._place(mark.part, event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Release the mark."""
        super().mouseReleaseEvent(event)
        self._held = False

    def _place(self, index: str, x: float) -> None:
        track = self.track_of(index)
        self.placed.emit((min(max((x - track.left()) / track.width(), 0.0), 1.0),))
