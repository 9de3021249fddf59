"""Requests for a state, and the settings of the frames that answer them."""

from dataclasses import fields
from typing import Any

from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Pictures
from latviz.engine.settings.asked import Asked
from latviz.engine.settings.decoding import Decoding
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
