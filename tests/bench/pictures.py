"""Inputs of benchmarks: photographs, or generated pictures if there are none."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.bench.harness import peer

Pixels = NDArray[np.uint8]


def source() -> str:
    """Return where the pictures come from, in words."""
    return "scikit-image's photographs" if _photographs() else "generated pictures"


def photograph(side: int = 1024, *, colour: bool = False, grain: float = 0.0) -> Pixels:
    """Return a photograph (side, side) or (side, side, 3), scaled smoothly.

    ``grain`` is the standard deviation of a noise, which a photograph of this size would have.
    """
    data = _photographs()
    if data is None:
        small = _generated(3 if colour else 1)
    else:
        small = data.astronaut() if colour else data.camera()
    pixels = np.asarray(Image.fromarray(small).resize((side, side), Image.Resampling.BILINEAR))
    return _grained(pixels, grain) if grain else pixels


def _photographs() -> Any:
    return peer("skimage.data")


def _generated(n_channels: int) -> Pixels:
    """Return soft patches of all sizes, 512 x 512."""
    rng = np.random.default_rng(0)
    channels = []
    for _ in range(n_channels):
        total = np.zeros((512, 512))
        for side in (4, 16, 64, 256):
            patches = Image.fromarray(rng.normal(0, 128 / np.sqrt(side), (side, side)))
            total += np.asarray(patches.resize((512, 512), Image.Resampling.BICUBIC))
        channels.append(np.clip(128 + total, 0, 255).astype(np.uint8))
    return np.squeeze(np.stack(channels, axis=2))


def _grained(pixels: Pixels, grain: float) -> Pixels:
    """Add noise in bands, each with the same tile."""
    tile = np.random.default_rng(1).normal(0, grain, (256, *pixels.shape[1:])).astype(np.float32)
    grained = np.empty_like(pixels)
    for start in range(0, len(pixels), 256):
        band = pixels[start : start + 256]
        grained[start : start + 256] = np.clip(band + tile[: len(band)] + 0.5, 0, 255)
    return grained
