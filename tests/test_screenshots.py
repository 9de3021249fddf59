"""The pictures of the README and the manual equal the script's drawings."""

import re
from pathlib import Path

import numpy as np
from PIL import Image
from PyQt6.QtCore import QUrl
from PyQt6.QtGui import QImage, QTextDocument
from pytestqt.qtbot import QtBot

from latviz.app.help.help_dialog import WIDEST, HelpDialog
from tests.screenshots import (
    BENCH,
    FILM,
    HIGH,
    PICTURES,
    ROOT,
    SHOTS,
    STEPS,
    VIEW,
    WIDE,
    WINDOW,
    merge_tree,
    rgb_of,
    write,
)

HELP = PICTURES.parent
IMAGE = QTextDocument.ResourceType.ImageResource.value
MOST_BYTES = 130_000
SIZES = {
    "screenshot.png": WINDOW,
    "explore.png": WINDOW,
    "lesson.png": WINDOW,
    "signature.png": STEPS,
    "simplex.png": VIEW,
    "comparison.png": HIGH,
    "belief.png": HIGH,
    "leaves.png": WINDOW,
    "scribbles.png": WINDOW,
    "tree.png": VIEW,
    "tradeoff.png": WIDE,
    "lab.png": BENCH,
    "drawn.png": BENCH,
    "playground.png": BENCH,
}


def referred_to() -> set[str]:
    pages = [ROOT / "README.md", *HELP.rglob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    return set(re.findall(r"pictures/(\w+\.png)\)", text))


def test_the_script_draws_what_is_referred_to() -> None:
    assert set(SHOTS) == referred_to()
    assert set(SHOTS) == {path.name for path in PICTURES.glob("*.png")}


def test_the_pictures_are_small_and_of_their_size() -> None:
    assert SIZES.keys() == SHOTS.keys()
    for name, size in SIZES.items():
        assert (PICTURES / name).stat().st_size < MOST_BYTES
        with Image.open(PICTURES / name) as picture:
            assert picture.size == size


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
    for name, (width, height) in SIZES.items():
        image = dialog.browser.loadResource(IMAGE, QUrl(f"pictures/{name}"))
        assert isinstance(image, QImage)
        assert image.width() == min(width, WIDEST)
        assert abs(image.height() - height * image.width() / width) < 1
