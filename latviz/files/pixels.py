"""Depth, transparency, palettes and orientation: from decoded samples to pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

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
BOUNDARY = 224, 224, 192
"""The colour of the label 255, which is void, in VOC's palette."""
_BAND = 2**16
"""Pixels to process at a time, to keep temporary arrays small."""


class Settled(NamedTuple):
    """An image in its final depth, colours, size and orientation."""

    # (H, W) or (H, W, C), uint8, uint16 or float32, contiguous and read-only, as all arrays here
    pixels: NDArray[Any]
    indices: NDArray[Any] | None  # palette indices (H, W), turned in the same way
    known: NDArray[np.bool_] | None  # (H, W); None: all pixels are
    reasons: tuple[str, ...]  # why others are not
    notes: tuple[str, ...]


def settle(decoded: DecodedFile, reduction: int = 1, in_colour: bool = True) -> Settled:
    """Bring samples to their final depth, colours, size, orientation; find the known pixels."""
    # decoded.reduced of ``reduction`` was done before; unknown pixels get the first known value.
    # in_colour: see `unknown_in`. DecodeError for samples that are not real numbers, and an alpha
    # channel without a known range
    known, reasons = unknown_in(decoded, in_colour)
    decoded = replace(
        decoded,
        samples=filled(decoded.samples, known),
        indices=None if decoded.indices is None else filled(decoded.indices, known),
    )
    samples, white, depth = to_depth(decoded.samples)
    colours: tuple[str, ...] = ()
    if decoded.alpha != "premultiplied":
        samples, colours = to_srgb(samples, decoded.profile)
    samples, transparency = on_white(samples, white, decoded, known)
    if decoded.alpha == "premultiplied":
        samples, colours = to_srgb(samples, decoded.profile)
    if samples.ndim == 3 and samples.shape[2] == 1:
        samples = samples[..., 0]
    indices, left = decoded.indices, reduction // decoded.reduced
    if left > 1:
        samples = shrunk(samples, left, known)
        if known is not None:
            known = shrunk_mask(known, left)
            samples = filled(samples, known)
        indices = None if indices is None else indices[left // 2 :: left, left // 2 :: left]
    o = decoded.orientation
    turned = (
        (f"{_ORIENTATIONS[o]}, as its EXIF orientation requires",) if o in _ORIENTATIONS else ()
    )
    indices, known = (None if one is None else frozen(turn(one, o)) for one in (indices, known))
    size = (f"reduced to 1/{reduction} of its width and height",) if reduction > 1 else ()
    notes = (*decoded.notes, *depth, *colours, *transparency, *size, *turned)
    return Settled(frozen(turn(samples, o)), indices, known, reasons, notes)


def unknown_in(
    decoded: DecodedFile, in_colour: bool = True
) -> tuple[NDArray[np.bool_] | None, tuple[str, ...]]:
    """Return which pixels are known (H, W), None if all are, and why others are not."""
    # in_colour: if a pixel without data has the declared value in all channels, as 0 is black. Of
    # other channels each is a measurement, and one that is missing makes the pixel unknown
    height, width = decoded.samples.shape[:2]
    known: NDArray[np.bool_] | None = None
    reasons = dict[str, None]()
    for rows in bands(height, width):
        for why, where in _unknown(decoded, rows, in_colour):
            if where.any():
                reasons[why] = None
                known = np.ones((height, width), bool) if known is None else known
                known[rows] &= ~where
    return known, tuple(reasons)


def _unknown(
    decoded: DecodedFile, rows: slice, in_colour: bool
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield why pixels of some rows may be unknown, and where they are."""
    samples = decoded.samples[rows]
    channels = samples.reshape(*samples.shape[:2], -1)
    if decoded.nodata and not math.isnan(float(decoded.nodata)):
        same = _without_data(decoded, rows)
        where = same.all(axis=2) if in_colour else same.any(axis=2)
        yield f"nodata value {decoded.nodata}", np.asarray(where)
    if samples.dtype.kind == "f" and not np.isfinite(channels).all():
        yield "NaN", np.isnan(channels).any(axis=2)
        yield "infinite", np.isinf(channels).any(axis=2)
    if decoded.alpha != "none":
        yield "transparent", channels[..., -1] == 0
    yield from ((why, where[rows]) for why, where in decoded.unknown.items())


def unknown_notes(known: NDArray[np.bool_] | None, reasons: Sequence[str]) -> Iterator[str]:
    """Yield a note on the unknown nodes of a lattice; `DecodeError` if none is known."""
    if known is None:
        return
    *slices, height, _ = known.shape
    nodes = "voxels" if slices else "pixels" if height > 1 else "positions"
    why = " or ".join(reasons)
    if not known.any():
        raise DecodeError(
            f"nothing is known of its {known.size:,} {nodes} ({why}); choose another file"
        )
    n = known.size - np.count_nonzero(known)
    yield f"{n:,} of {known.size:,} {nodes} are unknown ({why})"


def filled(samples: NDArray[Any], known: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Return samples (*shape, ...) with the first known ones for unknown pixels; 0 if none is."""
    if known is None:
        return samples
    if not samples.flags.writeable:  # else none but its decoder had it
        samples = samples.copy()
    first = np.unravel_index(int(known.argmax()), known.shape)
    value = samples[first].copy() if known[first] else 0
    for rows in bands(len(known), known[0].size):
        unknown = ~known[rows].reshape(-1, *known.shape[1:], *(1,) * (samples.ndim - known.ndim))
        np.copyto(samples[rows], value, where=unknown)
    return samples


def _without_data(decoded: DecodedFile, rows: slice) -> NDArray[np.bool_]:
    """Return which channels of some rows hold the declared nodata value, (H, W, C)."""
    # Of an image with a palette, the value is an index. Floats are equal up to rounding, as a text
    # may have fewer digits than they
    stored = (decoded.samples if decoded.indices is None else decoded.indices)[rows]
    if decoded.alpha != "none" and decoded.indices is None:
        stored = stored[..., :-1]
    stored, value = stored.reshape(*stored.shape[:2], -1), np.float64(decoded.nodata)
    rounding = 4 * np.finfo(stored.dtype).eps if stored.dtype.kind == "f" else 0
    return np.asarray(np.isclose(stored, value, rtol=rounding, atol=0), bool)


def shrunk(
    samples: NDArray[Any], reduction: int, known: NDArray[np.bool_] | None = None
) -> NDArray[Any]:
    """Return the mean of the known pixels of each square of samples (H, W, ...), or 0."""
    # Squares at the border may be cut
    height, width = samples.shape[:2]
    columns = np.arange(0, width, reduction)
    per_pixel = (-1, *(1,) * (samples.ndim - 2))
    out = np.empty((-(-height // reduction), columns.size, *samples.shape[2:]), samples.dtype)
    for row in range(len(out)):
        rows = slice(row * reduction, (row + 1) * reduction)
        strip = samples[rows]
        inside = np.ones(strip.shape[:2], bool) if known is None else known[rows]
        counts = np.maximum(np.add.reduceat(inside.sum(axis=0), columns), 1)
        chosen = inside.reshape(len(strip), *per_pixel)
        sums = np.add.reduceat(strip.sum(axis=0, dtype=np.float64, where=chosen), columns, axis=0)
        means = sums / counts.reshape(per_pixel)
        out[row] = means if samples.dtype.kind == "f" else np.rint(means)
    return out


def shrunk_mask(known: NDArray[np.bool_], reduction: int) -> NDArray[np.bool_]:
    """Return which squares of a mask (H, W) hold a known pixel."""
    return np.asarray(shrunk(known.astype(np.float32), reduction) > 0)


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
    # White is also full opacity; NaN and infinity stay. DecodeError for complex numbers, other
    # types, and finite values that float32 cannot hold
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
            finite = samples[np.isfinite(samples)]
            least, most = (finite.min(), finite.max()) if finite.size else (least, least)
        pixels = samples.astype(np.float32, copy=False)
        low, high = np.float32(least), np.float32(most)
    if np.isfinite(least) and not (np.isfinite(low) and np.isfinite(high)):
        bad = int(np.count_nonzero(np.isfinite(samples) & ~np.isfinite(pixels)))
        raise DecodeError(f"it has {bad:,} values too large for float32; scale them down first")
    if low == high and least < most:
        raise DecodeError(
            f"its values, from {least!s} to {most!s}, are all the same as float32; subtract the "
            "least one and scale them up first"
        )
    return pixels, 1.0, () if name == "float32" else (f"{name} turned into float32",)


def on_white(
    samples: NDArray[Any],
    white: float,
    decoded: DecodedFile,
    known: NDArray[np.bool_] | None = None,
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
    partly = int(np.count_nonzero((alpha < white) if known is None else (alpha < white) & known))
    part = digits.share(partly, alpha.size)
    return blended, (f"partly transparent pixels composited on white: {part}",)


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
    # from K on are opaque. In VOC's palette 255 is void
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
        unknown={"void": indices == 255} if palette[255:256].tolist() == [[*BOUNDARY]] else {},
        notes=(f"palette of {len(palette)} {'greys' if grey else 'colours'}",),
    )
