"""The pixel under the pointer, in words and numbers."""

import html
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QFont, QPainter, QPen
from PyQt6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QWidget

from latviz.app.look.theme import to_colors
from latviz.app.views.base import View
from latviz.app.views.emissions import rows
from latviz.app.views.painted import PointedPart, PointedView
from latviz.app.views.pixel.evidence import EvidenceBars
from latviz.app.widgets import painting as p
from latviz.app.widgets.accessible_text import node_text, symbol_name, value_text
from latviz.app.widgets.pin import pin_at
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.geometry.selection import Selection, SymbolSelection

_HEIGHT = 44


class WindowBars(PointedView):
    """The share of each symbol in the window; for real vectors each channel's mean.

    Next to it: the row of B of the pixel's state as a line, or its mean and deviation.
    """

    TITLE = "Histogram of the window"
    KEYS = "Arrow keys move between the bars."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, _HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return QSize(200, _HEIGHT)

    def draw_inspection(self) -> None:
        """Repaint."""
        self.describe()
        super().draw_inspection()

    def in_words(self, frame: Frame) -> str:
        """Return each symbol's share, or each channel's mean."""
        if self.inspection is None:
            return "No pixel is inspected."
        own = frame.observations.in_own_units(self.inspection.signature)
        pairs, number = zip(frame.observations.names, own.tolist(), strict=True), number_of(frame)
        return ", ".join(f"{name}: {number(value)}" for name, value in pairs) + "."

    def plot(self) -> QRectF:
        """Return the rectangle of the bars."""
        return QRectF(self.rect()).adjusted(0, 2, -1, -p.text_height(self._font()) - 2)

    def spot_at(self, frame: Frame, position: QPointF) -> PointedPart | None:
        """Return the symbol or channel at a position."""
        plot, n = self.plot(), frame.observations.n_symbols
        across = (position.x() - plot.left()) / plot.width()
        return PointedPart(-1, int(across * n)) if 0 <= across < 1 else None

    def stepped(
        self, frame: Frame, spot: PointedPart | None, right: int, _down: int
    ) -> PointedPart:
        """Return the bar that an arrow key leads to."""
        before = 0 if spot is None or spot.item is None else spot.item
        return PointedPart(-1, min(max(before + right, 0), frame.observations.n_symbols - 1))

    def tool_tip(self, frame: Frame, spot: PointedPart) -> str:
        """Return the number of the window's pixels with the symbol, or the channel's mean."""
        found, k = self.inspection, spot.item
        if found is None or k is None:
            return ""
        if not frame.observations.discrete:
            mean = digits.measure(float(frame.observations.in_own_units(found.signature)[k]))
            return f"{frame.observations.names[k]}: mean of the window {mean}"
        count = round(float(found.signature[k]) * found.n_pixels)
        nodes = f"{frame.request.picture.node_name}s"
        text = f"{symbol_name(frame, k).capitalize()}: {count} of {found.n_pixels} {nodes}"
        expected = digits.probability(float(frame.codebook[found.state, k]))
        return f"{text}\nIn {found.called}: {expected}"

    def symbol(self, frame: Frame, spot: PointedPart) -> int | None:
        """Return the symbol of a bar."""
        return spot.item if frame.observations.discrete else None

    def selection(self, frame: Frame, spot: PointedPart) -> Selection | None:
        """Return the symbol's pixels in the state of the inspected pixel."""
        found, k = self.inspection, self.symbol(frame, spot)
        if found is None or k is None:
            return None
        return SymbolSelection(frame.slots[found.state], k)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the window's histogram or mean; nothing while no pixel is inspected."""
        found = self.inspection
        if found is None or found.state >= len(frame.occupancy):
            return
        if frame.observations.discrete:
            self._paint_bars(painter, frame, found)
        else:
            self._paint_means(painter, frame, found)
        painter.setPen(self.theme.color("muted"))
        below = QRectF(self.rect()).adjusted(0, self.plot().bottom() + 2, -1, 0)
        p.draw_columns(painter, below, frame.observations.names, self._font())

    def top(self, frame: Frame, found: Inspection) -> float:
        """Return the share that a full bar stands for."""
        return rows.top_of(np.maximum(found.signature, frame.codebook[found.state]))

    def _paint_bars(self, painter: QPainter, frame: Frame, found: Inspection) -> None:
        plot, theme, expected = self.plot(), self.theme, frame.codebook[found.state].tolist()
        unit, edges = plot.height() / self.top(frame, found), rows.column_edges(plot, len(expected))
        gap = 1 if plot.width() / len(expected) >= 4 else 0
        colors = to_colors(frame.observations.colors)
        shares = zip(found.signature.tolist(), expected, colors, pairwise(edges), strict=True)
        for k, (share, wanted, color, (left, right)) in enumerate(shares):
            height = round(share * unit)
            bar = QRectF(left, plot.bottom() - height, right - left - gap, height)
            painter.fillRect(bar, p.outline(color, theme))
            painter.fillRect(bar.adjusted(gap, 1, -gap, 0), color)
            y = round(plot.bottom() - wanted * unit)
            for line, width in ((theme.color("text"), 3), (self.colors()[found.state], 1)):
                painter.fillRect(QRectF(left, y - width // 2, right - left - gap, width), line)
            if self.spot is not None and self.spot.item == k:
                painter.setPen(QPen(theme.color("accent"), 1))
                painter.drawRect(QRectF(left, plot.top() - 1, right - left - 1, plot.height() + 1))
        painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), theme.color("line"))

    def _paint_means(self, painter: QPainter, frame: Frame, found: Inspection) -> None:
        channels, plot = rows.Channels.of(frame), self.plot()
        signature = frame.observations.in_own_units(found.signature)
        color = self.colors()[found.state]
        for k, (left, right) in enumerate(pairwise(rows.column_edges(plot, len(channels.low)))):
            cell = QRectF(left, plot.top(), right - left, plot.height())
            rows.draw_mean(painter, cell, channels.span(found.state, k), "", color, self.theme)
            at = (signature[k] - channels.low[k]) / (channels.high[k] - channels.low[k])
            x = cell.left() + 5 + min(max(float(at), 0.0), 1.0) * (cell.width() - 10)
            painter.setPen(QPen(self.theme.color("text"), 2))
            painter.drawLine(QPointF(x, cell.top() + 3), QPointF(x, cell.bottom() - 3))

    def _font(self) -> QFont:
        return p.scaled(self.font())


FIELDS = ("Pixel", "Window", "Value", "Observed", "Signature", "State", "Next")
CHIPPED = ("State", "Next")
"""The fields with a chip in the colour of a state; the others may contain text like markup."""
MOST_NAMED = 4
MOST_CHARACTERS = 27
"""Characters that fit into the panel in a window of 1280 pixels; the tool tip has the rest."""
_NONE = {False: "point at one in the image", True: "none is pinned"}
"""The hint while no pixel is inspected, on screen (False) and in figures (True)."""
_CHIP = re.compile("<span.*?</span> *")


class PixelView(View):
    """Coordinates, value, symbol, signature, the two best states, and the window's content.

    If states come from beliefs, also the message from each side.
    """

    TITLE = "Pixel"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        form = QFormLayout(self)
        form.setContentsMargins(12, 8, 10, 8)
        form.setVerticalSpacing(3)
        form.setHorizontalSpacing(12)
        self.take_keyboard(self)
        self.fields: dict[str, QLabel] = {}
        for name in FIELDS:
            label = QLabel("–")
            chipped = name in CHIPPED
            label.setTextFormat(Qt.TextFormat.RichText if chipped else Qt.TextFormat.PlainText)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setAccessibleName(name)
            title = QLabel(name)
            title.setProperty("muted", True)
            form.addRow(title, label)
            self.fields[name] = label
        self.bars = WindowBars(self)
        self.evidence = EvidenceBars(self)
        form.addRow(self.evidence)
        form.addRow(self.bars)
        self.bars.picked.connect(self.picked)
        self.bars.symbol_hovered.connect(self.symbol_hovered)

    def figure_size(self) -> QSize:
        """Return a size with room for the whole table."""
        return self.size().expandedTo(self.sizeHint())

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the pixel that was pinned last."""
        for label in self.fields.values():
            label.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Preferred)
        super().show_as_figure(shown, scale)
        self.resize(self.figure_size())

    def draw_theme(self) -> None:
        """Restyle the histogram."""
        self.bars.apply_theme(self.theme)
        self.evidence.apply_theme(self.theme)

    def _differs(self, before: Frame, frame: Frame) -> bool:
        """Return True if an inspected pixel may look different; without one, the symbols matter."""
        shows_more = self.inspection is not None or before.observations is not frame.observations
        return shows_more and super()._differs(before, frame)

    def draw_frame(self) -> None:
        """Show the pixel again, as the new frame has it."""
        self.bars.show_state(self.state)
        self.bars.show_pointer(self.pointer)
        self.draw_inspection()

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Show the pin's name of the inspected pixel."""
        super().show_pins(pins)
        if self.isVisible() and not self._stale:
            self.draw_inspection()

    def draw_inspection(self) -> None:
        """Fill in the table and the histogram."""
        if self.frame is not None:
            self.bars.show_frame(self.frame)
            self.evidence.show_frame(self.frame)
        self.bars.show_inspection(self.inspection)
        self.evidence.show_evidence(self.inspection)
        texts = dict.fromkeys(FIELDS, "–") | {"Pixel": _NONE[self.is_figure]}
        if self.frame is not None and self.inspection is not None:
            texts = describe(self.frame, self.inspection, [c.name() for c in self.colors()])
            if pin := pin_at(self.pins, self.inspection.node):
                texts["Pixel"] += f" · {pin}"
        for name, text in texts.items():
            self.fields[name].setText(text)
        self.describe()
        self.fields["Signature"].setToolTip(self._whole_signature())

    def in_words(self, _frame: Frame) -> str:
        """Return the table's content."""
        if self.inspection is None:
            return "No pixel is inspected."
        parts = (f"{name} {_CHIP.sub('', label.text())}" for name, label in self.fields.items())
        return "; ".join(parts) + "."

    def _whole_signature(self) -> str:
        if self.frame is None or self.inspection is None:
            return ""
        observations, number = self.frame.observations, number_of(self.frame)
        own = observations.in_own_units(self.inspection.signature).tolist()
        pairs = zip(observations.names, own, strict=True)
        return "\n".join(f"{name}: {number(value)}" for name, value in pairs)


def describe(frame: Frame, found: Inspection, colors: list[str]) -> dict[str, str]:
    """Put an inspection into words; the states are rich text."""
    measure, number = (
        ("at distance", digits.measure)
        if found.node_belief is None
        else ("belief", digits.probability)
    )
    ranked = [
        f"{_chip(colors[j])} {html.escape(frame.label(j))}, {measure} {number(x)}"
        for j, x in found.ranked
    ]
    picture = frame.request.picture
    sides = [side.stop - side.start for side in found.window]
    return {
        "Pixel": node_text(found.node),
        "Window": f"{' × '.join(map(str, sides))} {picture.node_name}s",
        "Value": value_text(frame, found),
        "Observed": observed_text(frame, found),
        "Signature": signature_text(frame, found),
        "State": ranked[0],
        "Next": ranked[1] if len(ranked) > 1 else "–",
    }


def observed_text(frame: Frame, found: Inspection) -> str:
    """Return a symbol's name, or a vector."""
    if frame.observations.discrete:
        return frame.observations.names[int(found.observation)]
    own = frame.observations.in_own_units(np.atleast_1d(found.observation))
    return ", ".join(map(digits.measure, own.tolist()))


def signature_text(frame: Frame, found: Inspection) -> str:
    """Return a signature in full, or of many symbols the most frequent and their shares."""
    return shares_text(frame, found.signature)


def shares_text(frame: Frame, signature: NDArray[Any]) -> str:
    """Return shares of symbols or means of channels; of many symbols those of the most frequent."""
    number, signature = number_of(frame), frame.observations.in_own_units(signature)
    if len(signature) <= MOST_NAMED:
        return ", ".join(number(float(x)) for x in signature)
    order = np.argsort(-signature, kind="stable")[: np.count_nonzero(signature)]
    names = frame.observations.names
    parts = [f"{names[k]}: {number(float(signature[k]))}" for k in order]
    fitting = [k for k in range(1, MOST_NAMED) if len(", ".join(parts[:k])) <= MOST_CHARACTERS]
    listed = parts[: max(fitting, default=1)]
    return ", ".join(listed if len(listed) == len(parts) else [*listed, "…"])


def number_of(frame: Frame) -> Callable[[float], str]:
    """Return the format of a signature's entries: symbols' shares, or channels' means."""
    return digits.probability if frame.observations.discrete else digits.measure


def _chip(color: str) -> str:
    """Return a disc in a state's colour: squares are symbols."""
    return f'<span style="color:{color}">●</span>'
