"""Choosing the number of states and the window from the observations alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latviz.core.checks import MOST_STATES, check_progress
from latviz.core.choice.code_length import CodeLength
from latviz.core.choice.dependence import independent
from latviz.core.choice.growing import SEEN as GROWN
from latviz.core.choice.growing import Growth
from latviz.core.choice.settings import Decoded, as_sizes, check_hole, thinnest
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.model.indices import count
from latviz.core.model.learning import codebook_of
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.progress import Progress, shares, stop_if_told
from latviz.core.truth.agreement import contingency, matched_accuracy
from latviz.core.types import Floats, Shape, States
from latviz.core.windows.decoding import decode_each

THICK = 0.8
"""Times w + 1: thinner states are the borders that windows see between two others."""
SHARE = 0.14
"""Share that a further state must save, in context, of what those before save on average."""
FIRST = 2
"""Numbers of states, from the first above 1, that tell the window of nodes in their context."""
LEAST_SAVED = 0.04
"""Bits that states must save of a node in its context."""
HOLES = (1, 2, 4, 8)
"""Half-widths of holes, in the order in which they are tried."""
SEEN = 1 << 18
"""Nodes in the middle from which dependence is told."""
DEPENDENT = 0.1
"""Residual correlation above which neighbours are not independent given their states: that of
fields of known states is .06 at most."""
EVERY = 3
"""Distance between the windows that are tried for the hole, in places of their list."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A number of states and a window, and why they were chosen.

    Attributes
    ----------
    n_states, window : int
        The choice. N = 1: the data hold no structure that these windows and numbers can show.
    model : DiscreteModel or GaussianModel
        Learned with them from all nodes.
    grown : DiscreteModel or GaussianModel, or None
        The model of as many states by whose beliefs N was chosen, with the states in the order of
        ``model``: emissions from beliefs, and A counted over the states of most belief, of the
        middle of the data if they are large. None with a hole, or of more than 256 symbols.
    strength : float or None
        Of its coupling; see `Refined`.
    states, windows : tuple of int
        What there was to choose from, in order; 1 is always among the numbers of states.
    agreement : ndarray, shape (n_windows,), float64, or None
        The share of nodes whose window's nearest codeword is of the state of most belief, states
        matched; None with a hole, for N = 1, and where nothing was grown.
    bits, standard_errors : ndarray, shape (n_states, n_windows), float64
        The code length of each, in bits a node, and its standard error from spatial blocks.
    thickness : ndarray, shape (n_states, n_windows), float64
        Of each one's thinnest state, in nodes; see `tradeoff.thinnest`.
    saved : ndarray, shape (k,), float64
        Bits a node that the second state saves, the third one and so on, up to the first that is
        not worth it, or the largest N; empty with a hole.
    hole : int
        What code lengths left out: the nodes within this of each node. 0 is the node alone.
    rule : str
        How the choice was made, in words.
    assumption : str
        What that takes for granted.
    """

    n_states: int
    window: int
    model: Model
    grown: Model | None
    strength: float | None
    states: Shape
    windows: Shape
    agreement: Floats | None
    bits: Floats
    standard_errors: Floats
    thickness: Floats
    saved: Floats
    hole: int
    rule: str
    assumption: str

    @property
    def window_bits(self) -> Floats:
        """The code lengths by which w is chosen where no beliefs tell it, (n_windows,) float64.

        The code length with N states, or where there is a hole the mean of those with the first two
        numbers of states above 1.
        """
        if self.hole and len(self.states) > 1:
            return np.asarray(self.bits[1 : 1 + FIRST].mean(axis=0))
        return np.asarray(self.bits[self.states.index(self.n_states)])


def choose(
    observations: Any,
    *,
    n_symbols: int | None = None,
    n_states: Sequence[int] = range(1, 9),
    windows: Sequence[int] = range(1, 21),
    kind: str = "discrete",
    scalar: bool = False,
    hole: int | None = None,
    progress: Progress | None = None,
) -> Choice:
    """Choose N by what each state saves beyond chance, and w by agreement with beliefs.

    Models grow from one state, state by state, each fitted by belief (`refine`). N is the largest
    number up to which every state shortens the code in which each observation is told by all others
    (the cavity code length, with 1/2 log2 U bits a parameter), by more than a further state does in
    data drawn from the model without it. Of numbers without that one the next smaller is taken, or
    if that is 1 the next larger.

    For that N the window is the one whose nearest codewords give the most nodes the state of most
    belief: smaller ones err for their variance, larger ones for their bias (2.3). Beliefs err less
    than any window, so what a window agrees with them tells how far it is right. Of one state it is
    the window of least code length of nodes told by their windows without themselves.

    That takes observations as independent given the states. Photographs are not so, and no N is the
    right one for them: the autocorrelation falls otherwise than in sharp regions (`dependence`),
    and states never cease to save something, or repeat the symbols (they leave less than half of
    the variance), or what they leave is correlated by more than 0.1. Then a hole of half-width 1
    around each node is left out of its window, and the nodes at its edge are given
    (`context.Context`): states save only what those do not tell. Where that is less than 0.04 bits,
    as where regions differ in brightness alone, holes of 2, 4 and 8 are tried. Such code lengths
    vary with what Fast PNN makes of a window, so one window serves all N: the one at which the
    first two numbers above 1 save the most, each taken as a share of the most that it saves. There
    a further state must save 0.14 of what those before save on average, and its thinnest state be
    no thinner than 0.8 (w + 1), since states in excess are made of windows that straddle a border;
    once one was taken, the first that fails ends the search.

    N of textures is told less well than w: ``python -m tests.bench.choose`` prints by how much
    accuracy falls behind on mosaics. The paper's terms of use, inertia from 0.9 and associativity
    from 0.5, are not asked for: the best N and w of such mosaics have an inertia of 0.87 to 0.98,
    and wrong ones have too.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice or a data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    n_symbols : int, optional
        M; by default one more than the largest symbol.
    n_states, windows : sequence of int, optional
        The numbers N, 1 to 255, and half-widths w >= 0 to choose from.
    kind : {"discrete", "gaussian"}, optional
        Which variant of the model.
    scalar : bool, optional
        Vectors are arrays (*shape) of M = 1.
    hole : int, optional
        Half-width of the hole; by default it is found. Above 0 for d <= 2 only. Windows no wider
        than that tell nothing.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Returns
    -------
    Choice

    Raises
    ------
    ParameterError
        If an argument is outside its range or a lattice is not of the kind.
    Cancelled
        If ``progress`` says so.
    """
    data = as_data_set(observations, kind, n_symbols, scalar)
    sizes = sorted({1, *as_sizes("n_states", n_states, 1, MOST_STATES)})
    check_progress(progress)
    widths = as_sizes("windows", windows, 0)
    if hole is not None:
        check_hole(hole, data.dimensions)
    growth = None if hole else Growth(data)
    looking, choosing = shares(progress, [1.0, 9.0])
    if hole is None:
        hole = find_hole(data, widths, looking)
    return chosen(data, sizes, widths, hole, growth, choosing)


def chosen(
    data: DataSet,
    sizes: list[int],
    widths: list[int],
    hole: int,
    growth: Growth | None,
    progress: Progress | None = None,
    *,
    known: bool = False,
) -> Choice:
    """Return the choice of `choose` of sizes, the first of which is 1, and windows.

    A growth that tells that states are independent does away with the hole. If N is ``known``, and
    where there is no growth, the largest size is taken to be worth it, if there is no hole.
    """
    growing, measuring = shares(progress, [2.0, 1.0])
    enough, saved = sizes[-1], np.array([])
    if growth is not None and not known:
        enough = growth.enough(sizes[-1], growing)
        if hole and enough < sizes[-1] and _explains(growth, enough):
            hole = 0
        saved = np.array([]) if hole else _saved(growth, min(enough + 1, sizes[-1]))
    s = pick(sizes, enough)
    believed = None
    if growth is not None and not hole and sizes[s] > 1:
        believed = growth.states(sizes[s], growing if known else None)
    lengths, thickness, agreement = _measure(data, sizes, widths, hole, s, believed, measuring)
    bits = np.array([[length.bits for length in row] for row in lengths])
    if hole:
        s, k = pick_in_context(lengths, thickness, widths, sizes)
    else:
        k = int(bits[s].argmin() if agreement is None else agreement.argmax())
    model = _fit(data, sizes[s], widths[k])
    beliefs = growth if hole == 0 else None
    return Choice(
        sizes[s],
        widths[k],
        model,
        *_grown(beliefs, model),
        tuple(sizes),
        tuple(widths),
        agreement,
        bits,
        np.array([[length.standard_error for length in row] for row in lengths]),
        thickness,
        saved,
        hole,
        *_in_words(hole, sizes, sizes[s], agreement is not None),
    )


def _grown(growth: Growth | None, model: Model) -> tuple[Model | None, float | None]:
    """Return the model of beliefs with as many states, in the order of another, and its strength.

    There is none of symbols of which rare ones are one (`Growth`).
    """
    if growth is None or growth.data.n_symbols != model.n_symbols:
        return None, None
    return growth.model_like(model)


def pick(sizes: Sequence[int], enough: int) -> int:
    """Return the place of N among sizes, of which the first is 1, if so many states are enough.

    It is the largest up to that; only if that is 1, but more are worth it, it is the next larger.
    """
    s = max(s for s, n in enumerate(sizes) if n <= enough)
    return 1 if s == 0 and enough > 1 and len(sizes) > 1 else s


def pick_in_context(
    lengths: Sequence[Sequence[CodeLength]],
    thickness: Floats,
    windows: Sequence[int],
    sizes: Sequence[int],
) -> tuple[int, int]:
    """Return the places of N and w by the rule of `choose` with a hole.

    The first row is that of N = 1, the first of ``sizes``.
    """
    bits = np.array([[length.bits for length in row] for row in lengths])
    saved = np.maximum(bits[0, 0] - bits, 0.0)
    first = saved[1 : 1 + FIRST]
    most = first.max(axis=1, initial=0.0, keepdims=True)
    if most.max(initial=0.0) < LEAST_SAVED:
        return 0, int(bits[0].argmin())
    k = int((first / np.where(most > 0, most, 1.0)).sum(axis=0).argmax())
    taken = 0
    for s in range(1, len(sizes)):
        mean = saved[taken, k] / max(sizes[taken] - 1, 1)
        least = saved[taken, k] + SHARE * mean * (sizes[s] - sizes[taken])
        if saved[s, k] > least and _is_thick(thickness, windows, s, k):
            taken = s
        elif taken:
            break
    return taken, k


def _explains(growth: Growth, n_states: int) -> bool:
    """Tell whether so many states explain what neighbours have in common.

    States that leave less than half of the variance of symbols do not: they repeat what is seen,
    and what they leave says nothing.
    """
    left = growth.residuals(n_states)
    repeats = left.variance < growth.residuals(1).variance / 2
    if growth.data.kind == "discrete" and repeats:
        return False
    return abs(left.correlation) <= DEPENDENT


def _saved(growth: Growth, most: int) -> Floats:
    """Return what each state up to so many saves, from the second one on."""
    return -np.diff([growth.bits(n) for n in range(1, most + 1)])


def _is_thick(thickness: Floats, windows: Sequence[int], s: int, k: int) -> bool:
    return bool(thickness[s, k] >= THICK * (windows[k] + 1))


def find_hole(data: DataSet, windows: Sequence[int], progress: Progress | None = None) -> int:
    """Return the half-width of the hole, as `choose` has it, for some windows.

    ``progress`` may cancel it: then `Cancelled` is raised.
    """
    if data.dimensions > 2 or independent(data.middle(SEEN), progress):
        return 0
    for hole in HOLES:
        for window in [w for w in windows if w > hole][::EVERY]:
            decoded = Decoded.of(data, window, [1, *range(2, 2 + FIRST)], hole, progress)
            one, *more = (length.bits for length in decoded.each(decoded.code_length))
            if one - min(more) >= LEAST_SAVED:
                return hole
    return HOLES[0]


def _measure(
    data: DataSet,
    sizes: list[int],
    widths: list[int],
    hole: int,
    s: int,
    believed: list[States] | None,
    progress: Progress | None,
) -> tuple[list[list[CodeLength]], Floats, Floats | None]:
    """Return code lengths and thickness of all sizes and windows, and how far windows agree.

    That is with states that are ``believed`` in the middle of the data, of as many as the size at
    place ``s``; None if there are none.
    """
    columns, thickness, agreement = [], np.empty((len(sizes), len(widths))), np.empty(len(widths))
    few = data.middle(GROWN)
    for k, window in enumerate(widths):
        stop_if_told(progress)
        decoded = Decoded.of(data, window, sizes, hole, progress)
        columns.append(decoded.each(decoded.code_length, progress))
        for place, n in enumerate(sizes):
            pairs = count(decoded.plain[place], n)[0]
            thickness[place, k] = thinnest(pairs, data.dimensions)
        if believed is not None:
            own = decode_each(few, codebook_of(decoded.tree, sizes[s]), window)
            agreement[k] = matched_accuracy(contingency(own, believed))
        if progress is not None:
            progress.report((k + 1) / len(widths))
    rows = [list(row) for row in zip(*columns, strict=True)]
    return rows, thickness, None if believed is None else agreement


def _fit(data: DataSet, n_states: int, window: int) -> Model:
    if data.kind == "gaussian":
        return GaussianModel.fit(data, n_states=n_states, window=window)
    return DiscreteModel.fit(data, n_states=n_states, window=window, n_symbols=data.n_symbols)


def _in_words(hole: int, asked: Sequence[int], n_states: int, believed: bool) -> tuple[str, str]:
    """Return the rule, with what it says of the numbers that were asked for, and its assumption.

    ``believed`` says whether beliefs told the window.
    """
    if hole == 0:
        rule = (
            "each state saves bits of nodes told by the beliefs of all others, more than it saves "
            "by chance; "
        )
        rule += (
            "the window whose states agree most with those of most belief"
            if believed
            else "least code length of each node, told by its window without itself"
        )
        assumption = "observations are independent given their states"
    else:
        rule = (
            "least code length, with the first two numbers of states, of each node, told by its "
            f"neighbours {hole} away and by its window without those within {hole} of it; "
            f"a further state saves {SHARE:g} of the mean of those before"
        )
        assumption = (
            f"observations are independent given their states and neighbours {hole} away, "
            "and symbols are in order"
        )
        rule += "; states thicker than a border"
    if n_states == 1 and len(asked) == 2:
        rule += f"; {asked[1]} states save no more than one"
    elif n_states == 1 and len(asked) > 2:
        rule += f"; no number of states from {asked[1]} to {asked[-1]} saves anything: no structure"
    return rule, assumption
