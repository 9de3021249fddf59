"""One zoom and pan for all canvases that show the same picture."""

import math
from typing import Protocol

from PyQt6.QtCore import QPointF, QSizeF

MARGIN = 0.01
"""Margin at each side of a picture shown whole, as a share of it."""
FEWEST = 1
"""Pixels of the picture that fill a view, at least."""


def stopped(middle: float, length: float, room: float) -> float:
    """Return the middle of a view of a picture, moved so that no edge of it is inside the view.

    A picture that is smaller than the room is in the middle of it.
    """
    return length / 2 if room >= length else min(max(middle, room / 2), length - room / 2)


class Looking(Protocol):
    """A canvas, as far as a lens knows it."""

    @property
    def shape(self) -> tuple[int, int]:
        """The picture's height and width."""

    @property
    def ribbon(self) -> bool:
        """True if it is as high as the canvas at any scale."""

    @property
    def room(self) -> QSizeF:
        """Pixels of the screen that the picture may take."""

    def isVisible(self) -> bool:
        """Return True if it is on screen."""

    def look(self, centre: QPointF, scale: float) -> None:
        """Show a point of the picture in the middle, at ``scale`` screen pixels per pixel."""


class Lens:
    """Keeps the scale and the middle of canvases the same, for canvases of any size."""

    # The whole picture is shown as large as all visible canvases have room for

    def __init__(self) -> None:
        self._canvases: list[Looking] = []
        self.shape = (0, 0)  # height and width; canvases with another shape are skipped
        # True if the whole picture is shown; the point in the middle; pixels of the screen per
        # pixel of the picture, or per position of a sequence
        self.whole, self.centre, self.scale = True, QPointF(), 1.0

    def add(self, canvas: Looking) -> None:
        """Show the picture on one more canvas."""
        self._canvases.append(canvas)

    def remove(self, canvas: Looking) -> None:
        """Show the picture on one canvas less."""
        self._canvases.remove(canvas)
        self.refresh()

    def take_shape(self, shape: tuple[int, int]) -> None:
        """Show all of a picture of another height and width."""
        if shape != self.shape:
            self.shape = shape
            self.show_all()
        else:
            self.refresh()

    def show_all(self) -> None:
        """Show the whole picture."""
        self.whole = True
        self.refresh()

    def show(self, centre: QPointF, scale: float) -> None:
        """Show a part of the picture, from one pixel to all; panning stops at the edges."""
        if 0 in self.shape:
            return
        least = self._fitting()
        if not math.isclose(scale, self.scale, rel_tol=1e-9):
            bounded = min(max(scale, least), max(self._most(), least))
            # The point under the zoom stays in place.
            done = (1 - self.scale / bounded) / (1 - self.scale / scale)
            centre, self.scale = self.centre + done * (centre - self.centre), bounded
        self.whole, self.centre = self.scale <= least, self._stopped(centre)
        self.refresh()

    def _stopped(self, centre: QPointF) -> QPointF:
        """Return the nearest point around which the picture fills the smallest canvas."""
        height, width = self.shape
        rooms = [canvas.room / self.scale for canvas in self._seen()]
        across = min((room.width() for room in rooms), default=0.0)
        down = min((room.height() for room in rooms), default=0.0)
        return QPointF(stopped(centre.x(), width, across), stopped(centre.y(), height, down))

    def zoom(self, factor: float) -> None:
        """Magnify about the middle."""
        self.show(self.centre, factor * self.scale)

    def refresh(self) -> None:
        """Show the same on all canvases, whose sizes may be other ones."""
        if 0 in self.shape:
            return
        if self.whole:
            height, width = self.shape
            self.centre, self.scale = QPointF(width / 2, height / 2), self._fitting()
        for canvas in self._seen():
            canvas.look(self.centre, self.scale)

    def _seen(self) -> list[Looking]:
        """Return the visible canvases of the picture, or all if none is visible yet.

        Those without room are left out.
        """
        mine = [
            canvas
            for canvas in self._canvases
            if canvas.shape == self.shape and not canvas.room.isEmpty()
        ]
        return [canvas for canvas in mine if canvas.isVisible()] or mine

    def _fitting(self) -> float:
        """Return the scale at which the whole picture fits into each canvas."""
        height, width = self.shape
        scales = [self.scale]
        for canvas in self._seen():
            room, around = canvas.room, 1 if canvas.ribbon else 1 + 2 * MARGIN
            across = room.width() / (around * width)
            scales.append(across if canvas.ribbon else min(across, room.height() / around / height))
        return min(scales[1:], default=scales[0])

    def _most(self) -> float:
        """Return the scale at which a pixel fills the smallest canvas."""
        sides = [
            canvas.room.width() if canvas.ribbon else min(canvas.room.width(), canvas.room.height())
            for canvas in self._seen()
        ]
        return min(sides, default=self.scale) / FEWEST
