"""The pixel's numbers in words."""

import html
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.app.widgets.accessible_text import place_of, value_text
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

MOST_NAMED = 4
MOST_CHARACTERS = 27
"""Characters that fit into the panel in a window of 1280 pixels; a wider one shows more."""


def describe(
    frame: Frame, found: Inspection, colors: list[str], most: int = MOST_CHARACTERS
) -> dict[str, str]:
    """Put an inspection into words; the states are rich text.

    ``most`` characters have room for the signature; the tool tip has all of it.
    """
    measure, number = (
        ("at distance", digits.measure)
        if found.node_belief is None
        else ("belief", digits.probability)
    )
    ranked = [
        f"{_chip(colors[j])} {html.escape(frame.label(j))}, {measure} {number(x)}"
        for j, x in found.ranked
    ]
    picture = frame.request.picture
    reaching = found.window[-1:] if picture.is_ribbon else found.window
    sides = [side.stop - side.start for side in reaching]
    return {
        "Pixel": place_of(frame, found.node),
        "Window": f"{' × '.join(map(str, sides))} {picture.node_name}s{picture.measured(sides)}",
        "Value": value_text(frame, found),
        "Observed": observed_text(frame, found),
        "Signature": shares_text(frame, found.signature, most),
        "State": ranked[0],
        "Next": ranked[1] if len(ranked) > 1 else "–",
    }


def observed_text(frame: Frame, found: Inspection) -> str:
    """Return a symbol's name, or a vector."""
    if frame.observations.discrete:
        return frame.observations.names[int(found.observation)]
    own = frame.observations.in_own_units(np.atleast_1d(found.observation))
    return ", ".join(map(digits.measure, own.tolist()))


def signature_text(frame: Frame, found: Inspection) -> str:
    """Return a signature in full, or of many symbols the most frequent and their shares."""
    return shares_text(frame, found.signature)


def shares_text(frame: Frame, signature: NDArray[Any], most: int = MOST_CHARACTERS) -> str:
    """Return shares of symbols or means of channels; of many symbols the largest that fit."""
    number, signature = number_of(frame), frame.observations.in_own_units(signature)
    if len(signature) <= MOST_NAMED:
        return ", ".join(number(float(x)) for x in signature)
    order = np.argsort(-signature, kind="stable")[: np.count_nonzero(signature)]
    names = frame.observations.names
    parts = [f"{names[k]}: {number(float(signature[k]))}" for k in order]
    lengths = np.cumsum([len(part) + 2 for part in parts])
    listed = parts[: max(1, int((lengths <= most + 2).sum()))]
    return ", ".join(listed if len(listed) == len(parts) else [*listed, "…"])


def number_of(frame: Frame) -> Callable[[float], str]:
    """Return the format of a signature's entries: symbols' shares, or channels' means."""
    return digits.probability if frame.observations.discrete else digits.measure


def _chip(color: str) -> str:
    """Return a disc in a state's colour: squares are symbols."""
    return f'<span style="color:{color}">●</span>'
