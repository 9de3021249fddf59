"""Accuracies over images per class, a panel for each family, with bands, as SVG."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tests.bench.plot import FAINT, INK, Axis, line, text

Place = Callable[[float], float]

WIDTH, PANEL_H, LEFT, GAP, TOP, FOOT = 760, 230, 52, 46, 62, 44
COLUMNS = 2
COLOURS = ("#d1495b", "#e8871e", "#b5a400", "#2f81f7", "#3a9d5d", "#8a63d2", "#1b9aaa")
"""Of methods, in their order; seen on white and on black."""
DASHES = ("", "", "", "7 4", "2 4", "9 3 2 3", "12 4")
ERRORS = 2.0
"""Standard errors on either side that a band covers."""


def panels(
    found: dict[str, Any],
    sizes: Sequence[float],
    across: str = "images per class",
    *,
    log: bool = True,
) -> str:
    """Return the plot of accuracies by family, method, number of images and repetition.

    ``across`` names the sizes, if they are not numbers of images.
    """
    n_rows = -(-len(found) // COLUMNS)
    titles = list(next(iter(found.values()))["methods"])
    top = TOP + 20 * max(0, -(-len(titles) // 3) - 2)  # the legend has three to a row
    height = top + n_rows * PANEL_H + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" '
        f'font-size="12" fill="{INK}">',
        *_legend(titles),
    ]
    width = (WIDTH - COLUMNS * GAP - 12) / COLUMNS
    for k, (name, family) in enumerate(found.items()):
        row, column = divmod(k, COLUMNS)
        left = LEFT + column * (width + GAP)
        box = left, top + row * PANEL_H, width - 8
        x = Axis(sizes, left, left + width - 8) if log else _even(sizes, left, left + width - 8)
        parts += _panel(name, family, sizes, box, x, across)
    return "\n".join([*parts, "</svg>", ""])


def _legend(methods: Sequence[str]) -> Iterator[str]:
    for k, method in enumerate(methods):
        row, column = divmod(k, 3)
        x, y = LEFT + 230 * column, 16 + 20 * row
        yield _curve([(x, y), (x + 30, y)], k)
        yield text(x + 38, y + 4, method, "start")


def _curve(points: Sequence[tuple[float, float]], k: int) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{DASHES[k]}"' if DASHES[k] else ""
    return (
        f'<polyline points="{places}" fill="none" stroke="{COLOURS[k]}" stroke-width="2.2"{dash}/>'
    )


def _even(sizes: Sequence[float], start: float, stop: float) -> Place:
    """Return the function that places sizes on a linear scale between two ends in pixels."""
    margin, low, high = 0.05 * (stop - start), min(sizes), max(sizes)
    span = stop - start - 2 * margin
    return lambda value: start + margin + span * (value - low) / (high - low)


def _panel(
    name: str,
    family: dict[str, Any],
    sizes: Sequence[float],
    box: tuple[float, float, float],
    x: Place,
    across: str,
) -> Iterator[str]:
    left, top, width = box
    first, bottom = top + 22, top + PANEL_H - FOOT

    def y(value: float) -> float:
        return bottom + (first - bottom) * value

    yield text(left, top + 10, name, "start")
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield line(left, y(value), left + width, y(value), INK, FAINT)
        yield text(left - 6, y(value) + 4, f"{value:g}", "end")
    chance = y(family["chance"])
    yield line(left, chance, left + width, chance, INK, ' stroke-dasharray="1 3"')
    for size in sizes:
        yield text(x(size), bottom + 16, f"{size:g}", "middle")
    yield text(left + width / 2, bottom + 33, across, "middle")
    curves = []
    for k, own in enumerate(family["methods"].values()):
        means = np.array([np.mean(own[f"{size:g}"]) for size in sizes])
        errors = np.array([_error(own[f"{size:g}"]) for size in sizes])
        yield _band([x(size) for size in sizes], y, means, errors, k)
        curves.append([(x(size), y(mean)) for size, mean in zip(sizes, means, strict=True)])
    for k, points in reversed(list(enumerate(curves))):  # the project's own on top of all bands
        yield _curve(points, k)


def _error(values: Sequence[float]) -> float:
    return ERRORS * float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _band(across: Sequence[float], y: Any, means: Any, errors: Any, k: int) -> str:
    up, down = np.minimum(means + errors, 1.0), np.maximum(means - errors, 0.0)
    there = [f"{a:.1f},{y(b):.1f}" for a, b in zip(across, up, strict=True)]
    back = [f"{a:.1f},{y(b):.1f}" for a, b in zip(across, down, strict=True)]
    places = " ".join([*there, *back[::-1]])
    return f'<polygon points="{places}" fill="{COLOURS[k]}" fill-opacity="0.16"/>'
