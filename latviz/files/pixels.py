"""Depth, transparency, palettes and orientation: from decoded samples to pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import digits
from latviz.files.decoding import DecodedFile, DecodeError
from latviz.files.profiles import to_srgb

_ORIENTATIONS = {
    2: "mirrored left to right",
    3: "turned by 180°",
    4: "mirrored top to bottom",
    5: "mirrored about its diagonal",
    6: "turned by 90° clockwise",
    7: "mirrored about its other diagonal",
    8: "turned by 90° anticlockwise",
}
_BAND = 2**16
"""Pixels to process at a time, to keep temporary arrays small."""


def settle(
    decoded: DecodedFile, reduction: int = 1
) -> tuple[NDArray[Any], NDArray[Any] | None, tuple[str, ...]]:
    """Bring samples to their final depth, colours, size, orientation; return them with notes."""
    # Pixels (H, W) or (H, W, 3), uint8, uint16 or float32, contiguous and read-only; then palette
    # indices (H, W), turned in the same way, or None. decoded.reduced of ``reduction`` was done
    # before. DecodeError for samples that are not finite real numbers, an alpha channel without a
    # known range, and pixels without data
    _check_data(decoded)
    samples, white, depth = to_depth(decoded.samples)
    colours: tuple[str, ...] = ()
    if decoded.alpha != "premultiplied":
        samples, colours = to_srgb(samples, decoded.profile)
    samples, transparency = on_white(samples, white, decoded)
    if decoded.alpha == "premultiplied":
        samples, colours = to_srgb(samples, decoded.profile)
    if samples.ndim == 3 and samples.shape[2] == 1:
        samples = samples[..., 0]
    indices, left = decoded.indices, reduction // decoded.reduced
    if left > 1:
        samples = shrunk(samples, left)
        indices = None if indices is None else indices[left // 2 :: left, left // 2 :: left]
    o = decoded.orientation
    turned = (
        (f"{_ORIENTATIONS[o]}, as its EXIF orientation requires",) if o in _ORIENTATIONS else ()
    )
    if indices is not None:
        indices = frozen(turn(indices, o))
    size = (f"reduced to 1/{reduction} of its width and height",) if reduction > 1 else ()
    notes = (*decoded.notes, *depth, *colours, *transparency, *size, *turned)
    return frozen(turn(samples, o)), indices, notes


def _check_data(decoded: DecodedFile) -> None:
    """Raise `DecodeError` if pixels have no data: they would count as a state of their own."""
    missing = without_data(decoded)
    n_missing = 0 if missing is None else int(np.count_nonzero(missing))
    if missing is not None and n_missing:
        raise DecodeError(
            f"{digits.share(n_missing, missing.size)} of its pixels have no data: they hold the "
            f"declared nodata value {decoded.nodata}; crop it to pixels with data, or remove the "
            "declaration (gdal_edit.py -unsetnd) to count them as pixels of this value"
        )


def without_data(decoded: DecodedFile) -> NDArray[np.bool_] | None:
    """Return where all channels hold the declared nodata value, (H, W); None without one."""
    # Of an image with a palette, the value is an index. Floats are equal up to rounding, as a text
    # may have fewer digits than they
    if not decoded.nodata:
        return None
    stored = decoded.samples if decoded.indices is None else decoded.indices
    if decoded.alpha != "none" and decoded.indices is None:
        stored = stored[..., :-1]
    height, width = stored.shape[:2]
    stored, value = stored.reshape(height, width, -1), np.float64(decoded.nodata)
    rounding = 4 * np.finfo(stored.dtype).eps if stored.dtype.kind == "f" else 0
    found = np.empty((height, width), bool)
    for rows in bands(height, width):
        same = stored[rows] == value
        if rounding:
            same = np.isclose(stored[rows], value, rtol=rounding, atol=0, equal_nan=True)
        found[rows] = same.all(axis=2)
    return found


def shrunk(samples: NDArray[Any], reduction: int) -> NDArray[Any]:
    """Return the mean of each square of samples (H, W, ...); those at the border may be cut."""
    height, width = samples.shape[:2]
    columns = np.arange(0, width, reduction)
    across = np.diff([*columns, width]).reshape(-1, *(1,) * (samples.ndim - 2))
    out = np.empty((-(-height // reduction), columns.size, *samples.shape[2:]), samples.dtype)
    for row in range(len(out)):
        strip = samples[row * reduction : (row + 1) * reduction]
        sums = np.add.reduceat(strip.sum(axis=0, dtype=np.float64), columns, axis=0)
        means = sums / (len(strip) * across)
        out[row] = means if samples.dtype.kind == "f" else np.rint(means)
    return out


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array C-contiguous and read-only."""
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    return array


def turn(array: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Return a view, shape (H, W, ...) or (W, H, ...), turned by an EXIF orientation."""
    if orientation in (5, 6, 7, 8):
        array = array.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        array = array[::-1]
    if orientation in (2, 3, 6, 7):
        array = array[:, ::-1]
    return array


def to_depth(samples: NDArray[Any]) -> tuple[NDArray[Any], float, tuple[str, ...]]:
    """Return samples as uint8, uint16 or float32, the value of white, and notes."""
    # White is also full opacity. DecodeError for complex numbers, other types, and values that are
    # not finite
    kind, name = samples.dtype.kind, samples.dtype.name
    if kind == "b":
        samples = samples.astype(np.uint8)
        samples *= 255
        return samples, 255, ("black and white: 0 and 255",)
    if kind == "f":
        return _from_floats(samples)
    if kind not in "iu":
        raise DecodeError(f"its values are of type {name}; save real numbers instead")
    if samples.dtype == np.uint8:
        return samples, 255, ()
    if name == "uint16":
        return samples.astype(np.uint16, copy=False), 65535, ()
    return _from_integers(samples)


def _from_integers(samples: NDArray[Any]) -> tuple[NDArray[Any], float, tuple[str, ...]]:
    least, most = int(samples.min()), int(samples.max())
    name = samples.dtype.name
    if least < 0 or most > 65535:
        note = f"{name} from {least} to {most} turned into float32"
        return samples.astype(np.float32), 1.0, (note,)
    if samples.dtype.itemsize == 1:
        return samples.astype(np.uint8), 255, (f"{name} kept as uint8",)
    # Arrays of bytes are often saved in a wider type: white follows from their values.
    return samples.astype(np.uint16), 255 if most < 256 else 65535, (f"{name} kept as uint16",)


def _from_floats(samples: NDArray[Any]) -> tuple[NDArray[Any], float, tuple[str, ...]]:
    name = samples.dtype.name
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        least, most = samples.min(), samples.max()  # either is not finite if any value is not
        if not (np.isfinite(least) and np.isfinite(most)):
            bad = samples.size - int(np.count_nonzero(np.isfinite(samples)))
            raise DecodeError(
                f"it has {bad:,} values that are not finite (NaN or infinity); replace them first"
            )
        pixels = samples.astype(np.float32, copy=False)
    low, high = pixels.min(), pixels.max()
    if not (np.isfinite(low) and np.isfinite(high)):
        bad = pixels.size - int(np.count_nonzero(np.isfinite(pixels)))
        raise DecodeError(f"it has {bad:,} values too large for float32; scale them down first")
    if low == high and least < most:
        raise DecodeError(
            f"its values, from {least!s} to {most!s}, are all the same as float32; subtract the "
            "least one and scale them up first"
        )
    return pixels, 1.0, () if name == "float32" else (f"{name} turned into float32",)


def on_white(
    samples: NDArray[Any], white: float, decoded: DecodedFile
) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Composite samples with an alpha channel on white, in their own depth; drop the channel."""
    # DecodeError if the alpha channel leaves the range from 0 to ``white``
    if decoded.alpha == "none":
        return samples, ()
    alpha = samples[..., -1]
    least, most = alpha.min(), alpha.max()
    if least < 0 or most > white:
        raise DecodeError(
            f"its alpha channel runs from {least:g} to {most:g} instead of 0 to {white:g}; "
            "save it without transparency"
        )
    if least == white:
        return samples[..., :-1], ()
    blended = np.empty((*samples.shape[:2], samples.shape[2] - 1), samples.dtype)
    for rows in bands(samples.shape[0], samples.shape[1]):
        blended[rows] = _blend(samples[rows], white, decoded.alpha == "premultiplied")
    return blended, (transparency_note(alpha, white),)


def transparency_note(alpha: NDArray[Any], white: float) -> str:
    """Return a note on what became of transparent pixels, by an alpha channel that has some."""
    clear, opaque = int((alpha == 0).sum()), int((alpha == white).sum())
    counts = {
        "are transparent and count as white": clear,
        "are partly transparent": alpha.size - clear - opaque,
    }
    parts = (f"{digits.share(n, alpha.size)} of the pixels {so}" for so, n in counts.items() if n)
    return f"transparency composited on white: {', '.join(parts)}"


def bands(height: int, width: int) -> Iterator[slice]:
    """Yield slices of rows, so that wide temporaries stay small."""
    step = max(1, _BAND // width)
    for start in range(0, height, step):
        yield slice(start, start + step)


def _blend(samples: NDArray[Any], white: float, premultiplied: bool) -> NDArray[Any]:
    floats = samples.dtype.kind == "f"
    # 65535 * 65535 + 32767 still fits in uint32.
    wide = samples if floats else samples.astype(np.uint32)
    full: Any = wide.dtype.type(white)
    colours, alpha = wide[..., :-1], wide[..., -1:]
    if premultiplied:
        blended = np.minimum(colours + (full - alpha), full)
    else:
        blended = colours * alpha + full * (full - alpha)
        blended = blended if floats else (blended + full // 2) // full
    return np.asarray(blended)


def apply_palette(
    indices: NDArray[Any], palette: NDArray[np.uint8], opacity: NDArray[np.uint8] | None = None
) -> DecodedFile:
    """Return the colours of indices (H, W) in a palette (N, 3); a palette of greys gives grey."""
    # Indices beyond the palette are black; opacity (K,), K <= N, is alpha by index, and indices
    # from K on are opaque
    grey = bool((palette == palette[:, :1]).all())
    table = np.zeros((1 << (8 * indices.dtype.itemsize), 2 if grey else 4), np.uint8)
    table[:, -1] = 255
    table[: len(palette), :-1] = palette[:, :1] if grey else palette
    if opacity is not None:
        table[: len(opacity), -1] = opacity
    clear = bool((table[:, -1] < 255).any())
    table = np.ascontiguousarray(table if clear else table[:, :-1])
    samples = np.empty((*indices.shape, table.shape[1]), np.uint8)
    for rows in bands(*indices.shape):  # indices become 64 bits for the look-up
        samples[rows] = table[indices[rows]]
    return DecodedFile(
        samples,
        "straight" if clear else "none",
        indices=indices if indices.dtype == np.uint8 else None,
        notes=(f"palette of {len(palette)} {'greys' if grey else 'colours'}",),
    )
