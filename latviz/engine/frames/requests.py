"""Requests for a state, the settings of the frames that answer them, and those of references.

The state itself only names its reference, whose frame stays while something holds the result of
`keep`: a state on screen, or a step that can be undone.
"""

from dataclasses import fields
from typing import Any
from weakref import WeakKeyDictionary

from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Pictures, as_set
from latviz.engine.settings.asked import Asked
from latviz.engine.settings.decoding import Decoding, DecodingA
from latviz.engine.settings.state import State


def decoding_of(frame: Frame) -> Decoding:
    """Return the settings of a frame's decoding."""
    return Decoding.of(frame.request, frame.coloring)


def request_for(
    decoding: Decoding, pictures: Pictures, needs: frozenset[str] = frozenset(), **more: Any
) -> Request:
    """Return the request for a decoding, with further results; ``more`` as for a state."""
    return Request(pictures, complete=decoding.complete, needs=needs, **vars(decoding), **more)


def request_of(state: State, needs: frozenset[str], **more: Any) -> Request:
    """Return the request for a state; ``needs`` are the requested results.

    ``more`` are the arguments of `Request` that no state has.
    """
    return Request(**{**asked_by(state), "needs": needs, **more})


def asked_by(state: State) -> dict[str, Any]:
    """Return a state's part of a request, as keyword arguments; there is a picture."""
    difference = state.display.comparison == "difference"
    asked = {each.name: getattr(state, each.name) for each in fields(Asked)}
    return {**asked, "difference": difference}


REFERENCE, CURRENT = "Reference", "Current"
"""The names of the two maps of a comparison: the reference, and the one on screen."""

_FRAMES: WeakKeyDictionary[DecodingA, Frame] = WeakKeyDictionary()


def keep(frame: Frame, known_as: DecodingA | None = None) -> DecodingA:
    """Keep a frame as reference; return the key for a state: the same object for equal ones."""
    made = known_as or DecodingA(as_set(frame.request.pictures), decoding_of(frame), frame.by)
    key = next((key for ref in _FRAMES.keyrefs() if (key := ref()) == made), None) or made
    _FRAMES[key] = frame.to_keep()
    return key


def frame_of(kept: DecodingA | None) -> Frame | None:
    """Return the frame of the reference; None if it has none, or the frame was released."""
    return None if kept is None else _FRAMES.get(kept)
