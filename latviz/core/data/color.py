"""Colours between sRGB and CIELAB, and their luma.

CIELAB is for the D65 white of the 2 degree observer. The matrix is that of IEC 61966-2-1, its rows
divided by the white point, so that greys have a* = b* = 0 up to rounding.
"""

from functools import cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from latviz.core import kernels, threads
from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError

LUMA_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)

_XYZ_FROM_RGB = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITENED_FROM_RGB = _XYZ_FROM_RGB / _XYZ_FROM_RGB.sum(axis=1, keepdims=True)
_RGB_FROM_WHITENED = np.linalg.inv(_WHITENED_FROM_RGB)

_LAB_FROM_F = np.array([[0.0, 116.0, 0.0], [500.0, -500.0, 0.0], [0.0, 200.0, -200.0]])
_F_FROM_LAB = np.linalg.inv(_LAB_FROM_F)
_L_OFFSET = 16.0

# Below these, the inverses of sRGB's curve and of CIELAB's cube root go on as straight lines.
_LINEAR_KNEE = 0.0031308
_F_KNEE = 6.0 / 29.0
_F_SLOPE = 1.0 / (3.0 * _F_KNEE**2)
_F_OFFSET = 4.0 / 29.0

_BLOCK = 1 << 12
"""Colours that are compared at a time, so that they stay in the cache."""

FloatArray = npt.NDArray[np.floating[Any]]
Bytes = npt.NDArray[np.uint8]


def srgb_to_lab(rgb: npt.ArrayLike) -> FloatArray:
    """Return CIELAB coordinates of sRGB colours (..., 3), gamma-encoded, clipped to [0, 1]."""
    # L* in [0, 100], a* and b* within some [-110, 110]; float32 of float32 and of bytes, which are
    # from 0 to 255; else float64
    array = np.asarray(rgb)
    if array.dtype == np.uint8:
        return _to_lab(frozen(_with_channels(array, "rgb")), np.float32)
    colours = _colours(array, "rgb")
    return _to_lab(_linear(colours), np.float64).astype(colours.dtype, copy=False)


def lab_to_srgb(lab: npt.ArrayLike) -> FloatArray:
    """Return gamma-encoded sRGB in [0, 1] of CIELAB coordinates (..., 3), clipped to the gamut."""
    lab = _colours(lab, "lab")
    f = _mixed(lab + np.array([_L_OFFSET, 0.0, 0.0], dtype=lab.dtype), _F_FROM_LAB)
    whitened = np.where(f > _F_KNEE, f**3, (f - _F_OFFSET) / _F_SLOPE)
    linear = np.clip(_mixed(whitened, _RGB_FROM_WHITENED), 0.0, 1.0)
    curved = 1.055 * linear ** (1.0 / 2.4) - 0.055
    return np.clip(np.where(linear > _LINEAR_KNEE, curved, 12.92 * linear), 0.0, 1.0)


def luma(rgb: npt.ArrayLike) -> FloatArray:
    """Return the Rec. 709 luma (...) of gamma-encoded colours (..., 3), in their units."""
    # 0.2126 red + 0.7152 green + 0.0722 blue; float32 of float32, uint8 and uint16, else float64
    array = _with_channels(np.asarray(rgb), "rgb")
    colours = array if array.dtype in (np.uint8, np.uint16) else _colours(array, "rgb")
    return _mixed(colours, np.array([LUMA_WEIGHTS]))[..., 0]


def to_bytes(unit: FloatArray) -> Bytes:
    """Return values in [0, 1] as uint8 of the same shape, rounded to the nearest of 0..255."""
    return np.asarray(np.rint(255.0 * unit), dtype=np.uint8)


def packed(rgb: Bytes) -> npt.NDArray[np.uint32]:
    """Return 8-bit colours (..., 3) as one number each, (...): red * 65536 + green * 256 + blue."""
    wide = rgb.astype(np.uint32)
    return np.asarray((wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2], dtype=np.uint32)


def unpacked(keys: npt.NDArray[np.uint32]) -> Bytes:
    """Return the 8-bit colours (..., 3) that `packed` made numbers of."""
    return np.stack([keys >> 16, (keys >> 8) & 255, keys & 255], axis=-1).astype(np.uint8)


def hex_names(colours: Bytes) -> tuple[str, ...]:
    """Return the names "#rrggbb" of 8-bit colours (n, 3)."""
    return tuple(f"#{key:06x}" for key in packed(colours))


def nearest_colours(lab: FloatArray, palette: Bytes) -> npt.NDArray[np.intp]:
    """Return the rows (n,) of a palette (m, 3) nearest in CIELAB, the first of ties."""
    targets, nearest = srgb_to_lab(palette / 255.0), np.zeros(len(lab), dtype=np.intp)

    def seek(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            part = slice(start, min(start + _BLOCK, last))
            lightness, a, b = np.ascontiguousarray(lab[part].T)
            least = np.full(lightness.size, np.inf)
            for row, target in enumerate(targets):
                # Half the squared distance, minus the terms that are the same for all targets.
                products = lightness * target[0] + a * target[1] + b * target[2]
                cost = target @ target / 2.0 - products
                np.copyto(nearest[part], row, where=cost < least)
                np.minimum(least, cost, out=least)

    threads.over_rows(len(lab), seek, 8.0 * len(targets))
    return nearest


def distinct_colours(n_colours: int) -> Bytes:
    """Return (n_colours, 3) uint8 of four lightnesses, whose hues go round by the golden angle."""
    order = np.arange(n_colours)
    hues = order * np.pi * (3.0 - np.sqrt(5.0))
    lightness = np.array([78.0, 50.0, 65.0, 38.0])[order % 4]
    lab = np.stack([lightness, 40.0 * np.cos(hues), 40.0 * np.sin(hues)], axis=1)
    return to_bytes(lab_to_srgb(lab))


def _linear(colours: FloatArray) -> npt.NDArray[np.float64]:
    """Return the linear light of gamma-encoded colours, clipped to [0, 1]."""
    units = np.clip(colours, 0.0, 1.0, dtype=np.float64)
    linear = np.empty(units.shape)
    kernels.lab.write_linear(frozen(units.reshape(-1)), linear.reshape(-1))
    return frozen(linear)


@cache
def _linear_bytes() -> npt.NDArray[np.float64]:
    """Return the linear light of each byte: that of the nearest float32."""
    return _linear((np.arange(256) / 255.0).astype(np.float32))


def _to_lab(colours: npt.NDArray[Any], dtype: type[np.floating[Any]]) -> FloatArray:
    """Return the coordinates of bytes or of linear light, (..., 3)."""
    linear = frozen(_linear_bytes()[colours]) if colours.dtype == np.uint8 else colours
    matrix, lab = frozen(_WHITENED_FROM_RGB), np.empty(colours.shape, dtype=dtype)
    kernels.lab.write_lab(linear.reshape(-1, 3), matrix, lab.reshape(-1, 3))
    return lab


def _with_channels(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    if array.ndim == 0 or array.shape[-1] != 3:
        raise ParameterError(f"{name} must have shape (..., 3), got {array.shape}")
    return array


def _colours(values: npt.ArrayLike, name: str) -> FloatArray:
    array = _with_channels(np.asarray(values), name)
    return array if array.dtype == np.float32 else array.astype(np.float64)


def _mixed(colours: npt.NDArray[Any], matrix: npt.NDArray[np.float64]) -> FloatArray:
    """Return (..., k): channels mixed by each row of a (k, 3) matrix, in theirs or float32."""
    # Not by ``@``: its threads wait for each other when the kernels keep the cores busy, which made
    # this many times slower, and its last digit depends on the shape
    dtype = colours.dtype if colours.dtype.kind == "f" else np.dtype(np.float32)
    times = partial(np.multiply, dtype=dtype)
    first, second, third = np.moveaxis(colours, -1, 0)
    mixed = np.empty((*colours.shape[:-1], len(matrix)), dtype=dtype)
    for k, (a, b, c) in enumerate(matrix.astype(dtype)):
        mixed[..., k] = times(first, a) + times(second, b) + times(third, c)
    return mixed
