"""Synthetic lattices whose truth is known; every one of them is a function of its seed."""

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage
from scipy.spatial import cKDTree

from latviz.core.errors import ParameterError

MAX_STATES: Final = 256

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def sample_potts(A: npt.ArrayLike, shape: Sequence[int], *, sweeps: int = 100, seed: int) -> Bytes:
    """Sample states by Gibbs sweeps from a uniformly random start.

    In the limit P(Q) is proportional to the product of ``A[q_t, q_r]`` over the pairs of axis
    neighbours. A finite number of sweeps remembers the random start: strongly associative
    potentials then give domains that grow about as the square root of the sweeps.

    A sweep resamples the nodes whose coordinates have an even sum, all at once, then the others.

    Parameters
    ----------
    A : (N, N) float
        Pairwise potentials, symmetric, finite and positive; 1 <= N <= 256.
    shape : one to three positive integers
        The lattice.
    sweeps : int, at least 0
        How often every node is resampled.
    seed : int
        Seed of ``numpy.random.default_rng``.

    Returns
    -------
    (*shape) uint8
        States 0..N-1.

    Raises
    ------
    ParameterError
        If an argument is none of these.
    """
    potentials = _checked_potentials(A)
    lattice = _checked_shape(shape, (1, 2, 3))
    _require_integer(sweeps, "sweeps", 0)
    rng = np.random.default_rng(seed)
    n_states = len(potentials)
    # One node more stands for all outside the lattice: a state of its own, whose potentials are 1.
    start = rng.integers(n_states, size=prod(lattice))
    states = np.append(start, n_states).astype(np.uint16)
    tables = np.pad(np.log(potentials), ((0, 0), (0, 1)))
    colours = _two_colouring(lattice)
    for _ in range(sweeps):
        for nodes, neighbours in colours:
            scores = _scores(tables, states[neighbours])
            states[nodes] = _draw(scores, rng.random(nodes.size))
    return states[:-1].reshape(lattice).astype(np.uint8)


def sample_blobs(shape: Sequence[int], n_states: int, *, scale: float, seed: int) -> Bytes:
    """Sample smooth regions: at each node the state whose Gaussian-filtered noise is greatest.

    Parameters
    ----------
    shape : positive integers
        The lattice, of any number of dimensions.
    n_states : int
        N, 1..256. All states have about equal shares.
    scale : float
        Standard deviation of the filter in nodes, positive: regions are a few times as wide.
    seed : int
        Seed of ``numpy.random.default_rng``.

    Returns
    -------
    (*shape) uint8
        States 0..N-1.

    Raises
    ------
    ParameterError
        If an argument is none of these.
    """
    lattice = _checked_shape(shape)
    _require_integer(n_states, "n_states", 1, MAX_STATES)
    if not 0.0 < scale < np.inf:
        raise ParameterError(f"scale must be positive and finite, got {scale!r}")
    rng = np.random.default_rng(seed)
    best = np.full(lattice, -np.inf)
    states = np.zeros(lattice, dtype=np.uint8)
    for state in range(n_states):
        field = ndimage.gaussian_filter(rng.standard_normal(lattice), scale)
        field = (field - field.mean()) / (field.std() or 1.0)
        np.copyto(states, np.uint8(state), where=field > best)
        np.maximum(best, field, out=best)
    return states


def sample_voronoi(shape: Sequence[int], n_regions: int, n_states: int, *, seed: int) -> Bytes:
    """Sample a mosaic: every node takes the state of the nearest of some random centres.

    Parameters
    ----------
    shape : positive integers
        The lattice, of any number of dimensions.
    n_regions : int
        The number of centres, at least `n_states`.
    n_states : int
        N, 1..256. Each state has equally many centres, give or take one.
    seed : int
        Seed of ``numpy.random.default_rng``.

    Returns
    -------
    (*shape) uint8
        States 0..N-1.

    Raises
    ------
    ParameterError
        If an argument is none of these.
    """
    lattice = _checked_shape(shape)
    _require_integer(n_states, "n_states", 1, MAX_STATES)
    _require_integer(n_regions, "n_regions", n_states)
    rng = np.random.default_rng(seed)
    centres = rng.random((n_regions, len(lattice))) * lattice
    state_of = rng.permutation(np.arange(n_regions) % n_states).astype(np.uint8)
    nodes = np.moveaxis(np.indices(lattice), 0, -1) + 0.5
    _, nearest = cKDTree(centres).query(nodes)
    mosaic: Bytes = state_of[nearest]
    return mosaic


def emit(states: npt.ArrayLike, B: npt.ArrayLike, *, seed: int) -> Bytes:
    """Draw a symbol for every node from its state's row of ``B``.

    Parameters
    ----------
    states : (*shape) integers
        States 0..N-1.
    B : (N, M) float
        Symbol distributions: not negative, rows sum to 1 within 1e-6; 1 <= M <= 256.
    seed : int
        Seed of ``numpy.random.default_rng``.

    Returns
    -------
    (*shape) uint8
        Symbols 0..M-1.

    Raises
    ------
    ParameterError
        If an argument is none of these.
    """
    distributions = _checked_distributions(B)
    nodes = _checked_states(states, len(distributions))
    uniform = np.random.default_rng(seed).random(nodes.shape)
    symbols = np.zeros(nodes.shape, dtype=np.uint8)
    for bounds in np.cumsum(distributions, axis=1).T[:-1]:
        symbols += uniform >= bounds[nodes]
    return symbols


def _two_colouring(
    shape: tuple[int, ...],
) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Return the flat indices of the even nodes and of their neighbours (2d, n); then the odd.

    A neighbour outside the lattice has the index after the last node's.
    """
    outside = prod(shape)
    index = np.pad(np.arange(outside).reshape(shape), 1, constant_values=outside)
    inner = (slice(1, -1),) * len(shape)
    shifts = [(step, axis) for axis in range(len(shape)) for step in (-1, 1)]
    neighbours = np.stack([np.roll(index, step, axis)[inner].ravel() for step, axis in shifts])
    parity = np.indices(shape).sum(axis=0).ravel() % 2
    parts = [np.flatnonzero(parity == colour) for colour in (0, 1)]
    return [(part, neighbours[:, part]) for part in parts]


def _scores(tables: Floats, neighbours: npt.NDArray[np.uint16]) -> Floats:
    """Return the log potential of each state at each node, (N, n), up to a constant per node."""
    return np.stack([np.take(table, neighbours).sum(axis=0) for table in tables])


def _draw(scores: Floats, uniform: Floats) -> Bytes:
    bounds = np.cumsum(np.exp(scores - scores.max(axis=0)), axis=0)
    states: Bytes = (uniform * bounds[-1] >= bounds[:-1]).sum(axis=0, dtype=np.uint8)
    return states


def _checked_potentials(A: npt.ArrayLike) -> Floats:
    array = np.asarray(A, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ParameterError(f"A must have shape (N, N), got {array.shape}")
    if not 1 <= len(array) <= MAX_STATES:
        raise ParameterError(f"A must have from 1 to {MAX_STATES} states, got {len(array)}")
    if not (np.isfinite(array) & (array > 0.0)).all():
        raise ParameterError(f"A must be finite and positive, got {array.tolist()}")
    if not np.array_equal(array, array.T):
        raise ParameterError(f"A must be symmetric, got {array.tolist()}")
    return array


def _checked_distributions(B: npt.ArrayLike) -> Floats:
    array = np.asarray(B, dtype=np.float64)
    if array.ndim != 2 or not 1 <= array.shape[-1] <= MAX_STATES or array.shape[0] == 0:
        raise ParameterError(f"B must have shape (N, M) with M from 1 to 256, got {array.shape}")
    sums = array.sum(axis=1)
    if not ((array >= 0.0).all() and (np.abs(sums - 1.0) <= 1e-6).all()):
        raise ParameterError(
            f"B must not be negative and its rows must sum to 1, got least entry {array.min()} "
            f"and row sums {sums.tolist()}"
        )
    return array


def _checked_states(states: npt.ArrayLike, n_states: int) -> npt.NDArray[np.integer]:
    array = np.asarray(states)
    if not np.issubdtype(array.dtype, np.integer):
        raise ParameterError(f"states must be integers, got {array.dtype}")
    if array.size and not (array.min() >= 0 and array.max() < n_states):
        raise ParameterError(
            f"states must be from 0 to {n_states - 1}, got {array.min()} to {array.max()}"
        )
    return array


def _checked_shape(shape: Sequence[int], dimensions: Sequence[int] = ()) -> tuple[int, ...]:
    lattice = tuple(int(length) for length in shape)
    if not lattice or min(lattice) < 1 or (dimensions and len(lattice) not in dimensions):
        wanted = "1, 2 or 3 positive lengths" if dimensions else "positive lengths"
        raise ParameterError(f"shape must have {wanted}, got {lattice}")
    return lattice


def _require_integer(value: int, name: str, least: int, most: int | None = None) -> None:
    if not isinstance(value, (int, np.integer)) or value < least or (most and value > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError(f"{name} must be an integer {bounds}, got {value!r}")
