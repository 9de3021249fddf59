"""The laboratory's maps: truth, one observation, bias and variance, with one zoom and pan."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from latviz.app.laboratory.curves import pixel_text, share_text
from latviz.app.theme import LIGHT, Theme
from latviz.app.widgets import painting as p
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.heat import draw_table
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.lens import Lens
from latviz.engine.laboratory import Outcome
from latviz.engine.palette import state_colors

KEYS = (
    "Arrow keys point at a pixel, with Shift in larger steps; plus and minus zoom, Home shows all."
)
_SWATCH = 11.0
_GAP = 8
_HIGHEST = 440

Colors = NDArray[np.uint8]


class Key(QWidget):
    """What the colours of a map mean: a few of them by name, or a scale from one end to another."""

    def __init__(self) -> None:
        super().__init__()
        self._colors: Colors = np.zeros((0, 3), dtype=np.uint8)
        self._names: tuple[str, ...] = ()
        self._theme = LIGHT
        self.setFixedHeight(20)

    def show_names(self, colors: Colors, names: tuple[str, ...], theme: Theme) -> None:
        """Show what each colour means, or with two names for more colours a scale."""
        self._colors, self._names, self._theme = colors, names, theme
        self.update()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw swatches and names, or a bar between two names."""
        painter = QPainter(self)
        painter.setFont(p.scaled(self.font(), 0.9))
        room = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        if len(self._colors) > len(self._names):
            self._paint_scale(painter, room)
        else:
            self._paint_swatches(painter, room)
        painter.end()

    def _paint_scale(self, painter: QPainter, room: QRectF) -> None:
        low, high = self._names
        painter.setPen(self._theme.color("text"))
        painter.drawText(room, p.LEFT, low)
        painter.drawText(room, p.RIGHT, high)
        left, right = (p.text_width(painter.font(), name) + 6 for name in self._names)
        bar = QRectF(0, 0, room.width() - left - right, _SWATCH - 2)
        bar.moveTo(room.left() + left, room.center().y() - bar.height() / 2)
        draw_table(painter, bar, self._colors[None])
        painter.setPen(self._theme.color("line"))
        painter.drawRect(bar)

    def _paint_swatches(self, painter: QPainter, room: QRectF) -> None:
        step = room.width() / max(1, len(self._names))
        for k, (rgb, name) in enumerate(zip(self._colors, self._names, strict=True)):
            cell = QRectF(room.left() + k * step, room.top(), step, room.height())
            swatch = QRectF(cell.left(), cell.center().y() - _SWATCH / 2, _SWATCH, _SWATCH)
            draw_table(painter, swatch, rgb[None, None])
            painter.setPen(self._theme.color("line"))
            painter.drawRect(swatch)
            painter.setPen(self._theme.color("text"))
            painter.drawText(cell.adjusted(_SWATCH + 4, 0, 0, 0), p.LEFT, name)


class MapPanel(QWidget):
    """A title, a map that can be zoomed, and what its colours mean."""

    spacing = 3

    def __init__(self, title: str, tip: str) -> None:
        super().__init__()
        self._title = title
        self.title = QLabel(title)
        self.title.setToolTip(tip)
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.canvas = Canvas()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setMinimumSize(120, 120)
        self.canvas.setAccessibleName(title)
        self.canvas.setToolTip(tip)
        self.layer = Layer(self.canvas)
        self.canvas.add_layer(self.layer, 0)
        self.key = Key()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.spacing)
        for part, stretch in ((self.title, 0), (self.canvas, 1), (self.key, 0)):
            layout.addWidget(part, stretch)

    def show_plane(self, plane: Colors, colors: Colors, note: str = "") -> None:
        """Show a map, (side, side) uint8 in colours of a table, and a note in the title."""
        self.canvas.set_shape((plane.shape[0], plane.shape[1]))
        self.layer.show_plane(plane, colors)
        self.title.setText(f"{self._title} · {note}" if note else self._title)


class Maps(QWidget):
    """Shows an outcome's maps for one window, and the window around the pixel pointed at.

    Signals
    -------
    hovered(object)
        The (row, column) under the pointer, or that arrow keys led to, or None.
    """

    hovered = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self._theme, self._window = LIGHT, 0
        self._outcome: Outcome | None = None
        self._node: tuple[int, int] | None = None
        self.truth = MapPanel("Truth", "The true states")
        self.observation = MapPanel("Observation", "The first of the noisy copies")
        self.bias = MapPanel(
            "Bias", "Where the commonest state over the copies is not the true one"
        )
        self.variance = MapPanel(
            "Variance", "The share of copies whose state differs from the commonest one"
        )
        self.panels = (self.truth, self.observation, self.bias, self.variance)
        self.lens = Lens()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_GAP)
        for panel in self.panels:
            layout.addWidget(panel, 1)
            panel.canvas.hovered.connect(self.hovered)
            panel.canvas.share(self.lens)
        self._describe()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Be as high as square maps are, up to some limit."""
        super().resizeEvent(event)
        n, panel = len(self.panels), self.truth
        around = panel.title.sizeHint().height() + panel.key.height() + 2 * panel.spacing
        self.setFixedHeight(min((self.width() - (n - 1) * _GAP) // n, _HIGHEST) + around)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for panel in self.panels:
            panel.canvas.draw_theme(theme)
        self._draw()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what is known now."""
        self._outcome = outcome
        self._draw()

    def show_window(self, window: int) -> None:
        """Show the maps of another window."""
        self._window = window
        self._draw_errors()

    def show_node(self, node: tuple[int, int] | None) -> None:
        """Outline the window of a pixel in all maps, or none."""
        self._node = node
        self._mark()
        self._describe()

    def _draw(self) -> None:
        if self._outcome is not None:
            self._draw_field(self._outcome)
            self._draw_errors()

    def _draw_field(self, outcome: Outcome) -> None:
        n = outcome.experiment.n_states
        colors = state_colors(tuple(range(n)))
        numbers = tuple(str(k + 1) for k in range(n))
        self.truth.show_plane(outcome.truth, colors)
        self.truth.key.show_names(colors, numbers, self._theme)
        if outcome.observation.dtype == np.uint8:
            self.observation.show_plane(outcome.observation, colors)
            self.observation.key.show_names(colors, numbers, self._theme)
        else:
            grey, ends = as_grey(outcome.observation[..., 0])
            ramp = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
            self.observation.show_plane(grey, ramp)
            self.observation.key.show_names(ramp, ends, self._theme)

    def _draw_errors(self) -> None:
        outcome, table = self._outcome, self._theme.heat_table()
        k = None if outcome is None else outcome.index_of(self._window)
        if outcome is None or k is None:
            return
        r, two = outcome.result, table[[0, -1]]
        self.bias.show_plane(r.bias_maps[k].astype(np.uint8), two, share_text(r.bias[k]))
        self.bias.key.show_names(two, ("right", "wrong"), self._theme)
        most = 1.0 - 1.0 / outcome.experiment.n_states
        heat = np.rint(r.variance_maps[k] * (255.0 / most)).clip(0, 255).astype(np.uint8)
        self.variance.show_plane(heat, table, share_text(r.variance[k]))
        self.variance.key.show_names(table, ("0", share_text(most)), self._theme)
        self._mark()
        self._describe()

    def _mark(self) -> None:
        for panel in self.panels:
            if self._node is None or self._outcome is None:
                panel.canvas.clear_mark()
                continue
            side, w = self._outcome.experiment.side, self._window
            rows, columns = (slice(max(0, x - w), min(side, x + w + 1)) for x in self._node)
            panel.canvas.mark(rows, columns, self._node)

    def _describe(self) -> None:
        text = pixel_text(self._outcome, self._window, self._node)
        for panel in self.panels:
            panel.canvas.setAccessibleDescription(f"{panel.title.text()}. {text} {KEYS}".strip())


def as_grey(values: NDArray[np.float64]) -> tuple[Colors, tuple[str, str]]:
    """Return values as bytes, the hundredths at both ends cut, and the ends as text."""
    low, high = np.percentile(values, (1, 99))
    grey = np.rint((values - low) * (255.0 / max(high - low, 1e-9))).clip(0, 255)
    return grey.astype(np.uint8), (p.signed(low, 1), p.signed(high, 1))
