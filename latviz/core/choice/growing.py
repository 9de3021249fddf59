"""Growing a model state by state, and the number of states that pay off.

One state is split at a time, each time the one that most likely stands for two, and all are fitted
by belief. Code lengths of fields are a little too short, because messages return along loops and
bring a node its own observation; so every further state saves bits. The bits that it saves by
chance are measured in data drawn from the model without it.
"""

from collections.abc import Sequence

import numpy as np
import scipy

from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.refining import (
    MOST_DIRECTIONS,
    TRIES,
    doubled,
    model_of,
    order_like,
)
from latviz.core.data.data_set import DataSet, as_data_set
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
from latviz.core.progress import Progress, report, shares, stop_if_told
from latviz.core.truth.emission import NormalEmission, emit
from latviz.core.types import Floats, States
from latviz.core.windows.decoding import decode_each

SEEN = 1 << 16
"""Nodes in the middle of a data set to use."""
FIRST, MOST = 6, 12
"""Rounds of each split, and of the best one."""
SURE = 0.99
"""The confidence with which a state must save more than chance."""
DRAWS = 6
"""Most data sets to draw for the savings by chance; two, if these are clear."""


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

    def of(self, n_states: int, progress: Progress | None = None) -> Fit:
        """Return the model of ``n_states`` states."""
        # After `Cancelled` the grown states stay
        if not self._fits:
            self._fits.append(_alone(self.data))
        missing = range(len(self._fits), n_states)
        for part in shares(progress, [1] * len(missing)):
            self._fits.append(_with_one_more(self._fits[-1], self.data, part))
        return self._fits[n_states - 1]

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
        places = np.argsort(order).astype(np.uint8)
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

    def residuals(self, n_states: int) -> Residuals:
        """Return the residuals of ``n_states`` states."""
        return residuals_of(self.observed, self.states(n_states))

    def ended(self, most: int, progress: Progress | None = None) -> int | None:
        """Return the sufficient number of states; None if it may exceed ``most``."""
        # None if one more still pays off, or if neighbours are correlated within states
        # (`resemble`)
        n_states = self.enough(most + 1, progress)
        return None if n_states > most or self.resemble(n_states) else n_states

    def resemble(self, n_states: int) -> bool:
        """Return if neighbours share more bits beyond the states than the last state saves."""
        # Then states do not explain why neighbours are correlated. If the residuals are normal with
        # correlation r between neighbours, a neighbour gives -1/2 log2 (1 - r^2) bits about each
        # channel. One state saves nothing: if it is enough, neighbours are not correlated
        r = self.residuals(n_states).correlation
        if n_states == 1 or not r > 0:  # NaN, where the states leave nothing
            return False
        n_channels = self.observed.n_symbols - (self.observed.kind == "discrete")
        told = -0.5 * np.log2(max(1 - r**2, 1e-300)) * self.data.dimensions * n_channels
        return bool(told > self.bits(n_states - 1) - self.bits(n_states))

    def enough(self, most: int, progress: Progress | None = None) -> int:
        """Return the number of states that pay off, up to ``most``."""
        # Each must save more than chance: more than one more state saves of data sets drawn from
        # the model so far, beyond the one-sided prediction interval of these draws (Student's t) in
        # all but one of a hundred cases. Real fields differ a little from the model, and one more
        # state makes up for that; so each must also save more than a second one does, on average,
        # of noise
        n_states, of_noise = 1, 0.0
        for part in shares(progress, [1] * (most - 1)):
            growing, drawing = shares(part, [1, DRAWS])
            before = self.of(n_states)
            saved = self.bits(n_states) - self.bits(n_states + 1, growing)
            by_chance = _saved_by_chance(before, max(saved, 0.0), self.data, drawing)
            if n_states == 1:
                of_noise = float(np.mean(by_chance))
            if saved <= max(_bound(by_chance), of_noise, 0.0):
                break
            n_states += 1
        report(progress, 1.0)
        return n_states


def _with_few_symbols(data: DataSet) -> DataSet:
    """Return the data; if there are many symbols, the rare ones become one."""
    if data.kind != "discrete" or data.n_symbols <= MOST_DIRECTIONS:
        return data
    counts = sum(
        np.bincount(values.reshape(-1), minlength=data.n_symbols) for values in data.values
    )
    common = np.argsort(-np.asarray(counts), kind="stable")[: MOST_DIRECTIONS - 1]
    names = np.full(data.n_symbols, MOST_DIRECTIONS - 1)
    names[common] = np.arange(common.size)
    lattices = [names[values].astype(np.uint8) for values in data.values]
    return as_data_set(lattices, "discrete", MOST_DIRECTIONS)


def _alone(data: DataSet) -> Fit:
    """Return the model of one state."""
    states: list[States] = [np.zeros(shape, dtype=np.uint8) for shape in data.shapes]
    return fit(emission_of(data, states, 1), data, most=1)


def _bits(found: Fit) -> float:
    return cavity_length(found.fields, found.emission).bits


def _with_one_more(found: Fit, data: DataSet, progress: Progress | None = None) -> Fit:
    """Return the best fit with one state more."""
    tried = []
    for state, apart in doubled(found, data)[:TRIES]:
        stop_if_told(progress)
        tried.append(fit(found.emission.split(state, apart), data, found.strength, most=FIRST))
    best = min(tried, key=lambda one: one.bits)
    report(progress, 0.5)
    found = fit(best.emission, data, best.strength, most=MOST)
    report(progress, 1.0)
    return found


def _saved_by_chance(
    before: Fit, saved: float, data: DataSet, progress: Progress | None
) -> list[float]:
    """Return the savings of one more state for data without it, for as many draws as needed."""
    # ``saved`` is its saving for the data themselves: draws end once they show if that is more
    found: list[float] = []
    for part in shares(progress, [1] * DRAWS):
        found.append(_saved_of_drawn(before, data, len(found), part))
        plain = len(found) > 1 and saved > _bound(found)
        if plain or (len(found) > 2 and saved < np.mean(found)):
            break
    return found


def _saved_of_drawn(before: Fit, data: DataSet, seed: int, progress: Progress | None) -> float:
    """Return the savings of one more state for data drawn from a fit."""
    stop_if_told(progress)
    other = _drawn(before, data, seed)
    own = fit(before.emission, other, before.strength, most=FIRST)
    return _bits(own) - _bits(_with_one_more(own, other, progress))


def _drawn(found: Fit, data: DataSet, seed: int) -> DataSet:
    """Return observations that the states of a fit emit."""
    emission, states = found.emission, [field.states() for field in found.fields]
    if isinstance(emission, SymbolDensities):
        observed = emit(states, emission.B, seed=seed)
    else:
        assert isinstance(emission, NormalDensities)
        observed = emit(states, NormalEmission(emission.means, emission.covariances), seed=seed)
    return as_data_set(observed, data.kind, data.n_symbols)


def _bound(values: Sequence[float]) -> float:
    """Return the bound that another value of the same kind exceeds once in a hundred cases."""
    n = len(values)
    t = scipy.special.stdtrit(n - 1, SURE)
    return float(np.mean(values) + t * np.std(values, ddof=1) * np.sqrt(1 + 1 / n))
