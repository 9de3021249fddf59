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
        self._paths: list[QPainterPath] = []  # of the part in view, if they were drawn there
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        canvas.viewed.connect(self._move)

    def show_values(self, values: NDArray[Any], names: Sequence[str] = ()) -> None:
        """Draw the columns of an array (n, C), with their names; (0, 0) draws nothing."""
        self.prepareGeometryChange()
        self._values, self._names = values, tuple(names)
        self._ends = np.zeros((2, values.shape[1]))
        if len(values):
            self._ends = np.array([values.min(axis=0), values.max(axis=0)], np.float64)
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
        part = self._values[start : min(n, columns.stop + step), curve]
        if step == 1:
            x, y = np.arange(len(part)) + 0.5, part
        else:
            cuts = np.arange(0, len(part), step)
            ends = np.minimum.reduceat(part, cuts), np.maximum.reduceat(part, cuts)
            x, y = np.repeat(cuts + step / 2, 2), np.stack(ends, axis=1).ravel()
        path: QPainterPath = pg.arrayToQPath(x + start, self._heights(y, curve))
        return path

    def _heights(self, values: NDArray[Any], curve: int) -> NDArray[np.float64]:
        """Return where values are drawn in the band of a curve; equal ones in its middle."""
        low, high = self._ends[:, curve]
        shares = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
        return np.asarray((curve + PAD + (1 - 2 * PAD) * (1 - shares)) / self._values.shape[1])

    def _write(self, painter: QPainter) -> None:
        """Write the ends of each band at its left, and its name between them, if there is room."""
        font = scaled(painter.font())
        bands, line = self._values.shape[1], text_height(font)
        left, top = max(0.0, self._canvas.box.viewRect().left()), painter.worldTransform()
        height = top.m22() / bands
        if height < 2 * line:
            return
        painter.save()
        painter.resetTransform()
        painter.setFont(font)
        for k in range(bands):
            corner = top.map(QPointF(left, k / bands))
            low, high = (digits.measure(end) for end in self._ends[:, k])
            name = self._names[k] if k < len(self._names) and height >= 3 * line else ""
            for text, y in ((high, 0.0), (name, (height - line) / 2), (low, height - line)):
                self._label(painter, corner + QPointF(_GAP, y), text, line)
        painter.restore()

    def _label(self, painter: QPainter, corner: QPointF, text: str, line: float) -> None:
        if not text:
            return
        ground = QRectF(corner.x(), corner.y(), text_width(painter.font(), text) + 2 * _GAP, line)
        color = self._theme.color("panel")
        color.setAlphaF(0.8)
        painter.fillRect(ground, color)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)
