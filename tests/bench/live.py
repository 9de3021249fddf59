"""Frames after a move of a slider, and the first and the last frame of large images."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import LATE, NEEDED, Frame, Request
from latviz.engine.frames.listener import Listener
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.bench.harness import Result, Task, against, settings
from tests.bench.pictures import photograph

START = Parameters(Encoding("quantiles", 8), n_states=8, window=5)
WINDOWS = (6, 7, 8, 9, 4)
GRAIN = 4.0
SHOWN = NEEDED - LATE
"""The results that a slider drag waits for."""


def live() -> Iterator[Result]:
    """Time all views after a move of w, N and alpha, also with other encodings."""
    plain = Picture(photograph(), "photograph")
    colours = Picture(photograph(colour=True), "photograph")
    for picture, encoding, n_states, limits in (
        (plain, Encoding("quantiles", 8), 8, (0.7, 0.35)),
        (colours, Encoding("lab"), 8, (1.0, 0.6)),
        (plain, Encoding("grey"), 4, (0.6, 0.4)),
    ):
        start = replace(START, encoding=encoding, n_states=n_states)
        numbers = tuple(n_states + k for k in (-1, 0, -2, -3))
        name = "" if encoding.discrete else f", {encoding.name}"
        of = f"1024² {encoding.name}"
        for what, field, values, limit, letters in (
            ("a w", "window", WINDOWS, limits[0], {"N": str(n_states), "w": "4..9"}),
            (
                "an N",
                "n_states",
                numbers,
                limits[1],
                {"N": f"{min(numbers)}..{n_states}", "w": "5"},
            ),
        ):
            task, notes = _mover(picture, start, field, values), settings(of, **letters)
            title = f"frame after {what} move{name}"
            yield against(title, task, limit=limit, settings=notes)
    task = _mover(plain, START, "alpha", (0.5, 0.6, 0.7))
    notes = settings("1024² quantiles", N=8, w=5)
    title = "frame after an alpha move"
    yield against(title, task, limit=0.05, settings=notes)


def _mover(picture: Picture, start: Parameters, field: str, values: Sequence[float]) -> Task:
    """Return a task that moves a parameter on; only the last result is cached."""
    pipeline, turn = Pipeline(room=1), cycle(values)
    pipeline.run(Request(0, picture, start, needs=SHOWN))

    def task() -> None:
        change: dict[str, Any] = {field: next(turn)}
        pipeline.run(Request(1, picture, replace(start, **change), needs=SHOWN))

    return task


@dataclass
class _Audience:
    """Takes coarse frames; cancels after the first, if it needs only one."""

    wants_one: bool
    n_seen: int = 0

    def show(self, frame: Frame) -> None:
        assert not frame.whole
        self.n_seen += 1

    def stop(self) -> bool:
        return self.wants_one and self.n_seen > 0


def large() -> Iterator[Result]:
    """A large image after a move of w: its first coarse frame, and the whole one."""
    for side, whole_limit in ((4096, None), (8192, 18.0)):
        picture, pipeline = Picture(photograph(side, grain=GRAIN), "photograph"), Pipeline()
        pipeline.run(Request(0, picture, START, needs=SHOWN))
        notes = settings(f"{side}² quantiles", M=8, N=8, w="4..9")
        for name, wants_one, limit in (
            (f"first frame after a w move, {side}²", True, 1.0),
            (f"whole frame after a w move, {side}²", False, whole_limit),
        ):
            task = _stopper(pipeline, picture, wants_one)
            yield against(name, task, limit=limit, settings=notes)


def _stopper(pipeline: Pipeline, picture: Picture, wants_one: bool) -> Task:
    windows = cycle(WINDOWS)

    def task() -> None:
        audience = _Audience(wants_one)
        parameters = replace(START, window=next(windows))
        request = Request(1, picture, parameters, needs=SHOWN)
        with suppress(Cancelled):
            pipeline.run(request, Listener(audience.stop, audience.show))
        assert audience.n_seen

    return task
