"""Pictures to advise on: the program's own, fields of known states, photographs, other files."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import skimage
from sklearn.datasets import load_sample_image

from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture, read_work
from tests.bench.advice import FIELDS, pictures_of

MOST = 160
"""Pixels of the longer side of a photograph that is opened smaller, so that tries are quick."""
FAMILIES = [one for some in FIELDS.values() for one in some if not one.startswith("set")]
PHOTOGRAPHS = (
    *("coffee", "camera", "astronaut", "coins", "chelsea", "brick", "rocket"),
    *("china.jpg", "flower.jpg"),
)
Opened = tuple[Picture, Parameters | None]


def field(family: str, rng: np.random.Generator) -> Opened:
    """Return a field of known states, whose number is in the name of the family."""
    pictures, truth = pictures_of(family, int(rng.integers(1 << 30)))
    return replace(pictures.picture, truth=truth.astype(np.uint8)), None


def photograph(name: str, most: int = MOST) -> Opened:
    pixels = load_sample_image(name) if "." in name else getattr(skimage.data, name)()
    step = -(-max(pixels.shape[:2]) // most)
    return Picture(np.ascontiguousarray(pixels[::step, ::step]), name), None


def _file(folder: Path, name: str, text: str) -> Opened:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    pictures, session = read_work(path)
    return pictures.picture, session.shown.parameters


def _sequence(folder: Path, rng: np.random.Generator) -> Opened:
    """Return letters in runs of four kinds, each rich in one of them."""
    kinds = np.repeat(rng.integers(0, 4, 40), rng.integers(20, 90, 40))
    letters = np.where(rng.random(kinds.size) < 0.55, kinds, rng.integers(0, 4, kinds.size))
    return _file(folder, "runs.fa", ">runs\n" + "".join("ACGT"[k] for k in letters) + "\n")


def _table(folder: Path, rng: np.random.Generator) -> Opened:
    values = np.arange(60) // 10 % 2 + rng.logistic(0, 0.3, (48, 60))
    rows = (",".join(f"{value:.3f}" for value in row) for row in values)
    return _file(folder, "table.csv", "\n".join(rows) + "\n")


def makers(folder: Path, rng: np.random.Generator) -> dict[str, Callable[[], Opened]]:
    tiny, flat = rng.integers(0, 256, (5, 7)).astype(np.uint8), np.full((40, 50, 3), 90, np.uint8)
    return {
        **{name: partial(make_picture, name) for name in DEMO_TITLES},
        **{family: partial(field, family, rng) for family in FAMILIES},
        **{name: partial(photograph, name) for name in PHOTOGRAPHS},
        "sequence": partial(_sequence, folder, rng),
        "table": partial(_table, folder, rng),
        "tiny": lambda: (Picture(tiny, "tiny"), None),
        "one colour": lambda: (Picture(flat, "one colour"), None),
    }
