"""The range of values in which an image is shown, and values derived from it.

The meaning of values depends on the values, not on their dtype. For comparing colours, whole
numbers in three channels range from 0 to the largest that their bits can hold, 255 at least; grey
bytes and floats within [0, 1] are also used unchanged. Any other image is stretched from its own
least value to its greatest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from latviz.core.data.color import to_bytes
from latviz.core.data.method import Bytes, Image, bands

Range = tuple[float, float]
"""The values that are shown as black and as white."""
T = TypeVar("T")


@dataclass(frozen=True)
class Shown(Generic[T]):
    """Computes something of an image in the range that it is shown in."""

    range: Range  # of the image, see `own_range`
    dtype: "np.dtype[Any]"
    is_grey: bool  # if it has no colours
    # takes a range; keeps the last result, as an encoder that fits and encodes asks twice
    within: Callable[[Range], T]

    @classmethod
    def of(cls, image: Image, follows: Callable[[Range], T]) -> Self:
        """Return the derived values of an image."""
        return cls(own_range(image), image.dtype, image.ndim == 2, lru_cache(maxsize=1)(follows))


def own_range(image: Image) -> Range:
    """Return the range that one image is shown in; floats within [0, 1] keep their own here."""
    if image.dtype == np.uint8:
        return 0.0, 255.0
    low, high = float(image.min()), float(image.max())
    is_float = image.dtype == np.float32
    if is_float and (low < 0.0 or high <= 1.0 or not is_whole(image)):
        return low, high
    if image.ndim == 3 or (is_float and high <= 255.0):
        return 0.0, largest_of_bits(high)
    return low, high


def is_whole(image: Image) -> bool:
    """Return True if an image holds only whole numbers."""
    return image.dtype != np.float32 or all(
        np.array_equal(image[rows], np.rint(image[rows])) for rows in bands(image.shape)
    )


def largest_of_bits(largest: float) -> float:
    """Return the largest whole number of as many bits as a number needs, of 8 at least."""
    return float(2 ** max(8, int(largest).bit_length()) - 1)


def joint_range(ranges: Sequence[Range], dtype: "np.dtype[Any]") -> Range:
    """Return the range in which images of one dtype are shown together."""
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    if dtype == np.float32 and low >= 0.0 and high <= 1.0:
        return 0.0, 1.0
    return low, high


def to_unit(values: Image, ends: Range) -> npt.NDArray[np.float64]:
    """Return values stretched from their range to [0, 1], float64."""
    low, high = ends
    unit = (values.astype(np.float64) - low) / ((high - low) or 1.0)
    return np.clip(unit, 0.0, 1.0)


def three_channels(image: Image) -> Image:
    """Return the image in colour, (H, W, 3)."""
    return image if image.ndim == 3 else np.repeat(image[..., None], 3, axis=2)


def shown_bytes(image: Image, ends: Range) -> Bytes:
    """Return the colours of an image that is shown in a range, (H, W, 3)."""
    rgb = three_channels(image)
    return rgb if rgb.dtype == np.uint8 else to_bytes(to_unit(rgb, ends))
