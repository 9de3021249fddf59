"""The log-likelihood and the terms it is made of."""

from dataclasses import dataclass, replace
from functools import partial

from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QFontMetricsF, QPainter
from PyQt6.QtWidgets import QWidget

from latviz.app.views.likelihood.parts import Bar, Summary, Table, segments, summary
from latviz.app.views.painted import PaintedView
from latviz.app.widgets import painting as p
from latviz.app.widgets.elided import as_tip
from latviz.engine.frame import Frame

_SCALES = (2.0, 1.6, 1.3, 1.1, 1.0, 0.9)
UNNORMALISED = "unnormalised"
HINT = "Smoothing above 0 gives every symbol and pair a little probability."
SHORT_HINT = "Smoothing above 0 helps."
TIP = (
    "The log-likelihood is no probability: over all images it does not sum to 1, and what is "
    "missing differs from setting to setting. So it must not be compared between them.\n"
    "The code length can be: what an observation costs whose state is told by its window without "
    "it, with the cost of the parameters. Few bits are good; beside it stands what it costs "
    "without states."
)


@dataclass(frozen=True)
class _Detail:
    """How much of it is shown, and how large."""

    scale: float = 1.0
    hint: str = HINT
    ticks: bool = True
    header: bool = True
    note: bool = True
    bar: bool = True
    rows: tuple[int, ...] = (0, 1, 2, 3)
    nats: bool = True
    code: bool = True


_LOW = _Detail(0.9, ticks=False, note=False)
_LEAN = _Detail(0.9, ticks=False, header=False, nats=False)
_LEAST = replace(_LEAN, note=False, bar=False, rows=())
_DETAILS = (
    *(_Detail(scale) for scale in _SCALES),
    *(_Detail(scale, nats=False) for scale in (1.0, 0.9)),
    *(_Detail(0.9, ticks=False, nats=nats) for nats in (True, False)),
    *(replace(_LOW, nats=nats) for nats in (True, False)),
    replace(_LOW, rows=(0, 1, 3)),
    _LEAN,
    replace(_LEAN, note=False),
    replace(_LEAN, note=False, rows=(0, 1, 2)),
    replace(_LEAN, note=False, bar=False),
    replace(_LEAN, note=False, bar=False, rows=(0, 1)),
    _LEAST,
    replace(_LEAST, hint=SHORT_HINT),
    replace(_LEAST, hint=""),
    replace(_LEAST, hint="", code=False),
    replace(_LEAST, hint="", code=False, scale=0.7),
)


class LikelihoodView(PaintedView):
    """The log-likelihood in bits per pixel and nats, split into its terms."""

    TITLE = "Log-likelihood"
    NEEDS = frozenset({"evaluation", "code_lengths"})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summed: tuple[Frame, Summary | None] | None = None
        self._stacks = p.Stacks()

    def in_words(self, frame: Frame) -> str:
        """Return the total, why it is minus infinity if it is, and the code length."""
        shown = self._summary(frame)
        if shown is None:
            return "Computing."
        code = f"{shown.code[0]}." if shown.code else ""
        parts = f"{shown.headline}, {UNNORMALISED}.", shown.trouble, code
        return " ".join(part for part in parts if part)

    def tip_at(self, _position: QPointF) -> str | None:
        """Say what may be compared."""
        return as_tip(TIP)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the total, and as much of its terms as there is room for."""
        room = QRectF(self.rect()).adjusted(p.PAD, p.PAD, -p.PAD, -p.PAD)
        shown = self._summary(frame)
        if shown is None:
            painter.setPen(self.theme.color("muted"))
            painter.drawText(room, p.CENTER, "Computing…")
            return
        width, bar = room.width(), bool(segments(shown))
        height = self.font(), bar, shown.trouble, width if shown.trouble else 0.0
        stacks = (
            ((detail, *height), partial(self._blocks, shown, detail, width)) for detail in _DETAILS
        )
        p.draw_stack(painter, self._stacks.best(stacks, room), room)

    def _summary(self, frame: Frame) -> Summary | None:
        if self._summed is None or self._summed[0] is not frame:
            self._summed = frame, summary(frame)
        return self._summed[1]

    def _blocks(self, shown: Summary, detail: _Detail, width: float) -> list[p.Block]:
        blocks = [self._headline(shown, detail.scale)]
        if detail.code:
            blocks.append(self._code(shown, detail.scale))
        if shown.trouble:
            blocks.append(self._text(shown.trouble, detail.scale, "text", width))
            if detail.hint:
                blocks.append(self._text(detail.hint, detail.scale, "muted", width))
        elif detail.bar:
            blocks += self._bar(shown, detail)
        if detail.rows:
            blocks += self._table(shown, detail)
        if detail.note:
            blocks.append(self._note(shown, detail.scale))
        return blocks

    def _headline(self, shown: Summary, scale: float) -> p.Block:
        large = p.scaled(self.font(), 1.9 * scale, bold=True)
        unit = p.scaled(self.font(), scale)
        number, words = shown.headline.split(" ", 1)
        mark = round(0.5 * p.text_height(large)) if shown.trouble else 0
        start = mark + 6.0 if mark else 0.0
        after = start + p.text_width(large, number) + 6

        def draw(painter: QPainter, rect: QRectF) -> None:
            color = self.theme.color("warning" if mark else "text")
            if mark:
                top = rect.center().y() - mark / 2
                p.draw_mark(painter, QRectF(rect.left(), top, mark, mark), False, color)
            base = rect.center().y() + QFontMetricsF(large).ascent() - p.text_height(large) / 2
            painter.setFont(large)
            painter.setPen(color)
            painter.drawText(QPointF(rect.left() + start, base), number)
            painter.setFont(unit)
            painter.setPen(self.theme.color("muted"))
            longest = f"{words}, {UNNORMALISED}", f"bits / {shown.node}, {UNNORMALISED}"
            shorter = f"bits, {UNNORMALISED}", UNNORMALISED, "bits"
            text = p.fitting(unit, rect.width() - after, *longest, *shorter)
            painter.drawText(QPointF(rect.left() + after, base), text)

        return p.Block(after, p.text_height(large), 3.0, draw)

    def _code(self, shown: Summary, scale: float) -> p.Block:
        font = p.scaled(self.font(), scale)

        def draw(painter: QPainter, rect: QRectF) -> None:
            painter.setFont(font)
            painter.setPen(self.theme.color("text" if shown.code else "muted"))
            texts = shown.code or ("Code length …", "…")
            painter.drawText(rect, p.LEFT, p.fitting(font, rect.width(), *texts))

        return p.Block(0.0, p.text_height(font), 4.0, draw)

    def _text(self, text: str, scale: float, color: str, width: float) -> p.Block:
        font = p.scaled(self.font(), scale)

        def draw(painter: QPainter, rect: QRectF) -> None:
            painter.setFont(font)
            painter.setPen(self.theme.color(color))
            painter.drawText(rect, int(p.WRAP), text)

        return p.Block(0.0, p.text_height(font, text, width), 5.0, draw)

    def _note(self, shown: Summary, scale: float) -> p.Block:
        font = p.scaled(self.font(), 0.9 * scale)

        def draw(painter: QPainter, rect: QRectF) -> None:
            painter.setFont(font)
            painter.setPen(self.theme.color("muted"))
            painter.drawText(rect, p.LEFT, p.fitting(font, rect.width(), *shown.notes))

        return p.Block(0.0, p.text_height(font), 0.0, draw)

    def _bar(self, shown: Summary, detail: _Detail) -> list[p.Block]:
        bar = Bar.of(shown, self.theme, p.scaled(self.font(), 0.85 * detail.scale))
        if bar is None:
            return []
        height = 6.0 + round(9 * detail.scale)
        blocks = [p.Block(60.0, height, 0.0 if detail.ticks else 5.0, bar.draw)]
        if detail.ticks:
            blocks.append(p.Block(0.0, p.text_height(bar.font), 5.0, bar.label))
        return blocks

    def _table(self, shown: Summary, detail: _Detail) -> list[p.Block]:
        font = p.scaled(self.font(), detail.scale)
        small = p.scaled(self.font(), 0.85 * detail.scale)
        columns = [(f"bits / {shown.node}" if detail.nats else "bits", shown.bits_texts)]
        if detail.nats:
            columns.append(("nats", shown.nats_texts))
        key = 0.0 if shown.trouble or not detail.bar else round(8 * detail.scale)
        names = [term.names for term in shown.terms]
        table = Table(self.theme, font, small, columns, names, detail.rows, key)
        height = p.text_height(font)

        def width() -> float:
            return table.width

        rows = [
            p.Block(width, height, 4.0 if after == 3 else 1.0, partial(table.draw, row))
            for row, after in zip(detail.rows, (*detail.rows[1:], None), strict=True)
        ]
        rows[-1] = replace(rows[-1], gap=5.0)
        head = p.Block(width, p.text_height(small), 1.0, table.draw_header)
        return [head, *rows] if detail.header else rows
