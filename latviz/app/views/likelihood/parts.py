"""The terms of the log-likelihood, and the parts that they are drawn by."""

import math
from dataclasses import dataclass
from functools import cached_property

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QFont, QPainter

from latviz.app.theme import Theme
from latviz.app.widgets import painting as p
from latviz.engine.frame import Frame


@dataclass(frozen=True)
class Term:
    """A part of the log-likelihood: its names (the longest first), bits per pixel and nats."""

    names: tuple[str, ...]
    bits: float
    nats: float


@dataclass(frozen=True)
class Summary:
    """What there is to say of an evaluation.

    Attributes
    ----------
    data, pair, correction, total : Term
        ``correction`` is the part of ``pair`` that is due to alpha.
    trouble : str
        Why the total is minus infinity; empty if it is not.
    notes : tuple of str
        How pairs are weighed, the longest first.
    node : str
        What a node is called.
    code : tuple of str
        What left-out observations cost, and cost without states, the longest first; empty if that
        is not known yet.
    """

    data: Term
    pair: Term
    correction: Term
    total: Term
    trouble: str
    notes: tuple[str, ...]
    node: str = "pixel"
    code: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The rows of the table."""
        return self.data, self.pair, self.correction, self.total

    @property
    def headline(self) -> str:
        """The total: "−4.40 bits per pixel"."""
        return f"{self.bits_texts[-1]} bits per {self.node}"

    @cached_property
    def bits_texts(self) -> list[str]:
        """The terms in bits per pixel, all to the same decimals: three digits of the largest."""
        finite = [abs(term.bits) for term in self.terms if math.isfinite(term.bits)]
        largest = max(finite, default=0.0)
        decimals = 2 if largest == 0 else min(6, max(2, 2 - math.floor(math.log10(largest))))
        return [p.signed(term.bits, decimals) for term in self.terms]

    @cached_property
    def nats_texts(self) -> list[str]:
        """The terms in nats, all to the same decimals."""
        largest = max(abs(term.nats) for term in self.terms)
        decimals = 0 if not largest < 1000 else 1 if largest >= 100 else 2
        return [p.signed(term.nats, decimals) for term in self.terms]


def summary(frame: Frame) -> Summary | None:
    """Return what there is to say of a frame's evaluation; None if it was not computed."""
    e = frame.evaluation
    if e is None:
        return None
    plain, n = e.plain_pair_term, e.n_nodes
    correction = e.pair_term - plain if math.isfinite(plain) else math.nan
    alpha, node = alpha_text(frame), frame.request.picture.node_name

    def term(nats: float, *names: str) -> Term:
        return Term(names, nats / (n * math.log(2.0)), nats)

    return Summary(
        data=term(e.data_term, "Data term", "Data"),
        pair=term(e.pair_term, "Pair term", "Pairs"),
        correction=term(correction, f"of it {alpha}", alpha),
        total=Term(("Total",), e.bits_per_node, e.log_likelihood),
        trouble=trouble_text(e.n_impossible, n, node),
        notes=note_texts(frame),
        node=node,
        code=code_texts(frame),
    )


def code_texts(frame: Frame) -> tuple[str, ...]:
    """Return what left-out observations cost beside one state, in longer and shorter words."""
    found = frame.code_lengths
    if found is None:
        return ()
    whole, one = found.states, found.one
    plain = "histogram" if frame.observations.discrete else "one normal density"
    bits, error, alone = (
        p.signed(whole.bits, 3),
        f"{whole.standard_error:.3f}",
        p.signed(one.bits, 3),
    )
    return (
        f"Code length {bits} ± {error} bits · {plain} {alone}",
        f"Code length {bits} bits · {plain} {alone}",
        f"Code length {bits} bits · N = 1: {alone}",
        f"Code length {bits} · N = 1: {alone}",
        f"Code {bits} · N = 1: {alone}",
        f"Code {bits}",
    )


def alpha_text(frame: Frame) -> str:
    """Return alpha as it was set: "alpha 0.3" or "local alpha 0.3"."""
    parameters = frame.request.parameters
    local = "local " if parameters.alpha_mode == "local" else ""
    return f"{local}alpha {parameters.alpha:g}"


def note_texts(frame: Frame) -> tuple[str, ...]:
    """Return how the terms were weighed, in longer and shorter words."""
    normalizer, alpha = frame.request.parameters.normalizer, alpha_text(frame)
    short = f"normaliser: {normalizer}"
    long = f"{short} · {alpha}"
    texts = [long, short, normalizer]
    if not frame.observations.discrete:
        texts.insert(0, f"{long} · data term of densities")
    if frame.believed is not None:
        coupled = f"beliefs couple by A to the power {frame.believed.strength:.2f}"
        texts = [f"{coupled} · {texts[0]}", f"{coupled} · {long}", coupled]
    return tuple(texts)


def trouble_text(n_impossible: int, n: int, node: str = "pixel") -> str:
    """Return why the total is minus infinity, or nothing."""
    if n_impossible == 0:
        return ""
    noun, verb = (node, "has") if n_impossible == 1 else (f"{node}s", "have")
    share = p.percent_text(n_impossible, n)
    count = p.count_text(n_impossible)
    return f"Minus infinity: {count} {noun} ({share}) {verb} probability 0 under the model."


@dataclass(frozen=True)
class Segment:
    """A stretch of the bar, in bits per pixel, and which term it stands for (0 to 2)."""

    start: float
    stop: float
    term: int


def segments(shown: Summary) -> list[Segment]:
    """Return the bar's stretches: terms below 0 pile up to the left of it, the others right."""
    data, pair, correction = shown.data.bits, shown.pair.bits, shown.correction.bits
    if not all(math.isfinite(bits) for bits in (data, pair, correction)):
        return []
    result, below, above = [], 0.0, 0.0
    for k, bits in enumerate((data, pair - correction, correction)):
        if bits < 0:
            result.append(Segment(below + bits, below, k))
            below += bits
        elif bits > 0:
            result.append(Segment(above, above + bits, k))
            above += bits
    return result


_TEMPLATES = ("−00.00", "−0,000,000")


def fill(painter: QPainter, rect: QRectF, term: int, theme: Theme) -> None:
    """Fill with what stands for a term: two colours, and a hatch for alpha's part."""
    color = theme.color("accent" if term == 0 else "muted")
    if term < 2:
        painter.fillRect(rect, color)
    else:
        painter.fillRect(rect, p.mixed(theme.color("panel"), color, 0.25))
        p.draw_hatch(painter, rect, color)


@dataclass(frozen=True)
class Bar:
    """The stacked bar, from the lowest of its stretches to the highest."""

    shown: Summary
    parts: list[Segment]
    low: float
    high: float
    theme: Theme
    font: QFont

    @classmethod
    def of(cls, shown: Summary, theme: Theme, font: QFont) -> "Bar | None":
        """Return the bar; None if there is nothing to pile up."""
        parts = segments(shown)
        if not parts:
            return None
        low = min(0.0, *(part.start for part in parts))
        high = max(0.0, *(part.stop for part in parts))
        return cls(shown, parts, low, high, theme, font)

    def _at(self, bits: float) -> float:
        return (bits - self.low) / (self.high - self.low)

    def _x(self, rect: QRectF, bits: float) -> float:
        return round(rect.left() + 1 + self._at(bits) * (rect.width() - 2))

    def draw(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the stretches, a thin line at 0 and a thick one at the total."""
        for part in self.parts:
            left, right = self._x(rect, part.start), self._x(rect, part.stop)
            stretch = QRectF(left, rect.top() + 3, right - left, rect.height() - 6)
            fill(painter, stretch, part.term, self.theme)
        text = self.theme.color("text")
        painter.fillRect(QRectF(self._x(rect, 0.0), rect.top(), 1, rect.height()), text)
        total = self._x(rect, self.shown.total.bits)
        painter.fillRect(QRectF(total - 1, rect.top(), 3, rect.height()), text)

    def label(self, painter: QPainter, rect: QRectF) -> None:
        """Write the total and 0 under their lines."""
        painter.setPen(self.theme.color("muted"))
        ends = [(self.shown.total.bits, self.shown.bits_texts[-1]), (0.0, "0")]
        p.draw_ticks(painter, rect, [(self._at(bits), (text,)) for bits, text in ends], self.font)


@dataclass(frozen=True)
class Table:
    """The terms' names and numbers, in columns that end where their longest entry ends."""

    theme: Theme
    font: QFont
    small: QFont
    columns: list[tuple[str, list[str]]]
    names: list[tuple[str, ...]]
    rows: tuple[int, ...]
    key: float

    @cached_property
    def widths(self) -> list[float]:
        """The widths of the columns of numbers; templates keep them from changing with a digit."""
        bold = p.scaled(self.font, 1.0, bold=True)
        result = []
        for (title, texts), template in zip(self.columns, _TEMPLATES, strict=False):
            widest = max(p.text_width(bold, text) for text in (*texts, template))
            result.append(max(widest, p.text_width(self.small, title)))
        return result

    @property
    def gutter(self) -> float:
        """The least space left of a column of numbers."""
        return p.text_width(self.font, "00")

    @property
    def indent(self) -> float:
        """Where names start, right of the keys to the bar."""
        return self.key + 6.0 if self.key else 0.0

    @cached_property
    def width(self) -> float:
        """The least width it needs."""
        names = max(p.text_width(self.font, self.names[row][-1]) for row in self.rows)
        return self.indent + names + sum(width + self.gutter for width in self.widths)

    def _cells(self, rect: QRectF) -> list[QRectF]:
        cells: list[QRectF] = []
        right = rect.right()
        for width in reversed(self.widths):
            cells.insert(0, QRectF(right - width, rect.top(), width, rect.height()))
            right -= width + self.gutter
        return cells

    def draw_header(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the columns' titles."""
        painter.setFont(self.small)
        painter.setPen(self.theme.color("muted"))
        for cell, (title, _) in zip(self._cells(rect), self.columns, strict=True):
            painter.drawText(cell, p.RIGHT, title)

    def draw(self, row: int, painter: QPainter, rect: QRectF) -> None:
        """Draw a term's key, name and numbers; the last is the total, under a line."""
        last = row == len(self.names) - 1
        cells = self._cells(rect)
        if last:
            line = QRectF(rect.left(), rect.top() - 2, rect.width(), 1)
            painter.fillRect(line, self.theme.color("line"))
        elif self.key:
            top = round(rect.center().y() - self.key / 2)
            fill(painter, QRectF(rect.left(), top, self.key, self.key), row, self.theme)
        painter.setFont(p.scaled(self.font, 1.0, bold=last))
        painter.setPen(self.theme.color("muted" if row == 2 else "text"))
        name = self._name(row, cells[0].left() - 6 - rect.left() - self.indent)
        painter.drawText(rect.adjusted(self.indent, 0, 0, 0), p.LEFT, name)
        for cell, (_, texts) in zip(cells, self.columns, strict=True):
            painter.drawText(cell, p.RIGHT, texts[row])

    def _name(self, row: int, room: float) -> str:
        """Return the row's name, a long one if there is room for the long ones of all rows."""
        longs = (p.text_width(self.font, self.names[k][0]) for k in self.rows)
        name = self.names[row][0 if max(longs) <= room else -1]
        return p.fitting(self.font, room, name)
