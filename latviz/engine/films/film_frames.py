"""The frames of a film: one parameter moves, and states keep their colours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from latviz.core.parameter import Parameter, row_of
from latviz.core.progress import Progress, shares
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.requests import request_for
from latviz.engine.pictures.picture import Pictures
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters


def caption_of(moving: str, frame: Frame) -> str:
    """Return the value that moves, N and w: "passes = 3, N = 4, w = 7"."""
    parameters = frame.request.parameters
    fields = dict.fromkeys((moving, "n_states", "window"))
    return ", ".join(_told(row_of(Parameters, field), parameters) for field in fields)


def _told(row: Parameter, parameters: Parameters) -> str:
    """Return "w = 7": a letter unchanged, a word in lower case."""
    name = row.short if len(row.short) == 1 else row.short.lower()
    return f"{name} = {row.of(parameters)}"


def frames_of(
    pictures: Pictures,
    decoding: Decoding,
    moving: str,
    values: Sequence[int],
    progress: Progress | None = None,
) -> Iterator[tuple[int, Frame]]:
    """Yield each value of a parameter with its frame; not in the order of the values."""
    # From the current value towards both ends, so that each state takes the colour of one in the
    # frame before it, and the current frame keeps its colours on screen
    row = row_of(Parameters, moving)
    now = row.in_force(decoding.parameters)
    told = shares(progress, [1.0] * (1 + len(values)))
    pipeline, request = Pipeline(), request_for(decoding, pictures)
    now_shown = pipeline.run(request, Listener.of(next(told)))
    above = sorted(value for value in values if value >= now)
    below = sorted((value for value in values if value < now), reverse=True)
    for side in above, below:
        frame = now_shown
        for value in side:
            part, parameters = next(told), row.put(decoding.parameters, value)
            before = replace(frame.request, follows=frame.to_follow(), passing=True)
            frame = pipeline.run(replace(before, parameters=parameters), Listener.of(part))
            yield value, frame
            if part is not None:
                part.report(1.0)
