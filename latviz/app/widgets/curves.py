"""The numbers of a sequence as curves on a canvas."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath, QTransform
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import scaled, text_height
from latviz.core import digits

PAD = 0.06
"""Above and below a curve, as a share of the height of its band."""
SHARP = 2.0
"""Pixels between two numbers from which their line is smoothed, which takes ten times as long."""
_GAP = 4.0
"""Pixels to the left of the texts."""


class CurvesItem(QGraphicsItem):
    """Curves below each other, each in a band that reaches from its least to its largest value.

    A pixel's column that has many numbers shows their least and their largest.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas, self._theme = canvas, LIGHT
        self._values: NDArray[Any] = np.zeros((0, 0))
        self._ends = np.zeros((2, 0))
        self._names: tuple[str, ...] = ()
        self._gaps: NDArray[np.bool_] | None = None
        self._paths: list[QPainterPath] = []  # of the part in view, if they were drawn there
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        canvas.viewed.connect(self._move)

    def show_values(
        self,
        values: NDArray[Any],
        names: Sequence[str] = (),
        gaps: NDArray[np.bool_] | None = None,
    ) -> None:
        """Draw the columns of an array (n, C), with their names; (0, 0) draws nothing.

        Curves are interrupted at ``gaps`` (n,), if there are any.
        """
        self.prepareGeometryChange()
        self._values, self._names, self._gaps = values, tuple(names), gaps
        self._ends = np.zeros((2, values.shape[1]))
        if len(values):
            ends = [(column.min(), column.max()) for column in values.T]
            self._ends = np.array(ends, np.float64).T
        self._move()

    def draw_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover the ribbon."""
        return QRectF(0, 0, len(self._values), 1)

    def _move(self) -> None:
        """Forget the paths of the part that was in view before."""
        self._paths = []
        self.update()

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the curves in view, and above each its name and ends."""
        assert painter is not None
        if not self._values.size:
            return
        self._paths = self._paths or [self._path(k) for k in range(self._values.shape[1])]
        to_screen, font = painter.worldTransform(), scaled(painter.font())
        n, line = len(self._paths), text_height(font)
        height = to_screen.m22() / n
        room = line / height if height >= 2 * line else 0.0
        left = to_screen.map(QPointF(max(0.0, self._canvas.box.viewRect().left()), 0)).x()
        smooth = self._canvas.scale_factor > SHARP
        painter.save()
        painter.resetTransform()
        painter.setFont(font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        for k, path in enumerate(self._paths):
            painter.setPen(self._theme.pen("accent", 1.5 if smooth else 1.0))
            band = QTransform(1, 0, 0, (1 - room - 2 * PAD) / n, 0, (k + room + PAD) / n)
            painter.drawPath((band * to_screen).map(path))
            y = to_screen.map(QPointF(0, k / n)).y()
            painter.setPen(self._theme.pen("line"))
            if k:
                painter.drawLine(QPointF(0, y), QPointF(self._canvas.width(), y))
            if room:
                self._write(painter, k, QPointF(left + _GAP, y))
        painter.restore()

    def _path(self, curve: int) -> QPainterPath:
        """Return the line of the numbers in view, with heights from 0 to 1."""
        columns, n = self._canvas.region[1], len(self._values)
        step = max(1, int(1 / self._canvas.scale_factor))
        start = max(0, columns.start - 1) // step * step
        seen = slice(start, min(n, columns.stop + step))
        part = self._values[seen, curve]
        if self._gaps is not None:
            part = np.where(self._gaps[seen], np.nan, part)
        if step == 1:
            x, y = np.arange(len(part)) + 0.5, part
        else:
            cuts = np.arange(0, len(part), step)
            ends = np.fmin.reduceat(part, cuts), np.fmax.reduceat(part, cuts)
            x, y = np.repeat(cuts + step / 2, 2), np.stack(ends, axis=1).ravel()
        joined = "all" if self._gaps is None else "finite"
        path: QPainterPath = pg.arrayToQPath(x + start, self._heights(y, curve), connect=joined)
        return path

    def _heights(self, values: NDArray[Any], curve: int) -> NDArray[np.float64]:
        """Return heights from 0, the largest value, to 1, the least; equal ones in the middle."""
        low, high = self._ends[:, curve]
        return (high - values) / (high - low) if high > low else np.full(len(values), 0.5)

    def _write(self, painter: QPainter, curve: int, corner: QPointF) -> None:
        """Write the ends of a band above its curve, after its name if it has one."""
        name = f"{self._names[curve]}: " if self._names else ""
        low, high = (digits.measure(end) for end in self._ends[:, curve])
        painter.setPen(self._theme.color("muted"))
        painter.drawText(
            corner + QPointF(0, painter.fontMetrics().ascent()), f"{name}{low} to {high}"
        )
