"""Bands around the slider of w, which show the quality and effect of each w."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent, QPainter, QPolygonF
from PyQt6.QtWidgets import QSizePolicy

from latviz.app.widgets import painting as p
from latviz.core import choice, digits
from latviz.engine.choosing.scales import numbers
from latviz.engine.choosing.tradeoff import WINDOWS
from latviz.engine.choosing.window_effects import WindowEffects

HIGH = 40
_ZONES = ("smaller: noisier", "lowest error", "larger: coarser")
_BRIEF = ("noisier", "lowest", "coarser")
_MEANING = {
    True: (
        "Prediction quality for each w (higher is better). Marked: every w within one standard "
        "error of the best."
    ),
    False: "How many regions larger than 0.2 % of the picture each w leaves.",
}


class GuideBand(p.Painted):
    """A band along the slider; ``x_of`` returns the position of a w, in pixels from the left."""

    def __init__(self, x_of: Callable[[float], float]) -> None:
        super().__init__()
        self.x_of = x_of
        self.effects: WindowEffects | None = None

    def show_effects(self, effects: WindowEffects | None) -> None:
        """Take the effects of windows; None to draw nothing."""
        if effects != self.effects:
            self.effects = effects
            self.update()

    def edge(self, window: int) -> float:
        """Return the end of the windows below one on the slider."""
        return self.x_of(0) if window <= 0 else (self.x_of(window - 1) + self.x_of(window)) / 2

    @property
    def end(self) -> float:
        """The end of the largest window."""
        return self.edge(WINDOWS[-1] + 1)


class Band(GuideBand):
    """A curve over w: of the code length, or of large regions where neighbours depend."""

    # Nothing is drawn before all windows are known, so that its scale, at the right, stays. With
    # `has_axis` it also draws numbers of w, ``marks``, where no slider is below it

    def __init__(self, x_of: Callable[[float], float], marks: Sequence[int]) -> None:
        super().__init__(x_of)
        self._marks = marks
        self.has_axis = False

    def sizeHint(self) -> QSize:
        """Ask for room for a curve and a line of text."""
        return QSize(200, HIGH + int(p.text_height(self.font())))

    def minimumSizeHint(self) -> QSize:
        """Ask for less."""
        return QSize(80, HIGH // 2 + int(p.text_height(self.font())))

    @property
    def curve(self) -> list[tuple[int, float]]:
        """Each w with the height of its point, from 0 to 1; empty before all are known."""
        effects = self.effects
        if effects is None:
            return []
        if effects.range is not None:
            return _heights(effects)
        scales = effects.scales
        if effects.predicts or effects.n_states == 1 or not (scales and scales.complete):
            return []
        most = max(1, *(one.n_large for one in scales.row))
        return [(one.window, one.n_large / most) for one in scales.row]

    @property
    def ends(self) -> tuple[str, str]:
        """The labels at the top and bottom of the curve's scale."""
        effects = self.effects
        assert effects is not None
        if effects.range is not None:
            low, high = map(effects.error_scale.value, _least_and_most(effects))
            saved = "" if effects.error_scale.one is None else " saved"
            return f"{digits.bits(low)} bits{saved}", digits.bits(high)
        assert effects.scales is not None
        return f"{max(1, *(one.n_large for one in effects.scales.row))} regions", "0"

    def paint_all(self, painter: QPainter) -> None:
        """Draw the zones, the curve and its scale, once they are known."""
        if self.effects is None or not self.curve:
            return
        room = QRectF(self.rect())
        if self.has_axis:
            room.setBottom(room.bottom() - p.text_height(self.font()))
            self._draw_axis(painter, room)
        plot = room
        if self.effects.range is not None:
            names = QRectF(room.left(), room.top(), room.width(), p.text_height(self.font()))
            high = room.bottom() - names.bottom()
            plot = QRectF(room.left(), names.bottom() + 1, room.width(), high)
            self._draw_zones(painter, names, plot, self.effects.range)
        self._draw_scale(painter, plot)
        self._draw_curve(painter, plot.adjusted(0, 4, 0, -4))
        self._draw_now(painter, plot)

    def _draw_zones(
        self, painter: QPainter, names: QRectF, plot: QRectF, right: tuple[int, int]
    ) -> None:
        start, stop = self.edge(right[0]), self.edge(right[1] + 1)
        ends = (plot.left(), start, stop, self.end)
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

    def _draw_axis(self, painter: QPainter, room: QRectF) -> None:
        line = QRectF(room.left(), room.bottom(), room.width(), p.text_height(self.font()))
        painter.setPen(self.theme.color("muted"))
        ticks = [(self.x_of(mark) / room.width(), (str(mark),)) for mark in self._marks]
        p.draw_ticks(painter, line, ticks, self.font())

    def _draw_scale(self, painter: QPainter, plot: QRectF) -> None:
        """Draw the scale at the end of the curve, with its ends."""
        x, font = round(self.end) + 0.5, p.scaled(self.font())
        top, bottom, high = plot.top() + 4, plot.bottom() - 4, p.text_height(font)
        painter.setPen(self.theme.pen("line", 1.0))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        painter.setFont(font)
        for y, text in zip((top, bottom), self.ends, strict=True):
            painter.setPen(self.theme.pen("line", 1.0))
            painter.drawLine(QPointF(x, y), QPointF(x + 3, y))
            painter.setPen(self.theme.color("muted"))
            place = max(plot.top(), min(y - high / 2, plot.bottom() - high))
            painter.drawText(QRectF(x + 6, place, self.width() - x - 6, high), p.LEFT, text)

    def _draw_curve(self, painter: QPainter, plot: QRectF) -> None:
        points = [
            QPointF(self.x_of(w), plot.bottom() - height * plot.height())
            for w, height in self.curve
            if w in WINDOWS
        ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.pen("accent", 2.0))
        painter.drawPolyline(QPolygonF(points))
        painter.restore()

    def _draw_now(self, painter: QPainter, plot: QRectF) -> None:
        assert self.effects is not None
        x = self.x_of(self.effects.window)
        painter.setPen(self.theme.pen("text", 1.0))
        painter.drawLine(QPointF(round(x), plot.top()), QPointF(round(x), plot.bottom()))

    def tip_at(self, _position: QPointF) -> str:
        """Return the meaning of the curve."""
        return _MEANING[self.effects is None or self.effects.range is not None]


class Plateaus(GuideBand):
    """The plateaus of the map as bars under the slider; a click goes to the middle of one."""

    window_wanted = pyqtSignal(int)

    def __init__(self, x_of: Callable[[float], float]) -> None:
        super().__init__(x_of)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Ask for a line of text."""
        return QSize(200, int(p.text_height(p.scaled(self.font()))) + 2)

    def minimumSizeHint(self) -> QSize:
        """Ask for the same height."""
        return QSize(80, self.sizeHint().height())

    @property
    def bars(self) -> "list[tuple[choice.scales.Plateau, QRectF]]":
        """The plateaus, and where they are."""
        effects = self.effects
        found = () if effects is None or effects.scales is None else effects.scales.plateaus
        ends = [(one, self.edge(one.first) + 1, self.edge(one.last + 1) - 1) for one in found]
        return [(one, QRectF(a, 0, max(2.0, b - a), self.height())) for one, a, b in ends]

    def paint_all(self, painter: QPainter) -> None:
        """Draw a bar for each, with the number of large regions."""
        font = p.scaled(self.font())
        painter.setFont(font)
        for plateau, bar in self.bars:
            assert self.effects is not None
            here = self.effects.window in plateau
            ground = p.mixed(
                self.theme.color("panel"), self.theme.color("accent"), 0.35 if here else 0.15
            )
            painter.fillRect(bar, ground)
            painter.setPen(self.theme.color("text" if here else "muted"))
            brief = _range(plateau)
            for text in (numbers(plateau), f"{brief} regions", brief):
                if p.text_width(font, text) <= bar.width() - 2:
                    painter.drawText(bar, p.CENTER, text)
                    break

    def _at(self, position: QPointF) -> "choice.scales.Plateau | None":
        return next((one for one, bar in self.bars if bar.contains(position)), None)

    def tip_at(self, position: QPointF) -> str:
        """Return the meaning of a plateau."""
        found = self._at(position)
        if found is None:
            return "Plateaus: ranges of w over which the large regions hardly change"
        return f"{numbers(found)} from w = {found.first} to {found.last}. Click to go to the middle"

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Set w to the middle of the clicked plateau."""
        found = None if event is None else self._at(event.position())
        if event is not None and found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.window_wanted.emit(found.middle)


def _range(plateau: "choice.scales.Plateau") -> str:
    few, many = plateau.fewest, plateau.most
    return f"{few}" if few == many else f"{few}–{many}"


def _least_and_most(effects: WindowEffects) -> tuple[float, float]:
    """Return the code lengths at the ends of the scale: w = 0 may be far beyond them."""
    lengths = [one.code_length for one in effects.settings if one.window in WINDOWS[1:]]
    return min(lengths), max(lengths)


def _heights(effects: WindowEffects) -> list[tuple[int, float]]:
    low, high = _least_and_most(effects)
    span = (high - low) or 1.0
    return [
        (one.window, min(max((high - one.code_length) / span, 0.0), 1.0))
        for one in effects.settings
    ]
