"""HDF5, and MATLAB files of version 7.3: the only array of numbers."""

from __future__ import annotations

from typing import IO, Any

import h5py
import numpy as np

from latviz.files.array_readers.bounds import check_room, only
from latviz.files.array_readers.matlab import slices_first
from latviz.files.readers import ReadArray

_MATLAB = 512
"""Bytes before the content of a MATLAB file, whose axes are stored in reverse."""


def read(stream: IO[bytes]) -> ReadArray:
    """Return the array; axes that its dimension scales or ilastik name keep their names."""
    with h5py.File(stream, "r") as file:
        arrays: dict[str, Any] = {}

        def note(name: str, node: Any) -> None:
            if isinstance(node, h5py.Dataset) and node.dtype.kind in "buif" and node.size > 1:
                arrays[name] = node

        file.visititems(note)
        shapes = {name: node.shape for name, node in arrays.items()}
        found = arrays[only(shapes, "h5py.File(FILE)['NAME'][:]")]
        check_room(found.size * found.dtype.itemsize)
        if file.userblock_size == _MATLAB:
            return ReadArray(slices_first(np.asarray(found).T))
        axes = "".join(dimension.label for dimension in found.dims)
        is_named = len(set(axes)) == found.ndim and {"y", "x"} <= {*axes} <= {*"tczyx"}
        return ReadArray(np.asarray(found), axes if is_named else "")
