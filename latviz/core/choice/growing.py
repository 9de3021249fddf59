"""Growing a model state by state, and the number of states that pay off.

One state is split at a time, each time the one that most likely stands for two, and all are fitted
by belief. Code lengths of fields are a little too short, because messages return along loops and
bring a node its own observation; so every further state saves bits. The bits that it saves by
chance are measured in data drawn from the model without it.
"""

import math
from functools import partial
from itertools import pairwise

import numpy as np
import scipy

from latviz.core import threads
from latviz.core.checks import UNKNOWN
from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.code_length import prediction_bound
from latviz.core.choice.refining import (
    MOST_DIRECTIONS,
    TRIES,
    doubled,
    model_of,
    order_like,
)
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.masks import marked
from latviz.core.inference.binning import in_symbols, width_bits
from latviz.core.inference.emission import (
    NormalDensities,
    SymbolDensities,
    emission_of,
)
from latviz.core.inference.fitting import Fit, fit
from latviz.core.inference.laws import shortest_law_of
from latviz.core.model.models import Model
from latviz.core.model.residuals import Residuals, residuals_of
from latviz.core.progress import Progress, report, shares, stop_if_cancelled
from latviz.core.truth.emission import NormalEmission, emit
from latviz.core.types import Floats, States
from latviz.core.windows.decoding import decode_each

SEEN = 1 << 16
"""Nodes in the middle of a data set to use."""
FIRST, MOST = 6, 12
"""Rounds of each split, and of the best one."""
DRAWS = 2, 3, 5, 16
"""Data sets to draw for the savings by chance: more only if fewer leave the decision open."""
SURE, SURER, LIKELY = 0.99, 0.999, 0.9
"""The confidence with which a state must save more than chance by the first draws, and by more: the
same draws serve all pictures of a size, and may be low by chance. Below the third one it does not
pay off."""
FAR = 4
"""Steps between nodes that share light or drift: further than lenses and interpolation blur."""


class Growth:
    """Models of one state, two, and so on, each grown from the one before, on demand."""

    def __init__(self, data: DataSet, *, levelled: bool = False) -> None:
        # the middle of the data set, if that is large, and what models grow on; the growth to
        # choose by, once it is known (`levelling`); if numbers were levelled
        self.even: Growth | None = None
        self.levelled = levelled
        self.observed = _with_few_symbols(data.middle(SEEN))
        self.data = in_symbols(self.observed)
        self._fits, self._bits = list[Fit](), dict[int, float]()
        self._next: Fit | None = None  # the best split of the last model, once it is found

    def of(self, n_states: int, progress: Progress | None = None) -> Fit:
        """Return the model of ``n_states`` states."""
        # After `Cancelled` the grown states stay
        if not self._fits:
            self._fits.append(_alone(self.data))
        missing = range(len(self._fits), n_states)
        for part in shares(progress, [1] * len(missing)):
            splitting, last = shares(part, [1, 1])
            self._fits.append(_fitted_on(self._split(splitting), self.data, last))
            self._next = None
        return self._fits[n_states - 1]

    def _split(self, progress: Progress | None) -> Fit:
        """Return the best split of a state of the last model."""
        if self._next is None:
            self._next = _best_split(self._fits[-1], self.data, progress)
        return self._next

    def bits(self, n_states: int, progress: Progress | None = None) -> float:
        """Return the cavity code length with ``n_states`` states, in bits per node."""
        found = self.of(n_states, progress)
        if n_states not in self._bits:
            self._bits[n_states] = _bits(found)
        return self._bits[n_states]

    def number_bits(self, n_states: int) -> float:
        """Return the code length of numbers with ``n_states`` states, in bits per node."""
        return self.bits(n_states) + width_bits(self.observed)

    def model_like(self, model: Model) -> tuple[Model, float]:
        """Return the model of as many states as another one, in its order, and its strength."""
        found = self.of(model.n_states)
        states = decode_each(self.observed, model.codebook, model.window)
        order = order_like(states, found)
        places = np.full(UNKNOWN + 1, UNKNOWN, dtype=np.uint8)
        places[order] = np.arange(order.size)
        maps = [places[own] for own in self.states(model.n_states)]
        if self.data is self.observed:
            emission = found.emission.ordered(order)
        else:
            emission = shortest_law_of(self.observed, maps, model.n_states)
        return model_of(emission, model, maps, self.observed), found.strength

    def states(self, n_states: int, progress: Progress | None = None) -> list[States]:
        """Return the most probable of ``n_states`` states at each node, by lattice."""
        return [field.states() for field in self.of(n_states, progress).fields]

    @property
    def n_grown(self) -> int:
        """The most states of which there is a model so far."""
        return len(self._fits)

    def saved(self) -> Floats:
        """Return the savings of each grown state, from the second one on, in bits per node."""
        return -np.diff([self.bits(n) for n in range(1, self.n_grown + 1)])

    def residuals(self, n_states: int, apart: int = 1) -> Residuals:
        """Return the residuals of ``n_states`` states; neighbours are ``apart`` steps."""
        return residuals_of(self.observed, self.states(n_states), apart=apart)

    def far_correlation(self, n_states: int) -> float:
        """Return the correlation of residuals `FAR` steps apart; 0 if it may be by chance."""
        # Of independent residuals its variance is 1 / pairs
        found = self.residuals(n_states, FAR).correlation
        n_pairs = self.data.n_known * self.data.dimensions
        return found if found > scipy.special.ndtri(SURER) / math.sqrt(n_pairs) else 0.0

    def ended(self, most: int, progress: Progress | None = None) -> int | None:
        """Return the sufficient number of states; None if it may exceed ``most``."""
        # None if one more still pays off, or if neighbours are correlated within states
        # (`resemble`)
        n_states = self.enough(most + 1, progress)
        return None if n_states > most or self.resemble(n_states) else n_states

    def resemble(self, n_states: int) -> bool:
        """Return if neighbours share more bits beyond the states than the last state saves."""
        # Then states do not explain why neighbours are correlated. One state saves nothing: if it
        # is enough, neighbours are not correlated
        if n_states == 1:
            return False
        n_channels = self.observed.n_symbols - (self.observed.kind == "discrete")
        shared = shared_bits(self.residuals(n_states).correlation, self.data.dimensions, n_channels)
        return shared > self.bits(n_states - 1) - self.bits(n_states)

    def enough(self, most: int, progress: Progress | None = None) -> int:
        """Return the number of states that pay off, up to ``most``."""
        # Each must save more than chance: more than one more state saves of data sets drawn from
        # the model so far, beyond the one-sided prediction interval of these draws (Student's t).
        # Real fields differ a little from the model, and one more state makes up for that; so each
        # must also save more than a second one does, on average, of noise
        n_states, least = 1, 0.0
        for part in shares(progress, [1] * (most - 1)):
            saved, by_chance = self._saved(n_states, least, part)
            if saved <= least or not by_chance.is_less_than(saved):
                break
            if n_states == 1:
                least = max(by_chance.mean, 0.0)
            n_states += 1
        report(progress, 1.0)
        return n_states

    def _saved(
        self, n_states: int, least: float, progress: Progress | None
    ) -> tuple[float, "_ByChance"]:
        """Return the savings of one more state, and those by chance, unless that is too little."""
        first, more = DRAWS[0], DRAWS[-1] - DRAWS[0]
        splitting, growing, checking, drawing = shares(progress, [1, 1 + first, first, more])
        before = self.of(n_states)
        draws = [partial(_saved_of_drawn, before, self.data, k) for k in range(first)]
        # Draws are not needed if the state saves too little. That mostly shows when it is split,
        # before it is fitted on: else both go side by side
        pays = self._saved_so_far(n_states, splitting) > least
        tasks = [partial(self._grown, n_states), *(draws if pays else [])]
        saved, *found = threads.all_of(tasks, growing)
        if saved > least and not pays:
            found = threads.all_of(draws, checking)
        by_chance = _ByChance(found, before, self.data)
        if saved > least:
            by_chance.draw_on(saved, drawing)
        return saved, by_chance

    def _saved_so_far(self, n_states: int, progress: Progress | None) -> float:
        """Return the savings of one state more, or of its split if that is all there is."""
        if n_states < self.n_grown:
            return self._grown(n_states)
        return self.bits(n_states) - _bits(self._split(progress))

    def _grown(self, n_states: int, progress: Progress | None = None) -> float:
        """Return the savings of one state more than ``n_states``."""
        return self.bits(n_states) - self.bits(n_states + 1, progress)


def shared_bits(correlation: float, dimensions: int, n_channels: int) -> float:
    """Return the bits that a node's neighbours share with it, given their residual correlation."""
    # If residuals are normal with correlation r between neighbours, a neighbour gives
    # -1/2 log2 (1 - r^2) bits about each channel. NaN, where the states leave nothing, is not > 0
    if not correlation > 0:
        return 0.0
    bits = -0.5 * math.log2(max(1 - correlation**2, 1e-300))
    return bits * dimensions * n_channels


class _ByChance:
    """The savings of one more state for data without it, drawn from a fit."""

    def __init__(self, found: list[float], before: Fit, data: DataSet) -> None:
        # In nats the gain of p parameters by chance, half a chi-square, has the deviation
        # sqrt(p / 2): two draws that happen to be close do not show less
        self._found, self._before, self._data = found, before, data
        n_more = before.emission.n_parameters / before.emission.n_states
        self._least = math.sqrt(n_more / 2) / (data.n_known * math.log(2))

    @property
    def mean(self) -> float:
        """Of all draws."""
        return float(np.mean(self._found))

    def is_less_than(self, saved: float) -> bool:
        """Return if a state saves more."""
        return saved > self._bound(SURE if len(self._found) == DRAWS[0] else SURER)

    def _bound(self, sure: float) -> float:
        """Return the bound of another one of the same kind, with this confidence."""
        return prediction_bound(np.array(self._found), sure, self._least)

    def draw_on(self, saved: float, progress: Progress | None) -> None:
        """Draw more, as long as they do not show if ``saved`` is more than chance."""
        steps = [b - a for a, b in pairwise(DRAWS)]
        for n_more, part in zip(steps, shares(progress, steps), strict=True):
            n = len(self._found)
            if self.is_less_than(saved) or (n > DRAWS[0] and saved < self._bound(LIKELY)):
                break
            draws = [
                partial(_saved_of_drawn, self._before, self._data, n + k) for k in range(n_more)
            ]
            self._found += threads.all_of(draws, part)


def _with_few_symbols(data: DataSet) -> DataSet:
    """Return the data; if there are many symbols, the rare ones become one."""
    if data.kind != "discrete" or data.n_symbols <= MOST_DIRECTIONS:
        return data
    counts = sum(np.bincount(symbols, minlength=data.n_symbols) for symbols in data.rows)
    common = np.argsort(-np.asarray(counts), kind="stable")[: MOST_DIRECTIONS - 1]
    names = np.full(data.n_symbols, MOST_DIRECTIONS - 1)
    names[common] = np.arange(common.size)
    lattices = [names[values].astype(np.uint8) for values in data.values]
    return as_data_set(lattices, kind="discrete", n_symbols=MOST_DIRECTIONS).under(data.masks)


def _alone(data: DataSet) -> Fit:
    """Return the model of one state."""
    return fit(emission_of(data, data.in_one_state, 1), data, most=1)


def _bits(found: Fit) -> float:
    return cavity_length(found.fields, found.emission).bits


def _best_split(found: Fit, data: DataSet, progress: Progress | None = None) -> Fit:
    """Return the best of some fits with one state more, after a few rounds."""

    def tried(split: tuple[int, Floats], part: Progress | None) -> Fit:
        start = found.emission.split(*split), data, found.strength
        return fit(*start, most=FIRST, progress=part)

    tries = [partial(tried, split) for split in doubled(found, data)[:TRIES]]
    return min(threads.all_of(tries, progress), key=lambda one: one.bits)


def _fitted_on(best: Fit, data: DataSet, progress: Progress | None = None) -> Fit:
    """Return the fit of a split after all of its rounds."""
    found = fit(best.emission, data, best.strength, most=MOST, progress=progress)
    report(progress, 1.0)
    return found


def _saved_of_drawn(before: Fit, data: DataSet, seed: int, progress: Progress | None) -> float:
    """Return the savings of one more state for data drawn from a fit."""
    stop_if_cancelled(progress)
    starting, splitting, last = shares(progress, [1, 1, 1])
    other = _drawn(before, data, seed)
    own = fit(before.emission, other, before.strength, most=FIRST, progress=starting)
    return _bits(own) - _bits(_fitted_on(_best_split(own, other, splitting), other, last))


def _drawn(found: Fit, data: DataSet, seed: int) -> DataSet:
    """Return observations that the states of a fit emit."""
    emission = found.emission
    states = [marked(field.states(), field.known, 0) for field in found.fields]
    if isinstance(emission, SymbolDensities):
        observed = emit(states, emission=emission.B, random_state=seed)
    else:
        assert isinstance(emission, NormalDensities)
        observed = emit(
            states, emission=NormalEmission(emission.means, emission.covariances), random_state=seed
        )
    return as_data_set(observed, kind=data.kind, n_symbols=data.n_symbols).under(data.masks)
