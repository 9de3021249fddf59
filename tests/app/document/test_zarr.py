"""Zarr folders in the window are opened at the level that fits."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot
from zarr.core.sync import cleanup_resources

from latviz.app.document.opening import Opener
from latviz.app.gallery import gallery
from latviz.app.program.window import MainWindow
from latviz.files import levels
from tests.core.cases import blocky
from tests.files.test_pyramids import VERSIONS, image_at

pytestmark = pytest.mark.usefixtures("few_views")


@pytest.fixture
def slide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make an image of three levels of which the second fits; then end the threads of zarr."""
    monkeypatch.setattr(levels, "QUICK", 2000)
    values = (60 * blocky((1, 1, 1, 80, 90), 4, 1, noise=0.1, block=12)).astype(np.uint8)
    yield image_at(tmp_path / "slide.zarr", values, VERSIONS["0.5"][1])
    cleanup_resources()


def drop(window: MainWindow, qtbot: QtBot, slide: Path) -> None:
    """Drop a folder on the window, and wait until it is open."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(slide))])
    assert window.parts[Opener].open_data(data)
    qtbot.waitUntil(lambda: window.document.picture is not None)
    qtbot.waitUntil(lambda: window.document.picture.name == "slide.zarr")


def test_a_folder_is_opened_at_the_level_that_fits(window, qtbot, slide, monkeypatch) -> None:
    drop(window, qtbot, slide)
    assert window.document.picture.shape == (40, 45)
    assert window.document.picture.notes == ("level 2 of 3, 1/2 of 90 × 80",)
    dropped = window.document.picture
    monkeypatch.setattr(gallery, "ask_folder", lambda *_: str(slide))
    window.menus["Open a folder"].trigger()
    qtbot.waitUntil(lambda: window.document.picture is not dropped)
    assert np.array_equal(window.document.picture.pixels, dropped.pixels)
