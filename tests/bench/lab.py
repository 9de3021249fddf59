"""From a slider of the laboratory to its results: ``python -m tests.bench.lab [side]``.

First the sliders are moved by single key presses: until the new truth and observation are on
screen, and until the curves of two copies are. Then they are dragged, an event each 16 ms: the
longest time without a picture. A stall is the longest time between two beats of a timer in the
window's thread.
"""

import os
import sys
import time
from threading import Event

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QSlider

from latviz.app.benches.laboratory.window import LabWindow
from latviz.app.look.theme import LIGHT
from latviz.app.program.main import SWITCH_S, application
from latviz.app.shell.settings import Settings
from latviz.engine.benches.laboratory import Experiment, Outcome
from latviz.engine.keeping.plain import to_line
from latviz.engine.startup.compile_cache import warm_up
from tests.bench.drag import WAIT, Beats

STEPS, EVENTS, EVERY_S = 20, 120, 0.016
SIZE = (1280, 800)


class Hand:
    """Moves the sliders of a laboratory and times the results."""

    def __init__(self, app: QApplication, lab: LabWindow) -> None:
        self.app, self.lab = app, lab
        self.beats = Beats()
        self.shown: list[tuple[float, Outcome]] = []
        lab.document.outcome_changed.connect(self._note)

    def _note(self, outcome: Outcome) -> None:
        self.lab.figure.repaint()
        self.shown.append((time.perf_counter(), outcome))

    def settle(self) -> None:
        """Stop computing."""
        while self.lab.document.activity.work == "computing":
            self.lab.document.cancel()
            self.app.processEvents(WAIT)
        QTest.qWait(20)
        self.shown.clear()
        self.beats.at.clear()

    def press(self, slider: QSlider, key: Qt.Key) -> tuple[float, float, float]:
        """Return ms from a key press to the new field and to its curves, and the longest stall."""
        self.settle()
        start, field = time.perf_counter(), 0.0
        QTest.keyClick(slider, key)
        while True:
            self.app.processEvents(WAIT)
            for at, outcome in self.shown:
                if outcome.experiment == self.lab.document.value:
                    field = field or at
                    if outcome.has_curves:
                        QTest.qWait(5)
                        stall = self.beats.longest(start)
                        return 1000 * (field - start), 1000 * (at - start), stall

    def drag(self, slider: QSlider) -> tuple[float, float]:
        """Return the longest ms without a picture, and the longest stall."""
        self.settle()
        start, before = time.perf_counter(), slider.value()
        low, across = slider.minimum(), slider.maximum() - slider.minimum()
        for k in range(EVENTS):
            slider.setValue(low + round(across * (0.5 + 0.4 * np.sin(k / 15))))
            QTest.qWait(max(1, round(1000 * (start + (k + 1) * EVERY_S - time.perf_counter()))))
        gaps = np.diff([start, *(at for at, _ in self.shown)])
        stall = self.beats.longest(start)
        slider.setValue(before)
        return 1000 * float(gaps.max()), stall


def main(side: int) -> None:
    """Print a table of latencies for each slider."""
    sys.setswitchinterval(SWITCH_S)
    warm_up()
    app, settings, prepared = application(), Settings(lasting=False), Event()
    settings.keep_bench("lab", to_line(Experiment(side=side)))
    prepared.set()
    lab = LabWindow(settings, prepared, LIGHT)
    lab.resize(*SIZE)
    lab.show()
    hand = Hand(app, lab)
    while lab.document.outcome is None or not lab.document.outcome.has_curves:
        app.processEvents(WAIT)
    print(f"{side} x {side}, {STEPS} key presses and {EVENTS} events each, milliseconds")
    heads = ("field", "worst", "curves", "worst", "stall", "dragged", "stall")
    print(f"{'slider':11}" + "".join(f"{head:>8}" for head in heads))
    for name in ("noise", "region", "replicates"):
        slider = lab.controls.number(name).slider
        keys = (Qt.Key.Key_Right, Qt.Key.Key_Left)
        rows = np.array([hand.press(slider, keys[k % 10 // 5]) for k in range(STEPS)]).T
        fields, curves, stalls = rows
        medians = [np.median(fields), fields.max(), np.median(curves), curves.max(), stalls.max()]
        row = [*medians, *hand.drag(slider)]
        print(f"{name:11}" + "".join(f"{figure:8.1f}" for figure in row))
    lab.close()
    lab.document.worker.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else Experiment().side)
