"""The frames of references; the state itself only names its reference.

A frame stays while something holds the result of `keep`: a state on screen, or a step that can be
undone.
"""

from weakref import WeakKeyDictionary

from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import decoding_of
from latviz.engine.pictures.picture import as_set
from latviz.engine.settings.decoding import DecodingA

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
