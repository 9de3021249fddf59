"""The pixel under the pointer, in words and numbers."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Self

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QPainter, QPen, QResizeEvent
from PyQt6.QtWidgets import QFormLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from latviz.app.look.theme import to_colors
from latviz.app.views.base import View
from latviz.app.views.emissions import rows
from latviz.app.views.painted import PointedPart, PointedView
from latviz.app.views.pixel.evidence import EvidenceBars
from latviz.app.views.pixel.formulas import Formulas
from latviz.app.views.pixel.pins import PinsTable
from latviz.app.views.pixel.words import MOST_CHARACTERS, describe, number_of
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import painting as p
from latviz.app.widgets.accessible_text import symbol_name
from latviz.app.widgets.pin import pin_at
from latviz.app.work.timers import once_after
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

    def _paint_bars(self, painter: QPainter, frame: Frame, found: Inspection) -> None:
        plot, theme, expected = self.plot(), self.theme, frame.codebook[found.state].tolist()
        unit = plot.height() / rows.top_of(frame.codebook)
        edges = rows.column_edges(plot, len(expected))
        gap = 1 if plot.width() / len(expected) >= 4 else 0
        colors = to_colors(frame.observations.colors)
        shares = zip(found.signature.tolist(), expected, colors, pairwise(edges), strict=True)
        for k, (share, wanted, color, (left, right)) in enumerate(shares):
            height = min(round(share * unit), round(plot.height()))
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
_NONE = {False: "point at one in the image", True: "none is pinned"}
"""The hint while no pixel is inspected, on screen (False) and in figures (True)."""
UNKNOWN = "in none: it counts nowhere"
"""What an unknown pixel means, in the place of its window."""
_CHIP = re.compile("<span.*?</span> *")


class PixelView(View):
    """One pixel: its numbers and states, its window, evidence and formulas; and pinned pixels."""

    TITLE = "Pixel"

    unpinned = pyqtSignal(object)  # (row, column)
    formulas_wanted = pyqtSignal(bool)

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
        self._reveals = False  # the formulas, once they are filled in
        self.bars = WindowBars(self)
        self.evidence = EvidenceBars(self)
        form.addRow(self.evidence)
        form.addRow(self.bars)
        self.bars.picked.connect(self.picked)
        self.bars.symbol_hovered.connect(self.symbol_hovered)
        self.table = PinsTable()
        form.addRow(self.table)
        self.table.unpinned.connect(self.unpinned)
        self.why = QPushButton("Formulas")
        self.why.setToolTip("The pixel's numbers in formulas, and what would change its state")
        self.why.setCheckable(True)
        self.why.clicked.connect(self.formulas_wanted)
        form.addRow(self.why)
        self.formulas = Formulas()
        revealing = once_after(0, self._reveal, self)  # laid out by then
        self.formulas.filled.connect(revealing.start)
        form.addRow(self.formulas)

    def figure_size(self) -> QSize:
        """Return a size with room for the whole table."""
        return self.size().expandedTo(self.sizeHint())

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the pixel that was pinned last."""
        for label in self.fields.values():
            label.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Preferred)
        self.why.hide()
        super().show_as_figure(shown, scale)
        self.table.show_in_print()
        self.formulas.fill()
        self.resize(self.figure_size())

    def draw_theme(self) -> None:
        """Restyle the histogram."""
        self.bars.apply_theme(self.theme)
        self.evidence.apply_theme(self.theme)

    def _differs(self, before: Frame, frame: Frame) -> bool:
        """Return True if an inspected pixel may look different; without one, the symbols matter."""
        shows_more = self.inspection is not None or before.observations is not frame.observations
        return shows_more and super()._differs(before, frame)

    def show_frame(self, frame: Frame) -> None:
        """Take the newest frame; formulas may need results that nothing else here draws."""
        super().show_frame(frame)
        self._explain()

    def finish(self) -> None:
        """Stop typesetting."""
        self.formulas.finish()
        super().finish()

    def draw_frame(self) -> None:
        """Show the pixel again, as the new frame has it."""
        self.bars.show_state(self.state)
        self.bars.show_pointer(self.pointer)
        self.draw_inspection()

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """List the pins, and show the name of the inspected one."""
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
        self.table.show_pins(self.frame, self.pins, self.colors())
        self._explain()
        texts = dict.fromkeys(FIELDS, "–") | {"Pixel": _NONE[self.is_figure]}
        if self.frame is not None and self.inspection is not None:
            colors = [color.name() for color in self.colors()]
            texts = describe(self.frame, self.inspection, colors, self._most_characters())
            if pin := pin_at(self.pins, self.inspection.node):
                texts["Pixel"] += f" · {pin}"
        elif self.frame is not None and self.unknown_node is not None:
            place = words.place_of(self.frame, self.unknown_node)
            texts |= {"Pixel": place, "Window": UNKNOWN, "Value": "unknown", "State": "unknown"}
        for name, text in texts.items():
            self.fields[name].setText(text)
        self.describe()
        self.fields["Signature"].setToolTip(self._whole_signature())

    def _most_characters(self) -> int:
        """Return the digits that the signature has room for, besides an ellipsis."""
        label = self.fields["Signature"]
        return max(MOST_CHARACTERS, label.width() // label.fontMetrics().averageCharWidth() - 3)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show as much of the signature as fits."""
        super().resizeEvent(event)
        self.draw_inspection()

    def _explain(self) -> None:
        """Show or hide the formulas, with the numbers of the inspected pixel."""
        self._reveals |= self.display.formulas and not self.why.isChecked()
        self.why.setChecked(self.display.formulas)
        self.formulas.setVisible(self.display.formulas)
        node = None if self.inspection is None else self.inspection.node
        self.formulas.show_pixel(self.frame, node)

    def _reveal(self) -> None:
        """Scroll to the formulas, once after they were asked for."""
        around = self.parentWidget()
        area = None if around is None else around.parentWidget()
        if self._reveals and isinstance(area, QScrollArea) and (bar := area.verticalScrollBar()):
            bar.setValue(self.why.y() - 6)
        self._reveals = False

    def in_words(self, _frame: Frame) -> str:
        """Return the table's content."""
        pins = words.pins(self.pins)
        if self.inspection is None and self.unknown_node is None:
            return f"No pixel is inspected. {pins}".strip()
        parts = (f"{name} {_CHIP.sub('', label.text())}" for name, label in self.fields.items())
        return f"{'; '.join(parts)}. {pins}".strip()

    def _whole_signature(self) -> str:
        if self.frame is None or self.inspection is None:
            return ""
        observations, number = self.frame.observations, number_of(self.frame)
        own = observations.in_own_units(self.inspection.signature).tolist()
        pairs = zip(observations.names, own, strict=True)
        return "\n".join(f"{name}: {number(value)}" for name, value in pairs)
