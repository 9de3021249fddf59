"""From an event on a slider to all views painted: ``python -m tests.bench.drag [width height]``.

The real sliders of a real window are moved by key presses, offscreen, one after the other: each
waits until the frame that answers it has been painted by every visible view.
"""

import os
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PyQt6.QtCore import QEvent, QEventLoop, QObject, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QSlider, QWidget
from skimage import data
from skimage.transform import resize

from latviz.app.main import application
from latviz.app.window import MainWindow
from latviz.core.encoding import Encoding
from latviz.live.frame import Frame
from latviz.live.parameters import Parameters, Picture

STEPS = 40
WAIT = QEventLoop.ProcessEventsFlag.WaitForMoreEvents  # as a program waits: without the lock
CONTROLS = {"w": "window_", "N": "states", "alpha": "alpha"}


class Painted(QObject):
    """Notes when each view was last painted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self.views = {id(view): view for view in window.views.values()}
        self.at: dict[int, float] = {}

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        if event is not None and event.type() == QEvent.Type.Paint:
            widget = watched
            while isinstance(widget, QWidget):
                if id(widget) in self.views:
                    self.at[id(widget)] = time.perf_counter()
                widget = widget.parentWidget()
        return False

    def since(self, start: float) -> bool:
        visible = [key for key, view in self.views.items() if view.isVisible()]
        changing = [key for key in visible if self.views[key].NAME not in ("image", "pixel")]
        return all(self.at.get(key, 0.0) > start for key in changing)


def measure(
    app: QApplication, window: MainWindow, slider: QSlider, painted: Painted, swing: int
) -> list[float]:
    """Return the milliseconds from each of `STEPS` key presses to the last view painted.

    The slider goes ``swing`` steps up and down again.
    """
    frames: list[tuple[float, Frame]] = []

    def note(frame: Frame) -> None:
        frames.append((time.perf_counter(), frame))

    window.document.frame_changed.connect(note)
    times = []
    for step in range(STEPS):
        key = Qt.Key.Key_Right if step % (2 * swing) < swing else Qt.Key.Key_Left
        frames.clear()
        start = time.perf_counter()
        QTest.keyClick(slider, key)
        wanted = window.document.parameters
        while not (frames and frames[-1][1].request.parameters == wanted):
            app.processEvents(WAIT)
        while not painted.since(frames[-1][0]):
            app.processEvents(WAIT)
        times.append(1000 * (time.perf_counter() - start))
        QTest.qWait(5)
    window.document.frame_changed.disconnect(note)
    return times


def main(shape: tuple[int, int]) -> None:
    """Print a table of latencies for each slider."""
    app = application()
    window = MainWindow()
    window.show()
    pixels = data.camera()
    if shape != pixels.shape:
        pixels = np.rint(resize(pixels, shape, preserve_range=True)).astype(np.uint8)
    painted = Painted(window)
    app.installEventFilter(painted)
    settled: list[Frame] = []
    window.document.frame_changed.connect(settled.append)
    parameters = Parameters(Encoding("quantiles", 8), n_states=8)
    window.document.open(Picture(pixels, "camera"), parameters)
    while not (settled and settled[-1].n_learned == settled[-1].n_nodes):
        app.processEvents(WAIT)
    print(f"{shape[1]} x {shape[0]}, M = 8, N = 8, {STEPS} key presses each")
    print(f"{'slider':8}{'median ms':>12}{'95 % ms':>12}{'worst ms':>12}")
    for name, control in CONTROLS.items():
        slider = getattr(window.controls, control).slider
        if name == "alpha":
            slider.setValue(50)
        times = measure(app, window, slider, painted, 2 if name == "N" else 10)
        figures = np.percentile(times, [50, 95, 100])
        print(f"{name:8}" + "".join(f"{figure:12.1f}" for figure in figures))
    window.close()


if __name__ == "__main__":
    main((int(sys.argv[2]), int(sys.argv[1])) if len(sys.argv) == 3 else (512, 512))
