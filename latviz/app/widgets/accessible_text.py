"""Descriptions of views for screen readers, in which numbers have units and names."""

from collections.abc import Sequence

import numpy as np

from latviz.app.widgets.pin import pin_at, pin_name
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.frames.requests import frame_of
from latviz.engine.geometry.axes import place_text
from latviz.engine.geometry.selection import (
    ChangeSelection,
    ConnectedSelection,
    PairSelection,
    RangeSelection,
    Selection,
    StateSelection,
    SymbolSelection,
)

MOST_PINS = 8


def symbol_name(frame: Frame, symbol: int) -> str:
    """Return the name of a symbol for all views: its label, letter, colour or range of values."""
    return f"symbol {frame.observations.names[symbol]}"


def highlight(frame: Frame) -> str:
    """Return how much is highlighted, and what it is; empty if nothing is."""
    lit, chosen = frame.lit, frame.request.selection
    if lit is None or chosen is None:
        return ""
    nodes = frame.request.picture.node_name + "s" * (lit.n_pixels != 1)
    share = digits.share(lit.n_pixels, frame.n_nodes)
    n = lit.n_pairs
    pairs = "" if n is None else f"{n:,} pair{'s' * (n != 1)} of "
    return f"Highlighted: {lit.n_pixels:,} {nodes} ({share}), {pairs}{selected(chosen, frame)}"


def selected(chosen: Selection, frame: Frame) -> str:
    """Return what the pixels of a selection have in common."""

    def state(slot: int, of: Frame = frame) -> str:
        return of.called(of.slots.index(slot)) if slot in of.slots else "no state"

    match chosen:
        case StateSelection(slot):
            return state(slot)
        case SymbolSelection(slot, symbol):
            is_there = 0 <= symbol < len(frame.observations.names)  # a session may name any
            return f"{symbol_name(frame, symbol) if is_there else 'no symbol'} in {state(slot)}"
        case PairSelection(slot, other):
            return f"neighbours of {state(slot)} and {state(other)}"
        case ChangeSelection(before, now):
            reference = frame_of(frame.request.compared) or frame
            return f"{state(before, reference)} of the reference and {state(now)} now"
        case RangeSelection(kind, low, high):
            return f"{kind} from {digits.measure(low)} to {digits.measure(high)}"
        case ConnectedSelection(node):
            return f"the region at {node_text(node)}"
    return "signatures in an area"


def image(frame: Frame) -> str:
    """Return the picture's name and size."""
    return f"{frame.request.picture.name}, {frame.request.picture.size_text}."


def state_map(frame: Frame) -> str:
    """Return each state's share of the pixels."""
    counts = enumerate(frame.occupancy.tolist())
    shares = ", ".join(
        f"{frame.label(k)}: {digits.share(count, frame.n_nodes)}" for k, count in counts
    )
    n = len(frame.occupancy)
    return f"State map of {image(frame)} {n} state{'s' if n > 1 else ''}: {shares}."


def adjacency(frame: Frame) -> str:
    """Return the share of neighbours in each state's own state, and what couples them."""
    n, own = len(frame.occupancy), _diagonal(frame, frame.model.A)
    text = f"{n} × {n} entries. The share of neighbours in the same state is, by state, {own}."
    if frame.coupling is None:
        return text
    coupling = _diagonal(frame, frame.coupling)
    return f"{text} The coupling of neighbours in the same state is, by state, {coupling}."


def _diagonal(frame: Frame, A: Matrix) -> str:
    """Return a diagonal, each entry after its state."""
    diagonal = enumerate(A.diagonal().tolist())
    return ", ".join(f"{frame.label(k)}: {digits.probability(value)}" for k, value in diagonal)


def emissions(frame: Frame) -> str:
    """Return each state's share of the pixels and most frequent symbol, or means."""
    sentences = []
    codebook = frame.observations.in_own_units(frame.codebook)
    for k, (count, row) in enumerate(zip(frame.occupancy, codebook, strict=True)):
        if frame.observations.discrete:
            most = int(row.argmax())
            emitted = (
                f"most often {symbol_name(frame, most)}, {digits.probability(float(row[most]))}"
            )
        else:
            emitted = "means " + ", ".join(digits.measure(float(value)) for value in row)
        sentences.append(
            f"{frame.titled(k)}, {digits.share(int(count), frame.n_nodes)}: {emitted}."
        )
    return " ".join(sentences)


def pixel(found: Inspection, pins: Sequence[Inspection] = ()) -> str:
    """Return the place of a pixel, the name of its pin if any, and its state."""
    where, pin = node_text(found.node), pin_at(pins, found.node)
    pinned = f", pinned as {pin}" if pin else ""
    return f"{where[0].upper()}{where[1:]}{pinned}: {found.called}."


def pins(found: Sequence[Inspection]) -> str:
    """Return the names, places and states of the first pins; "" for none."""
    if not found:
        return ""
    names = [
        f"{pin_name(k)}, {node_text(pin.node)}, {pin.called}"
        for k, pin in enumerate(found[:MOST_PINS])
    ]
    more = [f"{len(found) - MOST_PINS} more"] if len(found) > MOST_PINS else []
    return f"Pinned: {'; '.join([*names, *more])}."


def node_text(node: tuple[int, ...]) -> str:
    """Return the place of a node in words; positions and slices are counted from 1."""
    if len(node) == 1:
        return f"position {node[0] + 1:,}"
    *slices, row, column = node
    return "".join(f"slice {k + 1}, " for k in slices) + f"row {row}, column {column}"


def place_of(frame: Frame, node: tuple[int, ...]) -> str:
    """Return the place of a node in words, with its time or number on the axis if it has one."""
    picture = frame.request.picture
    text = node_text(node[-1:] if picture.is_ribbon else node)
    if picture.x is None:
        return text
    return f"{text}, {place_text(picture.x[node[-1]], whole=True)}"


def value_text(frame: Frame, found: Inspection) -> str:
    """Return the picture's value there: a symbol's name, a number, or three."""
    alphabet = frame.request.picture.alphabet
    if alphabet:
        return alphabet[int(found.value)]
    return ", ".join(digits.plain(v) for v in np.atleast_1d(found.value).tolist())


def pointed_text(frame: Frame, found: Inspection) -> str:
    """Return the place, the value and the state of a pixel, with its probability if known."""
    texts = [place_of(frame, found.node), f"value {value_text(frame, found)}", found.called]
    if found.node_belief is not None:
        texts.append(
            f"probability {digits.probability(float(found.node_belief.belief[found.state]))}"
        )
    return " · ".join(texts)
