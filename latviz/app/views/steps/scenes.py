"""Drawings of a step of each process."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from latviz import engine
from latviz.app.look.theme import Theme, to_colors
from latviz.app.views.steps import code
from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import draw_table
from latviz.app.widgets.lifetimes import image_of
from latviz.core import digits
from latviz.core.types import Region
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.palette import coloured, hatched

_GAP = 14.0
_AROUND = 10
"""Nodes around the part that a window slides over which are drawn, at most."""
_MOST_BARS = 16
_WITH_CODE = 700
"""Pixels of a room that is wide enough for code."""
_FEW_LINES = 8
"""A room of fewer lines is low."""


@dataclass(frozen=True, eq=False)
class MadeFilm:
    """All steps of a process, and the frame that they are those of."""

    frame: Frame
    film: "engine.explain.stepping.StepFilm[Any]"


@dataclass(frozen=True, eq=False)
class ShownStep(MadeFilm):
    """The input of a scene: a film and the index of one of its steps."""

    at: int
    theme: Theme

    @property
    def step(self) -> Any:
        """The step that is shown."""
        return self.film.steps[self.at]


def draw(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    """Draw a step, and next to it the lines of the readable edition that it runs."""
    run = code.lines_of(shown.film.name)
    if run and room.width() >= _WITH_CODE:
        room, right = _columns(room, 0.55, 0.45)
        code.draw_code(painter, _titled(painter, right, code.TITLE, shown.theme), run, shown.theme)
    scenes = {
        "window": _draw_window,
        "merges": _draw_merge,
        "sweep": _draw_sweep,
        "passes": _draw_pass,
    }
    scenes[shown.film.name](painter, room, shown)


def _columns(room: QRectF, *shares: float) -> list[QRectF]:
    """Return parts of a room side by side."""
    wide, left, found = room.width() - _GAP * (len(shares) - 1), room.left(), []
    for share in shares:
        found.append(QRectF(left, room.top(), share * wide, room.height()))
        left += share * wide + _GAP
    return found


def _titled(painter: QPainter, room: QRectF, title: str, theme: Theme) -> QRectF:
    """Write a title; return the room below it."""
    line = p.text_height(painter.font())
    painter.setPen(theme.color("muted"))
    text = p.fitting(painter.font(), room.width(), title)
    painter.drawText(QRectF(room.left(), room.top(), room.width(), line), p.LEFT, text)
    return room.adjusted(0, line + 3, 0, 0)


def _fitted(room: QRectF, rows: int, columns: int) -> QRectF:
    """Return the largest rectangle of even cells at the top left of a room."""
    cell = min(room.width() / columns, room.height() / rows)
    if rows == 1:
        return QRectF(room.left(), room.top(), room.width(), min(room.height(), 60.0))
    return QRectF(room.left(), room.top(), cell * columns, cell * rows)


# The window slides


def _draw_window(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    line = p.text_height(painter.font())
    picture, states, signature, distances = _window_parts(room, line)
    _draw_observations(painter, _titled(painter, picture, "The window", shown.theme), shown)
    below = _titled(painter, states, "States so far", shown.theme)
    _draw_states_so_far(painter, below, shown)
    for part, title, draw_bars in (
        (signature, "Its signature", _draw_counts),
        (distances, "Squared distances", _draw_distances),
    ):
        draw_bars(painter, _titled(painter, part, title, shown.theme), shown)


def _window_parts(room: QRectF, line: float) -> list[QRectF]:
    """Return the room of window, states and numbers; the numbers side by side where it is low."""
    if room.height() < _FEW_LINES * line:
        return _columns(room, 0.15, 0.15, 0.3, 0.4)
    picture, states, numbers = _columns(room, 0.36, 0.3, 0.34)
    upper = QRectF(numbers.left(), numbers.top(), numbers.width(), numbers.height() * 0.5 - 4)
    return [picture, states, upper, upper.translated(0, upper.height() + 8)]


def _flat(region: Region) -> tuple[slice, slice]:
    """Return the rows and columns of a region; those of a slice for a volume."""
    rows, columns = (slice(0, 1), *region)[-2:]
    return rows, columns


def _observed(frame: Frame, region: Region) -> NDArray[np.uint8]:
    """Return the colours of the observations of a plane region, or the picture's own."""
    observations, known = frame.observations, frame.request.picture.known
    if observations.discrete:
        colors: NDArray[np.uint8] = np.asarray(observations.colors)[observations.values[region]]
    else:
        picture = frame.request.picture
        colors = picture.in_colour(picture.as_shown(picture.pixels[region]))
    plane = colors.reshape(-1, colors.shape[-2], 3)
    return plane if known is None else hatched(plane, known[region].reshape(plane.shape[:2]))


def _draw_observations(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    shape, part, step = shown.frame.states.shape, shown.film.part, shown.step
    around = tuple(
        slice(max(0, s.start - reach), min(length, s.stop + reach))
        for s, length, reach in zip(part, shape, _reaches(len(shape)), strict=True)
    )
    rows, columns = _flat(around)
    whole = _fitted(room, rows.stop - rows.start, columns.stop - columns.start)
    draw_table(painter, whole, _observed(shown.frame, around))
    high = whole.height() / (rows.stop - rows.start)
    wide = whole.width() / (columns.stop - columns.start)

    def rect(region: Region) -> QRectF:
        down, across = _flat(region)
        return QRectF(
            whole.left() + (across.start - columns.start) * wide,
            whole.top() + (down.start - rows.start) * high,
            (across.stop - across.start) * wide,
            (down.stop - down.start) * high,
        )

    painter.save()
    painter.setClipRect(whole)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    own = tuple(slice(at, at + 1) for at in step.node)
    for region, width in ((step.window, 3), (own, 2)):
        for color, more in ((shown.theme.color("panel"), 2), (shown.theme.color("accent"), 0)):
            painter.setPen(QPen(color, width + more))
            painter.drawRect(rect(region).adjusted(1, 1, -1, -1))
    painter.restore()


def _reaches(dimensions: int) -> tuple[int, ...]:
    """Return the margin drawn around the part, along each axis."""
    return {1: (_AROUND,), 2: (_AROUND, _AROUND), 3: (0, _AROUND, _AROUND)}[dimensions]


def _draw_states_so_far(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    rows, columns = _flat(shown.film.part)
    shape = rows.stop - rows.start, columns.stop - columns.start
    whole = _fitted(room, *shape)
    line, panel = (shown.theme.color(name).getRgb()[:3] for name in ("line", "panel"))
    cells = np.empty((math.prod(shape), 3), dtype=np.uint8)
    cells[:] = np.array(panel, dtype=np.uint8)
    corner = np.array([side.start for side in shown.film.part])
    for step in shown.film.steps[: shown.at + 1]:
        row, column = (0, *(np.array(step.node) - corner).tolist())[-2:]
        cells[row * shape[1] + column] = shown.frame.colors[step.state]
    draw_table(painter, whole, cells.reshape(*shape, 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(*line), 1))
    painter.drawRect(whole)
    wide, high = whole.width() / shape[1], whole.height() / shape[0]
    painter.setPen(QPen(shown.theme.color("accent"), 2))
    painter.drawRect(QRectF(whole.left() + column * wide, whole.top() + row * high, wide, high))


def _bars(
    painter: QPainter, room: QRectF, bars: list[tuple[str, float, QColor]], theme: Theme, mark: int
) -> None:
    """Draw a bar for each name and value, which is written after it; ``mark`` is set off."""
    line = min(room.height() / max(1, len(bars)), 1.3 * p.text_height(painter.font()))
    left = max((p.text_width(painter.font(), name) for name, _, _ in bars), default=0.0) + 6
    left = min(left, room.width() / 3)
    texts = [digits.count(v) if v == round(v) else digits.measure(v) for _, v, _ in bars]
    right = max((p.text_width(painter.font(), text) for text in texts), default=0.0) + 6
    most = max((value for _, value, _ in bars), default=1.0) or 1.0
    for k, (name, value, color) in enumerate(bars):
        row = QRectF(room.left(), room.top() + k * line, room.width(), line)
        painter.setPen(theme.color("text" if k == mark else "muted"))
        if line >= 0.8 * p.text_height(painter.font()):
            painter.drawText(row, p.LEFT, p.fitting(painter.font(), left - 6, name))
            painter.drawText(row, p.RIGHT, texts[k])
        length = max(0.0, value) / most * max(0.0, row.width() - left - right)
        bar = QRectF(row.left() + left, row.top() + 2, max(1.0, length), max(1.0, line - 4))
        painter.fillRect(bar, p.outline(color, theme))
        painter.fillRect(bar.adjusted(1, 1, -1, -1), color)
        if k == mark:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(row.adjusted(left - 2, 0, -right + 2, 0))


def _draw_counts(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    observations = shown.frame.observations
    signature = observations.in_own_units(shown.step.signature).tolist()
    order = sorted(range(len(signature)), key=lambda m: -abs(signature[m]))[:_MOST_BARS]
    accent = shown.theme.color("accent")
    own = to_colors(np.asarray(observations.colors)) if observations.discrete else []
    bars = [(observations.names[m], signature[m], own[m] if own else accent) for m in sorted(order)]
    _bars(painter, room, bars, shown.theme, -1)


def _draw_distances(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    colors, distances = to_colors(shown.frame.colors), shown.step.distances.tolist()
    bars = [(shown.frame.label(q), d, colors[q]) for q, d in enumerate(distances)]
    _bars(painter, room, bars, shown.theme, shown.step.state)


# Clusters merge


def _draw_merge(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    left, right = _columns(room, 0.5, 0.5)
    _draw_clusters(painter, _titled(painter, left, "Clusters of signatures", shown.theme), shown)
    title = "Merge tree: height is cost"
    _draw_tree(painter, _titled(painter, right, title, shown.theme).adjusted(0, 4, 0, -4), shown)


def _draw_tree(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    """Draw the merges that are done in the colour of text, the one that is shown set off."""
    tree = shown.film.tree
    assert tree is not None
    heights, bars, now = tree.heights(), tree.bars(), shown.step.n - 1
    wide = room.width() / tree.n_leaves

    def at(place: float, height: float) -> QPointF:
        return QPointF(room.left() + (place + 0.5) * wide, room.bottom() - height * room.height())

    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for merge in range(1, tree.n_leaves):
        one, other, *made_by = bars[merge].tolist()
        foot, far = (heights[int(k)] if k else 0.0 for k in made_by)
        top = float(heights[merge])
        name = "accent" if merge == now else "text" if merge > now else "line"
        painter.setPen(QPen(shown.theme.color(name), 3 if merge == now else 1.5))
        line = [at(one, foot), at(one, top), at(other, top), at(other, far)]
        painter.drawPolyline(QPolygonF(line))
    painter.restore()


def _draw_clusters(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    cuts, step, first = shown.film.cuts, shown.step, shown.film.points[0]
    assert cuts is not None
    points, weights = shown.film.points[shown.at], cuts.weights[step.n - 1]
    low, high = first.min(axis=0), first.max(axis=0)
    inner, span = room.adjusted(24, 24, -24, -24), np.where(high > low, high - low, 1.0)
    shares = (points - low) / span
    places = [
        QPointF(inner.left() + x * inner.width(), inner.bottom() - y * inner.height())
        for x, y in shares.tolist()
    ]
    colors = _cluster_colors(shown, step.n)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(shown.theme.color("accent"), 3))
    painter.drawLine(places[step.kept], places[step.gone])
    for row, place in enumerate(places):
        radius = 4 + 18 * math.sqrt(float(weights[row]) / float(weights.sum()))
        pair = row in (step.kept, step.gone)
        edge = shown.theme.color("accent") if pair else p.outline(colors[row], shown.theme)
        painter.setPen(QPen(edge, 3 if pair else 1))
        painter.setBrush(colors[row])
        painter.drawEllipse(place, radius, radius)
    painter.restore()
    painter.setPen(shown.theme.color("text"))
    for row in (step.kept, step.gone):
        painter.drawText(
            QRectF(places[row].x() + 8, places[row].y() - 24, 40, 20), p.LEFT, str(row + 1)
        )


def _cluster_colors(shown: ShownStep, n: int) -> list[QColor]:
    """Return the colour of the state that each of ``n`` clusters is part of, or was once."""
    cuts, row_slots = shown.film.cuts, shown.frame.row_slots
    assert cuts is not None
    slots = tuple(row_slots[cuts.branch(row, len(row_slots))] for row in range(n))
    return to_colors(shown.frame.appearance.colors(slots))


# The window grows


def _draw_sweep(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    left, right = _columns(room, 0.55, 0.45)
    slots = shown.step.slots
    below = _titled(painter, left, f"States with w = {shown.step.window}", shown.theme)
    table = shown.frame.appearance.colors(tuple(range(255)))
    _draw_map(painter, below, coloured(slots, table), shown.theme)
    plot = _titled(painter, right, shown.step.title, shown.theme).adjusted(4, 8, -8, 0)
    line = p.text_height(painter.font())
    plot.setBottom(plot.bottom() - line - 4)
    bits = [step.error for step in shown.film.steps]
    low, high, n = min(bits), max(bits), max(1, len(bits) - 1)
    high = high if high > low else low + 1.0
    across = [plot.left() + k / n * plot.width() for k in range(len(bits))]
    down = [plot.bottom() - (b - low) / (high - low) * plot.height() for b in bits]
    points = [QPointF(x, y) for x, y in zip(across, down, strict=True)]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(shown.theme.color("line"), 2))
    painter.drawPolyline(QPolygonF(points))
    painter.setPen(QPen(shown.theme.color("accent"), 2))
    painter.drawPolyline(QPolygonF(points[: shown.at + 1]))
    painter.setBrush(shown.theme.color("accent"))
    painter.drawEllipse(points[shown.at], 4, 4)
    painter.restore()
    painter.setPen(shown.theme.color("muted"))
    foot = QRectF(plot.left(), plot.bottom() + 6, plot.width(), line)
    painter.drawText(foot, p.LEFT, f"w = {shown.film.steps[0].window}")
    painter.drawText(foot, p.RIGHT, str(shown.film.steps[-1].window))


# Beliefs pass on


def _draw_pass(painter: QPainter, room: QRectF, shown: ShownStep) -> None:
    left, right = _columns(room, 0.55, 0.45)
    states = shown.step.states
    title = "No pass yet" if shown.step.passes == 0 else f"After pass {shown.step.passes}"
    below = _titled(painter, left, title, shown.theme)
    _draw_map(painter, below, coloured(states, shown.frame.colors), shown.theme)
    bars = [
        (f"pass {step.passes}", float(step.n_changed), shown.theme.color("accent"))
        for step in shown.film.steps[1:]
    ]
    title = "Pixels that change state in a pass"
    below = _titled(painter, right, title, shown.theme)
    _bars(painter, below, bars, shown.theme, shown.at - 1)


def _draw_map(painter: QPainter, room: QRectF, rgb: NDArray[np.uint8], theme: Theme) -> None:
    rows, columns = rgb.shape[:2]
    whole = _fitted(room, rows, columns)
    painter.drawImage(whole, image_of(rgb))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.drawRect(whole)
