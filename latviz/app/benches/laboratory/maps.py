"""The laboratory's maps: truth, one observation, bias and variance, with one zoom and pan."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import pyqtSignal

from latviz.app.benches.bench_window import MAP_KEYS
from latviz.app.benches.laboratory.curves import pixel_text
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets.map_panel import Colors, MapPanel, MapRow
from latviz.app.widgets.paint_canvas import PaintCanvas
from latviz.core import digits
from latviz.core.types import States
from latviz.engine.benches.laboratory import Outcome
from latviz.engine.settings.palette import state_colors


class LabMaps(MapRow):
    """Shows an outcome's maps for one window, and the window around the pixel under the pointer."""

    HIGHEST = 440

    # (row, column) under the pointer or reached by arrow keys, or None
    hovered = pyqtSignal(object)

    def __init__(self) -> None:
        self.paper = PaintCanvas()
        self.truth = MapPanel("Truth", "The true states", self.paper)
        self.observation = MapPanel("Observation", "The first of the noisy copies")
        self.bias = MapPanel("Bias", "Where the commonest state over the copies is wrong")
        self.variance = MapPanel(
            "Variance", "The share of copies whose state differs from the commonest one"
        )
        super().__init__(self.truth, self.observation, self.bias, self.variance)
        self._theme, self._window = LIGHT, 0
        self._outcome: Outcome | None = None
        self._node: tuple[int, int] | None = None
        self._drawn: States | None = None
        for panel in self.panels:
            panel.canvas.hovered.connect(self.hovered)
        self._describe()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for panel in self.panels:
            panel.canvas.draw_theme(theme)
        self._draw()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the results so far."""
        self._outcome = outcome
        self._draw()

    def show_drawn(self, states: States | None, n_states: int) -> None:
        """Show a truth at once while it is drawn, before there are copies of it; None to stop."""
        if states is not self._drawn:
            self._drawn = states
            if states is not None:
                self._show_truth(states, n_states)

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
        self._show_truth(outcome.truth if self._drawn is None else self._drawn, n)
        if outcome.observation.dtype == np.uint8:
            self.observation.show_plane(outcome.observation, colors)
            self.observation.key.show_names(colors, numbers, self._theme)
        else:
            grey, ends = as_grey(outcome.observation[..., 0])
            ramp = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
            self.observation.show_plane(grey, ramp)
            self.observation.key.show_names(ramp, ends, self._theme)

    def _show_truth(self, states: States, n_states: int) -> None:
        colors = state_colors(tuple(range(n_states)))
        self.truth.show_plane(states, colors)
        self.truth.key.show_names(colors, tuple(map(str, range(1, n_states + 1))), self._theme)

    def _draw_errors(self) -> None:
        outcome, table = self._outcome, self._theme.heat_table()
        k = None if outcome is None else outcome.index_of(self._window)
        if outcome is None or k is None:
            return
        r, two = outcome.result, table[[0, -1]]
        self.bias.show_plane(r.bias_maps[k].astype(np.uint8), two, digits.share(r.bias[k]))
        self.bias.key.show_names(two, ("right", "wrong"), self._theme)
        most = 1.0 - 1.0 / outcome.experiment.n_states
        heat = np.rint(r.variance_maps[k] * (255.0 / most)).clip(0, 255).astype(np.uint8)
        self.variance.show_plane(heat, table, digits.share(r.variance[k]))
        self.variance.key.show_names(table, ("0", digits.share(most)), self._theme)
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
            panel.canvas.setAccessibleDescription(
                f"{panel.title.text()}. {text} {MAP_KEYS}".strip()
            )


def as_grey(values: NDArray[np.float64]) -> tuple[Colors, tuple[str, str]]:
    """Return values as bytes, the hundredths at both ends cut, and the ends as text."""
    low, high = np.percentile(values, (1, 99))
    grey = np.rint((values - low) * (255.0 / max(high - low, 1e-9))).clip(0, 255)
    return grey.astype(np.uint8), (digits.measure(low), digits.measure(high))
