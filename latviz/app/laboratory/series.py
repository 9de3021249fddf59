"""The curves of an outcome: their numbers, names and colours."""

import math
from dataclasses import dataclass
from typing import Literal

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor

from latviz.app.laboratory.accessible_text import share_text
from latviz.app.theme import Theme
from latviz.core.types import Floats
from latviz.engine.laboratory import Outcome
from latviz.engine.palette import SLOT_COLORS

Marker = Literal["circle", "square", "triangle", "none"]
Pen = Qt.PenStyle

_NAMES = (
    ("Error", "share of pixels, over all copies, that are not the truth"),
    ("Bias", "share of pixels whose commonest state is not the true one"),
    ("Variance", "share of pixels, over all copies, that differ from their commonest state"),
    ("… inside regions", "variance where the whole window is of one true state"),
    ("Bound on it", "what the variance inside regions cannot exceed, if the codebook is known"),
)
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
_MOST_STEPS = 5


@dataclass(frozen=True, eq=False)
class Series:
    """A curve over the windows; its marker and line tell it apart without its colour."""

    name: str
    tip: str
    values: Floats
    band: Floats | None
    color: QColor
    line: Pen
    marker: Marker

    def text_at(self, k: int) -> str:
        """Return the value at a window, with half its band; "–" if it is not known."""
        if math.isnan(self.values[k]):
            return "–"
        text = share_text(self.values[k])
        if self.band is None or math.isnan(self.band[k, 0]):
            return text
        half = 100 * (self.band[k, 1] - self.band[k, 0]) / 2
        return f"{text.removesuffix('%').rstrip()} ± {half:.1f}\N{NO-BREAK SPACE}%"


def series_of(outcome: Outcome, theme: Theme) -> list[Series]:
    """Return error, bias, variance, the variance inside regions, and its bound."""
    r, text, muted = outcome.result, theme.color("text"), theme.color("muted")
    # Blue and vermilion on a light ground, sky blue and orange on a dark one.
    slots = (0, 1) if theme.name == "light" else (3, 6)
    blue, orange = (QColor(*SLOT_COLORS[slot].tolist()) for slot in slots)
    drawn: tuple[tuple[Floats, Floats | None, QColor, Pen, Marker], ...] = (
        (r.error, r.error_band, text, Pen.SolidLine, "circle"),
        (r.bias, r.bias_band, blue, Pen.SolidLine, "square"),
        (r.variance, r.variance_band, orange, Pen.SolidLine, "triangle"),
        (outcome.inside, None, orange, Pen.DotLine, "none"),
        (outcome.bound, None, muted, Pen.DashLine, "none"),
    )
    return [Series(name, tip, *curve) for (name, tip), curve in zip(_NAMES, drawn, strict=True)]


def scale_of(outcome: Outcome) -> tuple[float, float]:
    """Return the top of the scale and the step between its lines, in shares."""
    r = outcome.result
    most = float(max(values.max() for values in (r.error, r.bias, r.variance)))
    step = next((s for s in _STEPS if math.ceil(most / s - 1e-9) <= _MOST_STEPS), _STEPS[-1])
    return step * max(1, math.ceil(most / step - 1e-9)), step
