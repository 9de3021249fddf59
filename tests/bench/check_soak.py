"""The robot: its watch notices failures, and a short run finds none."""

import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from PyQt6.QtCore import QTimer, qWarning
from PyQt6.QtTest import QTest

from tests.bench.soak.watch import Sections, Watch, watching

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts what Linux tells of")
FOUND = [(20, 0, 60)]
"""The seed, the first act and the number of acts of runs that found something once."""
ROOT = Path(__file__).parents[2]


def fail() -> None:
    raise ValueError("a slot")


class Broken:
    def __del__(self) -> None:
        raise ValueError("no slot")


def fail_unraisably() -> None:
    Broken()


def fail_on_a_thread() -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


@pytest.mark.parametrize(
    ("act", "kind", "word"),
    [
        (lambda: QTimer.singleShot(0, fail), "exception", "a slot"),
        (fail_unraisably, "exception", "no slot"),
        (fail_on_a_thread, "exception", "a slot"),
        (lambda: qWarning("a widget is odd"), "Qt", "a widget is odd"),
        (lambda: warnings.warn("old", DeprecationWarning, stacklevel=1), "warning", "old"),
        (lambda: os.write(2, b"a library complains"), "output", "complains"),
    ],
)
def test_the_watch_sees(qapp: object, act: Callable[[], object], kind: str, word: str) -> None:
    watch = Watch()
    with watching(watch) as look:
        look()
        assert not watch.troubles
        act()
        QTest.qWait(20)
        look()
    assert [trouble.kind for trouble in watch.troubles] == [kind]
    assert word in watch.troubles[0].text


def compute(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_stalls_are_those_of_the_window_alone(qapp: object) -> None:
    sections = Sections(lambda: "an act", limit=0.1)
    QTest.qWait(150)
    with sections.apart():
        compute(0.15)
    QTimer.singleShot(0, lambda: compute(0.06))
    QTest.qWait(20)
    assert not sections.stalls
    QTimer.singleShot(0, lambda: compute(0.15))
    QTest.qWait(20)
    with sections.apart(), sections.handling():
        compute(0.2)
    assert not sections.waits
    with sections.apart(), sections.handling():
        time.sleep(0.2)
    sections.close()
    (wait,) = sections.waits
    assert wait.cpu < 0.1 < wait.blocked
    first, second = sections.stalls
    assert 0.15 <= first.cpu < 0.2 <= second.cpu
    assert second.during == "an act"


@pytest.mark.window
@pytest.mark.parametrize(("seed", "first", "count"), FOUND)
def test_the_robot_finds_nothing(seed: int, first: int, count: int) -> None:
    options = (f"--seed={seed}", f"--first={first}", f"--count={count}", "--busy")
    command = (sys.executable, "-m", "tests.bench.soak", *options)
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"{count} acts," in run.stdout, run.stdout + run.stderr
    assert "troubles: none" in run.stdout, run.stdout
