"""A small noisy picture whose states plain loops compute, and readers of colours in files."""

from functools import cache

import numpy as np

from latviz.core.data.encoding import Encoding
from latviz.engine.keeping.session import Session, opened
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.settings.parameters import Parameters
from tests import naive

SHAPE = (12, 14)
NAME = 'a <b> & "c".png'
PARAMETERS = Parameters(Encoding("rgb"), n_states=3, window=2)


@cache
def pixels() -> np.ndarray:
    """Return three bands of colours under noise."""
    rng = np.random.default_rng(0)
    centres, bands = rng.integers(60, 190, (3, 3)), np.arange(SHAPE[1]) * 3 // SHAPE[1]
    noisy = centres[bands][None] + rng.normal(0, 35, (*SHAPE, 3))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def work(parameters=PARAMETERS, origin=None) -> tuple[PictureSet, Session]:
    pictures = as_set(Picture(pixels(), NAME, origin=origin or {}))
    return pictures, opened(pictures, parameters)


@cache
def expected_states(n_states: int, window: int) -> np.ndarray:
    """Return the states by exact pairwise merging and plain loops, in any order."""
    x = naive.signature_gaussian(pixels().astype(float), window)
    tree = naive.ExactPNN(x.reshape(-1, 3))
    assert tree.is_decided(n_states, 1e-5)
    return naive.decode(x, tree.codebook(n_states))


def labels_of(colours: np.ndarray) -> np.ndarray:
    """Return a number for each colour of an image, (H, W, 3)."""
    found = np.unique(colours.reshape(-1, 3), axis=0, return_inverse=True)[1]
    return found.reshape(colours.shape[:2])


def assert_same_partition(one: np.ndarray, other: np.ndarray) -> None:
    """Fail unless both maps are one, but for the names of their states."""
    assert one.shape == other.shape
    pairs = set(zip(one.reshape(-1).tolist(), other.reshape(-1).tolist(), strict=True))
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
