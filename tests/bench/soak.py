"""Random interactions, thousands of them: ``python -m tests.bench.soak --count 10000``.

Drives the real window offscreen: sliders, encodings, images, docks, zoom, selections, pins, maps,
undo, records of a sequence file. Ends with what went wrong: exceptions, threads that are left,
growth of memory from its level after the first tenth. Memory is looked at when the same picture is
shown in the same way.
"""

import argparse
import ctypes
import gc
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, get_args

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")

from PyQt6.QtCore import QEventLoop, QPointF
from PyQt6.QtTest import QTest

from latviz.app.activity import Failure
from latviz.app.main import application, discard
from latviz.app.window import MainWindow
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture, Pictures, PictureSet
from latviz.engine.projection import Projection, ProjectionKind
from latviz.engine.selection import PairSelection, RegionSelection, StateSelection, SymbolSelection
from tests.bench.pictures import photograph

ALL_SEEN_MS = 10_000
SHAPES = ((256, 256), (120, 400), (400, 90), (37, 41), (1, 60))


class Actor(Protocol):
    """Who drives a window; ``broken`` is what failed meanwhile."""

    broken: list[Failure]

    def rest(self) -> None:
        """Bring the window into one state, always the same."""

    def act(self) -> None:
        """Do something."""

    def leave(self) -> None:
        """Close the window."""


class Person:
    """Does one thing after another, at random but from a seed."""

    def __init__(self, seed: int) -> None:
        window = MainWindow(None, "light")
        window.show()
        self._window, self._document = window, window.document
        self.broken: list[Failure] = []
        window.document.failed.connect(self.broken.append)
        self._random = random.Random(seed)
        grey, colour = photograph(512), photograph(512, colour=True)
        self._pictures: list[Pictures] = [
            Picture(np.ascontiguousarray(pixels[: shape[0], : shape[1]]), f"{shape}")
            for shape in SHAPES
            for pixels in (grey, colour)
        ]
        self._pictures.append(records())
        self._acts: list[tuple[int, Callable[[], None]]] = [
            (30, self._move_a_slider),
            (6, self._choose_an_encoding),
            (4, self._open_a_picture),
            (4, self._turn_the_page),
            (6, self._toggle_a_dock),
            (8, self._zoom),
            (8, self._undo),
            (12, self._point),
            (10, self._select),
            (3, self._pin),
            (3, self._choose_a_map),
            (3, self._display),
            (2, self._project),
            (3, self._compare),
            (1, self._change_theme),
            (1, window.restore_layout),
        ]
        self._see_all()

    def rest(self) -> None:
        """Show the first picture as the window showed it at first, until all of it is there."""
        document, window = self._document, self._window
        window.latency.set_shown(False)
        window.menus.refresh()
        window.restore_layout()
        window.preferences.choose_theme("light")
        window.comparing.let_go()
        document.select(None)
        document.unpin_all()
        document.set_display(marks="none")
        document.open(self._pictures[0], Parameters())
        document.set_projection(Projection())
        document.set_display(paths=False)
        self._settle()

    def _see_all(self) -> None:
        """Show every view for a while: what is loaded when first wanted is not growth."""
        for dock in self._window.docks.values():
            dock.show()
        self._document.open(self._pictures[1], Parameters())
        self._settle()
        QTest.qWait(ALL_SEEN_MS)

    def _settle(self) -> None:
        document = self._document
        while not (
            document.activity.work == "idle"
            and document.frame is not None
            and document.frame.n_learned == document.frame.n_signatures
        ):
            QTest.qWait(50)

    def leave(self) -> None:
        """Close the window."""
        discard(self._window)

    def act(self) -> None:
        """Do something."""
        weights = [weight for weight, _ in self._acts]
        ((_, act),) = self._random.choices(self._acts, weights)
        act()

    def _move_a_slider(self) -> None:
        controls = self._window.controls
        model = ("n_states", "window", "alpha", "smoothing")
        fields = (*model, "encoding.n_symbols", "encoding.scale")
        slider = controls[self._random.choice(fields)].slider
        for _ in range(self._random.randint(1, 4)):
            slider.setValue(self._random.randint(slider.minimum(), slider.maximum()))
            QTest.qWait(0)

    def _choose_an_encoding(self) -> None:
        name, symbols = self._random.choice(list(ENCODINGS)), self._random.randint(2, 12)
        self._document.set("Change the encoding", encoding=Encoding(name, symbols))

    def _open_a_picture(self) -> None:
        self._document.open(self._random.choice(self._pictures))

    def _turn_the_page(self) -> None:
        self._document.show_member(self._random.randrange(3))

    def _toggle_a_dock(self) -> None:
        dock = self._random.choice(list(self._window.docks.values()))
        dock.setVisible(not dock.isVisible())

    def _zoom(self) -> None:
        if self._random.random() < 0.3:
            self._window.views["states"].canvas.show_all()
        else:
            self._window.views["states"].canvas.zoom(self._random.uniform(0.4, 2.5))

    def _undo(self) -> None:
        stack = self._document.undo_stack
        self._random.choice((stack.undo, stack.redo, self._document.reset))()

    def _node(self) -> tuple[int, ...]:
        picture = self._document.picture
        shape = picture.shape if picture is not None else (1, 1)
        return tuple(map(self._random.randrange, shape))

    def _point(self) -> None:
        view = self._random.choice([self._window.views["image"], self._window.views["states"]])
        row, column = (0, *self._node())[-2:]
        canvas = view.canvas
        place = canvas.mapFromScene(canvas.box.mapViewToScene(QPointF(column + 0.5, row + 0.5)))
        QTest.mouseMove(canvas.viewport(), place)

    def _select(self) -> None:
        slot, other = self._random.randrange(8), self._random.randrange(8)
        corners = tuple((self._random.uniform(-1, 1), self._random.uniform(-1, 1)) for _ in "abcde")
        self._document.select(
            self._random.choice(
                (
                    None,
                    StateSelection(slot),
                    PairSelection(slot, other),
                    SymbolSelection(slot, other),
                    RegionSelection(corners, self._document.state.projection),
                )
            )
        )

    def _pin(self) -> None:
        if self._random.random() < 0.3:
            self._document.unpin_all()
        else:
            self._document.pin(self._node())

    def _choose_a_map(self) -> None:
        picker = self._window.docks["map"].header
        picker.setCurrentIndex(self._random.randrange(picker.count()))
        picker.activated.emit(picker.currentIndex())

    def _display(self) -> None:
        toggles = ("State borders", "Quadtree leaves", "Logarithmic A", "A as a graph")
        others = ("Latency", "Keep as A")
        self._window.menus[self._random.choice((*toggles, *others))].trigger()

    def _compare(self) -> None:
        comparing, marks = self._window.comparing, ("none", "numbers", "hatching")
        self._random.choice(
            (
                comparing.choose_next,
                comparing.flip,
                comparing.swap,
                lambda: comparing.set_divider(self._random.random()),
                lambda: self._document.set_display(marks=self._random.choice(marks)),
            )
        )()

    def _project(self) -> None:
        kind = self._random.choice(get_args(ProjectionKind))
        turn = (1.0, self._random.uniform(-1, 1), self._random.uniform(-1, 1), 0.0)
        self._document.set_projection(Projection(kind, turn=turn, camera=turn[1] > 0))
        self._document.set_display(paths=self._random.random() < 0.5)

    def _change_theme(self) -> None:
        self._window.preferences.choose_theme(self._random.choice(("light", "dark")))


def records() -> PictureSet:
    """Return three sequences of one alphabet."""
    rng, letters = np.random.default_rng(0), tuple("ACGT")
    lengths = (500, 60, 1200)
    symbols = [rng.integers(0, 4, length).astype(np.uint8) for length in lengths]
    return PictureSet(
        tuple(Picture(one, "genes", dimensions=1, alphabet=letters) for one in symbols)
    )


def resident() -> float:
    """Return the MiB in memory now, after giving back what is free."""
    gc.collect()
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def soak(make: Callable[[int], Actor], name: str, description: str | None) -> int:
    """Let someone act, and report; return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=description)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    raised: list[str] = []

    def take(*trace: Any) -> None:
        raised.append("".join(traceback.format_exception(*trace)))
        print(raised[-1], file=sys.stderr)

    sys.excepthook = take
    app, threads = application(), threading.active_count()
    actor, level, start = make(options.seed), 0.0, time.monotonic()
    actor.rest()
    for step in range(options.count):
        actor.act()
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        if step + 1 == options.count // 10:
            actor.rest()
            level = resident()
    actor.rest()
    seconds, end = time.monotonic() - start, resident()
    actor.leave()
    unexpected = [failure for failure in actor.broken if failure.details]
    growth = end / max(level, 1.0) - 1.0
    left = threading.active_count() - threads
    print(f"{options.count} interactions in {seconds:.0f} s, seed {options.seed}")
    print(f"exceptions {len(raised)}, failures with a traceback {len(unexpected)}")
    print(f"memory {level:.0f} MiB after a tenth, {end:.0f} MiB at the end: {growth:+.1%}")
    print(f"threads left {left} (the pool of kernels keeps its own)")
    for failure in unexpected[:3]:
        print(failure.details)
    return int(bool(raised or unexpected or growth > 0.05))


if __name__ == "__main__":
    sys.exit(soak(Person, "tests.bench.soak", __doc__))
