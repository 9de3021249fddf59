"""Readers that return the whole array of a file: what they return, and those of other packages.

Another package reads its format through the entry point ``latviz.readers``: a `FileReader`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latviz.core import plugins

if TYPE_CHECKING:  # names of formats are asked for before NumPy is loaded
    import numpy as np
    from numpy.typing import NDArray

GROUP = "latviz.readers"


@dataclass(frozen=True, eq=False)
class ReadArray:
    """The numbers in a file, and what its axes are."""

    array: NDArray[Any]
    # of t, c, z, y, x, and s for red, green, blue and opacity, a letter an axis; empty: as in .npy
    axes: str = ""
    names: tuple[str, ...] = ()  # of the channels
    spacing: tuple[float, ...] = ()  # of the nodes along each axis
    unit: str = ""  # of the spacing: a length
    mask: NDArray[np.bool_] | None = None  # (*shape of the array): what is known


@dataclass(frozen=True)
class FileReader:
    """A format of another package: the object that an entry point names."""

    name: str  # for messages
    suffixes: tuple[str, ...]  # of its files' names, in lower case
    read: Callable[[Path], Any]  # a `ReadArray`, or an ``xarray.DataArray``
    signature: bytes = b""  # that its files begin with; empty: the suffix decides

    def takes(self, head: bytes, name: str) -> bool:
        """Return True for a file that begins with these bytes, or has this name."""
        if self.signature:
            return head.startswith(self.signature)
        return name.lower().endswith(self.suffixes)


@cache
def plugged() -> tuple[FileReader, ...]:
    """Return the readers of other packages; warn once of those that cannot be used."""
    found: list[FileReader] = []
    plugins.load_with_warnings(GROUP, FileReader, found.append)
    return tuple(found)
