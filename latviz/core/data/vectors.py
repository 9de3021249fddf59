"""From an image to a lattice of real vectors (paper 3.2).

Grey values are in the image's own units. Where colours are compared, uint8 stands for 0..255 and
floats within [0, 1] for themselves; any other image is stretched from its own least value to its
greatest.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from latviz.core import threads
from latviz.core.data.color import luma, srgb_to_lab
from latviz.core.data.observations import Observations

# Pixels whose real vectors are made at a time, so that wide temporaries stay small.
_PART = 1 << 18

_CHANNEL_COLOURS = {
    "grey": (128, 128, 128),
    "red": (214, 69, 65),
    "green": (46, 160, 87),
    "blue": (65, 105, 225),
    "L*": (128, 128, 128),
    "a*": (200, 70, 140),
    "b*": (205, 165, 45),
    "gradient": (226, 125, 45),
    "contrast": (130, 95, 190),
}

Image = npt.NDArray[Any]
Floats = npt.NDArray[np.floating[Any]]


def grey_of(image: Image) -> npt.NDArray[np.float32]:
    """Return the grey values, (H, W) float32."""
    grey = image if image.ndim == 2 else luma(image)
    copied: npt.NDArray[np.float32] = grey.astype(np.float32)
    return copied


def shown_range(image: Image) -> tuple[float, float]:
    """Return the values that are shown as black and as white."""
    if image.dtype == np.uint8:
        return 0.0, 255.0
    low, high = float(image.min()), float(image.max())
    if image.dtype == np.float32 and low >= 0.0 and high <= 1.0:
        return 0.0, 1.0
    return low, high


def to_unit(values: Image, ends: tuple[float, float]) -> npt.NDArray[np.float64]:
    """Return values stretched from their range to [0, 1], float64."""
    low, high = ends
    unit = (values.astype(np.float64) - low) / ((high - low) or 1.0)
    return np.clip(unit, 0.0, 1.0)


def three_channels(image: Image) -> Image:
    """Return the image in colour, (H, W, 3)."""
    return image if image.ndim == 3 else np.repeat(image[..., None], 3, axis=2)


def _own(image: Image) -> Image:
    """Return the image if nobody can change it, else a copy."""
    return image.copy() if image.flags.writeable else image


def _contiguous(values: Image) -> Image:
    kind = np.uint8 if values.dtype == np.uint8 else np.float32
    return np.ascontiguousarray(values, dtype=kind)


def grey(image: Image) -> Observations:
    """Return the grey value of each pixel, (H, W, 1)."""
    own = image.ndim == 2 and image.dtype == np.uint8
    return _observed(_contiguous((_own(image) if own else grey_of(image))[..., None]), ("grey",))


def rgb(image: Image) -> Observations:
    """Return the red, green and blue of each pixel, (H, W, 3)."""
    notes = ("a grey image: the three channels are equal",) if image.ndim == 2 else ()
    values = _contiguous(_own(three_channels(image)))
    return _observed(values, ("red", "green", "blue"), notes)


def lab(image: Image) -> Observations:
    """Return L*, a* and b* of each pixel, (H, W, 3) float32."""
    notes = ("a grey image: a* and b* are 0",) if image.ndim == 2 else ()
    ends = shown_range(image)

    def to_lab(rows: slice) -> Floats:
        unit = to_unit(three_channels(image[rows]), ends).astype(np.float32)
        return srgb_to_lab(unit)

    return _observed(_in_parts(image.shape, to_lab), ("L*", "a*", "b*"), notes)


def texture(image: Image, scale: float) -> Observations:
    """Return the grey, gradient and contrast of each pixel at a scale, (H, W, 3) float32."""
    reach = _reach(scale)

    def features(rows: slice) -> Floats:
        first = max(0, rows.start - reach)
        part = _texture(grey_of(image[first : rows.stop + reach]), scale)
        return part[rows.start - first : rows.stop - first]

    values = _in_parts(image.shape, features, least=4 * reach)
    return _observed(values, ("grey", "gradient", "contrast"))


def _observed(values: Image, names: tuple[str, ...], notes: tuple[str, ...] = ()) -> Observations:
    colors = np.array([_CHANNEL_COLOURS[name] for name in names], dtype=np.uint8)
    return Observations(values, False, len(names), names, colors, None, notes)


def _reach(sigma: float) -> int:
    """Return how far scipy's Gaussian filters look."""
    return int(4.0 * sigma + 0.5)


def _texture(grey: Floats, sigma: float) -> Floats:
    # In double precision, because the variance is the small difference of two large moments.
    precise = grey.astype(np.float64)
    gradient = sigma * scipy.ndimage.gaussian_gradient_magnitude(precise, sigma)
    mean = scipy.ndimage.gaussian_filter(precise, sigma)
    variance = scipy.ndimage.gaussian_filter(precise**2, sigma) - mean**2
    contrast = np.sqrt(np.maximum(variance, 0.0))
    return np.stack([grey, gradient, contrast], axis=-1)


def _in_parts(
    shape: tuple[int, ...], make: Callable[[slice], Floats], least: int = 1
) -> npt.NDArray[np.float32]:
    """Make three channels of an image by parts of ``least`` rows or more, on all threads."""
    values = np.empty((*shape[:2], 3), dtype=np.float32)
    n_rows = max(least, _PART // shape[1], 1)
    starts = range(0, shape[0], n_rows)

    def fill_parts(first: int, last: int) -> None:
        for start in starts[first:last]:
            rows = slice(start, min(shape[0], start + n_rows))
            values[rows] = make(rows)

    threads.over_rows(len(starts), fill_parts)
    return values
