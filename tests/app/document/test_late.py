"""Late results wait until the user pauses."""

from functools import partial
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document import worker
from latviz.app.program.window import MainWindow
from latviz.core.kernels.compiler import NotCachedError
from latviz.core.windows import leave_one_out
from latviz.engine.flow.stages import views
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry import space
from latviz.engine.settings.parameters import Parameters
from latviz.engine.startup import compile_cache
from tests.app.conftest import begin_anew, settle


def shows(frames: list[Frame], parameters: Parameters) -> bool:
    return bool(frames) and frames[-1].request.parameters == parameters


def test_hands_do_not_wait_and_code_lengths_come_last(window: MainWindow, qtbot: QtBot) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_a_hand_that_moves_waits_for_nothing_late(window, qtbot, patch)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_code_lengths_come_last_if_their_kernels_are_in_no_cache(window, qtbot, patch)


def check_a_hand_that_moves_waits_for_nothing_late(window, qtbot, monkeypatch) -> None:
    counted: list[int] = []
    known, document = views.core_noise.indices_of, window.document

    def count(*arguments: Any, **options: Any) -> object:
        counted.append(1)
        return known(*arguments, **options)

    monkeypatch.setattr(views.core_noise, "indices_of", count)
    monkeypatch.setattr(worker, "PAUSE_S", 3.0)
    monkeypatch.setattr(space, "ESTIMATED", 1 << 12)
    frames: list[Frame] = []
    exported: list[Frame] = []
    at_rest = document.frame.request
    document.frame_changed.connect(frames.append)
    for n_states in (5, 6, 7):
        document.set("N and w", n_states=n_states, window=n_states + 1)
        qtbot.waitUntil(partial(shows, frames, document.parameters))
        assert frames[-1].whole
        assert not frames[-1].results.keys() & {"noise", "code_lengths"}
        assert not frames[-1].space.counts_all
        assert frames[-1].request.axes_window == at_rest.parameters.window
    document.when_whole(exported.append)
    assert counted == []
    assert settle(qtbot, window).results["noise"] is not None
    assert document.frame.request.axes_window is None
    assert counted == [1]
    assert [frame.space.counts_all for frame in exported] == [True]


def check_code_lengths_come_last_if_their_kernels_are_in_no_cache(
    window, qtbot, monkeypatch
) -> None:
    stage, refused = leave_one_out.decode_both_in_bands, []

    def refuse_once(*arguments: object, **options: object) -> object:
        if not refused:
            refused.append(1)
            raise NotCachedError
        return stage(*arguments, **options)

    monkeypatch.setattr(leave_one_out, "decode_both_in_bands", refuse_once)
    told: list[str] = []

    def is_ready(part: compile_cache.Part, *_: object) -> bool:
        told.append(part.name)
        return True

    monkeypatch.setattr(compile_cache.Part, "is_ready", is_ready)
    frames: list[Frame] = []
    window.document.frame_changed.connect(frames.append)
    window.document.set("N", n_states=5)
    settle(qtbot, window)
    assert refused == [1]
    assert [name for name in told if name != "pictures"] == ["sweeping"]
    late = [tuple(sorted(f.results.keys() & {"noise", "code_lengths"})) for f in frames]
    assert list(dict.fromkeys(late)) == [(), ("noise",), ("code_lengths", "noise")]


def test_axes_turn_at_rest_where_nothing_is_learned_anew(window, qtbot) -> None:
    document = window.document
    document.set("the window of the codebook", learning_window=3)
    settle(qtbot, window)
    held: list[int | None] = []
    document.frame_changed.connect(lambda frame: held.append(frame.request.axes_window))
    document.set("w", window=document.parameters.window + 4)
    qtbot.waitUntil(lambda: len(held) > 1 and held[0] is not None and held[-1] is None)
