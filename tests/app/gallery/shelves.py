"""Shelves of a small folder, for tests."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import Gallery
from latviz.app.program.window import MainWindow
from latviz.core.data.encoding import Encoding
from latviz.engine.pictures.shelf import Shelf
from tests.app.conftest import begin_anew, settle

LEFT = Qt.MouseButton.LeftButton
N_FILES = 7
BROKEN = 3
"""The place of the file that is none."""
ALL = [f"scan {k + 1}.png" for k in range(N_FILES)]
READABLE = tuple(k for k in range(N_FILES) if k != BROKEN)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of six small grey images with labels, and a file that is none among them."""
    rng = np.random.default_rng(5)
    place = tmp_path / "scans"
    (place / "labels").mkdir(parents=True)
    for k in range(N_FILES):
        shape = 24 + 2 * k, 40
        labels = (np.arange(40) >= 12 + 2 * k).astype(np.uint8) * np.ones(shape, np.uint8)
        grey = np.where(labels, 170, 80) + rng.normal(0, 12 + 6 * k, shape)
        path = place / f"scan {k + 1}.png"
        Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(path)
        Image.fromarray(labels).save(place / "labels" / path.name)
    (place / f"scan {BROKEN + 1}.png").write_bytes(b"no image")
    return place


def set_up(window: MainWindow) -> None:
    window.document.set("M", encoding=Encoding("quantiles", 3), n_states=2, window=2)
    window.document.keep_settings(True)


def open_folder(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    window.parts[Opener].open_file(str(folder))
    wait_for_shelf(window, qtbot)


def open_anew(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    begin_anew(qtbot, window)
    set_up(window)
    open_folder(window, folder, qtbot)


def wait_for_shelf(window: MainWindow, qtbot: QtBot) -> Shelf:
    qtbot.waitUntil(lambda: window.document.state.shelf is not None)
    settle(qtbot, window)
    shelf = window.document.state.shelf
    assert shelf is not None
    return shelf


def names(shelf: Shelf | None) -> list[str]:
    return [entry.name for entry in shelf.entries]


def shelf_of(window: MainWindow) -> Shelf:
    assert window.document.state.shelf is not None
    return window.document.state.shelf


def show(window: MainWindow, qtbot: QtBot, index: int) -> None:
    window.parts[Gallery].show(index)
    wait_until_shown(window, qtbot, index)


def tick(window: MainWindow, qtbot: QtBot, *places: int) -> None:
    window.parts[Gallery].tick(places)
    wait_until_ticked(window, qtbot, places)


def wait_until_ticked(window: MainWindow, qtbot: QtBot, places: tuple[int, ...]) -> None:
    qtbot.waitUntil(lambda: shelf_of(window).ticked == places)


def wait_until_shown(window: MainWindow, qtbot: QtBot, index: int) -> None:
    qtbot.waitUntil(lambda: shelf_of(window).shown == index)
    settle(qtbot, window)
