"""Decoding several N and w side by side, each as if the user had set it."""

from dataclasses import replace

from latviz.core.progress import Progress
from latviz.engine.choosing.cells import Cell, ground_of, rows_of
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.requests import decoding_of, request_for


class Multiples:
    """Decodes one N and w after another, in its own pipeline, so that others keep their caches.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._pipeline = Pipeline()

    def decode(self, frame: Frame, place: Place, progress: Progress) -> Cell:
        """Return a cell for the picture of a frame."""
        # It learns from the signatures that the frame did, a sample or all
        found = self._pipeline.run(_request(frame, place), Listener(stop=progress.cancelled))
        lengths, truth = found.code_lengths, found.truth
        return Cell(
            place,
            found.to_keep(),
            rows_of(found),
            ground_of(frame),
            decoding_of(frame).complete,
            None if lengths is None else lengths.states.bits,
            None if truth is None else truth.accuracy,
            0.0 if lengths is None else lengths.one.bits,
        )

    def rest(self) -> None:
        """Drop all results, as no more cells are needed."""
        self._pipeline = Pipeline()


def _request(frame: Frame, place: Place) -> Request:
    """Return the request as if the user had set N and w."""
    request, decoding = frame.request, decoding_of(frame)
    scores = {"code_lengths"} | ({"truth"} if request.picture.truth is not None else set())
    set_so = replace(request.parameters, n_states=place[0], window=place[1])
    asked = request_for(replace(decoding, parameters=set_so), request.pictures, frozenset(scores))
    follows = frame.to_follow()  # whose names move with the states
    return replace(asked, complete=decoding.complete, coloring=None, follows=follows)
