"""Refining a model: emissions, coupling and states that explain the observations best."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.checks import check_progress
from latviz.core.choice.calibrating import calibrated, hidden_length, hidden_part
from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.code_length import CodeLength
from latviz.core.data.data_set import DataSet, given_back
from latviz.core.data.lattice import n_directions
from latviz.core.errors import called_as
from latviz.core.inference.beliefs import STRENGTHS
from latviz.core.inference.binning import in_symbols
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import (
    BinnedDensities,
    Densities,
    NormalDensities,
    SymbolDensities,
    certain,
    emission_of,
)
from latviz.core.inference.field import Beliefs
from latviz.core.inference.fitting import Fit, coupling, fields_at_rest, fit
from latviz.core.inference.laws import any_law_of, free_emission_of, of_shortest_law
from latviz.core.inference.potentials import potentials_of
from latviz.core.model.dependence import are_dependent
from latviz.core.model.indices import count
from latviz.core.model.learning import adjacency, codebook_of, learn_from_sample
from latviz.core.model.models import DiscreteModel, GaussianModel, Model, check_model
from latviz.core.model.residuals import residuals_of
from latviz.core.progress import Progress, report, shares, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Matrix, States
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

WINDOWS = (1, 2, 3, 5)
"""Half-widths of the decodings of images to start from, besides the model's own."""
TRIES = 3
"""Failed splits of states before splitting ends."""
MOST_DIRECTIONS = 256
"""Most symbols, or channels, for splitting states: covariances of more would fill the memory."""
FIRST, MOST, LAST = 4, 30, 8
"""Rounds of each start, of the best one at most, and then of all nodes at most."""
SENDINGS = 12
"""Times that messages are sent between all nodes, at most, once emissions are found."""
DOUBT = 1 / 3
"""Share of the nodes in a uniformly random state at the start, if each node alone gives its
state."""
HALF = 0.5
"""Times that each pair of states is counted more than it is seen (Krichevsky-Trofimov)."""
SAMPLE = 1 << 15
"""Nodes, spread over a data set, for finding the best start."""
FEW = 1 << 14
"""Nodes for testing if pairs of states have attractions of their own."""
Law = Callable[[DataSet, list[States], int], Densities]
"""What makes emissions of states."""


@dataclass(frozen=True, eq=False)
class Refined(Value):
    """A refined model, with its states and measures of the observations.

    Attributes
    ----------
    model : DiscreteModel or GaussianModel
        Its emissions come from beliefs, and A is counted over the most probable states. Each state
        has the number of the initial state that it overlaps most.
    states : ndarray, shape (*shape), uint8, or a list of them for a data set
        The most probable state of each node; 255 of unknown ones.
    beliefs : ndarray, shape (*shape, N), float32, or a list of them for a data set
        See `DiscreteModel.beliefs`.
    attraction : ndarray, shape (N, N), float64
        The attraction of each pair of states: symmetric, at most 1. It is the identity if states
        attract only their like, all equally (a Potts field). In a checkerboard it is 1 off the
        diagonal, and less on it.
    strength : float
        ``strength * attraction`` is the log-potential of two states as neighbours:
        ``sample_potts(np.exp(strength * attraction), shape=...)`` draws from such a field.
    bits : float
        The cavity code length, in bits per node: the bits of an observation given all others. Each
        node is hidden while the others send messages, or these would return its own observation
        along loops. For vectors it is a density's, and may be negative.
    residual_correlation : float
        The correlation that the states leave unexplained, see `residual_correlation`.

    Examples
    --------
    >>> halves = stripes((8, 8), widths=4)
    >>> found = refine(halves, model=DiscreteModel.fit(halves, n_states=2, window=1))
    >>> found.beliefs.shape, bool(((found.states == found.states[0, 0]) == (halves == 0)).all())
    ((8, 8, 2), True)
    """

    model: Model
    states: States | list[States]
    beliefs: Beliefs | list[Beliefs]
    attraction: Matrix
    strength: float
    bits: float
    residual_correlation: float


@renamed("observations model")
def refine(observations: Any, *, model: Model, progress: Progress | None = None) -> Refined:
    """Estimate emissions and the coupling of neighbours again, from the observations alone.

    Decodings by windows blur the emissions of states that meet, and make A too inert. Here the
    states start from such decodings, by the model and by windows of several widths. Then messages
    between neighbours give beliefs (sum-product), and beliefs give the emissions, in rounds. The
    strength of the coupling and the best start have the least cavity code length, which predicts
    each node without its own observation. States attract only their like, all equally (a Potts
    field). If separate attractions for each pair of states shorten the code by more than their
    parameters cost, they are used instead, as in a checkerboard, whose states no window separates.

    If neighbours are correlated even within a state (see `LatticeModel.strength`), as in
    photographs, the least code length would explain the correlation by weak couplings and other
    states. Then the model's own states give the emissions once, and neighbours are coupled
    strongly.

    Noise may follow any law: the shares of bins of each channel are counted in each state, and a
    normal copula couples channels. Of vectors, normal densities replace them if bins save fewer
    bits than their shares cost.

    In the end each node is hidden from the others in turn. If this shows that states explain noise,
    emissions and strength are estimated again from the messages to each node. If one state codes
    the data as well as all, all states get the same emission, the strength is 0, and every node is
    in state 0.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice, or a data set: symbols 0..M-1, or vectors (*shape, M); d from 1 to 3.
    model : DiscreteModel or GaussianModel
        The source of N, w and the initial states.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    Refined

    Raises
    ------
    ParameterError
        If an observation does not fit the model, lattices have more than three dimensions, or
        memory cannot hold the messages.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> halves = stripes((8, 8), widths=4)
    >>> found = refine(halves, model=DiscreteModel.fit(halves, n_states=2, window=1))
    >>> bool(((found.states == found.states[0, 0]) == (halves == 0)).all())
    True
    """
    with called_as("refine(observations, model=...)"):
        data = check_model(model).data_set(observations)
    progress = check_progress(progress)
    if are_dependent(data, model.n_states, progress):
        return refined_of(*_as_decoded(data, model, progress), model, observations, data, progress)
    return refined_of(*best_fit(data, model, progress), model, observations, data, progress)


def refined_of(
    found: Fit,
    length: CodeLength,
    model: Model,
    observations: Any,
    data: DataSet,
    progress: Progress | None,
) -> Refined:
    """Return the result of a fit of observations, as a data set, and its bits of hidden nodes."""
    states = [field.states() for field in found.fields]
    beliefs = [field.beliefs() for field in found.fields]
    return Refined(
        model_of(found.emission, model, states, data),
        given_back(observations, states),
        given_back(observations, beliefs),
        found.attraction,
        found.strength,
        length.mean,
        residuals_of(data, states, progress).correlation,
    )


def best_fit(data: DataSet, model: Model, progress: Progress | None) -> tuple[Fit, CodeLength]:
    """Return the best fit of independent observations, and the bits of hidden nodes."""
    fitting, extending = shares(progress, [3, 2])
    return finished(_fit_of_part(data, model, fitting), data, extending)


def finished(found: Fit, data: DataSet, progress: Progress | None) -> tuple[Fit, CodeLength]:
    """Return the fit of all nodes that starts from that of a part, and the bits of hidden nodes."""
    calibrating, extending = shares(progress, [1, 1])
    some = hidden_part(data, found.emission.n_states)
    best, length = calibrated(found, some, calibrating)
    if best is not found:
        return extended_to_all(best, data, extending), length
    found = _fit_of_all(found, data, extending)
    return found, (length if found is best else hidden_length(found, some))


def _as_decoded(data: DataSet, model: Model, progress: Progress | None) -> tuple[Fit, CodeLength]:
    """Return the fit of the model's own states, and the bits of hidden nodes."""
    # Dependent observations reward weak couplings, splits and other starts that explain their
    # dependence. So emissions are counted once, and the strength is fixed
    own = decode_each(data, model.codebook, model.window)
    attraction, unit = attraction_of(own, model.n_states)
    emission, strength = emission_of(data, own, model.n_states), STRENGTHS[1] * unit
    found = extended_to_all(Fit(emission, attraction, strength, math.nan, []), data, progress)
    return found, hidden_length(found, hidden_part(data, model.n_states))


def refined_fit(data: DataSet, model: Model, progress: Progress | None = None) -> Fit:
    """Return the fit of `refine` for a data set of the model's, before any node is hidden."""
    # Vectors are normal: lengths of several models are compared, and their bins would differ
    fitting, last = shares(progress, [4, 1])
    return _fit_of_all(_fit_of_part(data, model, fitting, free_emission_of), data, last)


def _fit_of_part(
    data: DataSet, model: Model, progress: Progress | None, law: Law = any_law_of
) -> Fit:
    """Return the best fit of at most `SAMPLE` nodes of a data set: of all, if it has no more."""
    some, n_states = data.spread(SAMPLE), model.n_states
    own = decode_each(some, model.codebook, model.window)
    windows = windows_of(WINDOWS, data.dimensions)
    maps: list[Callable[[], list[States]]] = [lambda: own]
    maps += [partial(_of_window, some, window, n_states) for window in windows]
    if some.kind == "gaussian":  # symbols show states that differ in spread alone
        maps.append(lambda: _of_window(in_symbols(some), windows[-1], n_states))
    trying, splitting, pairing, first = shares(progress, [len(maps), 2 * TRIES, 3, 3])

    def fitted(states: Callable[[], list[States]], part: Progress | None) -> Fit:
        return fit(law(some, states(), n_states), some, most=FIRST, progress=part)

    tried = threads.all_of([partial(fitted, states) for states in maps], trying)
    best = _resplit(min(tried, key=lambda one: one.bits), some, splitting)
    best = _with_pairs(best, some, pairing)
    order = order_like(own, best)
    start, attraction = best.emission.ordered(order), best.attraction[np.ix_(order, order)]
    start = of_shortest_law(start, [field.beliefs()[..., order] for field in best.fields], some)
    found = fit(start, some, best.strength, attraction=attraction, most=MOST, progress=first)
    report(progress, 1.0)  # mostly fewer rounds are needed than may be
    return found


def windows_of(windows: Sequence[int], dimensions: int) -> list[int]:
    """Return half-widths of images; for sequences, those of windows that hold as many nodes."""
    return [((2 * w + 1) ** 2 - 1) // 2 if dimensions == 1 else w for w in windows]


def _fit_of_all(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return the fit of all nodes that starts from that of a part; the same, if that is all."""
    if sum(math.prod(field.shape) for field in found.fields) < data.n_nodes:
        found = fit(
            found.emission,
            data,
            found.strength,
            attraction=found.attraction,
            most=LAST,
            searching=False,
            progress=progress,
        )
    report(progress, 1.0)  # mostly fewer rounds are needed than may be
    return found


def extended_to_all(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return a fit with the fields of all nodes, while emissions and strength stay."""
    pairs = coupling(found.attraction, found.strength)
    fields = fields_at_rest(found.emission, pairs, data, most=SENDINGS, progress=progress)
    report(progress, 1.0)  # mostly fewer rounds are needed than may be
    return replace(found, fields=fields)


def _with_pairs(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return the fit, or a better one in which each pair of states has its own attraction."""
    # FEW nodes decide, after the same number of rounds of each: the code must be shorter by ERRORS
    # standard errors over its spatial blocks
    n_states = found.emission.n_states
    if n_states == 1:
        return found
    few, parts = data.spread(FEW), shares(progress, [1, 4, 5])
    alike = fit(found.emission, few, found.strength, most=FIRST, progress=next(parts))

    def further(part: Progress | None) -> Fit:
        return fit(alike.emission, few, alike.strength, most=FIRST, progress=part)

    tasks: list[Callable[[Progress | None], Fit]]
    tasks = [further, partial(_freed, alike, few), partial(_pattern, alike, few)]
    more, freed, pattern = threads.all_of(tasks, next(parts))
    plain, *others = (_whole_length(one) for one in (more, freed, pattern))
    length, best = min(zip(others, (freed, pattern), strict=True), key=lambda one: one[0].bits)
    if not length.is_shorter_than(plain):
        return found
    start, last = (best.emission, data, best.strength), next(parts)
    paired = fit(*start, attraction=best.attraction, most=FIRST, progress=last)
    return min(found, paired, key=lambda one: one.bits)  # a rare state may be in none of the few


def _whole_length(found: Fit) -> CodeLength:
    """Return the code length of a fit, with that of its parameters."""
    return cavity_length(found.fields, found.emission, found.n_couplings)


def _freed(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return the fit of the attraction that the states of another one have."""
    attraction, _ = attraction_of([one.states() for one in found.fields], found.emission.n_states)
    start = found.emission, data, found.strength
    return fit(*start, attraction=attraction, most=FIRST, progress=progress)


def _pattern(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return a fit of states that alternate from node to node, as in a checkerboard."""
    # All windows of such a pattern have the same signature. So each node alone gives its state,
    # with a DOUBT; the attraction of states then follows from counts of neighbours
    (first, second), n_states = shares(progress, [1, 1]), found.emission.n_states
    states = _of_window(data, 0, n_states)
    start = found.emission.renewed(_doubtful(states, n_states), data)
    attraction, _ = attraction_of(states, n_states)
    return _freed(fit(start, data, attraction=attraction, most=FIRST, progress=first), data, second)


def _doubtful(states: Sequence[States], n_states: int) -> list[NDArray[np.float32]]:
    """Return the beliefs in states from single nodes, with a `DOUBT`."""
    sure, share = certain(states, n_states), np.float32(DOUBT / n_states)
    return [(1 - DOUBT) * one + share * one.sum(axis=-1, keepdims=True) for one in sure]


def doubtful_emission(data: DataSet, n_states: int) -> Densities:
    """Return the emissions of states from single nodes, with a `DOUBT`."""
    states = _of_window(data, 0, n_states)
    return free_emission_of(data, states, n_states).renewed(_doubtful(states, n_states), data)


def attraction_of(states: Sequence[States], n_states: int) -> tuple[Matrix, float]:
    """Return the attraction of each pair of states, (N, N), symmetric, and the strength of A."""
    # The logarithm of the potentials of A (`potentials_of`), each pair counted half a time more;
    # with the spread and the greatest number that the identity has
    pairs, occupancy = count(states, n_states)
    d = n_directions([one.shape for one in states])
    logs = np.log(potentials_of(adjacency(pairs, occupancy, d, smoothing=HALF)))
    alike = np.eye(n_states)
    spread = 0.0 if n_states == 1 else float(logs.std() / alike.std())
    return (alike if spread == 0 else 1 + logs / spread), spread


def order_like(own: Sequence[States], found: Fit) -> NDArray[np.int64]:
    """Return which state of a fit takes the place of each of other ``own`` ones: most overlap."""
    n_states = found.emission.n_states
    both = zip(own, (field.states() for field in found.fields), strict=True)
    pairs = (n_states * a.astype(np.intp) + b for a, b in both)
    size = n_states**2  # pairs of unknown nodes are beyond it
    table = sum(np.bincount(p.reshape(-1), minlength=size)[:size] for p in pairs)
    table = np.reshape(table, (n_states, n_states))
    return np.asarray(scipy.optimize.linear_sum_assignment(table, maximize=True)[1])


def _resplit(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return a fit in which no state stands for two, as found by splits and merges."""
    # A state that stands for two leaves neighbours correlated. The state of most lagged covariance
    # is split along it, and the two states of the cheapest merge make room. The split is kept if it
    # shortens the code by more than a state's parameters cost; else the next state is tried. At
    # most as many splits as states: in photographs nearly all pay a little
    ranked, tries, kept, done = doubled(found, data), 0, 0, 0.0
    price = found.emission.n_parameters / found.emission.n_states
    price *= np.log2(data.n_known) / (2 * data.n_known)
    while ranked:
        stop_if_cancelled(progress)
        state, apart = ranked.pop(0)
        split = found.emission.split(state, apart)
        more = fit(split, data, found.strength, most=FIRST, searching=False)
        if more.bits < found.bits - price:  # otherwise it does not help even with all others
            other = fit(_joined(more, data), data, found.strength, most=FIRST, searching=False)
            if other.bits < found.bits - price:
                found, kept = other, kept + 1
                ranked = doubled(found, data) if kept < found.emission.n_states else []
        tries += 1
        done = max(done, tries / (tries + len(ranked)))
        report(progress, done)
    return found


def doubled(found: Fit, data: DataSet) -> list[tuple[int, Floats]]:
    """Return the TRIES states that most likely stand for two, and the direction of each."""
    # Their nodes and neighbours of the same state vary together most. None of more than
    # MOST_DIRECTIONS symbols or channels
    if found.emission.n_directions > MOST_DIRECTIONS:
        return []
    ranked = []
    for j, (products, n_pairs) in enumerate(zip(*_lagged(found, data), strict=True)):
        spectrum, vectors = np.linalg.eigh((products + products.T) / (2 * max(n_pairs, 1)))
        most = max(float(spectrum[-1]), 0.0)
        ranked.append((n_pairs * most, j, np.sqrt(most) * vectors[:, -1]))
    ranked.sort(key=lambda one: -one[0])
    return [(j, apart) for _, j, apart in ranked[:TRIES]]


def _lagged(found: Fit, data: DataSet) -> tuple[Floats, Floats]:
    """Return products of residuals of neighbours in one state (N, M, M), and pair counts (N,)."""
    emission = found.emission
    if isinstance(emission, BinnedDensities):
        return _lagged_symbols(found, emission.table, [emission.bins(one) for one in data.values])
    if isinstance(emission, SymbolDensities):
        return _lagged_symbols(found, emission, data.values)
    n_states, size = found.emission.n_states, found.emission.n_directions
    sums, n_pairs = np.zeros((n_states, size, size)), np.zeros(n_states)
    for field, values in zip(found.fields, data.values, strict=True):
        states = field.states()
        rest, places = found.emission.scaled(values, states), np.arange(states.size)
        for axis in range(states.ndim):
            q, at = (np.moveaxis(a, axis, 0) for a in (states, places.reshape(states.shape)))
            alike = (q[1:] == q[:-1]) & (q[1:] < n_states)
            own = q[1:][alike]
            order, counts = np.argsort(own, kind="stable"), np.bincount(own, minlength=n_states)
            # Places take rows some times faster than masks of axes that are moved.
            one, other = rest[at[1:][alike][order]], rest[at[:-1][alike][order]]
            n_pairs += counts
            for j, (stop, count_of) in enumerate(zip(counts.cumsum(), counts, strict=True)):
                nodes = slice(stop - count_of, stop)
                sums[j] += one[nodes].T @ other[nodes]
    return sums, n_pairs


def _lagged_symbols(
    found: Fit, table: SymbolDensities, lattices: Sequence[NDArray[Any]]
) -> tuple[Floats, Floats]:
    """Return `_lagged` of symbols: it follows from the counts of pairs of symbols, by state."""
    # The residual of symbol k is the k-th row of E: (1[c = k] - B(j, c)) / sqrt(B(j, c))
    n_states, size = table.n_states, table.n_directions
    counts = np.zeros(n_states * size * size, dtype=np.int64)
    for field, symbols in zip(found.fields, lattices, strict=True):
        places = field.states() * np.intp(size) + symbols
        for axis in range(places.ndim):
            at = np.moveaxis(places, axis, 0)
            one, other = at[1:], at[:-1]
            alike = (one // size == other // size) & (one < n_states * size)
            counts += np.bincount((one * size + other % size)[alike], minlength=counts.size)
    pairs = counts.reshape(n_states, size, size)
    symbols_of_all, states_of_all = np.tile(np.arange(size), n_states), np.arange(n_states)
    rest = table.scaled(symbols_of_all, np.repeat(states_of_all, size)).astype(np.float64)
    rest = rest.reshape(n_states, size, size)
    return rest.swapaxes(1, 2) @ pairs @ rest, pairs.sum(axis=(1, 2)).astype(np.float64)


def _joined(found: Fit, data: DataSet) -> Densities:
    """Return the emission after the two states are joined that are the least loss apart."""
    # The loss is n_i n_j / (n_i + n_j) times the Bhattacharyya distance of their emissions
    beliefs = [field.beliefs() for field in found.fields]
    masses = sum(b.reshape(-1, b.shape[-1]).sum(axis=0, dtype=np.float64) for b in beliefs)
    weights = np.outer(masses, masses) / np.maximum(np.add.outer(masses, masses), 1e-9)
    with np.errstate(divide="ignore"):
        costs = -weights * np.log(np.minimum(found.emission.overlaps(), 1.0))
    np.fill_diagonal(costs, np.inf)
    kept, joined = sorted(int(k) for k in np.unravel_index(np.nanargmin(costs), costs.shape))
    merged = []
    for some in beliefs:
        some[..., kept] += some[..., joined]
        merged.append(np.delete(some, joined, axis=-1))
    return found.emission.renewed(merged, data)


def _of_window(data: DataSet, window: int, n_states: int) -> list[States]:
    """Return the states that windows of this half-width give."""
    return decode_each(data, codebook_of(learn_from_sample(data, window), n_states), window)


def model_of(emission: Densities, model: Model, states: Sequence[States], data: DataSet) -> Model:
    """Return the model of an emission, with A counted over states, and w of another model."""
    A = adjacency(*count(states, model.n_states), data.n_directions)
    if isinstance(emission, SymbolDensities):
        return DiscreteModel(A, emission.B, model.window, A_decoded=True, spacing=model.spacing)
    bins: dict[str, Any] = {}
    if isinstance(emission, BinnedDensities):
        bins = {"bin_edges": emission.edges, "bin_shares": emission.table.B}
    elif isinstance(emission, CopulaDensities):
        bins = {"bin_edges": emission.edges, "bin_shares": emission.shares}
        bins["score_correlations"] = emission.correlations
    if bins:
        emission = emission_of(data, list(states), model.n_states)
    assert isinstance(emission, NormalDensities)
    normals = emission.means, emission.covariances
    own = A, *normals, model.window, model.scalar
    return GaussianModel(*own, A_decoded=True, spacing=model.spacing, **bins)
