"""Uneven light: a slow field under the numbers of a lattice, which adds to what states emit.

Numbers under a ramp or a vignette look like many states, or like dependent neighbours. Numbers
without their light have the least entropy, if states form fine patterns. Large blocks that
are neighbours mostly share their states, so the differences of their means show the slope of the
light, while borders of regions are outliers. The level of a node's neighbours then stands for its
state, and shows faster light. States are found under this light, and show it more precisely.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN
from latviz.core.choice.growing import SEEN, Growth
from latviz.core.data import light
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.per_lattice import per_lattice
from latviz.core.inference.binning import has_bins
from latviz.core.model.dependence import are_dependent
from latviz.core.model.indices import observed_in
from latviz.core.progress import Progress, report, shares
from latviz.core.renamed import renamed
from latviz.core.types import Floats, States

PURE_BLOCK = 16
"""Nodes of a block of one state."""
FOURTH = 4
"""Degree of the polynomial under nodes in known states."""
ROUNDS = 6
"""Of states and light in turn, at most; they end when one saves less than the light's own bits."""
COARSE, FINE = 4, 8
"""States of a trial for dependence; and to find pure blocks: more than there are do no harm."""


@renamed("observations states")
@per_lattice
def level_light(observations: Any, *, states: Any = None) -> list[Floats]:
    """Return numbers minus the slow field of uneven light under them.

    The field is a polynomial with mean 0. Without states two of the second degree are fitted: one
    robustly (Tukey's biweight) to differences of the medians of neighbouring blocks of some 64
    nodes, and one so that the numbers minus it have the least entropy. From the best of both and of
    even light, others of up to the eighth degree (the fourth in three dimensions) are found in turn
    with the level of each node's neighbours. The one that codes each number in the fewest bits,
    given this level, is subtracted. With states the field has the fourth degree, and is fitted
    robustly with a mean for each state.

    Parameters
    ----------
    observations : ndarray, shape (*shape), or a list or tuple of them, or DataSet
        Numbers; each lattice has its own light.
    states : ndarray of int, shape (*shape), optional
        Decoded states, from 0 to 254, 255 where a node is unknown; for a data set a list of them.

    Returns
    -------
    ndarray, shape (*shape), float64, or a list of them for a data set
        The same numbers if a lattice shows no light, or is too small to show any. NaN where nodes
        are unknown.

    Raises
    ------
    ParameterError
        If observations are not numbers, or the states do not have their shapes.

    Examples
    --------
    >>> ramp = np.add.outer(np.arange(32.0), np.zeros(32))
    >>> bool(np.ptp(level_light(ramp)) < 1e-6)
    True
    """
    if states is None:
        data = as_data_set(observations, kind="gaussian", scalar=True)
        return [v - light.robust_light(v) for v in _numbers(data)]
    call = "level_light(observations, states=...)"
    data, maps = observed_in(observations, states, call, "gaussian", scalar=True)
    return [v - _joint(v, own) for v, own in zip(_numbers(data), maps, strict=True)]


def _numbers(data: DataSet) -> list[NDArray[Any]]:
    """Return the lattices of numbers without their axis of channels, NaN where unknown."""
    both = zip(data.values, data.masks, strict=True)
    return [v[..., 0] if known is None else np.where(known, v[..., 0], np.nan) for v, known in both]


def in_even_light(growth: Growth, most: int, progress: Progress | None = None) -> Growth:
    """Return the growth, or that of levelled numbers if as many states take fewer bits of them."""
    # Numbers that are dependent even so are those of photographs, and stay as they are
    if growth.even is None:
        growth.even = _even(growth, most, progress)
    report(progress, 1.0)
    return growth.even


def _even(growth: Growth, most: int, progress: Progress | None) -> Growth:
    seen = growth.observed
    if not has_bins(seen):
        return growth
    testing, first, second, third = shares(progress, [1, 4, 4, 4])
    numbers = _numbers(seen)
    found = [light.robust_light(values) for values in numbers]
    even = _levelled(seen, found)
    if not any(field.any() for field in found) or are_dependent(even, COARSE, testing):
        return growth
    once = Growth(even, levelled=True)
    states = once.states(FINE, first)
    lights = _refitted(_pure, numbers, found, states)
    price = len(numbers) * light.columns_of((2,) * seen.dimensions, FOURTH, 1).shape[1]
    price *= np.log2(seen.n_known) / (2 * seen.n_known)
    in_turn, n_states = _in_turn(seen, lights, most, price, (second, third))
    alone = [_joint(*both) for both in zip(numbers, seen.in_one_state, strict=True)]
    flat = Growth(_levelled(seen, alone), levelled=True)  # if there is one state
    costs = [(one.number_bits(n_states) + price, one) for one in (flat, once, in_turn)]
    least = min(cost for cost, _ in costs)
    if least >= growth.number_bits(n_states):
        return growth
    # Of lights that are about as good, the one that fewer states have shaped
    return next(one for cost, one in costs if cost <= least + price)


def _in_turn(
    seen: DataSet,
    lights: Sequence[Floats],
    most: int,
    price: float,
    progress: tuple[Progress | None, Progress | None],
) -> tuple[Growth, int]:
    """Return the growth under lights found in turn with its states, and the number of these."""
    first, rest = progress
    growth = Growth(_levelled(seen, lights), levelled=True)
    n_states = growth.enough(most, first)
    for part in shares(rest, [1] * ROUNDS):
        lights = _refitted(_joint, _numbers(seen), lights, growth.states(n_states))
        other = Growth(_levelled(seen, lights), levelled=True)
        n_others = other.enough(most, part)
        saved = growth.number_bits(n_states) - other.number_bits(n_others)
        if saved > -price:
            growth, n_states = other, n_others
        if saved < price:
            break
    return growth, n_states


def _levelled(data: DataSet, lights: Sequence[Floats]) -> DataSet:
    """Return a data set of numbers minus their lights."""
    even = [v - field for v, field in zip(_numbers(data), lights, strict=True)]
    return as_data_set(even, kind="gaussian", scalar=True, mask=data.masks)


def _refitted(
    fit: Callable[[Floats, States], Floats],
    numbers: Sequence[NDArray[Any]],
    lights: Sequence[Floats],
    states: Sequence[States],
) -> list[Floats]:
    """Return lights with what a fit finds under numbers minus them."""
    each = zip(numbers, lights, states, strict=True)
    return [field + fit(values - field, own) for values, field, own in each]


def _pure(numbers: NDArray[Any], states: States) -> Floats:
    """Return the light under numbers of states that may be more than there are."""
    low, high = (light.blocks(states, PURE_BLOCK, f).astype(np.int64) for f in (np.min, np.max))
    kinds = np.where((low == high) & (low < UNKNOWN), low, -1)
    steps, slopes = light.steps(numbers, kinds, PURE_BLOCK)
    if len(steps) <= 2 * slopes.shape[1]:
        return np.zeros(numbers.shape)
    return light.light_of(light.fitted(slopes, steps)[0], numbers.shape)


def _joint(numbers: NDArray[Any], states: States) -> Floats:
    """Return the light under numbers of known states."""
    step = max(1, numbers.size // SEEN)
    some, seen = states.reshape(-1)[::step], numbers.reshape(-1)[::step].astype(np.float64)
    known = some < UNKNOWN
    some, seen = some[known], seen[known]
    present = np.unique(some)
    terms = light.columns_of(numbers.shape, FOURTH, step)[known]
    columns = np.concatenate([some[:, None] == present, terms], axis=1)
    if len(some) <= 2 * columns.shape[1]:
        return np.zeros(numbers.shape)
    found = light.fitted(columns, seen)[0]
    return light.light_of(found[present.size :], numbers.shape)
