"""The two indices that say whether the model fits (paper 1.4, 1.5)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_adjacency, check_map
from latviz.core.data.lattice import as_lattices, fit_window, frozen
from latviz.core.windows.window_sums import counts, each_plane, nodes_across


def associativity(A: ArrayLike) -> float:
    """Return sum_i A[i, i] / sum_ij A[i, j], from 0 to 1 (paper 1.4).

    N equally frequent states placed at random give 1/N (the paper says 0). The model applies from
    0.5. The result is NaN if A is all zero.

    Parameters
    ----------
    A : array_like, shape (N, N)
        State adjacency potential, finite and >= 0.

    Raises
    ------
    ParameterError
        If A is not a square matrix of finite numbers >= 0.
    """
    matrix = check_adjacency(A)
    total = float(matrix.sum())
    return float(np.trace(matrix)) / total if total > 0 else float("nan")


def inertia(states: Any, n_states: int, window: int) -> float:
    """Return the mean over nodes of sqrt(sum_j p_j^2), p_j the window's share of state j (1.5).

    It runs from 1/sqrt(N) (all states equally often in every window) to 1 (one state in every
    window). The model applies from 0.9. Windows are clipped to the lattice.

    Parameters
    ----------
    states : ndarray of int, shape (*shape), or a list of them
        States 0..N-1. A list is one data set: the mean is over all its nodes.
    n_states : int
        N, from 1 to 255.
    window : int
        Half-width w >= 0.

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    """
    lattices = as_lattices(states)
    sums = [_window_norms(s, n_states, window, by_row=s.ndim > 1) for s in lattices]
    total = sum(float(rows.sum(dtype=np.float64)) for rows in sums)
    return total / sum(lattice.size for lattice in lattices)


def local_inertia(states: NDArray[Any], n_states: int, window: int) -> NDArray[np.float32]:
    """Return sqrt(sum_j p_j^2) of each node's clipped window, shape (*shape), float32.

    Arguments and errors are those of `inertia`, for one lattice.
    """
    return _window_norms(states, n_states, window, by_row=False).astype(np.float32, copy=False)


def _window_norms(
    states: NDArray[Any], n_states: int, window: int, *, by_row: bool
) -> NDArray[np.floating[Any]]:
    """Return the norm of each node's window, (*shape) float32, or float64 sums of rows of them."""
    source = counts(check_map(states, n_states), n_states).in_eights()
    window = fit_window(window, source.shape)
    reach = min(window, source.shape[-1])
    kernel = kernels.lanes8.sums_of_norms if by_row else kernels.lanes8.norms
    shape, dtype = (source.shape[:-1], np.float64) if by_row else (source.shape, np.float32)
    out = np.empty(shape, dtype=dtype)
    most = nodes_across(source.shape, window) * min(source.shape[-1], 2 * window + 1)
    count = np.int32 if most**2 <= np.iinfo(np.int32).max else np.int64

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        columns = source.columns_in_eights(plane.shape[1], reach)
        squares = np.empty(plane.shape[1], dtype=count)
        kernel(plane, window, start, stop, columns, reach, n_states, layers, squares, output)

    each_plane(source, window, out, visit)
    return out


def pair_counts(states: NDArray[Any], n_states: int) -> NDArray[np.int64]:
    """Return A', the ordered pairs (t, r in R(t)) by their states, shape (N, N) (Algorithm 4).

    The paper prints A'(q_t, r); q_r is meant. Border nodes have fewer neighbours.

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    """
    return counted(states, n_states)[0]


def counted(states: NDArray[Any], n_states: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return A' and the number of nodes in each state, shapes (N, N) and (N,), in one pass.

    Arguments and errors are those of `pair_counts`.
    """
    rows, strides, lengths = as_rows(frozen(check_map(states, n_states)))

    def task(start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        forward, occupancy = np.zeros((n_states, n_states), np.int64), np.zeros(n_states, np.int64)
        kernels.counting.count_pairs(rows, strides, lengths, start, stop, forward, occupancy)
        return forward, occupancy

    parts = threads.over_rows(rows.shape[0], task)
    forward, occupancy = (np.sum(counts, axis=0) for counts in zip(*parts, strict=True))
    return forward + forward.T, occupancy


def state_counts(states: NDArray[np.uint8], n_states: int) -> NDArray[np.int64]:
    """Return how many nodes are in each state, shape (N,)."""
    return counted(states, n_states)[1]


def as_rows(
    lattice: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Return a lattice as rows (n, width) with the leading axes' strides (in rows) and lengths."""
    lengths = np.array(lattice.shape[:-1], dtype=np.int64)
    strides = np.array([np.prod(lengths[k + 1 :]) for k in range(lengths.size)], dtype=np.int64)
    return lattice.reshape(-1, lattice.shape[-1]), strides, lengths
