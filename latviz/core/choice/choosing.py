"""Choosing the number of states and the window from the observations alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latviz.core.checks import MOST_STATES, check_progress
from latviz.core.choice.code_length import CodeLength
from latviz.core.choice.dependence import independent
from latviz.core.choice.settings import Decoded, as_sizes, check_hole, thinnest
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.model.indices import count
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.progress import Progress, stop_if_told
from latviz.core.types import Floats, Shape

THICK = 0.8
"""Times w + 1: thinner states are the borders that windows see between two others."""
LEAST_GAIN = 0.01
"""Share that a larger N must save of all that can be saved from N = 1."""
ERRORS = 2.0
"""Standard errors that it must save."""
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
    states, windows : tuple of int
        What there was to choose from, in order; 1 is always among the numbers of states.
    bits, standard_errors : ndarray, shape (n_states, n_windows), float64
        The code length of each, in bits a node, and its standard error from spatial blocks.
    thickness : ndarray, shape (n_states, n_windows), float64
        Of each one's thinnest state, in nodes; see `tradeoff.thinnest`.
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
    states: Shape
    windows: Shape
    bits: Floats
    standard_errors: Floats
    thickness: Floats
    hole: int
    rule: str
    assumption: str

    @property
    def window_bits(self) -> Floats:
        """The code lengths by which w was chosen, shape (n_windows,), float64.

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
    """Choose N and w by the code length of nodes told by their windows without themselves.

    For each N the window is the one of least code length: smaller ones predict badly for their
    variance, larger ones for their bias (2.3). Of the numbers of states the largest is taken that
    saves something over the last one taken and whose thinnest state is no thinner than
    0.8 (w + 1). States in excess are thinner: they are made of windows that straddle a border.

    That takes observations as independent given the states. If the autocorrelation tells that they
    are not, as in photographs, a hole of half-width 1 around each node is left out of its window,
    and the nodes at its edge are given (`context.Context`): states save only what those do not
    tell. Where that is less than 0.04 bits, as where regions differ in brightness alone, holes of
    2, 4 and 8 are tried. Such code lengths vary with what Fast PNN makes of a window, so one window
    serves all N: the one at which the first two numbers above 1 save the most, each taken as a
    share of the most that it saves. There a further state must save 0.14 of what those before save
    on average, and be as thick as above; once one was taken, the first that fails ends the search.

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
    if hole is None:
        hole = find_hole(data, widths, progress)
    check_hole(hole, data.dimensions)
    lengths, thickness = _measure(data, sizes, widths, hole, progress)
    if hole:
        s, k = pick_in_context(lengths, thickness, widths, sizes)
    else:
        s, k = pick(lengths, thickness, widths)
    return Choice(
        sizes[s],
        widths[k],
        _fit(data, sizes[s], widths[k]),
        tuple(sizes),
        tuple(widths),
        np.array([[length.bits for length in row] for row in lengths]),
        np.array([[length.standard_error for length in row] for row in lengths]),
        thickness,
        hole,
        *_in_words(hole, sizes, sizes[s]),
    )


def pick(
    lengths: Sequence[Sequence[CodeLength]], thickness: Floats, windows: Sequence[int]
) -> tuple[int, int]:
    """Return the places of N and w by the rule of `choose` without a hole; first comes N = 1."""
    best = [min(range(len(row)), key=lambda k: row[k].bits) for row in lengths]
    taken = 0
    for s in range(1, len(lengths)):
        if _is_thick(thickness, windows, s, best[s]) and _saves(lengths, best, taken, s):
            taken = s
    return taken, best[taken]


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


def _is_thick(thickness: Floats, windows: Sequence[int], s: int, k: int) -> bool:
    return bool(thickness[s, k] >= THICK * (windows[k] + 1))


def _saves(
    lengths: Sequence[Sequence[CodeLength]], best: Sequence[int], taken: int, s: int
) -> bool:
    """Tell whether the s-th number of states saves something over the one that is taken."""
    whole = lengths[0][0].bits - min(length.bits for row in lengths for length in row)
    last, length = lengths[taken][best[taken]], lengths[s][best[s]]
    return last.bits - length.bits > max(LEAST_GAIN * whole, ERRORS * length.gain_error(last))


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
    data: DataSet, sizes: list[int], widths: list[int], hole: int, progress: Progress | None
) -> tuple[list[list[CodeLength]], Floats]:
    columns, thickness = [], np.empty((len(sizes), len(widths)))
    for k, window in enumerate(widths):
        stop_if_told(progress)
        decoded = Decoded.of(data, window, sizes, hole, progress)
        columns.append(decoded.each(decoded.code_length, progress))
        for s, n in enumerate(sizes):
            thickness[s, k] = thinnest(count(decoded.plain[s], n)[0], data.dimensions)
        if progress is not None:
            progress.report((k + 1) / len(widths))
    return [list(row) for row in zip(*columns, strict=True)], thickness


def _fit(data: DataSet, n_states: int, window: int) -> Model:
    if data.kind == "gaussian":
        return GaussianModel.fit(data, n_states=n_states, window=window)
    return DiscreteModel.fit(data, n_states=n_states, window=window, n_symbols=data.n_symbols)


def _in_words(hole: int, asked: Sequence[int], n_states: int) -> tuple[str, str]:
    """Return the rule, with what it says of the numbers that were asked for, and its assumption."""
    if hole == 0:
        rule = "least code length of each node, told by its window without itself"
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
