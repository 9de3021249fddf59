"""The law of observations: how far those of a state are from the normal law that it claims.

A decoder that looks at an observation cuts the laws of states off where another state is nearer. So
a node is counted for the state that all its neighbours share: they hardly depend on its
observation. Where single nodes differ in state from all their neighbours, as in rough fields, that
adds foreign nodes; so nodes that share their neighbours' state are compared alone, too, and the
smaller distance counts.

The normal law has the median and the quartiles of a state's numbers, not their mean and variance,
which a few nodes of another state move far.

Each channel is compared by itself: each channel of a normal vector is normal, and no covariance is
inverted. Symbols have any law, so there is nothing to compare.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN, check_integer
from latviz.core.data.data_set import DataSet
from latviz.core.model.indices import observed_in
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Nodes, States
from latviz.core.values import Value
from latviz.core.windows.stratified import sample_nodes

SAMPLE = 1 << 15
"""Nodes that are compared, spread evenly."""
LEAST = 400
"""Nodes that a state needs: of as many from the normal law itself, one set in twenty is 0.044 away
(Lilliefors, 1967, by means and variances; 0.05 by quartiles)."""
QUARTILE = NormalDist().inv_cdf(0.75)
"""Standard deviations from the median of the normal law to a quartile."""


@renamed("observations states")
def law_distance(observations: Any, *, states: Any, scalar: bool | None = None) -> float:
    """Return the distance of vectors in their states from the normal law.

    It is the Kolmogorov distance, the largest difference of the two shares of nodes below any
    value, as a mean over states, weighted by their nodes, and over channels. The normal law has the
    median and the distance of the quartiles of each state's own nodes. A node counts if all its
    neighbours share one state; ties count half. Some 32,000 nodes are compared, spread evenly.

    It is below 0.02 for normal noise, 0.03 for Student's with 3 degrees of freedom, 0.04 for
    Laplace's noise, 0.09 for uniform noise, 0.20 for exponential noise.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice, or a data set: vectors (*shape, M).
    states : ndarray, shape (*shape), or for a data set a list of them
        Decoded states, from 0 to 254; 255 where a node is unknown. Nodes beside one do not count.
    scalar : bool, optional
        True if vectors are numbers (*shape), M = 1, as by default if they have the states' shape.

    Returns
    -------
    float
        From 0 to 1; NaN if no state has 400 nodes that count, or all their observations are equal.

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> seen = np.repeat([0.0, 1.0, 5.0], 200)  # a sixth is below 0, as ties count half
    >>> round(law_distance(seen, states=np.zeros(600, int)), 3)  # of the normal law 0.359
    0.193
    """
    call = "law_distance(observations, states=...)"
    given = observations, states, call, "gaussian"
    return distance_of(*observed_in(*given, scalar=scalar))


@dataclass(frozen=True, eq=False)
class LawQuantiles(Value):
    """Quantiles of one channel in one state, and those of the normal law with its quartiles.

    Attributes
    ----------
    state, channel : int
        Its state and channel, from 0.
    n_nodes : int
        The number of nodes that were compared.
    claimed : ndarray, shape (P,), float64
        Increasing quantiles of the standard normal law.
    observed : ndarray, shape (P,), float64
        The numbers with the same share of nodes below them, minus the median, in standard
        deviations of the normal law with their quartiles.
    place : int
        The place in both of the largest difference of the shares.
    distance : float
        That difference, from 0 to 1.

    Examples
    --------
    >>> (both,) = law_quantiles(np.repeat([0.0, 1.0, 5.0], 200), states=np.zeros(600, int))
    >>> both.claimed.round(3).tolist(), both.observed.round(3).tolist()
    ([-0.967, 0.0, 0.967], [-0.36, 0.0, 1.439])
    """

    state: int
    channel: int
    n_nodes: int
    claimed: Floats
    observed: Floats
    place: int
    distance: float


@renamed("observations states")
def law_quantiles(
    observations: Any, *, states: Any, scalar: bool | None = None, n_points: int = 100
) -> list[LawQuantiles]:
    """Return the quantiles of vectors in their states, and those of the normal law.

    They are the points of a quantile-quantile plot: on the line of equal quantiles if noise is
    normal. `law_distance` is the mean of their distances, weighted by their nodes.

    Parameters
    ----------
    observations, states, scalar
        As for `law_distance`.
    n_points : int, optional
        The most points of each channel in each state, from 2 to 100,000, spread over its nodes. The
        place of the largest difference is among them.

    Returns
    -------
    list of LawQuantiles
        For each state and channel, by state; none of states with fewer than 400 nodes that count,
        or of equal observations.

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> seen = np.repeat([0.0, 1.0, 5.0], 200)
    >>> [round(both.distance, 3) for both in law_quantiles(seen, states=np.zeros(600, int))]
    [0.193]
    """
    n_points = check_integer("n_points", n_points, 2, 100_000)
    call = "law_quantiles(observations, states=...)"
    given = observations, states, call, "gaussian"
    data, maps = observed_in(*given, scalar=scalar)
    return quantiles_of(data, maps, n_points)


def distance_of(data: DataSet, states: Sequence[States]) -> float:
    """Return the distance of a checked data set from the normal law; NaN for symbols."""
    return _mean(_compared(data, states))


def quantiles_of(data: DataSet, states: Sequence[States], n_points: int) -> list[LawQuantiles]:
    """Return `law_quantiles` of a checked data set; none of symbols."""
    return [one.quantiles(n_points) for one in _compared(data, states)]


@dataclass(frozen=True, eq=False)
class _Standard:
    """The distinct numbers of a channel in a state, and the share of its nodes below each."""

    state: int
    channel: int
    n_nodes: int
    numbers: Floats  # minus their median, in units that their quartiles give; increasing
    below: Floats  # ties count half

    @classmethod
    def of(cls, state: int, channel: int, values: Floats) -> "_Standard":
        """Return that of numbers that are not all equal."""
        distinct, counts = np.unique(values, return_counts=True)
        low, high = distinct[[0, -1]]
        unit = (distinct - low) / (high - low)
        below = (np.cumsum(counts) - counts / 2) / values.size
        first, middle, third = np.interp([0.25, 0.5, 0.75], below, unit)
        spread = (third - first) / (2 * QUARTILE)
        return cls(state, channel, values.size, (unit - middle) / spread, below)

    @property
    def apart(self) -> Floats:
        """The differences of the shares from those of the normal law."""
        return np.asarray(np.abs(self.below - scipy.special.ndtr(self.numbers)))

    def quantiles(self, n_points: int) -> LawQuantiles:
        """Return at most that many points, and the place of the largest difference."""
        # Evenly spread over the claimed quantiles, or hardly any would be in the tails
        worst, claimed = int(self.apart.argmax()), scipy.special.ndtri(self.below)
        even = np.linspace(claimed[0], claimed[-1], n_points - 1)
        chosen = np.union1d(np.searchsorted(claimed, even), [worst])
        return LawQuantiles(
            self.state,
            self.channel,
            self.n_nodes,
            claimed[chosen],
            self.numbers[chosen],
            int(np.searchsorted(chosen, worst)),
            float(self.apart[worst]),
        )


def _compared(data: DataSet, states: Sequence[States]) -> list[_Standard]:
    """Return the channels of states that are compared, in the way of the smaller distance."""
    if data.kind == "discrete":
        return []
    parts = zip(data.values, states, sample_nodes(data, SAMPLE), strict=True)
    found = [_surrounded(*part) for part in parts]
    vectors, around, same = (np.concatenate(some) for some in zip(*found, strict=True))
    ways = [*_by_state(vectors, around)], [*_by_state(vectors[same], around[same])]
    return min((way for way in ways if way), key=_mean, default=[])


def _mean(found: Sequence[_Standard]) -> float:
    """Return the mean distance, weighted by nodes; NaN of none."""
    if not found:
        return math.nan
    weights = [one.n_nodes for one in found]
    return float(np.average([one.apart.max() for one in found], weights=weights))


def _surrounded(
    vectors: NDArray[Any], states: States, nodes: Nodes
) -> tuple[Floats, States, NDArray[np.bool_]]:
    """Return the nodes whose neighbours share a state: observations, that state, if it is own."""
    # A node at the border has the same neighbour on both sides
    own, found = states[nodes], list[States]()
    for axis, length in enumerate(states.shape):
        for step in (-1, 1) if length > 1 else ():
            place = nodes[axis] + step
            inside = (place >= 0) & (place < length)
            moved = np.where(inside, place, nodes[axis] - step)
            found.append(states[(*nodes[:axis], moved, *nodes[axis + 1 :])])
    around = np.array(found, np.uint8).reshape(-1, own.size)
    least = around.min(axis=0, initial=255)
    chosen = (least == around.max(axis=0, initial=0)) & (least < UNKNOWN)
    shared = least[chosen]
    return vectors[nodes][chosen].astype(np.float64), shared, own[chosen] == shared


def _by_state(vectors: Floats, states: States) -> Iterator[_Standard]:
    """Yield the channels of states with enough nodes, unless all of their numbers are equal."""
    sizes = np.bincount(states)
    groups = np.split(vectors[np.argsort(states, kind="stable")], np.cumsum(sizes)[:-1])
    for state, group in enumerate(groups):
        for channel, values in enumerate(group.T):
            if len(group) >= LEAST and values.min() < values.max():
                yield _Standard.of(state, channel, values)
