"""Maps of one number a pixel: what the model cannot explain, and where it is in doubt."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtWidgets import QWidget

from latviz.app.views.map.histogram import Histogram
from latviz.app.views.picture import PictureView
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.painting import significant
from latviz.engine.frame import Frame
from latviz.engine.node_maps import NodeMap
from latviz.engine.picture import Picture
from latviz.engine.selection import MapKind, RangeSelection

TITLES: dict[MapKind, str] = {
    "likelihood": "Log-likelihood of each {node}, bits",
    "inertia": "Inertia of each window",
    "doubt": "Entropy of each window’s belief, bits",
}
STRONG_AT_THE_LOW_END = ("likelihood", "inertia")
FAR = 0.005
"""The share of pixels at each end that is not told apart by colour."""


def title_of(kind: MapKind, frame: Frame) -> str:
    """Return what a kind of map shows of a frame."""
    return TITLES[kind].format(node=frame.request.picture.node_name)


def range_text(shown: NodeMap, frame: Frame) -> str:
    """Return what a map shows, and from what to what."""
    low, high = (significant(value, 3) for value in (shown.low, shown.high))
    return f"{title_of(shown.kind, frame)}: from {low} to {high}."


def stretched(table: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Spread a table's colours over the values that most pixels have; a few far ones share ends.

    ``table`` (256, 3) is from the least value to the greatest; ``counts`` are pixels by parts of
    that range.
    """
    below = np.cumsum(counts)
    first, last = np.searchsorted(below, np.array([FAR, 1 - FAR]) * below[-1])
    low, high = np.array([first, last + 1]) * (len(table) - 1) / len(counts)
    places = np.clip((np.arange(len(table)) - low) / (high - low), 0.0, 1.0) * (len(table) - 1)
    return np.asarray(table[np.rint(places).astype(np.intp)])


class MapView(PictureView):
    """A map over the image, and its histogram; the doubtful end is the strong one."""

    TITLE = "Map"
    NEEDS = frozenset({"node_map"})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heat = Layer(self.canvas)
        self.canvas.add_layer(self.heat, 1)
        self.histogram = Histogram()
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.histogram)
        self.histogram.brushed.connect(self.picked)

    def in_words(self, frame: Frame) -> str:
        """Return which map it is, and its range."""
        return "Computing." if frame.node_map is None else range_text(frame.node_map, frame)

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the map of the last one is taken away."""
        super().show_picture(picture)
        self.heat.setVisible(False)
        self.histogram.show_map(None, "", self._table("doubt"))

    def draw_frame(self) -> None:
        """Show the map."""
        super().draw_frame()
        shown = self.frame.node_map if self.frame is not None else None
        self.heat.setVisible(shown is not None)
        if shown is None:
            return
        table = stretched(self._table(shown.kind), shown.counts)
        self.heat.show_plane(self.section.plane(shown.heat), table)
        self._show_symbols(shown.heat, table)
        assert self.frame is not None
        self.histogram.show_map(shown, title_of(shown.kind, self.frame), table)
        picked = self.state.selection
        self.histogram.show_picked(picked if isinstance(picked, RangeSelection) else None)

    def draw_theme(self) -> None:
        """Restyle the ground and the histogram."""
        super().draw_theme()
        self.histogram.apply_theme(self.theme)

    def _table(self, kind: MapKind) -> NDArray[np.uint8]:
        table = self.theme.heat_table()
        if kind in STRONG_AT_THE_LOW_END:
            table = table[::-1]
        return np.ascontiguousarray(table)
