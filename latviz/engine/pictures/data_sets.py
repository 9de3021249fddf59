"""The data set of pictures: a lattice for each, or for each slice of each volume; its memory."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import memory
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import GREY, Encoding
from latviz.core.data.masks import Mask, in_a_row
from latviz.core.data.observations import Encoder, Observations
from latviz.core.data.stacks import stacked
from latviz.core.errors import ParameterError
from latviz.core.facts import around_unknown
from latviz.core.types import Nodes, Shape, Signature, Window
from latviz.core.windows.parts import signatures_of
from latviz.core.windows.stratified import by_lattice, sample_nodes, stratified_nodes
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.pictures.sample_size import LARGE


def observed(pictures: Sequence[Picture], encoding: Encoding) -> tuple[Observations, ...]:
    """Make observations of pictures that share one encoding, fitted to known pixels alone."""
    _check_surroundings(pictures, encoding)
    found = encode(
        [in_a_row(picture.pixels, picture.known) for picture in pictures],
        encoding,
        labels=[None if p.labels is None else in_a_row(p.labels, p.known) for p in pictures],
        dimensions=pictures[0].dimensions,
        alphabet=pictures[0].alphabet,
        channels=pictures[0].channels if encoding.kind.channels else (),
    )
    pairs = zip(pictures, found, strict=True)
    return tuple(one if p.known is None else encoded_by(one.encoder, p) for p, one in pairs)


def encoded_by(encoder: Encoder, picture: Picture) -> Observations:
    """Make observations of another picture, with symbols of the encoder's meaning."""
    _check_surroundings([picture], encoder.encoding)
    dimensions = picture.dimensions if picture.dimensions > 1 else None
    found: Observations = encoder.encode(
        picture.pixels, labels=picture.labels, dimensions=dimensions
    )
    return found


def _check_surroundings(pictures: Sequence[Picture], encoding: Encoding) -> None:
    if encoding.kind.looks_around and any(one.known is not None for one in pictures):
        raise ParameterError(around_unknown(encoding.kind.title))


def data_set_of(observations: Sequence[Observations], pictures: Sequence[Picture]) -> DataSet:
    """Return observations as input of window sums, slice by slice if they are apart."""
    first, values, masks = observations[0], list[NDArray[Any]](), list[Mask]()
    for found, picture in zip(observations, pictures, strict=True):
        parts = list(found.values) if picture.apart else [found.values]
        values += parts
        masks += _masks_of(picture) or [None] * len(parts)
    kind = "discrete" if first.discrete else "gaussian"
    return as_data_set(values, kind=kind, n_symbols=first.n_symbols).under(masks)


def _masks_of(picture: Picture) -> list[Mask]:
    """Return the mask of each lattice of a picture; none if all its nodes are known."""
    if picture.known is None:
        return []
    if not picture.apart:
        return [picture.known]
    for k, some in enumerate(picture.known):
        if not some.any():
            raise ParameterError(
                f"slice {k + 1} has no known pixel: take slices together, or open others"
            )
    return list(picture.known)


def lattices_of(pictures: PictureSet) -> slice:
    """Return which lattices of a data set are those of the member that is shown."""
    sizes = [picture.shape[0] if picture.apart else 1 for picture in pictures.members]
    start = sum(sizes[: pictures.shown])
    return slice(start, start + sizes[pictures.shown])


def part_of(data: DataSet, lattices: slice) -> DataSet:
    """Return some lattices of a data set; itself, if they are all."""
    if lattices == slice(0, len(data)):
        return data
    return DataSet(data.lattices[lattices], data.values[lattices], data.n_symbols, data.scalar)


def by_lattices(array: NDArray[Any], data: DataSet) -> list[NDArray[Any]]:
    """Return an array of the picture's shape as one for each lattice of its data set."""
    return list(array) if array.ndim > data.dimensions else [array]


def of_picture(arrays: Sequence[NDArray[Any]], picture: Picture) -> NDArray[Any]:
    """Return arrays for each lattice as one of the picture's shape."""
    return stacked(arrays) if picture.dimensions > arrays[0].ndim else arrays[0]


def nodes_of(data: DataSet, pictures: Sequence[Picture], size: int) -> list[Nodes]:
    """Return about ``size`` nodes of a data set, lattice by lattice; all, if there are no more."""
    if len(pictures) > 1:
        return sample_nodes(data, min(size, data.n_nodes))
    return apart(picture_nodes(pictures[0], size), data)


def picture_nodes(picture: Picture, size: int) -> Nodes:
    """Return about ``size`` known nodes of a picture, axis by axis.

    Slices that are apart have the same, so that their order does not matter.
    """
    size = size * picture.n_nodes // picture.n_known
    nodes = _spread(picture.shape, size, picture.apart)
    if (known := picture.known) is None:
        return nodes
    there = known[nodes]
    return tuple(axis[there] for axis in nodes)


def _spread(shape: Shape, size: int, apart: bool) -> Nodes:
    if not apart:
        return stratified_nodes(shape, size)
    inner = stratified_nodes(shape[1:], max(1, size // shape[0]))
    slices = np.repeat(np.arange(shape[0]), inner[0].size)
    return slices, *(np.tile(axis, shape[0]) for axis in inner)


def apart(nodes: Nodes, data: DataSet) -> list[Nodes]:
    """Return nodes of a picture, given axis by axis, as those of each lattice of its data set."""
    return by_lattice(nodes, len(data)) if len(nodes) > data.dimensions else [nodes]


def sampled(data: DataSet, window: Window, nodes: Nodes) -> Signature:
    """Return the signatures at some nodes of a picture, given axis by axis, shape (n, M)."""
    return signatures_of(data, window, apart(nodes, data))


VIEWS = 12
"""Bytes per pixel of the views, and of symbols or the image's own bytes."""
FLOATS = 8
"""Bytes per pixel and channel of other real vectors, with their fixed point."""


def bytes_needed(picture: Picture, encoding: Encoding) -> int:
    """Return the approximate bytes of a frame of a picture, besides the picture itself."""
    grey = picture.pixels.ndim == picture.dimensions
    plain = "scaled" in encoding.options and not encoding.options["scaled"]
    own = (encoding.name == "rgb" and plain) or (encoding.kind.name == GREY and grey)
    n_floats = 0 if own and picture.pixels.dtype.itemsize == 1 else encoding.n_channels
    n_floats += max(0, len(picture.channels) - n_floats)
    return picture.n_nodes * (VIEWS + FLOATS * n_floats)


def check_fits(pictures: Sequence[Picture], encoding: Encoding) -> None:
    """Raise `ParameterError` if pictures do not fit into memory with their encoding.

    Small ones are not checked.
    """
    if sum(picture.n_nodes for picture in pictures) <= LARGE:
        return
    needed, free = sum(bytes_needed(p, encoding) for p in pictures), memory.available()
    if needed > free:
        title = encoding.kind.title
        size = pictures[0].size_text if len(pictures) == 1 else f"{len(pictures)} pictures"
        raise ParameterError(
            f"“{title}” of {size} takes {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} "
            "GB is free; choose grey quantiles, or open the image reduced"
        )
