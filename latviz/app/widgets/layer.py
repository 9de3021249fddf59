"""Images on a canvas with up to millions of nodes along a side."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.raster import RasterItem

MOST_CELLS = 4096
"""Cells that a sequence in view is drawn in, at most."""


class Layer(RasterItem):
    """A plane of bytes, or of colours, in pixel coordinates of a canvas."""

    # Only the visible part of a long row is drawn, one node for each of a few thousand stretches;
    # with ``greatest`` the greatest value of each

    def __init__(self, canvas: Canvas, *, greatest: bool = False) -> None:
        super().__init__()
        self._canvas, self._greatest = canvas, greatest
        self._row: NDArray[Any] | None = None
        self._table: NDArray[np.uint8] | None = None
        self._hole = QRectF()
        canvas.viewed.connect(self._draw_part)

    def show_plane(
        self,
        plane: NDArray[Any],
        colors: NDArray[np.uint8] | None = None,
        *,
        side: int = 1,
        corner: tuple[int, int] = (0, 0),
    ) -> None:
        """Draw a plane (rows, columns) or (rows, columns, 3), in up to 256 colours of a table.

        Its entries are cells of ``side`` x ``side`` pixels, from the pixel at ``corner`` on.
        """
        self._table = None if colors is None else _padded(colors)
        long = len(plane) == 1 and plane.shape[1] > MOST_CELLS and side == 1
        self._row = plane[0] if long else None
        if self._row is None:
            rows, columns = plane.shape[:2]
            self._draw(plane, QRectF(corner[1], corner[0], side * columns, side * rows))
        else:
            self._draw_part()

    def show_part(
        self, plane: NDArray[Any], colors: NDArray[np.uint8] | None, place: QRectF
    ) -> None:
        """Draw a plane in a part of the canvas, with cells of any size."""
        self._table, self._row = None if colors is None else _padded(colors), None
        self._draw(plane, place)

    def leave_out(self, hole: QRectF) -> None:
        """Draw nothing in a part of the canvas that shows something else."""
        if hole != self._hole:
            self._hole = hole
            self.update()

    def paint_pixels(self, painter: QPainter, *args: Any) -> None:
        """Draw the image, except the hole."""
        if self._hole.isEmpty():
            super().paint_pixels(painter, *args)
            return
        path = QPainterPath()
        path.addRect(self.boundingRect())
        path.addRect(self.mapRectFromParent(self._hole) & self.boundingRect())
        painter.save()
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        super().paint_pixels(painter, *args)
        painter.restore()

    def clear(self) -> None:
        """Clear the image and its cache."""
        self._row = self.qimage = None
        super().clear()

    def _draw_part(self) -> None:
        if self._row is None:
            return
        columns = self._canvas.region[1]
        step = -(-max(1, columns.stop - columns.start) // MOST_CELLS)
        start, stop = columns.start // step * step, -(-columns.stop // step) * step
        part = self._row[start:stop]
        if len(part) == 0:
            return
        if self._greatest:
            cells = np.maximum.reduceat(part, np.arange(0, len(part), step))
        else:
            cells = part[min(step // 2, len(part) - 1) :: step]
        self._draw(cells[None], QRectF(start, 0, step * len(cells), 1))

    def _draw(self, plane: NDArray[Any], place: QRectF) -> None:
        self.setImage(plane, autoLevels=False, levels=(0, 255), lut=self._table)
        self.setRect(place)


class PhotoLayer(Layer):
    """An image that is smoothed where it is drawn smaller than it is."""

    def paint_pixels(self, painter: QPainter, *args: Any) -> None:
        """Draw the image."""
        smooth = painter.worldTransform().m11() < 1.0
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        super().paint_pixels(painter, *args)


def _padded(colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a table of 256 rows, with which bytes are drawn fastest."""
    table = np.zeros((256, colors.shape[1]), dtype=np.uint8)
    table[: len(colors)] = colors
    return table
