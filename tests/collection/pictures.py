"""Files of small images, for tests of many of them."""

from pathlib import Path

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from latviz.core.truth.geometry import sample_blobs


def truth_of(seed: int, shape: tuple[int, int] = (40, 50), n: int = 3) -> NDArray[np.uint8]:
    return sample_blobs(shape, n_states=n, scale=9.0, random_state=seed).astype(np.uint8)


def noisy(truth: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    """Return grey values of known states, with noise."""
    rng = np.random.default_rng(seed)
    means = np.array([60, 120, 190])[truth]
    return np.clip(means + rng.normal(0, 20, truth.shape), 0, 255).astype(np.uint8)


def write(path: Path, pixels: NDArray[np.uint8]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    PIL.Image.fromarray(pixels).save(path)
    return path


def write_noisy(folder: Path, n: int, labels: bool = False) -> list[Path]:
    """Write images of known states, whose labels are 10, 20 and 30."""
    found = []
    for k in range(n):
        truth = truth_of(k)
        found.append(write(folder / f"image {k}.png", noisy(truth, k)))
        if labels:
            write(folder / f"image {k}.labels.png", (truth * 10 + 10).astype(np.uint8))
    return found
