"""Lives of regions as a river map over an axis: a widget with one hair line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QVariantAnimation, pyqtSignal
from PyQt6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPixmap, QPolygonF, QResizeEvent
from PyQt6.QtWidgets import QSizePolicy

from latviz.app.look.theme import Theme
from latviz.app.widgets import keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.lifetimes import painting_on
from latviz.core import digits, segmentation
from latviz.engine.geometry.rivers import RiverMap, Stream, river_map

LEAST, HIGH = 40, 96
"""The least and the usual height of the lines, in pixels."""
BLEND_MS = 250
"""The time in which one map fades into the next."""
FAINT = 0.75
"""How much of the ground hides the lines beside the one that is pointed at."""
TONES = {False: (0.16, 0.68), True: (0.36, 0.92)}
"""The least and the greatest lightness of lines, on a light ground and on a dark one."""
VIVID = 1.25
"""Lines are so much more colourful than their regions, because they are thin."""


@dataclass(frozen=True, eq=False)
class River:
    """Lives, and the axis that they lie along."""

    lives: "segmentation.lives.Lives"
    colors: Annotated[NDArray[np.uint8], "(n, 3)"]
    name: str  # of what the axis counts
    text_of: Callable[[float], str]  # writes a value of the axis in words
    marks: Sequence[float] = ()  # values to write below; none where a slider has them


class Rivers(p.Painted):
    """Lines of lives; a click selects, a drag sets the value, a double click goes to a middle.

    ``x_of`` and ``value_at`` lead from values of the axis to pixels from the left, and back.
    """

    value_wanted = pyqtSignal(float)
    pointed = pyqtSignal(object)  # the life under the pointer, or None
    picked = pyqtSignal(int)  # a life

    hair = "text", 1.0
    """The role of the colour, and the width of the line at the current value."""

    def __init__(
        self,
        x_of: Callable[[float], float],
        value_at: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    ) -> None:
        super().__init__()
        self.x_of, self.value_at = x_of, value_at
        self.river: River | None = None
        self.now = 0.0
        self.best: tuple[float, float] | None = None  # values that are marked along the axis
        self.life: int | None = None  # that is lit, here or in a picture
        self.still = True  # motion is reduced
        self.shown_map: RiverMap | None = None
        self._kept: dict[int, float] = {}
        self._last: tuple[River, dict[int, float]] | None = None  # and the heights of its lines
        self._drawn, self._before = QPixmap(), QPixmap()
        self._press: QPointF | None = None
        self._drags = False
        self._blend = QVariantAnimation(self)
        self._blend.setStartValue(0.0)
        self._blend.setEndValue(1.0)
        self._blend.setDuration(BLEND_MS)
        self._blend.valueChanged.connect(lambda _: self.update())
        self.setAccessibleName("Lives of regions")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for the usual height."""
        return QSize(200, HIGH + self._foot())

    def minimumSizeHint(self) -> QSize:
        """Ask for the least height."""
        return QSize(80, LEAST + self._foot())

    def _foot(self) -> int:
        """Return the height of the axis below the lines."""
        marks = () if self.river is None else self.river.marks
        return int(p.text_height(p.scaled(self.font()))) + 4 if len(marks) else 3

    # What is shown

    def show_river(self, river: River | None) -> None:
        """Show other lives; those that are the same regions keep their heights and colours."""
        # Those before, even if none were known for a while
        if river is self.river:
            return
        if self.river is not None and self.shown_map is not None:
            self._last, self._before = (self.river, self.shown_map.heights), self._drawn
        self.river, self._kept, same = river, {}, False
        if river is not None and self._last is not None and self._last[0].name == river.name:
            before, heights = self._last
            likeness = river.lives.likeness(before.lives, self.now)
            pairs = [(c, int(old)) for c, old in enumerate(likeness) if int(old) in heights]
            self._kept, same = {c: heights[old] for c, old in pairs}, True
            for c, old in pairs:
                river.colors[c] = before.colors[old]
        self.life = None
        self.setMaximumHeight(self.sizeHint().height())
        self.updateGeometry()
        if river is not None and (self.still or not same):
            self._before = QPixmap()
        self._lay_out()
        if river is not None and not self._before.isNull():
            self._blend.start()

    def drop(self) -> None:
        """Forget the lives, because the next ones are of another picture."""
        self.show_river(None)
        self._last, self._before = None, QPixmap()

    def show_now(self, value: float, best: tuple[float, float] | None = None) -> None:
        """Move the hair line, and mark a range of values."""
        if (value, best) != (self.now, self.best):
            self.now, self.best = value, best
            self.update()

    def show_life(self, life: int | None) -> None:
        """Light a life; None for none."""
        if life != self.life:
            self.life = life
            self._draw()

    def apply_theme(self, theme: Theme) -> None:
        """Take other colours."""
        super().apply_theme(theme)
        self._draw()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Lay the lines out again."""
        super().resizeEvent(event)
        self._lay_out()

    def _room(self) -> QRectF:
        return QRectF(0, 0, self.width(), self.height() - self._foot())

    def _ends(self) -> tuple[int, int]:
        """Return the first pixel of the axis and the one after the last."""
        return self._first, self._first + self._length

    _first = _length = 0

    def lay_out(self) -> None:
        """Lay the lines out again, because the axis moved."""
        self._lay_out()

    def _lay_out(self) -> None:
        self.shown_map = None
        if self.river is not None and self.height() > self._foot() + 8:
            pixels = np.arange(self.width(), dtype=float) + 0.5
            values = self.value_at(pixels)
            inside = np.isfinite(values)
            if np.count_nonzero(inside) > 8:
                self._first = int(np.flatnonzero(inside)[0])
                size = int(np.count_nonzero(inside)), int(self._room().height())
                self._length = size[0]
                self.shown_map = river_map(self.river.lives, values[inside], size, self._kept)
                self._kept = self.shown_map.heights
        self._draw()

    # Drawing

    def _draw(self) -> None:
        ratio = self.devicePixelRatioF()
        self._drawn = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        self._drawn.setDevicePixelRatio(ratio)
        self._drawn.fill(self.theme.color("panel"))
        if self.shown_map is not None and self.river is not None:
            with painting_on(self._drawn) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.translate(self._first, 0)
                self._draw_bed(painter, self.shown_map)
                for line in self.shown_map.lines:
                    self._draw_line(painter, line)
        self.update()

    def _draw_bed(self, painter: QPainter, found: RiverMap) -> None:
        bottom, x = self._room().height(), np.arange(len(found.bed))
        painter.setBrush(p.mixed(self.theme.color("panel"), self.theme.color("muted"), 0.35))
        painter.drawPolygon(_between(x, bottom - found.bed, np.full(len(x), bottom)))

    def _draw_line(self, painter: QPainter, line: Stream) -> None:
        ground, half = self.theme.color("panel"), line.thick / 2
        if any(line.bends):  # a rim where it crosses others
            rim = half + 1.0
            painter.setBrush(ground)
            painter.drawPolygon(_between(line.x, line.y - rim, line.y + rim))
        color = self.color_of(line.life)
        if self.life is not None and self.life != line.life:
            color = p.mixed(color, ground, FAINT)
        painter.setBrush(color)
        painter.drawPolygon(_between(line.x, line.y - half, line.y + half))

    def color_of(self, life: int) -> QColor:
        """Return the colour of a line: that of its region, apart from the ground."""
        assert self.river is not None
        color = QColor(*self.river.colors[life].tolist())
        hue, saturation, lightness, _ = (part or 0.0 for part in color.getHslF())
        low, high = TONES[self.theme.color("panel").lightnessF() < 0.5]
        tone = low + (high - low) * lightness
        # As colourful as the region in any tone, not as saturated: dark green would be neon
        chroma = VIVID * saturation * (1 - abs(2 * lightness - 1))
        return QColor.fromHslF(max(0.0, hue), min(1.0, chroma / (1 - abs(2 * tone - 1))), tone)

    def paint_all(self, painter: QPainter) -> None:
        """Draw the lines, the axis, and the hair line over both."""
        fraction = float(self._blend.currentValue() or 1.0)
        if self._blend.state() == QVariantAnimation.State.Running:
            painter.drawPixmap(0, 0, self._before)
            painter.setOpacity(fraction)
        painter.drawPixmap(0, 0, self._drawn)
        painter.setOpacity(1.0)
        if self.river is None:
            return
        self._draw_axis(painter, self.river)
        x = round(self.x_of(self.now)) + 0.5
        for color, wide in (("panel", self.hair[1] + 2), self.hair):
            painter.setPen(self.theme.pen(color, wide))
            painter.drawLine(QPointF(x, 0), QPointF(x, self._room().bottom()))

    def _draw_axis(self, painter: QPainter, river: River) -> None:
        bottom = self._room().bottom()
        if self.best is not None:
            first, last = (self.x_of(value) for value in self.best)
            painter.fillRect(
                QRectF(first - 2, bottom, last - first + 4, 3), self.theme.color("good")
            )
        if not len(river.marks):
            return
        painter.setPen(self.theme.color("muted"))
        font, places = p.scaled(self.font()), [self.x_of(mark) for mark in river.marks]
        for x in places:
            painter.drawLine(QPointF(round(x), bottom), QPointF(round(x), bottom + 2))
        line = QRectF(0, bottom + 3, self.width(), p.text_height(font))
        ticks = [
            (x / self.width(), (f"{mark:g}",)) for x, mark in zip(places, river.marks, strict=True)
        ]
        p.draw_ticks(painter, line, ticks, font)

    # The hand

    def _life_at(self, position: QPointF) -> int | None:
        if self.shown_map is None:
            return None
        line = self.shown_map.line_at(position.x() - self._first, position.y())
        return None if line is None else line.life

    def _point(self, life: int | None) -> None:
        if life != self.life:
            self.show_life(life)
            self.pointed.emit(life)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Begin a click or a drag."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton:
            self._press, self._drags = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Point at a line, or set the value while a button is held."""
        if event is None:
            return
        if self._press is None:
            self._point(self._life_at(event.position()))
            return
        away = event.position() - self._press
        if self._drags or abs(away.x()) >= 4:
            self._drags = True
            self._go(event.position().x())

    def _go(self, x: float) -> None:
        first, stop = self._ends()
        inside = min(max(x, first + 0.5), stop - 0.5)
        value = float(self.value_at(np.array([inside]))[0])
        if np.isfinite(value):
            self.value_wanted.emit(value)

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """End a drag; a click selects a line, or sets the value beside lines."""
        if event is None or self._press is None:
            return
        pressed, self._press = self._press, None
        if self._drags:
            return
        life = self._life_at(pressed)
        if life is None:
            self._go(pressed.x())
        else:
            self.picked.emit(life)

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        """Go to the middle of a life."""
        life = None if event is None else self._life_at(event.position())
        if life is not None:
            self.go_to_middle(life)

    def go_to_middle(self, life: int) -> None:
        """Set the value to the middle of a life that has a line."""
        lines = () if self.shown_map is None else self.shown_map.lines
        for line in lines:
            if line.life == life:
                self._go(self._first + float(line.x[0] + line.x[-1]) / 2)

    def leaveEvent(self, event: QEvent | None) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._point(None)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Step from event to event with Ctrl and arrows."""
        right = keys.event_steps(event)
        if event is None or not right or not self.step(right):
            super().keyPressEvent(event)

    def event(self, event: QEvent | None) -> bool:
        """Keep the keys of events from the menus, which move w by one."""
        kind, steps = QEvent.Type.ShortcutOverride, 0
        if isinstance(event, QKeyEvent) and event.type() == kind:
            steps = keys.event_steps(event)
        if event is not None and steps:
            event.accept()
            return True
        return super().event(event)

    def step(self, right: int) -> bool:
        """Go to the next event of a line, or back; return False if there is none."""
        if self.shown_map is None or self.river is None:
            return False
        lives, shown = self.river.lives, sorted(self.shown_map.heights)
        every = np.concatenate([lives.starts[shown], lives.ends[shown]])
        first, stop = self._ends()
        low, high = self.value_at(np.array([first + 0.5, stop - 0.5]))
        at = np.unique(every[(every >= low) & (every <= high)])
        later = at[at > self.now + 1e-9] if right > 0 else at[at < self.now - 1e-9][::-1]
        if right == 0 or not len(later):
            return False
        self.value_wanted.emit(float(later[0]))
        return True

    # Words

    def tip_at(self, position: QPointF) -> str:
        """Return the share of a line, from where to where it is there, and what takes it."""
        life = self._life_at(position)
        if self.river is None or life is None:
            return (
                "Each line is a region: its height stays, its thickness is its share, and a bend "
                "is where another takes it. Click to select, drag to move, double-click for the "
                "middle of a life"
            )
        return life_text(self.river, life, self.now)

    def in_words(self) -> str:
        """Return the longest lives, for screen readers."""
        if self.river is None or self.shown_map is None:
            return ""
        lines = sorted(self.shown_map.lines, key=lambda line: -len(line.x))[:5]
        texts = "; ".join(life_text(self.river, line.life, self.now) for line in lines)
        count = len(self.shown_map.lines)
        return f"{count} lines of regions over {self.river.name}. Longest: {texts}."


def life_text(river: River, life: int, now: float) -> str:
    """Return the share of a life, from where to where it is there, and what takes it."""
    lives = river.lives
    share = float(lives.areas_at(now)[life])
    if not share:
        share = float(lives.areas[lives.whose == life].max())
    start, end, host = lives.starts[life], lives.ends[life], int(lives.into[life])
    since = "from the beginning" if np.isneginf(start) else f"from {river.text_of(start)}"
    until = "to the end" if np.isinf(end) else f"to {river.text_of(end)}"
    text = f"A region of {digits.share(share)} of the picture, {since} {until}"
    if host < 0 or np.isinf(end):
        return text
    taker = float(lives.areas_at(end + 1e-9)[host])
    return f"{text}, where one of {digits.share(taker)} takes it"


def _between(
    x: NDArray[np.number], top: NDArray[np.float64], bottom: NDArray[np.float64]
) -> QPolygonF:
    """Return the polygon between two curves."""
    there = zip(x.tolist(), top.tolist(), strict=True)
    back = zip(x[::-1].tolist(), bottom[::-1].tolist(), strict=True)
    return QPolygonF([QPointF(a, b) for a, b in (*there, *back)])
