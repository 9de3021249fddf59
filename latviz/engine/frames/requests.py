"""Requests for what is set, and what is set of the frames that answer them."""

from typing import Any

from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Pictures
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.state import State, asked_by


def decoding_of(frame: Frame) -> Decoding:
    """Return what a frame's decoding follows from."""
    return Decoding.of(frame.request, frame.coloring)


def request_for(
    decoding: Decoding, pictures: Pictures, needs: frozenset[str] = frozenset()
) -> Request:
    """Return the request whose frame is a decoding, with what else is needed of it."""
    return Request(0, pictures, complete=decoding.complete, needs=needs, **vars(decoding))


def request_of(state: State, needs: frozenset[str], **more: Any) -> Request:
    """Return the request for what is set; ``needs`` are the results that are wanted.

    ``more`` are the arguments of `Request` that no state has.
    """
    return Request(**{"number": 0, **asked_by(state), "needs": needs, **more})
