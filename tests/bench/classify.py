"""``python -m tests.bench.classify FOLDER``: accuracy over 1 to 20 images a class.

Settings are chosen on two families of classes and reported on four others, which had no say in
them. In each repetition every method learns from the same images and is asked of the same others:
crops of the other half of a photograph, other faces, or fields of other seeds. FOLDER gets the
accuracies of all repetitions (``classes.json``) and the plot (``classes.svg``); with ``--write``
the manual's page on classification gets its tables and its picture. ``--choose`` prints how all
settings do on the two families that choose.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from latviz.core import LatticeClassifier, emit, sample_potts
from latviz.core.data.color import luma
from tests.bench.cases import TEXTURES, picture
from tests.bench.classify_plot import panels
from tests.bench.harness import peer
from tests.bench.page import HELP, with_tables

Image = NDArray[np.uint8]
Classes = list[list[Image]]
Family = Callable[[int, int, np.random.Generator], Classes]
"""Returns n images of each class, to learn from (0) or to test with (1)."""
Labels = NDArray[np.int64]
Method = Callable[[list[Image], Labels, list[Image]], NDArray[Any]]
"""Learns from images and labels, and returns the labels of others."""

SIDE, N_TEST = 64, 12
SIZES = (1, 2, 5, 10, 20)
REPETITIONS = 8
PHOTOGRAPHS = ("astronaut", "camera", "coins", "moon", "page", "rocket", "chelsea", "coffee")
FIGURES, PAGE = HELP / "classification.json", HELP / "classification.md"
PLOT = HELP / "pictures" / "classes.svg"


# Families of classes


def crops(whole: Image, n: int, half: int, rng: np.random.Generator) -> list[Image]:
    """Return squares of the left half of an image (0), or of its right half (1)."""
    height, width = whole.shape
    first, last = ((0, width // 2), (width // 2, width))[half]
    found = []
    for _ in range(n):
        top, left = rng.integers(0, height - SIDE + 1), rng.integers(first, last - SIDE + 1)
        found.append(np.ascontiguousarray(whole[top : top + SIDE, left : left + SIDE]))
    return found


def grey(image: NDArray[Any]) -> Image:
    return image if image.ndim == 2 else np.rint(luma(image)).astype(np.uint8)


def textures(n: int, half: int, rng: np.random.Generator) -> Classes:
    return [crops(picture(name), n, half, rng) for name in TEXTURES]


def photographs(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return parts of eight photographs of scikit-image and two of scikit-learn."""
    wholes = [grey(picture(name)) for name in PHOTOGRAPHS]
    data = peer("sklearn.datasets")
    wholes += [
        grey(np.asarray(data.load_sample_image(f"{one}.jpg"))) for one in ("china", "flower")
    ]
    return [crops(whole, n, half, rng) for whole in wholes]


def faces(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return faces, and parts of photographs without one: 25 x 25, of scikit-image."""
    every = (255 * picture("lfw_subset")).astype(np.uint8)
    own = [every[start + 50 * half : start + 50 * half + 50] for start in (0, 100)]
    return [list(some[rng.permutation(50)[:n]]) for some in own]


def sampled(laws: Sequence[NDArray[Any]], n: int, rng: np.random.Generator) -> Classes:
    """Return fields of three states, of which each is seen right in 70 of 100 nodes."""
    B = 0.55 * np.eye(3) + 0.15
    shape = (SIDE, SIDE)

    def field(A: NDArray[Any]) -> Image:
        one, other = (int(seed) for seed in rng.integers(1 << 30, size=2))
        return (100 * emit(sample_potts(A, shape, seed=one), B, seed=other)).astype(np.uint8)

    return [[field(A) for _ in range(n)] for A in laws]


def a_alone(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return fields of equal B and equal shares of states, which A alone tells apart."""
    alike, swapped = np.eye(3), np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
    laws = [np.exp(0.8 * alike), np.exp(-1.2 * alike), np.ones((3, 3)), np.exp(1.2 * swapped)]
    return sampled(laws, n, rng)


def other_fields(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return fields of equal B and other laws, of which one has a rarer state."""
    rare = np.array([[0.0, 1, -1], [1, 0, -1], [-1, -1, 1]])
    return sampled([np.exp(k * np.eye(3)) for k in (1.0, -1.5, 0.3)] + [np.exp(rare)], n, rng)


def noise(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return smoothed noise of four widths, in which every grey occurs as often."""

    def one(width: float) -> Image:
        field = ndimage.gaussian_filter(rng.normal(size=(2 * SIDE, 2 * SIDE)), width)
        inner = field[SIDE // 2 : -SIDE // 2, SIDE // 2 : -SIDE // 2]
        ranks = inner.ravel().argsort().argsort()
        return (256 * ranks // ranks.size).reshape(inner.shape).astype(np.uint8)

    return [[one(width) for _ in range(n)] for width in (0.8, 1.2, 1.8, 2.7)]


CHOOSING: dict[str, Family] = {"noise": noise, "other fields": other_fields}
REPORTED: dict[str, Family] = {
    "fields that A alone tells apart": a_alone,
    "brick, grass and gravel": textures,
    "faces, and none": faces,
    "parts of ten photographs": photographs,
}


# Methods


def lattice(**parameters: Any) -> Method:
    """Return the classifier of the project; accuracies do not depend on its temperature."""

    def method(images: list[Image], labels: Labels, others: list[Image]) -> NDArray[Any]:
        one = LatticeClassifier(calibrated=False, **parameters)
        return one.fit(images, labels).predict(others)

    return method


def histogram_svm(images: list[Image], labels: Labels, others: list[Image]) -> NDArray[Any]:
    """Classify shares of 32 greys by a linear support vector machine."""

    def shares(some: list[Image]) -> NDArray[Any]:
        return np.array([np.histogram(one, 32, (0, 256))[0] / one.size for one in some])

    machine = peer("sklearn.svm").LinearSVC(C=10.0, random_state=0)
    return np.asarray(machine.fit(shares(images), labels).predict(shares(others)))


def nearest(points: NDArray[Any], labels: Labels, others: NDArray[Any]) -> NDArray[Any]:
    neighbours = peer("sklearn.neighbors").KNeighborsClassifier(1)
    return np.asarray(neighbours.fit(points, labels).predict(others))


def lbp_nearest(images: list[Image], labels: Labels, others: list[Image]) -> NDArray[Any]:
    """Classify shares of uniform local binary patterns of two radii by the nearest neighbour."""
    pattern = peer("skimage.feature").local_binary_pattern

    def shares(one: Image) -> NDArray[Any]:
        parts = [
            np.bincount(pattern(one, n, r, "uniform").astype(int).ravel(), minlength=n + 2)
            for n, r in ((8, 1), (16, 2))
        ]
        return np.concatenate(parts) / one.size

    return nearest(
        np.array([shares(one) for one in images]), labels, np.array([shares(one) for one in others])
    )


def textons_nearest(images: list[Image], labels: Labels, others: list[Image]) -> NDArray[Any]:
    """Classify shares of 32 textons, on their principal components, by the nearest neighbour.

    Textons are clusters of answers to derivatives of Gaussians of three widths.
    """
    derivatives = [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (1, 1)]

    def answers(one: Image) -> NDArray[Any]:
        real = one.astype(np.float64)
        parts = [
            width ** sum(order) * ndimage.gaussian_filter(real, width, order)
            for width in (0.8, 1.6, 3.2)
            for order in derivatives
        ]
        return np.stack(parts, axis=-1).reshape(-1, len(parts))

    rng = np.random.default_rng(0)
    seen = [answers(one) for one in images]
    some = np.concatenate([one[rng.integers(0, len(one), 8000 // len(seen) + 1)] for one in seen])
    spread = some.std(axis=0) + 1e-9
    textons = peer("sklearn.cluster").KMeans(32, n_init=1, random_state=0).fit(some / spread)

    def shares(given: list[NDArray[Any]]) -> NDArray[Any]:
        counts = [np.bincount(textons.predict(one / spread), minlength=32) for one in given]
        return np.array([one / one.sum() for one in counts])

    found, asked = shares(seen), shares([answers(one) for one in others])
    axes = peer("sklearn.decomposition").PCA(min(16, len(found) - 1), random_state=0).fit(found)
    return nearest(axes.transform(found), labels, axes.transform(asked))


METHODS: dict[str, Method] = {
    "lattice models": lattice(),
    "lattice, head": lattice(head=True),
    "histogram, SVM": histogram_svm,
    "patterns, nearest": lbp_nearest,
    "textons, nearest": textons_nearest,
}
"""What is compared, the project's own first."""


# Runs


def accuracy(method: Method, family: Family, n: int, seed: int) -> float:
    """Return the share of test images that a method has right in one repetition."""
    rng = np.random.default_rng([seed, n])
    known, asked = family(n, 0, rng), family(N_TEST, 1, rng)
    images, others = ([one for some in classes for one in some] for classes in (known, asked))
    labels, truth = (
        np.repeat(np.arange(len(classes)), [len(some) for some in classes])
        for classes in (known, asked)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # clusters without points, in tiny sets
        return float((method(images, labels, others) == truth).mean())


def measured(repetitions: int) -> dict[str, Any]:
    """Return the accuracies of all repetitions, by family, method and number of images."""
    found: dict[str, Any] = {}
    for name, family in REPORTED.items():
        own = found[name] = {
            "chance": 1 / len(family(1, 0, np.random.default_rng(0))),
            "methods": {},
        }
        for title, method in METHODS.items():
            start = time.perf_counter()
            own["methods"][title] = {
                str(n): [accuracy(method, family, n, seed) for seed in range(repetitions)]
                for n in SIZES
            }
            means = [np.mean(some) for some in own["methods"][title].values()]
            seconds = time.perf_counter() - start
            print(f"{name}: {title}", *(f"{m:.3f}" for m in means), f"{seconds:.0f} s", flush=True)
    return found


def settings() -> Iterator[dict[str, Any]]:
    """Yield all settings that are chosen from."""
    for criterion in ("cavity", "windows", "data", "printed"):
        for shared in (False, True):
            for n_states in (2, 4, 8):
                for window in (1,) if criterion == "cavity" else (1, 2, 4):
                    yield {"criterion": criterion, "shared": shared} | {
                        "n_states": n_states,
                        "window": window,
                    }
    yield {"criterion": "windows", "n_states": 1, "window": 0}
    for n_states in (4, 8, 16):
        for window in (1, 2):
            yield {"head": True, "n_states": n_states, "window": window}


def choose(repetitions: int) -> None:
    """Print the mean accuracy of each setting on each family that chooses, of 1 and 5 images."""
    for one in settings():
        means = [
            np.mean([accuracy(lattice(**one), family, n, s) for s in range(repetitions)])
            for family in CHOOSING.values()
            for n in (1, 5)
        ]
        told = " ".join(f"{name}={value}" for name, value in one.items())
        print(f"{np.mean(means):.3f}", *(f"{mean:.3f}" for mean in means), told, flush=True)


def summary(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of repetitions and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def tables(found: dict[str, Any]) -> dict[str, Any]:
    """Return a table of means and standard errors for each family, as the page has them."""
    made = {}
    for k, (_, family) in enumerate(found.items()):
        rows = [
            [title, *("{:.2f} ± {:.2f}".format(*summary(values)) for values in own.values())]
            for title, own in family["methods"].items()
        ]
        made[f"classes-{k + 1}"] = {"columns": ["images a class", *map(str, SIZES)], "rows": rows}
    return made


def write(found: dict[str, Any], drawn: str) -> None:
    """Write the manual's figures, tables and picture."""
    FIGURES.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PLOT.write_text(drawn, encoding="utf-8")
    page = with_tables(PAGE.read_text(encoding="utf-8"), {"tables": tables(found)})
    PAGE.write_text(page, encoding="utf-8")


def main() -> None:
    """Measure, draw and write."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.classify", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--choose", action="store_true", help="print how all settings choose")
    parser.add_argument("--from", dest="kept", type=Path, help="accuracies of an earlier run")
    parser.add_argument("--write", action="store_true", help="write the manual's page, too")
    options = parser.parse_args()
    if options.choose:
        choose(options.repetitions)
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.kept:
        found = json.loads(options.kept.read_text(encoding="utf-8"))
    else:
        found = measured(options.repetitions)
        text = json.dumps(found, indent=1, ensure_ascii=False)
        (options.folder / "classes.json").write_text(text, encoding="utf-8")
    drawn = panels(found, SIZES)
    (options.folder / "classes.svg").write_text(drawn, encoding="utf-8")
    if options.write:
        write(found, drawn)


if __name__ == "__main__":
    main()
