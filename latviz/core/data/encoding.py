"""How an image becomes observations: the choice, and what there is to choose from.

This module is light, so that the parameters of the program can be read and compared without loading
what does the encoding, which is `latviz.core.data.observations`.
"""

from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from latviz.core.errors import ParameterError

EncodingName = Literal["quantiles", "levels", "palette", "labels", "grey", "rgb", "lab", "texture"]

SYMBOL_RANGE: Final = (2, 64)
SCALE_RANGE: Final = (0.5, 16.0)


@dataclass(frozen=True)
class EncodingInfo:
    """What the program tells its user of an encoding.

    Attributes
    ----------
    title : str
        The name that people read.
    summary : str
        One sentence on what the observations are.
    discrete : bool
        Whether observations are symbols (True) or real vectors (False).
    uses_symbols, uses_scale : bool
        Whether `Encoding.n_symbols` and `Encoding.scale` have an effect.
    """

    title: str
    summary: str
    discrete: bool
    uses_symbols: bool
    uses_scale: bool


ENCODINGS: Final[dict[EncodingName, EncodingInfo]] = {
    "quantiles": EncodingInfo(
        title="Grey quantiles",
        summary="The grey values are split into bins that hold equally many pixels.",
        discrete=True,
        uses_symbols=True,
        uses_scale=False,
    ),
    "levels": EncodingInfo(
        title="Grey levels",
        summary="The range of grey values is split into bins of equal width.",
        discrete=True,
        uses_symbols=True,
        uses_scale=False,
    ),
    "palette": EncodingInfo(
        title="Colour palette",
        summary="Each pixel takes the nearest of a few colours that are chosen to suit the image.",
        discrete=True,
        uses_symbols=True,
        uses_scale=False,
    ),
    "labels": EncodingInfo(
        title="Labels",
        summary="Each distinct value or colour of the image is a symbol of its own, 64 at most.",
        discrete=True,
        uses_symbols=False,
        uses_scale=False,
    ),
    "grey": EncodingInfo(
        title="Grey value",
        summary="Each pixel is one real number, its grey value.",
        discrete=False,
        uses_symbols=False,
        uses_scale=False,
    ),
    "rgb": EncodingInfo(
        title="Red, green, blue",
        summary="Each pixel is three real numbers, its red, green and blue.",
        discrete=False,
        uses_symbols=False,
        uses_scale=False,
    ),
    "lab": EncodingInfo(
        title="CIELAB colour",
        summary="Each pixel is its lightness and two colour axes, spaced as the eye sees them.",
        discrete=False,
        uses_symbols=False,
        uses_scale=False,
    ),
    "texture": EncodingInfo(
        title="Texture",
        summary="Each pixel is its grey value, and the slope and contrast of the grey around it.",
        discrete=False,
        uses_symbols=False,
        uses_scale=True,
    ),
}


@dataclass(frozen=True)
class Encoding:
    """A choice of encoding; hashable, and valid once it exists.

    Attributes
    ----------
    name : str
        One of the keys of `ENCODINGS`.
    n_symbols : int
        The number of symbols M, 2..64; quantiles, levels and palette use it.
    scale : float
        Standard deviation of the Gaussian windows of texture, in pixels, 0.5..16.

    Raises
    ------
    ParameterError
        If a field is none of these.
    """

    name: EncodingName = "quantiles"
    n_symbols: int = 3
    scale: float = 2.0

    def __post_init__(self) -> None:
        if self.name not in get_args(EncodingName):
            known = ", ".join(get_args(EncodingName))
            raise ParameterError(f"name must be one of {known}, got {self.name!r}")
        if not _is_integer(self.n_symbols) or not _within(self.n_symbols, SYMBOL_RANGE):
            low, high = SYMBOL_RANGE
            raise ParameterError(
                f"n_symbols must be an integer from {low} to {high}, got {self.n_symbols!r}"
            )
        if not _is_real(self.scale) or not _within(self.scale, SCALE_RANGE):
            least, most = SCALE_RANGE
            raise ParameterError(
                f"scale must be a number from {least:g} to {most:g}, got {self.scale!r}"
            )

    @property
    def discrete(self) -> bool:
        """Whether observations are symbols (True) or real vectors (False)."""
        return ENCODINGS[self.name].discrete


def _is_integer(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_real(value: object) -> bool:
    return isinstance(value, (float, np.floating)) or _is_integer(value)


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]
