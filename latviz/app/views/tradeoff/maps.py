"""The state maps of the sheet as images, in the colours of the states on screen."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage

from latviz.app.views.tradeoff.scene import TradeOffScene
from latviz.app.widgets.lifetimes import image_of
from latviz.engine.choosing.tradeoff import Map, Place, TradeOff, shrunk
from latviz.engine.settings.appearance import Appearance, Color
from latviz.engine.settings.palette import SLOT_COLORS, coloured

_LONGEST = 4.0
"""Longest ratio of sides for drawing; longer pictures are compressed to it."""


class Maps:
    """Colours the maps that are drawn, and keeps them until the colours change."""

    def __init__(self) -> None:
        self._images: dict[Place, QImage] = {}
        self._of: tuple[object, ...] = ()

    def image(self, scene: TradeOffScene, place: Place) -> QImage | None:
        """Return the map of an N and w; None if it is not known."""
        made_of = scene.trade_off.basis, scene.appearance
        if made_of != self._of:
            self._images, self._of = {}, made_of
        small = scene.trade_off.maps.get(place)
        if small is not None and place not in self._images:
            appearance = scene.appearance
            if appearance.looks.mean_colors:
                appearance = replace(appearance, means=means_of(scene.trade_off, small))
            self._images[place] = image_of(coloured(small, colors_of(appearance)))
        return self._images.get(place)


def aspect_of(trade_off: TradeOff) -> float:
    """Return the width over the height of maps: the picture's, within limits."""
    rows, columns = trade_off.scope.shape
    return min(max(columns / rows, 1 / _LONGEST), _LONGEST)


def colors_of(appearance: Appearance) -> NDArray[np.uint8]:
    """Return the colours of all slots, (256, 3)."""
    table = np.zeros((256, 3), dtype=np.uint8)
    table[: len(SLOT_COLORS)] = appearance.colors(tuple(range(len(SLOT_COLORS))))
    return table


def means_of(trade_off: TradeOff, small: Map) -> tuple[tuple[int, Color], ...]:
    """Return the mean colour of the pixels of a small map in each of its slots."""
    scope, picture = trade_off.scope, trade_off.scope.picture
    shown = shrunk(scope.section.plane(picture.shown)[scope.plane], trade_off.step)
    pixels = (shown if picture.colors is None else picture.colors[shown]).reshape(small.size, -1)
    slots, of_pixel, counts = np.unique(small, return_inverse=True, return_counts=True)
    sums = [np.bincount(of_pixel.reshape(-1), channel) for channel in pixels.T]
    means = np.broadcast_to(np.rint(np.transpose(sums) / counts[:, None]), (slots.size, 3))
    return tuple(zip(slots.tolist(), map(tuple, means.astype(int).tolist()), strict=True))
