"""The bar of drawing tools: brushes, fill and the rest."""

from PyQt6.QtCore import QSize
from PyQt6.QtGui import QIcon, QPixmap
from PyQt6.QtWidgets import QButtonGroup, QLabel, QToolButton, QWidget

from latviz.app.benches.laboratory.easel import Easel
from latviz.app.look.theme import LIGHT, Theme, to_colors
from latviz.app.panels.controls import NumberControl
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.benches.laboratory import STATES_RANGE
from latviz.engine.settings.drawn import BRUSHES
from latviz.engine.settings.palette import state_colors

_SIDE = 18
KEYS = keyed(
    "On the truth: `Space` or `Enter` paints, digits choose a brush, `[` and `]` its size, `F` "
    "fills regions."
)


class DrawBar(QWidget):
    """A brush for each state, the size, filling, clearing; shown while the user draws."""

    def __init__(self, easel: Easel) -> None:
        super().__init__()
        self._easel, self._theme = easel, LIGHT
        self.brushes = [QToolButton() for _ in range(STATES_RANGE[1])]
        self._group = QButtonGroup(self)
        for state, brush in enumerate(self.brushes):
            brush.setCheckable(True)
            brush.setIconSize(QSize(_SIDE, _SIDE))
            brush.setAccessibleName(f"Brush of state {state + 1}")
            brush.setToolTip(f"Paint state {state + 1} (key {state + 1} on the truth)")
            brush.clicked.connect(lambda _, state=state: easel.pick(state))
            self._group.addButton(brush)
        self.size_ = NumberControl(BRUSHES, 0, "Brush size")
        self.size_.set_tool_tip("Width of the brush in pixels ([ and ] on the truth)")
        self.size_.slider.setMinimumWidth(60)
        self.size_.setMaximumWidth(190)
        self.fill = small_button("F&ill", "Fill whole regions instead of painting (F on the truth)")
        self.fill.setCheckable(True)
        self.clear = small_button("C&lear", "Paint the whole truth with this brush")
        parts = (*self.brushes, self.size_, self.fill, self.clear)
        layouts.row(QLabel("Brush"), *parts, 1, of=self, spacing=4)
        self.size_.changed.connect(lambda size: easel.set_size(int(size)))
        self.fill.toggled.connect(easel.fill)
        self.clear.clicked.connect(easel.clear)
        easel.changed.connect(self.show_easel)
        self.show_easel()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
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

    def show_states(self, n_states: int) -> None:
        """Offer brushes of N states."""
        for state, brush in enumerate(self.brushes):
            brush.setVisible(state < n_states)

    def show_easel(self) -> None:
        """Show the current tool."""
        easel = self._easel
        self.setVisible(easel.drawing)
        self.brushes[easel.state].setChecked(True)
        self.size_.set_value(easel.size)
        self.fill.setChecked(easel.filling)
