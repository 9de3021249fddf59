"""The paths of the codewords as w_l grows, against plain fits at each w_l."""

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames import state_paths as paths
from latviz.engine.frames.frame import LATE, NEEDED, Frame, Request
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.state_paths import SWEEP
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.products import FULL

CAMERA = Picture(np.ascontiguousarray(data.camera()[60:160, 100:220]), "camera")
COLOUR = Picture(np.ascontiguousarray(data.astronaut()[60:150, 100:190]), "astronaut")
CASES = [
    (CAMERA, Encoding("quantiles", 3), 4),
    (CAMERA, Encoding("quantiles", 2), 3),
    (COLOUR, Encoding("palette", 8), 6),
    (COLOUR, Encoding("rgb"), 5),
    (Picture(CAMERA.pixels[:30, :32].copy(), "small"), Encoding("grey"), 3),
]
WINDOWS = (0, 3, 20)
SAMPLE = 1024
"""Signatures that are learned from; the small picture has fewer."""
WITH_PATHS = NEEDED - LATE | {"paths"}
ONLY_PATHS = frozenset({"paths"})


def name_of(case: Any) -> str:
    return f"{case[1].name} {case[1].n_symbols}"


def asked_for(picture, encoding, n_states, window=3, **options) -> Request:
    parameters = Parameters(encoding, n_states=n_states, window=window)
    return Request(picture, parameters, sample=SAMPLE, **options)


def frame_of(*case: Any, **options: Any) -> Frame:
    return Pipeline().run(asked_for(*case, **options))


@cache
def whole_frame_of(number: int) -> Frame:
    """Return the frame of a case at its usual window, with its paths."""
    return frame_of(*CASES[number], needs=ONLY_PATHS)


def in_order(codebook: np.ndarray) -> np.ndarray:
    return codebook[np.lexsort(codebook.T)]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_paths_go_through_what_is_learned_at_each_window(case) -> None:
    found, pipeline = whole_frame_of(CASES.index(case)).paths, Pipeline()
    assert found.windows == SWEEP == tuple(range(21))
    for window in found.windows if FULL else WINDOWS:
        codewords = found.codewords[window]
        plain = pipeline.run(asked_for(*case, window=window, needs=frozenset())).codebook
        np.testing.assert_allclose(in_order(codewords), in_order(plain), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("case", "window"),
    [
        (case, window)
        for k, case in enumerate(CASES)
        for window in (WINDOWS if FULL else [WINDOWS[k % len(WINDOWS)]])
    ],
)
def test_paths_go_through_their_own_states_at_the_frames_window(case, window: int) -> None:
    frame = frame_of(*case, window=window, needs=ONLY_PATHS)
    np.testing.assert_allclose(frame.paths.codewords[window], frame.codebook, rtol=0, atol=1e-12)


def after(n_calls: int) -> Callable[[], bool]:
    calls = itertools.count(1)
    return lambda: next(calls) > n_calls


def test_paths_give_way_to_a_newer_request_and_go_on_later(monkeypatch) -> None:
    runs: list[int] = []
    plain = paths.fast_pnn

    def counted(*arguments: Any, **options: Any) -> Any:
        tree = plain(*arguments, **options)
        runs.append(1)
        return tree

    monkeypatch.setattr(paths, "fast_pnn", counted)
    pipeline, parameters = Pipeline(), Parameters(Encoding("quantiles", 3), n_states=4)
    request = Request(CAMERA, parameters, needs=WITH_PATHS)
    shown: list[Frame] = []
    with pytest.raises(Cancelled):
        pipeline.run(request, Listener(show=shown.append, replaced=after(40)))
    assert len(shown) == 1
    assert 0 < len(runs) < len(SWEEP)
    pipeline.run(request)
    assert len(runs) == len(SWEEP)
