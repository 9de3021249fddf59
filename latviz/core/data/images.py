"""Pictures as encodings take them: checked, and cut into images of two axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core.checks import as_array, check_integer, check_names, shown
from latviz.core.data.data_set import is_several
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.data.fingerprint import fingerprint
from latviz.core.data.method import Method
from latviz.core.data.turns import Turn, turn_of
from latviz.core.errors import ParameterError
from latviz.core.values import Value

Image = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Prepared(Value):
    """A picture as images that are encoded one by one, each prepared by the method."""

    # A volume is one tall image of slices below each other, or one image per slice if the encoding
    # uses surrounding pixels. Such an encoding gets the images turned to one orientation, so that
    # its observations turn with the images, to the last bit

    parts: list[Any]  # the method's prepared data of each image
    turn: Turn  # the turn of the encoded images
    shape: tuple[int, ...]  # of the lattice
    dtype: str  # of the pixels


def prepared_each(
    images: Any,
    labels: Any,
    encoding: Encoding,
    method: Method[Any],
    dimensions: int,
    dtype: str = "uint8",
    turn: Turn | None = None,
) -> list[Prepared]:
    """Prepare pictures that are to have one encoding; ``dtype`` and ``turn`` are an encoder's."""
    # `ParameterError` if there are none, one is not a picture, labels do not fit, or their kinds
    # differ
    images = _checked_arrays("images", images)
    given = [None] * len(images) if labels is None else _checked_arrays("labels", labels)
    if not images or len(given) != len(images):
        raise ParameterError(
            f"there must be at least one image, and labels for each, got {len(images)} images and "
            f"{len(given)} labels"
        )
    if dimensions > 1:
        images = [checked_picture(one, dimensions, encoding.kind.channels) for one in images]
        if dtype == "uint8" and all(map(_repeats_bytes, images)):
            images = [(one // 257).astype(np.uint8) for one in images]
        given = [
            None if own is None else _checked_labels(own, one.shape[:dimensions])
            for one, own in zip(images, given, strict=True)
        ]
        _check_alike(images, dimensions)
    if any(own is None for own in given):
        given = [None] * len(images)
    if turn is None:
        turn = _common_turn(images, dimensions) if encoding.kind.looks_around else Turn()
    return [
        _prepared(one, own, encoding, method, dimensions, turn)
        for one, own in zip(images, given, strict=True)
    ]


def given_pictures(
    image: Any, labels: Any, dimensions: Any
) -> tuple[list[Image], list[Any] | None, bool, bool]:
    """Return pictures and labels as lists, and if they are several, and if they are signals."""
    # Nested lists of numbers are one picture. A signal is an image of one row until it is encoded:
    # (n,), or (n, C) if one dimension is asked for; none is if dimensions are None
    several = isinstance(image, list | tuple) and (not image or is_several(image))
    images = [as_array("images", one) for one in (image if several else [image])]
    given = labels if several or labels is None else [labels]
    if dimensions is None:
        return images, given, several, False
    is_one = check_integer("dimensions", dimensions, 1, 3) == 1
    if not (is_one or any(one.ndim == 1 for one in images)):
        return images, given, several, False
    images = [one[None] for one in images]
    if isinstance(given, list | tuple):
        given = [None if one is None else as_array("labels", one)[None] for one in given]
    return images, given, several, True


def method_of(
    encoding: Any, dimensions: Any, alphabet: Any, channels: Any = ()
) -> tuple[Method[Any], int]:
    """Return the pictures' encoding, and their dimensions: one, if symbols have names."""
    if not isinstance(encoding, Encoding):
        raise ParameterError(f"encoding must be an Encoding, got {shown(encoding)}")
    dimensions = check_integer("dimensions", dimensions, 1, 3)
    names, kind = check_names("alphabet", alphabet), encoding.kind
    if names:
        if kind.of_sequence is None:
            own = " or ".join(f"“{k.title}”" for k in ENCODINGS.values() if k.suits(1))
            raise ParameterError(f"a sequence has its own symbols: its encoding is {own}")
        return kind.of_sequence(names), 1
    if kind.of_image is None:
        raise ParameterError(f"the encoding “{kind.title}” is for sequences only")
    options: dict[str, Any] = encoding.options
    given = check_names("channels", channels)
    if kind.channels:
        options["names"] = given
    elif given:
        raise ParameterError(f"the encoding “{kind.title}” has no channels with names")
    return kind.of_image(**options), max(dimensions, 2)


def _common_turn(images: Sequence[Image], dimensions: int) -> Turn:
    """Return the turn of one image, or slice, chosen regardless of order and turning."""
    if dimensions == 1:
        return Turn()
    every = list(images) if dimensions == 2 else [one for volume in images for one in volume]
    return turn_of(every[0] if len(every) == 1 else min(every, key=fingerprint))


def _prepared(
    image: Image,
    labels: Bytes | None,
    encoding: Encoding,
    method: Method[Any],
    dimensions: int,
    turn: Turn,
) -> Prepared:
    shape, dtype = image.shape[:dimensions], image.dtype.name
    if dimensions == 1:
        return Prepared([method.prepare(image, labels)], turn, image.shape, "uint8")
    parts: list[tuple[Image, Bytes | None]] = [(image, labels)]
    if dimensions == 3 and encoding.kind.looks_around:
        parts = [(one, None) for one in image]
    elif dimensions == 3:
        label_rows = None if labels is None else labels.reshape(-1, shape[2])
        parts = [(image.reshape(-1, *image.shape[2:]), label_rows)]
    prepared = [
        method.prepare(turn.of(one), None if own is None else turn.of(own)) for one, own in parts
    ]
    return Prepared(prepared, turn, shape, dtype)


def _checked_arrays(name: str, arrays: Any) -> list[Any]:
    """Return a sequence of arrays as a list; labels may be None."""
    if not isinstance(arrays, list | tuple):
        raise ParameterError(f"{name} must be a list of arrays, got {shown(arrays)}")
    return [None if one is None and name == "labels" else as_array(name, one) for one in arrays]


def checked_picture(array: Image, dimensions: int, channels: bool = False) -> Image:
    """Return an image or a volume as uint8, uint16 or float32, or raise `ParameterError`."""
    # channels: if its pixels may have any number of these, not just a grey or three colours
    if array.shape[dimensions:] == (4,) and not channels:
        array = _opaque(array)
    each = array.shape[dimensions:]
    fits = array.ndim >= dimensions and (each in ((), (3,)) or (channels and len(each) == 1))
    if fits and 0 not in array.shape:
        return _checked_pixels(array)
    what, axes = ("a volume", "D, H, W") if dimensions == 3 else ("image", "H, W")
    own = "C" if channels else "3"
    remedy = "" if channels or len(each) != 1 else "; for channels use Encoding('channels')"
    raise ParameterError(
        f"{what} must have shape ({axes}) or ({axes}, {own}), not empty, got {array.shape}{remedy}"
    )


def _opaque(array: Image) -> Image:
    """Return red, green and blue of pixels that have an opacity, too, which must be one for all."""
    if np.ptp(array[..., 3]):
        raise ParameterError(
            "image has transparent pixels: encode image[..., :3], and give mask=image[..., 3] > 0 "
            "to fit and decode"
        )
    return array[..., :3]


def _checked_pixels(array: Image) -> Image:
    if array.dtype in (np.uint8, np.uint16):
        return array
    if array.dtype.kind == "b":
        return array.view(np.uint8)
    if array.dtype in (np.int64, np.uint64) and array.min() >= 0 and array.max() < 1 << 32:
        array = array.astype(np.uint32)  # as NumPy makes integers by default
    if array.dtype.kind not in "iuf" or array.dtype in (np.int64, np.uint64):
        raise ParameterError(f"image must be uint8, uint16 or float, got {array.dtype}")
    with np.errstate(over="ignore"):
        array = array.astype(np.float32)
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ParameterError(
            f"image must be finite as float32, got {array[place]} at {place}: "
            "replace NaN and infinity (inf)"
        )
    return array


def _repeats_bytes(image: Image) -> bool:
    """Return True if an image of 16 bits is a widened one of 8: each byte is repeated."""
    # Results must equal those of the image of 8 bits
    rows = (image[k : k + 64] for k in range(0, len(image), 64))
    return image.dtype == np.uint16 and all((some % 257 == 0).all() for some in rows)


def _checked_labels(labels: npt.ArrayLike, shape: tuple[int, ...]) -> Bytes:
    array = as_array("labels", labels)
    if array.dtype != np.uint8 or array.shape != shape:
        raise ParameterError(
            f"labels must be uint8 of shape {shape}, got {array.dtype} of shape {array.shape}"
        )
    return array


def _check_alike(images: Sequence[Image], dimensions: int) -> None:
    kinds = sorted({f"{one.dtype} {one.shape[dimensions:]}" for one in images})
    if len(kinds) > 1:
        raise ParameterError(
            "images must all be of one dtype, and all grey or all in colour, got "
            + ", ".join(kinds)
        )
