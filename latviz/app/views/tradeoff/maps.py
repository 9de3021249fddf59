"""State maps of several w and N side by side, and where states last change."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QImage, QMouseEvent, QPainter
from PyQt6.QtWidgets import QWidget

from latviz.app.views.tradeoff.panel import Panel, TradeOffScene
from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import ColorScale, draw_scale
from latviz.app.widgets.lifetimes import image_of
from latviz.engine.choosing.tradeoff import Map, Place, TradeOff, shrunk
from latviz.engine.settings.appearance import Appearance, Color
from latviz.engine.settings.palette import SLOT_COLORS, coloured, hatched

_GAP = 6.0
_FEWEST = 5
"""Maps that a row has room for, at least."""
_LONGEST = 4.0
"""Longest ratio of sides for drawing; longer pictures are compressed to it."""
_FLAT = 5.0
"""From this width over height on both rows share a line."""


class FilmPanel(Panel):
    """Two rows of state maps: several w with the N that is set, several N with its w."""

    TITLE = "State maps at several w and N"
    HOW_TO = "States{how} at several w (N = {n}) and N (w = {w}){slice}: click one to go to it"
    CAPTIONS = (
        "States{how} at several w (N = {n}) and at several N (w = {w}){slice}",
        "States at several w and N{slice}",
        "States",
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: dict[Place, QImage] = {}

    def show_scene(self, scene: TradeOffScene | None) -> None:
        """Take another scene; maps that are drawn in other colours are forgotten."""
        if self.scene is None or scene is None or not _coloured_alike(self.scene, scene):
            self._images.clear()
        super().show_scene(scene)

    def shown(self, scene: TradeOffScene) -> list[tuple[Place, QRectF, str]]:
        """Return the settings that are shown, where, map above label, and the labels."""
        maps, room = scene.trade_off.maps, self.room
        by_w = [(scene.n, w) for w in scene.trade_off.windows if (scene.n, w) in maps]
        by_n = [(n, scene.w) for n in scene.trade_off.states if (n, scene.w) in maps]
        if room.width() > _FLAT * room.height():
            wide, high, right, down = (room.width() - 3 * _GAP) / 2, room.height(), 1.0, 0.0
        else:
            wide, high, right, down = room.width(), (room.height() - _GAP) / 2, 0.0, 1.0
        found = []
        for k, row in enumerate((by_w, by_n)):
            left = room.left() + k * right * (wide + 3 * _GAP)
            top = room.top() + k * down * (high + _GAP)
            most = max((wide + _GAP) / _FEWEST, self._least)
            apart = max((high - self._line) * aspect_of(scene.trade_off), 28.0) + _GAP
            step = min(apart, most)
            for place in spread(row, (scene.n, scene.w), max(1, int((wide + _GAP) / step))):
                label = f"{'wN'[k]} {place[1 - k]}"
                found.append((place, QRectF(left, top, min(step - _GAP, wide), high), label))
                left += step
        return found

    @property
    def _least(self) -> float:
        """The least distance between maps: their labels must fit."""
        return p.text_width(p.scaled(self.font()), "w 20") + _GAP

    @property
    def _line(self) -> float:
        return p.text_height(p.scaled(self.font())) + 1.0

    def place_at(self, scene: TradeOffScene, at: QPointF) -> Place | None:
        """Return the N and w of the map."""
        return next((place for place, rect, _ in self.shown(scene) if rect.contains(at)), None)

    def draw(self, painter: QPainter, scene: TradeOffScene) -> None:
        """Draw the maps, with a frame around the current one."""
        for place, rect, label in self.shown(scene):
            map_rect = fitted(scene.trade_off, rect.adjusted(0, 0, 0, -self._line))
            painter.drawImage(map_rect, self._image(scene, place))
            here = place == (scene.n, scene.w)
            painter.setPen(self.theme.pen("accent" if here else "line", 2 if here else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(map_rect)
            painter.setPen(self.theme.color("accent" if here else "muted"))
            below = QRectF(rect.left(), map_rect.bottom() + 1, rect.width(), self._line)
            painter.drawText(below, p.CENTER, label)

    def _image(self, scene: TradeOffScene, place: Place) -> QImage:
        if place not in self._images:
            small, appearance = scene.trade_off.maps[place], scene.appearance
            if appearance.looks.mean_colors:
                appearance = replace(appearance, means=means_of(scene.trade_off, small))
            self._images[place] = image_of(coloured(small, colors_of(appearance)))
        return self._images[place]


class ChangePanel(Panel):
    """The w at which each pixel last changes its state, for the N that is set."""

    TITLE = "Where states last change"
    CAPTIONS = (
        "w at which each {node} last changes state{slice}",
        "w of the last change{slice}",
        "Last change",
    )

    hovered = pyqtSignal(object)  # (row, column) under the pointer, or None

    def map_rect(self, scene: TradeOffScene) -> QRectF:
        """Return the rectangle of the map."""
        return fitted(scene.trade_off, self.room.adjusted(0, 0, -44, 0))

    def place_at(self, scene: TradeOffScene, at: QPointF) -> Place | None:
        """Return the current N, and the w at which the pixel last changes, if it does."""
        place = self._place_in(scene, at)
        w = 0 if place is None else int(scene.trade_off.last_change[scene.n][place])
        return (scene.n, w) if w > 0 else None

    def tip(self, scene: TradeOffScene, at: QPointF) -> str:
        """Return the tool tip of the pixel."""
        place = self._place_in(scene, at)
        if place is None:
            return ""
        if not known_in(scene, 1)[place]:
            return "Unknown pixel"
        w = int(scene.trade_off.last_change[scene.n][place])
        if w == 0:
            return "The same state at every w"
        return f"Changes its state for the last time at w = {w}"

    def draw(self, painter: QPainter, scene: TradeOffScene) -> None:
        """Draw the map and its scale."""
        change = scene.trade_off.last_change.get(scene.n)
        rect = self.map_rect(scene)
        if change is None or rect.width() < 4:
            return
        last = max(int(change.max()), 1)
        heat = self.theme.heat_table()[np.rint(np.linspace(0, 255, last + 1)).astype(np.intp)]
        # No more pixels than the screen shows: colouring all of a large map takes long.
        step = max(1, int(change.shape[1] / rect.width() / 2))
        table = np.pad(heat, ((0, 255 - last), (0, 0)))
        values = shrunk(change, step)
        painter.drawImage(rect, image_of(hatched(table[values], known_in(scene, step))))
        painter.setPen(self.theme.pen("line", 1))
        painter.drawRect(rect)
        bar = QRectF(rect.right() + 8, rect.top(), 8, rect.height())
        if bar.height() > 20:
            draw_scale(painter, bar, ColorScale(0.0, float(last), False), self.theme)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Emit the pixel under the pointer."""
        super().mouseMoveEvent(event)
        if event is None or self.scene is None:
            return
        place = self._place_in(self.scene, event.position())
        self.hovered.emit(None if place is None else self.scene.trade_off.scope.node(place))

    def leaveEvent(self, event: QEvent | None) -> None:
        """Emit that no pixel is under the pointer."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def _place_in(self, scene: TradeOffScene, at: QPointF) -> tuple[int, int] | None:
        change, rect = scene.trade_off.last_change.get(scene.n), self.map_rect(scene)
        if change is None or not rect.contains(at):
            return None
        row = int((at.y() - rect.top()) / rect.height() * change.shape[0])
        column = int((at.x() - rect.left()) / rect.width() * change.shape[1])
        return min(row, change.shape[0] - 1), min(column, change.shape[1] - 1)


def spread(places: list[Place], current: Place, most: int) -> list[Place]:
    """Return at most ``most`` of a row of settings: both ends, the current one, closer ones first.

    Small w differ more than large ones, so they are shown closer together.
    """
    if len(places) <= most:
        return places
    last = len(places) - 1
    wanted = np.rint(last * np.linspace(0.0, 1.0, most) ** 1.6).astype(int) if most > 1 else [0]
    kept: set[int] = set()
    for k in wanted:
        kept.add(next(j for j in (*range(int(k), last + 1), *range(last, -1, -1)) if j not in kept))
    if current in places and (k := places.index(current)) not in kept:
        kept.remove(min(kept, key=lambda j: abs(j - k)))
        kept.add(k)
    return [places[k] for k in sorted(kept)]


def aspect_of(trade_off: TradeOff) -> float:
    """Return the width over the height of maps: the picture's, within limits."""
    rows, columns = trade_off.scope.shape
    return min(max(columns / rows, 1 / _LONGEST), _LONGEST)


def fitted(trade_off: TradeOff, room: QRectF) -> QRectF:
    """Return the largest rectangle of a map's shape in a room, at its top left.

    One row is as high as the room.
    """
    if trade_off.scope.picture.is_ribbon:
        return QRectF(room)
    aspect = aspect_of(trade_off)
    width = max(0.0, min(room.width(), room.height() * aspect))
    return QRectF(room.left(), room.top(), width, width / aspect)


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


def known_in(scene: TradeOffScene, step: int) -> NDArray[np.bool_]:
    """Return which pixels of the map of changes, every ``step``-th, are known."""
    scope, change = scene.trade_off.scope, scene.trade_off.last_change[scene.n]
    if (known := scope.picture.known) is None:
        return np.ones(shrunk(change, step).shape, bool)
    return shrunk(scope.section.plane(known)[scope.plane], step)


def _coloured_alike(one: TradeOffScene, other: TradeOffScene) -> bool:
    same = one.trade_off.basis == other.trade_off.basis
    return same and one.appearance == other.appearance
