"""The lives of regions under the slider of w: over w, or over the cut of contrast."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QSizePolicy, QToolButton, QWidget

from latviz.app.views.spec import Cell, Rows
from latviz.app.widgets import layouts
from latviz.app.widgets.rivers import River, Rivers
from latviz.core import segmentation
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.cut_lives import LOWEST, share_of_cut
from latviz.engine.geometry.region_cut import CONTRAST, Measure
from latviz.engine.settings.parameters import WINDOW_RANGE

CUTS = (0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5)
"""The cuts that are written below."""
_AXES: tuple[tuple[Measure, str, str], ...] = (
    ("contrast", "cut", "Regions as the cut of contrast grows: for photographs"),
    ("evidence", "w", "Regions of the state map as w grows: for noisy pictures"),
)


class LivesRow(QWidget):
    """The switch between both axes, and the river map of one."""

    axis_wanted = pyqtSignal(str)  # the measure of regions
    window_wanted = pyqtSignal(int)
    cut_wanted = pyqtSignal(float)

    def __init__(self, ends: Callable[[], tuple[float, float]]) -> None:
        # ends() are the pixels of the slider's least and greatest w, from the river's left
        super().__init__()
        self._ends, self.most = ends, WINDOW_RANGE[1]
        self.axis: Measure = "evidence"
        self.rivers = Rivers(self._x_of, self._value_at)
        self.rivers.value_wanted.connect(self._set)
        self.buttons: dict[Measure, QToolButton] = {}
        for measure, text, tip in _AXES:
            button = self.buttons[measure] = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(f"Lives over {text}")
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _, measure=measure: self._want(measure))
        switch = layouts.column(0, *self.buttons.values(), 0, spacing=0)
        layouts.row(switch, (self.rivers, 1), of=self, spacing=4)

    def show_axis(self, axis: Measure) -> None:
        """Show lives over w or over the cut."""
        self.axis = axis
        for measure, button in self.buttons.items():  # no group, of which Tab reaches one alone
            button.setChecked(measure == axis)

    def _want(self, axis: Measure) -> None:
        self.show_axis(self.axis)
        self.axis_wanted.emit(axis)

    def _x_of(self, value: float) -> float:
        first, last = self._ends()
        if self.axis == "contrast":
            return first + float(share_of_cut(value)) * (last - first)
        return first + float(np.log1p(value) / np.log1p(self.most)) * (last - first)

    def _value_at(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        first, last = self._ends()
        share = (x - first) / max(1.0, last - first)
        inside = (share >= 0) & (share <= 1)
        if self.axis == "contrast":
            found = LOWEST * (CONTRAST[1] / LOWEST) ** share
        else:
            found = np.expm1(share * np.log1p(self.most))
        return np.where(inside, found, np.nan)

    def _set(self, value: float) -> None:
        if self.axis == "contrast":
            self.cut_wanted.emit(round(value, 4))
        else:
            self.window_wanted.emit(round(value))


def colors_of(lives: "segmentation.lives.Lives", frame: Frame) -> NDArray[np.uint8]:
    """Return the colour of each life: the mean of its pixels, or that of its state."""
    if lives.states is not None and not frame.request.looks.mean_colors:
        return frame.colors[np.minimum(lives.states, len(frame.colors) - 1)]
    return np.rint(lives.means[:, 1:]).astype(np.uint8)


def river_over_windows(lives: "segmentation.lives.Lives", frame: Frame) -> River:
    """Return lives as they are drawn over w; the slider above has its numbers."""
    return River(lives, colors_of(lives, frame), "w", lambda w: f"w = {w:.0f}")


def river_over_cuts(lives: "segmentation.lives.Lives", frame: Frame) -> River:
    """Return lives as they are drawn over the cut."""
    return River(lives, colors_of(lives, frame), "cut", lambda cut: f"a cut of {cut:.2g}", CUTS)


def river_rows(river: River) -> Rows:
    """Return a row for each life: its number, its largest share, its ends, and what takes it."""
    lives = river.lives
    most = np.zeros(len(lives))
    np.maximum.at(most, lives.whose, lives.areas)
    head: list[Cell] = [
        "Region",
        "Largest share",
        f"From {river.name}",
        f"To {river.name}",
        "Taken by",
    ]
    return [
        head,
        *(
            [
                k + 1,
                float(most[k]),
                float(start) if np.isfinite(start) else "",
                float(end) if np.isfinite(end) else "",
                int(into) + 1 if into >= 0 else "",
            ]
            for k, (start, end, into) in enumerate(
                zip(lives.starts, lives.ends, lives.into, strict=True)
            )
        ),
    ]
