"""One of several state maps side by side: a canvas, a caption and a button to remove it."""

import math

import numpy as np
from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QContextMenuEvent, QEnterEvent, QFocusEvent, QKeyEvent
from PyQt6.QtWidgets import QFrame, QMenu, QWidget

from latviz.app.look.theme import Theme
from latviz.app.views.states.marks import UnknownItem
from latviz.app.views.states.overlays import covered, sampled
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.buttons import cross
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.raster import RasterItem
from latviz.app.widgets.shortcuts import DELETE, keyed, with_keys
from latviz.core import digits
from latviz.core.digits import ErrorScale
from latviz.engine.choosing.cells import Cell
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.frames.section import Section
from latviz.engine.settings.state import State

LEAST = 96
"""Pixels of the screen that a map is wide and high, at least."""


class StatesItem(RasterItem):
    """The states in view, at the resolution of the screen."""

    # Of a large picture every second pixel, or fourth, and so on, so that the time does not depend
    # on its size

    def show_states(self, frame: Frame, canvas: Canvas) -> None:
        """Draw the states in view; the frame's states are those of the plane."""
        step = 1 << max(0, math.floor(math.log2(1 / canvas.scale_factor)))
        part = sampled(frame, canvas.region, step)
        if part.states.size == 0:
            self.clear()
            return
        colors = frame.colors
        table = np.zeros((256, 3), dtype=np.uint8)
        table[: len(colors)] = colors
        self.setImage(part.states, autoLevels=False, levels=(0, 255), lut=table)
        self.setRect(covered(part.states.shape, part.step, (part.row, part.column)))


def captions_of(place: Place, cell: Cell | None, scale: ErrorScale) -> list[str]:
    """Return N and w, the accuracy, and the code length, as far as known.

    The longest is first; shorter ones omit some.
    """
    parts = [f"N {place[0]} · w {place[1]}"]
    if cell is not None and cell.accuracy is not None:
        parts.append(digits.share(cell.accuracy))
    if cell is not None and cell.bits is not None:
        parts.append(scale.short(cell.bits).replace(" bits", "\N{NO-BREAK SPACE}bits"))
    return [" · ".join(parts[:n]) for n in range(len(parts), 0, -1)]


def description_of(place: Place, cell: Cell | None, scale: ErrorScale) -> str:
    """Return the same in words."""
    parts = [f"N = {place[0]}, w = {place[1]}"]
    if cell is not None and cell.accuracy is not None:
        parts.append(f"accuracy {digits.share(cell.accuracy)}")
    if cell is not None and cell.bits is not None:
        parts.append(scale.text(cell.bits))
    return ", ".join(parts)


class CellWidget(QFrame):
    """The state map of an N and w."""

    wanted = pyqtSignal()  # set its N and w
    kept = pyqtSignal()  # make it the reference
    removed = pyqtSignal()  # remove it
    hovered = pyqtSignal(object)  # (row, column) under the pointer, or None

    def __init__(self, lens: Lens, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("cell")
        self.place: Place = (1, 0)
        self.cell: Cell | None = None
        self._look: Frame | None = None
        self._section = Section()
        self.canvas = Canvas(self)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.setMinimumSize(LEAST, LEAST)
        self.canvas.share(lens)
        self.states = StatesItem()
        self.canvas.add_layer(self.states, 0)
        self.unknown = UnknownItem(self.canvas)
        self.canvas.add_layer(self.unknown, 1)
        self.caption = ElidedLabel()
        self.close_button = cross(with_keys("Remove this state map", DELETE), "Remove")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = self.close_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # else the map would move below the pointer
        self.close_button.setSizePolicy(policy)
        self._is_removable = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self._add_menu()
        self.close_button.clicked.connect(self.removed)
        self.canvas.clicked.connect(lambda _: self.wanted.emit())
        self.canvas.hovered.connect(self.hovered)
        self.canvas.viewed.connect(self._draw)

    def _lay_out(self) -> None:
        top = layouts.row((self.caption, 1), self.close_button, margins=(4, 0, 0, 0))
        layouts.column(top, (self.canvas, 1), of=self, margins=(3, 2, 3, 3), spacing=1)

    def _add_menu(self) -> None:
        """Add a menu for a right click, or the menu key."""
        for text, signal in (
            ("Set N and w", self.wanted),
            ("Keep as reference", self.kept),
            ("Remove", self.removed),
        ):
            action = QAction(text, self)
            action.triggered.connect(signal)
            self.addAction(action)

    def contextMenuEvent(self, event: QContextMenuEvent | None) -> None:
        """Offer the actions of the map."""
        # Qt's own menu of a widget's actions runs a loop of events in the widget, and an action
        # here may delete the widget
        assert event is not None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.actions())
        menu.popup(event.globalPos())

    def show_place(self, place: Place, is_set: bool, is_removable: bool) -> None:
        """Show an N and w, which may be the current setting."""
        self.place = place
        self.setProperty("current", is_set)
        self._is_removable = is_removable
        self._show_cross()
        name = f"State map of N = {place[0]}, w = {place[1]}"
        self.setAccessibleName(f"{name}, which is set" if is_set else name)
        self.close_button.setAccessibleName(f"Remove {name[:1].lower()}{name[1:]}")
        if (style := self.style()) is not None:
            style.polish(self)

    def show_cell(
        self,
        cell: Cell | None,
        look: Frame | None,
        section: Section,
        ribbon: bool,
        waits: bool,
        scale: ErrorScale,
    ) -> None:
        """Draw a decoding, or none while it is computed, or was stopped.

        ``look`` is its frame in the colours to draw it in.
        """
        self.cell, self._look, self._section = cell, look, section
        self.canvas.set_shape(section.shape, ribbon=ribbon)
        known = None if look is None else look.request.picture.known
        self.unknown.show_known(None if known is None else section.plane(known))
        note = "" if cell is not None else " · decoding …" if waits else " · not decoded"
        self.caption.show_text(*(text + note for text in captions_of(self.place, cell, scale)))
        description = description_of(self.place, cell, scale)
        how = keyed("`Enter` sets its N and w, `Del` removes it.")
        self.setAccessibleDescription(f"{description}{note}. {how}")
        self.setToolTip(
            f"{description}. Click to set N and w; right-click to keep the map as reference."
        )
        self._draw()

    def mark(self, inspection: Inspection | None, state: State) -> None:
        """Outline the window of this w around the inspected pixel, or nothing."""
        picture = state.picture
        if inspection is None or picture is None or len(inspection.node) != picture.dimensions:
            self.canvas.clear_mark()
            return
        extent = self._section.extent(state.window_of(inspection.node, self.place[1]))
        if extent is None:
            self.canvas.clear_mark()
        else:
            self.canvas.mark(*extent, self._section.place(inspection.node))

    def draw_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.canvas.draw_theme(theme)
        self.unknown.draw_theme(theme)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Take N and w on Enter; take the map away on Delete."""
        if keys.is_enter(event):
            self.wanted.emit()
        elif keys.is_delete(event):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent | None) -> None:
        """Offer to take the map away."""
        super().enterEvent(event)
        self._show_cross()

    def leaveEvent(self, event: QEvent | None) -> None:
        """Offer it no longer."""
        super().leaveEvent(event)
        self._show_cross()

    def focusInEvent(self, event: QFocusEvent | None) -> None:
        """Offer it."""
        super().focusInEvent(event)
        self._show_cross()

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Offer it no longer."""
        super().focusOutEvent(event)
        self._show_cross()

    def _show_cross(self) -> None:
        """Show the cross where the pointer or the keyboard is."""
        is_here = self.underMouse() or self.hasFocus()
        self.close_button.setVisible(self._is_removable and is_here)

    def _draw(self) -> None:
        there = self._look is not None and self.canvas.shape != (0, 0)
        self.states.setVisible(there)
        if self._look is not None and there:
            self.states.show_states(self._section.frame(self._look), self.canvas)
