"""MATLAB files up to version 7.2: the only array of numbers."""

from __future__ import annotations

from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from scipy import io

from latviz.files.array_readers.bounds import check_room, only
from latviz.files.readers import ReadArray

_NUMERIC = {f"{sign}int{n}" for sign in ("", "u") for n in (8, 16, 32, 64)}
_NUMERIC |= {"double", "single", "logical"}
"""MATLAB's types of plain numbers."""


def read(stream: IO[bytes]) -> ReadArray:
    """Return the array, with slices before rows and columns."""
    listed = [one for one in io.whosmat(stream) if one[2] in _NUMERIC and np.prod(one[1]) > 1]
    shapes = {name: shape for name, shape, _ in listed}
    name = only(shapes, "scipy.io.loadmat(FILE)['NAME']")
    check_room(8 * int(np.prod(shapes[name], dtype=object)))
    stream.seek(0)
    return ReadArray(slices_first(io.loadmat(stream, variable_names=[name])[name]))


def slices_first(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of MATLAB, whose slices are the last axis, without axes of one entry."""
    array = np.squeeze(array)
    is_deep = array.ndim == 3 and array.shape[2] > 4
    return np.moveaxis(array, -1, 0) if is_deep else array
