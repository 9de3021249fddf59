"""The two indices of fit (paper 1.4, 1.5), and the counts of states and pairs behind them."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from latviz.core import kernels, threads
from latviz.core.checks import (
    MOST_STATES,
    UNKNOWN,
    as_array,
    as_lattice,
    check_adjacency,
    check_map,
    check_spacing,
    check_states,
    check_window,
)
from latviz.core.data.data_set import DataSet, are_numbers, as_data_set, given_back, read_each
from latviz.core.data.fixed_point import SymbolLattice, spaced
from latviz.core.data.lattice import frozen, most_nodes, n_pairs, sides_of
from latviz.core.data.masks import check_unknown, in_both, marked, mask_in, only_known
from latviz.core.data.per_lattice import per_lattice
from latviz.core.data.stacks import gathered
from latviz.core.errors import ParameterError, called_as
from latviz.core.renamed import renamed
from latviz.core.types import Counts, NodeMap, Region, Shape, Signature, Spacing, States
from latviz.core.values import Value
from latviz.core.windows.parts import bands, signatures_at, signatures_of_rows
from latviz.core.windows.window_sums import (
    InVectors,
    Visit,
    blank_row,
    counts,
    each_plane,
    in_vectors,
)

EXCHANGED = 1024
"""Nodes from which on states that change more often than symbols are worth a warning."""
TOO_MANY = 16
"""States from which on a matrix of integers is too large to be written by hand."""
_NONE = np.empty(0, np.int64)
COUNTED = 64
"""Most states for counting nodes by neighbouring states: counts stay in the cache."""


def associativity(A: ArrayLike) -> float:
    """Return sum_i A[i, i] / sum_ij A[i, j], from 0 to 1 (paper 1.4).

    N equally frequent states placed at random give 1/N (in the paper: 0). The model applies from
    0.5. The result is NaN if A is all zero.

    Parameters
    ----------
    A : array_like, shape (N, N)
        State adjacency potential, finite and >= 0.

    Returns
    -------
    float
        From 0 to 1; NaN if A is all zero.

    Raises
    ------
    ParameterError
        If A is not a square matrix of finite numbers >= 0.

    Examples
    --------
    >>> associativity([[3, 1], [1, 3]])
    0.75
    """
    with called_as("associativity(model.A)"):
        _check_no_map(A)
        matrix = check_adjacency(A)
    total = math.fsum(matrix.flat)  # exact: states are numbered by their colours, which may change
    return math.fsum(matrix.diagonal()) / total if total > 0 else math.nan


def _check_no_map(A: ArrayLike) -> None:
    """Raise `ParameterError` for a square map of states: integers, but no counts of pairs."""
    given = as_array("A", A)
    if given.ndim != 2 or len(given) != given.shape[1] or len(given) < TOO_MANY:
        return
    is_map = given.dtype.kind in "iu" and np.unique(given).size < len(given)
    if is_map and not np.array_equal(given, given.T):
        raise ParameterError(f"A must hold potentials, got a map of {given.dtype} {given.shape}")


@renamed("states n_states window spacing")
def inertia(states: Any, *, n_states: int, window: int, spacing: Spacing = None) -> float:
    """Return the mean over nodes of sqrt(sum_j p_j^2), p_j the window's share of state j (1.5).

    It runs from 1/sqrt(N) (all states equally often in every window) to 1 (one state in every
    window). The model applies from 0.9. Windows are clipped to the lattice.

    Parameters
    ----------
    states : ndarray of int, shape (*shape), or a list or tuple of them
        States 0..N-1, 255 where a node is unknown. The mean is over all known nodes of a data set.
    n_states : int
        N, from 1 to 255.
    window : int
        Half-width w >= 0.
    spacing : tuple of float, optional
        The distance of neighbouring nodes along each axis, as of `FitSettings`.

    Returns
    -------
    float
        From 1/sqrt(N) to 1.

    Raises
    ------
    ParameterError
        If an argument is outside its range.

    Examples
    --------
    >>> round(inertia([0, 0, 1, 1], n_states=2, window=1), 4)  # the mean of 1, .745, .745 and 1
    0.8727
    """
    maps, n_states, window = _windowed("inertia", states, n_states, window)
    spacing = check_spacing(spacing, maps[0].ndim)
    masks = [mask_in(one) for one in maps]
    sums = [
        _window_norms(
            np.atleast_2d(one), n_states, _sides_of_rows(window, one, spacing), by_row=True
        )
        if known is None
        else _known_norms(one, known, n_states, window, spacing)[known]
        for one, known in zip(maps, masks, strict=True)
    ]
    total = sum(float(rows.sum(dtype=np.float64)) for rows in sums)
    return total / sum(one.size for one in only_known(maps, masks))


@renamed("states n_states window spacing")
@per_lattice
def local_inertia(
    states: Any, *, n_states: int, window: int, spacing: Spacing = None
) -> list[NodeMap]:
    """Return sqrt(sum_j p_j^2) of each node's clipped window, whose mean is `inertia`.

    Parameters
    ----------
    states : ndarray of int, shape (*shape), or a list or tuple of them
        States 0..N-1, 255 where a node is unknown.
    n_states : int
        N, from 1 to 255.
    window : int
        Half-width w >= 0.
    spacing : tuple of float, optional
        The distance of neighbouring nodes along each axis, as of `FitSettings`.

    Returns
    -------
    ndarray, shape (*shape), float32, or a list of them for a data set
        From 1/sqrt(N) to 1; NaN at unknown nodes.

    Raises
    ------
    ParameterError
        If an argument is outside its range.

    Examples
    --------
    >>> print(local_inertia([0, 0, 1, 1], n_states=2, window=1).round(3))  # sqrt(5) / 3 in between
    [1.    0.745 0.745 1.   ]
    """
    maps, n_states, window = _windowed("local_inertia", states, n_states, window)
    spacing = check_spacing(spacing, maps[0].ndim)

    def norms(k: int) -> NDArray[Any]:
        if (known := mask_in(maps[k])) is not None:
            return _known_norms(maps[k], known, n_states, window, spacing)
        sides = sides_of(window, maps[k].shape, spacing)
        return _window_norms(maps[k], n_states, sides, by_row=False)

    return gathered([one.shape for one in maps], norms)


def _windowed(name: str, states: Any, n_states: int, window: int) -> tuple[list[States], int, int]:
    """Return the checked arguments of an index of states in windows."""
    n_states, window = check_states(n_states), check_window(window)
    with called_as(f"{name}(states, n_states=..., window=...)"):
        return as_maps(states, n_states, takes_mask=True), n_states, window


def as_maps(states: Any, n_states: int, *, takes_mask: bool = False) -> list[States]:
    """Return the map or maps of states as contiguous uint8, or raise `ParameterError`."""
    # The message names the index of a data set's lattice. takes_mask: nodes may be `UNKNOWN`
    n_states = check_states(n_states)
    return read_each(states, lambda one: check_map(one, n_states, takes_mask=takes_mask))


def maps_of(states: Any, n_states: int, data: DataSet) -> list[States]:
    """Return maps of states of a data set, whose unknown nodes are `UNKNOWN` in them, too."""
    maps = maps_like(states, n_states, data.shapes)
    for one, known in zip(maps, data.masks, strict=True):
        check_unknown(one, known)
    return maps


def masks_in(observations: Any, states: Any, n_states: int) -> Any:
    """Return the masks in maps of states for `as_data_set`; a `DataSet` has its own."""
    if isinstance(observations, DataSet):
        return None
    found = [mask_in(one) for one in as_maps(states, n_states, takes_mask=True)]
    return given_back(states, found) if any(known is not None for known in found) else None


def maps_like(states: Any, n_states: int, shapes: list[Shape]) -> list[States]:
    """Return maps of states of the shapes of a data set's lattices, as `as_maps` does."""
    maps = as_maps(states, n_states, takes_mask=True)
    found = [one.shape for one in maps]
    if found != shapes:
        raise ParameterError(f"states must have the shapes {shapes}, got {found}")
    return maps


def observed_in(
    observations: Any,
    states: Any,
    call: str,
    kind: str,
    n_symbols: int | None = None,
    scalar: bool | None = None,
) -> tuple[DataSet, list[States]]:
    """Return observations and their states, checked; messages name the call if exchanged."""
    with called_as(call):
        for one in read_each(states, lambda one: as_lattice(one, "states")):
            if one.dtype.kind == "f":
                raise ParameterError(f"states must be integers, got {one.dtype}")
    if scalar is None:
        scalar = are_numbers(observations, states)
    masks = masks_in(observations, states, MOST_STATES)
    data = as_data_set(observations, kind=kind, n_symbols=n_symbols, scalar=scalar, mask=masks)
    maps = maps_of(states, MOST_STATES, data)
    _warn_if_exchanged(data, maps, call)
    return data, maps


def _warn_if_exchanged(data: DataSet, maps: Sequence[States], call: str) -> None:
    """Warn if symbols change from node to node far less often than their states do."""
    if data.kind == "gaussian" or data.is_masked or data.n_nodes < EXCHANGED:
        return
    of_states, of_symbols = _changes(maps), _changes(data.values)
    if of_states > 2 * of_symbols:
        warnings.warn(
            f"{of_states:.0%} of neighbours differ in their states, {of_symbols:.0%} in their "
            f"symbols: are both exchanged? The call is {call}",
            stacklevel=6,  # the user's line
        )


def _changes(maps: Sequence[NDArray[Any]]) -> float:
    """Return the share of neighbouring nodes that differ."""
    differ = sum(
        int(np.count_nonzero(np.diff(one, axis=axis))) for one in maps for axis in range(one.ndim)
    )
    return differ / max(1, sum(n_pairs(one.shape) for one in maps))


def _window_norms(
    states: States, n_states: int, sides: Shape, *, by_row: bool
) -> NDArray[np.floating[Any]]:
    """Return the norm of each node's window, (*shape) float32, or float64 sums by row."""
    window, shape = sides[-1], states.shape
    out = np.empty(shape[:-1], np.float64) if by_row else np.empty(shape, np.float32)
    source = counts(states, n_states)
    if len(sides) < 3 and len(set(sides)) == 1 and window <= kernels.norms.WIDEST:
        each_plane(source, sides, out, _narrow_norms(n_states, window, by_row))
    else:
        most = most_nodes(sides, shape)
        totals = np.int32 if most**2 <= np.iinfo(np.int32).max else np.float64
        summed = in_vectors(source, np.int32, totals)
        each_plane(summed.source, sides, out, _wide_norms(summed, window, by_row))
    return out


def _sides_of_rows(window: int, states: States, spacing: Spacing) -> Shape:
    """Return the half-widths of windows along each axis; a sequence is one row."""
    sides = sides_of(window, states.shape, spacing)
    return sides * 2 if states.ndim == 1 else sides


def _known_norms(
    states: States, known: NDArray[np.bool_], n_states: int, window: int, spacing: Spacing
) -> NodeMap:
    """Return the norm of each known node's window, (*shape) float32, and NaN elsewhere."""
    lattice = spaced(_marked(states, known, n_states), spacing)
    sides = sides_of(window, states.shape, spacing)
    near = ~known
    for axis, side in enumerate(sides):
        near = scipy.ndimage.maximum_filter1d(near, 2 * side + 1, axis, mode="constant")
    near &= known
    if states.ndim > 3 or 4 * np.count_nonzero(near) > near.size:
        out = np.full(states.shape, np.nan, np.float32)
        for rows in bands(states.shape, 1 << 20, 8 * window):
            shares = signatures_of_rows(lattice, n_states, window, rows)
            out[rows][known[rows]] = _norms_of(shares)[known[rows]]
        return out
    # Few windows hold unknown nodes, and the kernel may take these for known ones in others
    out = _window_norms(marked(states, known, 0), n_states, sides, by_row=False)
    out[~known] = np.nan
    nodes = tuple(map(np.ascontiguousarray, np.nonzero(near)))
    out[nodes] = _norms_of(signatures_at(lattice, n_states, window, nodes))
    return out


def _norms_of(shares: Signature) -> NDArray[np.float64]:
    return np.asarray(np.sqrt(np.square(shares, dtype=np.float64).sum(axis=-1)))


def _marked(states: States, known: NDArray[np.bool_], n_states: int) -> SymbolLattice:
    """Return a map as symbols; unknown nodes are one more."""
    return SymbolLattice(marked(states, known, n_states), known)


def _narrow_norms(n_states: int, window: int, by_row: bool) -> Visit:
    kernel = kernels.norms.sums_of_narrow_norms if by_row else kernels.norms.narrow_norms

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        width, nodes = plane.shape[1], kernels.norms.NODES
        blank = blank_row(plane, kernels.norms.NO_STATE)
        columns = np.empty((n_states, width + 2 * min(window, width) + nodes), np.uint8)
        squares = np.empty(width + nodes - 1, np.uint16)
        kernel(plane, blank, window, start, stop, columns, squares, output)

    return visit


def _wide_norms(summed: InVectors, window: int, by_row: bool) -> Visit:
    kernel = kernels.norms.sums_of_norms if by_row else kernels.norms.norms

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        width, blank = plane.shape[1], blank_row(plane)
        columns, squares = summed.rooms(width, min(window, width))
        kernel(plane, summed.tables, blank, window, start, stop, columns, layers, squares, output)

    return visit


@renamed("states n_states")
def pair_counts(states: Any, *, n_states: int) -> Counts:
    """Return A', the ordered pairs (t, r in R(t)) by their states, shape (N, N) (Algorithm 4).

    The paper prints A'(q_t, r); q_r is meant. Border nodes have fewer neighbours, and no node has
    one in another lattice.

    Parameters
    ----------
    states : ndarray of int, shape (*shape), or a list or tuple of them
        States 0..N-1, 255 where a node is unknown. The pairs of known nodes of all lattices of a
        data set are counted.
    n_states : int
        N, from 1 to 255.

    Returns
    -------
    ndarray, shape (N, N), int64

    Raises
    ------
    ParameterError
        If an argument is outside its range.

    Examples
    --------
    >>> pair_counts([0, 0, 1], n_states=2).tolist()
    [[2, 1], [1, 0]]
    """
    return count(states, n_states)[0]


def state_counts(states: Any, n_states: int) -> Counts:
    """Return the number of nodes in each state, shape (N,); arguments as for `pair_counts`."""
    return count(states, n_states)[1]


def count(states: Any, n_states: int) -> tuple[Counts, Counts]:
    """Return A' (N, N) and the number of nodes in each state (N,), in one pass."""
    n_states = check_states(n_states)
    maps = as_maps(states, n_states, takes_mask=True)
    return counted([_count_of(one, n_states) for one in maps])


def _count_of(states: States, n_states: int) -> tuple[Counts, Counts]:
    if (known := mask_in(states)) is None:
        return pairs_and_nodes(states[None], [n_states])[0]
    marked = _marked(states, known, n_states).values
    pairs, occupancy = pairs_and_nodes(marked[None], [n_states + 1])[0]
    return pairs[:-1, :-1], occupancy[:-1]


def pairs_and_nodes(maps: States, sizes: Sequence[int]) -> list[tuple[Counts, Counts]]:
    """Return `count` for each of several decodings (S, *shape) of one lattice."""
    # Only neighbours in different states are counted: the others follow. States are trusted to be
    # below ``sizes``
    most, dimensions = max(sizes), maps.ndim - 1
    rows, strides, lengths = as_rows(frozen(maps))
    # Rows of all maps follow each other; the first axis is not an axis of the lattice.
    strides, lengths, height = strides[1:], lengths[1:], len(rows) // len(maps)

    def task(start: int, stop: int) -> tuple[Counts, Counts]:
        pairs = np.zeros((len(maps), most, most), np.int64)
        occupancy = np.zeros((len(maps), most), np.int64)
        for s in range(len(maps)):
            kernels.likelihood.count_unlike_pairs(
                rows, strides, lengths, s * height + start, s * height + stop, pairs[s],
                occupancy[s],
            )  # fmt: skip
        return pairs, occupancy

    work = float(len(maps) * rows.shape[1])
    parts = zip(*threads.over_rows(height, task, work), strict=True)
    unlike, occupancy = (np.sum(part, axis=0) for part in parts)
    pairs = unlike + unlike.swapaxes(1, 2)
    own = 2 * dimensions * occupancy - _missing(maps, most) - pairs.sum(axis=2)
    pairs += own[:, :, None] * np.eye(most, dtype=np.int64)
    return [(pairs[s, :n, :n], occupancy[s, :n]) for s, n in enumerate(sizes)]


def _missing(maps: States, n_states: int) -> Counts:
    """Return the number of neighbours that each state's nodes lack at the borders, (S, N)."""
    first = n_states * np.arange(len(maps))[:, None]
    found = np.zeros(len(maps) * n_states, dtype=np.int64)
    for axis in range(1, maps.ndim):
        for end in (0, -1):
            border = first + maps.take(end, axis).reshape(len(maps), -1)
            found += np.bincount(border.reshape(-1), minlength=found.size)
    return found.reshape(len(maps), n_states)


def part_counts(states: States, region: Region, n_states: int) -> tuple[Counts, Counts]:
    """Return `count` for a region of states (*shape); the parts of a lattice add up."""
    # States beyond the region are its neighbours, where the lattice goes on. Pairs with the nodes
    # behind the region count, those with the nodes before it do not.
    if (states[region] == UNKNOWN).all():
        return np.zeros((n_states, n_states), np.int64), np.zeros(n_states, np.int64)
    pairs, occupancy = count(states[region], n_states)
    for axis, own in enumerate(region):
        if own.stop < states.shape[axis]:
            others = (*region[:axis], *region[axis + 1 :])
            ends = (states.take(k, axis)[others] for k in (own.stop - 1, own.stop))
            one, other = (end.reshape(-1) for end in ends)
            one, other = (end[in_both(one, other)].astype(np.int64) for end in (one, other))
            across = np.bincount(n_states * one + other, minlength=n_states**2)
            across = across.reshape(n_states, n_states)
            pairs = pairs + across + across.T
    return pairs, occupancy


def contingency(one: NDArray[Any], other: NDArray[Any], n_one: int, n_other: int) -> Counts:
    """Count the nodes by their values in two maps (*shape), (N1, N2) int64."""
    # Maps of uint8 or uint16, trusted to be below N1 and N2
    one, other = (frozen(as_rows(each)[0]) for each in (one, other))
    height, width = one.shape
    sizes, is_row = np.array([n_one]), height == 1

    def task(start: int, stop: int) -> Counts:
        counts = np.zeros((1, 1, n_one, n_other), np.int64)
        some, whole = np.array([start, stop]), np.array([0, 1 if is_row else width])
        edges = (whole, some) if is_row else (some, whole)
        kernels.tally.joint(one[None], sizes, other, *edges, 0, 1, counts)
        found: Counts = counts[0, 0]
        return found

    n_rows, in_row = (width, 1) if is_row else (height, width)
    parts = threads.over_rows(n_rows, task, in_row)
    return np.asarray(np.sum(parts, axis=0))


def counted(found: Sequence[tuple[Counts, Counts]]) -> tuple[Counts, Counts]:
    """Return A' and the number of nodes in each state of a data set, from those of its lattices."""
    pairs, occupancy = (np.sum(numbers, axis=0) for numbers in zip(*found, strict=True))
    return pairs, occupancy


@dataclass(frozen=True, eq=False)
class Neighbourhoods(Value):
    """The nodes of a lattice, counted by the states of their neighbours."""

    alike: Annotated[Counts, "(2 d + 1, N)"]  # nodes of a state whose n neighbours all share it
    # nodes of i with m of 2 d neighbours in j, the others in i; or empty
    both: Annotated[Counts, "(2 d + 1, N, N)"]
    several: Annotated[NDArray[np.uint64], "(rows, ceil(width / 64))"]  # bits of all other nodes
    pairs: Annotated[Counts, "(N, N)"]  # A', the ordered pairs (t, r in R(t)) by their states
    occupancy: Annotated[Counts, "(N,)"]  # nodes in each state


def neighbourhoods(states: States, n_states: int) -> Neighbourhoods:
    """Count the nodes of a lattice (*shape) uint8 by the states of their neighbours."""
    if mask_in(states) is not None:  # only pairs and nodes: `evaluate_known` counts no others
        return Neighbourhoods(_NONE, _NONE, _NONE.astype(np.uint64), *_count_of(states, n_states))
    rows, strides, lengths = as_rows(frozen(states))
    sides = 2 * states.ndim + 1
    n_counted = n_states if n_states <= COUNTED else 0
    several = np.zeros((len(rows), -(-rows.shape[1] // 64)), np.uint64)

    def task(start: int, stop: int) -> tuple[Counts, ...]:
        shapes = (sides, n_states), (sides, n_counted, n_counted)
        alike, both = (np.zeros(shape, np.int64) for shape in shapes)
        pairs, occupancy = np.zeros((n_states, n_states), np.int64), np.zeros(n_states, np.int64)
        kernels.likelihood.neighbourhoods(
            rows, strides, lengths, start, stop, alike, both, several, pairs, occupancy
        )
        return alike, both, pairs, occupancy

    parts = zip(*threads.over_rows(len(rows), task, float(rows.shape[1])), strict=True)
    alike, both, pairs, occupancy = (sum(part) for part in parts)
    return Neighbourhoods(alike, both, several, *_with_counted(alike, both, pairs, occupancy))


def _with_counted(
    alike: Counts, both: Counts, pairs: Counts, occupancy: Counts
) -> tuple[Counts, Counts]:
    """Return pairs and nodes of all parts of a lattice, from those of marked nodes."""
    n = np.arange(len(alike))
    own = n @ alike
    occupancy = occupancy + alike.sum(axis=0)
    if both.size:
        by_state = both.sum(axis=2)
        own, occupancy = own + n[::-1] @ by_state, occupancy + by_state.sum(axis=0)
        pairs = pairs + np.tensordot(n, both, axes=1)
    return pairs + np.diag(own), occupancy


def as_rows(
    lattice: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Return a lattice as rows (n, width) with the leading axes' strides (in rows) and lengths."""
    lengths = np.array(lattice.shape[:-1], dtype=np.int64)
    strides = np.array([np.prod(lengths[k + 1 :]) for k in range(lengths.size)], dtype=np.int64)
    return lattice.reshape(-1, lattice.shape[-1]), strides, lengths
