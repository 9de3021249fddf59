"""The terms of the log-likelihood, and the parts that they are drawn by."""

import math
from dataclasses import dataclass
from functools import cached_property

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from latviz.app.look.theme import Theme
from latviz.app.widgets import painting as p
from latviz.core import digits
from latviz.engine.frames.frame import Frame


@dataclass(frozen=True)
class Term:
    """A part of the log-likelihood: its names (the longest first), bits per pixel and nats."""

    names: tuple[str, ...]
    bits: float
    nats: float


@dataclass(frozen=True)
class Summary:
    """The terms and notes of an evaluation."""

    data: Term
    pair: Term
    correction: Term  # the part of ``pair`` that is due to alpha
    total: Term
    trouble: str  # why the total is minus infinity; empty if it is not
    notes: tuple[str, ...]  # weights of pairs, the longest first
    node: str = "pixel"  # the word for a node
    # costs of left-out observations, with and without states, longest first
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
        """The terms in bits per pixel."""
        return [digits.bits(term.bits) for term in self.terms]

    @cached_property
    def nats_texts(self) -> list[str]:
        """The terms in nats, all to the same decimals."""
        largest = max(abs(term.nats) for term in self.terms)
        return [digits.nats(term.nats, largest) for term in self.terms]


def summary(frame: Frame) -> Summary | None:
    """Return a summary of a frame's evaluation; None if it was not computed."""
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
        correction=term(correction, f"from {alpha}", alpha),
        total=Term(("Total",), e.bits_per_node, e.log_likelihood),
        trouble=trouble_text(e.n_impossible, n, node),
        notes=note_texts(frame),
        node=node,
        code=code_texts(frame),
    )


def code_texts(frame: Frame) -> tuple[str, ...]:
    """Return texts on the code length against that of one state, longest first."""
    found = frame.code_lengths
    if found is None:
        return ()
    whole, one = found.states, found.one
    scale = digits.ErrorScale.of([whole.bits], one.bits)
    if scale.one is not None:
        saves, node = scale.short(whole.bits), frame.request.picture.node_name
        texts = f"Prediction {saves} per {node} over one state", f"{saves} over one state", saves
        return tuple(f"{text[0].upper()}{text[1:]}" for text in texts)
    bits, error, alone = (
        digits.bits(whole.bits),
        digits.bits(whole.standard_error),
        digits.bits(one.bits),
    )
    return (
        f"Prediction error {bits} ± {error} bits · N = 1: {alone}",
        f"Prediction error {bits} bits · N = 1: {alone}",
        f"Prediction error {bits} · N = 1: {alone}",
        f"Error {bits} · N = 1: {alone}",
        f"Error {bits}",
    )


def alpha_text(frame: Frame) -> str:
    """Return alpha as it was set: "alpha 0.3" or "local alpha 0.3"."""
    parameters = frame.request.parameters
    local = "local " if parameters.alpha_mode == "local" else ""
    return f"{local}alpha {parameters.alpha:g}"


def note_texts(frame: Frame) -> tuple[str, ...]:
    """Return the weighting of the terms, in longer and shorter words."""
    normalizer, alpha = frame.request.parameters.normalizer, alpha_text(frame)
    short = f"normaliser: {normalizer}"
    long = f"{short} · {alpha}"
    texts = [long, short, normalizer]
    if not frame.observations.discrete:
        texts.insert(0, f"{long} · data term of densities")
    if frame.believed is not None:
        power = digits.plain(round(frame.believed.strength, 2))
        brief = f"coupling to the power {power}"
        coupled = f"beliefs use the {brief}"
        texts = [f"{coupled} · {texts[0]}", f"{coupled} · {long}", coupled, brief]
    return tuple(texts)


def trouble_text(n_impossible: int, n: int, node: str = "pixel") -> str:
    """Return why the total is minus infinity, or nothing."""
    if n_impossible == 0:
        return ""
    noun, verb = (node, "has") if n_impossible == 1 else (f"{node}s", "have")
    share = digits.share(n_impossible, n)
    count = digits.count(n_impossible)
    return f"Minus infinity: {count} {noun} ({share}) {verb} probability 0 under the model."


@dataclass(frozen=True)
class Segment:
    """A stretch of the bar, in bits per pixel, and which term it stands for (0 to 2)."""

    start: float
    stop: float
    term: int


def segments(shown: Summary) -> list[Segment]:
    """Return the segments of the bar: negative terms left of 0, positive ones right of it."""
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


def fill(painter: QPainter, rect: QRectF, term: int, theme: Theme) -> None:
    """Fill with the pattern of a term: two colours, and a hatch for alpha's part."""
    color = theme.color("accent" if term == 0 else "muted")
    if term < 2:
        painter.fillRect(rect, color)
    else:
        painter.fillRect(rect, p.mixed(theme.color("panel"), color, 0.25))
        p.draw_hatch(painter, rect, color)
