"""Shared by the parts of the trade-off view, and the table of N and w."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent, QPainter, QPen
from PyQt6.QtWidgets import QWidget

from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import draw_table
from latviz.app.widgets.painting import Painted
from latviz.core import digits
from latviz.engine.choosing.tradeoff import Place, TradeOff
from latviz.engine.indices import swept
from latviz.engine.settings.appearance import Appearance


@dataclass(frozen=True, eq=False)
class TradeOffScene:
    """The data that all parts draw."""

    trade_off: TradeOff
    n: int  # as set, like ``w``
    w: int
    appearance: Appearance  # the colours of the slots of its maps
    chosen: Place | None  # the N and w that were chosen last
    by_nearest: bool = True  # the states on screen are by the nearest codewords, as are all parts
    # numbers of the states on screen, by `Setting`'s names
    now: Mapping[str, float] = field(default_factory=dict)

    @property
    def how(self) -> str:
        """The decoder, if it differs from that of the states on screen."""
        return "" if self.by_nearest else ", nearest codeword"


class Panel(Painted):
    """A part of the view: paints a scene, has tool tips, takes clicks."""

    TITLE = ""
    CAPTIONS: tuple[str, ...] = ()
    """Descriptions of the contents, longest first; see `captions_of` for the placeholders."""
    HOW_TO = ""
    """The caption with instructions, which figures omit."""
    DRAGGED = False
    """True to follow the pointer while the button is pressed."""

    wanted = pyqtSignal(object)  # (N, w) to set

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: TradeOffScene | None = None
        self.is_figure = False
        self.waiting = ""
        self.pointer: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.TITLE)

    @property
    def captions(self) -> tuple[str, ...]:
        """The captions, with instructions if there is room."""
        instructed = self.HOW_TO and not self.is_figure
        return (self.HOW_TO, *self.CAPTIONS) if instructed else self.CAPTIONS

    def show_scene(self, scene: TradeOffScene | None) -> None:
        """Paint another scene, or none."""
        self.scene = scene
        self.update()

    def draw(self, painter: QPainter, scene: TradeOffScene) -> None:
        """Draw the scene below the caption."""
        raise NotImplementedError

    def place_at(self, scene: TradeOffScene, at: QPointF) -> Place | None:
        """Return the N and w that a click asks for."""
        raise NotImplementedError

    def tip(self, scene: TradeOffScene, at: QPointF) -> str:
        """Return the tool tip at a position: by default the numbers of its N and w."""
        place = self.place_at(scene, at)
        return "" if place is None else numbers_text(scene, place)

    @property
    def room(self) -> QRectF:
        """The part of the widget below the caption."""
        top = p.text_height(p.scaled(self.font())) + 8
        return QRectF(p.PAD, top, self.width() - 2 * p.PAD, self.height() - top - 5)

    def paint_all(self, painter: QPainter) -> None:
        """Paint the caption and the scene."""
        painter.setFont(p.scaled(self.font()))
        if self.scene is not None:
            painter.setPen(self.theme.color("accent" if self.hasFocus() else "muted"))
            width = self.width() - 2 * p.PAD
            text = p.fitting(painter.font(), width, *captions_of(self.captions, self.scene))
            painter.drawText(QRectF(p.PAD, 2, width, self.room.top() - 4), p.LEFT, text)
            self.draw(painter, self.scene)
        elif self.waiting:
            p.draw_waiting(painter, QRectF(self.rect()), self.waiting, self.theme)

    def tip_at(self, position: QPointF) -> str | None:
        """Return the tool tip at a position, once there is a scene."""
        return None if self.scene is None else self.tip(self.scene, position)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Ask for the N and w under the pointer."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton:
            self._ask(event.position())

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Follow the pointer."""
        if event is None:
            return
        self.pointer = event.position()
        self.update()
        if self.DRAGGED and event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event.position())

    def leaveEvent(self, event: QEvent | None) -> None:
        """Clear the item under the pointer."""
        super().leaveEvent(event)
        self.pointer = None
        self.update()

    def _ask(self, at: QPointF) -> None:
        if self.scene is not None:
            place = self.place_at(self.scene, at)
            if place is not None and place != (self.scene.n, self.scene.w):
                self.wanted.emit(place)


class HeatPanel(Panel):
    """The code length of every N and w as a heat map; N grows upwards, w to the right."""

    TITLE = "Prediction error by N and w"
    CAPTIONS = (
        "{error} per {node} by N and w{how} (strong: {best})",
        "{error} by N and w",
        "N and w",
    )

    @property
    def table(self) -> QRectF:
        """Return the rectangle of the cells."""
        font, room = p.scaled(self.font()), self.room
        left, below = p.text_width(font, "N 88") + 4, p.text_height(font) + 2
        return room.adjusted(left, 0, 0, -below)

    def cell(self, scene: TradeOffScene, place: Place) -> QRectF:
        """Return the rectangle of the cell of an N and w."""
        trade_off, table = scene.trade_off, self.table
        wide = table.width() / len(trade_off.windows)
        high = table.height() / len(trade_off.states)
        column, row = trade_off.windows.index(place[1]), trade_off.states.index(place[0])
        return QRectF(table.left() + column * wide, table.bottom() - (row + 1) * high, wide, high)

    def place_at(self, scene: TradeOffScene, at: QPointF) -> Place | None:
        """Return the N and w of the cell."""
        table, trade_off = self.table, scene.trade_off
        if not table.contains(at):
            return None
        column = int((at.x() - table.left()) / table.width() * len(trade_off.windows))
        row = int((table.bottom() - at.y()) / table.height() * len(trade_off.states))
        return (
            trade_off.states[min(row, len(trade_off.states) - 1)],
            trade_off.windows[min(column, len(trade_off.windows) - 1)],
        )

    def shades(self, scene: TradeOffScene) -> NDArray[np.uint8]:
        """Return the colours of the cells, (rows, columns, 4); missing ones are transparent."""
        trade_off, heat = scene.trade_off, self.theme.heat_table()
        rows, settings = trade_off.states[::-1], trade_off.settings
        bits = np.full((len(rows), len(trade_off.windows)), np.nan)
        for k, place in enumerate(product(rows, trade_off.windows)):
            if place in settings:
                bits.flat[k] = settings[place].code_length
        strength = np.zeros(bits.shape, dtype=np.uint8)
        there = np.isfinite(bits)
        if there.any():
            # N = 1 is far worse than all others, where there is structure.
            several = [s.code_length for n in trade_off.states[1:] for s in trade_off.row(n)]
            low, high = bits[there].min(), max(several, default=bits[there].max())
            share = np.clip((high - bits[there]) / max(high - low, 1e-12), 0.0, 1.0)
            strength[there] = np.rint(255 * share)
        opaque = np.where(there, 255, 0).astype(np.uint8)
        return np.concatenate([heat[strength], opaque[..., None]], axis=-1)

    def draw(self, painter: QPainter, scene: TradeOffScene) -> None:
        """Draw the cells, the best w of each N, the choice and the current setting."""
        table, trade_off = self.table, scene.trade_off
        painter.fillRect(table, self.theme.color("raised"))
        draw_table(painter, table, self.shades(scene))
        painter.setPen(self.theme.pen("line", 1))
        painter.drawRect(table)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for n in trade_off.states:
            if n > 1 and (best := trade_off.best_window(n)) is not None:
                self._mark(painter, self.cell(scene, (n, best)).center(), 2.2)
        if scene.chosen is not None and _has(trade_off, scene.chosen):
            self._mark(painter, self.cell(scene, scene.chosen).center(), 4.5)
        if _has(trade_off, (scene.n, scene.w)):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            here = self.cell(scene, (scene.n, scene.w))
            for color, width in (("panel", 4.0), ("accent", 2.0)):
                painter.setPen(QPen(self.theme.color(color), width))
                painter.drawRect(here)
        self._label(painter, scene, table)

    def _mark(self, painter: QPainter, at: QPointF, size: float) -> None:
        painter.setPen(self.theme.pen("panel", 1))
        painter.setBrush(self.theme.color("warning"))
        painter.drawEllipse(at, size, size)

    def _label(self, painter: QPainter, scene: TradeOffScene, table: QRectF) -> None:
        trade_off, line = scene.trade_off, p.text_height(painter.font())
        painter.setPen(self.theme.color("muted"))
        every = max(1, int(np.ceil(line / self.cell(scene, (trade_off.states[0], 0)).height())))
        for n in trade_off.states[::every]:
            y = self.cell(scene, (n, trade_off.windows[0])).center().y()
            text = f"N {n}" if n == trade_off.states[0] else str(n)
            at = QRectF(table.left() - 60, y - line / 2, 55, line)
            painter.drawText(at, p.RIGHT, text)
        n_windows = len(trade_off.windows)
        shown = [k for k, w in enumerate(trade_off.windows) if w % 5 == 0]
        ticks = [((k + 0.5) / n_windows, (str(trade_off.windows[k]),)) for k in shown]
        below = QRectF(table.left(), table.bottom() + 2, table.width(), line)
        p.draw_ticks(painter, below, [*ticks, (0.125 - 0.5 / n_windows, ("w",))], painter.font())


def _has(trade_off: TradeOff, place: Place) -> bool:
    """Return True if an N and w are in the table; larger ones can be set."""
    return place[0] in trade_off.states and place[1] in trade_off.windows


def captions_of(captions: tuple[str, ...], scene: TradeOffScene) -> list[str]:
    """Return captions with N, w, the name of nodes, and for a volume the slice on screen."""
    scope = scene.trade_off.scope
    volume = scope.picture.dimensions == 3
    shown = f" (slice {scope.section.index + 1})" if volume else ""
    is_plain = scene.trade_off.scale.one is None
    error, best = ("Bits", "low") if is_plain else ("Bits saved", "high")
    named = {"n": scene.n, "w": scene.w, "node": scope.picture.node_name}
    named |= {"error": error, "best": best}
    return [caption.format(**named, slice=shown, how=scene.how) for caption in captions]


def numbers_text(scene: TradeOffScene, place: Place) -> str:
    """Return the numbers of an N and w, as lines."""
    (n, w), found = place, scene.trade_off.settings.get(place)
    if not scene.trade_off.exact:
        return f"N = {n}, w = {w}: click to set it. The band is computed from the picture's middle"
    if found is None:
        return f"N = {n}, w = {w}: not yet computed"
    lines = [
        f"N = {n}, w = {w}{scene.how}",
        scene.trade_off.scale.text(found.code_length, found.standard_error),
        ", ".join(f"{row.name} {digits.probability(value(found))}" for row, value in swept()),
    ]
    if found.changed is not None:
        lines.append(
            f"{digits.share(found.changed)} of pixels have another state than with w = {w - 1}"
        )
    if found.accuracy is not None:
        lines.append(
            f"accuracy {digits.share(found.accuracy)}, "
            f"adjusted Rand {digits.probability(found.rand)}"
        )
    return "\n".join(lines)
