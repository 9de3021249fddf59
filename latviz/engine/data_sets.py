"""The data set of a picture: one lattice, or the slices of a volume, each a lattice of its own."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet, as_data_set, stacked
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.observations import Observations
from latviz.core.types import Nodes, Signature
from latviz.core.windows.parts import signatures_of
from latviz.core.windows.stratified import by_lattice
from latviz.engine.picture import Picture


def observed(picture: Picture, encoding: Encoding) -> Observations:
    """Make observations of a picture.

    Raises
    ------
    ParameterError
        If it cannot be encoded like this.
    """
    return encode(
        picture.pixels,
        encoding,
        labels=picture.labels,
        dimensions=picture.dimensions,
        alphabet=picture.alphabet,
    )


def data_set_of(observations: Observations, slices_apart: bool) -> DataSet:
    """Return observations as what windows are summed over, slice by slice if they are apart."""
    values = list(observations.values) if slices_apart else [observations.values]
    kind = "discrete" if observations.discrete else "gaussian"
    return as_data_set(values, kind, observations.n_symbols)


def by_lattices(array: NDArray[Any], data: DataSet) -> list[NDArray[Any]]:
    """Return an array of the picture's shape as one for each lattice of its data set."""
    return list(array) if array.ndim > data.dimensions else [array]


def of_picture(arrays: Sequence[NDArray[Any]], picture: Picture) -> NDArray[Any]:
    """Return arrays for each lattice as one of the picture's shape."""
    return stacked(arrays) if picture.dimensions > arrays[0].ndim else arrays[0]


def sampled(data: DataSet, window: int, nodes: Nodes) -> Signature:
    """Return the signatures at some nodes of a picture, given axis by axis, shape (n, M)."""
    apart = len(nodes) > data.dimensions
    return signatures_of(data, window, by_lattice(nodes, len(data)) if apart else [nodes])
