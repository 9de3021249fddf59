"""Random interactions with the laboratory: ``python -m tests.bench.soak_lab --count 1000``.

Drives its window offscreen: sliders and boxes, the cursor, zoom and pointer, themes, stopping and
going on, closing and opening again. Ends with what `tests.bench.soak` tells.
"""

import random
import sys
from collections.abc import Callable
from threading import Event

from PyQt6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PyQt6.QtTest import QTest

from latviz.app.activity import Failure
from latviz.app.laboratory.window import LabWindow
from latviz.app.settings import Settings
from latviz.app.theme import DARK, LIGHT
from latviz.engine.compile_cache import warm_up
from latviz.engine.laboratory import Experiment
from tests.bench.soak import soak

START = Experiment(replicates=20)
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home)


class Experimenter:
    """Does one thing after another, at random but from a seed."""

    def __init__(self, seed: int) -> None:
        warm_up()
        self._random = random.Random(seed)
        self._settings, self._prepared = Settings(lasting=False), Event()
        self._settings.lab = START.to_json()
        self._prepared.set()
        self.broken: list[Failure] = []
        self._lab = self._open()
        self._acts: list[tuple[int, Callable[[], None]]] = [
            (40, self._drag),
            (10, self._choose),
            (15, self._press_a_key),
            (8, self._point),
            (6, self._zoom),
            (4, self._wait),
            (3, self._stop_or_go_on),
            (2, self._change_theme),
            (2, self._resize),
            (1, self._open_again),
        ]

    def _open(self) -> LabWindow:
        lab = LabWindow(self._settings, self._prepared, LIGHT)
        lab.document.failed.connect(self.broken.append)
        lab.show()
        return lab

    def rest(self) -> None:
        """Show the first experiment until all of it is there."""
        document = self._lab.document
        document.set(**vars(START))
        document.refine()
        while document.activity.work != "idle":
            QTest.qWait(20)

    def act(self) -> None:
        """Do something."""
        weights = [weight for weight, _ in self._acts]
        ((_, act),) = self._random.choices(self._acts, weights)
        act()

    def leave(self) -> None:
        """Close the window."""
        self._lab.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _drag(self) -> None:
        controls = self._lab.controls
        names = ("noise", "deviation", "region", "replicates", "n_states", "window_")
        slider = getattr(controls, self._random.choice(names)).slider
        for _ in range(self._random.randint(1, 6)):
            slider.setValue(self._random.randint(slider.minimum(), slider.maximum()))
            QTest.qWait(self._random.randint(0, 12))

    def _choose(self) -> None:
        controls = self._lab.controls
        boxes = (controls.field, controls.side, controls.noise_kind, controls.codebook)
        box = self._random.choice(boxes)
        box.setCurrentIndex(self._random.randrange(box.count()))
        box.activated.emit(box.currentIndex())

    def _press_a_key(self) -> None:
        widget = self._random.choice((self._lab.curves, self._lab.maps.bias.canvas))
        QTest.keyClick(widget, self._random.choice(KEYS))

    def _point(self) -> None:
        view = self._random.choice(self._lab.maps.panels).canvas.viewport()
        x, y = self._random.randrange(view.width()), self._random.randrange(view.height())
        QTest.mouseMove(view, QPoint(x, y))

    def _zoom(self) -> None:
        self._lab.maps.truth.canvas.zoom(self._random.uniform(0.4, 2.5))

    def _wait(self) -> None:
        QTest.qWait(self._random.randint(50, 300))

    def _stop_or_go_on(self) -> None:
        document = self._lab.document
        self._random.choice((document.cancel, document.refine, document.reset))()

    def _change_theme(self) -> None:
        self._lab.apply_theme(self._random.choice((LIGHT, DARK)))

    def _resize(self) -> None:
        self._lab.resize(self._random.randint(700, 1900), self._random.randint(500, 1000))

    def _open_again(self) -> None:
        self.leave()
        self._lab = self._open()


if __name__ == "__main__":
    sys.exit(soak(Experimenter, "tests.bench.soak_lab", __doc__))
