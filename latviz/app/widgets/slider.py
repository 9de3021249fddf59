"""A slider for numbers, which it may space by their ratios."""

import math

from PyQt6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PyQt6.QtGui import QMouseEvent, QPaintEvent, QPalette, QWheelEvent
from PyQt6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.painting import draw_ticks, scaled, text_height
from latviz.core import digits
from latviz.core.parameter import Spacing

_FINE = 1 << 16
"""Places in the style's range: more than a screen has pixels."""
_NOTCH = 120
"""Angle of a wheel between notches, in Qt's units."""
_MARK, _GAP = 3, 1
"""Height of a mark and room below it, in pixels."""
_FEW = 100
"""Up to this number marks are powers of two; beyond it 1, 2 and 5 of each power of ten."""


class Slider(QSlider):
    """A horizontal slider; a press on its groove brings the handle there."""

    # Spaced "log", a number lies in proportion to log(1 + its distance from the least), so that
    # small ones are far apart, and marks at round numbers show it. Keys, pages and `value` still
    # count in numbers, and the wheel moves by one a notch

    def __init__(self, spacing: Spacing = "even") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._grip = self._turned = 0.0
        self.set_spacing(spacing)

    def set_spacing(self, spacing: Spacing) -> None:
        """Space numbers evenly, or by their ratios."""
        self._log = spacing == "log"
        self.updateGeometry()
        self.update()

    def share_of(self, value: float) -> float:
        """Return the position of a number, from 0 (the least) to 1 (the greatest)."""
        above, span = value - self.minimum(), self.maximum() - self.minimum()
        if span == 0:
            return 0.0
        return math.log1p(above) / math.log1p(span) if self._log else above / span

    def number_at(self, share: float) -> int:
        """Return the number that lies nearest to a place from 0 to 1, or beyond."""
        span, share = self.maximum() - self.minimum(), min(max(share, 0.0), 1.0)
        above = math.expm1(share * math.log1p(span)) if self._log else share * span
        return self.minimum() + round(above)

    def x_of(self, value: float) -> float:
        """Return the middle of the handle at a number, in pixels from the left."""
        start, travel = self._track()
        return start + self.share_of(value) * travel

    @property
    def marks(self) -> tuple[int, ...]:
        """The numbers that are written below, if they are spaced by ratios."""
        if not self._log:
            return ()
        low, high = self.minimum(), self.maximum()
        between = (mark for mark in _round_numbers(high) if low < mark < high)
        return low, *between, high

    def initStyleOption(self, option: QStyleOptionSlider | None) -> None:
        """Give the style the place of the handle, and room for the marks."""
        super().initStyleOption(option)
        assert option is not None
        option.minimum, option.maximum = 0, _FINE
        place = round(_FINE * self.share_of(self.sliderPosition()))
        option.sliderPosition = option.sliderValue = place
        option.rect = option.rect.adjusted(0, 0, 0, -self._room())

    def sizeHint(self) -> QSize:
        """Return the usual size, with room for the marks."""
        return super().sizeHint() + QSize(0, self._room())

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Draw the slider, and the marks below it."""
        super().paintEvent(event)
        if not self._log:
            return
        top = float(self.height() - self._room())
        with painting_on(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            start, travel = self._track()  # once: it asks the style four times
            marks = sorted(self.marks, key=_is_minor)  # these leave out their numbers first
            places = [(start + self.share_of(mark) * travel, digits.count(mark)) for mark in marks]
            for x, _ in places:
                painter.drawLine(QPointF(round(x), top), QPointF(round(x), top + _MARK - 1))
            font, below = scaled(self.font()), top + _MARK + _GAP
            line = QRectF(0, below, self.width(), text_height(font))
            draw_ticks(painter, line, [(x / self.width(), (text,)) for x, text in places], font)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Take the handle, or bring it to the pointer."""
        assert event is not None
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        at, held = event.position(), QRectF(self._part(QStyle.SubControl.SC_SliderHandle))
        on_handle = held.contains(at)
        self._grip = at.x() - self.x_of(self.value()) if on_handle else 0.0
        self.setSliderDown(True)
        if not on_handle:
            self._go(at)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Move the handle with the pointer."""
        assert event is not None
        if self.isSliderDown():
            self._go(event.position())
        event.setAccepted(self.isSliderDown())

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Release the handle."""
        assert event is not None
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
        event.accept()

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Move by one a notch; small turns add up."""
        assert event is not None
        turn = event.angleDelta()
        self._turned += turn.y() if abs(turn.y()) >= abs(turn.x()) else -turn.x()
        notches = math.trunc(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        self.setValue(self.value() + notches)
        event.accept()

    def _go(self, at: QPointF) -> None:
        start, travel = self._track()
        self.setSliderPosition(self.number_at((at.x() - self._grip - start) / max(1.0, travel)))

    def _track(self) -> tuple[float, float]:
        """Return the start and length of the range of the handle's middle."""
        groove = self._part(QStyle.SubControl.SC_SliderGroove)
        handle = self._part(QStyle.SubControl.SC_SliderHandle).width()
        return groove.x() + handle / 2, float(groove.width() - handle)

    def _part(self, part: QStyle.SubControl) -> QRect:
        option, style = QStyleOptionSlider(), self.style()
        self.initStyleOption(option)
        assert style is not None
        return style.subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)

    def _room(self) -> int:
        """Return the height of the marks and their numbers."""
        return _MARK + _GAP + int(text_height(scaled(self.font()))) if self._log else 0


def _round_numbers(high: int) -> list[int]:
    """Return the round numbers up to a limit, for marks."""
    if high <= _FEW:
        return [1 << k for k in range(high.bit_length())]
    return [digit * 10**k for k in range(len(str(high))) for digit in (1, 2, 5)]


def _is_minor(mark: int) -> bool:
    return mark > _FEW and not str(mark).startswith("1")
