"""The lines of the readable edition that a step runs."""

from collections.abc import Sequence
from functools import cache

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QFontDatabase, QPainter

from latviz.app.look.theme import Theme
from latviz.app.widgets import painting as p
from latviz.core.disk.reading import read_text
from latviz.resources import resource

EDITION = "readable/latviz_in_300_lines.py"
TITLE = "The same in NumPy: latviz_in_300_lines.py"
RUN: dict[str, tuple[str, ...]] = {
    "window": ("    x = signature(o, w, ", "    q = assign(B, x)"),
    "merges": ("        i, j = sorted((least.", "        merges.append("),
    "sweep": ("    x = signature(o, w, ", "    q = assign(B, x)"),
}
"""How the lines begin that each process runs; beliefs are not the paper's."""


@cache
def edition() -> tuple[str, ...]:
    """Return the lines of the readable edition."""
    return tuple(read_text(resource(EDITION)).splitlines())


def lines_of(process: str) -> list[int]:
    """Return the indices of the lines that a step of a process runs."""
    starts = RUN.get(process, ())
    return [k for k, line in enumerate(edition()) if starts and line.startswith(starts)]


def draw_code(painter: QPainter, room: QRectF, run: Sequence[int], theme: Theme) -> None:
    """Draw the lines around those that run, which are set off."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(0.9 * painter.font().pointSizeF())
    high = p.text_height(font)
    n_shown, middle = max(len(run), int(room.height() / high)), (run[0] + run[-1] + 1) // 2
    first = max(0, min(middle - n_shown // 2, len(edition()) - n_shown))
    painter.save()
    painter.setFont(font)
    for k, line in enumerate(edition()[first : first + n_shown], start=first):
        row = QRectF(room.left(), room.top() + (k - first) * high, room.width(), high)
        if k in run:
            painter.fillRect(row, p.mixed(theme.color("panel"), theme.color("accent"), 0.25))
        painter.setPen(theme.color("text" if k in run else "muted"))
        text = p.fitting(font, row.width(), f"{k + 1:3}  {line}")
        painter.drawText(row, p.LEFT, text)
    painter.restore()
