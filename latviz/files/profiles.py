"""Colour profiles (ICC): RGB of 8 bits per channel becomes sRGB, by LittleCMS, as Pillow has it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import PIL.features
import PIL.Image
from numpy.typing import NDArray

from latviz.core.disk.errors import shortened

DAMAGED = "its colour profile is damaged, so it is not used"
_LACKING = "its colour profile is not used, because this copy of Pillow lacks LittleCMS"
_MODES = {"RGB": "RGB", "GRAY": "L"}
"""Pillow's modes by the colour spaces of profiles, for those spaces that images are read in."""
_ROUNDING = 1
"""Levels of 255 by which rounding may move a colour of a profile that is sRGB under any name."""
_GRID = range(0, 256, 15)
_BAND = 2**18
"""Pixels that are converted at a time."""

_KEPT = 4
"""Conversions that are kept: all pages of a volume have the same profile."""

Conversion = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]


@dataclass(frozen=True)
class _Profile:
    """The colour space of a profile, its name, and the conversion of greys or RGB to sRGB."""

    space: str
    name: str
    convert: Conversion | None
    is_srgb: bool


def to_srgb(samples: NDArray[Any], profile: bytes) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Return samples (H, W, C) of a profile in sRGB, with a note if that changes them."""
    # Samples other than RGB of 8 bits per channel, with or without alpha, stay as they are, with a
    # note; so do all if the profile is damaged. Converted in place if they are writable, as a large
    # image may fill the memory
    if not profile:
        return samples, ()
    if not PIL.features.check("littlecms2"):
        return samples, (_LACKING,)
    try:
        own = _read(profile)
    except (OSError, TypeError, ValueError):
        return samples, (DAMAGED,)
    if own.is_srgb:
        return samples, ()
    in_colour = samples.ndim == 3 and samples.shape[2] >= 3 and own.space == "RGB"
    if own.convert is None or not in_colour or samples.dtype != np.uint8:
        reason = "only RGB of 8 bits per channel is converted to sRGB"
        return samples, (f"its colour profile {own.name!r} is not used: {reason}",)
    return _converted(samples, own.convert), (f"colours converted from {own.name!r} to sRGB",)


@lru_cache(maxsize=_KEPT)
def _read(profile: bytes) -> _Profile:
    """Return a profile; OSError, TypeError or ValueError if it is damaged."""
    from PIL import ImageCms  # few files have a profile, and this takes 10 ms

    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        space = own.profile.xcolor_space.strip()
        name = shortened(" ".join(ImageCms.getProfileDescription(own).split())) or "unnamed"
        if space not in _MODES:
            return _Profile(space, name, None, is_srgb=False)
        srgb = ImageCms.createProfile("sRGB")
        transform = ImageCms.buildTransform(own, srgb, _MODES[space], "RGB")
    except ImageCms.PyCMSError as error:
        raise ValueError(str(error)) from error

    def convert(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.asarray(transform.apply(PIL.Image.fromarray(colours)))

    return _Profile(space, name, convert, _changes_nothing(convert, space))


def _changes_nothing(convert: Conversion, space: str) -> bool:
    """Return True if a profile is sRGB by its conversion of colours; its names are many."""
    if space == "GRAY":
        greys = np.arange(256, dtype=np.uint8)[None]
        before, after = np.repeat(greys[..., None], 3, axis=2), convert(greys)
    else:
        before = np.array(list(product(_GRID, repeat=3)), np.uint8)[None]
        after = convert(before)
    return int(np.abs(before.astype(np.int16) - after).max()) <= _ROUNDING


def _converted(samples: NDArray[Any], convert: Conversion) -> NDArray[Any]:
    if not samples.flags.writeable:
        samples = samples.copy()
    step = max(1, _BAND // samples.shape[1])
    for start in range(0, len(samples), step):
        colours = samples[start : start + step, :, :3]
        colours[...] = convert(np.ascontiguousarray(colours))
    return samples
