"""TIFF files, through tifffile, and through Pillow's libtiff where that lacks a codec."""

from __future__ import annotations

import io
import lzma
import math
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import IO, Any

import numpy as np
import tifffile
from numpy.typing import NDArray

from latviz.core.axes import COLOUR, VECTOR, Axis, Role
from latviz.files.decoding import (
    Alpha,
    DecodedFile,
    DecodeError,
    aside,
    check_size,
    decoding,
    printed,
)
from latviz.files.memory import Cost, available, cost
from latviz.files.pixels import apply_palette
from latviz.files.planes import Planes
from latviz.files.profiles import DAMAGED
from latviz.files.raster import read_raster
from latviz.files.tiff_layout import TiffLayout, Units, layout_of, page_of, scale_notes
from latviz.files.tiff_parts import PICTURES, read_parts

_WHITE_IS_ZERO, _BLACK_IS_ZERO, _RGB, _PALETTE = range(4)
_YCBCR = 6
_RAW = 32803, 34892
"""Photometric interpretations of a camera's sensor: a filter array, and linear raw data."""
_LACKING = ("not configured", "not implemented", "not supported", "unknown raw mode")
"""Messages of libtiff and Pillow for a compression or layout that they lack."""
_ALPHA: dict[int, Alpha] = {1: "premultiplied", 2: "straight", 999: "straight"}
_INVERTED = "white is zero in it: inverted, so that larger values are lighter"
_NOT_INVERTED = "white is zero in it: not inverted, because its values have no largest one"
_ORIENTATION, _PROFILE, _NODATA = 274, 34675, 42113
_SIZES = ("imagewidth", "imagelength", "imagedepth", "samplesperpixel")
_MEMORY = 2**27
"""Bytes that unpacking may take by itself; the strongest usual setting of LZMA needs half."""
_INFLATERS: dict[int, tuple[Callable[[], Any], float]] = {
    8: (zlib.decompressobj, 1032),
    32946: (zlib.decompressobj, 1032),
    34925: (partial(lzma.LZMADecompressor, memlimit=_MEMORY), math.inf),
}
"""By the number of the compression: a decompressor, and its greatest ratio of sizes, about.

LZMA's memory depends on the part: each part is scanned."""
_BROKEN: tuple[type[Exception], ...] = (zlib.error, lzma.LZMAError, EOFError)
try:
    zstd = import_module("compression.zstd")
except ImportError:  # before Python 3.14; tifffile cannot read it either
    pass
else:  # it refuses more than _MEMORY by itself
    _INFLATERS |= dict.fromkeys((34926, 50000), (zstd.ZstdDecompressor, 2**15))
    _BROKEN += (zstd.ZstdError,)
_EXTRAVAGANT = 100
"""Bytes per pixel that only many channels or vast tiles take."""
_HARMLESS = 2**26
"""Bytes that any part may inflate to; one that could become more is measured before."""
MOST_SEARCHED = 16
"""Pages among which reduced ones are searched."""
_FED, _PIECE = 2**16, 2**20
"""Bytes of input, and of output, at a time."""


@contextmanager
def tiff_planes(stream: IO[bytes], reduction: int) -> Iterator[Planes]:
    """Yield the planes of a TIFF or BigTIFF file, in its own type, or raise `DecodeError`."""
    # Raised also for compressions and colours that neither tifffile nor Pillow decodes
    with decoding("TIFF"), tifffile.TiffFile(stream) as tif:
        layout = layout_of(tif, stream)
        first, _ = page_of(tif, layout, 0, stream)

        def decode(place: tuple[int, ...], whole: bool) -> DecodedFile:
            ifd, left_out = page_of(tif, layout, layout.plane_at(place), stream)
            decoded = _decode(ifd, stream, reduction, whole)
            return replace(decoded, notes=(*left_out, *decoded.notes))

        axes = (*layout.axes, *_axis_of_samples(first, layout))
        notes = (*layout.notes, *scale_notes(first))
        yield Planes(axes, decode, notes, layout.units.spacing, layout.units.unit)


def _axis_of_samples(ifd: Any, layout: TiffLayout) -> tuple[Axis, ...]:
    """Return the axis of several numbers that are stored with each pixel, if there are any."""
    n, photometric = ifd.samplesperpixel, int(ifd.photometric)
    opaque = [k for k in range(n) if k not in _alphas(ifd)]
    if photometric > _RGB or len(opaque) < 2 or not _by_tifffile(ifd):
        return ()
    usual: Role = VECTOR if len(opaque) == n else tuple(opaque)
    if photometric == _RGB and n > 2:
        usual = COLOUR
    name = "s" if "C" in layout.sizes else "c"
    units = layout.units if name == "c" else Units()
    names = units.channels if len(units.channels) == n else ()
    return (Axis(name, n, names, True, usual, units.colors),)


def _alphas(ifd: Any) -> list[int]:
    """Return which samples of a pixel are opacity."""
    first = ifd.samplesperpixel - len(ifd.extrasamples)
    return [first + k for k, kind in enumerate(ifd.extrasamples) if int(kind) in _ALPHA]


def size_of(stream: IO[bytes]) -> tuple[int, int]:
    """Return the rows and columns of the first page that is not a reduced copy."""
    with decoding("TIFF"), tifffile.TiffFile(stream) as tif:
        page, _ = page_of(tif, layout_of(tif, stream), 0, stream)
        return int(page.imagelength), int(page.imagewidth)


def read_reduced(stream: IO[bytes], side: int) -> DecodedFile | None:
    """Decode the smallest copy of the first page that is at least ``side`` long; or None."""
    # Such copies are for quick views; a tag marks them, and they follow the first page or are in it
    with decoding("TIFF"), tifffile.TiffFile(stream) as tif:
        first = tif.pages[0].aspage()
        inside = first.pages or ()
        following = (page.aspage() for page in list(tif.pages)[1:MOST_SEARCHED])
        reduced = [page for page in (*inside, *following) if page.is_reduced]
        large = [p for p in reduced if max(p.imagelength, p.imagewidth) >= side]
        if not large:
            return None
        ifd = min(large, key=lambda page: page.imagelength * page.imagewidth)
        return _decode(ifd, stream, 1)


def _check_layout(ifd: Any, reduction: int, stream: IO[bytes]) -> None:
    sizes = {name: getattr(ifd, name) for name in _SIZES}
    if not all(isinstance(size, int) for size in sizes.values()):
        raise DecodeError("its header gives several sizes for one image; get a fresh copy")
    if ifd.imagedepth > 1:
        raise DecodeError(f"it is a volume of {ifd.imagedepth} slices; save the slices one by one")
    price = _cost(ifd, os.fstat(stream.fileno()).st_size)
    needed = price.read * ifd.imagewidth * ifd.imagelength
    if price.read > _EXTRAVAGANT and needed > available():
        raise DecodeError(
            f"its {ifd.samplesperpixel} channels of {ifd.imagewidth} × {ifd.imagelength} pixels "
            f"take {needed / 1e9:.1f} GB, too much to be read; save fewer channels"
        )
    check_size(ifd.imagewidth, ifd.imagelength, price, reduction)


def _cost(ifd: Any, file_size: int) -> Cost:
    """Return the memory of a page, for each of its pixels."""
    dtype, extra, photometric = np.dtype(ifd.dtype or "u1"), ifd.extrasamples, int(ifd.photometric)
    n_pixels = max(1, ifd.imagewidth * ifd.imagelength)
    stored = ifd.samplesperpixel * dtype.itemsize
    colours = 3 if photometric in (_RGB, _PALETTE) else 1
    alpha = any(int(meaning) in _ALPHA for meaning in extra) or (
        photometric == _RGB and ifd.samplesperpixel == 4 and not extra
    )
    kept = colours + alpha
    turned = int(ifd.planarconfig) == 2 or _orientation(ifd) != 1
    # Decoded data; channels chosen or looked up in a palette; inverted data.
    held = stored if kept < ifd.samplesperpixel or photometric == _PALETTE else 0
    held += 2 * stored * (photometric == _WHITE_IS_ZERO)
    if _by_tifffile(ifd):
        held += _held_parts(ifd, file_size) / n_pixels
    else:
        single = ifd.samplesperpixel == 1 and photometric <= _PALETTE
        pillows = min(dtype.itemsize, 4) if single else 4
        held += pillows * (1 + turned + (photometric > _PALETTE)) + file_size / n_pixels
        kept = kept if single else max(kept, 3)
    return cost(
        np.uint8 if photometric == _PALETTE else dtype,
        kept,
        alpha=alpha,
        turned=turned,
        indexed=photometric == _PALETTE,
        held=held,
    )


def _by_tifffile(ifd: Any) -> bool:
    """Return True if tifffile decodes a page without another package."""
    known = int(ifd.compression) in (1, *_INFLATERS) and ifd.predictor in (1, 2)
    return known and int(ifd.photometric) <= _PALETTE and np.max(ifd.bitspersample) % 8 in (0, 1)


def _held_parts(ifd: Any, file_size: int) -> float:
    """Return the most bytes that tifffile holds of packed and unpacked strips or tiles."""
    if int(ifd.compression) == 1 and not ifd.is_tiled:
        return 0
    workers = min(tifffile.TIFF.MAXWORKERS, max(1, len(ifd.dataoffsets)))
    return float(2 * workers * _part_size(ifd) + min(file_size, tifffile.TIFF.BUFFERSIZE))


def _part_size(ifd: Any) -> int:
    """Return the bytes of a strip or tile, unpacked."""
    rows = ifd.tilelength if ifd.is_tiled else min(ifd.rowsperstrip, ifd.imagelength)
    columns = ifd.tilewidth if ifd.is_tiled else ifd.imagewidth
    bytes_ = math.ceil(np.max(ifd.bitspersample) / 8)
    planes = 1 if int(ifd.planarconfig) == 2 else ifd.samplesperpixel
    return int(rows * columns * planes * bytes_)


def _check_parts(ifd: Any, stream: IO[bytes]) -> None:
    """Refuse an image with a strip or tile that takes far more than its contents."""
    if int(ifd.compression) not in _INFLATERS:
        return
    inflater, most_times = _INFLATERS[int(ifd.compression)]
    most = max(_part_size(ifd), _HARMLESS)
    for offset, size in zip(ifd.dataoffsets, ifd.databytecounts, strict=False):
        if size * most_times > most:
            stream.seek(offset)
            _check_part(stream.read(size), inflater, most)


def _check_part(packed: bytes, inflater: Callable[[], Any], most: int) -> None:
    """Refuse data that inflate to more bytes than that, or take too much memory on the way."""
    view, current, total = memoryview(packed), inflater(), 0
    try:
        for start in range(0, len(packed), _FED):  # unused data are copied each time
            rest: memoryview | bytes = view[start : start + _FED]
            has_more = True
            while rest or has_more:
                n = len(current.decompress(rest, _PIECE))
                total, has_more = total + n, n == _PIECE and not current.eof
                if total > most:
                    raise DecodeError(
                        "a part of it inflates to more than the image can hold; get a fresh copy "
                        "or save it again"
                    )
                rest = getattr(current, "unconsumed_tail", b"")
                if current.eof:  # one stream may follow another
                    rest, current = current.unused_data, inflater()
    except _BROKEN as error:  # decoding reports it, if it gets that far
        if "limit" in str(error):
            raise DecodeError(
                f"unpacking a part of it takes more than {_MEMORY // 2**20} MiB by itself; get "
                "a fresh copy or save it with a smaller LZMA preset"
            ) from None


def _decode(ifd: Any, stream: IO[bytes], reduction: int, whole: bool = False) -> DecodedFile:
    """Decode a page, the only way to its samples, once it is known to fit into memory."""
    _check_layout(ifd, reduction, stream)
    _check_parts(ifd, stream)
    return replace(_samples(ifd, stream, reduction, whole), nodata=_nodata(ifd))


def _samples(ifd: Any, stream: IO[bytes], reduction: int, whole: bool) -> DecodedFile:
    why: Exception | None = None
    if int(ifd.photometric) in _RAW:
        raise DecodeError(
            "it holds the raw data of a camera's sensor; develop it with a program for raw "
            "photographs, and save it as TIFF or PNG"
        )
    if int(ifd.compression) in PICTURES:
        return _tagged(_interpret(ifd, read_parts(ifd, stream), whole), ifd)
    # Pillow spreads 2 and 4 bits over 0 to 255.
    if int(ifd.photometric) <= _PALETTE and ifd.bitspersample not in (2, 4):
        try:
            samples = ifd.asarray(squeeze=False)
        except tifffile.TiffFileError:
            raise
        except (ValueError, NotImplementedError, ImportError) as error:  # a codec that it lacks
            why = error
        else:
            return _tagged(_interpret(ifd, _channels_last(samples), whole), ifd)
    return _through_pillow(ifd, stream, reduction, why)


def _tagged(decoded: DecodedFile, ifd: Any) -> DecodedFile:
    """Return samples with what tags demand; Pillow has applied the orientation."""
    profile = ifd.tags.valueof(_PROFILE, b"")
    found = (profile, ()) if isinstance(profile, bytes) else (b"", (DAMAGED,))
    notes = (*decoded.notes, *found[1])
    return replace(decoded, orientation=_orientation(ifd), profile=found[0], notes=notes)


def _nodata(ifd: Any) -> str:
    """Return the number of pixels without data, as GDAL writes it; empty if there is none."""
    found = str(ifd.tags.valueof(_NODATA, "")).strip(" \0").replace(",", ".")
    with suppress(ValueError):
        float(found)
        return found
    return ""


def _orientation(ifd: Any) -> int:
    value = ifd.tags.valueof(_ORIENTATION, 1)
    return int(value) if isinstance(value, int) else 1


def _channels_last(samples: NDArray[Any]) -> NDArray[Any]:
    """Turn tifffile's (planes, 1, H, W, channels) into (H, W, channels)."""
    planes, _, height, width, channels = samples.shape
    if planes == 1:
        return samples.reshape(height, width, channels)
    return np.moveaxis(samples.reshape(planes, height, width), 0, 2)


def _interpret(ifd: Any, samples: NDArray[Any], whole: bool) -> DecodedFile:
    """Apply the tags to the samples, shape (H, W, C); ``whole`` keeps all of them, as they are."""
    photometric = int(ifd.photometric)
    if photometric == _YCBCR:  # reading parts has turned it into RGB
        photometric = _RGB
    if photometric == _PALETTE:
        return _from_colormap(samples[..., 0], ifd)
    alpha: Alpha = "none"
    notes: tuple[str, ...] = ()
    unknown: dict[str, NDArray[np.bool_]] = {}
    if not whole:
        samples, alpha, notes = _choose_channels(samples, photometric, tuple(ifd.extrasamples))
    elif opacities := _alphas(ifd):
        unknown = {"transparent": samples[..., opacities[0]] == 0}
    if photometric == _WHITE_IS_ZERO:
        colours = samples.shape[2] - (alpha != "none")
        samples, note = _invert(samples, ifd.bitspersample, colours)
        notes = (*notes, note)
    return DecodedFile(samples, alpha, unknown=unknown, notes=notes)


def _from_colormap(indices: NDArray[Any], ifd: Any) -> DecodedFile:
    colormap = np.asarray(ifd.colormap).T
    if colormap.max() > 255:
        colormap = colormap >> 8
    if indices.dtype == np.bool_:  # one bit a pixel
        indices = indices.astype(np.uint8)
    return apply_palette(indices, colormap.astype(np.uint8))


def _choose_channels(
    samples: NDArray[Any], photometric: int, extra: tuple[int, ...]
) -> tuple[NDArray[Any], Alpha, tuple[str, ...]]:
    """Keep the colours and the first alpha channel of samples, shape (H, W, C)."""
    colours = 3 if photometric == _RGB else 1
    there = samples.shape[2]
    if there < colours:
        raise DecodeError(f"it has {there} channels where {colours} were expected; save it again")
    if colours == 3 and there == 4 and not extra:
        extra = (2,)
    opacities = [k for k, meaning in enumerate(extra) if int(meaning) in _ALPHA][:1]
    kept = [*range(colours), *(colours + k for k in opacities)]
    alpha: Alpha = _ALPHA[int(extra[opacities[0]])] if opacities else "none"
    left = there - len(kept)
    notes = (f"{left} further channel{'s' if left > 1 else ''} left out",) if left else ()
    return samples[..., kept] if left else samples, alpha, notes


def _invert(samples: NDArray[Any], bits: int, colours: int) -> tuple[NDArray[Any], str]:
    """Invert the first channels of samples, shape (H, W, C), whose zero is white."""
    if samples.dtype.kind not in "bu":
        return samples, _NOT_INVERTED
    samples = samples.copy()
    if samples.dtype.kind == "b":
        samples[..., :colours] ^= True
    else:
        samples[..., :colours] = (2**bits - 1) - samples[..., :colours]
    return samples, _INVERTED


def _through_pillow(
    ifd: Any, stream: IO[bytes], reduction: int, why: Exception | None
) -> DecodedFile:
    stream.seek(0)
    whole, failure, bits = bytearray(stream.read()), None, ifd.bitspersample
    _begin_with(ifd, whole)
    in_palette = int(ifd.photometric) == _PALETTE and ifd.samplesperpixel == 1
    if (in_palette and bits != 8) or (int(ifd.photometric) == _WHITE_IS_ZERO and bits == 16):
        place = ifd.tags["PhotometricInterpretation"].valueoffset  # Pillow knows more kinds of grey
        whole[place : place + 2] = struct.pack(f"{ifd.parent.byteorder}H", _BLACK_IS_ZERO)
    with printed() as output:
        try:
            decoded = read_raster(io.BytesIO(whole), "TIFF", 0, reduction)
        except DecodeError as error:
            failure = error
    if failure is not None:
        raise _undecodable(ifd, why or failure, output) from failure
    if in_palette and bits != 8:
        decoded = _from_greys(decoded, ifd)
    samples, notes = _as_stored(decoded.samples, np.dtype(ifd.dtype)), decoded.notes
    if output:
        notes = (*notes, f"it is damaged, so parts of it may be wrong ({_sentence(output)})")
    if int(ifd.photometric) == _WHITE_IS_ZERO:
        if samples.dtype == np.uint16:
            samples = ~samples  # Pillow inverts up to 8 bits only
        notes = (*notes, _INVERTED if samples.dtype.kind in "bu" else _NOT_INVERTED)
    if _orientation(ifd) in range(2, 9):
        notes = (*notes, "turned or mirrored, as its orientation tag requires")
    return replace(decoded, samples=samples, notes=notes)


def _begin_with(ifd: Any, whole: bytearray) -> None:
    """Make a directory the first of a file, as Pillow finds none that is inside of another."""
    form = "Q" if ifd.parent.is_bigtiff else "I"
    struct.pack_into(f"{ifd.parent.byteorder}{form}", whole, 8 if form == "Q" else 4, ifd.offset)


def _from_greys(decoded: DecodedFile, ifd: Any) -> DecodedFile:
    """Return the colours of palette indices that Pillow took for greys and spread over 0 to 255."""
    bits = ifd.bitspersample
    step = 255 // (2**bits - 1) if bits in (2, 4) else 1
    found = _from_colormap(decoded.samples // np.uint8(step), ifd)
    return replace(decoded, samples=found.samples, indices=found.indices, notes=found.notes)


def _as_stored(samples: NDArray[Any], stored: np.dtype[Any]) -> NDArray[Any]:
    """Undo Pillow's taking 32 unsigned bits for signed ones, and 8 signed ones for unsigned."""
    samples = samples.astype(samples.dtype.newbyteorder("="), copy=False)
    kinds = samples.dtype.kind + stored.kind
    if kinds in ("iu", "ui") and samples.dtype.itemsize == stored.itemsize:
        return samples.view(stored.newbyteorder("="))
    return samples


def _undecodable(ifd: Any, why: Exception, output: list[str]) -> DecodeError:
    """Return the reason that no decoder could read a page; ``output`` is libtiff's output."""
    is_lacking = any(words in line for words in _LACKING for line in (*output, str(why.__cause__)))
    if output and not is_lacking:
        return DecodeError(
            f"it is a damaged or cut-off TIFF file ({_sentence(output)}); get a fresh copy"
        )
    if is_lacking or isinstance(why, ImportError) or "imagecodecs" in str(why):
        return DecodeError(
            f"its kind of TIFF ({_variety(ifd)}) cannot be decoded here; save it uncompressed "
            "with 8, 16 or 32 bits per channel, or install the Python package imagecodecs"
        )
    if isinstance(why, DecodeError):
        return why
    return DecodeError(f"it is a damaged or cut-off TIFF file{aside(why)}; get a fresh copy")


def _sentence(output: list[str]) -> str:
    """Return the first line of libtiff's output, without Pillow's name for all files."""
    return output[0].removeprefix("tempfile.tif: ").removesuffix(".")[:160]


def _variety(ifd: Any) -> str:
    """Describe the storage of a page: "12 bits a channel, LZW compression"."""
    parts = [f"{np.max(ifd.bitspersample)} bits per channel"]
    if ifd.compression != tifffile.COMPRESSION.NONE:
        parts.append(f"{getattr(ifd.compression, 'name', ifd.compression)} compression")
    if ifd.predictor != tifffile.PREDICTOR.NONE:
        parts.append(f"{getattr(ifd.predictor, 'name', ifd.predictor)} predictor".lower())
    return ", ".join(parts)
