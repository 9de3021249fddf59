"""Frames after a move of a slider, and the first and the last frame of large images."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.engine.frame import Frame, Request
from latviz.engine.listener import Listener
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.pipeline import Pipeline
from tests.bench.harness import Result, Task, against, box_filter, settings
from tests.bench.pictures import photograph

START = Parameters(Encoding("quantiles", 8), n_states=8, window=5)
WINDOWS = (6, 7, 8, 9, 4)
GRAIN = 4.0


def live(repeats: int) -> Iterator[Result]:
    """All that the views show, after a move of w, of N, of alpha."""
    picture, pipeline = Picture(photograph(), "photograph"), Pipeline()
    pipeline.run(Request(0, picture, START))

    def mover(field: str, values: tuple[float, ...]) -> Task:
        turn = cycle(values)

        def task() -> None:
            change: dict[str, Any] = {field: next(turn)}
            pipeline.run(Request(1, picture, replace(START, **change)))

        return task

    for name, field, values, limit, letters in (
        ("frame after a w move", "window", WINDOWS, 1.5, {"N": "8", "w": "4..9"}),
        ("frame after an N move", "n_states", (7, 8, 6, 5), 1.3, {"N": "5..8", "w": "5"}),
        ("frame after an alpha move", "alpha", (0.5, 0.6, 0.7), 0.05, {"N": "8", "w": "5"}),
    ):
        task = mover(field, values)
        notes = settings("1024² quantiles", M=8, **letters)
        yield against(name, task, box_filter(), "F", limit, repeats=repeats, settings=notes)


@dataclass
class _Audience:
    """Takes coarse frames; after the first it has seen enough, if one is all it wants."""

    wants_one: bool
    n_seen: int = 0

    def show(self, frame: Frame) -> None:
        assert not frame.whole
        self.n_seen += 1

    def stop(self) -> bool:
        return self.wants_one and self.n_seen > 0


def large(repeats: int) -> Iterator[Result]:
    """A large image after a move of w: its first coarse frame, and the whole one."""
    for side in (4096, 8192):
        picture, pipeline = Picture(photograph(side, grain=GRAIN), "photograph"), Pipeline()
        pipeline.run(Request(0, picture, START))
        notes = settings(f"{side}² quantiles", M=8, N=8, w="4..9")
        for name, wants_one, limit in (
            (f"first frame after a w move, {side}²", True, 1.0),
            (f"whole frame after a w move, {side}²", False, None),
        ):
            task = _mover(pipeline, picture, wants_one)
            yield against(name, task, box_filter(), "F", limit, repeats=repeats, settings=notes)


def _mover(pipeline: Pipeline, picture: Picture, wants_one: bool) -> Task:
    windows = cycle(WINDOWS)

    def task() -> None:
        audience = _Audience(wants_one)
        request = Request(1, picture, replace(START, window=next(windows)))
        with suppress(Cancelled):
            pipeline.run(request, Listener(audience.stop, audience.show))
        assert audience.n_seen

    return task
