"""Methods of encodings: fitted to pictures once, then they encode each pixel.

Bins, palettes, labels and principal components belong to all pictures that an encoder is fitted to,
so that a symbol means the same in all of them, and in later pictures.
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
        The name on screen of each symbol ("0–84", "#a1b2c3", "7") or channel ("L*", "gradient").
    colors : (M, 3) uint8
        The colour of each symbol: the mean grey of its bin, its palette or label colour; for
        channels a tint.
    edges : (M+1,) float64 or None
        For quantiles and levels: bin m holds ``edges[m] <= grey < edges[m+1]``, and the last used
        bin also its upper edge.
    notes : tuple of str
        Notes for the user, such as "only 2 of 8 grey levels occur".
    arrays : mapping of str to ndarray
        Other data that the method needs to encode a picture, of finite numbers.

    Raises
    ------
    ParameterError
        If an attribute is invalid.

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
        if not isinstance(self.arrays, Mapping) or not all(
            isinstance(name, str) for name in self.arrays
        ):
            raise ParameterError(f"arrays must be a mapping of names, got {shown(self.arrays)}")
        arrays = {name: as_array(name, values) for name, values in self.arrays.items()}
        for values in arrays.values():
            values.flags.writeable = False
        object.__setattr__(self, "arrays", MappingProxyType(arrays))


class Method(Protocol, Generic[T]):
    """Makes observations of images; other packages implement it for their encodings.

    An image is (H, W) or (H, W, 3), uint8, uint16 or finite float32, not empty. If observations
    depend on pixels other than their own, the attribute ``reach`` gives their greatest distance in
    pixels; images that are encoded in parts need it.

    Examples
    --------
    >>> method = Encoding("levels").kind.of_image(n_symbols=2)
    >>> prepared = method.prepare(np.array([[0, 255]], np.uint8), None)
    >>> method.values(prepared, method.fit([prepared])).tolist()
    [[0, 1]]
    """

    def prepare(self, image: Image, labels: Bytes | None) -> T:
        """Return the input of both `fit` and `values` from an image, computed once.

        Parameters
        ----------
        image : (H, W) or (H, W, 3) uint8, uint16 or float32
        labels : (H, W) uint8 or None
            The symbols stored in the image, if any.

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
        """Return the parameters common to all images.

        Parameters
        ----------
        prepared : sequence
            Results of `prepare`, one or more.

        Returns
        -------
        Fitted

        Raises
        ------
        ParameterError
            If the images cannot have the encoding.
        """

    def values(self, prepared: T, fitted: Fitted) -> npt.NDArray[Any]:
        """Return the observations of an image, whether or not it was fitted to.

        Several threads may call it at the same time, each for another image.

        Parameters
        ----------
        prepared : object
            A result of `prepare`.
        fitted : Fitted

        Returns
        -------
        ndarray
            Symbols 0..M-1, (H, W), or vectors, (H, W, M). It may share the image's memory if that
            is read-only.

        Raises
        ------
        ParameterError
            If the image has a value without a symbol.
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
