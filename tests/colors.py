"""Colours as people see them, and the differences between them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

Colors = NDArray[np.float64]

VISIONS: dict[str, Colors] = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
"""Matrices of linear RGB: Machado, Oliveira and Fernandes (2009), "A physiologically-based model
for simulation of color vision deficiency", table 1, severity 1.0."""


def seen(rgb: ArrayLike, vision: str) -> Colors:
    """Return sRGB colours from 0 to 255, shape (n, 3), as CIELAB under a kind of vision."""
    part = np.asarray(rgb, np.float64) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ VISIONS[vision].T, 0.0, 1.0)
    simulated = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(rgb2lab(simulated[None])[0])


def differences(first: Colors, second: Colors) -> Colors:
    """Return the CIEDE2000 difference of each colour of one list to each of another."""
    return np.asarray(deltaE_ciede2000(first[:, None], second[None]))


def least_difference(rgb: ArrayLike, vision: str) -> float:
    """Return how far apart the two most similar colours of a list are."""
    lab = seen(rgb, vision)
    rows, columns = np.triu_indices(len(lab), 1)
    return float(differences(lab, lab)[rows, columns].min())
