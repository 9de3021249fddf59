"""A zoomable picture plane, shared by the image and the state map."""

import math
from typing import Any

import pyqtgraph as pg
from PyQt6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSizeF, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QShowEvent,
)
from PyQt6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QWidget

from latviz.app.look.theme import Theme
from latviz.app.widgets import keys
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.painting import draw_on_screen
from latviz.app.widgets.ribbon import PositionAxis
from latviz.app.widgets.scene import Scene

RIBBON_MARGIN = 0.03
"""Above and below a ribbon, as a share of its height."""
STRIDE = 10
"""Pixels that an arrow key moves by while Shift is held."""


class Outline(QGraphicsRectItem):
    """A rectangle that shows on any ground: a light line inside a dark one."""

    stroke = 1.0

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw both lines, of the same width at any zoom."""
        assert painter is not None
        for color, width in (("#101317", 3.5), ("#ffffff", 1.5)):
            pen, path = QPen(QColor(color), self.stroke * width), QPainterPath()
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            path.addRect(self.rect())
            draw_on_screen(painter, path)

    def boundingRect(self) -> QRectF:
        """Return the bounds with room for the lines, which have a constant width on screen."""
        margin = 4 * self.stroke
        return self.rect().adjusted(-margin, -margin, margin, margin)


ABOVE_OUTLINES = 101
"""The z of items over the outlines of the inspected pixel and its window."""


class Canvas(Scene, pg.GraphicsView):  # type: ignore[misc]
    """Layers of images in pixel coordinates, row 0 at the top."""

    # Its `lens`, which several canvases may share, holds the visible part. A picture of one row is
    # a ribbon as high as the view, which zooms and pans along its axis alone. Arrow keys move the
    # marked pixel, by `STRIDE` with Shift. While it is ``placing``, the left button emits its
    # place, instead of panning or clicking (row, column) under the pointer or reached by arrow
    # keys, or None
    hovered = pyqtSignal(object)
    clicked = pyqtSignal(object)  # (row, column), clicked or entered
    pinned = pyqtSignal(object)  # the same with Shift
    viewed = pyqtSignal()  # the visible part of the picture changed
    placed = pyqtSignal(object)  # QPointF: column and row of the left button, while placing

    placing = False
    _placed_from_here = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shape: tuple[int, int] = (0, 0)
        """The picture's height and width."""
        self.ribbon = False
        """True for one row, drawn as high as the view."""
        self._has_axis = True
        self.lens = Lens()
        self.lens.add(self)
        self._node: tuple[int, int] | None = None
        self.box = pg.ViewBox(lockAspect=True, invertY=True, enableMenu=False)
        self.axis = PositionAxis()
        self.axis.linkToView(self.box)
        self.axis.hide()
        self._lay_out()
        self._window_mark, self._node_mark = Outline(), Outline()
        for mark in (self._window_mark, self._node_mark):
            mark.setVisible(False)
            self.add_layer(mark, ABOVE_OUTLINES - 1)
        self.setMouseTracking(True)
        self.setAcceptDrops(False)  # the window handles drops
        self.box.sigRangeChangedManually.connect(self._after_hand)
        self.box.sigResized.connect(lambda *_: self.lens.refresh())
        self.box.sigRangeChanged.connect(self.viewed)
        self.sceneObj.sigMouseClicked.connect(self._click)

    def _lay_out(self) -> None:
        layout = pg.GraphicsLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addItem(self.box, 0, 0)
        layout.addItem(self.axis, 1, 0)
        self.setCentralItem(layout)

    @property
    def room(self) -> QSizeF:
        """Pixels of the screen that the picture may take."""
        return QSizeF(self.box.width(), self.box.height())

    @property
    def whole(self) -> bool:
        """True if the whole picture is fitted into the view."""
        return self.lens.whole

    @property
    def centre(self) -> QPointF:
        """The pixel coordinates in the middle of the view."""
        found = self.box.viewRect().center()
        # Of an even length it is between two pixels, whatever rounding says
        return QPointF(round(found.x(), 6), round(found.y(), 6))

    @property
    def scale_factor(self) -> float:
        """Screen pixels per pixel of the picture; positive, even if there is no room."""
        return _scale(self.box.width(), self.box.viewRect().width())

    @property
    def row_scale(self) -> float:
        """Screen pixels per row of the picture; of a ribbon it is the ribbon's height."""
        if not self.ribbon:
            return self.scale_factor
        return _scale(self.box.height(), self.box.viewRect().height())

    @property
    def region(self) -> tuple[slice, slice]:
        """The rows and columns of the picture that are in view; empty if none are."""
        view, (height, width) = self.box.viewRect(), self.shape
        return (
            slice(max(0, math.floor(view.top())), min(height, math.ceil(view.bottom()))),
            slice(max(0, math.floor(view.left())), min(width, math.ceil(view.right()))),
        )

    def add_layer(self, item: QGraphicsItem, z: float) -> None:
        """Add an item to the plane; higher z is drawn later."""
        item.setZValue(z)
        self.box.addItem(item, ignoreBounds=True)

    def share(self, lens: Lens) -> None:
        """Share the visible part with all canvases of a lens."""
        self.lens = lens
        lens.add(self)

    def set_shape(self, shape: tuple[int, int], *, ribbon: bool = False) -> None:
        """Take the picture's height and width; show the whole picture if they are new."""
        if (shape, ribbon) != (self.shape, self.ribbon):
            self.shape, self.ribbon = shape, ribbon
            self.box.setAspectLocked(not ribbon)
            self.box.setMouseEnabled(x=True, y=not ribbon)
            self.show_axis(self._has_axis)
            self.lens.take_shape(shape)

    def show_axis(self, on: bool) -> None:
        """Show the axis of positions if the picture is a ribbon, or leave it to another canvas."""
        self._has_axis = on
        self.axis.setVisible(on and self.ribbon)

    def paint_now(self) -> None:
        """Paint changes of the canvas, without waiting for other events.

        Other pending paints in its window are done, too.
        """
        QCoreApplication.sendPostedEvents(self.sceneObj, QEvent.Type.MetaCall.value)
        QCoreApplication.sendPostedEvents(self.window(), QEvent.Type.UpdateRequest.value)

    def show_all(self) -> None:
        """Show the whole picture."""
        self.lens.show_all()

    def zoom(self, factor: float) -> None:
        """Magnify about the middle."""
        self.lens.zoom(factor)

    def look(self, centre: QPointF, scale: float) -> None:
        """Show a point in the middle, at ``scale`` screen pixels per pixel of the picture."""
        width, height = self.box.width() / scale, self.box.height() / scale
        part = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)
        if not part.isEmpty():
            part = _heightened(part) if self.ribbon else part
            self.box.setRange(part, padding=0, disableAutoRange=True)

    def show_part(self, part: QRectF) -> None:
        """Show a part of the picture as large as it fits."""
        across, down = self.box.width() / part.width(), self.box.height() / part.height()
        self.lens.show(part.center(), across if self.ribbon else min(across, down))

    def mark(
        self, rows: slice, columns: slice, node: tuple[int, int] | None, *, alone: bool = False
    ) -> None:
        """Outline a window and its pixel, if that is on the plane, or ``alone`` the pixel."""
        self._node = node
        width, height = columns.stop - columns.start, rows.stop - rows.start
        self._window_mark.setRect(QRectF(columns.start, rows.start, width, height))
        self._window_mark.setVisible(not alone)
        self._node_mark.setVisible(node is not None and self.scale_factor >= 3 and width > 1)
        if node is not None:
            self._node_mark.setRect(QRectF(node[1], node[0], 1, 1))

    def clear_mark(self) -> None:
        """Outline nothing."""
        self._node = None
        self._window_mark.setVisible(False)
        self._node_mark.setVisible(False)

    def draw_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.setBackground(theme.panel)
        self.axis.setPen(pg.mkPen(theme.line, cosmetic=False))
        self.axis.setTextPen(theme.color("muted"))
        for mark in (self._window_mark, self._node_mark):
            mark.prepareGeometryChange()
            mark.stroke = theme.stroke

    def set_placing(self, placing: bool) -> None:
        """Start or stop emitting the place of the left button."""
        if placing != self.placing:
            self.placing = placing
            shape = Qt.CursorShape.CrossCursor if placing else Qt.CursorShape.ArrowCursor
            self.setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit the button's place while placing, or else pass the event to items."""
        self._placed_from_here = self.placing and event.button() == Qt.MouseButton.LeftButton
        if self._placed_from_here:
            self.placed.emit(self.box.mapSceneToView(self._scene_at(event)))
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the pixel under the pointer."""
        super().mouseMoveEvent(event)
        self.hovered.emit(self.node_under(event))
        if self.placing and self._placed_from_here:
            self.placed.emit(self.box.mapSceneToView(self._scene_at(event)))

    def end_hold(self) -> None:
        """End placing with the left button."""
        self._placed_from_here = False

    def _scene_at(self, event: QMouseEvent) -> QPointF:
        return QPointF(self.viewportTransform().inverted()[0].map(event.position()))

    def node_under(self, event: QMouseEvent) -> tuple[int, int] | None:
        """Return the (row, column) under the pointer, if it is on the picture."""
        return self._node_at(self._scene_at(event))

    def _node_at(self, scene: QPointF) -> tuple[int, int] | None:
        point = self.box.mapSceneToView(scene)
        row, column = math.floor(point.y()), math.floor(point.x())
        inside = 0 <= row < self.shape[0] and 0 <= column < self.shape[1]
        return (row, column) if inside else None

    def _click(self, event: Any) -> None:
        node = self._node_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and node is not None:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.pinned if shift else self.clicked).emit(node)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the marked pixel, click or pin it, zoom, or show the whole picture."""
        arrow, factor = keys.arrow(event), keys.zoom_factor(event)
        if arrow is not None and self.shape != (0, 0):
            self._step(*arrow, STRIDE if keys.is_shifted(event) else 1)
        elif keys.is_enter(event) and self._node is not None:
            (self.pinned if keys.is_shifted(event) else self.clicked).emit(self._node)
        elif factor is not None:
            self.zoom(factor)
        elif keys.bare(event) == Qt.Key.Key_Home:
            self.show_all()
        else:
            super().keyPressEvent(event)

    def _step(self, right: int, down: int, stride: int) -> None:
        """Move the marked pixel; without one, mark the pixel in the middle of the view."""
        height, width = self.shape
        if self._node is None:
            row, column = math.floor(self.centre.y()), math.floor(self.centre.x())
        else:
            row, column = self._node[0] + down * stride, self._node[1] + right * stride
        row, column = min(max(row, 0), height - 1), min(max(column, 0), width - 1)
        self._bring_into_view(row, column)
        self.hovered.emit((row, column))

    def _bring_into_view(self, row: int, column: int) -> None:
        view = self.box.viewRect()
        x = min(0.0, column - view.left()) + max(0.0, column + 1 - view.right())
        y = min(0.0, row - view.top()) + max(0.0, row + 1 - view.bottom())
        if x or y:
            self.box.translateBy(x=x, y=y)
            self._after_hand()

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that no pixel is under the pointer."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole picture; while placing, press again."""
        if self.placing:
            self.mousePressEvent(event)
        else:
            self.show_all()
            event.accept()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the same part as the other canvases."""
        super().showEvent(event)
        self.lens.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave the room there is to the other canvases."""
        super().hideEvent(event)
        # Later: Qt also hides a window that Python frees, and has emptied already.
        QTimer.singleShot(0, self._leave_room)

    def _leave_room(self) -> None:
        self.lens.refresh()

    def _after_hand(self, *_: Any) -> None:
        self.lens.show(self.centre, self.scale_factor)


def _scale(room: float, extent: float) -> float:
    """Return the screen pixels per pixel of the picture; of no room, as if it had one pixel."""
    return max(room, 1.0) / max(extent, 1e-9)


def _heightened(part: QRectF) -> QRectF:
    """Return a part of a ribbon from end to end, at its full height."""
    return QRectF(part.left(), -RIBBON_MARGIN, part.width(), 1 + 2 * RIBBON_MARGIN)
