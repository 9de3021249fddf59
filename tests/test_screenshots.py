"""The pictures of the README and the help are those that the script draws."""

import re
from pathlib import Path

import numpy as np
from PIL import Image
from PyQt6.QtCore import QUrl
from PyQt6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from latviz.app.help import HelpDialog
from tests.screenshots import RESOURCES, SHOTS, WINDOW, merge_tree, rgb_of, write

ROOT = RESOURCES.parent
IMAGE = QTextDocument.ResourceType.ImageResource.value
MOST_BYTES = 120_000


def referred_to() -> set[str]:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (RESOURCES / "help.html").read_text(encoding="utf-8")
    return {*re.findall(r"\(resources/(\w+\.png)\)", readme), *re.findall(r'src="([^"]+)"', page)}


def test_the_script_draws_what_is_referred_to() -> None:
    assert set(SHOTS) == referred_to()
    assert set(SHOTS) == {path.name for path in RESOURCES.glob("*.png")}


def test_the_pictures_are_small_and_of_their_size() -> None:
    for name in SHOTS:
        assert (RESOURCES / name).stat().st_size < MOST_BYTES
    with Image.open(RESOURCES / "screenshot.png") as picture:
        assert picture.size == WINDOW
    page = (RESOURCES / "help.html").read_text(encoding="utf-8")
    for name, width, height in re.findall(r'src="(\S+)" width="(\d+)" height="(\d+)"', page):
        with Image.open(RESOURCES / name) as picture:
            assert picture.size == (int(width), int(height))


def test_a_picture_is_drawn_alike_each_time(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = merge_tree(), merge_tree()
    np.testing.assert_array_equal(rgb_of(first), rgb_of(second))
    write(first, tmp_path / "tree.png")
    with Image.open(tmp_path / "tree.png") as written:
        off = np.abs(np.asarray(written.convert("RGB"), int) - rgb_of(first))
    assert off.max() <= 64  # of a few pixels at edges
    assert off.mean() < 0.5


def test_the_help_shows_its_pictures(qtbot: QtBot) -> None:
    dialog = HelpDialog([], [])
    qtbot.addWidget(dialog)
    dialog.show()
    page = (RESOURCES / "help.html").read_text(encoding="utf-8")
    for name in re.findall(r'src="([^"]+)"', page):
        image = dialog.browser.loadResource(IMAGE, QUrl(name))
        assert len(image) == (RESOURCES / name).stat().st_size
