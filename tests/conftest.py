"""Shared by all tests: no display, and settings apart from the user's."""

import gc
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers share the cores already
# Tests start many programs, each of which would compile the sources again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from latviz.app.program.platforms import lacking

try:
    from PyQt6.QtWidgets import QApplication, QWidget
    from pytestqt.qtbot import QtBot
except ImportError as error:
    if missing := lacking(error):
        sys.exit(f"{missing}; or run: sh .ci/system")
    raise

from latviz.core.threads import CORES, set_threads
from latviz.engine.pictures import demos
from tests import kernel_cache

sys.dont_write_bytecode = False
hypothesis.settings.register_profile("latviz", deadline=None)  # machines may be slow
hypothesis.settings.load_profile("latviz")
HERE = Path(__file__).parent
WINDOW_PLACES = {
    HERE / place
    for place in (
        "app",
        "engine/startup/test_compile_cache.py",  # compiles all kernels of a window, several times
        "test_cli.py",  # draws snapshots of every demo
        "test_real_window.py",
        "test_screenshots.py",
        "test_wheel.py",
    )
}
SLOW_PLACES = {
    HERE / place
    for place in (
        *("collection", "test_examples.py", "test_numbers.py", "test_readable.py"),
        *("test_frozen.py", "test_one_way.py", "test_readme.py", "test_wings.py", "wings"),
        *("core/choice", "core/truth", "core/test_kernel_cache.py"),
        *("core/test_threads.py", "core/test_turned.py"),
        *("core/data/test_encodings.py", "core/model/test_far_from_zero.py"),
        "core/model/test_many_symbols.py",
        *(
            "engine/pictures/test_data_sets.py",
            "engine/pictures/test_demos.py",
            "engine/explain/test_explanation.py",
        ),
        "engine/lessons/test_understanding.py",
        *(
            "engine/lessons/test_facts.py",
            "engine/settings/test_given.py",
        ),
        "engine/pictures/test_picture_sets.py",
        *("engine/frames/test_second_window.py", "engine/frames/test_state_paths.py"),
        "engine/choosing/test_sweeping.py",
        *("files/test_corpus.py", "files/test_hostile_pngs.py", "files/test_hostile_tiffs.py"),
        *("files/test_kills.py", "files/test_taken_memory.py"),
    )
}
"""Tests without a window that fit many models, or start other processes."""
WINDOW_FIXTURES = {"qapp", "qtbot"}
LIMIT_MS = 120_000
"""Limit of waits, long enough that only a failed test reaches it."""


def pytest_configure(config: pytest.Config) -> None:
    """Share compiled kernels and cores if several processes run tests; the parent is first.

    A run of a few tests in one process compiles the kernels that it needs.
    """
    if os.environ.get("PYTEST_XDIST_WORKER"):
        kernel_cache.take_turns()
        # Threads that wait for a core cost half as much again; tests of threads set their number.
        set_threads(max(1, CORES // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])))
    elif config.getoption("numprocesses", None):
        kernel_cache.compile_once()


def is_lacking(what: str, is_simulated: bool) -> bool:
    """Return True if this system lacks a path, a module, or a name in a module."""
    if what.startswith("/"):
        return is_simulated or not Path(what).exists()
    module, _, name = what.partition(".")
    try:
        return bool(name) and not hasattr(__import__(module), name)
    except ModuleNotFoundError:
        return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what uses more than this system has."""
    is_simulated = item.config.pluginmanager.has_plugin("tests.desks")
    used = {what for mark in item.iter_markers("posix") for what in mark.args}
    if missing := sorted(what for what in used if is_lacking(what, is_simulated)):
        pytest.skip(f"this system has no {', '.join(missing)}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and those that use a window or an application."""
    for path, group in groupby(items, key=attrgetter("path")):
        places = {path, *path.parents}
        is_slow, has_window = (not places.isdisjoint(s) for s in (SLOW_PLACES, WINDOW_PLACES))
        for item in group:
            if is_slow:
                item.add_marker("slow")
            if has_window or not WINDOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
                item.add_marker("window")


def pytest_collection_finish() -> None:
    """Exclude all imported and collected objects from later garbage collections."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    os.environ["LATVIZ_HOME"] = str(tmp_path_factory.mktemp("settings"))


@pytest.fixture(autouse=True, scope="session")
def _demos_made_once() -> Iterator[None]:
    """Make each demo once in a process, as a demo is a function of its name; write into none."""
    made = cache(demos.make_demo)

    def make_demo(name: str) -> demos.Demo:
        demo = made(name)
        for array in (demo.image, demo.truth, demo.labels):
            if array is not None:
                array.flags.writeable = False
        return demo

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demos, "make_demo", make_demo)
        yield


@pytest.fixture(autouse=True, scope="session")
def _written_to_no_disk() -> Iterator[None]:
    """Leave files in the system's memory: no test cuts the power, and a disk takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    """The program's own application, for all tests with a window."""
    from latviz.app.program.application import Application

    return Application


def patient(wait: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of qtbot with a limit that is enough for any machine.

    Those that expect a timeout (``raising=False``) keep their own.
    """

    def waiting(*arguments: Any, **options: Any) -> Any:
        if options.get("raising", True):
            options["timeout"] = max(options.get("timeout", 0), LIMIT_MS)
        return wait(*arguments, **options)

    return waiting


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The program's application: its style and numbers, and letters on systems without fonts."""
    from latviz.app.program.main import application

    return application()


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QtBot:
    """A robot that keeps its widgets until they are closed, and waits on a busy machine, too.

    Its own holds them weakly: once a test returns they could be collected in the midst of painting.
    """
    for wait in ("waitUntil", "waitSignal"):
        monkeypatch.setattr(qtbot, wait, patient(getattr(qtbot, wait)))
    kept: list[QWidget] = []
    add = qtbot.addWidget

    def keep(widget: QWidget) -> None:
        kept.append(widget)
        add(widget)

    monkeypatch.setattr(qtbot, "addWidget", keep)
    return qtbot


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the advice out of summaries: its tries take seconds."""
    from latviz.engine.advice.trying import Trying

    monkeypatch.setattr(Trying, "final", lambda *_: None)


@pytest.fixture
def no_hang() -> Iterator[None]:
    """Fail if a call blocks, where the system can interrupt it."""

    def give_up(*_: object) -> None:
        raise AssertionError("it waits for ever")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def no_leaked_threads() -> Iterator[None]:
    """Fail if a thread is left that is not of the kernels' pool."""
    before = set(threading.enumerate())
    yield
    left = [
        thread.name
        for thread in set(threading.enumerate()) - before
        if not thread.name.startswith(("latviz-kernel", "Dummy-"))  # Dummy: Qt's own, ended
    ]
    assert not left


@pytest.fixture(scope="session")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Photographs that come inside the test dependencies, as PNG files."""
    from PIL import Image
    from skimage import data
    from sklearn.datasets import load_sample_image

    folder = tmp_path_factory.mktemp("photographs")
    pixels = {
        "camera": data.camera(),
        "astronaut": data.astronaut(),
        "coins": data.coins(),
        "china": load_sample_image("china.jpg"),
        "flower": load_sample_image("flower.jpg"),
    }
    for name, values in pixels.items():
        Image.fromarray(values).save(folder / f"{name}.png")
    return {name: folder / f"{name}.png" for name in pixels}
