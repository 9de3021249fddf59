"""Names for the kinds of arrays that the core passes around.

Letters in shapes: N states, M symbols or channels, W windows, d axes of a lattice. ``(*shape)`` is
the shape of a lattice of any dimension: a sequence, an image, a volume.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
"""The lengths of a lattice's d axes."""
Region = tuple[slice, ...]
"""A box of nodes: a slice for each axis, with its start and its stop."""
Nodes = tuple[NDArray[np.int64], ...]
"""Some nodes of a lattice: for each axis the places of all, shape (n,)."""

Window = int | tuple[int, ...]
"""The half-width of a window, or those of several whose signatures are concatenated."""
Spacing = tuple[float, ...] | None
"""The distance of neighbouring nodes along each axis, in any unit; None: the same along all."""

Floats = NDArray[np.float64]
"""Real numbers, of any shape."""
Matrix = NDArray[np.float64]
"""Real numbers by row and column, as A (N, N), a codebook (N, M) or points (n, M) are."""
Counts = NDArray[np.int64]
"""Numbers of nodes or of pairs of nodes."""
States = NDArray[np.uint8]
"""The state of each node, (*shape), from 0 to N - 1."""
Signature = NDArray[np.float32 | np.float64]
"""The signature of each node, (*shape, M): float64 if float32 would make values equal."""
NodeMap = NDArray[np.float32]
"""A number for each node, (*shape)."""

Numbers = Sequence[float] | Sequence[Sequence[float]] | Sequence[Sequence[Sequence[float]]]
OneLattice = NDArray[Any] | Numbers
"""One lattice as the public functions take it: an array, or nested lists of numbers."""
Arrays = list[NDArray[Any]] | tuple[NDArray[Any], ...]
"""A data set as the public functions take it: a lattice for each array."""
