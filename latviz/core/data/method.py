"""Methods of encodings: fitted to pictures once, they then give each pixel its observation.

Bins, palettes, labels and principal components belong to all pictures that an encoder is fitted to,
so that a symbol means the same in each of them, and in those that come later.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from latviz.core.checks import as_array, as_bounded, check_names, shown
from latviz.core.errors import ParameterError
from latviz.core.values import Value

Bytes = npt.NDArray[np.uint8]
Image = npt.NDArray[Any]
T = TypeVar("T")

BAND = 1 << 20
"""Pixels whose symbols are made at a time."""


@dataclass(frozen=True, eq=False)
class Fitted(Value):
    """Names, colours and bins that an encoding found in the pictures it was fitted to.

    Attributes
    ----------
    names : tuple of M str
        What people read for each symbol ("0–84", "#a1b2c3", "7") or channel ("L*", "gradient").
    colors : (M, 3) uint8
        The colour that stands for each symbol: the mean grey of its bin, its palette or label
        colour; for channels a tint.
    edges : (M+1,) float64 or None
        Of quantiles and levels: bin m holds ``edges[m] <= grey < edges[m+1]``, and the last bin
        that is used its upper edge too.
    notes : tuple of str
        What the user should know, such as "only 2 of 8 grey levels occur".
    arrays : mapping of str to ndarray
        What else the method reads to encode a picture, of finite numbers.

    Raises
    ------
    ParameterError
        If an attribute is none of these.

    Examples
    --------
    >>> ends = np.array([[0, 0, 0], [255, 255, 255]], np.uint8)
    >>> Fitted(names=("dark", "light"), colors=ends).names
    ('dark', 'light')
    """

    names: tuple[str, ...]
    colors: Bytes
    edges: npt.NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("names", "notes"):
            object.__setattr__(self, name, check_names(name, getattr(self, name)))
        size, colors = len(self.names), as_array("colors", self.colors)
        if colors.shape != (size, 3) or colors.dtype != np.uint8:
            raise ParameterError(
                f"colors must be uint8 of shape ({size}, 3), got {colors.dtype} {colors.shape}"
            )
        colors.flags.writeable = False
        object.__setattr__(self, "colors", colors)
        if self.edges is not None:
            edges = as_bounded("edges", self.edges)
            if edges.shape != (size + 1,):
                raise ParameterError(f"there must be {size + 1} edges, got {shown(self.edges)}")
            edges.flags.writeable = False
            object.__setattr__(self, "edges", edges)
        if not isinstance(self.arrays, Mapping):
            raise ParameterError(f"arrays must be a mapping, got {shown(self.arrays)}")
        arrays = {name: as_array(name, values) for name, values in self.arrays.items()}
        for values in arrays.values():
            values.flags.writeable = False
        object.__setattr__(self, "arrays", MappingProxyType(arrays))


class Method(Protocol, Generic[T]):
    """Makes observations of images; another package writes one for an encoding of its own.

    An image is (H, W) or (H, W, 3), uint8, uint16 or finite float32, not empty. If observations
    follow from other pixels than their own, an attribute ``reach`` says how many pixels away these
    are at most; images that are encoded in parts need it.

    Examples
    --------
    >>> method = Encoding("levels").kind.of_image(n_symbols=2)
    >>> prepared = method.prepare(np.array([[0, 255]], np.uint8), None)
    >>> method.values(prepared, method.fit([prepared])).tolist()
    [[0, 1]]
    """

    def prepare(self, image: Image, labels: Bytes | None) -> T:
        """Return what both `fit` and `values` read of an image, so that it is computed once.

        Parameters
        ----------
        image : (H, W) or (H, W, 3) uint8, uint16 or float32
        labels : (H, W) uint8 or None
            The symbols that the image carries itself, if it has any.

        Returns
        -------
        object
            Anything.

        Raises
        ------
        ParameterError
            If the image cannot have the encoding.
        """

    def fit(self, prepared: Sequence[T]) -> Fitted:
        """Return what all images have in common.

        Parameters
        ----------
        prepared : sequence
            What `prepare` returned, one or more.

        Returns
        -------
        Fitted

        Raises
        ------
        ParameterError
            If the images cannot have the encoding.
        """

    def values(self, prepared: T, fitted: Fitted) -> npt.NDArray[Any]:
        """Return the observations of an image, one that was fitted to or another.

        Parameters
        ----------
        prepared : object
            What `prepare` returned.
        fitted : Fitted

        Returns
        -------
        ndarray
            Symbols 0..M-1, (H, W), or vectors, (H, W, M). It may share the image's memory if that
            is read-only.

        Raises
        ------
        ParameterError
            If the image has what no symbol stands for.
        """


class Plain:
    """A method that prepares nothing."""

    def prepare(self, image: Image, labels: Bytes | None) -> Image:
        """Return the image."""
        return image


def bands(shape: tuple[int, ...]) -> Iterator[slice]:
    """Cut an image's rows into bands of a megapixel, so that wide temporaries stay small."""
    step = max(1, BAND // shape[1])
    for start in range(0, shape[0], step):
        yield slice(start, start + step)
