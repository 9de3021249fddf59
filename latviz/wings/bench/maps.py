"""The bench's maps: truth, observation, decoded, bias and variance, with one zoom and pan."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PyQt6.QtWidgets import QLabel, QWidget

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.heat import draw_table
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.paint_canvas import PaintCanvas
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.core.types import States
from latviz.engine.settings.palette import state_colors
from latviz.wings.bench.copies import Outcome
from latviz.wings.bench.curves import pixel_text
from latviz.wings.bench.document import Moment
from latviz.wings.bench.experiment import Experiment

GAP, HIGHEST = 8, 440
KEYS = keyed(
    "Arrow keys point at a pixel, with `Shift` in larger steps; plus and minus zoom, `Home` shows "
    "all."
)


_SWATCH = 11.0

Colors = NDArray[np.uint8]


class Key(QWidget):
    """The key of a map: some colours by name, or a scale with both ends."""

    def __init__(self) -> None:
        super().__init__()
        self._colors: Colors = np.zeros((0, 3), dtype=np.uint8)
        self._names: tuple[str, ...] = ()
        self._theme = LIGHT
        self.setFixedHeight(20)

    def show_names(self, colors: Colors, names: tuple[str, ...], theme: Theme) -> None:
        """Show the meaning of each colour, or with two names for more colours a scale."""
        self._colors, self._names, self._theme = colors, names, theme
        self.update()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw swatches and names, or a bar between two names."""
        with painting_on(self) as painter:
            painter.setFont(p.scaled(self.font()))
            room = QRectF(self.rect()).adjusted(2, 2, -2, -2)
            if len(self._colors) > len(self._names):
                self._paint_scale(painter, room)
            else:
                self._paint_swatches(painter, room)

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
    """A title, a zoomable map, and the key of its colours."""

    spacing = 3

    def __init__(self, title: str, tip: str, canvas: Canvas | None = None) -> None:
        super().__init__()
        self._title = title
        self.title = QLabel(title)
        self.title.setToolTip(tip)
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.canvas = canvas or Canvas()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setMinimumSize(120, 120)
        self.canvas.setAccessibleName(title)
        self.canvas.setToolTip(tip)
        self.layer = Layer(self.canvas)
        self.canvas.add_layer(self.layer, 0)
        self.key = Key()
        layouts.column(self.title, (self.canvas, 1), self.key, of=self, spacing=self.spacing)

    def show_plane(self, plane: Colors, colors: Colors, note: str = "") -> None:
        """Show a map, (side, side) uint8 in colours of a table, and a note in the title."""
        self.canvas.set_shape((plane.shape[0], plane.shape[1]))
        self.layer.show_plane(plane, colors)
        self.title.setText(f"{self._title} · {note}" if note else self._title)


class BenchMaps(QWidget):
    """Shows results for one window, and the window around the pixel under the pointer."""

    # (row, column) under the pointer or reached by arrow keys, or None
    hovered = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.paper = PaintCanvas()
        self.truth = MapPanel("Truth", "The true states", self.paper)
        self.observation = MapPanel(
            "Observation", "The first noisy copy, or the symbols drawn by B"
        )
        self.decoded = MapPanel(
            "Decoded", "The states that the model decodes; of copies the commonest state"
        )
        self.bias = MapPanel("Bias", "Where the commonest state over the copies is wrong")
        self.variance = MapPanel(
            "Variance", "The share of copies whose state differs from the commonest one"
        )
        self.panels = self.truth, self.observation, self.decoded, self.bias, self.variance
        self.lens = Lens()
        layouts.row(*((panel, 1) for panel in self.panels), of=self, spacing=GAP)
        for panel in self.panels:
            panel.canvas.share(self.lens)
            panel.canvas.hovered.connect(self.hovered)
        self._theme = LIGHT
        self._experiment = Experiment()
        self._outcome: Outcome | None = None
        self._moment: Moment | None = None
        self._node: tuple[int, int] | None = None
        self._describe()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Be as high as square maps are."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        n, panel = sum(not panel.isHidden() for panel in self.panels), self.truth
        around = panel.title.sizeHint().height() + panel.key.height() + 2 * panel.spacing
        self.setFixedHeight(min((self.width() - (n - 1) * GAP) // n, HIGHEST) + around)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for panel in self.panels:
            panel.canvas.draw_theme(theme)
        self._draw()

    def show_experiment(self, experiment: Experiment) -> None:
        """Show the maps of a mode, a drawn truth before there are copies of it, and another w."""
        before, self._experiment = self._experiment, experiment
        is_fixed = experiment.mode == "fixed"
        if is_fixed == self.bias.isHidden():
            self.bias.setVisible(is_fixed)
            self.variance.setVisible(is_fixed)
            self._outcome = self._moment = None
            self._fit()
            self._describe()
        if is_fixed and experiment.field == "drawn" and experiment.drawn != before.drawn:
            self._show_states(self.truth, experiment.make_truth(), experiment.n_states)
        elif experiment.window != before.window:
            self._draw_decoded()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the results of copies so far."""
        self._outcome = outcome
        self._draw()

    def show_moment(self, moment: Moment) -> None:
        """Show a sampled truth as it is now, and its last reading, if that is new."""
        before, self._moment = self._moment, moment
        self._draw_moment(moment, before is None or before.reading is not moment.reading)

    def show_node(self, node: tuple[int, int] | None) -> None:
        """Point at a pixel and the window around it, or at none."""
        self._node = node
        self._mark()
        self._describe()

    def _draw(self) -> None:
        if self._moment is not None:
            self._draw_moment(self._moment, True)
        if self._outcome is not None:
            self._draw_outcome(self._outcome)

    def _draw_moment(self, moment: Moment, is_read: bool) -> None:
        n, read = moment.order.experiment.n_states, moment.reading
        sweeps = f"{digits.count(moment.sweeps)} sweep{'s' * (moment.sweeps != 1)}"
        self._show_states(self.truth, moment.states, n, sweeps)
        if is_read:
            self._show_states(self.observation, read.observation, n)
            right = f"{digits.share(read.accuracy)} right"
            self._show_states(self.decoded, read.decoded, n, right)

    def _draw_outcome(self, outcome: Outcome) -> None:
        n, e = outcome.experiment.n_states, self._experiment
        if e.field == "drawn":  # at once, and not only as far as copies of it were decoded
            self._show_states(self.truth, e.make_truth(), e.n_states)
        else:
            self._show_states(self.truth, outcome.truth, n)
        if outcome.observation.dtype == np.uint8:
            self._show_states(self.observation, outcome.observation, n)
        else:
            grey, ends = as_grey(outcome.observation[..., 0])
            ramp = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
            self.observation.show_plane(grey, ramp)
            self.observation.key.show_names(ramp, ends, self._theme)
        self._draw_decoded()

    def _draw_decoded(self) -> None:
        """Draw what depends on the window of the maps."""
        outcome, table = self._outcome, self._theme.heat_table()
        k = None if outcome is None else outcome.index_of(self._experiment.window)
        if outcome is None or k is None:
            return
        r, n, two = outcome.result, outcome.experiment.n_states, table[[0, -1]]
        self._show_states(self.decoded, r.modes[k].astype(np.uint8), n)
        self.bias.show_plane(r.bias_maps[k].astype(np.uint8), two, digits.share(r.bias[k]))
        self.bias.key.show_names(two, ("right", "wrong"), self._theme)
        most = 1.0 - 1.0 / n
        heat = np.rint(r.variance_maps[k] * (255.0 / most)).clip(0, 255).astype(np.uint8)
        self.variance.show_plane(heat, table, digits.share(r.variance[k]))
        self.variance.key.show_names(table, ("0", digits.share(most)), self._theme)
        self._mark()
        self._describe()

    def _show_states(self, panel: MapPanel, plane: States, n: int, note: str = "") -> None:
        colors = state_colors(tuple(range(n)))
        panel.show_plane(plane, colors, note)
        panel.key.show_names(colors, tuple(str(k + 1) for k in range(n)), self._theme)

    def _mark(self) -> None:
        side, w = self._experiment.side, self._experiment.window
        for panel in self.panels:
            if self._node is None:
                panel.canvas.clear_mark()
                continue
            rows, columns = (slice(max(0, x - w), min(side, x + w + 1)) for x in self._node)
            panel.canvas.mark(rows, columns, self._node)

    def _describe(self) -> None:
        text = pixel_text(self._outcome, self._experiment.window, self._node)
        for panel in self.panels:
            panel.canvas.setAccessibleDescription(f"{panel.title.text()}. {text} {KEYS}".strip())


def as_grey(values: NDArray[np.float64]) -> tuple[Colors, tuple[str, str]]:
    """Return values as bytes, the hundredths at both ends cut, and the ends as text."""
    low, high = np.percentile(values, (1, 99))
    grey = np.rint((values - low) * (255.0 / max(high - low, 1e-9))).clip(0, 255)
    return grey.astype(np.uint8), (digits.measure(low), digits.measure(high))
