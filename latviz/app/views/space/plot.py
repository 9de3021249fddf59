"""The plot of a signature space: layers, axes, range, and the item under the pointer."""

import math
from typing import Any

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PyQt6.QtWidgets import QWidget

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.views.mark import YOU, Mark
from latviz.app.views.space import layout, shapes
from latviz.app.views.space.hand import Box, SpaceHand
from latviz.app.views.space.items import Density, Marks, Shapes, Stencil
from latviz.app.views.space.lasso import Lasso
from latviz.app.views.space.layout import Disc, Label, Mapping, SpaceScene
from latviz.app.widgets.lens import stopped
from latviz.app.widgets.painting import fitting, pixel_size, scaled
from latviz.app.widgets.pin import BRIGHT, DARK
from latviz.app.widgets.scene import Scene
from latviz.core.types import Matrix
from latviz.engine.geometry.heat import heat_levels

_IN_SIGHT = 0.05
"""Margin around the focus in which corners count as visible, as a share of its length."""
_MOST_FOR_LABELS = 2.0
"""Greatest widening of the range to fit labels."""
_AXES = ("bottom", "left")
_ABOVE_MARKS = 101
REACH = 7.0
"""Pixels of the plane within which a click hits a codeword or a signature."""
_FINEST = 9
"""Most levels across a bin of the density."""
_ROUNDING = 1e-9
_MOST_SPARE = 3.0
"""Greatest area of the range, relative to the focus."""


class Plot(Scene, pg.PlotWidget):  # type: ignore[misc]
    """A signature space with a zoom and pan, and a pointer over it."""

    clicked = pyqtSignal(object)  # the place, as in `pointed`
    pointed = pyqtSignal(object)  # QPointF in pixels of the plane, or None
    asked = pyqtSignal(object)  # QHelpEvent: the pointer pauses, and Qt asks for a tool tip

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None, enableMenu=False, viewBox=Box())
        self.setAcceptDrops(False)  # the window handles drops
        self.box = self.plotItem.vb
        self.shown: SpaceScene | None = None
        self._theme = LIGHT
        self._ground, self._details, self.guessed = Shapes(), Shapes(), Shapes()
        self._stencil, self._density = Stencil(), Density()
        self.marks = Marks(self.box)
        self.hand = self.box.hand = SpaceHand(self.box, self.marks, self)
        self._labels: list[Label] = []
        self._axis_texts: tuple[str, str] | None = None
        self._range_key: tuple[Any, ...] = ()
        self._focus, self._whole = QRectF(), QRectF()  # worth showing, and the range that shows it
        self._by_hand = False
        self._finer = 1
        self.hand.chosen.connect(self.marks.show_chosen)
        self.lasso = Lasso(self)
        self._add_layers()
        for item in (self.lasso.item, self.lasso.picked):
            self.box.addItem(item, ignoreBounds=True)
        self.sceneObj.sigMouseClicked.connect(self._click)
        self.box.sigRangeChangedManually.connect(self._take_hand)
        self.box.sigResized.connect(self._fit)

    def draw_theme(self, theme: Theme) -> None:
        """Restyle the ground and the axes."""
        self._theme, self._axis_texts = theme, None
        self.lasso.draw_theme(theme.color("text"), theme.color("accent"))
        self.setBackground(theme.panel)
        for name in _AXES:
            axis = self.getAxis(name)
            for choose in (axis.setPen, axis.setTickPen):
                choose(pg.mkPen(theme.line, cosmetic=False))
            axis.setTextPen(theme.muted)
            axis.setTickFont(scaled(self.font()))
            axis.setStyle(tickLength=5, maxTickLevel=0)
            axis.enableAutoSIPrefix(False)

    def show_scene(self, scene: SpaceScene | None) -> None:
        """Draw a scene, or nothing."""
        before, self.shown, self.hand.scene = self.shown, scene, scene
        if scene is None:
            self._show_nothing()
            return
        self._take_focus(scene)
        self._draw_axes(scene)
        if before is None or not _same_density(before, scene):
            self._draw_density(scene)
        self._ground.show_shapes(shapes.ground(scene))
        self._details.show_shapes(shapes.details(scene))
        self._fit()
        self.sceneObj.prepareForPaint()  # or the first paint moves items, and triggers another

    def show_as(self, other: "Plot", scale: float) -> None:
        """Show another plot's space, with a density fine enough to be magnified.

        ``scale`` is the magnification.
        """
        if self.shown is None:
            return
        self._by_hand, self._focus = other._by_hand, other._focus
        if other._by_hand:
            self.box.setRange(other.box.viewRect(), padding=0, disableAutoRange=True)
        self._fit()
        bins, extent = self.shown.space.density.shape[1], self.shown.space.extent[2]
        pixels = scale * Mapping.of(self.box).x_scale * extent / bins
        self._finer = min(2 * math.ceil((pixels - 1) / 2) + 1, _FINEST) if pixels > 1 else 1
        self._draw_density(self.shown)

    def show_mark(self, mark: Mark | None) -> None:
        """Draw the place of the mark, if it is on the line in the plot."""
        drawn = () if self.shown is None else shapes.guessed(self.shown, mark)
        self.guessed.show_shapes(drawn)
        place = mark.place if drawn and mark is not None else None
        self._you.setVisible(place is not None)
        if place is not None:
            self._you.setPos(place[0], 0.0)

    @property
    def whole(self) -> bool:
        """True if the initial range is shown."""
        return not self._by_hand

    def show_all(self) -> None:
        """Restore the initial range."""
        self._by_hand = False
        if self.shown is not None:
            self._focus = QRectF(*self.shown.space.focus)
        self._fit()

    def zoom(self, factor: float | None) -> None:
        """Magnify about the middle; None restores the initial range."""
        if factor is None:
            return self.show_all()
        self.box.scaleBy(x=1 / factor, y=None if self.shown and self.shown.on_line else 1 / factor)
        self._take_hand()
        return None

    def discs(self) -> list[Disc]:
        """Return the codewords' discs in the pixels of the plane, in the order they are drawn."""
        return self.marks.discs()

    def corners(self) -> list[tuple[Label, QPointF]]:
        """Return the corners' labels, and where in the pixels of the plane the corners are."""
        return self.marks.corners()

    def point_at(self, pixel: QPointF) -> QPointF:
        """Return the point of the plot at a pixel of the plane."""
        return Mapping.of(self.box).to_plane(pixel)

    def pixel_of(self, point: QPointF) -> QPointF:
        """Return the pixel of the plane at which a point of the plot is drawn."""
        return Mapping.of(self.box).to_pixel((point.x(), point.y()))

    def state_at(self, pixel: QPointF) -> int | None:
        """Return the state whose codeword or cell is drawn at a pixel of the plane."""
        scene = self.shown
        if scene is None or not self.marks.boundingRect().contains(pixel):
            return None
        for disc in reversed(self.discs()):
            if disc.holds(pixel):
                return disc.state
        at = self.point_at(pixel)
        if scene.on_line:
            return layout.line_state(scene.space, at.x())
        for state, cell in enumerate(scene.space.cells):
            if len(cell) > 2 and shapes.closed(cell).contains(at):
                return state
        return None

    def disc_near(self, pixel: QPointF) -> Disc | None:
        """Return the disc for a click at a pixel of the plane: on it, or near its middle."""
        discs = self.discs()[::-1]
        on = next((disc for disc in discs if disc.holds(pixel)), None)
        near = min(discs, key=lambda disc: disc.distance(pixel), default=None)
        return on or (near if near is not None and near.distance(pixel) <= REACH else None)

    def bin_near(self, pixel: QPointF) -> tuple[int, int] | None:
        """Return the bin of signatures that a click at a pixel of the plane hits, if any."""
        if self.shown is None:
            return None
        at, mapping = self.point_at(pixel), Mapping.of(self.box)
        reach = REACH / mapping.x_scale, REACH / mapping.y_scale
        return self.shown.space.bin_near(at.x(), at.y(), reach)

    def to_box(self, position: QPointF) -> QPointF:
        """Return a place of the widget in the pixels of the plane."""
        return QPointF(self.box.mapFromScene(self.mapToScene(position.toPoint())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the pointer's place; continue the lasso if one is drawn."""
        if self.lasso.drawing:
            self.lasso.add(self.to_plane(event.position()))
        else:
            super().mouseMoveEvent(event)
        pixel = self.to_box(event.position())
        held = self.hand.handle_at(pixel) is not None
        self.setCursor(Qt.CursorShape.OpenHandCursor if held else Qt.CursorShape.ArrowCursor)
        self.pointed.emit(pixel)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let `hand` handle it first."""
        if not self.hand.presses(event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a line with Shift, a rectangle with Ctrl; else leave it to the plot."""
        if self.lasso.begins(event):
            self.lasso.add(self.to_plane(event.position()))
        else:
            super().mousePressEvent(event)

    def end_hold(self) -> None:
        """Close the lasso, if one is drawn."""
        if self.lasso.drawing:
            self.lasso.close()

    def to_plane(self, position: QPointF) -> QPointF:
        """Return a place in the widget in the coordinates of the plot."""
        return QPointF(self.box.mapSceneToView(self.mapToScene(position.toPoint())))

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that the pointer has left."""
        super().leaveEvent(event)
        self.pointed.emit(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Restore the initial range."""
        event.accept()
        self.show_all()

    def viewportEvent(self, event: QEvent) -> bool:
        """Request a tool tip at the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self.asked.emit(event)
            return True
        return bool(super().viewportEvent(event))

    def _click(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not event.double():
            self.clicked.emit(QPointF(self.box.mapFromScene(event.scenePos())))

    def _add_layers(self) -> None:
        self.plotItem.hideButtons()
        self.plotItem.setContentsMargins(0, 0, 0, 0)
        self.box.disableAutoRange()
        for name in ("top", "right"):  # never shown, but they would write their label at each range
            self.getAxis(name).unlinkFromView()
        self.setMouseTracking(True)
        self.setAntialiasing(True)
        for z, item in enumerate((self._ground, self._stencil, self._details, self.guessed)):
            item.setZValue(z)
            self.box.addItem(item, ignoreBounds=True)
        self._density.setParentItem(self._stencil)
        self._you = pg.TextItem(YOU, color=BRIGHT, fill=DARK, anchor=(0.5, 1.0))
        self._you.setZValue(_ABOVE_MARKS)
        self._you.hide()
        self.box.addItem(self._you, ignoreBounds=True)
        self._hide_axes()

    def _show_nothing(self) -> None:
        self._range_key, self._axis_texts = (), None
        self._density.clear()
        self._ground.show_shapes(())
        self._details.show_shapes(())
        self.marks.show_scene(None, ())
        self._hide_axes()

    def _hide_axes(self) -> None:
        for name in _AXES:
            self.showAxis(name, False)

    def _draw_axes(self, scene: SpaceScene) -> None:
        """Show the axes that have a meaning, with their names."""
        texts = _axis_texts(scene)
        if texts == self._axis_texts:
            return
        self._axis_texts = texts
        for name, text in zip(_AXES, texts, strict=True):
            self.showAxis(name, bool(text))
        self._write_axes()
        left = self.getAxis("left")
        left.setTicks([] if scene.on_line else None)
        left.setStyle(showValues=not scene.on_line)  # and no room for values of the plane before
        self.box.setAspectLocked(not scene.on_line)
        self.box.setMouseEnabled(x=True, y=not scene.on_line)

    def _write_axes(self) -> None:
        """Write the meanings of the axes, as far as they fit."""
        font = scaled(self.font())
        style = {"color": self._theme.muted, "font-size": f"{pixel_size(font)}px"}
        for name, text, room in zip(_AXES, self._axis_texts or ("", ""), self._size(), strict=True):
            axis = self.getAxis(name)
            short = text.removeprefix("principal ").partition(" (")[0]
            written = fitting(font, int(room), text, short, short.replace("component", "PC"))
            if (written, style) != (axis.labelText, axis.labelStyle) and text:
                axis.setLabel(written, **style)
                axis.resizeEvent()  # which centres the new label

    def _draw_density(self, scene: SpaceScene) -> None:
        self._density.setVisible(not scene.on_line)
        if not scene.on_line:
            space, levels = scene.space, scene.space.levels
            if self._finer > 1:
                levels = heat_levels(space.density, space.blur, self._finer)
            table = shapes.heat_table(scene.theme, bool(space.cells))
            self._density.setImage(levels, autoLevels=False, levels=(0, 255), lut=table)
            self._density.setRect(QRectF(*space.extent))
            self._stencil.show_path(shapes.outline_path(scene))

    def _take_focus(self, scene: SpaceScene) -> None:
        """Keep the range while the plane is the same and the range still shows the focus well.

        With w, principal axes may turn so far that the old focus has moved away, at rest.
        """
        request, focus = scene.frame.request, QRectF(*scene.space.focus)
        encoding, projection = request.parameters.encoding, request.projection
        kind = scene.space.kind, projection.kind, projection.symbols
        key = (request.picture, encoding, *kind)
        if key != self._range_key:
            self._range_key, self._by_hand, self._focus = key, False, focus
        united = self._focus.united(focus)
        if not request.passing and _area(united) > _MOST_SPARE * _area(focus):
            self._by_hand, united = False, focus
        self._focus = united

    def _take_hand(self, *_: Any) -> None:
        """Keep the range that the user chose, inside the one that shows all."""
        view, whole = self.box.viewRect(), self._whole
        self._by_hand = view.width() < (1 - _ROUNDING) * whole.width()
        if self._by_hand:
            x = stopped(view.center().x() - whole.left(), whole.width(), view.width())
            y = stopped(view.center().y() - whole.top(), whole.height(), view.height())
            view.moveCenter(whole.topLeft() + QPointF(x, y))
            self.box.setRange(view, padding=0, disableAutoRange=True)
        else:
            self._fit()

    def _size(self) -> tuple[float, float]:
        return max(self.box.width(), 1.0), max(self.box.height(), 1.0)

    def _fit(self, *_: Any) -> None:
        """Fit the focus into the plot, unless the user chose the range."""
        scene = self.shown
        if scene is None:
            return
        self._write_axes()
        if scene.on_line:
            self._labels = []
            self._fit_line(scene)
        else:
            self._labels, self._whole = self._arranged(scene)
            if not self._by_hand:
                self.box.setRange(self._whole, padding=0, disableAutoRange=True)
        self.marks.show_scene(scene, self._labels)

    def _arranged(self, scene: SpaceScene) -> tuple[list[Label], QRectF]:
        """Return the labels, and the range that has room for them.

        If there is little room, names are omitted; at the least, labels touch their corners.
        """
        gap = layout.gap(scene, self._size())

        def arranged(apart: float, named: bool) -> tuple[list[Label], QRectF]:
            labels = layout.labels(scene, apart, named)
            around = layout.room_around(scene, apart, named)
            points, pads = self._wanted(scene, labels, gap, around)
            return labels, layout.fitted(points, pads, self._size())

        least = arranged(0.0, False)
        most = _MOST_FOR_LABELS * least[1].width()
        found = (arranged(gap, named) for named in (True, False))
        return next((each for each in found if each[1].width() <= most), least)

    def _wanted(
        self, scene: SpaceScene, labels: list[Label], gap: float, around: Matrix
    ) -> tuple[Matrix, Matrix]:
        """Return the points to show and the pixels around each, for labels of their corners.

        They stay while corners are moved or a space is turned: then there is room ``around``.
        """
        space, focus, corners = scene.space, self._focus, scene.space.corners
        ends = np.array([[focus.left(), focus.top()], [focus.right(), focus.bottom()]])
        if space.resting is not None:
            ends = np.stack([space.resting.min(axis=0), space.resting.max(axis=0)])
        if scene.loose:
            return ends, np.tile(around, (2, 1))
        if corners is None:
            return ends, np.full((2, 4), gap)
        margin = _IN_SIGHT * max(focus.width(), focus.height())
        seen = focus.adjusted(-margin, -margin, margin, margin)
        inside = [k for k in labels if seen.contains(QPointF(*corners[k.symbol].tolist()))]
        at, pads = corners[[label.symbol for label in inside]], layout.pads(inside, gap)
        if not space.zooms and len(at) > 1:
            return at, pads
        return np.concatenate([ends, at]), np.concatenate([np.full((2, 4), gap), pads])

    def _fit_line(self, scene: SpaceScene) -> None:
        """Place the bars below the discs; the range of values stays if the user chose it."""
        width, height = self._size()
        pad = layout.gap(scene, (width, height)) + 2
        low, high = layout.fitted_line(self._focus.left(), self._focus.right(), pad, width)
        if not self._by_hand:
            self.box.setXRange(low, high, padding=0)
        band = min(layout.band_height(scene, Mapping.of(self.box)), 0.7 * height)
        self.box.setYRange(0.0, height / (height - band), padding=0)
        self._whole = QRectF(low, 0.0, high - low, self.box.viewRect().height())


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()


def _same_density(one: SpaceScene, other: SpaceScene) -> bool:
    """Return True if two scenes have the same density in the same colours."""
    celled = bool(one.space.cells) == bool(other.space.cells)
    return celled and one.space.density is other.space.density and one.theme == other.theme


def _axis_texts(scene: SpaceScene) -> tuple[str, str]:
    kind, names = scene.space.kind, scene.frame.observations.names
    if kind == "segment":
        return f"share of {names[1]} in the window", "pixels"
    if kind == "histogram":
        return f"mean of {names[0]} in the window", "pixels"
    if kind == "plane":
        return "principal component 1", "principal component 2"
    return "", ""
