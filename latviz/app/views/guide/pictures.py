"""The scales of a state map as small pictures to click."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QResizeEvent
from PyQt6.QtWidgets import QSizePolicy, QToolButton, QWidget

from latviz.app.widgets.lifetimes import pixmap_of
from latviz.engine.choosing.scales import NAMES, Scales, numbers
from latviz.engine.choosing.tradeoff import Map
from latviz.engine.settings.palette import coloured

LEAST = 47
"""Pixels of the height of all, at least."""
_FLATTEST = 4.0
"""The longest shape in which maps are drawn, one side by the other."""
_MARGIN, _ABOVE, _APART = 10, 7, 4
"""Pixels beside a picture in its button, above and below together, and to its name."""


class ScalePictures(QWidget):
    """Fine, medium and coarse, at the left, in the middle and at the right."""

    # Each is the exact state map of its w. Their room stays while they are unknown: otherwise the
    # lives below would move under the hand. They are hidden where all do not fit
    window_wanted = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.buttons = [QToolButton(self) for _ in NAMES]
        self._windows, self._window = [0] * len(NAMES), 0
        self._maps: list[Map] = []
        self._places: list[int] = []
        self._colors = np.zeros((0, 3), np.uint8)
        self._shape = 1, 1
        for k, (button, name) in enumerate(zip(self.buttons, NAMES, strict=True)):
            button.setAccessibleName(name)
            button.setToolTip(f"The {name.lower()} scale of the state map")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.clicked.connect(partial(self._go, k))
            button.hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)

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
        self._places = [NAMES.index(name) for name, _ in named]
        for k, (name, plateau) in zip(self._places, named, strict=True):
            button, self._windows[k] = self.buttons[k], plateau.middle
            button.setText(f"{name}\nw = {plateau.middle}")
            button.setChecked(window == plateau.middle)
            button.setAccessibleName(f"{name}: w = {plateau.middle}, {numbers(plateau)}")
            button.setToolTip(
                f"{numbers(plateau)} from w = {plateau.first} to {plateau.last}: "
                f"go to w = {plateau.middle}, in the middle"
            )
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
        """Draw them as large as there is room: at the ends and in the middle."""
        taken = 2 * _MARGIN + _APART
        taken += max(self.fontMetrics().horizontalAdvance(text) for text in (*NAMES, "w = 888"))
        size = self._size(self.width() // len(NAMES) - taken)
        width = size.width() + taken
        for k, button in enumerate(self.buttons):
            left = round(k * (self.width() - width) / (len(NAMES) - 1))
            button.setGeometry(left, 0, width, self.height())
            button.setVisible(k in self._places and 2 * self.height() >= LEAST)
        for k, small in zip(self._places, self._maps, strict=True):
            pixels = np.full((*small.shape, 4), 255, np.uint8)
            pixels[..., :3] = coloured(small, self._colors)
            scaled = pixmap_of(pixels).scaled(size, transformMode=_mode(small, size))
            self.buttons[k].setIcon(QIcon(scaled))
            self.buttons[k].setIconSize(size)

    def _size(self, widest: int) -> QSize:
        """Return the size of a picture that has so much room beside its name."""
        rows, columns = self._shape
        aspect = min(max(columns / rows, 1 / _FLATTEST), _FLATTEST)
        high = max(8, self.height() - _ABOVE)
        width = min(widest, round(high * aspect))
        return QSize(width, max(8, round(width / aspect)))


def _mode(small: Map, size: QSize) -> Qt.TransformationMode:
    """Return the mode for scaling a map: the pixels of a tiny one stay sharp."""
    modes = Qt.TransformationMode
    shrinks = small.shape[1] >= size.width()
    return modes.SmoothTransformation if shrinks else modes.FastTransformation
