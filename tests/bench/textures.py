"""Encodings on mosaics of textures: ``python -m tests.bench.textures [--seed S]``.

Each mosaic has three textures, in each of which every grey value occurs equally often, so that they
differ only in pattern: photographs, or noise of one width and direction. For each encoding the best
of four windows is taken, chosen by the truth, by distance and by the likelihood of windows; the
score is the adjusted Rand index.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from latviz.core import adjusted_rand, contingency, sample_voronoi
from latviz.core.types import States
from tests.bench.cases import TEXTURES, Case, picture

SIDE, N_STATES, MOSAICS = 256, 3, 6
WINDOWS = (3, 6, 10, 16)
ENCODINGS: tuple[tuple[str, int | None], ...] = (
    ("quantiles", 8),
    ("texture", None),
    ("filters", None),
    ("textons", 16),
    ("patterns", 10),
)
WAYS = ("nearest", "likelihood")
Image = NDArray[np.uint8]


def equalized(image: NDArray[Any]) -> Image:
    """Return an image in which every grey value occurs equally often."""
    ranks = image.ravel().argsort(kind="stable").argsort(kind="stable")
    return np.asarray((256 * ranks // ranks.size).reshape(image.shape), dtype=np.uint8)


def photographs(rng: np.random.Generator) -> list[Image]:
    """Return parts of three photographs."""
    parts = []
    for name in TEXTURES:
        whole = picture(name)
        top, left = (rng.integers(0, 1 + extent - SIDE) for extent in whole.shape)
        parts.append(whole[top : top + SIDE, left : left + SIDE])
    return parts


def noises(rng: np.random.Generator) -> list[Image]:
    """Return noise of three widths and directions, each turned at random."""
    found = []
    for long, short in ((1.5, 1.5), (6.0, 1.0), (3.0, 2.0)):
        wide = ndimage.gaussian_filter(rng.normal(size=(2 * SIDE, 2 * SIDE)), (long, short))
        turned = ndimage.rotate(wide, rng.uniform(0, 180), reshape=False, mode="reflect")
        found.append(turned[SIDE // 2 : -SIDE // 2, SIDE // 2 : -SIDE // 2])
    return found


def mosaics(kind: str, seed: int) -> Iterator[tuple[Image, States]]:
    """Yield mosaics of a kind of textures, and which texture is where."""
    makers = {"photographs": photographs, "noise": noises}
    for k in range(MOSAICS):
        truth = sample_voronoi((SIDE, SIDE), 12, N_STATES, seed=seed + k)
        rng = np.random.default_rng([seed, k])
        yield np.choose(truth, [equalized(one) for one in makers[kind](rng)]), truth


def score(case: Case, way: str) -> float:
    """Return the adjusted Rand index of the best window."""
    found = []
    for window in WINDOWS:
        states = case.fit(N_STATES, window).decode(case.observations, decoder=way)
        found.append(adjusted_rand(contingency(states, case.truth)))
    return max(found)


def main() -> None:
    """Print the mean of each encoding over the mosaics of each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.textures", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    print(f"{'mosaics of':14}{'encoding':24}" + "".join(f"{way:>12}" for way in WAYS))
    for kind in ("photographs", "noise"):
        scores: dict[str, list[list[float]]] = {}
        for image, truth in mosaics(kind, seed):
            for name, levels in ENCODINGS:
                case = Case.encoded(image, truth, name, levels)
                scores.setdefault(name, []).append([score(case, way) for way in WAYS])
        for name, some in scores.items():
            means = "".join(f"{mean:12.3f}" for mean in np.mean(some, axis=0))
            print(f"{kind:14}{name:24}{means}", flush=True)


if __name__ == "__main__":
    main()
