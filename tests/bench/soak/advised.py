"""Pictures to advise on: the program's own, fields of known states, photographs, other files."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import scipy
import skimage
from numpy.typing import NDArray
from sklearn.datasets import load_sample_image

from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture, read_work

SIDE = 72
MOST = 160
"""Pixels of the longer side of a photograph that is opened smaller, so that tries are quick."""
GEOMETRIES = ("rings2", "rings3", "plaid3", "veins2", "wedges4", "sectors3", "balls2", "none")
LAWS = ("triangular", "logistic", "lognormal", "arcsine", "poisson")
PHOTOGRAPHS = (
    *("coffee", "camera", "astronaut", "coins", "chelsea", "brick", "rocket"),
    *("china.jpg", "flower.jpg"),
)
Opened = tuple[Picture, Parameters | None]


def field(geometry: str, law: str, rng: np.random.Generator) -> Opened:
    """Return a field of known states, whose last digit is their number, under noise of a law."""
    # No threshold of the adviser was set on these families
    kind, n = geometry.rstrip("0123456789"), int(geometry[-1]) if geometry[-1].isdigit() else 1
    shape = (12, 32, 32) if kind == "balls" else (SIDE, SIDE)
    states = _states(kind, n, shape, rng)
    z = {
        "triangular": lambda: rng.triangular(-1.1, 0, 1.1, shape),
        "logistic": lambda: rng.logistic(0, 0.25, shape),
        "lognormal": lambda: 0.3 * rng.lognormal(0, 0.7, shape),
        "arcsine": lambda: 0.6 * np.cos(rng.uniform(0, np.pi, shape)),
        "poisson": lambda: 0.2 * rng.poisson(2, shape),
    }[law]()
    pixels, truth = (states + z).astype(np.float32), states.astype(np.uint8)
    return Picture(pixels, f"{geometry} {law}", truth=truth, dimensions=len(shape)), None


def _states(kind: str, n: int, shape: Sequence[int], rng: np.random.Generator) -> NDArray[np.intp]:
    grids = np.meshgrid(*(np.arange(side) - side / 2 for side in shape), indexing="ij")
    y, x = grids[-2:]
    width = rng.uniform(8, 14)
    if kind == "rings":
        return (np.hypot(y + rng.uniform(-9, 9), x) // width).astype(int) % n
    if kind == "plaid":
        return ((y // width).astype(int) % 2) + ((x // width).astype(int) % (n - 1))
    if kind == "wedges":
        return (np.abs(x // width).astype(int) + np.abs((x + y) // (2 * width)).astype(int)) % n
    if kind == "sectors":
        return (np.floor((np.arctan2(y, x) + rng.uniform(0, 3)) * 3 / np.pi).astype(int)) % n
    if kind == "veins":
        smooth = scipy.ndimage.gaussian_filter(rng.normal(size=shape), 9.0)
        return (np.abs(smooth) < np.quantile(np.abs(smooth), 0.35)).astype(int)
    if kind == "balls":
        centres = rng.uniform(-1, 1, (6, 3)) * np.array(shape) / 2
        far = [sum((g - c) ** 2 for g, c in zip(grids, one, strict=True)) for one in centres]
        return (np.min(far, axis=0) < 49).astype(int)
    return np.zeros(shape, int)


def photograph(name: str, most: int = MOST) -> Opened:
    """Return a photograph of scikit-image or scikit-learn, smaller."""
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
    values = _states("rings", 2, (48, 60), rng) + rng.logistic(0, 0.3, (48, 60))
    rows = (",".join(f"{value:.3f}" for value in row) for row in values)
    return _file(folder, "table.csv", "\n".join(rows) + "\n")


def makers(folder: Path, rng: np.random.Generator) -> dict[str, Callable[[], Opened]]:
    """Return what makes each picture, by name."""
    tiny, flat = rng.integers(0, 256, (5, 7)).astype(np.uint8), np.full((40, 50, 3), 90, np.uint8)
    return {
        **{name: partial(make_picture, name) for name in DEMO_TITLES},
        **{f"{one} {law}": partial(field, one, law, rng) for one in GEOMETRIES for law in LAWS},
        **{name: partial(photograph, name) for name in PHOTOGRAPHS},
        "sequence": partial(_sequence, folder, rng),
        "table": partial(_table, folder, rng),
        "tiny": lambda: (Picture(tiny, "tiny"), None),
        "one colour": lambda: (Picture(flat, "one colour"), None),
    }
