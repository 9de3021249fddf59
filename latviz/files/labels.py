"""Label images: the known state of each pixel, one value or colour for each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz.files.errors import ImageError
from latviz.files.images import read_image

MOST_CLASSES = 64
"""Distinct labels of an image."""


def read_labels(
    path: Path, shape: tuple[int, ...], reduction: int = 1
) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """Read the known state of each pixel of an image.

    Parameters
    ----------
    path : Path
        Of the label image.
    shape : tuple of int
        The shape (H, W) of the image.
    reduction : int, optional
        By how much the image was reduced: of labels one in so many rows and columns is taken.

    Returns
    -------
    ranks : ndarray, shape (H, W), uint8
        0 to T - 1, in the order of the classes.
    classes : tuple of str
        What stands for each in all files: its value, "17", or its colour, "#00ff80"; of an indexed
        image its index. Values increase.

    Raises
    ------
    ImageError
        If it cannot be read, has another shape, or too many distinct labels.
    """
    file = read_image(path)
    values = _values(file.pixels if file.indices is None else file.indices, path)
    if reduction > 1:
        middle = reduction // 2
        values = values[middle::reduction, middle::reduction][: shape[0], : shape[1]]
    if values.shape != shape:
        sizes = " × ".join(map(str, values.shape[::-1])), " × ".join(map(str, shape[::-1]))
        raise ImageError(path, f"its labels are {sizes[0]} pixels, and the image is {sizes[1]}")
    found, ranks = np.unique(values, return_inverse=True)
    if found.size > MOST_CLASSES:
        raise ImageError(
            path, f"it has {found.size:,} distinct labels, and {MOST_CLASSES} can be told apart"
        )
    in_colour = file.indices is None and file.pixels.ndim == 3
    classes = (f"#{value:06x}" if in_colour else f"{value:g}" for value in found.tolist())
    return ranks.reshape(shape).astype(np.uint8), tuple(classes)


def _values(pixels: NDArray[np.generic], path: Path) -> NDArray[np.generic]:
    """Return one number a pixel: of colours of 8 bits a channel red, green and blue in one."""
    if pixels.ndim == 2:
        return pixels
    if pixels.dtype != np.uint8:
        raise ImageError(path, "labels in colour must have 8 bits a channel; save it as such")
    wide = pixels.astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2])
