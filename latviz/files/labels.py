"""Label images, with the known state of each pixel, and masks, 0 where nothing is known."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import LATTICE, VOLUME, is_deep
from latviz.core.checks import UNKNOWN
from latviz.core.data.label_names import label_name
from latviz.core.types import Shape, States
from latviz.files.errors import ImageError
from latviz.files.formats import suffixes
from latviz.files.images import ImageFile, format_of, read_lattice, read_samples, reading
from latviz.files.pixels import BOUNDARY, shrunk_mask, turn, unknown_in

MOST_CLASSES = 64
"""Distinct labels of an image."""
UNLABELLED = -1
"""The label that means "not labelled" wherever numbers may be negative."""
VOID = 255, 65535
"""The labels that mean "no class" among labels that count from 0."""
_GREY = 0x010101
"""A grey as a colour, in one number, is its value times this."""


def read_labels(
    path: Path, shape: tuple[int, ...], reduction: int = 1
) -> tuple[States, tuple[str, ...]]:
    """Return each pixel's class (H, W), 0 to T - 1 or `UNKNOWN`, and T values, increasing."""
    # Not classes are NaN, -1, transparent pixels, those without data, and void: 255, or 65535, next
    # to labels that are all below 64, unless these are only 0, as in a mask of 0 and 255. For
    # colours the same holds for greys, and for VOC's palette, whose colour for 255 is BOUNDARY. A
    # value is "17", a colour "#00ff80", or an index. With a ``reduction`` every reduction-th row
    # and column is used. ImageError for another shape than the image's, no class or too many, and
    # formats that change values
    labels = _read(path)
    if reduction > 1:
        labels = labels.reduced(reduction, shape)
    if labels.values.shape != shape:
        own, wanted = (" × ".join(map(str, one[::-1])) for one in (labels.values.shape, shape))
        raise ImageError(
            path,
            f"its labels are {own} pixels, but the image is {wanted}; choose labels of that size",
        )
    found, places = np.unique(labels.values[labels.is_known], return_inverse=True)
    is_class = found != labels.void(found)
    n_classes = int(is_class.sum())
    if n_classes == 0:
        raise ImageError(path, "none of its pixels has a class: all are unlabelled")
    if n_classes > MOST_CLASSES:
        raise ImageError(
            path,
            f"it has {n_classes:,} labels, and at most {MOST_CLASSES} can be compared with states; "
            "give objects of one class the same label",
        )
    ranks = np.where(is_class, np.cumsum(is_class) - 1, UNKNOWN).astype(np.uint8)
    states = np.full(shape, UNKNOWN, dtype=np.uint8)
    states[labels.is_known] = ranks[places]
    return states, tuple(map(labels.name, found[is_class]))


@dataclass(frozen=True)
class _Labels:
    """A number per pixel (H, W), and where it is a class, apart from void."""

    values: NDArray[Any]
    is_known: NDArray[np.bool_]
    in_colour: bool = False

    def reduced(self, reduction: int, shape: tuple[int, ...]) -> _Labels:
        """Return every ``reduction``-th row and column."""
        middle = slice(reduction // 2, None, reduction)
        cut = [one[middle, middle][: shape[0], : shape[1]] for one in (self.values, self.is_known)]
        return replace(self, values=cut[0], is_known=cut[1])

    def void(self, found: NDArray[Any]) -> float:
        """Return the number that means no class, or NaN."""
        if not self.in_colour:
            return next((void for void in VOID if _is_void(void, found)), math.nan)
        if not (found % _GREY).any():
            return VOID[0] * _GREY if _is_void(VOID[0], found // _GREY) else math.nan
        void = int(_packed(np.array(BOUNDARY, np.uint8)))
        return void if np.isin(found, [*_voc_colours(), void]).all() else math.nan

    def name(self, value: Any) -> str:
        """Return the name of a number."""
        return f"#{value:06x}" if self.in_colour else label_name(value)


def _is_void(void: int, found: NDArray[Any]) -> bool:
    """Return True if a label means "no class", by the others: these count from 0, without gaps."""
    others = found[found != void]
    return others.size < found.size and bool(others.any()) and others.max() < MOST_CLASSES


def _read(path: Path) -> _Labels:
    found, decoded = read_samples(path)
    names = suffixes()
    if found.suffixes[0] in names.lossy:
        better = f"which may change values; save it as {names.labels[0]}"
        raise ImageError(path, f"its format is {found.name}, {better}")
    samples, known = turn(decoded.samples, decoded.orientation), unknown_in(decoded)[0]
    is_known = np.ones(samples.shape[:2], dtype=bool)
    if known is not None:
        is_known = turn(known, decoded.orientation).copy()
    if decoded.alpha != "none":
        samples = samples[..., :-1]
    colours = samples[..., 0] if samples.ndim == 3 and samples.shape[2] == 1 else samples
    if decoded.indices is not None:
        return _Labels(turn(decoded.indices, decoded.orientation), is_known)
    if colours.ndim == 3:
        if colours.dtype != np.uint8:
            raise ImageError(path, "labels in colour must have 8 bits per channel; save it as such")
        return _Labels(_packed(colours), is_known, in_colour=True)
    if colours.dtype.kind == "b":
        colours = colours.astype(np.uint8) * np.uint8(255)
    if colours.dtype.kind not in "iuf":
        raise ImageError(path, f"its values are of type {colours.dtype}; save real numbers instead")
    is_known &= colours != UNLABELLED
    return _Labels(colours, is_known)


def _packed(colours: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return red, green and blue in one number per pixel."""
    wide = colours.astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2])


def _voc_colours() -> list[int]:
    """Return the colours of VOC's palette, in one number each, by their label."""
    found = []
    for label in range(MOST_CLASSES):
        bits = [[label >> (3 * k + c) & 1 for k in range(8)] for c in range(3)]
        red, green, blue = (sum(b << (7 - k) for k, b in enumerate(own)) for own in bits)
        found.append(red << 16 | green << 8 | blue)
    return found


def read_mask(path: Path, shape: Shape, reduction: int = 1) -> NDArray[np.bool_]:
    """Return where the nodes of a lattice of a ``shape`` are known: where a mask file is not 0."""
    # An image masks each slice of a volume. Of a lattice that was reduced, a node is known if one
    # of its pixels is. ImageError for another shape, and formats that change values
    with reading(path) as (stream, _):
        row = format_of(stream)
    if row.suffixes[0] in suffixes().lossy:
        usual = suffixes().labels[0]
        reason = f"its format is {row.name}, which may change values; save it as {usual}"
        raise ImageError(path, reason)
    found = _seen(_file(path, len(shape)))
    if reduction > 1:
        slices = found.reshape(-1, *found.shape[-2:])
        found = np.stack([shrunk_mask(one, reduction) for one in slices])
        found = found[0] if len(found) == 1 else found
    if found.shape not in (shape, shape[1:], (1, *shape)):
        own, wanted = (" × ".join(map(str, one[::-1])) for one in (found.shape, shape))
        raise ImageError(path, f"it is {own} pixels, but the image is {wanted}; make them equal")
    return np.broadcast_to(found.reshape(found.shape[-len(shape) :]), shape)


def _file(path: Path, dimensions: int) -> ImageFile:
    """Read a mask as a volume if it is one, and is to be one."""
    if dimensions > 2:
        with suppress(ImageError):  # it is one image, or reading it as one gives the reason
            return read_lattice(path, {VOLUME: LATTICE})
    return read_lattice(path)


def _seen(file: ImageFile) -> NDArray[np.bool_]:
    """Return where any channel is not 0, and known."""
    values = file.pixels if file.indices is None else file.indices
    axes = 2 + is_deep(file.roles)
    there: NDArray[np.bool_] = (values != 0).reshape(*values.shape[:axes], -1).any(axis=-1)
    return there if file.known is None else there & file.known
