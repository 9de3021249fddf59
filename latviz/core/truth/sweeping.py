"""A continuing Markov random field: sweep after sweep, fast enough to watch."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from latviz.core import kernels, threads
from latviz.core.checks import check_integer, check_map, check_seed
from latviz.core.errors import ParameterError
from latviz.core.renamed import renamed
from latviz.core.truth.emission import Seed
from latviz.core.truth.markov import MOST_SWEEPS, Method, chosen_method, log_potentials
from latviz.core.types import Floats, States

MOST_SPREAD = 150.0
"""Of log A: the potentials of four neighbours are multiplied, and must not vanish for all."""
_NODE = np.int32
"""Of the numbers of nodes: half as much memory is half as long to wait for."""
FEW = 1 << 12
"""Fewer nodes than this are done sooner than other threads begin."""


@renamed("states A", seed="random_state")
def sweep_potts(
    states: ArrayLike,
    *,
    A: ArrayLike,
    sweeps: int = 1,
    first: int = 0,
    method: Method | None = None,
    random_state: Seed = None,
) -> States:
    """Return a field after more sweeps of the sampler described in `sample_potts`.

    The result follows from the seed and the numbers of the sweeps: ten sweeps are the same as four
    and then six with ``first`` 4, on any number of threads. A may change from call to call, so that
    you can watch a field follow its potentials. `sample_potts` uses NumPy's generator, and so draws
    other fields of the same distribution.

    Parameters
    ----------
    states : (H, W) int
        Initial states 0..N-1 of an image.
    A : (N, N) float
        Pair potentials, finite and positive, the greatest at most e^150 times the least; N from 1
        to 255. If A is not symmetric, the geometric mean of both orders counts.
    sweeps : int, 0 to 1,000,000
        The number of times that every node is resampled.
    first : int, at least 0
        The number of earlier sweeps.
    method : {"clusters", "gibbs"}, optional
        By default clusters if A allows them.
    random_state : int, SeedSequence, Generator or None, optional
        As of ``numpy.random.default_rng``; by default random numbers differ each time.

    Returns
    -------
    (H, W) uint8
        States 0..N-1.

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> A, start = [[3, 1], [1, 3]], checkerboard((8, 8))
    >>> at_once = sweep_potts(start, A=A, sweeps=10, random_state=0)
    >>> after_4 = sweep_potts(start, A=A, sweeps=4, random_state=0)
    >>> in_two = sweep_potts(after_4, A=A, sweeps=6, first=4, random_state=0)
    >>> bool((at_once == in_two).all())
    True
    """
    log_A = log_potentials(A)
    if (spread := float(np.ptp(log_A))) > MOST_SPREAD:
        raise ParameterError(
            f"A's greatest potential must be at most e^150 times its least, got e^{spread:.0f}"
        )
    field = check_map(states, len(log_A))
    if field.ndim != 2:
        raise ParameterError(f"states must be those of an image, got shape {field.shape}")
    sweeps = check_integer("sweeps", sweeps, 0, MOST_SWEEPS)
    first = check_integer("first", first, 0, 2**31)
    key = np.random.default_rng(check_seed(random_state)).integers(1 << 64, dtype=np.uint64)
    numbers = kernels.potts.PER_NODE * field.size
    places = [np.uint64(numbers * k) for k in range(first, first + sweeps)]
    sample = _by_clusters if chosen_method(method, log_A) == "clusters" else _by_gibbs
    return sample(np.ascontiguousarray(field), log_A, key, places)


def _by_gibbs(field: States, log_A: Floats, key: np.uint64, places: list[np.uint64]) -> States:
    padded = np.pad(field, 1, constant_values=len(log_A))
    pairs = pair_table(np.exp(log_A - log_A.max()))
    for place in places:
        for colour in (0, 1):
            task = partial(kernels.potts.gibbs, padded, pairs, key, place, colour)
            if field.size < FEW:
                task(0, len(field))
            else:
                threads.over_rows(len(field), task)
    return padded[1:-1, 1:-1].copy()


def pair_table(potentials: Floats) -> Floats:
    """Return the messages of two neighbours, (N + 1, N + 1, N); state N is the outside."""
    each = np.vstack([potentials, np.ones(len(potentials))])
    return np.asarray(each[:, None] * each[None])


def _by_clusters(field: States, log_A: Floats, key: np.uint64, places: list[np.uint64]) -> States:
    swept, parents = (
        field.copy(),
        np.empty(field.size, _NODE if field.size <= np.iinfo(_NODE).max else np.int64),
    )
    opening = -np.expm1(log_A.min() - log_A.max())
    for place in places:
        kernels.potts.open_bonds(swept, parents, opening, key, place)
        kernels.potts.draw_clusters(swept.reshape(-1), parents, len(log_A), key, place)
    return swept
