"""From an event on a slider to all views painted.

``python -m tests.bench.drag [width height [lab]]``, of symbols or of a photograph in CIELAB.

The real sliders of a real window are moved by key presses, one after the other: each waits until
the last frame that answers it has arrived, every visible view that it changes was painted, and
nothing is left to paint. The first picture is there when the state map was painted. A stall is the
longest time between two beats of a timer in the window's thread.

Offscreen, unless ``QT_QPA_PLATFORM`` is set: ``QT_QPA_PLATFORM=xcb xvfb-run python -m ...``.
"""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

import numpy as np
from PyQt6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from skimage import data
from skimage.transform import resize

from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from latviz.app.views.picture import PictureView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

STEPS = 40
BEAT_MS = 2
WAIT = QEventLoop.ProcessEventsFlag.WaitForMoreEvents  # as a program waits: without the lock
CONTROLS = {"w": "window", "N": "n_states", "alpha": "alpha"}
MOVES = (
    ("w", "w", STEPS),  # all of them new
    ("w again", "w", -6),
    ("N 6..8", "N", -2),
    ("N 8..10", "N", 2),
    ("alpha", "alpha", 10),
)
"""A label, the slider, and the number of steps. Sums of up to eight states take the time of one."""
ALL = ("states", "space", "adjacency", "indices", "likelihood", "emissions")
CHANGED = {"w": ALL, "N": ALL, "alpha": ("likelihood",)}
"""The views that each slider changes, among those visible by default."""


class Painted(QObject):
    """Records when each view was first painted with a frame of the settings, since `at` was
    cleared.

    For views of pictures only the picture counts, not the parts below it.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._document, self._views = window.document, window.views
        self.names = dict[QObject, str]()
        self.at: dict[str, float] = {}
        for name, view in window.views.items():
            shown = view.canvas if isinstance(view, PictureView) else view
            for part in (shown, *shown.findChildren(QWidget)):
                self.names[part] = name
                part.installEventFilter(self)  # not all events of the program: that would slow it

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        if watched is not None and event is not None and event.type() == QEvent.Type.Paint:
            name = self.names[watched]
            if name not in self.at and self._is_new(name):
                self.at[name] = time.perf_counter()
        return False

    def _is_new(self, name: str) -> bool:
        frame = self._views[name].frame
        return frame is not None and frame.request.parameters == self._document.parameters

    def all_of(self, names: Sequence[str]) -> bool:
        return self.at.keys() >= set(names)


class Beats:
    """A timer in the window's thread, and when it beat."""

    def __init__(self) -> None:
        self.at: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(lambda: self.at.append(time.perf_counter()))
        self._timer.start(BEAT_MS)
        self.stop = self._timer.stop

    def longest(self, start: float) -> float:
        """Return the longest milliseconds between two beats from a time on."""
        return 1000 * float(np.diff([start, *self.at]).max())


@dataclass
class Times:
    """Milliseconds from each key press to the first picture and to the last view painted."""

    first: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    stalls: list[float] = field(default_factory=list)


class Hand:
    """Moves a window's sliders and times the results."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        self.app, self.window = app, window
        self.painted = Painted(window)
        self.frames: list[Frame] = []
        window.document.frame_changed.connect(self.frames.append)
        self.beats = Beats()

    def settle(self) -> None:
        """Wait for the frame that is learned from all pixels."""
        while not (self.frames and self.frames[-1].request.complete and self.frames[-1].whole):
            self.app.processEvents(WAIT)

    def move(self, name: str, swing: int) -> Times:
        """Press `STEPS` keys, ``swing`` up and down again in turn; down first if it is negative."""
        there, back = Qt.Key.Key_Right, Qt.Key.Key_Left
        if swing < 0:
            there, back, swing = back, there, -swing
        times, slider = Times(), self.window.controls[CONTROLS[name]].slider
        for step in range(STEPS):
            key = there if step % (2 * swing) < swing else back
            self.frames.clear()
            self.beats.at.clear()
            self.painted.at.clear()
            start = time.perf_counter()
            QTest.keyClick(slider, key)
            self._wait(CHANGED[name])
            times.last.append(1000 * (time.perf_counter() - start))
            first = self.painted.at[CHANGED[name][0]]
            times.first.append(1000 * (first - start))
            QTest.qWait(5)
            times.stalls.append(self.beats.longest(start))
        return times

    def _wait(self, changed: Sequence[str]) -> None:
        wanted = self.window.document.parameters
        while True:
            self.app.processEvents(WAIT)
            frame = self.frames[-1] if self.frames else None
            answered = frame is not None and frame.whole and frame.request.parameters == wanted
            if answered and self.painted.all_of(changed):
                self.app.processEvents()
                return


def opened(shape: tuple[int, int], encoding: Encoding) -> Hand:
    """Return a hand on a window with a photograph, learned from all pixels."""
    app = application()
    window = MainWindow()
    window.show()
    pixels = data.camera() if encoding.discrete else data.astronaut()
    if shape != pixels.shape[:2]:
        pixels = np.rint(resize(pixels, shape, preserve_range=True)).astype(np.uint8)
    hand = Hand(app, window)
    parameters = Parameters(encoding, n_states=8, learning_window=3)
    window.document.open(Picture(pixels, "photograph"), parameters)
    hand.settle()
    return hand


def main(shape: tuple[int, int], encoding: Encoding) -> None:
    """Print a table of latencies for each slider."""
    hand = opened(shape, encoding)
    window = hand.window
    coded = f"{encoding.kind.name}, M = {encoding.n_symbols}, N = 8"
    print(f"{shape[1]} x {shape[0]}, {coded}, {STEPS} key presses each, milliseconds")
    print(f"{'slider':8}{'first':>8}{'median':>8}{'95 %':>8}{'worst':>8}{'stall':>8}")
    for label, name, swing in MOVES:
        if name == "alpha":
            window.controls["alpha"].slider.setValue(50)
        times = hand.move(name, swing)
        row = [np.median(times.first), *np.percentile(times.last, [50, 95, 100]), max(times.stalls)]
        print(f"{label:8}" + "".join(f"{figure:8.1f}" for figure in row))
    hand.beats.stop()
    discard(window)


if __name__ == "__main__":
    size, kind = sys.argv[1:3] or ("512", "512"), sys.argv[3:]
    main((int(size[1]), int(size[0])), Encoding(*kind) if kind else Encoding("quantiles", 8))
