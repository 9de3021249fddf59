"""The pictures of the README and the manual equal the script's drawings."""

import os
import re
from pathlib import Path

import numpy as np
from PIL import Image
from PyQt6.QtCore import QUrl
from PyQt6.QtGui import QImage, QTextDocument
from pytestqt.qtbot import QtBot

from latviz.app.help.help_dialog import WIDEST, HelpDialog
from tests.screenshots import FILM, HELP, ROOT, WINDOW, merge_tree, rgb_of, shots, write

IMAGE = QTextDocument.ResourceType.ImageResource.value
MOST_BYTES = 130_000
PICTURE = re.compile(r"\]\(([\w/.]+\.png)\)")


def referred_to() -> set[str]:
    pages = [ROOT / "README.md", *HELP.rglob("*.md")]
    found = ((page, name) for page in pages for name in PICTURE.findall(page.read_text("utf-8")))
    all_ = {os.path.relpath(page.parent / name, HELP) for page, name in found}
    return {name for name in all_ if not name.startswith("examples/")}  # examples draw these


def test_the_script_draws_what_is_referred_to() -> None:
    assert set(shots()) == referred_to()


def test_the_pictures_are_small_and_of_their_size() -> None:
    for name, shot in shots().items():
        assert (HELP / name).stat().st_size < MOST_BYTES
        with Image.open(HELP / name) as picture:
            assert picture.size == shot.size


def test_the_film_takes_ten_seconds() -> None:
    assert FILM.stat().st_size < 1_000_000
    assert f"({FILM.relative_to(ROOT)})" in (ROOT / "README.md").read_text(encoding="utf-8")
    with Image.open(FILM) as film:
        assert film.size == WINDOW
        times = []
        for k in range(film.n_frames):
            film.seek(k)
            times.append(film.info["duration"])
    assert 9_000 <= sum(times) <= 11_000


def test_a_picture_is_drawn_alike_each_time(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = merge_tree(), merge_tree()
    np.testing.assert_array_equal(rgb_of(first), rgb_of(second))
    write(first, tmp_path / "tree.png")
    with Image.open(tmp_path / "tree.png") as written:
        off = np.abs(np.asarray(written.convert("RGB"), int) - rgb_of(first))
    assert off.max() <= 96  # of a few pixels at edges
    assert off.mean() < 0.5


def test_the_manual_shows_its_pictures(qtbot: QtBot) -> None:
    dialog = HelpDialog([])
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_page("index.md")
    for name, (_, (width, height)) in shots().items():
        image = dialog.browser.loadResource(IMAGE, QUrl(name))
        assert isinstance(image, QImage)
        assert image.width() == min(width, WIDEST)
        assert abs(image.height() - height * image.width() / width) < 1
