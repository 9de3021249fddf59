"""Mask files: images that are 0 where nothing is known of another one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import is_deep
from latviz.core.types import Shape
from latviz.files.errors import ImageError
from latviz.files.formats import suffixes
from latviz.files.images import ImageFile, format_of, read_lattice, reading
from latviz.files.pixels import shrunk_mask


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
            return read_lattice(path, volume=True)
    return read_lattice(path)


def _seen(file: ImageFile) -> NDArray[np.bool_]:
    """Return where any channel is not 0, and known."""
    values = file.pixels if file.indices is None else file.indices
    axes = 2 + is_deep(file.roles)
    there: NDArray[np.bool_] = (values != 0).reshape(*values.shape[:axes], -1).any(axis=-1)
    return there if file.known is None else there & file.known
