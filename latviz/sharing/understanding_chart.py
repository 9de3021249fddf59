"""A class's understanding before and after the lessons, as a chart in SVG."""

from html import escape

from latviz.core import digits
from latviz.engine.geometry.axes import Axes
from latviz.engine.lessons.understanding import ClassResults, QuestionResult, interval

WIDTH, ROW = 760.0, 34.0
_APART = 6.0
"""Between the middle of a row and its two shares."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 150.0, 170.0, 78.0, 30.0
_INK, _MUTED, _LINE, _ACCENT = "#1c2530", "#626b78", "#d5dae1", "#1f5fc4"
_TEXT = 'font-family="sans-serif" font-size="13"'


def drawn(results: ClassResults) -> str:
    """Return the chart: for each question the shares right before and after, with intervals."""
    n = len(results.questions)
    high = _TOP + n * ROW + _BOTTOM
    axes = Axes(_LEFT, _TOP, WIDTH - _LEFT - _RIGHT, n * ROW, (0.0, 1.0), (n, 0.0))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {high:g}" '
        f'width="{WIDTH:g}" height="{high:g}" {_TEXT} role="img">',
        f"<title>{escape(results.sentence)}</title>",
        f'<rect width="{WIDTH:g}" height="{high:g}" fill="#ffffff"/>',
        _text(16, 26, results.sentence, _INK, more='font-weight="bold"'),
        *_legend(),
        *_scale(axes, n),
    ]
    for k, question in enumerate(results.questions):
        parts += _row(axes, k + 0.5, question, results.n_students)
    return "\n".join([*parts, "</svg>\n"])


def _legend() -> list[str]:
    return [
        _dot(22, 50, is_after=False),
        _text(32, 54, "right before", _MUTED),
        _dot(132, 50, is_after=True),
        _text(142, 54, "right after", _MUTED),
        _text(232, 54, "lines: 95 % intervals (Wilson)", _MUTED),
        _text(WIDTH - _RIGHT + 16, 54, "wrong before → after", _MUTED),
    ]


def _scale(axes: Axes, n: int) -> list[str]:
    """Return upright lines with shares of the students."""
    found = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, foot = axes.x(share), axes.y(n)
        found.append(_line(x, axes.y(0), x, foot, _LINE, 1))
        text = digits.round_share(share)
        found.append(_text(x, foot + 18, text, _MUTED, more='text-anchor="middle"'))
    return found


def _row(axes: Axes, at: float, question: QuestionResult, n: int) -> list[str]:
    """Return the line of a question that n students answered."""
    middle, wrong = axes.y(at), " → ".join(map(digits.share, question.wrong))
    found = [
        _text(_LEFT - 14, middle + 4, question.title, _INK, more='text-anchor="end"'),
        _text(WIDTH - _RIGHT + 16, middle + 4, wrong, _MUTED),
    ]
    for is_after, share in enumerate(question.right):
        y, (low, high) = middle + (_APART if is_after else -_APART), interval(share, n)
        found += [
            _line(axes.x(low), y, axes.x(high), y, _ACCENT, 1.5),
            _dot(axes.x(share), y, is_after=bool(is_after)),
        ]
    return found


def _text(x: float, y: float, text: str, color: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" {more}>{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, color: str, width: float) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{color}" stroke-width="{width:g}"/>'


def _dot(x: float, y: float, *, is_after: bool) -> str:
    fill = _ACCENT if is_after else "#ffffff"
    around = f'fill="{fill}" stroke="{_ACCENT}" stroke-width="2"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {around}/>'
