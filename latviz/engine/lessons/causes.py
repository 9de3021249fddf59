"""The same picture without one cause, to check what a lesson says of causes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.engine.pictures.picture import Picture

_SEED = 1


def _without_noise(pixels: NDArray[Any], truth: NDArray[np.uint8]) -> NDArray[Any]:
    """Return pixels that all have the most frequent value of their true state."""
    found = pixels.copy()
    for state in np.unique(truth):
        values, counts = np.unique(pixels[truth == state], axis=0, return_counts=True)
        found[truth == state] = values[counts.argmax()]
    return found


def _without_borders(pixels: NDArray[Any], truth: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the same pixels in the order of their true states, at random within each state."""
    order = np.random.default_rng(_SEED).permutation(truth.size)
    order = order[np.argsort(truth.ravel()[order], kind="stable")]
    return pixels.reshape(truth.size, -1)[order].reshape(pixels.shape)


CAUSES: Mapping[str, Callable[[NDArray[Any], NDArray[np.uint8]], NDArray[Any]]] = {
    "noise": _without_noise,
    "borders": _without_borders,
}
"""Causes that a picture with known true states can be made without."""


def without(cause: str, picture: Picture) -> Picture:
    """Return a picture without a cause; TypeError if it has no true states."""
    truth, removed = picture.truth, CAUSES[cause]
    if truth is None:
        raise TypeError("the states of this demo are not known")
    labels = None if picture.labels is None else removed(picture.labels, truth)
    own = truth if cause == "noise" else removed(truth, truth)
    return replace(picture, pixels=removed(picture.pixels, truth), labels=labels, truth=own)
