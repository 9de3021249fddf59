"""State maps of several N and w side by side, with one zoom and one cursor."""

import math
from collections.abc import Mapping
from typing import Self

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QWidget

from latviz.app.views.base import View
from latviz.app.views.multiples.cell import CellWidget, description_of
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.shortcuts import keyed
from latviz.core.digits import ErrorScale
from latviz.engine.choosing.cells import Cell, cells_of, drawn, scale_of
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import State

_GAP = 6
_CAPTION = 24
"""Approximate height above the map of a cell, in pixels."""


class MultiplesView(View):
    """A grid of state maps; it fills in while the program is idle."""

    TITLE = "Side by side"
    COVERED = False
    SIZE = (900, 300)
    KEYS = keyed("`Tab` moves from map to map; `Enter` sets N and w, `Del` removes a map.")

    wanted = pyqtSignal(object)  # (N, w) to set
    kept = pyqtSignal(object)  # the decoding to make A
    removed = pyqtSignal(object)  # (N, w) to remove

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._known: Mapping[Place, Cell] = {}
        self._picture: Picture | None = None
        self._waits, self._columns = False, 1
        self.lens = Lens()
        self.widgets: list[CellWidget] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(_GAP, _GAP, _GAP, _GAP)
        self._grid.setSpacing(_GAP)
        self.setMinimumSize(240, 160)
        self.take_keyboard(self)

    @property
    def places(self) -> tuple[Place, ...]:
        """The N and w that are shown, in order."""
        return cells_of(self.state)

    @property
    def cells(self) -> dict[Place, Cell]:
        """The decoded cells on screen."""
        return {place: self._known[place] for place in self.places if place in self._known}

    @property
    def scale(self) -> ErrorScale:
        """How the prediction errors on screen are shown."""
        return scale_of(self.cells.values())

    def in_words(self, frame: Frame) -> str:
        """Return the scores of each N and w."""
        del frame
        each = (description_of(place, self._known.get(place), self.scale) for place in self.places)
        return "; ".join(each) + "."

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the same decodings, without buttons."""
        self._known, self._picture = shown._known, shown._picture
        super().show_as_figure(shown, scale)
        self._show_cells()
        for widget in self.widgets:
            widget.close_button.hide()
        self._arrange()

    def show_picture(self, picture: Picture) -> None:
        """Take another picture; the decodings of the last one are taken away."""
        super().show_picture(picture)
        self._picture, self._known = picture, {}
        if not self.isVisible():
            self._have(0)  # they are made again when they become visible
        self._refresh_cells()

    def show_known(self, known: Mapping[Place, Cell], waits: bool) -> None:
        """Take the decoded cells; ``waits`` if more will follow."""
        self._known, self._waits = dict(known), waits
        self._refresh_cells()
        self.describe()

    def show_state(self, state: State) -> None:
        """Take which N and w stand side by side, and which are set."""
        before = self.state
        super().show_state(state)
        if _drawn_of(before) != _drawn_of(state):
            self._refresh_cells()

    def draw_frame(self) -> None:
        """Show the cells, which may have arrived while the view was hidden."""
        self._show_cells()

    def draw_theme(self) -> None:
        """Restyle the grounds."""
        for widget in self.widgets:
            widget.draw_theme(self.theme)

    def draw_inspection(self) -> None:
        """Outline the window of each w around the inspected pixel."""
        for widget in self.widgets:
            widget.mark(self.inspection, self.state)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Make maps as large as their room."""
        super().resizeEvent(event)
        self._arrange()

    def _refresh_cells(self) -> None:
        if self.isVisible():
            self._show_cells()
        else:
            self._stale = True

    def _show_cells(self) -> None:
        picture, now = self._picture, self.state.parameters
        shape = (0, 0) if picture is None else picture.shape
        section = Section(shape, self.state.slice)
        ribbon = picture is not None and picture.is_ribbon
        places = self.places if picture is not None else ()
        self._have(len(places))
        scale = self.scale
        for widget, place in zip(self.widgets, places, strict=True):
            is_set = place == (now.n_states, now.window)
            widget.show_place(place, is_set, len(places) > 1 and not self.is_figure)
            cell = self._known.get(place)
            look = None if cell is None or self.frame is None else drawn(cell, self.frame)
            waits = self._waits or self.frame is None
            widget.show_cell(cell, look, section, ribbon, waits, scale)
        self._arrange()  # the picture may have another shape now
        self.draw_inspection()

    def _have(self, count: int) -> None:
        """Make or remove widgets until there are ``count``."""
        if count == len(self.widgets):
            return
        while len(self.widgets) > count:
            widget = self.widgets.pop()
            self.lens.remove(widget.canvas)
            widget.setParent(None)
            widget.deleteLater()
        while len(self.widgets) < count:
            widget = CellWidget(self.lens, self)
            widget.wanted.connect(lambda one=widget: self.wanted.emit(one.place))
            widget.kept.connect(lambda one=widget: self._keep(one))
            widget.removed.connect(lambda one=widget: self.removed.emit(one.place))
            widget.hovered.connect(self._hover)
            widget.draw_theme(self.theme)
            # Tab comes here from the map before, not after all widgets made earlier.
            self.setTabOrder(self.widgets[-1] if self.widgets else self, widget)
            self.widgets.append(widget)
            widget.show()
        self._columns = 0
        self._arrange()

    def _keep(self, widget: CellWidget) -> None:
        if widget.cell is not None:
            self.kept.emit(widget.cell)

    def _hover(self, place: Place | None) -> None:
        shape = () if self._picture is None else self._picture.shape
        section = Section(shape, self.state.slice)
        self.hovered.emit(None if place is None else section.node(place))

    def _arrange(self) -> None:
        """Arrange the cells in the grid in which maps are largest."""
        count = len(self.widgets)
        if count == 0:
            return
        shape = self.widgets[0].canvas.shape
        columns = best_columns(count, (self.width(), self.height()), shape)
        if columns == self._columns:
            return
        self._columns = columns
        for k, widget in enumerate(self.widgets):
            self._grid.addWidget(widget, k // columns, k % columns)
        for k in range(max(self._grid.columnCount(), self._grid.rowCount())):
            self._grid.setColumnStretch(k, int(k < columns))
            self._grid.setRowStretch(k, int(k < -(-count // columns)))


def _drawn_of(state: State) -> tuple[object, ...]:
    """Return the parts of a state that the grid shows."""
    now = state.parameters
    return cells_of(state), state.slice, (now.n_states, now.window)


def best_columns(
    count: int,
    room: tuple[int, int],
    shape: tuple[int, int],
    around: tuple[int, int] = (2 * _GAP, 2 * _GAP + _CAPTION),
) -> int:
    """Return the number of columns in which ``count`` maps are largest."""
    # ``room`` is the width and height there is, ``around`` what each map needs beyond its own;
    # ``shape`` is the height and width of the picture; a sequence, of one row, is as wide as its
    # cell
    height, width = shape

    def scale(columns: int) -> float:
        rows = math.ceil(count / columns)
        wide = room[0] / columns - around[0]
        high = room[1] / rows - around[1]
        if height <= 1:
            return wide * min(high, 40.0)
        return min(wide / max(width, 1), high / height)

    return max(range(1, count + 1), key=lambda columns: (scale(columns), -columns))
