"""Images that Pillow decodes, TIFF with libtiff's compressions among them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import IO, Any

import numpy as np
import PIL.features
import PIL.Image
import PIL.ImageFile
from numpy.typing import NDArray

from latviz.core.axes import Axis
from latviz.files.decoding import (
    Alpha,
    DecodedFile,
    DecodeError,
    aside,
    check_page,
    check_size,
    decoding,
)
from latviz.files.memory import Cost, cost
from latviz.files.pixels import apply_palette, bands
from latviz.files.planes import Planes
from latviz.files.profiles import DAMAGED

Opener = Callable[[], PIL.ImageFile.ImageFile]

_PLANAR_CONFIGURATION = 284
_OTHER_HALF = {"B": "L", "L": "B", "N": "B" if sys.byteorder == "little" else "L"}
# libtiff hands out native values, yet Pillow swaps the bytes of big-endian files once more.
_NATIVE = {"I;16BS": "I;16NS", "I;32BS": "I;32NS", "F;32BF": "F;32NF"}


def raw_mode(image: PIL.ImageFile.ImageFile) -> str:
    """Return the raw mode that an image will be decoded with, "" if it names none."""
    if not image.tile:
        return ""
    arguments = image.tile[0][3]
    first = arguments[0] if isinstance(arguments, tuple) and arguments else arguments
    return first if isinstance(first, str) else ""


def set_raw_mode(image: PIL.ImageFile.ImageFile, mode: str) -> None:
    """Have an image decoded with another raw mode."""
    tiles: list[Any] = []
    for tile in image.tile:
        arguments = (mode, *tile[3][1:]) if isinstance(tile[3], tuple) else mode
        fields = (*tile[:3], arguments)
        # Pillow 11 made the tile a named tuple.
        tiles.append(type(tile)(*fields) if hasattr(tile, "_fields") else fields)
    image.tile = tiles


def make_native(image: PIL.ImageFile.ImageFile) -> None:
    """Correct the raw mode of a big-endian TIFF that libtiff decodes."""
    mode = raw_mode(image)
    if mode in _NATIVE and image.tile[0][0] == "libtiff":
        set_raw_mode(image, _NATIVE[mode])


def is_deep(image: PIL.ImageFile.ImageFile) -> bool:
    """Return True if Pillow would reduce this image from 16 to 8 bits per channel."""
    return raw_mode(image)[-4:-1] == ";16" and not image.mode.startswith("I")


def read_deep(
    image: PIL.ImageFile.ImageFile, reopen: Opener
) -> tuple[NDArray[np.uint16], bool] | None:
    """Decode colour with 16 bits per channel (H, W, C); return if alpha premultiplied it, too."""
    # None if the image's layout cannot be handled. The image is opened and not yet loaded; loaded
    # afterwards. ``reopen`` opens it once more
    layout, _, depth = raw_mode(image).partition(";")
    if len(image.tile) != 1 or layout not in ("RGB", "RGBX", "RGBA", "RGBa", "LA"):
        return None
    if _has_planes(image):
        return None
    if layout == "LA":
        return _loaded(image, "RGBA").view(">u2").astype(np.uint16), False
    plain = "RGBA" if layout == "RGBa" else layout
    samples = _loaded(image, f"{plain};{depth}").astype(np.uint16)
    samples <<= 8
    samples |= _loaded(reopen(), f"{plain};16{_OTHER_HALF[depth[-1]]}")
    return samples, layout == "RGBa"


def _has_planes(image: PIL.ImageFile.ImageFile) -> bool:
    """Return True if a TIFF stores its channels separately: its raw mode is then ignored."""
    return getattr(image, "tag_v2", {}).get(_PLANAR_CONFIGURATION) == 2


def _loaded(image: PIL.ImageFile.ImageFile, mode: str) -> NDArray[np.uint8]:
    set_raw_mode(image, mode)
    image.load()
    return samples_of(image)


def samples_of(image: PIL.Image.Image) -> NDArray[Any]:
    """Return the samples of a loaded image, (H, W) or (H, W, C)."""
    # Pillow returns arrays by way of bytes, which it copies, so it gives few rows at a time
    first = np.asarray(image.crop((0, 0, image.width, 1)))
    samples = np.empty((image.height, *first.shape[1:]), first.dtype)
    for rows in bands(image.height, image.width):
        strip = image.crop((0, rows.start, image.width, min(rows.stop, image.height)))
        samples[rows] = np.asarray(strip)
    return samples


_STORED = {"1": 1, "L": 1, "P": 1, "I;16": 2}
"""Bytes per pixel that Pillow stores by mode; 4 in all others."""
_HELD = {"WEBP": 16, "JPEG2000": 12, "AVIF": 8, "HEIF": 8}
"""Bytes per pixel that a decoder also holds: canvases with transparency, or planes of integers."""
_CODECS = {"WEBP": "webp", "JPEG2000": "jpg_2000", "AVIF": "avif"}
"""By Pillow's name of a format, its name of the codec, which not every copy of Pillow has."""
_DEPTHS = {
    "JPEG2000": re.compile(rb"\xff\x4f\xff\x51.{38}(.)", re.DOTALL),
    "AVIF": re.compile(rb"av1C\x81.(.)", re.DOTALL),
}
"""The place of the sample depth in a header: ISO/IEC 15444-1, A.5.1, and AV1-ISOBMFF, 2.3.3."""
_HEAD = 2**16
_TYPES = {"1": np.bool_, "I;16": np.uint16, "I": np.int32, "F": np.float32}
_CONVERTED = ("CMYK", "YCbCr", "LAB", "HSV")
_UNITS = {"TIFF": "page", "MPO": "picture"}
_ALPHA: dict[str, Alpha] = {
    "LA": "straight",
    "RGBA": "straight",
    "La": "premultiplied",
    "RGBa": "premultiplied",
}
# A PNG's transparent grey is given in the file's own depth, which Pillow has scaled to 8 bits.
_GREY_STEPS = {"1": 255, "L;2": 85, "L;4": 17}
_ORIENTATION = 0x0112


def read_raster(stream: IO[bytes], kind: str, page: int, reduction: int = 1) -> DecodedFile:
    """Decode a page of a file through Pillow, by its name of the format, or raise `DecodeError`."""
    # Of a JPEG some of the reduction is done here, which saves memory; of a TIFF, Pillow has
    # applied the orientation
    with decoding(kind):
        image = _open(stream, kind, reduction)
        pages, unit = getattr(image, "n_frames", 1), _UNITS.get(str(image.format), "frame")
        check_page(page, pages, unit)

        def reopen() -> PIL.ImageFile.ImageFile:
            again = _open(stream, kind, reduction)
            for number in range(1, page + 1):  # each is drawn upon the one before
                again.seek(number)
                check_size(*again.size, cost_of(again, reduction), reduction)
            return again

        decoded = _pixels(reopen, pages > 1 and unit == "frame", reduction)
        stream.seek(0)
        return by_header(decoded, stream.read(_HEAD), kind)


@contextmanager
def raster_planes(stream: IO[bytes], kind: str, reduction: int) -> Iterator[Planes]:
    """Yield the frames of a file that Pillow reads, by its name of the format."""
    with decoding(kind):
        image = identified(stream, kind)
        n, name = getattr(image, "n_frames", 1), _UNITS.get(str(image.format), "frame")

    def decode(place: tuple[int, ...], _: bool) -> DecodedFile:
        return read_raster(stream, kind, place[0] if place else 0, reduction)

    yield Planes((Axis(name, n),) if n > 1 else (), decode)


def by_header(decoded: DecodedFile, head: bytes, kind: str) -> DecodedFile:
    """Return Pillow's result, with the depth and transparency that it does not report."""
    channels = decoded.samples.shape[2:]
    if kind == "TGA" and channels == (4,) and not head[17] & 15:
        note = "its fourth channel left out: it is not transparency according to its header"
        return replace(decoded, samples=decoded.samples[..., :3], alpha="none", notes=(note,))
    found = _DEPTHS[kind].search(head) if kind in _DEPTHS else None
    code = found[1][0] if found else 0
    bits = (code & 127) + 1 if kind == "JPEG2000" else 8 + (code >> 5 & 2) * (1 + (code >> 5 & 1))
    if bits > 8 and decoded.samples.dtype == np.uint8:
        note = f"reduced from {bits} to 8 bits per channel"
        return replace(decoded, notes=(*decoded.notes, note))
    return decoded


def _open(stream: IO[bytes], kind: str, reduction: int) -> PIL.ImageFile.ImageFile:
    image = identified(stream, kind)
    check_size(*image.size, cost_of(image, reduction), reduction)
    return image


def identified(stream: IO[bytes], kind: str) -> PIL.ImageFile.ImageFile:
    """Return an image with only its header read."""
    # OSError if the header makes no sense; DecodeError if this copy of Pillow lacks the codec
    check_codec(kind)
    try:
        return PIL.Image.open(stream, formats=(kind,))
    except PIL.UnidentifiedImageError as error:
        raise OSError("its header is not valid") from error


def check_codec(kind: str) -> None:
    """Raise `DecodeError` if Pillow's codec of a format is missing."""
    PIL.Image.preinit()  # the most common formats: loading all takes a fifth of a second
    if kind == "HEIF":
        import_module("pillow_heif").register_heif_opener()  # of an optional package
    if kind not in PIL.Image.OPEN:
        PIL.Image.init()
    is_known = kind in PIL.Image.OPEN
    if not is_known or (kind in _CODECS and not PIL.features.check(_CODECS[kind])):
        raise DecodeError(
            f"it is a {kind} file, which this copy of Pillow ({PIL.__version__}) cannot read; "
            "install a newer Pillow, or save it as PNG"
        )


def cost_of(image: PIL.ImageFile.ImageFile, reduction: int = 1) -> Cost:
    """Return the bytes per pixel of an image that is opened, but not loaded."""
    mode = "I;16" if image.mode.startswith("I;16") else image.mode
    stored = _STORED.get(mode, 4) + _HELD.get(str(image.format), 0)
    if image.format in ("GIF", "PNG") and image.tell():
        stored += 12  # the frame before, the restored part, and the drawn part
    turned = image.format not in ("GIF", "BMP")
    if is_deep(image):
        return _cost_of_deep(image, stored)
    if image.mode in ("P", "PA"):
        clear = image.mode == "PA" or "transparency" in image.info
        return cost(np.uint8, 3 + clear, alpha=clear, turned=turned, indexed=True, held=stored + 1)
    channels, dtype = len(image.getbands()), np.dtype(_TYPES.get(mode, np.uint8))
    if mode in _CONVERTED:
        channels, stored = 3, stored + 4
    alpha = mode in _ALPHA
    if "transparency" in image.info and not alpha:
        stored, channels, alpha = stored + channels * dtype.itemsize, channels + 1, True
    found = cost(dtype, channels, alpha=alpha, turned=turned, held=stored)
    if image.format != "JPEG":
        return found
    whole = 2 * len(image.getbands()) if "progressive" in image.info else 0
    return Cost(whole + found.read / _draft_scale(image, reduction) ** 2, found.kept)


def _cost_of_deep(image: PIL.ImageFile.ImageFile, stored: int) -> Cost:
    """Return the cost of colour with 16 bits per channel; Pillow stores it twice."""
    channels = len(raw_mode(image).partition(";")[0])
    if channels == 3 and "transparency" in image.info:
        return cost(np.uint16, 4, alpha=True, turned=True, held=2 * stored + 3 * 2)
    return cost(np.uint16, channels, alpha=channels != 3, turned=True, held=2 * stored)


def _draft_scale(image: PIL.ImageFile.ImageFile, reduction: int) -> int:
    """Return the divisor of a JPEG's sides while Pillow decodes it; see `draft`."""
    wanted = max(1, -(-image.width // reduction)), max(1, -(-image.height // reduction))
    scale = min(image.width // wanted[0], image.height // wanted[1])
    return next((step for step in (8, 4, 2) if step <= scale), 1)


def _pixels(reopen: Opener, animated: bool, reduction: int) -> DecodedFile:
    image = reopen()
    width = image.width
    if reduction > 1 and image.format == "JPEG":
        image.draft(image.mode, (-(-width // reduction), -(-image.height // reduction)))
    step = _GREY_STEPS.get(raw_mode(image), 1)
    decoded = _deep(image, reopen, animated) if is_deep(image) else _shallow(image)
    decoded = _transparent_colour(decoded, image, step)
    orientation, damaged = _orientation(image)
    profile, unread = _profile(image)
    return replace(
        decoded,
        orientation=orientation,
        reduced=round(width / image.width),
        profile=profile,
        notes=(*decoded.notes, *damaged, *unread),
    )


def _shallow(image: PIL.ImageFile.ImageFile) -> DecodedFile:
    make_native(image)
    image.load()
    return _from_mode(image)


def _deep(image: PIL.ImageFile.ImageFile, reopen: Opener, animated: bool) -> DecodedFile:
    """Decode colour with 16 bits per channel; the frames of an animation are blended in 8."""
    read = None if animated else read_deep(image, reopen)
    if read is None:
        decoded = _shallow(image)
        return replace(decoded, notes=(*decoded.notes, "reduced from 16 to 8 bits per channel"))
    samples, premultiplied = read
    if premultiplied:
        return DecodedFile(samples, "premultiplied")
    return DecodedFile(samples, "straight" if samples.shape[2] in (2, 4) else "none")


def _from_mode(image: PIL.Image.Image) -> DecodedFile:
    """Return the samples of a loaded image of any of Pillow's modes."""
    if image.mode == "P":
        return _from_palette(image)
    if image.mode == "PA":
        image = image.convert("RGBA")
    if image.mode in _CONVERTED:
        return _converted(image)
    return DecodedFile(samples_of(image), _ALPHA.get(image.mode, "none"))


def _converted(image: PIL.Image.Image) -> DecodedFile:
    try:
        pixels = samples_of(image.convert("RGB"))
    except ValueError as error:
        raise DecodeError(f"its colours are {image.mode}; convert it to RGB") from error
    article = "its" if image.info.get("icc_profile") else "a"
    note = f"{image.mode} turned into RGB without {article} colour profile"
    return DecodedFile(pixels, notes=(note,))


def _from_palette(image: PIL.Image.Image) -> DecodedFile:
    palette = np.array(image.getpalette("RGB") or [], np.uint8).reshape(-1, 3)
    opacity = image.info.get("transparency")
    if isinstance(opacity, int):
        opacity = b"\xff" * opacity + b"\0"
    alpha = np.frombuffer(opacity, np.uint8)[:256] if isinstance(opacity, bytes) else None
    return apply_palette(samples_of(image), palette, alpha)


def _transparent_colour(decoded: DecodedFile, image: PIL.Image.Image, step: int) -> DecodedFile:
    """Give the pixels of a PNG's one transparent colour an alpha of zero."""
    colour = image.info.get("transparency")
    if decoded.alpha != "none" or decoded.indices is not None or colour is None:
        return decoded
    samples = decoded.samples
    if samples.dtype == np.bool_:
        samples = samples.astype(np.uint8) * np.uint8(255)
    samples = samples.reshape(*samples.shape[:2], -1)
    wanted = np.multiply(colour, step).reshape(-1)
    if wanted.size != samples.shape[2]:
        return decoded
    height, width, n_colours = samples.shape
    wide = np.empty((height, width, n_colours + 1), samples.dtype)
    for rows in bands(height, width):
        wide[rows, :, :-1] = samples[rows]
        opaque = (samples[rows] != wanted).any(axis=2)
        wide[rows, :, -1] = np.where(opaque, 255 if samples.dtype == np.uint8 else 65535, 0)
    return replace(decoded, samples=wide, alpha="straight")


def _profile(image: PIL.Image.Image) -> tuple[bytes, tuple[str, ...]]:
    """Return the colour profile of an image, which Pillow does not apply; empty without one."""
    if image.mode in _CONVERTED:  # these notes say so
        return b"", ()
    found = image.info.get("icc_profile", b"")
    return (found, ()) if isinstance(found, bytes) else (b"", (DAMAGED,))


def _orientation(image: PIL.Image.Image) -> tuple[int, tuple[str, ...]]:
    """Return the orientation that Pillow does not apply, 1 by default."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception as error:  # damaged metadata raise many types, and are not worth a refusal
        return 1, (f"EXIF data ignored, because they are damaged{aside(error)}",)
    return (value, ()) if isinstance(value, int) else (1, ())
