"""What each w is worth, as a band that stands over a slider."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PyQt6.QtCore import QPointF, QRectF, QSize
from PyQt6.QtGui import QPainter, QPolygonF
from PyQt6.QtWidgets import QWidget

from latviz.app.widgets import painting as p
from latviz.engine.guidance import Guidance
from latviz.engine.tradeoff import WINDOWS

HIGH = 40
_ZONES = ("too small: noise decides", "about right", "too large: regions melt")
_BRIEF = ("noise", "right", "melts")
_MEANING = "The higher, the better windows of this w foretell the pixel in their middle", "Foretold"


class Band(p.Painted):
    """The code length over w as a curve: a short one is high up; windows about right are marked.

    ``x_of`` returns where a w stands on the slider below, in pixels from the left end of the band.
    With `has_axis` the band has numbers of its own, ``marks``, as there is no slider.
    """

    def __init__(
        self,
        x_of: Callable[[float], float],
        marks: Sequence[int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._x_of, self._marks = x_of, marks
        self.has_axis = False
        self.guidance: Guidance | None = None

    def show_guidance(self, guidance: Guidance) -> None:
        """Take what is known."""
        if guidance != self.guidance:
            self.guidance = guidance
            self.update()

    def sizeHint(self) -> QSize:
        """Ask for room for a curve and a line of text."""
        return QSize(200, HIGH + int(p.text_height(self.font())))

    def minimumSizeHint(self) -> QSize:
        """Ask for the same height."""
        return QSize(80, self.sizeHint().height())

    def paint_all(self, painter: QPainter) -> None:
        """Draw the zones and the curve, as far as they are known."""
        if self.guidance is None or len(self.guidance.settings) < 2:
            return
        room = QRectF(self.rect())
        if self.has_axis:
            room.setBottom(room.bottom() - p.text_height(self.font()))
            self._draw_axis(painter, room)
        names = QRectF(room.left(), room.top(), room.width(), p.text_height(self.font()))
        plot = QRectF(room.left(), names.bottom() + 1, room.width(), room.bottom() - names.bottom())
        if self.guidance.range is not None:
            self._draw_zones(painter, names, plot, self.guidance.range)
        else:
            self._draw_meaning(painter, names)
        self._draw_curve(painter, plot.adjusted(0, 4, 0, -4))
        self._draw_now(painter, plot)

    def _draw_zones(
        self, painter: QPainter, names: QRectF, plot: QRectF, right: tuple[int, int]
    ) -> None:
        start, stop = self._edge(right[0]), self._edge(right[1] + 1)
        ends = (plot.left(), start, stop, self._edge(WINDOWS[-1] + 1))
        painter.fillRect(
            QRectF(start, plot.top(), stop - start, plot.height()),
            p.mixed(self.theme.color("panel"), self.theme.color("good"), 0.22),
        )
        painter.setFont(self.font())
        for k, (first, last) in enumerate(pairwise(ends)):
            place = QRectF(first, names.top(), last - first, names.height())
            painter.setPen(self.theme.color("good" if k == 1 else "muted"))
            for text in (_ZONES[k], _BRIEF[k]):
                wide = p.text_width(self.font(), text)
                if wide <= place.width() or (k == 1 and text == _BRIEF[k]):
                    middle = QRectF(
                        place.center().x() - wide, names.top(), 2 * wide, names.height()
                    )
                    painter.drawText(middle, p.CENTER, text)
                    break

    def _draw_meaning(self, painter: QPainter, names: QRectF) -> None:
        """Say what the curve is, where no zones say it."""
        painter.setFont(self.font())
        painter.setPen(self.theme.color("muted"))
        assert self.guidance is not None
        texts = (text.replace("pixel", self.guidance.node) for text in _MEANING)
        painter.drawText(names, p.LEFT, p.fitting(self.font(), names.width(), *texts))

    def _draw_axis(self, painter: QPainter, room: QRectF) -> None:
        line = QRectF(room.left(), room.bottom(), room.width(), p.text_height(self.font()))
        painter.setPen(self.theme.color("muted"))
        ticks = [(self._x_of(mark) / room.width(), (str(mark),)) for mark in self._marks]
        p.draw_ticks(painter, line, ticks, self.font())

    def _edge(self, window: int) -> float:
        """Return where the windows below one end on the slider."""
        return self._x_of(0) if window <= 0 else (self._x_of(window - 1) + self._x_of(window)) / 2

    def _draw_curve(self, painter: QPainter, plot: QRectF) -> None:
        assert self.guidance is not None
        lengths = [found.code_length for found in self.guidance.settings]
        low, high = min(lengths), max(lengths)
        span = (high - low) or 1.0
        points = [
            QPointF(
                self._x_of(found.window),
                plot.top() + (found.code_length - low) / span * plot.height(),
            )
            for found in self.guidance.settings
        ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.pen("accent", 2.0))
        painter.drawPolyline(QPolygonF(points))
        painter.restore()

    def _draw_now(self, painter: QPainter, plot: QRectF) -> None:
        assert self.guidance is not None
        x = self._x_of(self.guidance.window)
        painter.setPen(self.theme.pen("text", 1.0))
        painter.drawLine(QPointF(round(x), plot.top()), QPointF(round(x), plot.bottom()))

    def tip_at(self, _position: QPointF) -> str:
        """Say what the curve is."""
        return (
            "How well windows of each w foretell the pixel in their middle, which is left out: "
            "the higher, the fewer bits it takes. Marked: all that one standard error does not "
            "tell from the best."
        )
