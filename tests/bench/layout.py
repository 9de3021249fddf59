"""The room of the pictures in a window, with any dock open: ``python -m tests.bench.layout``.

A robot enters every tab, opens every dock that has no place there, one after the other, and resizes
the window in between. Each time it measures the room of the pictures, overlapping docks and cut
texts. It prints a line for each tab and size, and each fault.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PyQt6.QtCore import QPoint, QRect, qInstallMessageHandler
from PyQt6.QtWidgets import QApplication, QWidget
from skimage import data

from latviz.app.docking.docks import Docks
from latviz.app.docking.stage import FLOOR, PICTURES
from latviz.app.docking.uses import USES
from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture
from tests.app.looking import cut_texts

SIZES = ((1920, 1080), (1280, 800), (1024, 700), (960, 540))
Opened = tuple[Picture, Parameters | None]


def _part(name: str, rows: slice, columns: slice) -> Callable[[], Opened]:
    pixels = np.ascontiguousarray(data.astronaut()[rows, columns])
    return lambda: (Picture(pixels, f"{name}.png"), None)


KINDS: dict[str, Callable[[], Opened]] = {
    "usual": lambda: make_picture("blobs"),
    "wide": _part("wide", slice(60, 140), slice(None)),
    "tall": _part("tall", slice(None), slice(180, 260)),
    "tiny": _part("tiny", slice(100, 105), slice(220, 227)),
    "sequence": lambda: make_picture("protein"),
    "volume": lambda: make_picture("volume"),
}
"""Makers of each kind of picture, with the parameters that suit it."""


@contextmanager
def opened(theme: str) -> Iterator[MainWindow]:
    application()
    window = MainWindow(theme=theme, use=USES[0].name, patient=True)
    try:
        window.show()
        yield window
    finally:
        discard(window)


@dataclass(frozen=True)
class Measured:
    tab: str
    size: tuple[int, int]
    width: float  # the least share of the window's width that pictures had
    height: float
    faults: tuple[str, ...]

    def __str__(self) -> str:
        size = f"{self.size[0]} x {self.size[1]}"
        return f"{self.tab:9} {size:11} pictures {self.width:5.1%} x {self.height:5.1%}"


def places(window: MainWindow) -> dict[str, QRect]:
    """Return where the docks on screen are in the window, as far as the drawer shows them."""
    found = {}
    for name, dock in window.parts[Docks].items():
        place = QRect(dock.mapTo(window, QPoint()), dock.size())
        holder = dock.parentWidget()
        while isinstance(holder, QWidget) and holder is not window:
            place &= QRect(holder.mapTo(window, QPoint()), holder.size())
            holder = holder.parentWidget()
        if dock.isVisible():
            found[name] = place
    return found


def of_pictures(window: MainWindow) -> tuple[float, float]:
    """Return the shares of the window's width and height that its pictures have together."""
    room = QRect()
    for name, place in places(window).items():
        room |= place if name in PICTURES else QRect()
    return room.width() / window.width(), room.height() / window.height()


def faults(window: MainWindow) -> Iterator[str]:
    """Yield a line for docks that overlap or leave the window, cut texts, and little room."""
    found = places(window)
    for (one, here), (other, there) in combinations(found.items(), 2):
        if here.intersects(there):
            yield f"{one} and {other} overlap"
    yield from (f"{n} leaves the window" for n, p in found.items() if not window.rect().contains(p))
    yield from cut_texts(window)
    shares = of_pictures(window)
    for side, share, floor in zip(("width", "height"), shares, FLOOR, strict=True):
        if share < floor:
            yield f"pictures have {share:.1%} of the {side}"


def measure(window: MainWindow, tab: str, sizes: Sequence[tuple[int, int]]) -> Iterator[Measured]:
    """Open everything in a tab, in each of the sizes and with all others between."""
    window.tabs.enter(tab)
    window.tabs.restore_default()
    stage = window.tabs.stage
    closed = [name for name in window.parts[Docks] if not stage.is_open(name)]
    for k, size in enumerate(sizes):
        shares, found = [], list[str]()
        for name in ("", *closed):
            if name:
                stage.open_dock(name)
                window.resize(*sizes[k - 1])
                QApplication.processEvents()
            window.resize(*size)
            for _ in range(4):
                QApplication.processEvents()
            shares.append(of_pictures(window))
            found += [f"{tab}, {size}, {name}: {fault}" for fault in faults(window)]
        yield Measured(tab, size, *np.min(shares, axis=0), tuple(dict.fromkeys(found)))
        for name in closed:
            stage.close_dock(name)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.layout", description=__doc__)
    names = [use.name for use in USES]
    parser.add_argument("--kind", choices=KINDS, default="usual")
    parser.add_argument("--tabs", nargs="+", choices=names, default=names)
    parser.add_argument("--theme", default="light")
    asked = parser.parse_args()
    qInstallMessageHandler(lambda *_: None)
    every = list[str]()
    with opened(asked.theme) as window:
        window.document.open(*KINDS[asked.kind]())
        for tab in asked.tabs:
            for found in measure(window, tab, SIZES):
                print(found, flush=True)
                every += found.faults
    print(*every, f"{len(every)} faults", sep="\n")
    return int(bool(every))


if __name__ == "__main__":
    sys.exit(main())
