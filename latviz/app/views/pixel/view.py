"""What is known of the pixel under the pointer, in words and numbers."""

import re

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QWidget

from latviz.app.views.base import View
from latviz.app.views.pixel.window_bars import WindowBars
from latviz.app.widgets.accessible_text import node_text
from latviz.engine.frame import Frame
from latviz.engine.inspection import Inspection

FIELDS = ("Pixel", "Window", "Value", "Observed", "Signature", "State", "Next")
MOST_NAMED = 4
_CHIP = re.compile("<span.*?</span> *")


class PixelView(View):
    """Coordinates, value, symbol, signature, the nearest two states; what the window holds."""

    TITLE = "Pixel"
    WRITTEN = True

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
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setAccessibleName(name)
            title = QLabel(name)
            title.setProperty("muted", True)
            form.addRow(title, label)
            self.fields[name] = label
        self.bars = WindowBars(self)
        form.addRow(self.bars)
        self.bars.picked.connect(self.picked)
        self.bars.symbol_hovered.connect(self.symbol_hovered)

    def draw_theme(self) -> None:
        """Restyle the histogram."""
        self.bars.apply_theme(self.theme)

    def draw_frame(self) -> None:
        """Show the pixel again, as the new frame has it."""
        self.bars.show_state(self.state)
        self.bars.show_pointer(self.pointer)
        if self.frame is not None:
            self.bars.show_frame(self.frame)
        self.draw_inspection()

    def draw_inspection(self) -> None:
        """Fill in the table and the histogram."""
        self.bars.show_inspection(self.inspection)
        texts = dict.fromkeys(FIELDS, "–") | {"Pixel": "point at one in the image"}
        if self.frame is not None and self.inspection is not None:
            texts = describe(self.frame, self.inspection, [c.name() for c in self.colors()])
        for name, text in texts.items():
            self.fields[name].setText(text)
        self.describe()
        self.fields["Signature"].setToolTip(self._whole_signature())

    def in_words(self, _frame: Frame) -> str:
        """Return what the table says."""
        if self.inspection is None:
            return "No pixel is inspected."
        said = (f"{name} {_CHIP.sub('', label.text())}" for name, label in self.fields.items())
        return "; ".join(said) + "."

    def _whole_signature(self) -> str:
        if self.frame is None or self.inspection is None:
            return ""
        pairs = zip(self.frame.observations.names, self.inspection.signature, strict=True)
        return "\n".join(f"{name}: {value:.5g}" for name, value in pairs)


def describe(frame: Frame, found: Inspection, colors: list[str]) -> dict[str, str]:
    """Put an inspection into words (rich text)."""
    nearest = [f"{_chip(colors[j])} {j + 1}, at distance {d:.4f}" for j, d in found.nearest]
    picture = frame.request.picture
    sides = [side.stop - side.start for side in found.window]
    return {
        "Pixel": node_text(found.node),
        "Window": f"{' × '.join(map(str, sides))} {picture.node_name}s",
        "Value": value_text(frame, found),
        "Observed": observed_text(frame, found),
        "Signature": signature_text(frame, found),
        "State": nearest[0],
        "Next": nearest[1] if len(nearest) > 1 else "–",
    }


def value_text(frame: Frame, found: Inspection) -> str:
    """Return what the picture holds there: a symbol's name, a number, or three."""
    alphabet = frame.request.picture.alphabet
    if alphabet:
        return alphabet[int(found.value)]
    return ", ".join(number(v) for v in np.atleast_1d(found.value))


def observed_text(frame: Frame, found: Inspection) -> str:
    """Return a symbol's number and name, or a vector."""
    if frame.observations.discrete:
        symbol = int(found.observation)
        return f"{symbol + 1} ({frame.observations.names[symbol]})"
    return ", ".join(number(v) for v in np.atleast_1d(found.observation))


def signature_text(frame: Frame, found: Inspection) -> str:
    """Return a signature in full, or of many symbols the most frequent and their shares.

    Letters are named, other symbols numbered.
    """
    signature, discrete = found.signature, frame.observations.discrete
    if len(signature) <= MOST_NAMED:
        return ", ".join(f"{x:.3f}" if discrete else number(x) for x in signature)
    order = np.argsort(-signature, kind="stable")[: MOST_NAMED - 1]
    names = frame.request.picture.alphabet or range(1, len(signature) + 1)
    listed = ", ".join(f"{names[k]}: {signature[k]:.2f}" for k in order)
    return f"{listed}, …"


def number(value: float) -> str:
    """Return a number with at most five significant digits."""
    return f"{value:.5g}"


def _chip(color: str) -> str:
    return f'<span style="color:{color}">■</span>'
