"""The legend of the states: number, colour, share of the pixels."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QBrush, QColor, QFont, QPainter, QPen, QRegion
from PyQt6.QtWidgets import QWidget

from latviz.app.views.emissions.rows import share_text, state_tip
from latviz.app.views.painted import PointedPart, PointedView
from latviz.app.views.picture import CHANGED
from latviz.app.views.states.marks import tiles_of
from latviz.app.widgets import painting as p
from latviz.app.widgets.lifetimes import image_of
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.engine.frames.frame import Frame

_WIDEST = 76.0
_GAP = 4.0
_BAR = 3.0
_MARK = "changed"
_MARK_TIPS = (
    "Pixels with another state than that of their nearest codeword.\nClick to show or hide them.",
    "Pixels with another state than with the next smaller window.\nClick to show or hide them.",
)


@dataclass(frozen=True)
class LegendLayout:
    """The places of the states: one row, or two if there are too many for numbers."""

    columns: int  # states in a row
    cell: QRectF  # of the first state; the others follow to the right or below

    @classmethod
    def of(cls, size: QSize, n: int, least: float, most: float = _WIDEST) -> "LegendLayout":
        """Return the layout of N states; in one row if each has ``least`` pixels there.

        None is wider than ``most``.
        """
        room = QRectF(p.PAD, _GAP, max(1.0, size.width() - 2 * p.PAD), size.height() - _GAP)
        n_rows = 1 if n * least <= room.width() else 2
        columns = math.ceil(n / n_rows)
        width = min(most, room.width() / columns)
        return cls(columns, QRectF(room.left(), room.top(), width, room.height() / n_rows))

    def place(self, state: int) -> QRectF:
        """Return the rectangle of a state."""
        row, column = divmod(state, self.columns)
        return self.cell.translated(column * self.cell.width(), row * self.cell.height())

    def state_at(self, position: QPointF, n: int) -> int | None:
        """Return the state at a position, if there is one."""
        return next((state for state in range(n) if self.place(state).contains(position)), None)


class Legend(PointedView):
    """A strip with all states. Its height is the same for any N, so that nothing above moves."""

    TITLE = "Legend of the states"
    KEYS = keyed("Arrow keys move between states; `Enter` highlights one.")

    mark_clicked = pyqtSignal()  # the mark of changes

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark_is_on = True
        self.setMinimumSize(0, 0)
        self._fit_height()

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_height()

    def _fit_height(self) -> None:
        line = p.text_height(self._font())
        self.setFixedHeight(round(2 * line + _GAP + 8))

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return QSize(240, self.height())

    def show_nothing(self) -> None:
        """Take the states of the last picture away."""
        self.frame = None
        self.update()

    def show_mark_on(self, is_on: bool) -> None:
        """Paint the mark of changes in their colour, or hollow while they are hidden."""
        if is_on != self._mark_is_on:
            self._mark_is_on = is_on
            self.update()

    def pick(self, frame: Frame, spot: PointedPart) -> None:
        """Switch the changes by their mark; highlight a state."""
        if spot.state < 0:
            self.mark_clicked.emit()
        else:
            super().pick(frame, spot)

    def in_words(self, frame: Frame) -> str:
        """Return each state's share of the pixels, and that of marked changes."""
        found = [f"{frame.titled(k)}: {share_text(frame, k)}." for k in range(len(frame.occupancy))]
        marked = self._marked(frame)
        return " ".join([*found, f"{_MARK.capitalize()}: {marked}."] if marked else found)

    def _marked(self, frame: Frame) -> str:
        """Return the share of the pixels whose states are marked as changed; empty if none are."""
        is_on = self.display.shows_changes(frame.request.parameters)
        found = frame.changes if is_on else None
        return "" if found is None else digits.share(found.n_pixels, frame.n_nodes)

    def legend_layout(self, frame: Frame) -> LegendLayout:
        """Return the layout of the states."""
        n, size = len(frame.occupancy), self.size()
        least = p.text_width(self._font(), "8" * len(str(n))) + 9
        widest = max((p.text_width(self._font(), name) for name in frame.names), default=0.0)
        if self._marked(frame):
            size -= QSize(round(_WIDEST), 0)
        return LegendLayout.of(size, n, least, max(_WIDEST, widest + 12))

    def spot_at(self, frame: Frame, position: QPointF) -> PointedPart | None:
        """Return the state, or the mark of changes, at a position."""
        state = self.legend_layout(frame).state_at(position, len(frame.occupancy))
        if state is None and self._marked(frame) and self._mark_place().contains(position):
            return PointedPart(-1)
        return None if state is None else PointedPart(state)

    def stepped(self, frame: Frame, spot: PointedPart | None, right: int, down: int) -> PointedPart:
        """Return the state that an arrow key leads to."""
        before = 0 if spot is None else spot.state
        step = right + down * self.legend_layout(frame).columns
        return PointedPart(min(max(before + step, 0), len(frame.occupancy) - 1))

    def tool_tip(self, frame: Frame, spot: PointedPart) -> str:
        """Return the number of pixels in a state, or what the mark of changes means."""
        if spot.state < 0:
            return _MARK_TIPS[frame.request.parameters.decoding.by_window]
        return f"{state_tip(frame, spot.state)}\nClick to highlight them."

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint each state's swatch, and below it its share."""
        layout, most = self.legend_layout(frame), max(1, int(frame.occupancy.max()))
        texts, hatched = self._texts(frame, layout), self.display.marks == "hatching"
        tiles = tiles_of(frame.slots, frame.colors) if hatched else ()
        line = p.text_height(self._font())
        for state, color in enumerate(self.colors()):
            place, hollow = layout.place(state), not frame.occupancy[state]
            room = place.adjusted(1, 1, -2, -1)
            below = line + 1 if texts else _BAR + 2
            swatch = room.adjusted(0, 0, 0, -below)
            painter.setFont(self._font())
            text = self._label(painter.font(), frame, state, swatch.width() - 4)
            p.draw_swatch(painter, swatch, color, text, self.theme, hollow=hollow)
            if hatched:
                self._hatch(painter, swatch, tiles[state], text)
            self._outline(painter, swatch, state)
            under = QRectF(room.left(), swatch.bottom() + 2, room.width(), below - 2)
            if texts:
                painter.setFont(self._font())
                painter.setPen(self.theme.color("muted" if hollow else "text"))
                painter.drawText(under, p.CENTER, texts[state])
            else:
                share = float(frame.occupancy[state]) / most
                painter.fillRect(under, self.theme.color("line"))
                bar = QRectF(under.left(), under.top(), share * under.width(), under.height())
                painter.fillRect(bar, self.theme.color("muted"))

        if marked := self._marked(frame):
            self._paint_mark(painter, marked)

    def _mark_place(self) -> QRectF:
        """Return the rectangle of the mark of changes, at the right."""
        return QRectF(self.width() - p.PAD - _WIDEST, _GAP, _WIDEST, self.height() - _GAP)

    def _paint_mark(self, painter: QPainter, share: str) -> None:
        """Paint the colour of changed pixels, and below it their share."""
        room = self._mark_place()
        swatch, under = room.adjusted(1, 1, -2, 0), QRectF(room)
        swatch.setBottom(room.bottom() - p.text_height(self._font()) - 2)
        under.setTop(swatch.bottom() + 2)
        painter.setFont(self._font())
        color, hollow = QColor(*CHANGED[1].tolist()), not self._mark_is_on
        p.draw_swatch(painter, swatch, color, _MARK, self.theme, hollow=hollow)
        painter.setPen(self.theme.color("text"))
        painter.drawText(under, p.CENTER, share)

    def _label(self, font: QFont, frame: Frame, state: int, width: float) -> str:
        """Return a state's name, shortened if that is enough to read it, or else its number."""
        name = p.fitting(font, width, frame.label(state))
        return name if len(name) > 2 or name == frame.label(state) else str(state + 1)

    def _texts(self, frame: Frame, layout: LegendLayout) -> list[str]:
        """Return the shares, if there is room for all."""
        n = len(frame.occupancy)
        if layout.columns < n:
            return []
        texts = [share_text(frame, k) for k in range(n)]
        widest = max(p.text_width(self._font(), text) for text in texts)
        return texts if widest + 4 <= layout.cell.width() else []

    def _hatch(
        self, painter: QPainter, swatch: QRectF, tile: NDArray[np.uint8], number: str
    ) -> None:
        """Draw a state's pattern next to its number."""
        wide, high = p.text_width(painter.font(), number) + 4, swatch.height()
        middle = QRectF(swatch.center().x() - wide / 2, swatch.top(), wide, high)
        painter.save()
        inner = swatch.adjusted(1, 1, -1, -1).toRect()
        painter.setClipRegion(QRegion(inner).subtracted(QRegion(middle.toRect())))
        painter.setBrushOrigin(swatch.topLeft())
        painter.fillRect(swatch, QBrush(image_of(tile)))
        painter.restore()

    def _outline(self, painter: QPainter, swatch: QRectF, state: int) -> None:
        inspected = self.inspection is not None and self.inspection.state == state
        for on, color in ((inspected, "accent"), (self.chosen == state, "text")):
            if on:
                painter.setPen(QPen(self.theme.color(color), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(swatch)

    def _font(self) -> QFont:
        return p.scaled(self.font())
