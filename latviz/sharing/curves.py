"""Curves over w as SVG, for a page: the scores of each window."""

from collections.abc import Iterable
from html import escape

from latviz.engine.choosing.curves import Curve
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.geometry.axes import Axes, ticks, windows, with_room

WIDTH, HEIGHT = 420.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 12.0, 12.0, 30.0
_EVERY = 5
"""Every _EVERY-th window is marked."""


def drawn_curve(trade_off: TradeOff, n_states: int, window: int, curve: Curve) -> str:
    """Return a plot as an element of SVG, with a line of the class "now" at a window."""
    # data-start and data-step of that line are the place of w = 0, and the distance of one w
    row = trade_off.row(n_states)
    points, band = curve.points(row), curve.band(row)
    numbers = [*(v for _, v in points), *(end for _, *ends in band for end in ends)]
    up = with_room(numbers if curve.needed is None else [*numbers, curve.needed])
    room = _LEFT, _TOP, WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    axes = Axes(*room, windows(trade_off.windows[-1]), up)
    label = escape(f"{curve.title} over w for N = {n_states}")
    parts = [
        f'<svg class="curve" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}">',
        *_scale(axes, curve),
    ]
    if band:
        around = [(w, high) for w, _, high in band] + [(w, low) for w, low, _ in reversed(band)]
        parts.append(f'<polygon class="band" points="{_path(axes, around)}"/>')
    if curve.needed is not None and up[0] <= curve.needed <= up[1]:
        parts.append(_rule(axes.y(curve.needed), "needed"))
    parts.append(f'<polyline class="line" points="{_path(axes, points)}"/>')
    parts += [
        f'<circle cx="{axes.x(w):.1f}" cy="{axes.y(v):.1f}" r="2.5">'
        f"<title>w = {w:g}: {curve.number(v)}</title></circle>"
        for w, v in points
    ]
    parts.append(_now(axes, window))
    return "".join([*parts, "</svg>"])


def _path(axes: Axes, points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{axes.x(w):.1f},{axes.y(value):.1f}" for w, value in points)


def _scale(axes: Axes, curve: Curve) -> list[str]:
    """Return rules with their numbers, and the windows below."""
    drawn = []
    for value in ticks(*axes.up, 4):
        y = axes.y(value)
        drawn.append(_rule(y, "rule"))
        drawn.append(
            f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" class="up">{curve.tick(value)}</text>'
        )
    drawn += [_along(axes, w, str(w)) for w in range(0, int(axes.across[1]) + 1, _EVERY)]
    return [*drawn, _along(axes, _EVERY / 2, "w")]


def _along(axes: Axes, w: float, text: str) -> str:
    return f'<text x="{axes.x(w):.1f}" y="{HEIGHT - _BOTTOM + 16:g}" class="along">{text}</text>'


def _rule(y: float, name: str) -> str:
    return (
        f'<line class="{name}" x1="{_LEFT:g}" x2="{WIDTH - _RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
    )


def _now(axes: Axes, window: int) -> str:
    x, step = axes.x(window), axes.x(1) - axes.x(0)
    return (
        f'<line class="now" data-start="{axes.x(0):.2f}" data-step="{step:.3f}" x1="{x:.1f}" '
        f'x2="{x:.1f}" y1="{_TOP:g}" y2="{HEIGHT - _BOTTOM:g}"/>'
    )
