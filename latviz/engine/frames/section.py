"""The part of pictures on screen, and the part that a trade-off evaluates."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import middle_of
from latviz.core.data.masks import moved_to_known
from latviz.core.types import Region
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture, PictureSet

Place = tuple[int, int]
Node = tuple[int, ...]


@dataclass(frozen=True)
class Section:
    """The plane that shows a lattice: a sequence as one row, an image, or a slice of a volume."""

    lattice: tuple[int, ...] = (0, 0)  # shape, d from 1 to 3
    chosen: int = 0  # slice of a volume; one beyond the last is the last

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


MOST = 1 << 22
"""Larger pictures are evaluated in the middle, at about this many nodes."""
DEEP = 4
"""Volumes decoded in 3-D are evaluated at fewer nodes, by this factor, as a window cannot be
cancelled."""


@dataclass(frozen=True)
class Scope:
    """Pictures in an encoding, cut to the part that is evaluated."""

    pictures: PictureSet  # the shown one first; of the others as `MOST` nodes allow
    encoding: Encoding

    @classmethod
    def of(cls, frame: Frame) -> "Scope":
        """Return the scope of a frame."""
        return cls(frame.request.modelled, frame.request.parameters.encoding)

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return self.pictures.picture

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The indices of the other pictures that are evaluated, whole: the following ones."""
        pictures, found, left = self.pictures.everything, list[int](), MOST - self.picture.n_nodes
        for step in range(1, len(pictures)):
            k = (self.pictures.place + step) % len(pictures)
            left -= pictures[k].n_nodes
            if left < 0:
                break
            found.append(k)
        return tuple(found)

    @cached_property
    def region(self) -> Region:
        """The evaluated part, a slice for each axis of the picture."""
        if not self.picture.apart:
            deep = self.picture.dimensions == 3
            middle = middle_of(self.picture.shape, MOST // DEEP if deep else MOST)
            return moved_to_known(middle, self.picture.known)
        plane = middle_of(self.picture.shape[1:], MOST)
        area = math.prod(s.stop - s.start for s in plane)
        n_slices = min(self.picture.shape[0], max(1, MOST // area))
        return *middle_of(self.picture.shape[:1], n_slices), *plane

    @property
    def whole(self) -> bool:
        """True if all nodes of all pictures are evaluated."""
        full = tuple(slice(0, length) for length in self.picture.shape)
        return self.region == full and len(self.others) == len(self.pictures.everything) - 1

    @property
    def section(self) -> Section:
        """The plane of the picture that maps show: of a volume the slice in the middle."""
        return Section(self.picture.shape, (self.region[0].start + self.region[0].stop) // 2)

    @property
    def plane(self) -> tuple[slice, slice]:
        """The rows and columns that maps show."""
        rows, columns = (slice(0, 1), *self.region)[-2:]
        return rows, columns

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns of maps; a sequence is one row."""
        rows, columns = (s.stop - s.start for s in self.plane)
        return rows, columns

    def cut(self, array: NDArray[Any]) -> list[NDArray[Any]]:
        """Return an array (*shape, ...) of the picture as one for each lattice of the region."""
        part = array[self.region]
        return [np.ascontiguousarray(one) for one in (part if self.picture.apart else (part,))]

    def lattices(self, array_of: Callable[[int], NDArray[Any]]) -> list[NDArray[Any]]:
        """Return the evaluated lattices; ``array_of`` returns a picture's array.

        Its argument is the index of the picture among all, `PictureSet.everything`.
        """
        found = self.cut(array_of(self.pictures.place))
        for k in self.others:
            found += list(array_of(k)) if self.picture.apart else [array_of(k)]
        return found

    def seen(self, lattices: list[NDArray[Any]]) -> NDArray[Any]:
        """Return the shown plane of an array for each lattice; the region's arrays are first."""
        if self.picture.dimensions < 3:
            return np.atleast_2d(lattices[0])
        at = self.section.index - self.region[0].start
        return lattices[at] if self.picture.apart else np.asarray(lattices[0][at])

    def node(self, place: Place) -> Node:
        """Return the picture's node at a row and column of the plane."""
        return self.section.node(tuple(k + s.start for k, s in zip(place, self.plane, strict=True)))
