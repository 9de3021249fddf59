"""Curves over w as SVG, to stand inside a page: what each window is worth."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from latviz.core import choice
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.geometry.ticks import ticks
from latviz.engine.indices import swept

Value = Callable[["choice.settings.Setting"], float | None]
Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 420.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 12.0, 12.0, 30.0
_EVERY = 5
"""Of the windows, each so many-th is marked."""


@dataclass(frozen=True)
class Curve:
    """One of the plots of a page."""

    title: str  # what is drawn
    unit: str  # of its values
    value: Value  # returns it for a setting
    error: Value | None = None  # half the width of a band around it
    needed: float | None = None  # from which on the model is applicable


def curves_of(trade_off: TradeOff) -> tuple[Curve, ...]:
    """Return the plots that there are numbers for."""
    known = (
        Curve("Code length", "bits, left out", lambda s: s.code_length, lambda s: s.standard_error),
        *(Curve(row.title, "", value, needed=row.needed) for row, value in swept()),
    )
    if not trade_off.has_truth:
        return known
    return *known, Curve("Accuracy", "against the truth", lambda s: s.accuracy)


@dataclass(frozen=True)
class _Axes:
    """Where numbers stand: w from 0 to ``last``, values from ``low`` to ``high``."""

    last: int
    low: float
    high: float

    def x(self, w: float) -> float:
        return _LEFT + (w + 0.5) / (self.last + 1) * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)

    def path(self, points: Points) -> str:
        return " ".join(f"{self.x(w):.1f},{self.y(value):.1f}" for w, value in points)


def drawn_curve(trade_off: TradeOff, n_states: int, window: int, curve: Curve) -> str:
    """Return a plot as an element of SVG, with a line of the class "now" at a window."""
    # data-start and data-step of that line are where w = 0 stands, and how far one w is
    found = [(s.window, curve.value(s), s) for s in trade_off.row(n_states)]
    known = [(w, v, s) for w, v, s in found if v is not None and math.isfinite(v)]
    points = [(float(w), v) for w, v, _ in known]
    band = [] if curve.error is None else [(w, v, curve.error(s) or 0.0) for w, v, s in known]
    axes = _Axes(trade_off.windows[-1], *_range(points, band, curve.needed))
    label = escape(f"{curve.title} over w for N = {n_states}")
    parts = [
        f'<svg class="curve" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}">',
        *_scale(axes),
    ]
    if band:
        upper = [(w, v + e) for w, v, e in band]
        lower = [(w, v - e) for w, v, e in reversed(band)]
        parts.append(f'<polygon class="band" points="{axes.path([*upper, *lower])}"/>')
    if curve.needed is not None and axes.low <= curve.needed <= axes.high:
        parts.append(_rule(axes.y(curve.needed), "needed"))
    parts.append(f'<polyline class="line" points="{axes.path(points)}"/>')
    parts += [
        f'<circle cx="{axes.x(w):.1f}" cy="{axes.y(v):.1f}" r="2.5">'
        f"<title>w = {w:g}: {v:.4g}</title></circle>"
        for w, v in points
    ]
    parts.append(_now(axes, window))
    return "".join([*parts, "</svg>"])


def _range(
    points: Points, band: Sequence[tuple[float, float, float]], needed: float | None
) -> tuple[float, float]:
    values = [v for _, v in points] + [v + sign * e for _, v, e in band for sign in (-1, 1)]
    values += [] if needed is None else [needed]
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = max(0.06 * (high - low), 1e-3)
    return low - room, high + room


def _scale(axes: _Axes) -> list[str]:
    """Return rules with their numbers, and the windows below."""
    drawn = []
    for value in ticks(axes.low, axes.high, 4):
        y = axes.y(value)
        drawn.append(_rule(y, "rule"))
        drawn.append(f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" class="up">{value:.4g}</text>')
    drawn += [_along(axes, w, str(w)) for w in range(0, axes.last + 1, _EVERY)]
    return [*drawn, _along(axes, _EVERY / 2, "w")]


def _along(axes: _Axes, w: float, text: str) -> str:
    return f'<text x="{axes.x(w):.1f}" y="{HEIGHT - _BOTTOM + 16:g}" class="along">{text}</text>'


def _rule(y: float, name: str) -> str:
    return (
        f'<line class="{name}" x1="{_LEFT:g}" x2="{WIDTH - _RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
    )


def _now(axes: _Axes, window: int) -> str:
    x, step = axes.x(window), axes.x(1) - axes.x(0)
    return (
        f'<line class="now" data-start="{axes.x(0):.2f}" data-step="{step:.3f}" x1="{x:.1f}" '
        f'x2="{x:.1f}" y1="{_TOP:g}" y2="{HEIGHT - _BOTTOM:g}"/>'
    )
