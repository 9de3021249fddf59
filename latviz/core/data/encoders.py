"""From a picture to a lattice of observations, by any encoding that is registered.

Grey values are in the image's own units: 0..255 for uint8, 0..65535 for uint16, the range of the
image for floats. The grey of a colour image is its Rec. 709 luma, rounded to a whole number where
symbols are made of a uint8 or uint16 image. Where colours are shown or compared, uint8 stands for
0..255 and floats within [0, 1] for themselves; any other image is stretched from its own least
value to its greatest.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core.checks import as_array, check_integer, check_names, shown
from latviz.core.data.encoding import ENCODINGS, Encoding, EncodingKind
from latviz.core.data.observations import Observations
from latviz.core.errors import ParameterError

Image = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]


def encode(
    image: npt.ArrayLike,
    encoding: Encoding,
    *,
    labels: npt.ArrayLike | None = None,
    dimensions: int = 2,
    alphabet: Sequence[str] = (),
) -> Observations:
    """Make observations of an image, a volume or a sequence.

    These are the program's own encodings; `register_encoding` adds others.

    quantiles
        M bins of grey that are as even as possible: no single edge could move and make its two
        bins more even. A grey value is never split. With fewer than M values some bins are unused.
    levels
        M bins of equal width: over 0..255 for uint8, else from the image's least value to its
        greatest.
    palette
        At most M colours by Fast PNN in CIELAB, in the order of L*, rounded to 8 bits. Every pixel
        takes the nearest of them in CIELAB. M is as many as differ and occur.
    labels
        Ranks of the distinct values, or of the distinct colours (by red, then green, then blue).
        Greys too alike to be told apart are shown in colours made up for them.
    grey, rgb
        The image's own units.
    lab
        L*, a*, b*.
    texture
        With s = ``encoding.scale`` pixels: the grey value; s times the magnitude of the gradient
        of the grey smoothed with s; the standard deviation of the grey in a Gaussian window of s.
        All are in units of grey, and on a plain slope the last two are equal.

    Parameters
    ----------
    image : (H, W) or (H, W, 3) uint8, uint16 or float
        Finite, H and W at least 1. Floats are taken as float32. Of three dimensions
        (D, H, W) or (D, H, W, 3): bins, palette and labels are those of all slices together;
        texture is that of each slice.
    encoding : Encoding
        Which encoding.
    labels : (H, W) or (D, H, W) uint8, optional
        Palette indices of the image, which the encoding "labels" then ranks in place of the
        image's values; the image still gives the colours. Encodings without ``uses_labels``
        ignore it.
    dimensions : {2, 3}, optional
        How many of the image's axes are the lattice's; one more holds colours.
    alphabet : sequence of M str, optional
        The names of all symbols. The image is then a sequence of symbols, (n,) integers 0..M-1.

    Returns
    -------
    Observations
        Its lattice has the image's (H, W) or (D, H, W), or the sequence's (n,).

    Raises
    ------
    ParameterError
        If the image is none of these, it cannot have the encoding, `labels` does not fit it, or
        there are more than 64 labels.
    """
    names, image = _checked_choice(encoding, dimensions, alphabet), as_array("image", image)
    if names:
        return _encode_sequence(image, encoding.kind, names)
    if labels is not None:
        labels = _checked_labels(labels, image.shape[: max(dimensions, 2)])
    if dimensions == 3:
        return _encode_volume(image, encoding, labels)
    return _encode_image(_checked_image(image), encoding, labels)


def encode_each(
    images: Sequence[Image],
    encoding: Encoding,
    *,
    labels: Sequence[Image | None] | None = None,
    dimensions: int = 2,
    alphabet: Sequence[str] = (),
) -> list[Observations]:
    """Make observations of several images, volumes or sequences, which share one encoding.

    Bins, palette and labels are those of all images together, so that a symbol means the same in
    each of them. An encoding that looks around a pixel never looks into another image.

    Parameters
    ----------
    images : sequence of ndarray
        Each as `encode` takes it; all of one dtype, all grey or all in colour.
    encoding, dimensions, alphabet
        As in `encode`.
    labels : sequence of ndarray or None, optional
        Palette indices of each image; they count if all images have them.

    Returns
    -------
    list of Observations
        One for each image.

    Raises
    ------
    ParameterError
        As in `encode`; or if the images are of different kinds.
    """
    names = _checked_choice(encoding, dimensions, alphabet)
    images = _checked_arrays("images", images)
    given = [None] * len(images) if labels is None else _checked_arrays("labels", labels)
    if not images or len(given) != len(images):
        raise ParameterError(
            f"there must be an image or more, and labels for each, got {len(images)} images and "
            f"{len(given)} labels"
        )
    if len(images) == 1 or names or encoding.kind.looks_around:
        return [
            encode(one, encoding, labels=beside, dimensions=dimensions, alphabet=names)
            for one, beside in zip(images, given, strict=True)
        ]
    for one, beside in zip(images, given, strict=True):
        if one.ndim not in (dimensions, dimensions + 1) or one.size == 0:
            raise ParameterError(
                f"images must have {dimensions} axes and perhaps colours, got shape {one.shape}"
            )
        if beside is not None:
            _checked_labels(beside, one.shape[:dimensions])
    if len({(one.dtype, one.shape[dimensions:]) for one in images}) > 1:
        kinds = ", ".join(sorted({f"{one.dtype} {one.shape[dimensions:]}" for one in images}))
        raise ParameterError(
            f"images must all be of one dtype, and all grey or all in colour, got {kinds}"
        )
    column = np.concatenate([one.reshape(-1, 1, *one.shape[dimensions:]) for one in images])
    beside = [one.reshape(-1, 1) for one in given if one is not None]
    known = np.concatenate(beside) if len(beside) == len(images) else None
    found = encode(column, encoding, labels=known)
    ends = np.cumsum([math.prod(one.shape[:dimensions]) for one in images])
    parts = np.split(found.values[:, 0], ends[:-1])
    return [
        replace(found, values=part.reshape(*one.shape[:dimensions], *part.shape[1:]))
        for one, part in zip(images, parts, strict=True)
    ]


def _checked_choice(encoding: Any, dimensions: Any, alphabet: Any) -> tuple[str, ...]:
    """Check what images of all kinds are encoded by; return the names of symbols."""
    if not isinstance(encoding, Encoding):
        raise ParameterError(f"encoding must be an Encoding, got {shown(encoding)}")
    check_integer("dimensions", dimensions, 1, 3)
    return check_names("alphabet", alphabet)


def _checked_arrays(name: str, arrays: Any) -> list[Any]:
    """Return a sequence of arrays, of which some may be None, as a list."""
    if not isinstance(arrays, list | tuple):
        raise ParameterError(f"{name} must be a list of arrays, got {shown(arrays)}")
    return [None if one is None and name == "labels" else as_array(name, one) for one in arrays]


def _encode_sequence(symbols: Image, kind: EncodingKind, alphabet: tuple[str, ...]) -> Observations:
    if kind.of_sequence is None:
        own = " or ".join(f"“{k.title}”" for k in ENCODINGS.values() if k.suits(1))
        raise ParameterError(f"a sequence has symbols of its own: its encoding is {own}")
    return kind.of_sequence(symbols, alphabet)


def _encode_image(image: Image, encoding: Encoding, labels: Bytes | None) -> Observations:
    kind = encoding.kind
    if kind.of_image is None:
        raise ParameterError(f"the encoding “{kind.title}” is for sequences only")
    given: dict[str, Any] = {}
    if kind.uses_symbols:
        given["n_symbols"] = encoding.n_symbols
    if kind.uses_scale:
        given["scale"] = encoding.scale
    if kind.uses_labels:
        given["labels"] = labels
    return kind.of_image(image, **given)


def _encode_volume(volume: Image, encoding: Encoding, labels: Bytes | None) -> Observations:
    """Encode the slices below each other, as one tall image; or slice by slice."""
    if volume.ndim not in (3, 4) or 0 in volume.shape:
        raise ParameterError(
            f"a volume must have shape (D, H, W) or (D, H, W, 3), not empty, got {volume.shape}"
        )
    shape = volume.shape[:3]
    if encoding.kind.looks_around:
        slices = [encode(one, encoding) for one in volume]
        return replace(slices[0], values=np.stack([part.values for part in slices]))
    if labels is not None:
        labels = labels.reshape(-1, shape[2])
    found = encode(volume.reshape(-1, *volume.shape[2:]), encoding, labels=labels)
    return replace(found, values=found.values.reshape(*shape, *found.values.shape[2:]))


def _checked_image(array: Image) -> Image:
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] != 3) or array.size == 0:
        raise ParameterError(
            f"image must have shape (H, W) or (H, W, 3), not empty, got {array.shape}"
        )
    if array.dtype in (np.uint8, np.uint16):
        return array
    if not np.issubdtype(array.dtype, np.floating):
        raise ParameterError(f"image must be uint8, uint16 or float, got {array.dtype}")
    with np.errstate(over="ignore"):
        array = array.astype(np.float32)
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ParameterError(f"image must be finite as float32, got {array[place]} at {place}")
    return array


def _checked_labels(labels: npt.ArrayLike, shape: tuple[int, ...]) -> Bytes:
    array = as_array("labels", labels)
    if array.dtype != np.uint8 or array.shape != shape:
        raise ParameterError(
            f"labels must be uint8 of shape {shape}, got {array.dtype} of shape {array.shape}"
        )
    return array
