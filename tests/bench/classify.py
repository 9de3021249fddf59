"""``python -m tests.bench.classify FOLDER``: accuracy over 1 to 20 images per class.

Settings are chosen on three families of classes and reported on four others, which were not used
for choosing. In each repetition every method learns from the same images and classifies the same
others: crops of the other half of a photograph, other faces, or fields of other seeds. FOLDER gets
the accuracies of all repetitions (``reported.json``) and the plot (``classes.svg``), and those of
`classify_noise` (``noise.json``, ``noise.svg``); with ``--choose`` also the results of all settings
on the families for choosing (``choice.json``). With ``--write`` the manual's page on classification
gets its tables and its picture.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from latviz.core import LatticeClassifier, emit, sample_potts
from latviz.core.data.color import luma
from tests.bench import classify_noise
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

SIDE, N_TEST = 48, 12
SIZES = (1, 2, 5, 10, 20)
REPETITIONS, CHOOSING_REPETITIONS = 6, 3
PHOTOGRAPHS = "camera", "coins", "moon", "chelsea"
OTHER_PHOTOGRAPHS = "page", "text", "rocket", "coffee"
FIGURES, PAGE = HELP / "classification.json", HELP / "classification.md"
PLOT, NOISE_PLOT = HELP / "pictures" / "classes.svg", HELP / "pictures" / "classes-noise.svg"


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
    """Return parts of four photographs of scikit-image and two of scikit-learn."""
    wholes = [grey(picture(name)) for name in PHOTOGRAPHS]
    data = peer("sklearn.datasets")
    wholes += [
        grey(np.asarray(data.load_sample_image(f"{one}.jpg"))) for one in ("china", "flower")
    ]
    return [crops(whole, n, half, rng) for whole in wholes]


def other_photographs(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return parts of four other photographs of scikit-image."""
    return [crops(grey(picture(name)), n, half, rng) for name in OTHER_PHOTOGRAPHS]


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
        return (100 * emit(sample_potts(A, shape, sweeps=40, seed=one), B, seed=other)).astype(
            np.uint8
        )

    return [[field(A) for _ in range(n)] for A in laws]


def a_alone(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return fields of equal B and equal shares of states, which differ only in A."""
    alike, swapped = np.eye(3), np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
    laws = [np.exp(0.8 * alike), np.exp(-1.2 * alike), np.ones((3, 3)), np.exp(1.2 * swapped)]
    return sampled(laws, n, rng)


def other_fields(n: int, half: int, rng: np.random.Generator) -> Classes:
    """Return fields of equal B and other laws, one of them with a rarer state."""
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


CHOOSING: dict[str, Family] = {
    "noise": noise,
    "other fields": other_fields,
    "other photographs": other_photographs,
}
REPORTED: dict[str, Family] = {
    "fields that A alone tells apart": a_alone,
    "brick, grass and gravel": textures,
    "faces, and none": faces,
    "parts of six photographs": photographs,
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
    "lattice, cavity": lattice(head=False),
    "lattice, windows": lattice(criterion="windows", n_states=8, window=2),
    "lattice, head": lattice(),
    "histogram, SVM": histogram_svm,
    "patterns, nearest": lbp_nearest,
    "textons, nearest": textons_nearest,
}
"""The compared methods, the project's own first, with their chosen settings."""


NOISE_METHODS = METHODS | {"lattice, cavity, shared": lattice(shared=True)}
"""The compared methods on fields that differ only in A, as all classes share one B."""


# Runs


@cache
def drawn(family: Family, n: int, seed: int) -> tuple[Classes, Classes]:
    """Return the images of a repetition, to learn from and to test with: the same for all."""
    rng = np.random.default_rng([seed, n])
    return family(n, 0, rng), family(N_TEST, 1, rng)


def accuracy(method: Method, family: Family, n: int, seed: int) -> float:
    """Return the share of test images that a method has right in one repetition."""
    known, asked = drawn(family, n, seed)
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
    return joined([repetition(seed) for seed in range(repetitions)])


def repetition(seed: int) -> dict[str, Any]:
    """Return the accuracies of one repetition, each in a list of its own."""
    found: dict[str, Any] = {}
    for name, family in REPORTED.items():
        chance = 1 / len(family(1, 0, np.random.default_rng(0)))
        own = found[name] = {"chance": chance, "methods": {}}
        for title, method in METHODS.items():
            start = time.perf_counter()
            values = {str(n): [accuracy(method, family, n, seed)] for n in SIZES}
            own["methods"][title] = values
            told = [f"{one:.3f}" for (one,) in values.values()]
            print(f"{seed}, {name}: {title}", *told, f"{time.perf_counter() - start:.0f} s")
    return found


def joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the accuracies of several repetitions as those of all."""
    return {
        name: {
            "chance": family["chance"],
            "methods": {
                title: {
                    str(n): [
                        value for part in parts for value in part[name]["methods"][title][str(n)]
                    ]
                    for n in SIZES
                }
                for title in METHODS
            },
        }
        for name, family in parts[0].items()
    }


def settings() -> Iterator[dict[str, Any]]:
    """Yield all settings that are chosen from."""
    for criterion in ("cavity", "windows", "data", "printed"):
        for shared in (True, False):
            for n_states in (2, 4, 8) if criterion in ("cavity", "windows") else (4, 8):
                for window in (1,) if criterion == "cavity" else (1, 2):
                    own = {"criterion": criterion, "shared": shared}
                    yield own | {"n_states": n_states, "window": window}
    yield {"criterion": "windows", "n_states": 1, "window": 0}
    for n_states in (4, 8, 16):
        for window in (1, 2):
            yield {"head": True, "n_states": n_states, "window": window}


def chosen(repetitions: int) -> Iterator[dict[str, Any]]:
    """Yield each setting with its mean accuracy on each family that chooses, of 1 and 5 images."""
    for one in settings():
        means = {
            f"{name}, {n}": float(
                np.mean([accuracy(lattice(**one), family, n, s) for s in range(repetitions)])
            )
            for name, family in CHOOSING.items()
            for n in (1, 5)
        }
        print(f"{np.mean([*means.values()]):.3f}", *(f"{m:.3f}" for m in means.values()), one)
        yield {"settings": one, "means": means}


def best_of_each(choice: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a table of the best settings of each criterion, as the page has it."""
    found: dict[str, dict[str, Any]] = {}
    for one in choice:
        title = title_of(one["settings"])
        if title not in found or mean_of(one) > mean_of(found[title]):
            found[title] = one
    rows = []
    for title, one in sorted(found.items(), key=lambda item: -mean_of(item[1])):
        own, values = one["settings"], list(one["means"].values())
        pairs = (f"{a:.2f}; {b:.2f}" for a, b in zip(values[::2], values[1::2], strict=True))
        numbers = f"{own['n_states']}", f"{own['window']}"
        rows.append([title, *numbers, *pairs, f"{mean_of(one):.3f}"])
    return {"columns": ["criterion", "*N*", "*w*", *CHOOSING, "mean"], "rows": rows}


def mean_of(one: dict[str, Any]) -> float:
    return float(np.mean([*one["means"].values()]))


def title_of(own: dict[str, Any]) -> str:
    if own.get("head"):
        return "head"
    if own["n_states"] == 1:
        return "bag of symbols"
    return f"`{own['criterion']}`" + (", shared" if own["shared"] else "")


def summary(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of repetitions and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def tables(figures: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of the page: means and standard errors by family, and the choices."""
    found = figures["reported"]
    made = {"classes-chosen": best_of_each(figures["choice"])}
    made |= classify_noise.tables(figures["noise"])
    for k, (_, family) in enumerate(found.items()):
        rows = [
            [title, *("{:.2f} ± {:.2f}".format(*summary(values)) for values in own.values())]
            for title, own in family["methods"].items()
        ]
        made[f"classes-{k + 1}"] = {"columns": ["images per class", *map(str, SIZES)], "rows": rows}
    return made


def noise_plot(figures: dict[str, Any]) -> str:
    """Return the plot of accuracies by the share of symbols that are replaced."""
    found = classify_noise.in_panels(figures["noise"])
    return panels(found, classify_noise.LEVELS, "share of symbols replaced", log=False)


def write(figures: dict[str, Any]) -> None:
    """Write the manual's figures, tables and picture."""
    text = json.dumps(figures, ensure_ascii=False)
    FIGURES.write_text(f"{text}\n", encoding="utf-8")
    PLOT.write_text(panels(figures["reported"], SIZES), encoding="utf-8")
    NOISE_PLOT.write_text(noise_plot(figures), encoding="utf-8")
    page = with_tables(PAGE.read_text(encoding="utf-8"), {"tables": tables(figures)})
    PAGE.write_text(page, encoding="utf-8")


def kept(path: Path, make: Callable[[], Any]) -> Any:
    """Return the content of an earlier run's file, or make it and write the file."""
    if not path.exists():
        path.write_text(json.dumps(make(), indent=1, ensure_ascii=False), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Measure, draw and write; files that exist in FOLDER are not made again."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.classify", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--choose", action="store_true", help="also how all settings choose")
    parser.add_argument("--write", action="store_true", help="also the manual's page, with both")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    places = {name: options.folder / f"{name}.json" for name in ("reported", "choice", "noise")}
    figures = {"reported": kept(places["reported"], lambda: measured(options.repetitions))}
    figures["noise"] = kept(
        places["noise"], lambda: classify_noise.measured(options.folder, NOISE_METHODS, accuracy)
    )
    if options.choose or options.write:
        figures["choice"] = kept(places["choice"], lambda: list(chosen(CHOOSING_REPETITIONS)))
    drawn = panels(figures["reported"], SIZES)
    (options.folder / "classes.svg").write_text(drawn, encoding="utf-8")
    (options.folder / "noise.svg").write_text(noise_plot(figures), encoding="utf-8")
    if options.write:
        write(figures)


if __name__ == "__main__":
    main()
