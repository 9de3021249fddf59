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
from collections.abc import Iterator, Sequence

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

import numpy as np
from PyQt6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
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
ALL = ("states", "space", "adjacency", "indices", "likelihood", "emissions")
MOVES = (
    ("w", "window", STEPS, ALL),  # all of them new
    ("w again", "window", -6, ALL),
    ("N 6..8", "n_states", -2, ALL),
    ("N 8..10", "n_states", 2, ALL),
    ("alpha", "alpha", 10, ("likelihood",)),
)
"""A label, the slider, the number of steps, and the views that it changes, among those visible.

Sums of up to eight states take the time of one."""


class Hand(QObject):
    """Moves a window's sliders; records when each view was painted with a frame of the settings.

    For views of pictures only the picture counts, not the parts below it.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self.app, self.window = application(), window
        self._names = dict[QObject, str]()
        self._painted, self._beats = dict[str, float](), list[float]()
        self._frames: list[Frame] = []
        for name, view in window.views.items():
            shown = view.canvas if isinstance(view, PictureView) else view
            for part in (shown, *shown.findChildren(QWidget)):
                self._names[part] = name
                part.installEventFilter(self)  # not all events of the program: that would slow it
        window.document.frame_changed.connect(self._frames.append)
        self.timer = QTimer()
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(lambda: self._beats.append(time.perf_counter()))
        self.timer.start(BEAT_MS)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        if watched is not None and event is not None and event.type() == QEvent.Type.Paint:
            frame = self.window.views[name := self._names[watched]].frame
            is_new = frame and frame.request.parameters == self.window.document.parameters
            if name not in self._painted and is_new:
                self._painted[name] = time.perf_counter()
        return False

    def settle(self) -> None:
        """Wait for the frame that is learned from all pixels."""
        while not (self._frames and self._frames[-1].request.complete and self._frames[-1].whole):
            self.app.processEvents(WAIT)

    def move(self, name, swing, changed) -> Iterator[tuple[float, float, float]]:
        """Press `STEPS` keys, ``swing`` up and down again in turn; down first if it is negative.

        Yield the milliseconds to the first picture and the last view, and the longest stall.
        """
        there, back = Qt.Key.Key_Right, Qt.Key.Key_Left
        if swing < 0:
            there, back, swing = back, there, -swing
        slider = self.window.controls[name].slider
        for step in range(STEPS):
            for record in (self._frames, self._beats, self._painted):
                record.clear()
            start = time.perf_counter()
            QTest.keyClick(slider, there if step % (2 * swing) < swing else back)
            self._wait(changed)
            last = time.perf_counter()
            QTest.qWait(5)
            stall = float(np.diff([start, *self._beats]).max())
            yield 1e3 * (self._painted[changed[0]] - start), 1e3 * (last - start), 1e3 * stall

    def _wait(self, changed: Sequence[str]) -> None:
        wanted, answered = self.window.document.parameters, False
        while not (answered and self._painted.keys() >= set(changed)):
            self.app.processEvents(WAIT)
            frame = self._frames[-1] if self._frames else None
            answered = frame is not None and frame.whole and frame.request.parameters == wanted
        self.app.processEvents()


def main(shape: tuple[int, int], encoding: Encoding) -> None:
    application()
    window = MainWindow()
    window.show()
    pixels = data.camera() if encoding.discrete else data.astronaut()
    if shape != pixels.shape[:2]:
        pixels = np.rint(resize(pixels, shape, preserve_range=True)).astype(np.uint8)
    hand = Hand(window)
    parameters = Parameters(encoding, n_states=8, learning_window=3)
    window.document.open(Picture(pixels, "photograph"), parameters)
    hand.settle()
    coded = f"{encoding.kind.name}, M = {encoding.n_symbols}, N = 8"
    print(f"{shape[1]} x {shape[0]}, {coded}, {STEPS} key presses each, milliseconds")
    print(f"{'slider':8}{'first':>8}{'median':>8}{'95 %':>8}{'worst':>8}{'stall':>8}")
    for label, name, swing, changed in MOVES:
        if name == "alpha":
            window.controls["alpha"].slider.setValue(50)
        first, last, stalls = zip(*hand.move(name, swing, changed), strict=True)
        row = [np.median(first), *np.percentile(last, [50, 95, 100]), max(stalls)]
        print(f"{label:8}" + "".join(f"{figure:8.1f}" for figure in row))
    hand.timer.stop()
    discard(window)


if __name__ == "__main__":
    size, kind = sys.argv[1:3] or ("512", "512"), sys.argv[3:]
    main((int(size[1]), int(size[0])), Encoding(*kind) if kind else Encoding("quantiles", 8))
