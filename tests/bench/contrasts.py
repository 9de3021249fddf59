"""``python -m tests.bench.contrasts [--seeds K]``: regions of collages whose truth is known.

Shapes are filled with parts of photographs, with textures of one histogram, or with shaded colours.
Each method has one setting for all; that of contrast was chosen on the families that "chosen on"
marks, with other seeds. Cells: adjusted Rand index / covering, and a standard error of the first.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage import graph
from skimage.segmentation import felzenszwalb, slic
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from latviz.core import (
    Encoding,
    GaussianModel,
    contrast_regions,
    encode,
    regions,
    sample_blobs,
    sample_voronoi,
)
from latviz.core.types import States
from tests.bench.cases import TEXTURES, picture

Image = NDArray[np.uint8]
SIDES = 192, 256, 384
CHOSEN_ON = "astronaut", "coffee", "immunohistochemistry", "retina"
OTHERS = "chelsea", "rocket", "hubble_deep_field", "china", "flower"
SCALES, THRESHOLDS = (100, 300, 1000), (10, 20, 40)
"""Of Felzenszwalb, and of merged superpixels."""


def part_of(image: Image, side: int, rng: np.random.Generator) -> Image:
    """Return a square part at a random place, repeated beyond the image."""
    top, left = (rng.integers(0, max(1, length - side + 1)) for length in image.shape[:2])
    part = image[top : top + side, left : left + side]
    missing = [(0, side - length) for length in part.shape[:2]] + [(0, 0)] * (image.ndim - 2)
    return np.pad(part, missing, mode="reflect")


def shapes(n: int, side: int, seed: int) -> States:
    if seed % 2:
        return sample_voronoi((side, side), n_regions=3 * n, n_states=n, random_state=seed)
    return sample_blobs((side, side), n_states=n, scale=side / 9, random_state=seed)


def equalized(image: Image) -> Image:
    """Return an image in which every grey value occurs equally often."""
    ranks = image.ravel().argsort(kind="stable").argsort(kind="stable")
    return np.asarray((256 * ranks // ranks.size).reshape(image.shape), dtype=np.uint8)


def filled(truth: States, parts: list[Any]) -> Image:
    """Return an image that shows one part in each kind."""
    kinds = truth if parts[0].ndim == 2 else truth[..., None]
    return np.clip(np.choose(kinds, parts), 0, 255).astype(np.uint8)


def of_photographs(names: tuple[str, ...], side: int, seed: int) -> tuple[Image, States]:
    rng, truth = np.random.default_rng(seed), shapes(4, side, seed)
    some = rng.choice(names, 4, replace=False)
    return filled(truth, [part_of(picture(name), side, rng) for name in some]), truth


def of_textures(n: int, tinted: bool, side: int, seed: int) -> tuple[Image, States]:
    """Return n textures, turned, of one histogram, in colour if tinted."""
    rng, truth, parts = np.random.default_rng(seed), shapes(n, side, seed), []
    for k in range(n):
        part = part_of(np.rot90(picture(TEXTURES[k % 3]), k // 3), side, rng)
        grey = 60 + equalized(part) * (160 / 255)
        parts.append(grey[..., None] * rng.uniform(0.8, 1.0, 3) if tinted else grey)
    return filled(truth, parts), truth


def shaded(side: int, seed: int) -> tuple[Image, States]:
    """Return five colours under light that changes from corner to corner, with noise."""
    rng, truth = np.random.default_rng(seed), shapes(5, side, seed)
    light = 0.75 + 0.25 * np.indices((side, side)).sum(axis=0) / side
    colors = rng.uniform(50, 200, (5, 3))[truth] * light[..., None]
    soft = ndimage.gaussian_filter(colors, (1, 1, 0)) + rng.normal(0, 12, colors.shape)
    return np.clip(soft, 0, 255).astype(np.uint8), truth


def scene(side: int, seed: int) -> tuple[Image, States]:
    """Return sky over textured ground, and lit ellipses, some with a photograph, with shadows."""
    rng, (y, x) = np.random.default_rng(seed), np.mgrid[:side, :side] / side
    ground = picture(TEXTURES[seed % 3]).astype(float)
    texture = (part_of(ground, side, rng) - ground.mean()) * rng.uniform(0.3, 1.0)
    is_ground = y > rng.uniform(0.3, 0.6) + 0.05 * np.sin(x * rng.uniform(2, 8))
    colors = rng.uniform(60, 190, (2, 3))[is_ground.astype(int)]
    image = colors + (texture * is_ground + (y - 0.5) * rng.uniform(-90, 90))[..., None]
    truth = is_ground.astype(np.uint8)
    for k in range(2, 2 + rng.integers(2, 6)):
        across, down = rng.uniform(0.06, 0.2, 2)
        u, v = (x - rng.uniform(0.1, 0.9)) / across, (y - rng.uniform(0.2, 0.9)) / down
        inside = np.abs(u) ** 2 + np.abs(v) ** 2 < 1.0
        shadow = np.roll(inside, (side // 50, side // 33), (0, 1)) & ~inside
        image[shadow] *= 0.6
        own = rng.uniform(30, 220, 3) * np.ones((side, side, 1))
        if k % 2:
            own = 0.4 * own + 0.6 * part_of(picture(OTHERS[seed % 5]), side, rng)
        image[inside] = (own * (0.75 + 0.3 * (v - u) / 2)[..., None])[inside]
        truth[inside] = k
    soft = ndimage.gaussian_filter(image, (0.7, 0.7, 0)) + rng.normal(0, 4, image.shape)
    return np.clip(soft, 0, 255).astype(np.uint8), truth


FAMILIES: dict[str, Callable[[int, int], tuple[Image, States]]] = {
    "four photographs, chosen on": lambda side, seed: of_photographs(CHOSEN_ON, side, seed),
    "five tinted textures, chosen on": lambda side, seed: of_textures(5, True, side, seed),
    "four other photographs": lambda side, seed: of_photographs(OTHERS, side, seed),
    "three grey textures": lambda side, seed: of_textures(3, False, side, seed),
    "five shaded colours": shaded,
    "scenes": scene,
}


def labelled(image: Image) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "contrast", contrast_regions(image).labels
    values = encode(image, Encoding("lab" if image.ndim == 3 else "grey")).values
    model = GaussianModel.fit(values, n_states=4, window=7)
    for name, decoder in (("components", "nearest"), ("by belief", "belief")):
        states = model.decode(values, decoder=decoder)
        first = regions(values, states=states, kind="gaussian")
        yield name, first.labels
        if decoder == "nearest":
            yield "by evidence", first.merged(least_size=225, least_evidence=1000.0).labels
    for scale in SCALES:
        yield f"Felzenszwalb {scale}", felzenszwalb(image, scale, sigma=0.8, min_size=20)
    colors = image if image.ndim == 3 else np.repeat(image[..., None], 3, axis=-1)
    fine = slic(colors, 400, start_label=0)
    for threshold in THRESHOLDS:
        around = graph.rag_mean_color(colors, fine)
        yield f"SLIC, merged {threshold}", graph.cut_threshold(fine, around, threshold)


def scores(found: NDArray[Any], truth: NDArray[Any]) -> tuple[float, float]:
    """Return the adjusted Rand index, and the best intersection over union of true regions."""
    table = contingency_matrix(truth.ravel(), found.ravel()).astype(float)
    areas, others = table.sum(axis=1), table.sum(axis=0)
    shared = table / (areas[:, None] + others - table)
    covering = float((shared.max(axis=1) * areas).sum() / areas.sum())
    return adjusted_rand_score(truth.ravel(), found.ravel()), covering


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.contrasts", description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    options = parser.parse_args()
    for family, make in FAMILIES.items():
        found: dict[str, list[tuple[float, float]]] = {}
        start = time.perf_counter()
        for k in range(options.seeds):
            image, kinds = make(SIDES[k % len(SIDES)], 5000 + k)
            truth = regions(kinds, states=kinds).labels
            for name, labels in labelled(image):
                found.setdefault(name, []).append(scores(labels, truth))
        print(f"{family} ({time.perf_counter() - start:.0f} s)")
        for name, each in found.items():
            rand, cover = np.mean(each, axis=0)
            error = np.std([one[0] for one in each], ddof=1) / np.sqrt(len(each))
            print(f"    {name:18} {rand:.3f} / {cover:.3f}  ({error:.3f})", flush=True)


if __name__ == "__main__":
    main()
