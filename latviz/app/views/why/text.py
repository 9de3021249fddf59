"""An explanation in sections: a formula of the model, and as rich text this pixel's numbers."""

import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.painting import signed
from latviz.engine.explanation import Explanation, Flip, cuts_in_force
from latviz.engine.formulas import TOPICS, Formula
from latviz.engine.frame import Frame
from latviz.engine.parameters import STATES_RANGE

MOST_TERMS = 6
"""Symbols and states of which every term is written out; of more, only the largest."""
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Section:
    """A part of an explanation.

    Attributes
    ----------
    title : str
    text : str
        Rich text.
    formula : Formula, optional
        What is typeset between both.
    """

    title: str
    text: str
    formula: Formula | None = None


def explained(frame: Frame, found: Explanation, colors: Sequence[str]) -> tuple[Section, ...]:
    """Return why a pixel is in its state; ``colors`` are those of the states."""
    labels = [_label(frame, state, color) for state, color in enumerate(colors)]
    return tuple(_sections(frame, found, labels))


def _sections(frame: Frame, found: Explanation, labels: Sequence[str]) -> Iterator[Section]:
    yield Section("", f"<b>{_headline(frame, found, labels)}</b>")
    yield _signature(frame, found)
    yield _distances(frame, found, labels)
    if found.product is not None:
        yield _belief(found, labels)
    if len(found.ranked) > 1:
        yield _changes(frame, found, labels)
    yield _likelihood(frame, found, labels)


def _headline(frame: Frame, found: Explanation, labels: Sequence[str]) -> str:
    where = node_text(found.node)
    name = labels[found.state]
    where = where[0].upper() + where[1:]
    if frame.believed is not None:
        return f"{where} is in state {name}: it and its neighbours believe in it most."
    if len(found.ranked) < 2:
        return f"{where} is in state {name}: there is no other."
    return f"{where} is in state {name}: its codeword is the nearest to the window's signature."


def _signature(frame: Frame, found: Explanation) -> Section:
    observations, n = frame.observations, found.n_pixels
    names = [html.escape(name) for name in observations.names]
    if found.counts is None:
        title = f"The mean of each channel over the window’s {n:,} {_node(frame)}s"
        values = zip(names, found.signature.tolist(), strict=True)
        rows = "".join(f"<td>{name}</td><td>{value:.4g}</td>" for name, value in values)
        return _section(frame, "signature", title, f"<tr>{rows}</tr>")
    title = f"How often each symbol occurs in the window, by its {n:,} {_node(frame)}s"
    counts = found.counts.tolist()
    kept = sorted(sorted(range(len(counts)), key=lambda m: -counts[m])[:MOST_TERMS])
    rows = "".join(
        f"<tr><td>{names[m]}:&nbsp;</td><td align=right>{counts[m]:,}</td>"
        f"<td>/ {n:,} = {found.signature[m]:.3f}</td></tr>"
        for m in kept
    )
    rest = len(counts) - len(kept)
    rows += f"<tr><td>…</td><td colspan=2>{rest} rarer ones</td></tr>" if rest > 0 else ""
    return _section(frame, "signature", title, rows)


def _distances(frame: Frame, found: Explanation, labels: Sequence[str]) -> Section:
    codebook, several = frame.codebook, len(found.by_window) > 1
    few, rows = several or len(found.signature) <= MOST_TERMS, []
    for q in found.ranked[:MOST_TERMS]:
        terms = " + ".join(
            f"({x:.3g} − {c:.3g})²".replace("-", _MINUS)
            for x, c in zip(found.signature.tolist(), codebook[q].tolist(), strict=True)
        )
        if several:
            terms = " + ".join(f"{one:.3g}" for one in found.by_window[:, q].tolist())
        shown = f"{terms} = " if few else ""
        bold = ("<b>", "</b>") if q == found.ranked[0] else ("", "")
        rows.append(
            f"<tr><td>{labels[q]}&nbsp;</td>"
            f"<td>{shown}{bold[0]}{found.distances[q]:.4g}{bold[1]}</td></tr>"
        )
    title = "The squared distance to each state’s codeword, nearest first"
    title += f", for w and w = {frame.further[0]}" if several else ""
    if not math.isinf(found.margin):
        title += f"; the next is {found.margin:.3g} farther"
    return _section(frame, "distance", title, "".join(rows))


def _belief(found: Explanation, labels: Sequence[str]) -> Section:
    """Return each state's product of what the pixel says and the messages of its neighbours."""
    product = found.product
    assert product is not None
    belief = product.belief.tolist()
    ranked = sorted(range(len(belief)), key=lambda q: (-belief[q], q))[:MOST_TERMS]
    heads = ("", "itself", *(where for where, _ in product.messages), "product", "belief")
    rows = ["<tr>" + "".join(f"<td>{head}&nbsp;&nbsp;</td>" for head in heads) + "</tr>"]
    for q in ranked:
        factors = [float(product.own[q]), *(float(said[q]) for _, said in product.messages)]
        cells = " · ".join(f"{x:.3g}</td><td>" for x in factors).removesuffix("</td><td>")
        rows.append(
            f"<tr><td>{labels[q]}&nbsp;</td><td>{cells}</td>"
            f"<td>= {product.product[q]:.3g}</td><td><b>{belief[q]:.4f}</b></td></tr>"
        )
    title = "What the pixel itself says of each state, times the messages of its neighbours"
    if len(belief) > 1:
        title += f"; the next is believed in {found.belief_margin:.3g} less"
    return Section(TOPICS["belief"].title, _table(title, "".join(rows)), TOPICS["belief"].formula)


def _changes(frame: Frame, found: Explanation, labels: Sequence[str]) -> Section:
    lines = []
    if found.flip is not None:
        lines.append(_flip_text(frame, found.flip, labels))
    for change in (found.smaller, found.larger):
        if change is not None:
            window, state = change
            lines.append(f"With w = {window} and the same states: state {labels[state]}.")
    for change in (found.fewer, found.more):
        if change is not None:
            n, state = change
            less = n < len(found.ranked)
            what = "what {} is merged into" if less else "{} or a part of it"
            lines.append(f"With N = {n} of the same tree: {what.format(labels[state])}.")
    if found.smaller is None and found.larger is None:
        lines.append("With the same states, no other w does.")
    if found.fewer is None and found.more is None and cuts_in_force(frame) is not None:
        lines.append(f"By the same tree, no other N up to {STATES_RANGE[1]} does.")
    nearest = "nearest" if frame.believed is None else "nearest (which belief may overrule)"
    items = "".join(f"<li>{line}</li>" for line in lines)
    return Section(f"What would make another state the {nearest}", f"<ul>{items}</ul>")


def _flip_text(frame: Frame, flip: Flip, labels: Sequence[str]) -> str:
    names = [html.escape(name) for name in frame.observations.names]
    moved = ", and ".join(
        f"{n} of the window’s {_node(frame)}s showed {names[new]} instead of {names[old]}"
        for n, old, new in flip.moved
    )
    return f"If {moved}: state {labels[flip.state]}. Fewer do not suffice."


def _likelihood(frame: Frame, found: Explanation, labels: Sequence[str]) -> Section:
    rows = [
        f"<tr><td>what it shows</td><td>log₂ b(q, o)</td>"
        f"<td align=right>{signed(found.emission_bits, 3)}</td></tr>"
    ]
    rows += [
        f"<tr><td>{one.side}: {labels[one.state]}&nbsp;</td>"
        f"<td>½ log₂ ({one.potential:.3g} / {found.normalizer:.3g})&nbsp;</td>"
        f"<td align=right>{signed(one.bits, 3)}</td></tr>"
        for one in found.neighbours
    ]
    rows.append(
        f"<tr><td><b>together</b></td><td></td><td align=right><b>{signed(found.bits, 3)}</b>"
        "</td></tr>"
    )
    among = {
        "neighbours": "k sums a over the neighbours",
        "states": "k sums a over all states",
    }[frame.request.parameters.normalizer]
    title = f"What the {_node(frame)} adds to the log-likelihood, in bits, with alpha 1; {among}"
    return _section(frame, "likelihood", title, "".join(rows))


def _section(frame: Frame, topic: str, title: str, rows: str) -> Section:
    found = TOPICS[topic]
    return Section(found.title, _table(title, rows), found.formula_of(frame))


def _table(title: str, rows: str) -> str:
    return f"{title}<table cellspacing=0 cellpadding=1>{rows}</table>"


def _label(frame: Frame, state: int, color: str) -> str:
    name = f" ({html.escape(frame.names[state])})" if frame.names[state] else ""
    return f'<span style="color:{color}">■</span>&nbsp;{state + 1}{name}'


def _node(frame: Frame) -> str:
    return frame.request.picture.node_name
