"""Maps of states made by geometry; the random ones are functions of their seed."""

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike

from latviz.core.checks import (
    LARGEST,
    as_floats,
    check_integer,
    check_memory,
    check_number,
    check_seed,
    check_shape,
    check_states,
    shown,
)
from latviz.core.errors import ParameterError
from latviz.core.renamed import renamed
from latviz.core.truth.emission import Seed
from latviz.core.types import Shape, States

MOST_REACH = 1e9
"""Most nodes that a sway reaches; stripes and periods are at least 1 over it."""
MOST_SCALE = 10_000.0
"""Standard deviation at most, in nodes: the filter takes eight times as many."""


@renamed("shape n_states", seed="random_state")
def sample_blobs(
    shape: Sequence[int], *, n_states: int, scale: float, random_state: Seed = None
) -> States:
    """Sample smooth regions: at each node the state whose Gaussian-filtered noise is greatest.

    Parameters
    ----------
    shape : positive integers
        The lattice, of any number of dimensions.
    n_states : int
        N, 1..255. All states have about equal shares.
    scale : float
        Standard deviation of the filter in nodes, above 0 and at most 10,000: regions are a few
        times as wide.
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
    >>> one, again = (sample_blobs((8, 8), n_states=2, scale=2, random_state=0) for _ in range(2))
    >>> one.shape, bool((one == again).all())
    ((8, 8), True)
    """
    lattice, n_states = _checked(shape, n_states)
    scale = check_number("scale", scale, 0.0, MOST_SCALE, above=True)
    rng = np.random.default_rng(check_seed(random_state))
    best = np.full(lattice, -np.inf)
    states = np.zeros(lattice, dtype=np.uint8)
    for state in range(n_states):
        field = scipy.ndimage.gaussian_filter(rng.standard_normal(lattice), scale)
        field = (field - field.mean()) / (field.std() or 1.0)
        np.copyto(states, np.uint8(state), where=field > best)
        np.maximum(best, field, out=best)
    return states


@renamed("shape n_regions n_states", seed="random_state")
def sample_voronoi(
    shape: Sequence[int], *, n_regions: int, n_states: int, random_state: Seed = None
) -> States:
    """Sample a mosaic: every node takes the state of the nearest of some random centres.

    Parameters
    ----------
    shape : positive integers
        The lattice, of any number of dimensions.
    n_regions : int
        The number of centres, at least `n_states`.
    n_states : int
        N, 1..255. Each state has equally many centres, give or take one.
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
    >>> np.unique(sample_voronoi((8, 8), n_regions=3, n_states=3, random_state=0)).tolist()
    [0, 1, 2]
    """
    lattice, n_states = _checked(shape, n_states)
    n_regions = check_integer("n_regions", n_regions, n_states)
    check_memory(f"{n_regions} regions", 100 * n_regions)
    rng = np.random.default_rng(check_seed(random_state))
    centres = rng.random((n_regions, len(lattice))) * lattice
    state_of = rng.permutation(np.arange(n_regions) % n_states).astype(np.uint8)
    nodes = np.moveaxis(np.indices(lattice), 0, -1) + 0.5
    _, nearest = scipy.spatial.cKDTree(centres).query(nodes)
    mosaic: States = state_of[nearest]
    return mosaic


@renamed("shape widths")
def stripes(
    shape: Sequence[int],
    *,
    widths: ArrayLike,
    n_states: int = 2,
    sway: float = 0.0,
    period: float = 128.0,
) -> States:
    """Return stripes across the last axis, their states 0, 1, .., N-1, 0, ...

    Parameters
    ----------
    shape : positive integers
        The lattice, of any number of dimensions.
    widths : float, or a sequence of them
        The width of each stripe in nodes, positive; one width is that of all. The last stripe
        extends to the border.
    n_states : int
        N, 1..255.
    sway, period : float
        The stripes begin ``sway (1 + sin(2 pi y / period))`` nodes further left in row y of the
        axis before the last, if there is one.

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
    >>> stripes((1, 6), widths=2, n_states=3).tolist()
    [[0, 0, 1, 1, 2, 2]]
    """
    lattice, n_states = _checked(shape, n_states)
    given = as_floats("widths", widths)
    good = (given >= 1.0 / MOST_REACH) & (given <= LARGEST)
    if given.ndim > 1 or not given.size or not good.all():
        raise ParameterError(
            f"widths must be positive and finite, {1 / MOST_REACH:g} or more, got {shown(widths)}"
        )
    sway = check_number("sway", sway, -MOST_REACH, MOST_REACH)
    period = check_number("period", period, 1.0 / MOST_REACH, LARGEST)
    y, x = np.indices(lattice[-2:] if len(lattice) > 1 else (1, *lattice))
    across = x + sway * np.sin(2.0 * np.pi * y / period) + sway
    if given.ndim == 0:
        stripe = np.floor(across / given).astype(np.int64)
    else:
        stripe = np.searchsorted(np.cumsum(given)[:-1], across, side="right")
    plane = (stripe % n_states).astype(np.uint8)
    return np.broadcast_to(plane.reshape(lattice[-2:]), lattice).copy()


def checkerboard(shape: Sequence[int], *, side: int = 1, n_states: int = 2) -> States:
    """Return cubes whose states count up along every axis: sum of (coordinate // side), modulo N.

    Neighbouring cubes always differ; with side 1 all pairs differ and the associativity is 0.

    Parameters
    ----------
    shape : positive integers
        The lattice, of any number of dimensions.
    side : int
        The cubes' side in nodes, at least 1.
    n_states : int
        N, 1..255; with one state all cubes are equal.

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
    >>> checkerboard((2, 3)).tolist()
    [[0, 1, 0], [1, 0, 1]]
    """
    lattice, n_states = _checked(shape, n_states)
    side = min(check_integer("side", side, 1), max(lattice))
    cubes = np.indices(lattice, sparse=True)
    total = sum((axis // side for axis in cubes), start=np.zeros(lattice, dtype=np.int64))
    return np.asarray(total % n_states, dtype=np.uint8)


def _checked(shape: Sequence[int], n_states: int) -> tuple[Shape, int]:
    """Return the lengths of a lattice and its number of states, or raise `ParameterError`."""
    n_states = check_states(n_states)
    return check_shape(shape), n_states
