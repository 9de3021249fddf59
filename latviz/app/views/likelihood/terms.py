"""What there is to say of a log-likelihood, and how its terms pile up."""

import math
from dataclasses import dataclass

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
    """

    data: Term
    pair: Term
    correction: Term
    total: Term
    trouble: str
    notes: tuple[str, ...]
    node: str = "pixel"

    @property
    def terms(self) -> tuple[Term, ...]:
        """The rows of the table."""
        return self.data, self.pair, self.correction, self.total

    @property
    def headline(self) -> str:
        """The total: "−4.40 bits per pixel"."""
        return f"{bits_texts(self)[-1]} bits per {self.node}"


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
    if frame.observations.discrete:
        return long, short, normalizer
    return f"{long} · data term of densities", long, short, normalizer


def trouble_text(n_impossible: int, n: int, node: str = "pixel") -> str:
    """Return why the total is minus infinity, or nothing."""
    if n_impossible == 0:
        return ""
    noun, verb = (node, "has") if n_impossible == 1 else (f"{node}s", "have")
    share = p.percent_text(n_impossible, n)
    count = p.count_text(n_impossible)
    return f"Minus infinity: {count} {noun} ({share}) {verb} probability 0 under the model."


def bits_texts(shown: Summary) -> list[str]:
    """Return the terms in bits per pixel, all to the same decimals: three digits of the largest."""
    finite = [abs(term.bits) for term in shown.terms if math.isfinite(term.bits)]
    largest = max(finite, default=0.0)
    decimals = 2 if largest == 0 else min(6, max(2, 2 - math.floor(math.log10(largest))))
    return [p.signed(term.bits, decimals) for term in shown.terms]


def nats_texts(shown: Summary) -> list[str]:
    """Return the terms in nats, all to the same decimals."""
    largest = max(abs(term.nats) for term in shown.terms)
    decimals = 0 if not largest < 1000 else 1 if largest >= 100 else 2
    return [p.signed(term.nats, decimals) for term in shown.terms]


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
