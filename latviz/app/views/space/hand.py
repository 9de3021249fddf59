"""Dragging in the signature space: turns three dimensions, and moves a polygon's corners."""

import math
from typing import Any

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QObject, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QQuaternion

from latviz.app.views.space.items import Marks
from latviz.app.views.space.layout import Mapping, SpaceScene
from latviz.app.widgets import keys
from latviz.core.types import Matrix
from latviz.engine.geometry.signature_space import Corners, Turn

STEP = math.radians(5)
"""Angle that a key turns a space by."""
SHIFT = 0.04
"""Distance that a key moves a corner; the polygon's corners are on the unit circle."""
_PAGES: dict[int, int] = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}


class Box(pg.ViewBox):  # type: ignore[misc]
    """A view box whose drags a `SpaceHand` may take; it pans with the others."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.hand: SpaceHand | None = None

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """Let `hand` handle it, or pan."""
        if self.hand is not None and self.hand.takes(event):
            event.accept()
        else:
            super().mouseDragEvent(event, axis)


class SpaceHand(QObject):
    """Follows drags with the left button, and Shift with the arrow keys, over the `scene` shown."""

    turned = pyqtSignal(float, float)  # radians to the right, and downwards
    moved = pyqtSignal(int, object)  # corner, and its new place (QPointF) in the plane
    nudged = pyqtSignal(int, float, float)  # corner, and its move to the right and downwards
    chosen = pyqtSignal(object)  # int or None: the corner that keys move

    def __init__(self, box: Box, marks: Marks, parent: QObject) -> None:
        super().__init__(parent)
        self._box, self._marks = box, marks
        self.scene: SpaceScene | None = None
        self._grip = QPointF()
        self._held: int | None = None
        self._chosen: int | None = None

    @property
    def turns(self) -> bool:
        """True if the space can be turned."""
        return self.scene is not None and self.scene.space.solid is not None

    @property
    def moves(self) -> bool:
        """True if corners can be moved."""
        return self.scene is not None and self.scene.space.resting is not None

    def handle_at(self, pixel: QPointF) -> int | None:
        """Return the corner that can be dragged at a pixel of the plane."""
        return self._marks.symbol_at(pixel) if self.moves else None

    def takes(self, event: Any) -> bool:
        """Follow a drag, if it turns or moves something."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if event.isStart():
            self._grasp(event.buttonDownPos())
        if self.turns:
            self._turn(event.pos() - event.lastPos())
            return True
        if self._held is None:
            return False
        self.moved.emit(self._held, Mapping.of(self._box).to_plane(event.pos() + self._grip))
        if event.isFinish():
            self._held = None
        return True

    def presses(self, event: QKeyEvent) -> bool:
        """Follow Shift and an arrow key; or choose a corner, with the keys that turn pages."""
        step, page = keys.arrow(event), _PAGES.get(keys.bare(event))
        if self.moves and page is not None:
            self._choose(page)
        elif step is None or not keys.is_shifted(event):
            return False
        elif self.turns:
            self.turned.emit(step[0] * STEP, step[1] * STEP)
        elif self.moves and self._chosen is not None:
            self.nudged.emit(self._chosen, step[0] * SHIFT, step[1] * SHIFT)
        return True

    def _choose(self, by: int) -> None:
        """Choose the next or the previous corner; beyond the last, none."""
        assert self.scene is not None
        assert self.scene.space.resting is not None
        n_corners = len(self.scene.space.resting)
        before = n_corners if self._chosen is None else self._chosen
        found = (before + by) % (n_corners + 1)
        self._chosen = found if found < n_corners else None
        self.chosen.emit(self._chosen)

    def _grasp(self, pixel: QPointF) -> None:
        self._held = self.handle_at(pixel)
        if self._held is not None:
            corners = {label.symbol: at for label, at in self._marks.corners()}
            self._grip = corners[self._held] - pixel

    def _turn(self, by: Any) -> None:
        assert self.scene is not None
        radius = self.scene.space.focus[2] / 2 * Mapping.of(self._box).x_scale
        self.turned.emit(by.x() / radius, by.y() / radius)


def turned(turn: Turn, right: float, down: float) -> Turn:
    """Turn by angles in radians, as seen from the front."""
    across = QQuaternion.fromAxisAndAngle(0.0, 1.0, 0.0, math.degrees(right))
    along = QQuaternion.fromAxisAndAngle(1.0, 0.0, 0.0, math.degrees(down))
    found = (across * along * QQuaternion(*turn)).normalized()
    return found.scalar(), found.x(), found.y(), found.z()


def moved(corners: Corners, symbol: int, place: QPointF, resting: Matrix) -> Corners:
    """Move one corner, but not beyond those of the regular polygon, shape (M, 2)."""
    x, y = np.clip((place.x(), place.y()), resting.min(axis=0), resting.max(axis=0)).tolist()
    new = list(corners)
    new[symbol] = (x, y)
    return tuple(new)
