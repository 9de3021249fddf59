"""The real window, offscreen."""

import math
import threading
from collections.abc import Callable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from PyQt6.QtCore import QPoint, QSignalBlocker, Qt
from PyQt6.QtGui import QClipboard
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QSlider, QStyle, QStyleOptionSlider, QWidget
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.docking.uses import names_in, use_of
from latviz.app.document import document as document_module
from latviz.app.document import opening, worker
from latviz.app.document.opening import Opener
from latviz.app.program.main import discard
from latviz.app.program.window import SIZE, MainWindow
from latviz.app.shell.settings import Settings, store
from latviz.app.start import starter
from latviz.app.views.base import View
from latviz.app.views.picture import PictureView
from latviz.app.views.registry import BUILT_IN, Views
from latviz.app.views.spec import AnySpec, needs_of
from latviz.core.data.encoding import Encoding
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn
from latviz.core.model import learning
from latviz.core.types import Signature
from latviz.engine.frames import state_paths
from latviz.engine.frames.frame import SLOW, Frame
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for files that are read when a window closes, even on a busy machine."""
    for reading in (opening, starter):
        monkeypatch.setattr(reading, "LEFT_S", 120.0)


@pytest.fixture(autouse=True)
def _short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows learn and compute soon after each change: no hand moves on.

    What comes after a pause still comes after it; tests of the pauses set them.
    """
    monkeypatch.setattr(document_module, "REST_MS", 20)
    monkeypatch.setattr(worker, "PAUSE_S", 0.01)
    monkeypatch.setattr(worker, "REST_S", 0.02)


offered_once = cache(metadata.entry_points)


@pytest.fixture(autouse=True)
def _packages_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the entry points of packages once: every window asks, and they do not change."""
    monkeypatch.setattr(metadata, "entry_points", offered_once)


@cache
def photographed() -> NDArray[np.uint8]:
    """Return part of a photograph, which is read once."""
    pixels = np.ascontiguousarray(data.camera()[60:260, 100:340])
    pixels.flags.writeable = False
    return pixels


@pytest.fixture
def half_photograph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin `window` with half of the photograph, where all windows are decoded again and again."""
    part = np.ascontiguousarray(photographed()[:140, :168])
    monkeypatch.setattr(f"{__name__}.photographed", lambda: part)


@pytest.fixture
def clipboard(qapp: QApplication) -> QClipboard:
    """The clipboard, empty."""
    found = qapp.clipboard()
    found.clear()
    return found


@pytest.fixture
def photo() -> Picture:
    return Picture(photographed(), "camera")


_merged = dict[object, MergeTree]()
_MOST = 3 * len(state_paths.SWEEP)
"""Trees that are kept: every window begins with those of the photograph."""


def merge_once(signatures: Signature, **how: Any) -> MergeTree:
    """Merge as `fast_pnn` does, but the first signatures a single time."""
    key = signatures.shape, signatures.tobytes(), how["n_exact"]
    if (known := _merged.get(key)) is not None:
        return known
    tree = fast_pnn(signatures, **how)
    if len(_merged) < _MOST:
        _merged[key] = tree
    return tree


@pytest.fixture(scope="session")
def learn_once() -> Callable[..., MergeTree]:
    """Learn as `learn_tree` does, but of the same symbols a single time."""
    learn, known = learning.learn_tree, dict[object, MergeTree]()

    def learned(lattices, n_symbols, window, progress) -> MergeTree:
        key = n_symbols, window, *(np.asarray(lattice).tobytes() for lattice in lattices)
        if key not in known:
            known[key] = learn(lattices, n_symbols, window, progress)
        return known[key]

    return learned


@pytest.fixture
def window(qtbot, no_leaked_threads, photo, learn_once, monkeypatch) -> Iterator[MainWindow]:
    """A window that shows a photograph, settled, with no stored settings.

    Every window would learn the same from its pixels, and the paths of its states, which come after
    all other results; only the first one does.

    All views are drawn at once, so that tests can check them immediately.
    """
    store().clear()
    window = MainWindow(Settings(), "light")
    window.parts[Views].rounds.limit = math.inf
    window.tabs.stage.show_only(LAID_OUT)
    window.resize(*SIZE)
    window.show()
    QTest.mouseMove(window.menuBar())  # away from where the last test left the pointer
    monkeypatch.setattr(state_paths, "fast_pnn", merge_once)
    with monkeypatch.context() as patch:
        patch.setattr(learning, "learn_tree", learn_once)
        patch.setattr(worker, "PAUSE_S", 0.0)  # no hand moves yet
        window.document.open(photo, first_parameters())
        window.document.learn_from_all()  # at once, not from a sample first
        settle(qtbot, window)
    yield window
    window.close_now()
    assert window.worker.isFinished()
    discard(window)


LAID_OUT = set(names_in(use_of("inspect").plan))
"""The docks of `window`."""


def first_parameters() -> Parameters:
    return Parameters(Encoding("quantiles", n_symbols=3), n_states=4)


def begin_anew(qtbot: QtBot, window: MainWindow) -> None:
    """Bring a used window to where `window` begins, for another part of a test."""
    document = window.document
    window.banner.hide()
    window.tabs.enter("inspect")
    if {name for name in window.docks if window.tabs.stage.is_open(name)} != LAID_OUT:
        window.tabs.restore_default()
        window.tabs.stage.show_only(LAID_OUT)
    window.resize(*SIZE)
    QTest.mouseMove(window.menuBar())
    document.point(state=None, symbol=None, flipped=False)
    document.inspector.hover(None)
    state = State().opened(as_set(Picture(photographed(), "camera")), first_parameters())
    document.resume(Session(state), state)
    document.undo_stack.clear()
    document.learn_from_all()
    settle(qtbot, window)
    for view in window.views.values():
        if isinstance(view, PictureView):
            view.canvas.show_all()
    window.views["space"].plot.show_all()


@pytest.fixture
def few_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin `window` with the pictures alone, for tests that look at no other view."""
    monkeypatch.setattr(f"{__name__}.LAID_OUT", {"controls", "image", "states"})


@pytest.fixture
def show_only(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that shows some views alone, after `begin_anew` too.

    The other views would be drawn with each frame, which takes most of its time.
    """

    def show(*names: str) -> None:
        monkeypatch.setattr(f"{__name__}.LAID_OUT", set(names))
        window.tabs.stage.show_only(names)

    return show


def noise_in(folder: Path) -> Path:
    """Write a file of noise."""
    pixels = np.random.default_rng(0).integers(0, 256, (80, 90)).astype(np.uint8)
    Image.fromarray(pixels).save(folder / "image.png")
    return folder / "image.png"


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A file of noise."""
    return noise_in(tmp_path)


@pytest.fixture
def begun(qtbot: QtBot, no_leaked_threads: None) -> Iterator[Callable[..., MainWindow]]:
    """Begin windows, each with an image or without; all are deleted after the test."""
    windows = []

    def begin(image: Path | None = None) -> MainWindow:
        window = MainWindow(Settings(), "light")
        window.parts[Views].rounds.limit = math.inf
        windows.append(window)
        window.show()
        if image is not None:
            opens(window, qtbot, lambda: window.parts[Opener].open_path(str(image)))
            settle(qtbot, window)
        return window

    yield begin
    for window in windows:
        discard(window)


def another_picture(old: State, new: State) -> bool:
    """Return True if a change of the document's state brought another picture."""
    return new.picture is not old.picture


def opens(window: MainWindow, qtbot: QtBot, act: Callable[[], object]) -> None:
    """Open another picture by a function, and wait until it is there."""
    with qtbot.waitSignal(window.document.changed, check_params_cb=another_picture):
        act()


def settle(qtbot: QtBot, window: MainWindow) -> Frame:
    """Wait until the frame of all settings, learned from all pixels, is on screen."""
    document = window.document

    def is_settled() -> bool:
        frame = document.frame
        return (
            frame is not None
            and as_set(frame.request.pictures) == document.state.pictures
            and frame.request.parameters == document.parameters
            and frame.at_rest
            and frame.whole
            and window.parts[Views].rounds.is_over
            and needs_of(shown(), document.state) - SLOW <= frame.results.keys()
        )

    def shown() -> list[AnySpec]:
        return [spec for spec in BUILT_IN if spec.name in document.state.views]

    qtbot.waitUntil(is_settled, timeout=60_000)
    for view in window.views.values():
        view.end_passing()
    end_waits(window)
    assert document.frame is not None
    return document.frame


def end_waits(within: QWidget) -> None:
    """Have views describe now what they would describe at a pause."""
    for view in (within, *within.findChildren(View)):
        if isinstance(view, View) and view.settled.isActive():
            view.settled.stop()
            view.describe()


def opened(window: MainWindow, qtbot: QtBot, act: Callable[[], object]) -> Frame:
    """Open another picture by a function; return its settled frame."""
    opens(window, qtbot, act)
    return settle(qtbot, window)


def answered(qtbot: QtBot, window: MainWindow, *fields: str) -> Frame:
    """Wait until the frame on screen answers these fields of the state, and is settled."""
    document = window.document

    def is_answered() -> bool:
        request, state = document.frame.request, document.state
        return all(getattr(request, name) == getattr(state, name) for name in fields)

    qtbot.waitUntil(lambda: document.frame is not None and is_answered())
    return settle(qtbot, window)


def settle_all(qtbot: QtBot, window: MainWindow) -> Frame:
    """Wait until the visible views have late results too, and nothing changes by itself."""
    settle(qtbot, window)
    document = window.document
    shown = [spec for spec in BUILT_IN if spec.name in document.state.views]

    def has_all() -> bool:
        frame = document.frame
        return frame is not None and needs_of(shown, document.state) <= frame.results.keys()

    qtbot.waitUntil(has_all)
    return settle(qtbot, window)


def join_background(*others: str) -> None:
    """Wait until all jobs beside the window, and threads of other names, have ended."""
    for thread in threading.enumerate():
        if thread.name in ("background", *others):
            thread.join(20)


def handle(slider: QSlider, value: int) -> QPoint:
    option, style, was = QStyleOptionSlider(), slider.style(), slider.value()
    with QSignalBlocker(slider):
        slider.setValue(value)
        slider.initStyleOption(option)
        slider.setValue(was)
    part = QStyle.SubControl.SC_SliderHandle
    return style.subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()


def drag(slider: QSlider, value: int, steps: int = 8) -> None:
    """Drag a slider's handle with the mouse to a value, by way of ``steps`` moves."""
    start, stop = handle(slider, slider.value()), handle(slider, value)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, steps + 1):
        QTest.mouseMove(slider, start + (stop - start) * (step / steps))
        QTest.qWait(2)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=stop)
