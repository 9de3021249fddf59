"""Checks of arguments: every public function reads its numbers, arrays, shapes and seeds here.

A check returns the value that the core computes with: a Python number, or an array of one dtype. It
raises `ParameterError` for an unusable value, with the argument's name, the expected value and the
actual one.
"""

from __future__ import annotations  # numpy.random is loaded only for NumPy's seeds

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Real
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core import memory
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.core.scalars import plain
from latviz.core.types import Floats, Matrix, Region, Shape, Spacing, States, Window

LARGEST = 1e150
"""The largest number of an array, so that squares are finite."""
LEAST_SPREAD = 1e-100
"""The least range that data may have, unless all are equal, so that squares are not 0."""
MOST_STATES = 255
"""The largest number of states: a map holds bytes."""
MOST_SYMBOLS = 1 << 16
"""The largest number of symbols."""
UNKNOWN = MOST_STATES
"""The label of a node whose true state is not known: it is never counted."""
MOST_COUNTED = 1 << 53
"""The largest number of nodes, for which counts are exact as float64."""

_brief = Repr()
_brief.maxother = _brief.maxstring = 60


def shown(value: Any) -> str:
    """Return a value in a few words, for a message."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of {value.dtype}, shape {value.shape}"
    return _brief.repr(value)


# Numbers


def check_integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a value as an int, or raise `ParameterError` if it is not an integer in its range."""
    wanted = f"an integer from {low} to {high}" if high is not None else f"an integer >= {low}"
    number = plain(value)
    if isinstance(number, bool) or not isinstance(number, int):
        raise ParameterError(f"{name} must be {wanted}, got {shown(value)}")
    if number < low or (high is not None and number > high):
        raise ParameterError(f"{name} must be {wanted}, got {number}{_overflown(value)}")
    return number


def _overflown(value: Any) -> str:
    """Return the remedy, if a number outside its range has a type in which sums overflow."""
    dtype = getattr(value, "dtype", None)
    is_small = dtype is not None and dtype.itemsize < 8
    return f" of {dtype}, in which sums overflow: add to int(...) instead" if is_small else ""


def check_number(name: str, value: Any, low: float, high: float, *, above: bool = False) -> float:
    """Return a value as a finite float from ``low``, or above it, to ``high``."""
    first = f"above {low:g}" if above else f"from {low:g}"
    last = "" if high == math.inf else f"{' and at most' if above else ' to'} {high:g}"
    wanted = f"{name} must be a finite number {first}{last}, got {shown(value)}"
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ParameterError(wanted)
    try:
        number = float(value)
    except OverflowError:
        raise ParameterError(wanted) from None
    if not (math.isfinite(number) and low <= number <= high) or (above and number == low):
        raise ParameterError(wanted)
    return number


def check_integers(
    name: str, values: Any, low: int, high: int | None = None, *, what: str = "one number or more"
) -> list[int]:
    """Return integers as a list, or raise `ParameterError` if it is empty or holds other values."""
    if (
        not isinstance(values, Iterable)
        or isinstance(values, str | bytes | Mapping | Set)
        or (isinstance(values, np.ndarray) and values.ndim != 1)
    ):
        raise ParameterError(f"{name} must be a sequence of integers, got {shown(values)}")
    found = [check_integer(f"each of {name}", value, low, high) for value in values]
    if not found:
        raise ParameterError(f"{name} must hold {what}, got none")
    return found


def check_flag(name: str, value: Any) -> bool:
    """Return a value as a bool, or raise `ParameterError` for other types."""
    flag = plain(value)
    if not isinstance(flag, bool):
        raise ParameterError(f"{name} must be True or False, got {shown(value)}")
    return flag


def check_word(name: str, value: Any, words: Sequence[str]) -> str:
    """Return a value that is one of some words, or raise `ParameterError`."""
    if not isinstance(value, str) or value not in words:
        wanted = " or ".join(map(repr, words))
        raise ParameterError(f"{name} must be {wanted}, got {shown(value)}")
    return value


def check_names(name: str, values: Any) -> tuple[str, ...]:
    """Return a sequence of names, or the letters of a text, as a tuple."""
    given = values if isinstance(values, list | tuple | str) else None
    if given is None or not all(isinstance(one, str) for one in given):
        raise ParameterError(f"{name} must be a sequence of names, got {shown(values)}")
    return tuple(given)


def check_seed(random_state: Any) -> int | np.random.SeedSequence | np.random.Generator | None:
    """Return the source of random numbers, or raise `ParameterError` if it is not one."""
    sources = np.random.SeedSequence | np.random.Generator | None
    if not isinstance(random_state, int) and isinstance(random_state, sources):
        return random_state
    return check_integer("random_state", random_state, 0)


def check_progress(progress: Any) -> Progress | None:
    """Return a progress or None, or raise `ParameterError` if its methods are missing."""
    methods = (getattr(progress, name, None) for name in ("report", "cancelled"))
    if progress is not None and (isinstance(progress, type) or not all(map(callable, methods))):
        raise ParameterError(
            f"progress must have the methods report and cancelled, got {shown(progress)}"
        )
    found: Progress | None = progress
    return found


def check_memory(what: str, n_bytes: int) -> None:
    """Raise `ParameterError` if ``n_bytes`` are not free; 16 MiB always are."""
    if n_bytes < 1 << 24:
        return
    free = memory.available()
    if n_bytes > free:
        raise ParameterError(
            f"{what} would take {n_bytes / 2**30:.3g} GiB, but only {free / 2**30:.3g} GiB are free"
        )


def check_window(window: Any, name: str = "window") -> int:
    """Return the half-width as an int, or raise `ParameterError` if it is not an int >= 0."""
    return check_integer(name, window, 0)


def check_windows(window: Any) -> Window:
    """Return a half-width, or several, or raise `ParameterError` if they are invalid."""
    if not isinstance(window, tuple | list):
        return check_window(window)
    if not window:
        raise ParameterError(f"window must hold at least one half-width, got {shown(window)}")
    first, *others = map(check_window, window)
    return (first, *others) if others else first


def check_spacing(spacing: Any, dimensions: int | None = None) -> Spacing:
    """Return the distances of nodes along each axis, None if equal, or raise `ParameterError`."""
    if spacing is None:
        return None
    n_axes = len(spacing) if isinstance(spacing, tuple | list) else 0
    if not n_axes or dimensions not in (None, n_axes):
        each = "each axis" if dimensions is None else f"each of {dimensions} axes"
        raise ParameterError(f"spacing must have a number for {each}, got {shown(spacing)}")
    found = tuple(check_number("spacing", one, 0.0, LARGEST, above=True) for one in spacing)
    return None if len(set(found)) == 1 else found


def check_states(n_states: Any) -> int:
    """Return the number of states as an int, or raise `ParameterError` if outside 1 to 255."""
    return check_integer("n_states", n_states, 1, MOST_STATES)


def check_shape(shape: Any, most: int | None = None) -> Shape:
    """Return the lengths of a lattice of at most ``most`` axes, or raise `ParameterError`."""
    # Nodes take 8 bytes each: there may be no more than memory holds
    wanted = "positive integers" if most is None else f"1 to {most} positive integers"
    refusal = f"shape must be a sequence of {wanted}, got {shown(shape)}"
    if isinstance(shape, np.ndarray) and shape.ndim == 1:
        shape = shape.tolist()
    if not isinstance(shape, list | tuple) or not 0 < len(shape) <= (32 if most is None else most):
        raise ParameterError(refusal)
    lattice = tuple(map(plain, shape))
    if any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in lattice):
        raise ParameterError(refusal)
    check_memory(f"a lattice of shape {shown(lattice)}", 8 * math.prod(lattice))
    return lattice


def check_region(name: str, region: Any, shape: Shape) -> Region:
    """Return a slice for each axis of a lattice, or raise `ParameterError`."""
    refusal = f"{name} must be {len(shape)} slices of integers, got {shown(region)}"
    if not isinstance(region, tuple | list) or len(region) != len(shape):
        raise ParameterError(refusal)
    found = []
    for one in region:
        ends = (one.start, one.stop) if isinstance(one, slice) and one.step in (None, 1) else ("",)
        start, *stop = map(plain, ends)
        if not all(end is None or isinstance(end, int) for end in (start, *stop)):
            raise ParameterError(refusal)
        found.append(slice(start, *stop))
    return tuple(found)


# Arrays


def as_array(name: str, values: Any) -> NDArray[Any]:
    """Return an array of real numbers or booleans, or raise `ParameterError`."""
    # numpy would silently make numbers of text and complex numbers, and drop the mask of a masked
    # array
    if _hides(values):
        raise ParameterError(
            f"{name} must not be a masked array: fill it by filled(), or give observations as "
            "a.data with mask=~a.mask"
        )
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"{name} must be an array of real numbers, got lists of unequal lengths or no numbers: "
            "make each sequence of a data set an array, [numpy.array(one) for one in ...]"
        ) from None
    if array.dtype.kind == "c":
        raise ParameterError(
            f"Complex data not supported: {name} must be real, got complex numbers: take their "
            "real part or absolute value"
        )
    if array.dtype.kind not in "biuf":
        kind = array.dtype if array.ndim else shown(values)
        raise ParameterError(f"{name} must be an array of real numbers, got {kind}{_remedy(array)}")
    return array


_NUMBERING = 'number them by encode(letters, "labels"), which keeps their names'


def _remedy(array: NDArray[Any]) -> str:
    """Return how an array of letters, or of objects, becomes one of numbers; "" for others."""
    first = array.reshape(-1)[0] if array.size else None
    if isinstance(first, str | bytes):
        return f": {_NUMBERING}"
    return ": convert them by astype(int) or astype(float)" if isinstance(first, Real) else ""


def _hides(values: Any) -> bool:
    """Return True if a mask hides a value of an array, or of one in nested lists."""
    if isinstance(values, list | tuple):
        return any(
            isinstance(one, list | tuple | np.ma.MaskedArray) and _hides(one) for one in values
        )
    return isinstance(values, np.ma.MaskedArray) and bool(np.ma.getmaskarray(values).any())


def as_floats(name: str, values: Any) -> Floats:
    """Return a new float64 array, or raise `ParameterError` if the values are not real numbers."""
    with np.errstate(over="ignore"):  # of long doubles: infinity is seen by whoever asked
        return np.array(as_array(name, values), dtype=np.float64)


def as_bounded(name: str, values: Any) -> Floats:
    """Return a new float64 array of finite numbers of at most 1e150, or raise `ParameterError`."""
    array = as_floats(name, values)
    # Their bounds need no array of their own, whose pages take longer to get than to fill.
    if array.size and not (array.min() >= -LARGEST and array.max() <= LARGEST):
        good = np.abs(array) <= LARGEST
        raise ParameterError(
            f"{name} must be finite and within {LARGEST:g} of 0, got {first_bad(good, array)}"
        )
    return array


def check_spread(name: str, low: Floats, high: Floats) -> None:
    """Raise `ParameterError` if squares of channels in [low, high] (M,) are not usable."""
    largest = float(max(np.abs(low).max(), np.abs(high).max()))
    if largest > LARGEST:
        raise ParameterError(f"{name} must be within {LARGEST:g} of 0, got {largest:g}: scale them")
    spread = float((high - low).max())
    if 0 < spread < LEAST_SPREAD:
        raise ParameterError(
            f"{name} must differ by {LEAST_SPREAD:g} or more, got {spread:g}: scale them"
        )


def first_bad(good: NDArray[np.bool_], values: NDArray[Any]) -> Any:
    """Return the first value that is not good, for a message."""
    return values.reshape(-1)[int(np.argmin(good.reshape(-1)))]


def as_lattice(observation: Any, name: str = "a lattice") -> NDArray[Any]:
    """Return one lattice as an array, or raise `ParameterError` if it has no axis or no node."""
    lattice = as_array(name, observation)
    if lattice.ndim < 1 or lattice.size == 0:
        kind = "an empty one" if lattice.ndim else "one"
        raise ParameterError(
            f"{name} must have one or more dimensions and nodes, "
            f"got {kind} of shape {lattice.shape}"
        )
    return lattice


def as_symbols(observation: Any) -> NDArray[Any]:
    """Return one lattice of integers as an array, or raise `ParameterError`."""
    array = as_lattice(observation)
    if array.dtype.kind == "f" and (array == np.rint(array)).all():
        raise ParameterError(f"symbols must be integers, got {array.dtype}: use astype(int)")
    check_symbol_type(array.dtype)
    return array


def check_symbol_type(dtype: np.dtype[Any]) -> None:
    """Raise `ParameterError` if values of a type are not integers."""
    if dtype.kind not in "iub":
        raise ParameterError(
            f"symbols must be integers, got {dtype}: turn a picture into symbols by encode, "
            'or model numbers with GaussianModel or kind="gaussian"'
        )


def check_symbols(observation: Any, n_symbols: int) -> NDArray[Any]:
    """Return a lattice of symbols as contiguous uint8 or uint16, or raise `ParameterError`."""
    n_symbols = check_integer("n_symbols", n_symbols, 1, 65536)
    array = as_symbols(observation)
    least, most = array.min(), array.max()
    if least < 0 or most >= n_symbols:
        raise ParameterError(f"symbols must be from 0 to {n_symbols - 1}, got {least} to {most}")
    return np.ascontiguousarray(array, dtype=np.uint8 if n_symbols <= 256 else np.uint16)


def check_map(
    states: Any, n_states: int, name: str = "states", *, takes_mask: bool = False
) -> States:
    """Return a map of N states as contiguous uint8, or raise `ParameterError`; N is at most 256."""
    # takes_mask: nodes may be `UNKNOWN`
    array = as_lattice(states, name)
    if array.dtype.kind not in "iu":
        raise ParameterError(
            f"{name} must be a non-empty array of integers, got {array.dtype} {array.shape}"
        )
    least, most = array.min(), array.max()
    if takes_mask and most == UNKNOWN and (array < most).any():
        most = array.max(where=array < UNKNOWN, initial=0)
    if least < 0 or most >= n_states:
        raise ParameterError(f"{name} must be from 0 to {n_states - 1}, got {least} to {most}")
    return np.ascontiguousarray(array, dtype=np.uint8)


# Parts of models


def check_emissions(B: Any, name: str = "B") -> Matrix:
    """Return B as float64, or raise `ParameterError` if its rows are not distributions."""
    matrix = as_floats(name, B)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ParameterError(f"{name} must have shape (N, M), got {matrix.shape}")
    good = (matrix >= 0) & (matrix <= LARGEST)
    if not good.all():
        raise ParameterError(f"{name} must be finite and >= 0, got {first_bad(good, matrix)}")
    sums = matrix.sum(axis=1)
    near = np.isclose(sums, 1.0, rtol=0.0, atol=1e-6)
    if not near.all():
        raise ParameterError(
            f"each row of {name} must sum to 1, got {first_bad(near, sums)}: divide each by its sum"
        )
    return matrix


def check_sizes(A: Matrix, codebook: Matrix, name: str) -> None:
    """Raise `ParameterError` if a codebook (N, M) does not fit A (N, N)."""
    if codebook.ndim != 2 or len(codebook) != len(A) or codebook.size == 0:
        raise ParameterError(f"{name} must have shape ({len(A)}, M) as A has, got {codebook.shape}")
    check_states(len(A))


def cholesky(covariances: Matrix, means: Matrix, name: str = "covariances") -> Matrix:
    """Return the lower Cholesky factors, or raise `ParameterError` if they do not exist."""
    shape = (*means.shape, means.shape[1])
    if covariances.shape != shape:
        raise ParameterError(f"{name} must have shape {shape}, got {covariances.shape}")
    finite = np.isfinite(covariances)
    if not finite.all():
        raise ParameterError(f"{name} must be finite, got {first_bad(finite, covariances)}")
    if not np.allclose(covariances, covariances.transpose(0, 2, 1), rtol=1e-8, atol=0.0):
        raise ParameterError(f"{name} must be symmetric")
    try:
        return np.asarray(np.linalg.cholesky(covariances))
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(covariances)[:, 0]
        raise ParameterError(
            f"{name} must be positive definite, got least eigenvalues {least}"
        ) from None


def check_adjacency(A: ArrayLike) -> Matrix:
    """Return A as float64, or raise `ParameterError` if it is not an adjacency potential."""
    matrix = as_floats("A", A)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise ParameterError(f"A must be a square matrix, got shape {matrix.shape}")
    good = (matrix >= 0) & (matrix <= LARGEST)
    if not good.all():
        raise ParameterError(
            f"A must be finite, at most {LARGEST:g} and >= 0, got {first_bad(good, matrix)}"
        )
    return matrix
