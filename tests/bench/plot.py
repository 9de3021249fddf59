"""A small log-log plot of times by size, as SVG."""

from collections.abc import Iterator, Sequence

import numpy as np

from tests.bench.harness import Result, amount

WIDTH, HEIGHT = 560, 380
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 44, 58
INK, POINT = "#7b8794", "#2f81f7"  # seen on white and on black
FAINT, DASHED, BOLD = (
    ' stroke-opacity="0.25"',
    ' stroke-dasharray="5 4"',
    ' stroke-width="2"',
)
STEPS = (1, 2, 5)

HEAD = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
    f'height="{HEIGHT}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13" '
    f'fill="{INK}">'
)


class Axis:
    """Places values of a logarithmic scale between two ends in pixels."""

    def __init__(self, values: Sequence[float], start: float, stop: float) -> None:
        low, high = np.log(min(values)), np.log(max(values))
        margin = 0.06 * (high - low)
        self._low, self._span = low - margin, high - low + 2 * margin
        self._start, self._length = start, stop - start

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        return float(self._start + self._length * (np.log(value) - self._low) / self._span)

    def shows(self, value: float) -> bool:
        """Return True if the value is between the ends."""
        return bool(0 <= np.log(value) - self._low <= self._span)


def log_log(result: Result) -> str:
    """Return the plot of a growth: its points, the fitted line and a proportional one."""
    sizes, seconds = zip(*result.points, strict=True)
    x = Axis(sizes, LEFT, WIDTH - RIGHT)
    y = Axis(seconds, HEIGHT - BOTTOM, TOP)
    parts = [HEAD, *_frame(x, y, sizes), *_lines(x, y, sizes, seconds, result.ratio)]
    for size, second in result.points:
        parts.append(f'<circle cx="{x(size):.1f}" cy="{y(second):.1f}" r="4.5" fill="{POINT}"/>')
    return "\n".join([*parts, "</svg>", ""])


def _frame(x: Axis, y: Axis, sizes: Sequence[float]) -> Iterator[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for size in sizes:
        yield line(x(size), TOP, x(size), bottom, INK, FAINT)
        yield text(x(size), bottom + 19, _power_of_two(size), "middle")
    for value in _ticks(y):
        yield line(LEFT, y(value), right, y(value), INK, FAINT)
        yield text(LEFT - 8, y(value) + 4.5, _duration(value), "end")
    yield line(LEFT, TOP, LEFT, bottom, INK)
    yield line(LEFT, bottom, right, bottom, INK)
    yield text((LEFT + right) / 2, HEIGHT - 14, "number of points U, in R⁸", "middle")
    yield text(LEFT, TOP - 18, "time of Fast PNN", "start")


def _lines(
    x: Axis, y: Axis, sizes: Sequence[float], seconds: Sequence[float], exponent: float
) -> Iterator[str]:
    middle = float(np.exp(np.mean(np.log(sizes)))), float(np.exp(np.mean(np.log(seconds))))
    ends = sizes[0], sizes[-1]

    def drawn(slope: float, color: str, style: str) -> str:
        places = [(x(end), y(middle[1] * (end / middle[0]) ** slope)) for end in ends]
        return line(*places[0], *places[1], color, style)

    yield drawn(1.0, INK, DASHED)
    yield drawn(exponent, POINT, BOLD)
    left, top = LEFT + 18, TOP + 22
    yield line(left, top - 4, left + 28, top - 4, POINT, BOLD)
    yield text(left + 36, top, f"fitted, U to the power {exponent:.2f}", "start")
    yield line(left, top + 16, left + 28, top + 16, INK, DASHED)
    yield text(left + 36, top + 20, "proportional to U", "start")


def _ticks(axis: Axis) -> list[float]:
    values = [step * 10.0**power for power in range(-6, 5) for step in STEPS]
    return [value for value in values if axis.shows(value)]


def _duration(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 1 else f"{1000 * seconds:g} ms"


def _power_of_two(size: float) -> str:
    digits = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    power = np.log2(size)
    return "2" + str(int(power)).translate(digits) if power == int(power) else amount(size, "")


def line(x1: float, y1: float, x2: float, y2: float, color: str, style: str = "") -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"{style}/>'
    )


def text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'
