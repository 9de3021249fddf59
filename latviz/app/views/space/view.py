"""The signature space, with the places of the pixels' signatures and of the states."""

from dataclasses import replace
from typing import Self

import numpy as np
from PyQt6.QtCore import QCoreApplication, QEvent, QObject, QPointF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QHelpEvent, QKeyEvent, QPaintEvent
from PyQt6.QtWidgets import QToolTip, QWidget

from latviz.app.look.theme import to_colors
from latviz.app.views.base import View
from latviz.app.views.space import shapes
from latviz.app.views.space.bar import ProjectionBar
from latviz.app.views.space.hand import moved, turned
from latviz.app.views.space.lasso import touches
from latviz.app.views.space.layout import SpaceScene
from latviz.app.views.space.plot import Plot
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.accessible_text import symbol_name
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.painting import scaled
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import RegionSelection, StateSelection
from latviz.engine.geometry.signature_space import Corners, SignatureSpace

_MAX_LISTED = 8
LEAST_FIGURE = QSize(460, 380)


class SpaceView(View):
    """The signature simplex, or the plane of the means of real vectors."""

    TITLE = "Signature simplex"
    NEEDS = frozenset({"space", "paths"})
    MARKS = frozenset({"signature"})
    KEYS = keyed(
        "Left and right arrow keys move between states, `Enter` highlights one; plus and minus "
        "zoom, `Home` shows all. `Shift` and the arrow keys turn three dimensions, or move the "
        "corner of a polygon that `PgUp` and `PgDown` choose."
    )

    projection_changed = pyqtSignal(object)  # Projection that the user chose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = ProjectionBar(self)
        self.plot = Plot(self)
        self.plot.installEventFilter(self)
        self._pointer: QPointF | None = None
        self._state: int | None = None
        self._by_keys: int | None = None
        self.setMinimumSize(120, 140)
        layouts.column(self.bar, (self.plot, 1), of=self, spacing=0)
        self._connect_signals()
        self.bar.hide()
        self.draw_theme()
        self.take_keyboard(self.plot)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show another view's space, with its projection in words."""
        self.bar.show_projection(shown.bar.projection)
        super().show_as_figure(shown, scale)
        if self.frame is not None and self.frame.space is not None:
            self._draw_bar(self.frame, self.frame.space)
            self.bar.show_as_text()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.plot.show_as(shown.plot, scale)

    def show_frame(self, frame: Frame) -> None:
        """Take the newest frame; its kind stands over it."""
        super().show_frame(frame)
        discrete = frame.observations.discrete
        self.setWindowTitle("Signature simplex" if discrete else "Signature space")

    def figure_size(self) -> QSize:
        """Return a size in which there is room for names."""
        return self.size().expandedTo(LEAST_FIGURE)

    @property
    def called(self) -> str:
        """The stem of file names: "space" for vectors, "simplex" for symbols."""
        vectors = self.frame is not None and not self.frame.observations.discrete
        return "space" if vectors else "simplex"

    def draw_theme(self) -> None:
        """Restyle the ground, the axes and the controls."""
        self.plot.draw_theme(self.theme)
        self.bar.draw_theme(self.theme)
        self.update()

    def draw_frame(self) -> None:
        """Draw the density, the states and the corners; clear them if they were not computed."""
        frame = self.frame
        if frame is None or frame.space is None:
            self.bar.hide()
            self.plot.show_scene(None)
        else:
            scene = self._scene(frame, frame.space)
            self._draw_bar(frame, frame.space)
            self.plot.show_scene(scene)
        self.plot.show_mark(self.mark)
        self.plot.lasso.show_picked(self._picked_corners())
        self.draw_inspection()
        self._follow()

    def draw_mark(self) -> None:
        """Draw the mark."""
        self.plot.show_mark(self.mark)

    def draw_inspection(self) -> None:
        """Mark the signature of the inspected pixel."""
        scene, found = self.plot.shown, self.inspection
        if scene is None or found is None:
            self.plot.marks.show_inspected(None)
        else:
            self.plot.marks.show_inspected(
                (scene.space.locate(found.signature), found.ranked[0][0])
            )

    def in_words(self, frame: Frame) -> str:
        """Return a description of each of the first few states."""
        states = range(min(len(frame.occupancy), _MAX_LISTED))
        return "; ".join(describe_state(frame, state) for state in states) + "."

    def tool_tip(self, pixel: QPointF) -> str:
        """Return the tool tip for a position in the plane."""
        if self.frame is None:
            return ""
        symbol = self.plot.marks.symbol_at(pixel)
        if symbol is not None:
            draggable = " · drag to move" if self.plot.hand.moves else ""
            return f"{symbol_name(self.frame, symbol)}{draggable}"
        state = self.plot.state_at(pixel)
        lines = [] if state is None else [describe_state(self.frame, state)]
        if not any(disc.holds(pixel) for disc in self.plot.discs()):
            lines += self._counted(self.frame, self.plot.point_at(pixel))
        return "\n".join(lines)

    def _counted(self, frame: Frame, point: QPointF) -> list[str]:
        """Return the number of pixels with signatures at a point, if any."""
        space = frame.space
        if space is None or (found := space.bin_at(point.x(), point.y())) is None:
            return []
        if not (count := int(space.density[found])):
            return []
        pixels = "1 pixel" if count == 1 else f"{digits.count(count)} pixels"
        if not space.counts_all:
            pixels = f"about {pixels}"
        return [f"{pixels} with signatures here: {keyed('`Ctrl+click` highlights them')}"]

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the ground of the row above the plot."""
        with painting_on(self) as painter:
            painter.fillRect(self.rect(), self.theme.color("panel"))

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Take the keys of the plot that mean something."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._takes(event)
        if event is not None and event.type() == QEvent.Type.FocusOut:
            self._point(self._pointer, None)
        return super().eventFilter(watched, event)

    def _takes(self, event: QKeyEvent) -> bool:
        arrow, factor = keys.arrow(event), keys.zoom_factor(event)
        if arrow is not None and not keys.is_shifted(event):
            self._step(sum(arrow))
        elif keys.is_enter(event):
            self._pick_set_off()
        elif factor is not None or keys.bare(event) == Qt.Key.Key_Home:
            self.plot.zoom(factor)
        else:
            return False
        return True

    def _connect_signals(self) -> None:
        self.bar.changed.connect(self.projection_changed)
        self.plot.pointed.connect(self._point)
        self.follow_clicks(self.plot)
        self.plot.clicked.connect(self._pick)
        self.plot.lasso.closed.connect(self._pick_region)
        self.plot.lasso.clicked.connect(
            lambda at: self._pick_bin(self.plot.bin_near(self.plot.pixel_of(at)))
        )
        self.plot.hand.turned.connect(self._turn)
        self.plot.hand.moved.connect(self._move)
        self.plot.hand.nudged.connect(self._nudge)
        self.plot.asked.connect(self._explain)

    def _scene(self, frame: Frame, space: SignatureSpace) -> SpaceScene:
        state, paths = self.chosen, frame.paths if self.display.paths else None
        known = state is not None and state < len(frame.occupancy)
        return SpaceScene(
            frame=frame,
            space=space,
            colors=self.colors(),
            symbol_colors=to_colors(frame.observations.colors),
            theme=self.theme,
            font=scaled(self.font()),
            state=state if known else None,
            paths=None if paths is None else space.locate(paths.codewords),
        )

    def _draw_bar(self, frame: Frame, space: SignatureSpace) -> None:
        observations, solid = frame.observations, space.solid
        colors = to_colors(observations.colors)
        self.bar.show_symbols(observations.names, colors, observations.discrete)
        self.bar.show_variance(space.variance_kept, None if solid is None else solid.variance_kept)
        self.bar.setVisible(self.bar.drawn is not None)

    def _turn(self, right: float, down: float) -> None:
        projection = self.bar.projection
        self.bar.choose(replace(projection, turn=turned(projection.turn, right, down)))

    def _move(self, symbol: int, place: QPointF) -> None:
        corners, resting = self._corners()
        self._put(moved(corners, symbol, place, resting))

    def _nudge(self, symbol: int, right: float, down: float) -> None:
        corners, resting = self._corners()
        x, y = corners[symbol]
        self._put(moved(corners, symbol, QPointF(x + right, y - down), resting))

    def _corners(self) -> tuple[Corners, Matrix]:
        """Return the corners that are chosen, which may be ahead of the frame, and the regular."""
        assert self.plot.shown is not None
        resting = self.plot.shown.space.resting
        assert resting is not None
        chosen = self.bar.projection.moved_corners(len(resting))
        return chosen or tuple((x, y) for x, y in resting.tolist()), resting

    def _put(self, corners: Corners) -> None:
        self.bar.choose(replace(self.bar.projection, corners=corners))

    def _point(self, pixel: QPointF | None, by_keys: int | None = None) -> None:
        self._pointer, self._by_keys = pixel, by_keys
        self._follow()

    def _step(self, by: int) -> None:
        """Set off the next state, or the one before it."""
        if self.frame is not None:
            n, before = len(self.frame.slots), self._state
            state = (0 if by > 0 else n - 1) if before is None else (before + by) % n
            self._point(None, state)
            self.plot.setAccessibleDescription(describe_state(self.frame, state))

    def _pick_set_off(self) -> None:
        if self.frame is not None and self._state is not None:
            self.picked.emit(StateSelection(self.frame.slots[self._state]))

    def _pick(self, pixel: QPointF) -> None:
        """Select the state or the signatures at a click, if any."""
        # If a place on the line is asked for, the click puts the mark there. Signatures in a
        # state's cell select that state
        disc, frame, scene = self.plot.disc_near(pixel), self.frame, self.plot.shown
        if frame is None:
            return
        mark = self.free_mark
        if mark is not None and scene is not None and shapes.takes(scene, mark):
            self.placed.emit((min(max(self.plot.point_at(pixel).x(), 0.0), 1.0),))
            return
        found = self.plot.bin_near(pixel) if disc is None else None
        state = None if found is None else self.plot.state_at(pixel)
        state = state if disc is None else disc.state
        if state is not None:
            self.picked.emit(StateSelection(frame.slots[state]))
        else:
            self._pick_bin(found)

    def _picked_corners(self) -> Corners:
        """Return the corners of the highlighted region, if this projection shows it."""
        picked, frame = self.state.selection, self.frame
        if frame is None or not isinstance(picked, RegionSelection):
            return ()
        return picked.corners if picked.projection == frame.request.projection else ()

    def _pick_bin(self, found: tuple[int, int] | None) -> None:
        """Highlight the signatures in a bin of the density, if there is one."""
        frame = self.frame
        if frame is not None and frame.space is not None and found is not None:
            corners = frame.space.corners_of(*found)
            self.picked.emit(RegionSelection(corners, frame.request.projection))

    def _pick_region(self, points: list[QPointF]) -> None:
        """Highlight the area drawn, unless it is empty; on a line, all between the ends."""
        if self.frame is None or self.frame.space is None:
            return
        space = self.frame.space
        corners = tuple((point.x(), point.y()) for point in points)
        if space.on_line:
            left, right = min(x for x, _ in corners), max(x for x, _ in corners)
            corners = ((left, -1.0), (right, -1.0), (right, 1.0), (left, 1.0))
        if touches(corners, space.density, space.extent):
            self.picked.emit(RegionSelection(corners, self.frame.request.projection))

    def _follow(self) -> None:
        """Emit the state under the pointer if it has changed."""
        state = self.plot.state_at(self._pointer) if self._pointer is not None else self._by_keys
        if state is not None and self.frame is not None and state >= len(self.frame.slots):
            state = None
        if state != self._state:
            self._state = state
            self.state_hovered.emit(state)

    def _explain(self, event: QHelpEvent) -> None:
        """Show the tool tip at the pointer."""
        pixel = self.plot.to_box(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), self.tool_tip(pixel), self.plot)


def describe_state(frame: Frame, state: int) -> str:
    """Return a state's number, its share of the pixels, and its codeword."""
    share = digits.share(int(frame.occupancy[state]), frame.n_nodes)
    nodes = f"{frame.request.picture.node_name}s"
    return f"{frame.called(state)} · {share} of {nodes} · {_codeword_text(frame, state)}"


def _codeword_text(frame: Frame, state: int) -> str:
    row = frame.observations.in_own_units(frame.codebook[state])
    names = frame.observations.names
    if not frame.observations.discrete:
        parts = [f"{name} {digits.measure(value)}" for name, value in zip(names, row, strict=True)]
        return "mean " + ", ".join(parts)
    if len(row) <= _MAX_LISTED:
        return f"B = ({', '.join(digits.probability(float(value)) for value in row)})"
    most = np.argsort(-row, kind="stable")[:4]
    return "mostly " + ", ".join(f"{names[k]} ({digits.probability(float(row[k]))})" for k in most)
