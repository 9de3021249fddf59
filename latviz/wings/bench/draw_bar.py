"""Drawing a fixed truth: the brush, its size, and strokes on the experiment."""

import numpy as np
from PyQt6.QtCore import QSize
from PyQt6.QtGui import QIcon, QPixmap
from PyQt6.QtWidgets import QButtonGroup, QLabel, QToolButton, QWidget

from latviz.app.look.theme import Theme, to_colors
from latviz.app.panels.parameter_controls import NumberControl
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.paint_canvas import PaintCanvas
from latviz.app.widgets.shortcuts import keyed
from latviz.core.types import States
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.scribbles import BRUSHES, Node, stroked
from latviz.wings.bench.document import BenchDocument
from latviz.wings.bench.drawn import filled, packed
from latviz.wings.bench.experiment import STATES_RANGE, Experiment

BRUSH = 9
_SIDE = 18
KEYS = keyed(
    "On the truth: `Space` or `Enter` paints, digits choose a brush, `[` and `]` its size, `F` "
    "fills regions."
)


class DrawBar(QWidget):
    """A brush for each state, the size, filling, clearing; what it draws on the paper is set."""

    def __init__(self, document: BenchDocument, paper: PaintCanvas) -> None:
        super().__init__()
        self._document, self._paper = document, paper
        self._stroke, self._last = object(), (0, 0)
        self._states: States | None = None
        self._make_parts()
        self.size_.set_value(BRUSH)
        self.brushes[0].setChecked(True)
        self._show_experiment(document.value)
        self.hide()
        document.value_changed.connect(self._show_experiment)
        paper.pressed.connect(self.press)
        paper.moved.connect(self.move_to)
        paper.released.connect(self.release)
        paper.dabbed.connect(self.dab)
        paper.picked.connect(self.pick)
        paper.widened.connect(lambda more: self.size_.set_value(self.size_.value + more))
        paper.toggled.connect(self.fill.toggle)

    def _make_parts(self) -> None:
        self.brushes = [QToolButton() for _ in range(STATES_RANGE[1])]
        self._group = QButtonGroup(self)
        for state, brush in enumerate(self.brushes):
            brush.setCheckable(True)
            brush.setIconSize(QSize(_SIDE, _SIDE))
            brush.setAccessibleName(f"Brush of state {state + 1}")
            brush.setToolTip(f"Paint state {state + 1} (key {state + 1} on the truth)")
            self._group.addButton(brush, state)
        self.size_ = NumberControl(BRUSHES, 0, "Brush size")
        self.size_.set_tool_tip("Width of the brush in pixels ([ and ] on the truth)")
        self.size_.slider.setMinimumWidth(60)
        self.size_.setMaximumWidth(190)
        self.fill = small_button("F&ill", "Fill whole regions instead of painting (F on the truth)")
        self.fill.setCheckable(True)
        self.clear = small_button("C&lear", "Paint the whole truth with this brush")
        self.clear.clicked.connect(self._clear)
        parts = (*self.brushes, self.size_, self.fill, self.clear)
        layouts.row(QLabel("Brush"), *parts, 1, of=self, spacing=4)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        colors = to_colors(state_colors(tuple(range(len(self.brushes)))))
        for k, (brush, color) in enumerate(zip(self.brushes, colors, strict=True)):
            swatch = QPixmap(2 * _SIDE, 2 * _SIDE)
            swatch.setDevicePixelRatio(2.0)
            swatch.fill(theme.color("panel"))
            with painting_on(swatch) as painter:
                painter.setFont(p.scaled(self.font()))
                place = swatch.rect().toRectF()
                place.setSize(place.size() / 2)
                p.draw_swatch(painter, place, color, str(k + 1), theme)
            brush.setIcon(QIcon(swatch))

    def draw(self, drawing: bool) -> None:
        """Start drawing, or stop."""
        self.setVisible(drawing)
        self._paper.set_drawing(drawing)

    @property
    def state(self) -> int:
        """The state that the brush paints."""
        return self._group.checkedId()

    def pick(self, state: int) -> None:
        """Paint another state, if there is one of this number."""
        if 0 <= state < self._document.value.n_states:
            self.brushes[state].setChecked(True)

    def _show_experiment(self, experiment: Experiment) -> None:
        """Offer brushes of N states."""
        for state, brush in enumerate(self.brushes):
            brush.setVisible(state < experiment.n_states)
        self.pick(min(self.state, experiment.n_states - 1))

    # Strokes

    def press(self, node: Node) -> None:
        """Begin a stroke at a pixel, or fill its region."""
        truth = self._document.truth
        if truth is None:
            return
        self._stroke, self._states, self._last = object(), truth, node
        if self.fill.isChecked():
            self._set(filled(truth, node, self.state))
            self.release()
        else:
            self.move_to(node)

    def move_to(self, node: Node) -> None:
        """Continue the stroke."""
        if self._states is not None:
            size = int(self.size_.value)
            self._set(stroked(self._states, self._last, node, size, self.state))
            self._last = node

    def release(self) -> None:
        """End the stroke."""
        self._states = None

    def dab(self, node: Node) -> None:
        """Paint, or fill, at one pixel."""
        self.press(node)
        self.release()

    def _clear(self) -> None:
        truth = self._document.truth
        if truth is not None:
            self._stroke = object()
            self._set(np.full_like(truth, self.state))
            self.release()

    def _set(self, states: States) -> None:
        self._states = states
        self._document.set("Draw", self._stroke, field="drawn", drawn=packed(states))
