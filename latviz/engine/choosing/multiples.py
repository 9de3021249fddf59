"""Decoding several N and w side by side, each as if a person had set them."""

from dataclasses import replace

from latviz.core.progress import Progress
from latviz.engine.choosing.cells import Cell, Ground, rows_of
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.requests import decoding_of, request_for


class Multiples:
    """Decodes one N and w after another, in a pipeline of its own, so that others keep theirs.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._pipeline = Pipeline()

    def decode(self, frame: Frame, place: Place, progress: Progress) -> Cell:
        """Return a cell for the picture of a frame, which its colours follow."""
        # It learns from the signatures that the frame did, a sample or all
        self._pipeline.follow(frame)
        found = self._pipeline.run(_request(frame, place), Listener(stop=progress.cancelled))
        lengths, truth = found.code_lengths, found.truth
        return Cell(
            place,
            found.to_keep(),
            rows_of(found),
            Ground.of(frame),
            decoding_of(frame).complete,
            None if lengths is None else lengths.states.bits,
            None if truth is None else truth.accuracy,
        )

    def rest(self) -> None:
        """Keep nothing of what was computed, as no more is wanted now."""
        self._pipeline = Pipeline()


def _request(frame: Frame, place: Place) -> Request:
    """Return the request that a person would make by setting N and w."""
    request, decoding = frame.request, decoding_of(frame)
    scores = {"code_lengths"} | ({"truth"} if request.picture.truth is not None else set())
    set_so = replace(request.parameters, n_states=place[0], window=place[1])
    asked = request_for(replace(decoding, parameters=set_so), request.pictures, frozenset(scores))
    return replace(asked, complete=decoding.complete, coloring=None)
