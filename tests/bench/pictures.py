"""Photographs for benches and robots."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from skimage import data

Pixels = NDArray[np.uint8]


def photograph(side: int = 1024, *, colour: bool = False) -> Pixels:
    image = Image.fromarray(data.astronaut() if colour else data.camera())
    return np.asarray(image.resize((side, side), Image.Resampling.BILINEAR))
