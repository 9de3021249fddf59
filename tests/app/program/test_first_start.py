"""While no kernels are cached, pictures are shown as soon as their kernels are compiled."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document import worker
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings, store
from latviz.app.work.activity import Failure
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.kernels import compiler as kernel_compiler
from latviz.core.kernels.compiler import NotCachedError
from latviz.core.progress import Cancelled
from latviz.core.truth.agreement import matched_accuracy
from latviz.core.windows.stratified import SAMPLE_EXACT
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.startup import compile_cache
from latviz.engine.startup.compile_cache import Part


@pytest.fixture(autouse=True)
def _usual_pause(monkeypatch) -> None:
    """Let the worker ask for kernels again before it pauses, as it does."""
    monkeypatch.setattr(worker, "PAUSE_S", 0.1)


class Compiler:
    """Replaces the processes that compile: no kernels exist until an event is set."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.of_states, self.of_all = threading.Event(), threading.Event()
        self.began: list[str] = []
        self.tried = 0
        self.error: Exception | None = None
        self.spares_all = False
        self.raised = 0
        run = Pipeline.run

        def begin(part: Part, on_compile: Callable[[], None], first: str) -> None:
            if not part.begun:
                on_compile()
                self.began.append(first)
            part.begun = True

        def is_compiling(part: Part) -> bool:
            return part.begun and not self.of_all.is_set()

        def tried(pipeline: Pipeline, request: Request, *rest: Any, **options: Any) -> Frame:
            self.tried += 1
            if self.error is not None and not (self.spares_all and request.needs):
                self.raised += 1
                raise self.error
            if not (self.of_all if request.needs else self.of_states).is_set():
                raise NotCachedError
            return run(pipeline, request, *rest, **options)

        patch.setattr(Part, "begin", begin)
        patch.setattr(Part, "is_compiling", property(is_compiling))
        patch.setattr(compile_cache, "_loaded", set())
        patch.setattr(Pipeline, "run", tried)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    return Compiler(monkeypatch)


class Rest:
    """Loads the remaining kernels: until it is stopped, or may end."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.may_compile: bool | None = None

    def __call__(self, stop: compile_cache.Stop) -> None:
        self.may_compile = not kernel_compiler._refuses.get()
        self.begun.set()
        while not self.may_end.wait(0.001):
            if stop():
                raise Cancelled


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> Rest:
    """Loading of the rest; request it before a window, which begins at once."""
    found = Rest()
    monkeypatch.setitem(compile_cache.WARM_UPS, "pictures", found)
    monkeypatch.setattr(compile_cache, "_loaded", set())
    return found


@pytest.fixture
def fresh(qtbot: QtBot, no_leaked_threads: None) -> Iterator[MainWindow]:
    store().clear()  # an earlier test may have left other views
    window = MainWindow(Settings(), "light")
    window.show()
    yield window
    discard(window)


@pytest.mark.parametrize(
    ("encoding", "first"),
    [(Encoding("quantiles", n_symbols=3), "symbols"), (Encoding("grey"), "vectors")],
)
def test_states_are_shown_before_the_rest(
    compiler, rest, fresh, qtbot, photo, encoding, first
) -> None:
    frames: list[Frame] = []
    fresh.document.frame_changed.connect(frames.append)
    fresh.document.open(photo, Parameters(encoding, n_states=4))
    qtbot.waitUntil(lambda: compiler.tried > 4)
    rest.may_end.set()  # not before: the window must not have all kernels when it opens a picture
    assert compiler.began == [first]
    assert frames == []
    assert "Compiling" in fresh.status.message.whole_text()
    compiler.of_states.set()
    qtbot.waitUntil(lambda: len(frames) == 1)
    assert frames[0].states.shape == photo.pixels.shape
    assert not frames[0].whole
    assert fresh.document.activity.work == "computing"
    tried = compiler.tried
    qtbot.waitUntil(lambda: compiler.tried > tried + 4)
    assert len(frames) == 1
    compiler.of_all.set()
    qtbot.waitUntil(lambda: frames[-1].finished)
    whole = next(frame for frame in frames if frame.whole)
    assert frames[0].n_learned <= SAMPLE_EXACT  # learning from more takes more kernels
    assert whole.n_learned > SAMPLE_EXACT
    assert matched_accuracy(whole.states, frames[0].states) > 0.8
    assert compiler.began == [first]
    qtbot.waitUntil(fresh.worker.prepared.is_set)
    qtbot.waitUntil(lambda: "Compiling" not in fresh.status.message.whole_text())


def test_a_picture_interrupts_the_loading_of_what_it_does_not_need(
    rest, fresh, qtbot, photo
) -> None:
    qtbot.waitUntil(rest.begun.is_set)
    frames: list[Frame] = []
    fresh.document.frame_changed.connect(frames.append)
    fresh.document.open(photo, Parameters(Encoding("quantiles", n_symbols=3), n_states=4))
    qtbot.waitUntil(lambda: bool(frames) and frames[-1].finished)
    assert not fresh.worker.prepared.is_set()
    rest.may_end.set()
    qtbot.waitUntil(fresh.worker.prepared.is_set)


def test_pictures_are_answered_while_kernels_of_a_volume_are_compiled(
    fresh, qtbot, photo, monkeypatch
) -> None:
    run, begun = Pipeline.run, list[str]()

    def tried(pipeline: Pipeline, request: Request, *rest: Any, **options: Any) -> Frame:
        if request.picture.dimensions == 3:
            raise NotCachedError
        return run(pipeline, request, *rest, **options)

    def begin(part: Part, *_: object) -> None:
        part.begun = True
        begun.append(part.name)

    qtbot.waitUntil(fresh.worker.prepared.is_set)
    compiling = property(lambda part: part.begun and part.name == "volumes")
    monkeypatch.setattr(compile_cache, "_loaded", {"pictures"})
    monkeypatch.setattr(Pipeline, "run", tried)
    monkeypatch.setattr(Part, "begin", begin)
    monkeypatch.setattr(Part, "is_compiling", compiling)
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=4)
    frames: list[Frame] = []
    fresh.document.frame_changed.connect(frames.append)
    fresh.document.open(Picture(photo.pixels[None], "volume", dimensions=3), parameters)
    qtbot.waitUntil(lambda: len(begun) > 2)
    assert set(begun) == {"volumes"}
    assert fresh.document.is_compiling
    assert frames == []
    fresh.document.open(photo, parameters)
    qtbot.waitUntil(lambda: bool(frames) and frames[-1].finished)


def test_what_cannot_be_computed_is_not_tried_again(compiler, fresh, qtbot, photo) -> None:
    failures: list[Failure] = []
    fresh.document.failed.connect(failures.append)
    fresh.document.open(photo, Parameters(Encoding("quantiles", n_symbols=3), n_states=4))
    qtbot.waitUntil(lambda: compiler.tried > 4)
    compiler.error = ParameterError("it is too odd")
    qtbot.waitUntil(lambda: bool(failures))
    qtbot.wait(300)
    assert compiler.raised == 1
    assert [failure.message for failure in failures] == ["it is too odd"]
