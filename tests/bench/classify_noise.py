"""Accuracy on fields that differ only in A, by the noise of the channel.

Classes of a family have equal B and equal shares of states. Three families, three numbers of images
a class, and five channels: a symbol is replaced, with the probability of a level, by any symbol,
all equally likely. `tests.bench.classify` measures, draws and writes them.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import emit, sample_potts

Law = NDArray[np.float64]
"""A of a class, potentials of pairs."""
Fields = list[list[NDArray[np.uint8]]]
Accuracy = Callable[[Any, Any, int, int], float]
"""The accuracy of a method on a family, from n images per class, by seed."""

LEVELS = (0.0, 0.2, 0.4, 0.5, 0.6)
SIZES = (1, 5, 20)
SEEDS = range(1000, 1004)
"""Others than those of the tables by number of images."""
SIDE, N_TEST, SWEEPS = 48, 12, 40
BRIGHTEST = 200
OWN = "lattice, cavity", "lattice, cavity, shared"
"""The project's own methods, to compare with others."""


def pairing(*cycle: int) -> Law:
    """Return the attraction of each state to its given partner only."""
    return np.asarray(np.exp(0.8 * np.eye(len(cycle))[list(cycle)]))


def _mixed() -> list[Law]:
    alike, swapped = np.eye(3), np.eye(3)[[1, 0, 2]]
    return [np.exp(0.8 * alike), np.exp(-1.2 * alike), np.ones((3, 3)), np.exp(1.2 * swapped)]


LAWS: dict[str, list[Law]] = {
    "four kinds of pairs": _mixed(),
    "four strengths of attraction": [np.exp(k * np.eye(3)) for k in (0.3, 0.5, 0.7, 0.9)],
    "equal associativity, other partners": [
        pairing(1, 0, 3, 2),
        pairing(2, 3, 0, 1),
        pairing(3, 2, 1, 0),
    ],
}
"""Of the classes of each family. Three states that attract each other are critical at 1.005."""


def channel(n_states: int, replaced: float) -> NDArray[np.float64]:
    """Return B of states that are shown correctly, except for a share replaced by any symbol."""
    return np.asarray((1 - replaced) * np.eye(n_states) + replaced / n_states)


def fields(
    laws: Sequence[Law], replaced: float, n: int, half: int, rng: np.random.Generator
) -> Fields:
    """Return n fields of each class in greys that are evenly apart."""
    n_states = len(laws[0])
    B, step = channel(n_states, replaced), BRIGHTEST // (n_states - 1)

    def one(A: Law) -> NDArray[np.uint8]:
        first, second = (int(seed) for seed in rng.integers(1 << 30, size=2))
        states = sample_potts(A, (SIDE, SIDE), sweeps=SWEEPS, seed=first)
        return (step * emit(states, B, seed=second)).astype(np.uint8)

    return [[one(A) for _ in range(n)] for A in laws]


FAMILIES = {
    (name, level): partial(fields, laws, level) for name, laws in LAWS.items() for level in LEVELS
}


def measured(folder: Path, methods: dict[str, Any], accuracy: Accuracy) -> dict[str, Any]:
    """Return accuracies by law, number of images, method and level; FOLDER keeps finished parts."""
    parts = []
    for seed in SEEDS:
        path = folder / f"noise-{seed}.json"
        if not path.exists():
            path.write_text(json.dumps(repetition(seed, methods, accuracy)), encoding="utf-8")
        parts.append(json.loads(path.read_text(encoding="utf-8")))
    return joined(parts)


def repetition(seed: int, methods: dict[str, Any], accuracy: Accuracy) -> list[dict[str, Any]]:
    """Return a record for each family, number of images and method."""
    found = []
    for (name, level), family in FAMILIES.items():
        for n in SIZES:
            for title, method in methods.items():
                value = accuracy(method, family, n, seed)
                own = {"laws": name, "level": level, "images": n, "method": title}
                found.append({**own, "accuracy": value})
        print(f"{seed}, {name}, {level:g} replaced", flush=True)
    return found


def joined(parts: Sequence[Sequence[dict[str, Any]]]) -> dict[str, Any]:
    """Return the accuracies of several repetitions, in lists, by law, images, method, level."""
    found: dict[str, Any] = {}
    for one in (one for part in parts for one in part):
        of = found.setdefault(one["laws"], {}).setdefault(str(one["images"]), {})
        values = of.setdefault(one["method"], {}).setdefault(f"{one['level']:g}", [])
        values.append(one["accuracy"])
    return found


def in_panels(found: dict[str, Any]) -> dict[str, Any]:
    """Return accuracies as `classify_plot.panels` takes them: each law with 1 and 20 images."""
    made = {}
    for name, by_images in found.items():
        for n in (SIZES[0], SIZES[-1]):
            title = f"{name}: {n} a class"
            made[title] = {"chance": 1 / len(LAWS[name]), "methods": by_images[str(n)]}
    return made


def tables(found: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of the page: means of each law, and the model's gain."""
    made = {f"classes-gain-{k + 1}": _gains(found, title) for k, title in enumerate(OWN)}
    columns = ["symbols replaced", *(f"{100 * level:.0f} %" for level in LEVELS)]
    for k, by_images in enumerate(found.values()):
        first, *_ = by_images.values()
        rows = [[title, *(_means(by_images, title, level) for level in LEVELS)] for title in first]
        made[f"classes-noise-{k + 1}"] = {"columns": columns, "rows": rows}
    return made


def _means(by_images: dict[str, Any], title: str, level: float) -> str:
    """Return the means of a method from 1, 5 and 20 images."""
    each = (np.mean(by_images[str(n)][title][f"{level:g}"]) for n in SIZES)
    return "; ".join(f"{mean:.2f}" for mean in each)


def _gains(found: dict[str, Any], title: str) -> dict[str, Any]:
    rows = [
        [f"{name}, {n}", *(_gain(by_images[str(n)], title, level) for level in LEVELS)]
        for name, by_images in found.items()
        for n in SIZES
    ]
    columns = ["fields, images per class", *(f"{100 * level:.0f} %" for level in LEVELS)]
    return {"columns": columns, "rows": rows}


def _gain(methods: dict[str, Any], title: str, level: float) -> str:
    """Return the gain of a method over the best of others, in the same repetitions."""
    values = {name: np.array(own[f"{level:g}"]) for name, own in methods.items()}
    others = [one for name, one in values.items() if not name.startswith("lattice")]
    gaps = values[title] - max(others, key=lambda one: float(one.mean()))
    error = gaps.std(ddof=1) / np.sqrt(gaps.size)
    return f"{gaps.mean():+.2f} ± {error:.2f}".replace("-", "−")
