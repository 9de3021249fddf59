"""The builder of the frames of tests: what a frame holds is asked of the program's tables."""

from typing import Any

from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import EXPORTED, Frame, Request
from latviz.engine.indices import INDICES, Gauge, gauges, needs
from latviz.engine.pictures.picture import Pictures
from latviz.engine.settings.parameters import Parameters


def new_frame(pictures: Pictures, parameters: Parameters | None = None, **asked: Any) -> Frame:
    """Return the frame that a new pipeline computes; ``asked`` are other fields of its request."""
    return Pipeline().run(Request(pictures, parameters or Parameters(), **asked))


def exported_frame(pictures: Pictures, parameters: Parameters | None = None, **asked: Any) -> Frame:
    """Return a complete frame with all results of exports, of each index, and those asked for."""
    wanted = EXPORTED | needs() | asked.pop("needs", frozenset())
    return new_frame(pictures, parameters, complete=True, needs=wanted, **asked)


def gauge_of(frame: Frame, name: str) -> Gauge:
    """Return the gauge of an index, which is one of any number in any order."""
    (found,) = (one for one in gauges(frame) if one.index is INDICES[name])
    return found
