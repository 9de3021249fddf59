"""Maps of one number a pixel: what the model cannot explain, and where it is in doubt."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtWidgets import QWidget

from latviz.app.views.histogram import Histogram
from latviz.app.views.image import PictureView
from latviz.app.views.layer import Layer
from latviz.app.views.painting import significant
from latviz.live.frame import Frame
from latviz.live.maps import NodeMap
from latviz.live.parameters import Picture
from latviz.live.selection import MapKind, RangeSelection

TITLES: dict[MapKind, str] = {
    "likelihood": "Log-likelihood of each {node}, bits",
    "inertia": "Inertia of each window",
    "doubt": "Entropy of each window’s belief, bits",
}
STRONG_AT_THE_LOW_END = ("likelihood", "inertia")


def title_of(kind: MapKind, frame: Frame) -> str:
    """Return what a kind of map shows of a frame."""
    return TITLES[kind].format(node=frame.request.picture.node_name)


def range_text(shown: NodeMap, frame: Frame) -> str:
    """Return what a map shows, and from what to what."""
    low, high = (significant(value, 3) for value in (shown.low, shown.high))
    return f"{title_of(shown.kind, frame)}: from {low} to {high}."


class MapView(PictureView):
    """A map over the image, and its histogram; the doubtful end is the strong one."""

    NAME = "map"
    TITLE = "Map"
    SHOWS = frozenset({"map"})

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
        return "Computing." if frame.map is None else range_text(frame.map, frame)

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the map of the last one is taken away."""
        super().show_picture(picture)
        self.heat.setVisible(False)
        self.histogram.show_map(None, "", self._table("doubt"))

    def draw_frame(self) -> None:
        """Show the map."""
        super().draw_frame()
        shown = self.frame.map if self.frame is not None else None
        self.heat.setVisible(shown is not None)
        if shown is None:
            return
        table = self._table(shown.kind)
        self.heat.show_plane(self.section.plane(shown.heat), table)
        self._show_symbols(shown.heat, table)
        assert self.frame is not None
        self.histogram.show_map(shown, title_of(shown.kind, self.frame), table)
        picked = self.display.selection
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
