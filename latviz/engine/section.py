"""Which part of a lattice is on screen."""

from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from latviz.engine.frame import Frame

Place = tuple[int, int]
Node = tuple[int, ...]


@dataclass(frozen=True)
class Section:
    """The plane that shows a lattice: a sequence as one row, an image, or a slice of a volume.

    Attributes
    ----------
    lattice : tuple of int
        The lattice's shape, d from 1 to 3.
    chosen : int
        Of a volume: which slice; one beyond the last is the last.
    """

    lattice: tuple[int, ...] = (0, 0)
    chosen: int = 0

    @property
    def index(self) -> int:
        """The slice that is shown."""
        return min(self.chosen, self.lattice[0] - 1)

    @property
    def shape(self) -> tuple[int, int]:
        """The plane's rows and columns."""
        rows, columns = (1, *self.lattice)[-2:]
        return rows, columns

    def plane(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the plane of an array (*shape) or (*shape, k), shape (rows, columns, ...)."""
        if len(self.lattice) == 1:
            return array[None]
        return array[self.index] if len(self.lattice) == 3 else array

    def frame(self, frame: Frame) -> Frame:
        """Return a frame whose states are those of the plane."""
        return replace(frame, states=self.plane(frame.states))

    def node(self, place: Place) -> Node:
        """Return the node at a row and column of the plane."""
        row, column = place
        if len(self.lattice) == 1:
            return (column,)
        return (self.index, row, column) if len(self.lattice) == 3 else (row, column)

    def place(self, node: Node) -> Place | None:
        """Return the row and column of a node; None if it is in another slice."""
        if len(node) == 3 and node[0] != self.index:
            return None
        row, column = (0, *node)[-2:]
        return row, column

    def extent(self, window: tuple[slice, ...]) -> tuple[slice, slice] | None:
        """Return the rows and columns of a window; None if it does not reach into the slice."""
        if len(window) == 3 and not window[0].start <= self.index < window[0].stop:
            return None
        rows, columns = (slice(0, 1), *window)[-2:]
        return rows, columns
