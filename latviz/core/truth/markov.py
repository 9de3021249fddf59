"""Markov random fields and chains with known states; each is a function of its seed."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import Literal, get_args

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from latviz.core.checks import (
    as_floats,
    check_adjacency,
    check_emissions,
    check_integer,
    check_memory,
    check_seed,
    check_shape,
    check_states,
    check_word,
    first_bad,
)
from latviz.core.errors import ParameterError
from latviz.core.progress import stop_if_unwanted
from latviz.core.renamed import renamed
from latviz.core.truth.emission import Seed
from latviz.core.types import Counts, Floats, Shape, States

Places = NDArray[np.int32]
Method = Literal["clusters", "gibbs"]


MOST_SWEEPS = 1_000_000
"""More would take days on lattices that are worth it."""


@renamed("A shape", seed="random_state")
def sample_potts(
    A: ArrayLike,
    *,
    shape: Sequence[int],
    sweeps: int = 100,
    method: Method | None = None,
    random_state: Seed = None,
) -> States:
    """Sample states whose neighbours attract or repel each other.

    The sweeps leave a distribution unchanged, and approach it from a uniformly random start: P(Q)
    proportional to the product over all pairs of adjacent nodes t, r of sqrt(A[q_t, q_r] A[q_r,
    q_t]), which is A[q_t, q_r] for symmetric A. It is the pair term of Algorithm 1 without its
    normaliser k. Borders are free.

    - ``"clusters"`` (Swendsen and Wang 1987), for Potts potentials only: one value a on A's
      diagonal, one value b <= a off it. A bond between adjacent nodes of one state opens with
      probability 1 - b / a; each cluster of open bonds takes a uniformly random state. About ten
      sweeps forget the start, except for potentials near the critical ones.
    - ``"gibbs"``, for all potentials: the nodes whose coordinates have an even sum are resampled
      given their neighbours, all at once, then the others. If like states attract each other
      strongly, a few sweeps do not forget the start: regions are about as wide as the square root
      of the number of sweeps.

    The Ising model of coupling K (energy -K s_t s_r, s = +1 or -1) is A = [[e^K, e^-K], [e^-K,
    e^K]]; its infinite square lattice is critical at a / b = 1 + sqrt 2, that of N states at 1 +
    sqrt N.

    Parameters
    ----------
    A : (N, N) float
        Pair potentials, finite and positive; N from 1 to 255.
    shape : one to three positive integers
        The lattice.
    sweeps : int, 0 to 1,000,000
        The number of times that every node is resampled.
    method : {"clusters", "gibbs"}, optional
        By default clusters if A allows them.
    random_state : int, SeedSequence, Generator or None, optional
        As of ``numpy.random.default_rng``; by default random numbers differ each time.

    Returns
    -------
    (*shape) uint8
        States 0..N-1.

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> states = sample_potts([[1e9, 1], [1, 1e9]], shape=(8, 8), random_state=0)
    >>> len(np.unique(states))  # a bond stays closed with a probability of 1e-9
    1
    """
    log_A = log_potentials(A)
    lattice = check_shape(shape, most=3)
    sweeps = check_integer("sweeps", sweeps, 0, MOST_SWEEPS)
    rng = np.random.default_rng(check_seed(random_state))
    states = rng.integers(len(log_A), size=prod(lattice))
    sample = _clusters if chosen_method(method, log_A) == "clusters" else _gibbs
    return sample(log_A, lattice, states, sweeps, rng).astype(np.uint8).reshape(lattice)


@renamed("transitions length", seed="random_state")
def sample_chain(
    transitions: ArrayLike,
    *,
    length: int,
    start: ArrayLike | None = None,
    random_state: Seed = None,
) -> States:
    """Sample a Markov chain, exactly: P(q_0) prod_t transitions[q_t-1, q_t].

    Parameters
    ----------
    transitions : (N, N) float
        Probabilities of the next state given the last; rows sum to 1; N from 1 to 255.
    length : int
        The number of nodes, at least 1.
    start : (N,) float, optional
        Distribution of the first state; by default the stationary one.
    random_state : int, SeedSequence, Generator or None, optional
        As of ``numpy.random.default_rng``; by default random numbers differ each time.

    Returns
    -------
    (length,) uint8
        States 0..N-1.

    Raises
    ------
    ParameterError
        If an argument is invalid, or if `start` is missing and several distributions are
        stationary.

    Examples
    --------
    >>> sample_chain([[0, 1], [1, 0]], length=5, start=[1, 0], random_state=0).tolist()
    [0, 1, 0, 1, 0]
    """
    matrix = _transitions(transitions)
    length = check_integer("length", length, 1)
    check_memory(f"a chain of {length} nodes", 80 * length)
    seed_ = check_seed(random_state)
    if start is None:
        first = stationary_distribution(matrix)
    else:
        first = check_emissions(np.atleast_2d(as_floats("start", start)), "start")[0]
    if first.shape != (len(matrix),):
        raise ParameterError(f"start must have shape ({len(matrix)},), got {first.shape}")
    # The walk begins in a state of its own, after the last, which leads to the first node's.
    bounds = [np.cumsum(row)[:-1].tolist() for row in (*matrix, first)]
    uniform = np.random.default_rng(seed_).random(length).tolist()
    walk = accumulate(uniform, lambda q, u: bisect_right(bounds[q], u), initial=len(matrix))
    return np.fromiter(walk, dtype=np.uint8, count=length + 1)[1:]


def stationary_distribution(transitions: ArrayLike) -> Floats:
    """Return the p with p transitions = p, shape (N,).

    Parameters
    ----------
    transitions : (N, N) float
        Probabilities of the next state given the last; rows sum to 1; N from 1 to 255.

    Returns
    -------
    (N,) float64
        Not negative; sums to 1.

    Raises
    ------
    ParameterError
        If the rows are not distributions, or if there are several such p.

    Examples
    --------
    >>> stationary_distribution([[0.9, 0.1], [0.3, 0.7]]).round(6).tolist()
    [0.75, 0.25]
    """
    matrix = _transitions(transitions)
    n_states = len(matrix)
    drift = matrix.T - np.eye(n_states)
    if np.linalg.matrix_rank(drift) < n_states - 1:
        raise ParameterError("the chain must have one stationary distribution, got several")
    equations = np.vstack([drift, np.ones(n_states)])
    solution = np.linalg.lstsq(equations, np.eye(n_states + 1)[-1], rcond=None)[0]
    shares = np.maximum(solution, 0.0)
    return np.asarray(shares / shares.sum())


def _clusters(
    log_A: Floats,
    shape: Shape,
    states: Counts,
    sweeps: int,
    rng: np.random.Generator,
) -> Counts:
    one, other = _pairs(shape)
    opening = -np.expm1(log_A.min() - log_A.max())
    for _ in range(sweeps):
        stop_if_unwanted()
        bonds = (states[one] == states[other]) & (rng.random(one.size) < opening)
        ends = one[bonds], other[bonds]
        graph = scipy.sparse.csr_array((np.ones(ends[0].size), ends), shape=(states.size,) * 2)
        n_clusters, cluster = scipy.sparse.csgraph.connected_components(graph, directed=False)
        states = rng.integers(len(log_A), size=n_clusters)[cluster]
    return states


def _gibbs(
    log_A: Floats,
    shape: Shape,
    states: Counts,
    sweeps: int,
    rng: np.random.Generator,
) -> NDArray[np.uint16]:
    # One more node represents the outside of the lattice: a state of its own, with potentials 1.
    padded = np.append(states, len(log_A)).astype(np.uint16)
    tables = np.pad(log_A, ((0, 0), (0, 1)))
    colours = _two_colouring(shape)
    for _ in range(sweeps):
        stop_if_unwanted()
        for nodes, neighbours in colours:
            around = padded[neighbours]
            scores = np.stack([np.take(table, around).sum(axis=0) for table in tables])
            padded[nodes] = _draw(scores, rng.random(nodes.size))
    return padded[:-1]


def _draw(scores: Floats, uniform: Floats) -> States:
    """Draw a state for each node from log-potentials (N, n)."""
    bounds = np.cumsum(np.exp(scores - scores.max(axis=0)), axis=0)
    states: States = (uniform * bounds[-1] >= bounds[:-1]).sum(axis=0, dtype=np.uint8)
    return states


def _pairs(shape: Shape) -> tuple[Places, Places]:
    """Return the flat indices of both ends of every pair of adjacent nodes."""
    index = np.arange(prod(shape), dtype=np.int32).reshape(shape)
    axes = range(len(shape))
    first = [np.delete(index, -1, axis).ravel() for axis in axes]
    second = [np.delete(index, 0, axis).ravel() for axis in axes]
    return np.concatenate(first), np.concatenate(second)


def _two_colouring(shape: Shape) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return the flat indices of the even nodes and of their neighbours (2d, n); then the odd."""
    # A neighbour outside the lattice has the index after the last node's
    outside = prod(shape)
    index = np.pad(np.arange(outside).reshape(shape), 1, constant_values=outside)
    inner = (slice(1, -1),) * len(shape)
    shifts = [(step, axis) for axis in range(len(shape)) for step in (-1, 1)]
    neighbours = np.stack([np.roll(index, step, axis)[inner].ravel() for step, axis in shifts])
    parity = np.indices(shape).sum(axis=0).ravel() % 2
    parts = [np.flatnonzero(parity == colour) for colour in (0, 1)]
    return [(part, neighbours[:, part]) for part in parts]


def log_potentials(A: ArrayLike) -> Floats:
    """Return the mean of log A and its transpose."""
    potentials = check_adjacency(A)
    check_states(len(potentials))
    if not (potentials > 0.0).all():
        raise ParameterError(f"A must be positive, got {first_bad(potentials > 0.0, potentials)}")
    return np.asarray((np.log(potentials) + np.log(potentials).T) / 2)


def chosen_method(method: Method | None, log_A: Floats) -> Method:
    """Return a method that log-potentials allow; clusters if they do and none is named."""
    if method is not None:
        check_word("method", method, get_args(Method))
    like, unlike = log_A.diagonal(), log_A[~np.eye(len(log_A), dtype=bool)]
    attractive = not unlike.size or (np.ptp(like) == np.ptp(unlike) == 0.0 and unlike[0] <= like[0])
    if method == "clusters" and not attractive:
        raise ParameterError(
            "clusters need one value on A's diagonal and one off it, not greater, got "
            f"{np.exp(log_A).tolist()}"
        )
    return method or ("clusters" if attractive else "gibbs")


def _transitions(transitions: ArrayLike) -> Floats:
    matrix = check_emissions(transitions, "transitions")
    if matrix.shape[0] != matrix.shape[1]:
        raise ParameterError(f"transitions must be a square matrix, got shape {matrix.shape}")
    check_states(len(matrix))
    return matrix
