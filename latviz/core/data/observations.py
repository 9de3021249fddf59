"""A lattice of observations: symbols, or real vectors (paper 2.4 and 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core.checks import (
    as_array,
    as_bounded,
    as_lattice,
    check_flag,
    check_integer,
    check_names,
    check_symbols,
    shown,
)
from latviz.core.data.color import distinct_colours
from latviz.core.errors import ParameterError
from latviz.core.facts import MAX_LABELS

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Observations:
    """A lattice of observations, and how to speak of them.

    Attributes
    ----------
    values : ndarray, contiguous and read-only
        Discrete: (*shape) uint8, symbols 0..M-1. Real: (*shape, M) float32, or uint8 where the
        image's own bytes are the observations; they share the memory of a read-only image.
    discrete : bool
        Which of the two.
    n_symbols : int
        M, the number of symbols or of channels.
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

    Raises
    ------
    ParameterError
        If an attribute is none of these.
    """

    values: npt.NDArray[Any]
    discrete: bool
    n_symbols: int
    names: tuple[str, ...]
    colors: Bytes
    edges: npt.NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_flag("discrete", self.discrete)
        size = check_integer("n_symbols", self.n_symbols, 1)
        values, colors = as_lattice(self.values, "values"), as_array("colors", self.colors)
        if self.discrete:
            values = check_symbols(values, size)
        elif not (np.isfinite(values.min()) and np.isfinite(values.max())):
            raise ParameterError("values must be finite, got some that are not")
        arrays = {"values": values, "colors": colors}
        if self.edges is not None:
            arrays["edges"] = as_bounded("edges", self.edges)
            if arrays["edges"].shape != (size + 1,):
                raise ParameterError(f"there must be {size + 1} edges, got {shown(self.edges)}")
        if colors.shape != (size, 3) or colors.dtype != np.uint8:
            raise ParameterError(
                f"colors must be uint8 of shape ({size}, 3), got {colors.dtype} {colors.shape}"
            )
        for name in ("names", "notes"):
            object.__setattr__(self, name, check_names(name, getattr(self, name)))
        if len(self.names) != size:
            raise ParameterError(f"there must be {size} names, got {len(self.names)}")
        for name, array in arrays.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)


def named_symbols(symbols: npt.ArrayLike, alphabet: Sequence[str]) -> Observations:
    """Make observations of a lattice that holds symbols already, such as a sequence of letters.

    Parameters
    ----------
    symbols : (*shape) integers
        0..M-1, not empty.
    alphabet : sequence of M str
        Their names, at most 64; those that do not occur count too.

    Returns
    -------
    Observations
        Of the lattice (*shape).

    Raises
    ------
    ParameterError
        If there are more than 64 names, or a symbol without one.
    """
    names = check_names("alphabet", alphabet)
    n_symbols = check_integer("the number of symbols", len(names), 1, MAX_LABELS)
    values = check_symbols(symbols, n_symbols)
    own = values.copy() if values.flags.writeable else values
    return Observations(own, True, n_symbols, names, distinct_colours(n_symbols))
