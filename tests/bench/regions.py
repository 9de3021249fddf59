"""``python -m tests.bench.regions``: how well regions cover those of the truth.

Covering is the mean over the regions of the truth, weighed by their areas, of the largest
intersection over union with a found region. Mosaics of textures, and noisy blobs.
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import Regions, regions, sample_voronoi
from tests.bench.cases import Case, field, texture_mosaics

WINDOWS = (1, 3, 7)
COLUMNS = ("components", "size", "as many", "best cut")


def covering(found: NDArray[Any], truth: NDArray[Any]) -> float:
    """Return how well regions cover those of the truth, from 0 to 1."""
    table = overlaps(truth, found)
    areas, others = table.sum(axis=1), table.sum(axis=0)
    shared = table / (areas[:, None] + others - table)
    return float((shared.max(axis=1) * areas).sum() / areas.sum())


def overlaps(truth: NDArray[Any], found: NDArray[Any]) -> NDArray[np.int64]:
    """Return the number of nodes of each region of the truth in each region found."""
    n = int(found.max()) + 1
    places = truth.astype(np.int64).ravel() * n + found.ravel()
    return np.bincount(places, minlength=n * (int(truth.max()) + 1)).reshape(-1, n)


def scores(first: Regions, truth: NDArray[Any], window: int) -> Iterator[float]:
    """Yield the covering of components, of those of a window's size and more, and of cuts.

    One cut leaves as many regions as the truth has; the other is the best of all.
    """
    yield covering(first.labels, truth)
    large = first.merged(least_size=(2 * window + 1) ** 2)
    yield covering(large.labels, truth)
    heights = large.by_evidence().heights
    n_true = int(truth.max()) + 1
    reached = [covering(large.labels, truth)] + [
        covering(large.merged(least_evidence=np.nextafter(height, np.inf)).labels, truth)
        for height in heights[-200:]
    ]
    as_many = max(0, len(heights) - n_true)
    at = np.nextafter(heights[as_many], 0.0) if len(heights) > n_true else 0.0
    yield covering(large.merged(least_evidence=float(at)).labels, truth)
    yield max(reached)


def measured(case: Case, n_states: int, window: int) -> tuple[list[float], int, float]:
    """Return the scores of one case, the number of components, and the seconds of merging."""
    truth = regions(case.truth, case.truth).labels
    states = case.fit(n_states, window).decode(case.observations)
    start = time.perf_counter()
    first: Any = regions(states, case.observations, kind=case.kind, n_symbols=case.n_symbols)
    first.by_size(), first.by_evidence()
    seconds = time.perf_counter() - start
    return list(scores(first, truth, window)), len(first), seconds


def mosaics(side: int, seed: int) -> Iterator[tuple[str, Case, int]]:
    """Yield mosaics of three textures, by the name of their encoding."""
    for n_regions in (4, 6, 8, 12):
        truth = sample_voronoi((side, side), n_regions, 3, seed=seed + 10 * n_regions)
        for encoding, case in texture_mosaics(truth):
            yield f"mosaic, {encoding}", case, 3


def blobs(side: int, seed: int) -> Iterator[tuple[str, Case, int]]:
    """Yield noisy fields of states, by their family."""
    for family, noise in (("channel", 0.35), ("skewed", 0.2), ("circle", 1.0), ("scattered", 1.0)):
        for k, n_states in enumerate((2, 3, 4, 6)):
            yield f"blobs, {family}", field(family, n_states, 24, noise, seed + k, side), n_states


def main() -> None:
    """Read the command line and print a line for each kind of picture and window."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.regions", description=__doc__)
    parser.add_argument("--side", type=int, default=256)
    parser.add_argument("--seed", type=int, default=7000)
    options = parser.parse_args()
    found: dict[tuple[str, int], list[tuple[list[float], int, float]]] = {}
    for make in (mosaics, blobs):
        for name, case, n_states in make(options.side, options.seed):
            for window in WINDOWS:
                found.setdefault((name, window), []).append(measured(case, n_states, window))
    print(f"{'':24} w   {'  '.join(COLUMNS)}   found  seconds")
    for (name, window), rows in found.items():
        means = np.mean([row[0] for row in rows], axis=0)
        cells = "".join(f"{mean:11.3f}" for mean in means)
        n, seconds = np.mean([row[1] for row in rows]), max(row[2] for row in rows)
        print(f"{name:24}{window:2} {cells} {n:8.0f} {seconds:8.3f}")


if __name__ == "__main__":
    main()
