"""Pictures of every tab with every kind of picture: ``python -m tests.bench.tabs FOLDER``.

Opens pictures of all shapes, enters each tab in windows of both sizes and in both themes, grabs it
once it is idle, and reports cut texts. ``sheet-*.png`` shows all tabs of one kind of picture.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PIL import Image
from PyQt6.QtCore import qInstallMessageHandler
from skimage import data

from latviz.app.docking.uses import COMPARE, USES
from latviz.app.exporting.drawing import image_of
from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture
from tests.bench.looking import THEMES, come_to_rest, cut_texts, sheet
from tests.screenshots import rgb_of

SIZES = ((1280, 800), (1920, 1080))
IN_SHEET = 960
"""Pixels that a picture is wide in a sheet."""
Opened = tuple[Picture, Parameters | None]


def _photograph(rows: slice, columns: slice, name: str) -> Opened:
    """Return a part of a photograph in colour."""
    return Picture(np.ascontiguousarray(data.astronaut()[rows, columns]), name), None


KINDS: dict[str, Callable[[], Opened]] = {
    "usual": lambda: make_picture("blobs"),
    "wide": lambda: _photograph(slice(60, 140), slice(None), "wide.png"),
    "tall": lambda: _photograph(slice(None), slice(180, 260), "tall.png"),
    "tiny": lambda: _photograph(slice(100, 105), slice(220, 227), "tiny.png"),
    "sequence": lambda: make_picture("protein"),
    "volume": lambda: make_picture("volume"),
}
"""Makers of each kind of picture, with the parameters that suit it."""


@contextmanager
def opened(theme: str) -> Iterator[MainWindow]:
    """Show a window in its first tab."""
    application()
    window = MainWindow(theme=theme, use=USES[0].name, patient=True)
    try:
        window.show()
        yield window
    finally:
        discard(window)


def run(
    folder: Path, kinds: Sequence[str], tabs: Sequence[str], themes: Sequence[str]
) -> list[str]:
    """Go through kinds, sizes and tabs; return a line for each text that is cut."""
    found = []
    for theme in themes:
        with opened(theme) as window:
            for kind in kinds:
                window.document.open(*KINDS[kind]())
                for size in SIZES:
                    paths = []
                    window.resize(*size)
                    for tab in tabs:
                        name = f"{kind}-{tab}-{size[0]}-{theme}"
                        path = folder / f"{name}.png"
                        found += [f"{name}: {fault}" for fault in _grab(window, tab, path)]
                        paths.append(path)
                    rows = [paths[k : k + 2] for k in range(0, len(paths), 2)]
                    sheet(rows, size[0] / IN_SHEET, folder / f"sheet-{kind}-{size[0]}-{theme}.png")
    return found


def _grab(window: MainWindow, tab: str, path: Path) -> Iterator[str]:
    """Enter a tab, write its picture once it is idle, and yield its faults."""
    document = window.document
    window.tabs.enter(tab)
    window.tabs.restore_default()
    come_to_rest(window)
    if tab == COMPARE:
        document.freeze(True)
        document.set("Change w", window=document.parameters.window + 2)
        come_to_rest(window)
    window.status.refreshed.hide()
    Image.fromarray(rgb_of(image_of(window))).save(path)
    print(path.stem, flush=True)
    yield from list(cut_texts(window))
    if tab == COMPARE:
        document.set("Change w", window=document.parameters.window - 2)
        document.freeze(False)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tabs", description=__doc__)
    names = [use.name for use in USES]
    parser.add_argument("folder", type=Path, help="where pictures are written")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--tabs", nargs="+", choices=names, default=names)
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    qInstallMessageHandler(lambda *_: None)
    found = run(asked.folder, asked.kinds, asked.tabs, asked.themes)
    print(*found, f"{len(found)} texts are cut", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
