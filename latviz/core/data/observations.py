"""Lattices of observations, symbols or real vectors (paper 2.4 and 3.2), and their encoders."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from latviz.core import data, threads
from latviz.core.checks import (
    as_bounded,
    as_lattice,
    check_integer,
    check_names,
    check_symbols,
    check_word,
    shown,
)
from latviz.core.data.encoding import Encoding
from latviz.core.data.images import Prepared, given_pictures, method_of, prepared_each
from latviz.core.data.method import Bytes, Fitted, Method
from latviz.core.data.turns import Turn
from latviz.core.errors import ParameterError
from latviz.core.facts import MAX_LABELS
from latviz.core.renamed import renamed
from latviz.core.values import Value

TURN = "turn"
"""The name in `Fitted.arrays` of the turn of the pictures that an encoder was fitted to."""
_DTYPES = "uint8", "uint16", "float32"
_NUMBERS = ("bool", *(f"{k}{n}" for k in ("uint", "int", "float") for n in (8, 16, 32, 64)))
"""Of arrays in files; those of others could be of any size."""


@dataclass(frozen=True, eq=False)
class Encoder(Value):
    """An encoding fitted to pictures: it encodes other pictures with the same symbols.

    `encode` makes one, available as ``observations.encoder``.

    Attributes
    ----------
    encoding : Encoding
        The encoding.
    fitted : Fitted
        Its findings in these pictures: names, colours, bins, labels, components.
    dtype : str
        The dtype of their pixels; others must have the same, because greys are in units of the
        image. Bytes repeated in 16 bits are bytes.
    dimensions : int
        The dimensions of the pictures, 1 to 3; 1 for sequences.

    Examples
    --------
    >>> encoder = encode(np.array([[0, 255]], np.uint8), Encoding("levels", 2)).encoder
    >>> encoder.encode(np.array([[200, 100, 255]], np.uint8)).values.tolist()
    [[1, 0, 1]]
    """

    encoding: Encoding
    fitted: Fitted
    dtype: str
    dimensions: int

    def encode(
        self,
        image: Any,
        *,
        labels: Any = None,
        dimensions: int | None = None,
    ) -> Any:
        """Make observations of another picture, or of several.

        Parameters
        ----------
        image : ndarray, or list of ndarray
            As for `encode`, with the dtype of the pictures that this was fitted to.
        labels : ndarray, or list of ndarray, optional
            Palette indices, as for `encode`.
        dimensions : {2, 3}, optional
            The image's dimensions, if they differ: the encoder of a volume encodes slices too.

        Returns
        -------
        Observations, or list of Observations
            Greys and colours outside the fitted range get the nearest bin or palette colour.

        Raises
        ------
        ParameterError
            If a picture is invalid, has another dtype, or has an unknown label.
        """
        names = self.fitted.names if self.dimensions == 1 else ()
        image, _ = numbered(image, names)
        sized = 2 if dimensions is None else dimensions
        image, labels, several, are_rows = given_pictures(image, labels, None if names else sized)
        wanted = self.dimensions if dimensions is None else dimensions
        method, dimensions = method_of(self.encoding, wanted, names)
        turn = Turn(*self.fitted.arrays[TURN].tolist()) if TURN in self.fitted.arrays else Turn()
        prepared = prepared_each(image, labels, self.encoding, method, dimensions, self.dtype, turn)
        for one in prepared:
            if dimensions > 1 and one.dtype != self.dtype:
                raise ParameterError(
                    f"this encoder was fitted to {self.dtype} pictures, got one of {one.dtype}"
                )
        found = observed_each(self, prepared, method, are_rows=are_rows)
        return found if several else found[0]

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers, text, lists and dictionaries, which JSON can hold exactly.

        Returns
        -------
        dict
            For `from_dict`.
        """
        fitted = self.fitted
        return {
            "encoding": asdict(self.encoding),
            "dtype": self.dtype,
            "dimensions": self.dimensions,
            "names": list(fitted.names),
            "colors": fitted.colors.tolist(),
            "edges": None if fitted.edges is None else fitted.edges.tolist(),
            "notes": list(fitted.notes),
            "arrays": {
                name: {"dtype": values.dtype.name, "values": values.tolist()}
                for name, values in fitted.arrays.items()
            },
        }

    @classmethod
    def from_dict(cls, written: Any) -> Self:
        """Return the encoder that `to_dict` wrote.

        Parameters
        ----------
        written : dict

        Returns
        -------
        Encoder

        Raises
        ------
        ParameterError
            If it is not such a dictionary.
        """
        if not isinstance(written, dict):
            raise ParameterError(f"written must be a dictionary, got {shown(written)}")
        try:
            edges = written["edges"]
            arrays = {
                name: np.array(array["values"], check_word("dtype", array["dtype"], _NUMBERS))
                for name, array in written["arrays"].items()
            }
            fitted = Fitted(
                tuple(written["names"]),
                np.array(written["colors"], dtype=np.uint8).reshape(-1, 3),
                None if edges is None else np.array(edges, dtype=np.float64),
                tuple(written["notes"]),
                arrays,
            )
            dtype = check_word("dtype", written["dtype"], _DTYPES)
            dimensions = check_integer("dimensions", written["dimensions"], 1, 3)
            encoder = cls(Encoding(**written["encoding"]), fitted, dtype, dimensions)
            with suppress(ParameterError):  # an unknown label is not an error
                encoder.encode(np.zeros((1,) * dimensions, dtype))
            return encoder
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            if isinstance(error, ParameterError):
                raise
            raise ParameterError(f"this is not an encoder: {error!r:.200}") from error


@dataclass(frozen=True, eq=False)
class Observations(Value):
    """A lattice of observations, with their names and colours.

    Attributes
    ----------
    values : ndarray, contiguous and read-only
        Discrete: (*shape) uint8, symbols 0..M-1. Real: (*shape, M) float32, or uint8 if the image's
        own bytes are the observations; they share the memory of a read-only image.
    encoder : Encoder
        Their encoder; it encodes other pictures with the same symbols.
    discrete : bool
        True for symbols.
    n_symbols : int
        M, the number of symbols or of channels.
    names, colors, edges, notes
        From the encoder, see `Fitted`.

    Raises
    ------
    ParameterError
        If an attribute is invalid.

    Examples
    --------
    >>> observations = encode(np.array([[0, 255]], np.uint8), Encoding("levels", 2))
    >>> observations.values.tolist(), observations.n_symbols, observations.discrete
    ([[0, 1]], 2, True)
    """

    values: npt.NDArray[Any]
    encoder: Encoder

    def __post_init__(self) -> None:
        if not isinstance(self.encoder, Encoder):
            raise ParameterError(f"encoder must be an Encoder, got {shown(self.encoder)}")
        values = as_lattice(self.values, "values")
        if self.discrete:
            values = check_symbols(values, self.n_symbols)
        elif values.shape[-1] != self.n_symbols:
            raise ParameterError(f"there must be {values.shape[-1]} names, got {self.n_symbols}")
        elif not (np.isfinite(values.min()) and np.isfinite(values.max())):
            raise ParameterError("values must be finite, got some that are not")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        return (np.array if copy else np.asarray)(self.values, dtype)  # what functions here read

    @property
    def discrete(self) -> bool:
        """True for symbols."""
        return self.encoder.encoding.discrete

    @property
    def n_symbols(self) -> int:
        """M, the number of symbols or of channels."""
        return len(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The name on screen of each symbol or channel, M of them."""
        return self.encoder.fitted.names

    def in_own_units(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return observations, means or deviations in the units that the names stand for.

        Parameters
        ----------
        values : (..., M) array_like
            One number for each symbol or channel.

        Returns
        -------
        (..., M) float64
            Shares of symbols and plain channels as they are; channels that were divided by their
            spreads in the picture's own units, or those of CIELAB.

        Raises
        ------
        ParameterError
            If there is another number of values than of symbols or channels, or one is not
            finite.

        Examples
        --------
        >>> image = np.array([[[0, 0, 0], [200, 100, 50]]], np.uint8)
        >>> seen = encode(image, Encoding("rgb", scaled=True))
        >>> seen.values[0, 1].tolist(), seen.in_own_units(seen.values[0, 1]).tolist()
        ([2.0, 2.0, 2.0], [200.0, 100.0, 50.0])
        """
        found = as_bounded("values", values)
        if found.shape[-1:] != (self.n_symbols,):
            raise ParameterError(
                f"values must have a last axis of {self.n_symbols}, got the shape {found.shape}"
            )
        spreads = None if self.discrete else self.encoder.fitted.arrays.get("spreads")
        return found if spreads is None else found * data.vectors.scales_of(spreads)

    @property
    def colors(self) -> Bytes:
        """The colour that stands for each, (M, 3) uint8."""
        return self.encoder.fitted.colors

    @property
    def edges(self) -> npt.NDArray[np.float64] | None:
        """Those of bins of grey, (M+1,)."""
        return self.encoder.fitted.edges

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user."""
        return self.encoder.fitted.notes


def observed_each(
    encoder: Encoder, prepared: Sequence[Prepared], method: Method[Any], *, are_rows: bool = False
) -> list[Observations]:
    """Make observations of several pictures, side by side; of images of one row as signals."""
    most = threads.side_by_side(max((math.prod(one.shape) for one in prepared), default=1))
    found = threads.each(prepared, lambda one: observed(encoder, one, method), most=most)
    return [replace(one, values=one.values[0]) for one in found] if are_rows else found


def observed(encoder: Encoder, prepared: Prepared, method: Method[Any]) -> Observations:
    """Make observations of a picture that was prepared by the encoder's method."""
    parts = [method.values(part, encoder.fitted) for part in prepared.parts]
    if prepared.turn != Turn():
        parts = [prepared.turn.back_of(part) for part in parts]
    channels = parts[0].shape[2:] if len(prepared.shape) > 1 else ()
    values = parts[0] if len(parts) == 1 else np.stack(parts)
    return Observations(values.reshape(*prepared.shape, *channels), encoder)


@renamed("symbols alphabet")
def named_symbols(symbols: npt.ArrayLike, *, alphabet: Sequence[str] | None = None) -> Observations:
    """Make observations of a lattice of symbols, such as a sequence of letters.

    Parameters
    ----------
    symbols : (*shape) integers or text, or str
        0..M-1, or names themselves, such as "ACGT"; not empty.
    alphabet : sequence of M str, optional
        Their names, at most 64; those that do not occur count too. By default the names that occur,
        in lexicographic order.

    Returns
    -------
    Observations
        Of the lattice (*shape).

    Raises
    ------
    ParameterError
        If there are more than 64 names, or a symbol without one.

    Examples
    --------
    >>> named_symbols([0, 2, 1], alphabet="ACG").names
    ('A', 'C', 'G')
    >>> named_symbols("GATTACA").values.tolist()
    [2, 0, 3, 3, 0, 1, 0]
    """
    given = None if alphabet is None else check_names("alphabet", alphabet)
    symbols, alphabet = numbered(symbols, given)
    names = check_names("alphabet", alphabet)
    if not 1 <= len(names) <= MAX_LABELS:
        raise ParameterError(f"alphabet must have 1 to {MAX_LABELS} names, got {len(names)}")
    method, _ = method_of(Encoding("labels"), 1, names)
    values = as_lattice(symbols, "symbols")
    encoder = Encoder(Encoding("labels"), method.fit([values]), "uint8", 1)
    return Observations(method.values(values, encoder.fitted), encoder)


def numbered(symbols: Any, alphabet: Any) -> tuple[Any, Any]:
    """Return symbols as numbers, and their names, if they are names themselves."""
    # "ACGT", its letters as a list, array or column; of several sequences a list
    several = isinstance(symbols, list | tuple) and any(map(_is_word, symbols))
    words = [_letters(one) for one in (symbols if several else [symbols])]
    if not all(one.dtype.kind == "U" and one.size for one in words):
        return symbols, alphabet
    names = (
        list(alphabet or ()) or np.unique(np.concatenate([one.ravel() for one in words])).tolist()
    )
    found = [_places(one, names) for one in words]
    return found if several else found[0], names


def _is_word(one: Any) -> bool:
    """Return True for a sequence of letters, False for one letter."""
    return len(one) > 1 if isinstance(one, str) else _letters(one).ndim > 0


def _letters(symbols: Any) -> npt.NDArray[Any]:
    """Return text as an array of letters; of all else an array of another kind."""
    if isinstance(symbols, str):
        return np.array(list(symbols))
    is_text = isinstance(symbols, list | tuple) and symbols and isinstance(symbols[0], str)
    if not (is_text or getattr(symbols, "dtype", np.dtype(bool)).kind in "UOT"):
        return np.empty(0)
    given = np.asarray(symbols)
    is_text = given.dtype.kind == "O" and all(isinstance(one, str) for one in given.flat)
    return given.astype(str) if is_text else given


def _places(letters: npt.NDArray[Any], names: list[str]) -> npt.NDArray[Any]:
    found, places = np.unique(letters, return_inverse=True)
    if unknown := [one for one in found.tolist() if one not in names]:
        raise ParameterError(f"alphabet must have all symbols, got none for {unknown[0]!r}")
    return np.array([names.index(one) for one in found])[places].reshape(letters.shape)
