"""The numbers of a sequence as curves on a canvas."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import scaled, text_height, text_width
from latviz.core import digits

PAD = 0.06
"""Above and below a curve, as a share of its band's height."""
SHARP = 2.0
"""Pixels between two numbers from which their line is smoothed, which takes ten times as long."""
_GAP = 4.0
"""Pixels around the texts at the left."""


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
        """Draw the curves in view, and at their left their names and ends."""
        assert painter is not None
        if not self._values.size:
            return
        self._paths = self._paths or [self._path(k) for k in range(self._values.shape[1])]
        to_screen = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        smooth = self._canvas.scale_factor > SHARP
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        painter.setPen(self._theme.pen("line"))
        for k in range(1, len(self._paths)):
            y = to_screen.map(QPointF(0, k / len(self._paths))).y()
            painter.drawLine(QPointF(0, y), QPointF(self._canvas.width(), y))
        painter.setPen(self._theme.pen("accent", 1.5 if smooth else 1.0))
        for path in self._paths:
            painter.drawPath(to_screen.map(path))
        painter.restore()
        self._write(painter)

    def _path(self, curve: int) -> QPainterPath:
        """Return the line of the numbers in view, in the ribbon's coordinates."""
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
        """Return where values are drawn in the band of a curve; equal ones in its middle."""
        low, high = self._ends[:, curve]
        shares = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
        return np.asarray((curve + PAD + (1 - 2 * PAD) * (1 - shares)) / self._values.shape[1])

    def _write(self, painter: QPainter) -> None:
        """Write the ends of each band at its left, after its name if it has one, if they fit."""
        font = scaled(painter.font())
        bands, line = self._values.shape[1], text_height(font)
        left, to_screen = max(0.0, self._canvas.box.viewRect().left()), painter.worldTransform()
        height = to_screen.m22() / bands
        painter.save()
        painter.resetTransform()
        painter.setFont(font)
        for k in range(bands if height >= 2 * line else 0):
            corner = to_screen.map(QPointF(left, k / bands)) + QPointF(_GAP, 0)
            low, high = (digits.measure(end) for end in self._ends[:, k])
            if self._names:
                self._label(painter, corner, f"{self._names[k]}: {low} to {high}", line)
            else:
                self._label(painter, corner, high, line)
                self._label(painter, corner + QPointF(0, height - line), low, line)
        painter.restore()

    def _label(self, painter: QPainter, corner: QPointF, text: str, line: float) -> None:
        ground = QRectF(corner.x(), corner.y(), text_width(painter.font(), text) + 2 * _GAP, line)
        color = self._theme.color("panel")
        color.setAlphaF(0.8)
        painter.fillRect(ground, color)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)
