"""The scales of a state map as small pictures to click."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.engine.choosing.scales import NAMES, Scales, numbers
from latviz.engine.choosing.tradeoff import Map
from latviz.engine.settings.palette import coloured

_WIDEST, _SHARE = 150, 0.08
"""Pixels of a picture at most, and its share of the width of all."""
_FLATTEST = 4.0
"""The longest shape in which maps are drawn, one side by the other."""
_MARGIN, _ABOVE, _GAP = 10, 4, 6
"""Pixels beside and above a picture in its button, and between buttons."""
_APART = 4
"""Pixels between a picture and its name, which is at its right: room below is scarce."""


class ScalePictures(QWidget):
    """Fine, medium and coarse: each the exact state map of its w."""

    # Their room stays while they are unknown: otherwise a slider next to them would move under the
    # hand. They never enlarge the window, and are hidden if it is too narrow
    window_wanted = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.buttons = [QToolButton(self) for _ in NAMES]
        row = layouts.row(of=self)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.setSpacing(_GAP)
        self._windows, self._window = [0] * len(NAMES), 0
        self._maps: list[Map] = []
        self._colors = np.zeros((0, 3), np.uint8)
        self._shape, self._n_shown, self._wanted = (1, 1), 0, 0
        for k, (button, name) in enumerate(zip(self.buttons, NAMES, strict=True)):
            button.setAccessibleName(name)
            button.setToolTip(f"The {name.lower()} scale of the state map")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.clicked.connect(partial(self._go, k))
            button.hide()
            row.addWidget(button)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Ignored)

    def sizeHint(self) -> QSize:
        """Ask for room for all."""
        return QSize(self._wanted, 0)

    def minimumSizeHint(self) -> QSize:
        """Ask for none."""
        return QSize(0, 0)

    def show_shape(self, shape: tuple[int, int]) -> None:
        """Keep room for maps of these rows and columns."""
        if shape != self._shape:
            self._shape = shape
            self.draw()

    def show_scales(self, scales: Scales | None, window: int, colors: NDArray[np.uint8]) -> None:
        """Show the plateaus' middles in the colours of the states; nothing before all are known."""
        self._window = window
        named = () if scales is None else scales.named()
        maps = [] if scales is None else [(scales.maps or {})[one.middle] for _, one in named]
        self._n_shown = len(named)
        for k, (name, plateau) in enumerate(named):
            button, self._windows[k] = self.buttons[k], plateau.middle
            button.setText(f"{name}\nw = {plateau.middle}")
            button.setChecked(window == plateau.middle)
            button.setAccessibleName(f"{name}: w = {plateau.middle}, {numbers(plateau)}")
            button.setToolTip(
                f"{numbers(plateau)} from w = {plateau.first} to {plateau.last}: "
                f"go to w = {plateau.middle}, in the middle"
            )
        self._show_buttons()
        if not (self._has(maps) and np.array_equal(colors, self._colors)):
            self._maps, self._colors = maps, colors
            self.draw()

    def _has(self, maps: list[Map]) -> bool:
        pairs = zip(maps, self._maps, strict=False)
        return len(maps) == len(self._maps) and all(a is b for a, b in pairs)

    def _go(self, k: int) -> None:
        self.window_wanted.emit(self._windows[k])
        self.buttons[k].setChecked(self._window == self._windows[k])  # a click turns it over

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Draw them as large as there is room."""
        super().resizeEvent(event)
        self.draw()

    def draw(self) -> None:
        """Draw them as large as there is room, and keep that."""
        size = self._size()
        names = max(self.fontMetrics().horizontalAdvance(text) for text in (*NAMES, "w = 20"))
        width = size.width() + _APART + names + 2 * _MARGIN
        wanted = len(NAMES) * width + (len(NAMES) - 1) * _GAP
        if wanted != self._wanted:
            self._wanted = wanted
            self.updateGeometry()
        for button, small in zip(self.buttons, self._maps, strict=False):
            pixels = np.full((*small.shape, 4), 255, np.uint8)
            pixels[..., :3] = coloured(small, self._colors)
            scaled = pixmap_of(pixels).scaled(size, transformMode=_mode(small, size))
            button.setIcon(QIcon(scaled))
            button.setIconSize(size)
            button.setFixedWidth(width)
        self._show_buttons()

    def _show_buttons(self) -> None:
        has_room = self.width() >= self._wanted
        for k, button in enumerate(self.buttons):
            button.setVisible(has_room and k < self._n_shown)

    def _size(self) -> QSize:
        """Return the size of a picture."""
        (rows, columns), around = self._shape, self.parentWidget() or self
        aspect = min(max(columns / rows, 1 / _FLATTEST), _FLATTEST)
        high = max(16, self.height() - 2 * _ABOVE)
        widest = max(24, min(_WIDEST, round(_SHARE * around.width()), round(high * aspect)))
        return QSize(widest, max(8, round(widest / aspect)))


def _mode(small: Map, size: QSize) -> Qt.TransformationMode:
    """Return the mode for scaling a map: the pixels of a tiny one stay sharp."""
    modes = Qt.TransformationMode
    shrinks = small.shape[1] >= size.width()
    return modes.SmoothTransformation if shrinks else modes.FastTransformation
