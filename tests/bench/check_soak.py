"""The robot: its watch notices failures, and a short run finds none."""

import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QTimer, qWarning
from PyQt6.QtTest import QTest

from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.tradeoff import WINDOWS
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.bench.soak import advice
from tests.bench.soak.advice import accuracies, accuracy, broken, regions, surviving
from tests.bench.soak.advised import makers
from tests.bench.soak.watch import Sections, Watch, watching
from tests.engine.advice.cases import case_of, with_grey

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts what Linux tells of")
FOUND = [(20, 0, 60)]
"""The seed, the first act and the number of acts of runs that found something once."""
ROOT = Path(__file__).parents[2]


def fail() -> None:
    raise ValueError("a slot")


class Broken:
    def __del__(self) -> None:
        raise ValueError("no slot")


@pytest.mark.parametrize(
    ("act", "word"),
    [
        (lambda: QTimer.singleShot(0, fail), "ValueError: a slot"),
        (Broken, "ValueError: no slot"),
        (lambda: threading.Thread(target=fail).start(), "ValueError: a slot"),
        (lambda: qWarning("a widget is odd"), "a widget is odd"),
        (lambda: warnings.warn("old", DeprecationWarning, stacklevel=1), "DeprecationWarning: old"),
        (lambda: os.write(2, b"a library complains"), "complains"),
    ],
)
def test_the_watch_sees(qapp: object, act: Callable[[], object], word: str) -> None:
    watch = Watch()
    with watching(watch) as look:
        look()
        assert not watch.troubles
        act()
        QTest.qWait(20)
        look()
    (trouble,) = watch.troubles
    assert word in trouble.text


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
    with sections.apart(), sections.handling():
        time.sleep(0.2)
    assert not sections.stalls
    QTimer.singleShot(0, lambda: compute(0.15))
    QTest.qWait(20)
    with sections.apart(), sections.handling():
        compute(0.2)
    sections.close()
    first, second = sections.stalls
    assert 0.15 <= first.seconds < 0.2 <= second.seconds
    assert second.during == "an act"


def test_pictures_to_advise_on_have_the_states_that_they_name(tmp_path: Path) -> None:
    every = makers(tmp_path, np.random.default_rng(0))
    for name, make in every.items():
        geometry, *law = name.split()
        if law and geometry[-1].isdigit():
            shown, _ = make()
            assert shown.truth is not None
            assert set(np.unique(shown.truth)) == set(range(int(geometry[-1])))


def test_accuracies_are_those_of_each_window() -> None:
    truth = np.zeros((40, 40), np.uint8)
    truth[5:11, 5:11] = 1  # too small for the largest windows
    shown = Picture(np.float32(truth), "square", truth=truth)
    parameters = Parameters(Encoding("grey"), n_states=2, window=0, learning_window=0)
    frame = Pipeline().run(Request(shown, parameters, complete=True))
    found = accuracies(frame)
    assert found.keys() == set(WINDOWS)
    assert found[0] == 1.0 > found[19]
    by_belief = Request(shown, replace(parameters, decoder="belief"), complete=True)
    assert accuracies(Pipeline().run(by_belief)) == found
    assert accuracy(frame) == 1.0
    assert regions(frame) == (2, 2)
    unknown = Request(replace(shown, truth=None), parameters, complete=True)
    assert accuracy(Pipeline().run(unknown)) is None


def test_regions_that_hold_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four bands the last two become one, and a speck counts for none."""
    fine = np.repeat(np.arange(4), 15)[:, None].repeat(60, axis=1)
    fine[2, 3:5] = 4
    coarse = np.minimum(fine, 2)
    coarse[2, 3:5] = 0
    found = {0.04: fine, 0.12: coarse}
    monkeypatch.setattr(advice, "_by_contrast", lambda _frame, cut: found[cut])
    assert surviving(None) == (2, 4)


def test_a_promise_that_is_not_kept_is_found() -> None:
    for name, before in (("uneven", with_grey(n_states=4)), ("normal noise", with_grey())):
        case = case_of(name)
        offer = case.advice(before).offer
        after, promise = case.frame(offer.after), offer.promise
        assert broken(offer, after) == []
        worse = case.frame(before) if promise.measure == "states" else after
        other = replace(promise, after=promise.after - 0.01)
        assert len(broken(replace(offer, promise=other), worse)) == 1


@pytest.mark.window
@pytest.mark.parametrize(("seed", "first", "count"), FOUND)
def test_the_robot_finds_nothing(seed: int, first: int, count: int) -> None:
    options = (f"--seed={seed}", f"--first={first}", f"--count={count}", "--busy")
    command = (sys.executable, "-m", "tests.bench.soak", *options)
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"{count} acts," in run.stdout, run.stdout + run.stderr
    assert "troubles: none" in run.stdout, run.stdout
