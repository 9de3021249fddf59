"""Regions over the state map: their outlines, or each in the mean colour of its pixels."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import scipy
from numpy.typing import NDArray
from PyQt6.QtWidgets import QGraphicsRectItem

from latviz.app.views.states.overlays import covered
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.raster import RasterItem
from latviz.core.types import Counts
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.geometry.cut_lives import LifeBorders
from latviz.engine.settings.state import RegionLayer

NEEDED: dict[RegionLayer, frozenset[str]] = {
    "hidden": frozenset(),
    "borders": frozenset({"regions", "border_ranks"}),
    "lives": frozenset({"life_borders"}),
    "colours": frozenset({"painted_regions"}),
}
"""The results that are drawn."""
_FAINT = 70
"""The opacity of the weakest border, of 255."""
_THICK = 110, 165, 210
"""The least ranks of borders of two, three and four pixels."""
_LIGHT = (255, 255, 255)
_SHADOW = 128
"""Where the dark colours begin in the table; light ones come first."""


@dataclass(frozen=True, eq=False)
class ShownRegions:
    """The regions of a frame on a canvas."""

    labels: Annotated[NDArray[np.int32] | None, "(rows, columns)"]
    pairs: Annotated[Counts, "(E, 2)"]
    ranks: Annotated[NDArray[np.uint8], "(E,)"]  # the strength of the border of each pair
    painted: Annotated[NDArray[np.uint8] | None, "(rows, columns, 3)"]
    by_life: bool = False  # borders are as thick as their ranks

    @classmethod
    def of(cls, frame: Frame, layer: RegionLayer, section: Section) -> "ShownRegions | None":
        """Return the part of a frame that a layer draws; None if it is hidden or not computed."""
        if layer == "hidden" or not NEEDED[layer] <= frame.results.keys():
            return None
        none = np.empty((0, 2), np.int64), np.empty(0, np.uint8)
        if layer == "colours":
            return cls(None, *none, section.plane(frame.results["painted_regions"]))
        if layer == "lives":
            lasting: LifeBorders = frame.results["life_borders"]
            plane = section.plane(lasting.labels)
            return cls(plane, lasting.pairs, lasting.ranks, None, by_life=True)
        found = frame.regions
        assert found is not None
        ranks = frame.results["border_ranks"]
        return cls(section.plane(found.labels), found.pairs, ranks, None)


class OutlinesItem(RasterItem):
    """Light pixels where the region to the right or below is another one, faint at weak borders.

    Dark pixels there, so that borders are seen on any picture.
    """

    def show_outlines(self, shown: ShownRegions, canvas: Canvas) -> None:
        """Draw the visible part."""
        assert shown.labels is not None
        step = 1 << max(0, math.floor(math.log2(1 / canvas.scale_factor)))
        row, column = (part.start // step * step for part in canvas.region)
        rows, columns = (
            slice(start, max(start + 1, part.stop), step)
            for start, part in zip((row, column), canvas.region, strict=True)
        )
        labels = shown.labels[rows, columns]
        if labels.size == 0:
            self.clear()
            return
        found = outline_map(labels, shown.pairs, shown.ranks)
        outlines = with_shadows(thickened(found) if shown.by_life else found)
        self.setImage(outlines, autoLevels=False, levels=(0, 255), lut=_table())
        self.setRect(covered(labels.shape, step, (row, column)))


def outline_map(
    labels: NDArray[np.int32], pairs: Counts, ranks: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return the strength of the border to the right or below, the stronger of both; 0 inside.

    Regions that are only neighbours where pixels were left out have the weakest border.
    """
    found = np.zeros(labels.shape, np.uint8)
    if len(pairs) == 0:
        return found
    n = int(pairs.max()) + 1
    codes = pairs[:, 0] * n + pairs[:, 1]  # in order, as pairs are
    for here, there, out in (
        (labels[:, :-1], labels[:, 1:], found[:, :-1]),
        (labels[:-1], labels[1:], found[:-1]),
    ):
        across = here != there
        ends = here[across].astype(np.int64), there[across].astype(np.int64)
        wanted = np.minimum(*ends) * n + np.maximum(*ends)
        at = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
        strength = np.where(codes[at] == wanted, ranks[at], 1)
        out[across] = np.maximum(out[across], strength)
    return found


def thickened(strengths: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return strong borders wider, up to four pixels."""
    found = strengths
    for size, least in enumerate(_THICK, 2):
        strong = np.where(strengths >= least, strengths, np.uint8(0))
        found = np.maximum(found, scipy.ndimage.maximum_filter(strong, size))
    return found


def with_shadows(strengths: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the colours of borders and of the pixels to the right of them and below."""
    found: NDArray[np.uint8] = np.minimum(strengths - strengths // 2, _SHADOW - 1)
    for here, there in ((found[:, :-1], found[:, 1:]), (found[:-1], found[1:])):
        shaded = (there == 0) & (here > 0) & (here < _SHADOW)
        there[shaded] = here[shaded] + _SHADOW
    return found


def _table() -> NDArray[np.uint8]:
    """Return the colours of light pixels, then those of dark ones; 0 is transparent."""
    table = np.zeros((2, _SHADOW, 4), dtype=np.uint8)
    table[0, :, :3] = _LIGHT
    table[:, 1:, 3] = np.linspace(_FAINT, 255, _SHADOW - 1)
    return table.reshape(256, 4)


class RegionItems:
    """The two layers, inside an item that clips them."""

    def __init__(self, canvas: Canvas, parent: QGraphicsRectItem, z: int) -> None:
        self._canvas = canvas
        self._shown: ShownRegions | None = None
        self.painted, self.outlines = Layer(canvas), OutlinesItem()
        for k, item in enumerate((self.painted, self.outlines)):
            item.setParentItem(parent)
            item.setZValue(z + k)
            item.setVisible(False)

    def show(self, shown: ShownRegions | None, opacity: float) -> None:
        """Show regions; colours cover the image as far as states do."""
        self._shown = shown
        colors = None if shown is None else shown.painted
        self.painted.setVisible(colors is not None and opacity > 0)
        self.painted.setOpacity(opacity)
        if colors is not None:
            self.painted.show_plane(colors)
        self.draw_lines()

    def draw_lines(self) -> None:
        """Draw the outlines that are in view."""
        shown = self._shown
        there = shown is not None and shown.labels is not None
        if shown is not None and there:
            self.outlines.show_outlines(shown, self._canvas)
        self.outlines.setVisible(there)

    def clear(self) -> None:
        """Keep nothing."""
        self._shown = None
        self.painted.clear()
        for item in (self.painted, self.outlines):
            item.setVisible(False)
