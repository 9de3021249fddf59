"""Layout of the signature space on the screen, in pixels, y downwards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QColor, QFont

from latviz.app.look.theme import Theme
from latviz.app.widgets.painting import pixel_size, text_height, text_width
from latviz.core.types import Matrix
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.signature_space import SignatureSpace

EDGE = 3.0
FAINT = 0.3
DEEP = 0.25
"""Relative growth of the nearest disc."""
SWATCH = 5.5
_CHIP = 5.0
"""Half the side of the room that a corner out of view has at the edge."""
_MAX_NAMES = 16
_MAX_LANES = 4
_COMPONENT = "component "


@dataclass(frozen=True, eq=False)
class SpaceScene:
    """A frame's signature space, and its drawing."""

    frame: Frame
    space: SignatureSpace
    colors: list[QColor]
    symbol_colors: list[QColor]
    theme: Theme
    font: QFont
    state: int | None
    paths: Matrix | None = None
    """The codewords at each window of a sweep, shape (windows, N, 2); None if not to be drawn."""

    @property
    def on_line(self) -> bool:
        """True if the space is a line, not a plane."""
        return self.space.kind in ("segment", "histogram")

    @property
    def loose(self) -> bool:
        """True if corners may be anywhere: moved, or turned."""
        return self.space.resting is not None or self.space.solid is not None

    @cached_property
    def outer(self) -> list[int]:
        """The corners of the convex hull of all corners, counterclockwise; empty without any."""
        return [] if self.space.corners is None else hull(self.space.corners)

    def faded(self, state: int) -> bool:
        """Return True if another state is set off."""
        return self.state is not None and self.state != state


@dataclass(frozen=True)
class Mapping:
    """From the coordinates of a plane to the pixels of its visible part."""

    left: float
    bottom: float
    x_scale: float
    y_scale: float
    width: float
    height: float

    @classmethod
    def of(cls, box: Any) -> "Mapping":
        """Return the present mapping of a `ViewBox`."""
        (left, right), (bottom, top) = box.viewRange()
        width, height = max(box.width(), 1.0), max(box.height(), 1.0)
        return cls(left, bottom, width / (right - left), height / (top - bottom), width, height)

    @property
    def room(self) -> QRectF:
        """The pixels in which there may be texts."""
        return QRectF(EDGE, EDGE, self.width - 2 * EDGE, self.height - 2 * EDGE)

    def to_pixels(self, points: Matrix) -> Matrix:
        """Return the places of points, shape (k, 2), on the screen."""
        x = (points[:, 0] - self.left) * self.x_scale
        y = self.height - (points[:, 1] - self.bottom) * self.y_scale
        return np.stack([x, y], axis=1)

    def to_pixel(self, point: Any) -> QPointF:
        """Return the place of a point (x, y) on the screen."""
        return QPointF(*self.to_pixels(np.array([point]))[0].tolist())

    def to_plane(self, pixel: QPointF) -> QPointF:
        """Return the point that is drawn at a pixel."""
        x = self.left + pixel.x() / self.x_scale
        return QPointF(x, self.bottom + (self.height - pixel.y()) / self.y_scale)


@dataclass(frozen=True)
class Disc:
    """A codeword on the screen."""

    state: int
    centre: QPointF
    radius: float

    def holds(self, pixel: QPointF) -> bool:
        """Return True if a pixel is on the disc."""
        return self.distance(pixel) <= self.radius + 1

    def distance(self, pixel: QPointF) -> float:
        """Return the distance of a pixel from the middle."""
        offset = pixel - self.centre
        return math.hypot(offset.x(), offset.y())


@dataclass(frozen=True)
class Label:
    """A corner's colour and name; the rectangles are relative to the corner."""

    symbol: int
    swatch: QRectF
    name: QRectF
    text: str

    @property
    def bounds(self) -> QRectF:
        """The bounding rectangle."""
        return self.swatch.united(self.name) if self.text else self.swatch


def radii(scene: SpaceScene, size: tuple[float, float], *, deep: bool = True) -> Matrix:
    """Return the discs' radii: their areas are as the states' pixels, within bounds.

    In a space of three dimensions near ones are larger if it is ``deep``.
    """
    flat, solid = _flat_radii(scene, size), scene.space.solid
    return flat if solid is None or not deep else np.asarray(flat * (1 + DEEP * solid.depths))


def _flat_radii(scene: SpaceScene, size: tuple[float, float]) -> Matrix:
    occupancy = scene.frame.occupancy
    least = 0.55 * text_width(number_font(scene.font, 0.0), "00") + 1.5
    least = max(least, 0.016 * min(size))
    largest = min(max(0.05 * min(size), 12.0), 22.0)
    largest = max(least + 1, largest * min(1.0, math.sqrt(12 / len(occupancy))))
    if scene.on_line:
        largest = min(largest, least + 4)
    share = np.sqrt(occupancy / max(int(occupancy.max()), 1))
    return np.maximum(least, largest * share)


def gap(scene: SpaceScene, size: tuple[float, float]) -> float:
    """Return the distance of a label from its corner: clear of a disc on it."""
    deep = 0.0 if scene.space.solid is None else DEEP
    return float(_flat_radii(scene, size).max()) * (1 + deep) + 3.0


def number_font(font: QFont, radius: float) -> QFont:
    """Return the font of a disc's number: as large as fits, but about as large as other text."""
    text = pixel_size(font)
    return _bold(font, round(min(max(text, 0.95 * radius), 1.25 * text)))


@cache
def _bold(font: QFont, pixels: int) -> QFont:
    result = QFont(font)
    result.setPixelSize(pixels)
    result.setBold(True)
    return result


def labels(scene: SpaceScene, gap: float, named: bool) -> list[Label]:
    """Return the labels of the corners, outside of their hull; names when they are few."""
    corners = scene.space.corners
    if corners is None or scene.on_line:
        return []
    outer = scene.outer
    away = corners - corners[outer].mean(axis=0)
    lengths = np.hypot(away[:, 0], away[:, 1])
    directions = away / np.maximum(lengths, 1e-9)[:, None]
    if len(corners) == 1:
        directions, lengths = np.array([[0.0, 1.0]]), np.ones(1)
    names = scene.frame.observations.names
    few = named and (len(corners) <= _MAX_NAMES or all(len(name) == 1 for name in names))
    loose = scene.loose and (few or scene.space.resting is not None)
    found = []
    for symbol in np.flatnonzero(lengths > 1e-6).tolist():
        text = names[symbol] if few else ""
        if symbol not in outer and not loose:
            found.append(_inner_label(symbol))
        elif len(outer) == 3 and not loose and directions[symbol, 1] < 0:
            found.append(_label(symbol, (0.0, -1.0), gap, text, scene, -directions[symbol, 0]))
        else:
            found.append(_label(symbol, directions[symbol], gap, text, scene))
    return found


def _label(
    symbol: int, direction: Any, gap: float, text: str, scene: SpaceScene, side: float | None = None
) -> Label:
    """Return a label in a direction from its corner, with the name on the far or the given side."""
    x, y = direction[0] * (gap + SWATCH), -direction[1] * (gap + SWATCH)
    swatch = QRectF(x - SWATCH, y - SWATCH, 2 * SWATCH, 2 * SWATCH)
    if not text:
        return Label(symbol, swatch, swatch, "")
    width, height = text_width(scene.font, text) + 1, text_height(scene.font)
    rightwards = (direction[0] if side is None else side) > -0.1
    start = swatch.right() + 4 if rightwards else swatch.left() - 4 - width
    return Label(symbol, swatch, QRectF(start, y - height / 2, width, height), text)


def name_rect(scene: SpaceScene, text: str, at: QPointF, centre: QPointF, apart: float) -> QRectF:
    """Return the rectangle of a name: ``apart`` beyond a pixel, away from a centre."""
    width, height = text_width(scene.font, text) + 1, text_height(scene.font)
    x, y = at.x() - centre.x(), at.y() - centre.y()
    length = max(math.hypot(x, y), 1e-9)
    outwards = QPointF(x / length * (width / 2 + apart), y / length * (height / 2 + apart))
    rect = QRectF(0.0, 0.0, width, height)
    rect.moveCenter(at + outwards)
    return rect


def shifted(rect: QRectF, room: QRectF) -> QRectF:
    """Move a rectangle sideways into a room."""
    return rect.translated(
        max(room.left() - rect.left(), 0.0) + min(room.right() - rect.right(), 0.0), 0.0
    )


def in_view(label: Label, at: QPointF, room: QRectF) -> Label:
    """Move a name above or below its swatch if it does not fit to its side."""
    swatch, name = label.swatch.translated(at), label.name.translated(at)
    if not label.text or room.contains(name):
        return label
    name.moveCenter(swatch.center())
    if swatch.center().y() < at.y():
        name.moveBottom(swatch.top() - 1)
    else:
        name.moveTop(swatch.bottom() + 1)
    return replace(label, name=shifted(name, room).translated(-at))


def at_edge(label: Label, at: QPointF, room: QRectF) -> tuple[Label, QPointF]:
    """Return a small label at the edge, in the direction of its corner, if that is out of view."""
    if room.contains(label.swatch.translated(at)):
        return label, at
    inner = room.adjusted(_CHIP, _CHIP, -_CHIP, -_CHIP)
    away, middle = at - inner.center(), inner.center()
    beyond = max(abs(away.x()) / (inner.width() / 2), abs(away.y()) / (inner.height() / 2))
    return _inner_label(label.symbol), middle + away / beyond


def _inner_label(symbol: int) -> Label:
    swatch = QRectF(-3.5, -3.5, 7.0, 7.0)
    return Label(symbol, swatch, swatch, "")


def shown_names(placed: Sequence[tuple[Label, QPointF]]) -> list[bool]:
    """Return for each label whether its name is free of the labels and names before it."""
    taken = [label.swatch.translated(at) for label, at in placed]
    shown = []
    for k, (label, at) in enumerate(placed):
        name = label.name.translated(at)
        free = all(not name.intersects(other) for j, other in enumerate(taken) if j != k)
        shown.append(bool(label.text) and free)
        if shown[-1]:
            taken.append(name)
    return shown


def room_around(scene: SpaceScene, gap: float, named: bool) -> Matrix:
    """Return the pixels that labels need to each side, for any corners; see `in_view`."""
    across = gap + 2 * SWATCH + EDGE
    upwards = across + (text_height(scene.font) + 1 if named else 0.0)
    return np.array([across, upwards, across, upwards])


def pads(labels_: Sequence[Label], radius: float) -> Matrix:
    """Return the pixels that each corner needs to its left, above, to its right and below."""
    found = []
    for label in labels_:
        box = label.bounds
        sides = (-box.left(), -box.top(), box.right(), box.bottom())
        found.append([max(side, radius) + EDGE for side in sides])
    return np.array(found).reshape(-1, 4)


def fitted(points: Matrix, pads_: Matrix, size: tuple[float, float]) -> QRectF:
    """Return the part of the plane to show: the smallest in which all points have room."""
    # ``points`` (k, 2); ``pads_`` (k, 4) are pixels to the left, above, to the right and below;
    # ``size`` is the screen's, and both axes have the same scale
    width, height = size
    scale = min(
        _scale(points[:, 0], pads_[:, 0], pads_[:, 2], width),
        _scale(points[:, 1], pads_[:, 3], pads_[:, 1], height),
    )
    left = _start(points[:, 0] * scale, pads_[:, 0], pads_[:, 2], width)
    bottom = _start(points[:, 1] * scale, pads_[:, 3], pads_[:, 1], height)
    return QRectF(left / scale, bottom / scale, width / scale, height / scale)


def fitted_line(low: float, high: float, pad: float, width: float) -> tuple[float, float]:
    """Return the part of a line to show, with ``pad`` pixels beyond its ends."""
    unit = (high - low) / max(width - 2 * pad, 1.0)
    return low - pad * unit, high + pad * unit


def _scale(at: Matrix, before: Matrix, after: Matrix, length: float) -> float:
    apart = at[:, None] - at
    room = length - after[:, None] - before
    wanted = apart > 1e-12 * apart.max()
    if not wanted.any():
        return math.inf
    return max(float((room[wanted] / apart[wanted]).min()), 1.0 / float(apart.max()))


def _start(at: Matrix, before: Matrix, after: Matrix, length: float) -> float:
    low, high = float((at - before).min()), float((at + after).max())
    return low - (length - (high - low)) / 2


def hull(points: Matrix) -> list[int]:
    """Return the indices of the convex hull's corners, counterclockwise."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    if len(order) < 3:
        return list(order)
    chains = []
    for indices in (order, order[::-1]):
        chain: list[int] = []
        for k in indices:
            while len(chain) > 1 and _turn(points[chain[-2]], points[chain[-1]], points[k]) <= 0:
                chain.pop()
            chain.append(k)
        chains.append(chain)
    return chains[0][:-1] + chains[1][:-1]


def _turn(a: Matrix, b: Matrix, c: Matrix) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def lanes(x: Matrix, sizes: Matrix) -> list[int]:
    """Assign discs on a line to as few lanes as keep them apart, at most 4; return each's lane."""
    ends = [-math.inf]
    lane_of = [0] * len(x)
    for k in np.argsort(x, kind="stable"):
        free = [lane for lane, end in enumerate(ends) if x[k] - sizes[k] >= end]
        if not free and len(ends) < _MAX_LANES:
            ends.append(-math.inf)
            free = [len(ends) - 1]
        lane = free[0] if free else int(np.argmin(ends))
        ends[lane], lane_of[k] = float(x[k] + sizes[k] + 1), lane
    return lane_of


def line_top(scene: SpaceScene) -> float:
    """Return the pixels that the end labels of a line take above the discs."""
    return text_height(scene.font) + 8 if scene.space.kind == "segment" else 4.0


def band_height(scene: SpaceScene, mapping: Mapping) -> float:
    """Return the pixels that the end labels and the discs take above the bars of a line."""
    x = mapping.to_pixels(scene.space.codewords)[:, 0]
    radii_ = radii(scene, (mapping.width, mapping.height))
    return line_top(scene) + float((lane_heights(x, radii_) + radii_).max()) + 6


def lane_heights(x: Matrix, radii_: Matrix) -> Matrix:
    """Return the distance of each disc's centre from the top of the lanes."""
    step = 2 * float(radii_.max()) + 1
    return (np.array(lanes(x, radii_)) + 0.5) * step


def line_cells(space: SignatureSpace) -> list[tuple[int, float, float]]:
    """Return each state's part of the line: (state, from, to), the outer ones without end."""
    positions = space.codewords[:, 0]
    order = np.argsort(positions, kind="stable")
    _, first, same = np.unique(positions, return_index=True, return_inverse=True)
    ends = np.concatenate([[-math.inf], space.boundaries, [math.inf]])
    return [
        (int(first[same[state]]), float(ends[k]), float(ends[k + 1]))
        for k, state in enumerate(order)
    ]


def line_state(space: SignatureSpace, x: float) -> int | None:
    """Return the state whose part of the line holds a value; None beyond the ends of a segment."""
    left, _, width, _ = space.extent
    if space.kind == "segment" and not left <= x <= left + width:
        return None
    return next(state for state, low, high in line_cells(space) if low <= x <= high)


def axis_labels(scene: SpaceScene) -> list[tuple[str, Matrix]]:
    """Return the names of the axes of a space of three dimensions, and where those end."""
    solid, names = scene.space.solid, scene.frame.observations.names
    if solid is None or solid.axes is None:
        return []
    are_channels = not scene.frame.observations.discrete and len(names) == 3
    texts = names if are_channels else tuple(f"{_COMPONENT}{k}" for k in (1, 2, 3))
    return list(zip(texts, solid.axes, strict=True))


def axis_rect(scene: SpaceScene, text: str, end: Matrix, mapping: Mapping) -> QRectF:
    """Return the rectangle of an axis's name: beyond its end, but in view."""
    rect = name_rect(scene, text, mapping.to_pixel(end), mapping.to_pixel((0.0, 0.0)), 5.0)
    return shifted(rect, mapping.room)


def axis_names(
    scene: SpaceScene, mapping: Mapping, placed: list[tuple[Label, QPointF]]
) -> list[tuple[str, QRectF]]:
    """Return the texts at the axes, and their places: only numbers if corners are in the way."""
    taken = [label.bounds.translated(at) for label, at in placed]
    found = []
    for text, end in axis_labels(scene):
        rect = axis_rect(scene, text, end, mapping)
        if any(rect.intersects(other) for other in taken):
            text = text.removeprefix(_COMPONENT)
            rect = axis_rect(scene, text, end, mapping)
        found.append((text, rect))
    return found
