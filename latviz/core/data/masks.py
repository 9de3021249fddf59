"""Masks: which nodes of lattices are known. Unknown ones take no part in anything."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN, as_lattice
from latviz.core.errors import ParameterError
from latviz.core.types import Region, Shape, States

Mask = NDArray[np.bool_] | None
"""True where a node is known, (*shape); None if all are."""
NONE_KNOWN = "mask must leave a node or more that is known, got none"


def check_mask(mask: Any, *shapes: Shape) -> Mask:
    """Return the mask of a lattice, None if all nodes are known, or raise `ParameterError`."""
    # shapes: those that it may have
    if mask is None:
        return None
    known = as_lattice(mask, "mask")
    check_mask_type(known.dtype, known.shape, shapes)
    if not known.any():
        raise ParameterError(NONE_KNOWN)
    return None if known.all() else np.ascontiguousarray(known)


def check_mask_type(dtype: np.dtype[Any], shape: Shape, shapes: Sequence[Shape]) -> None:
    """Raise `ParameterError` unless an array of a type and shape can be a mask of one of shapes."""
    if dtype != np.bool_:
        raise ParameterError(
            f"mask must hold True where a node is known and False elsewhere, got {dtype}"
        )
    if shape not in shapes:
        wanted = " or ".join(map(str, shapes))
        raise ParameterError(f"mask must have the lattice's shape, {wanted}, got {shape}")


def filled(observations: Any, known: Mask) -> Any:
    """Return observations with the first known one in place of unknown ones."""
    # So checks, ranges and numbers of symbols are those of known nodes
    if known is None:
        return observations
    array = as_lattice(observations).copy()
    return replaced(array, known, array[np.unravel_index(known.argmax(), known.shape)].copy())


def replaced(values: NDArray[Any], known: NDArray[np.bool_], value: Any) -> Any:
    """Write a value over those of unknown nodes, in place."""
    if values.dtype.kind == "u" and values.ndim == known.ndim:
        # Arithmetic of vectors takes a tenth of the time of an index
        there = known.view(np.uint8)
        values *= there
        values += values.dtype.type(value) * (1 - there)
    else:
        values[~known] = value
    return values


def only_known(values: Sequence[NDArray[Any]], masks: Sequence[Mask]) -> list[NDArray[Any]]:
    """Return the values of known nodes of each lattice, in a row (n, ...) if some are unknown."""
    pairs = zip(values, masks, strict=True)
    return [one if known is None else one[known] for one, known in pairs]


def in_a_row(values: NDArray[Any], known: Mask) -> NDArray[Any]:
    """Return the values of known nodes as a lattice of one row; themselves, if all are known."""
    if known is None:
        return values
    some = values[known]
    return some.reshape(*(1,) * (known.ndim - 1), *some.shape)


def scattered(
    rows: NDArray[Any], shapes: Sequence[Shape], masks: Sequence[Mask]
) -> list[NDArray[Any]]:
    """Return lattices whose known nodes have these rows (n, ...), one after the other."""
    lattices, stop = list[NDArray[Any]](), 0
    for shape, known in zip(shapes, masks, strict=True):
        there = np.ones(shape, dtype=np.bool_) if known is None else known
        start, stop = stop, stop + int(np.count_nonzero(there))
        lattices.append(np.full((*shape, *rows.shape[1:]), rows[start]))
        lattices[-1][there] = rows[start:stop]
    return lattices


def mask_in(states: States) -> Mask:
    """Return the mask of a map of states, None if all are known."""
    return None if states.max() < UNKNOWN else states != UNKNOWN


def check_unknown(states: States, known: Mask) -> None:
    """Raise `ParameterError` unless the states of just the unknown nodes are `UNKNOWN`."""
    if not (mask_in(states) is None if known is None else np.array_equal(known, states != UNKNOWN)):
        raise ParameterError(f"states must be {UNKNOWN} where observations are unknown")


def in_both(one: States, other: States) -> NDArray[np.bool_]:
    """Return which nodes have a state in two maps."""
    return np.asarray((one != UNKNOWN) & (other != UNKNOWN))


def hide(states: States, known: Mask) -> States:
    """Make the states of unknown nodes `UNKNOWN`, in place."""
    return states if known is None else replaced(states, known, UNKNOWN)


def marked(states: States, known: Mask, state: int) -> States:
    """Return a map of states, or bins, with ``state`` for unknown nodes."""
    return states if known is None else np.where(known, states, np.uint8(state))


def box_of(known: NDArray[np.bool_]) -> Region:
    """Return the least region that holds all known nodes."""
    (box,) = scipy.ndimage.find_objects(known.astype(np.uint8))
    return tuple(box)


def runs(known: Mask, n_nodes: int) -> list[slice]:
    """Return the runs of known nodes of a sequence."""
    there = np.ones(n_nodes, dtype=np.bool_) if known is None else known
    ends = np.flatnonzero(np.diff(there, prepend=False, append=False))
    return [slice(*pair) for pair in ends.reshape(-1, 2).tolist()]


def moved_to_known(region: Region, known: Mask) -> Region:
    """Return a region of a lattice, moved to the known node nearest to it if it has none."""
    if known is None or known[region].any():
        return region
    places, lengths = np.argwhere(known), [side.stop - side.start for side in region]
    middles = [side.start + n // 2 for side, n in zip(region, lengths, strict=True)]
    node = places[np.abs(places - middles).max(axis=1).argmin()].tolist()
    starts = [
        min(max(0, at - n // 2), end - n)
        for at, n, end in zip(node, lengths, known.shape, strict=True)
    ]
    return tuple(slice(a, a + n) for a, n in zip(starts, lengths, strict=True))
