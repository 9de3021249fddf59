"""An explanation as rich text: each formula, and below it this pixel's numbers."""

import html
import math
from collections.abc import Iterator, Sequence

from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.painting import signed
from latviz.engine.explanation import Explanation, Flip
from latviz.engine.frame import Frame

MOST_TERMS = 6
"""Symbols and states of which every term is written out; of more, only the largest."""
_MINUS = "\N{MINUS SIGN}"


def explained(frame: Frame, found: Explanation, colors: Sequence[str]) -> str:
    """Return why a pixel is in its state; ``colors`` are those of the states."""
    labels = [_label(frame, state, color) for state, color in enumerate(colors)]
    return "".join(_parts(frame, found, labels))


def _parts(frame: Frame, found: Explanation, labels: Sequence[str]) -> Iterator[str]:
    yield f"<p><b>{_headline(frame, found, labels)}</b></p>"
    yield _signature(frame, found)
    yield _distances(frame, found, labels)
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


def _signature(frame: Frame, found: Explanation) -> str:
    observations, n = frame.observations, found.n_pixels
    names = [html.escape(name) for name in observations.names]
    if found.counts is None:
        title = f"The mean of each channel over the window’s {n:,} {_node(frame)}s"
        values = zip(names, found.signature.tolist(), strict=True)
        rows = "".join(f"<td>{name}</td><td>{value:.4g}</td>" for name, value in values)
        return _section("Signature", "x = Σ o<sub>t</sub> / n", title, f"<tr>{rows}</tr>")
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
    return _section("Signature", "x<sub>m</sub> = n<sub>m</sub> / n", title, rows)


def _distances(frame: Frame, found: Explanation, labels: Sequence[str]) -> str:
    codebook, few = frame.codebook, len(found.signature) <= MOST_TERMS
    rows = []
    for q in found.ranked[:MOST_TERMS]:
        terms = " + ".join(
            f"({x:.3g} − {c:.3g})²".replace("-", _MINUS)
            for x, c in zip(found.signature.tolist(), codebook[q].tolist(), strict=True)
        )
        shown = f"{terms} = " if few else ""
        bold = ("<b>", "</b>") if q == found.ranked[0] else ("", "")
        rows.append(
            f"<tr><td>{labels[q]}&nbsp;</td>"
            f"<td>{shown}{bold[0]}{found.distances[q]:.4g}{bold[1]}</td></tr>"
        )
    title = "The squared distance to each state’s codeword, nearest first"
    if not math.isinf(found.margin):
        title += f"; the next is {found.margin:.3g} farther"
    formula = "‖x − c<sub>q</sub>‖² = Σ<sub>m</sub> (x<sub>m</sub> − c<sub>qm</sub>)²"
    return _section("Distances", formula, title, "".join(rows))


def _changes(frame: Frame, found: Explanation, labels: Sequence[str]) -> str:
    if len(found.ranked) < 2:
        return ""
    lines = []
    if found.flip is not None:
        lines.append(_flip_text(frame, found.flip, labels))
    for change in (found.smaller, found.larger):
        if change is not None:
            window, state = change
            lines.append(f"With w = {window} and the same states: state {labels[state]}.")
    if not lines:
        lines.append("With the same states, no other w does.")
    nearest = "nearest" if frame.believed is None else "nearest (which belief may overrule)"
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<p><b>What would make another state the {nearest}</b></p><ul>{items}</ul>"


def _flip_text(frame: Frame, flip: Flip, labels: Sequence[str]) -> str:
    names = [html.escape(name) for name in frame.observations.names]
    moved = ", and ".join(
        f"{n} of the window’s {_node(frame)}s showed {names[new]} instead of {names[old]}"
        for n, old, new in flip.moved
    )
    return f"If {moved}: state {labels[flip.state]}. Fewer do not suffice."


def _likelihood(frame: Frame, found: Explanation, labels: Sequence[str]) -> str:
    rows = [
        f"<tr><td>what it shows</td><td>log₂ b(q, o)</td>"
        f"<td align=right>{signed(found.emission_bits, 3)}</td></tr>"
    ]
    rows += [
        f"<tr><td>{one.side}: {labels[one.state]}</td><td>½ log₂ (a / k)</td>"
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
    pair = "log (a(q<sub>t</sub>, q<sub>r</sub>) / k<sub>t</sub>)"
    formula = f"log b(q<sub>t</sub>, o<sub>t</sub>) + ½ Σ<sub>r</sub> {pair}"
    return _section("Likelihood", formula, title, "".join(rows))


def _section(name: str, formula: str, title: str, rows: str) -> str:
    return (
        f"<p><b>{name}</b> &nbsp; <i>{formula}</i><br>{title}</p>"
        f"<table cellspacing=0 cellpadding=1>{rows}</table>"
    )


def _label(frame: Frame, state: int, color: str) -> str:
    name = f" ({html.escape(frame.names[state])})" if frame.names[state] else ""
    return f'<span style="color:{color}">■</span>&nbsp;{state + 1}{name}'


def _node(frame: Frame) -> str:
    return frame.request.picture.node_name
