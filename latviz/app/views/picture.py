"""Views on a canvas: a picture or a slice, and overlays."""

import math
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtWidgets import QWidget

from latviz.app.look.theme import on_panel
from latviz.app.views.base import View
from latviz.app.views.mark import YOU
from latviz.app.views.states.marks import UnknownItem
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import layouts
from latviz.app.widgets.canvas import ABOVE_OUTLINES, Outline
from latviz.app.widgets.curves import CurvesItem
from latviz.app.widgets.glimpse import Glimpse
from latviz.app.widgets.guessed_window import GuessedWindow
from latviz.app.widgets.layer import Layer, PhotoLayer
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.paint_canvas import PaintCanvas
from latviz.app.widgets.pin import PinMark, pin_name
from latviz.app.widgets.ribbon import Cells, Symbols
from latviz.app.widgets.scale_bar import ScaleBar
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.inspection import Inspection
from latviz.engine.frames.section import Place, Section
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import moved_window
from latviz.engine.settings.state import State

DRAG = "drag from here"
"""The text in the middle of a window that the user is to place."""
LEAST_FIGURE = QSize(360, 360)
LIGHT_AND_DARK = np.zeros((256, 4), dtype=np.uint8)
"""The colours of a mask: 0 is darkened."""
LIGHT_AND_DARK[0] = (16, 19, 23, 190)
CHANGED = np.array([[0, 0, 0, 0], [230, 0, 126, 255]], dtype=np.uint8)
"""The colours of unchanged and changed nodes."""

_LEVELLED_AT = {QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize, QEvent.Type.LayoutRequest}
NEAR = 4
"""Views that differ by no more pixels should be equal."""


class PictureView(View):
    """A view on a canvas: the image or a slice, and the overlays of subclasses."""

    # While it has the keyboard, its description names the pixel of the arrow keys
    node_clicked = pyqtSignal(object)  # after its selection

    MARKS = frozenset({"window"})
    COVERED = False  # the picture is shown at once
    KEYS = keyed(
        "Arrow keys inspect a pixel, with `Shift` in larger steps; `Enter` highlights its state, "
        "`Shift+Enter` pins it; plus and minus zoom, `Home` shows all."
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: Picture | None = None
        self.canvas = PaintCanvas(self)
        self.take_keyboard(self.canvas)
        self._lay_out()
        self.photo, self.lit = PhotoLayer(self.canvas), Layer(self.canvas, greatest=True)
        self.curves = CurvesItem(self.canvas)  # in place of the photo of a sequence of numbers
        self.unknown = UnknownItem(self.canvas)
        self.symbol, self.writing = Layer(self.canvas), Symbols()
        for layer, z in (
            (self.photo, 0),
            (self.curves, 0),
            (self.unknown, 35),
            (self.writing, 40),
            (self.lit, 50),
            (self.symbol, 60),
        ):
            self.canvas.add_layer(layer, z)
        self.glimpse, self.scale_bar = Glimpse(self.canvas), ScaleBar(self.canvas)
        self.guessed = GuessedWindow(self.canvas)
        self.follow_clicks(self.canvas)
        self.canvas.placed.connect(self._place_window)
        self.canvas.hovered.connect(self._hover)
        self.canvas.clicked.connect(self._pick)
        self.canvas.clicked.connect(lambda at: self.node_clicked.emit(self.section.node(at)))
        self.canvas.pinned.connect(lambda place: self.pinned.emit(self.section.node(place)))
        self._pin_marks: list[PinMark] = []
        self._pin_texts: list[tuple[str, Place, str]] = []
        self._pin_windows: list[Outline] = []

    def _lay_out(self) -> None:
        self.foot = on_panel(QWidget())
        self._feet = layouts.column(of=self.foot, spacing=0)
        layouts.column((self.canvas, 1), self.foot, of=self, spacing=0)
        self.stand(0)

    def add_foot(self, part: QWidget) -> None:
        """Add a widget below the picture."""
        self._feet.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def foot_height(self) -> int:
        """The height that the parts below the picture need."""
        return self._feet.sizeHint().height()

    def stand(self, foot: int, right: int = 0, below: int = 0) -> None:
        """Leave so much room below the picture, and free at the right and below."""
        self.foot.setFixedHeight(max(foot, self.foot_height))
        self.setContentsMargins(0, 0, right, below)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the content of another view; a whole picture without margins above and below."""
        self.stand(0)
        super().show_as_figure(shown, scale)
        (height, width), room = self.canvas.shape, self.canvas.size()
        if shown.canvas.whole and not self.canvas.ribbon and width:
            spare = room.height() - math.ceil(room.width() * height / width) - 2
            self.resize(self.width(), self.height() - max(0, spare))
        if not shown.canvas.whole:
            self.canvas.show_part(shown.canvas.box.viewRect())

    def figure_size(self) -> QSize:
        """Return a size in which there is room for a legend."""
        return self.size().expandedTo(LEAST_FIGURE)

    @property
    def section(self) -> Section:
        """The section of the picture's lattice on the canvas."""
        shape = self.picture.shape if self.picture is not None else (0, 0)
        return Section(shape, self.state.slice)

    def show_picture(self, picture: Picture) -> None:
        """Take an image and show it at once, before its first frame, even if it is the same."""
        self.picture = picture
        super().show_picture(picture)
        self.glimpse.end()
        self._show_photo()
        self.canvas.axis.show_x(picture.x)
        self.canvas.set_shape(self.section.shape, ribbon=picture.is_ribbon)
        self.scale_bar.show_unit((*picture.spacing, 1.0)[len(picture.spacing) - 1], picture.unit)
        self.canvas.clear_mark()
        self.draw_mark()
        self.lit.setVisible(False)
        self.symbol.setVisible(False)

    def show_state(self, state: State) -> None:
        """Take the state; show another slice or a changed window at once."""
        before, old = self.section, self.state
        super().show_state(state)
        moved = moved_window(old.parameters, state.parameters)
        if moved is not None and state.picture is old.picture and self.isVisible():
            self._show_window(*moved)
        if self.section != before:
            self._show_photo()
            self.show_pins(self.pins)
            self.draw_mark()
            self.draw_inspection()

    def _show_window(self, name: str, window: int) -> None:
        """Show a window of this half-width for a moment, around the inspected node."""
        if self.picture is None or self.mark is not None:  # which shows a window itself
            return
        around = self.state.window_of(self._looked_at(), window)
        extent = self.section.extent(around)
        assert extent is not None  # it is around a node of the plane
        reaching = around[1:] if self.picture.apart else around
        reaching = around[-1:] if self.canvas.ribbon else reaching
        sides = [side.stop - side.start for side in reaching]
        size = " × ".join(map(str, sides)) + self.picture.measured(sides)
        self.glimpse.show_window(*extent, f"{name} = {window}: {size}")

    def _looked_at(self) -> tuple[int, ...]:
        """Return the inspected node if it is in view, or else the node in the middle."""
        inside, found = self.canvas.region, self.inspection
        place = None if found is None else self.section.place(found.node)
        if place is None or not all(
            part.start <= at < part.stop for at, part in zip(place, inside, strict=True)
        ):
            row, column = (
                min(max((part.start + part.stop) // 2, 0), length - 1)
                for part, length in zip(inside, self.canvas.shape, strict=True)
            )
            place = row, column
        return self.section.node(place)

    def end_passing(self) -> None:
        """Remove the window drawn during a move."""
        self.glimpse.end()

    def _show_photo(self) -> None:
        if self.picture is None:
            return
        curves = self.picture.curves
        if curves is None:
            self.photo.show_plane(self.section.plane(self.picture.shown), self.picture.colors)
        else:
            self.photo.clear()
        values, known = np.zeros((0, 0)) if curves is None else curves, self.picture.known
        gaps = None if known is None or curves is None else ~known.reshape(-1)
        self.curves.show_values(values, self.picture.channels, gaps)
        self.unknown.show_known(None if known is None else self.section.plane(known))
        self._show_symbols(self.picture.shown, self.picture.colors)

    def _show_symbols(self, grounds: NDArray[np.uint8], colors: NDArray[np.uint8] | None) -> None:
        """Write a sequence's symbols on grounds of some colours; nothing on an image."""
        there = self.picture is not None and self.picture.alphabet and colors is not None
        self.writing.setVisible(bool(there))
        if self.picture is not None and colors is not None and there:
            self.writing.show_cells(
                Cells(self.picture.pixels, self.picture.alphabet, grounds, colors)
            )

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Mark the pinned pixels, each with its window."""
        super().show_pins(pins)
        self._outline_pins()
        places = [self.section.place(pin.node) for pin in pins]
        marked = [
            (pin_name(k), place, f"{pin_name(k)}: {words.node_text(pin.node)}")
            for k, (pin, place) in enumerate(zip(pins, places, strict=True))
            if place
        ]
        if marked != self._pin_texts:  # not at each frame: a drag would make all of them again
            self._pin_texts = marked
            for mark in self._pin_marks:
                self.canvas.box.removeItem(mark)
            self._pin_marks = [PinMark(name, at, self.canvas, tip) for name, at, tip in marked]
            for mark in self._pin_marks:
                self.canvas.add_layer(mark, ABOVE_OUTLINES)
            self.draw_mark()
        self.describe()

    def _outline_pins(self) -> None:
        """Outline the windows of the pinned pixels, independent of the pointer."""
        extents = [extent for pin in self.pins if (extent := self.section.extent(pin.window))]
        while len(self._pin_windows) > len(extents):
            self.canvas.box.removeItem(self._pin_windows.pop())
        while len(self._pin_windows) < len(extents):
            self._pin_windows.append(Outline())
            self.canvas.add_layer(self._pin_windows[-1], ABOVE_OUTLINES - 1)
        for outline, (rows, columns) in zip(self._pin_windows, extents, strict=True):
            width, height = columns.stop - columns.start, rows.stop - rows.start
            outline.stroke = self.theme.stroke
            outline.setRect(QRectF(columns.start, rows.start, width, height))

    def draw_mark(self) -> None:
        """Draw the window that the user is to place, around a fixed pixel."""
        mark = self.mark
        self.canvas.set_placing(self.free_mark is not None)
        if mark is None or self.picture is None:
            self.guessed.show_windows(QRectF(), QRectF(), ("", ""), self.theme.color("warning"))
            return
        begins = mark.place is None and mark.is_free
        guess = self._extent_of((0.0,) if begins else mark.place)
        truth = self._extent_of(mark.truth)
        text = DRAG if mark.place is None else f"{YOU}: {mark.place[0]:g}"
        right = "" if mark.truth is None else f"w = {mark.truth[0]:g}"
        self.guessed.show_windows(guess, truth, (text, right), self.theme.color("warning"))

    def _extent_of(self, place: Sequence[float] | None) -> QRectF:
        """Return the clipped window of a half-width, in columns and rows."""
        if place is None or self.picture is None:
            return QRectF()
        node = self.section.node(self._marked_at())
        around = self.state.window_of(node, int(place[0]))
        extent = self.section.extent(around)
        assert extent is not None  # it is around a node of the plane
        rows, columns = extent
        width, height = columns.stop - columns.start, rows.stop - rows.start
        return QRectF(columns.start, rows.start, width, height)

    def _marked_at(self) -> Place:
        """Return the pixel in the middle of the requested window: the last one pinned."""
        height, width = self.canvas.shape
        # Those of the picture before may still be there.
        pinned = [at for _, at, _ in self._pin_texts if at[0] < height and at[1] < width]
        return pinned[-1] if pinned else (height // 2, width // 2)

    def _place_window(self, point: QPointF) -> None:
        """Emit the half-width that reaches a point, in columns and rows."""
        row, column = self._marked_at()
        reach = max(abs(point.x() - column - 0.5), abs(point.y() - row - 0.5))
        self.placed.emit((float(math.floor(reach + 0.5)),))

    def describe(self) -> None:
        """Add the pins to the description; with the focus, describe the pixel of the arrow keys."""
        super().describe()
        if self.canvas.hasFocus() and self.inspection is not None:
            self._describe_pixel(self.inspection)
        elif self.pins:
            shown = self.canvas.accessibleDescription()
            self.canvas.setAccessibleDescription(f"{words.pins(self.pins)} {shown}")

    def _describe_pixel(self, found: Inspection) -> None:
        self.canvas.setAccessibleDescription(words.pixel(found, self.pins))

    def draw_frame(self) -> None:
        """Mark the inspected pixel, which may have come while the view could not be drawn."""
        self.draw_inspection()

    def _hover(self, place: Place | None) -> None:
        self.hovered.emit(None if place is None else self.section.node(place))

    def _pick(self, place: Place) -> None:
        """Highlight the state of a pixel."""
        if self.frame is not None and self._is_known(place):
            axes = (np.array([at]) for at in self.section.node(place))
            state = int(self.frame.states_at(*axes)[0])
            self.picked.emit(StateSelection(self.frame.slots[state]))

    def _is_known(self, place: Place) -> bool:
        known = None if self.picture is None else self.picture.known
        return known is None or bool(known[self.section.node(place)])

    def draw_theme(self) -> None:
        """Restyle the ground."""
        self.canvas.draw_theme(self.theme)
        for item in (self.curves, self.unknown):
            item.draw_theme(self.theme)

    def draw_inspection(self) -> None:
        """Outline the inspected pixel's clipped window, or only the pixel in that of a pin."""
        found, section, unknown = self.inspection, self.section, self.unknown_node
        extent = None if found is None else section.extent(found.window)
        at = None if unknown is None else section.place(unknown)
        if at is not None:  # so that the arrow keys go on from there
            rows, columns = (slice(k, k + 1) for k in at)
            self.canvas.mark(rows, columns, at)
        elif found is None or extent is None:
            self.canvas.clear_mark()
        else:
            alone = self._is_in_window_of_pin(found)
            self.canvas.mark(*extent, section.place(found.node), alone=alone)
            if self.canvas.hasFocus():
                self._describe_pixel(found)
        self._draw_symbol()

    def _is_in_window_of_pin(self, found: Inspection) -> bool:
        """Return True if a pixel lies in the window of a pin, which has its own outline."""
        return any(
            all(
                side.start <= at < side.stop
                for at, side in zip(found.node, pin.window, strict=True)
            )
            for pin in self.pins
        )

    def _draw_symbol(self) -> None:
        """Darken the pixels of the inspected window that do not have the symbol."""
        frame, found, symbol = self.frame, self.inspection, self.pointer.symbol
        discrete = frame is not None and frame.observations.discrete
        extent = None if found is None else self.section.extent(found.window)
        there = discrete and extent is not None and symbol is not None
        self.symbol.setVisible(there)
        if frame is not None and extent is not None and there:
            window = self.section.plane(frame.observations.values)[extent]
            corner = extent[0].start, extent[1].start
            self.symbol.show_plane((window == symbol).view(np.uint8), LIGHT_AND_DARK, corner=corner)


class Registered(QObject):
    """Makes views show the same part of the picture, of one size, at the same place.

    They have one zoom and pan, and as much room below their pictures as the one that needs most.
    """

    # Sequences have one axis, below the last of them

    def __init__(self, views: Iterable[PictureView], parent: QObject) -> None:
        super().__init__(parent)
        self._views, self.lens = tuple(views), Lens()
        for view in self._views:
            view.canvas.share(self.lens)
            view.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Level the views when one appears, disappears, or changes its size or need."""
        if event is not None and event.type() in _LEVELLED_AT:
            self._level()
        return super().eventFilter(watched, event)

    def _level(self) -> None:
        shown = [view for view in self._views if view.isVisible()]
        # A sequence is shown as high as there is room, so that it needs no equal heights
        kept = [view.foot_height for view in shown if not view.canvas.ribbon]
        foot = max(kept, default=0)
        for view in shown:
            widths, heights = zip(*((v.width(), v.height()) for v in shown), strict=True)
            view.stand(foot, _excess(view.width(), widths), _excess(view.height(), heights))
            view.canvas.show_axis(view is shown[-1])  # ribbons are below each other


def _excess(extent: int, extents: Sequence[int]) -> int:
    """Return the margin that makes views of almost equal extent equal."""
    return extent - min(other for other in extents if abs(other - extent) <= NEAR)
