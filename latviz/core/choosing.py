"""Choosing the number of states and the window from the observations alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.code_length import CodeLength
from latviz.core.context import bits_in_context
from latviz.core.dataset import DataSet, as_dataset, as_sizes
from latviz.core.dependence import reach_of_dependence
from latviz.core.lattice import check_integer
from latviz.core.learning import count
from latviz.core.models import DiscreteModel, GaussianModel
from latviz.core.progress import Cancelled, Progress
from latviz.core.tradeoff import MOST_STATES, Decoded, thinnest

Floats = NDArray[np.float64]

THICK = 0.8
"""Times w + 1: thinner states are the borders that windows see between two others."""
LEAST_GAIN = 0.01
"""What a larger N must save, of all that can be saved from N = 1."""
ERRORS = 2.0
"""Standard errors that it must save."""
SLACK = 4.0
"""Standard errors within which a larger window is as good, where there is a hole."""
MORE = 1.15
"""By what a further state must multiply the bits that states save of nodes in their context."""


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
    model: DiscreteModel | GaussianModel
    states: tuple[int, ...]
    windows: tuple[int, ...]
    bits: Floats
    standard_errors: Floats
    thickness: Floats
    hole: int
    rule: str
    assumption: str


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
    are not, as in photographs, each node is told without all nodes within a hole around it, as wide
    as the correlation that the states leave, but at most half the largest window. What correlation
    is left beyond the hole favours small windows, so the largest window is taken whose code length
    is within four standard errors of the least. It favours many states too, which follow slow
    changes of light. So beyond the first number above 1 each further state must save 15 % more than
    the states before it of the bits of a node whose neighbours before it are known
    (`context.bits_in_context`). The first number that fails ends the search.

    Which N is best for textures is told badly by any rule that was measured: on mosaics of three
    textures it costs more than 0.05 of accuracy in a third of the cases, and photographs get
    larger windows than a person would choose (``python -m tests.bench.choose``). The paper's terms
    of use, inertia from 0.9 and associativity from 0.5, are not asked for: the best N and w of such
    mosaics have an inertia of 0.87 to 0.98, and wrong ones have too.

    Parameters
    ----------
    observations : ndarray, or a list of them
        A data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    n_symbols : int, optional
        M; by default one more than the largest symbol.
    n_states, windows : sequence of int, optional
        The numbers N, 1 to 255, and half-widths w >= 0 to choose from.
    kind : {"discrete", "gaussian"}, optional
        Which variant of the model.
    scalar : bool, optional
        Vectors are arrays (*shape) of M = 1.
    hole : int, optional
        Half-width of the hole; by default it is found. Above 0 for d <= 2 only.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Raises
    ------
    ParameterError
        If an argument is outside its range or a lattice is not of the kind.
    Cancelled
        If ``progress`` says so.
    """
    data = as_dataset(observations, kind, n_symbols, scalar)
    sizes = as_sizes("n_states", [1, *n_states], 1, MOST_STATES)
    widths = as_sizes("windows", windows, 0)
    if hole is None:
        hole = find_hole(data, sizes[-1], widths[-1], progress)
    check_integer("hole", hole, 0)
    lengths, thickness, coarse = _measure(data, sizes, widths, hole, progress)
    if hole == 0:
        s, k = pick(lengths, thickness, widths)
    else:
        told = bits_in_context(data, coarse.plain, sizes)
        s, k = pick_in_context(lengths, thickness, widths, sizes, told)
    return Choice(
        sizes[s],
        widths[k],
        _fit(observations, data, sizes[s], widths[k], scalar),
        tuple(sizes),
        tuple(widths),
        np.array([[length.bits for length in row] for row in lengths]),
        np.array([[length.standard_error for length in row] for row in lengths]),
        thickness,
        hole,
        *_in_words(hole, sizes[s]),
    )


def pick(
    lengths: Sequence[Sequence[CodeLength]], thickness: Floats, windows: Sequence[int]
) -> tuple[int, int]:
    """Return the places of N and w by the rule of `choose` without a hole.

    The first row is that of N = 1.
    """
    best = [_best_window(row, 0.0) for row in lengths]
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
    told: Floats,
) -> tuple[int, int]:
    """Return the places of N and w by the rule of `choose` with a hole.

    ``told``: the bits in context of each of the numbers of states ``sizes``.
    """
    best = [_best_window(row, SLACK) for row in lengths]
    taken = 0
    for s in range(1, len(lengths)):
        least = (told[0] - told[taken]) * MORE ** (sizes[s] - sizes[taken])
        tells_more = taken == 0 or told[0] - told[s] >= least
        if not (
            tells_more
            and _is_thick(thickness, windows, s, best[s])
            and _saves(lengths, best, taken, s)
        ):
            break
        taken = s
    return taken, best[taken]


def _is_thick(thickness: Floats, windows: Sequence[int], s: int, k: int) -> bool:
    return bool(thickness[s, k] >= THICK * (windows[k] + 1))


def _saves(
    lengths: Sequence[Sequence[CodeLength]], best: Sequence[int], taken: int, s: int
) -> bool:
    """Tell whether the s-th number of states saves something over the one that is taken."""
    whole = lengths[0][0].bits - min(length.bits for row in lengths for length in row)
    last, length = lengths[taken][best[taken]], lengths[s][best[s]]
    return last.bits - length.bits > max(LEAST_GAIN * whole, ERRORS * length.gain_error(last))


def _best_window(row: Sequence[CodeLength], slack: float) -> int:
    least = min(row, key=lambda length: length.bits)
    return max(
        k
        for k, length in enumerate(row)
        if length is least
        or (slack and length.bits - least.bits <= slack * length.gain_error(least))
    )


def find_hole(data: DataSet, n_states: int, window: int, progress: Progress | None = None) -> int:
    """Return the half-width of the hole for up to ``n_states`` and windows up to ``window``.

    ``progress`` may cancel it: then `Cancelled` is raised.
    """
    if len(data.shapes[0]) > 2:
        return 0
    coarse = Decoded.of(data, window, [n_states], 0, progress)
    return reach_of_dependence(data, coarse.plain[0], window // 2, progress)


def _measure(
    data: DataSet, sizes: list[int], widths: list[int], hole: int, progress: Progress | None
) -> tuple[list[list[CodeLength]], Floats, Decoded]:
    """Return code lengths, thickness, and what the largest window decodes."""
    columns, thickness = [], np.empty((len(sizes), len(widths)))
    for k, window in enumerate(widths):
        if progress is not None and progress.cancelled():
            raise Cancelled
        decoded = Decoded.of(data, window, sizes, hole, progress)
        columns.append([decoded.emitted(s).code_length() for s in range(len(sizes))])
        for s, n in enumerate(sizes):
            thickness[s, k] = thinnest(count(decoded.plain[s], n)[0], len(data.shapes[0]))
        if progress is not None:
            progress.report((k + 1) / len(widths))
    return [list(row) for row in zip(*columns, strict=True)], thickness, decoded


def _fit(
    observations: Any, data: DataSet, n_states: int, window: int, scalar: bool
) -> DiscreteModel | GaussianModel:
    if data.kind == "gaussian":
        return GaussianModel.fit(observations, n_states=n_states, window=window, scalar=scalar)
    return DiscreteModel.fit(
        observations, n_states=n_states, window=window, n_symbols=data.n_symbols
    )


def _in_words(hole: int, n_states: int) -> tuple[str, str]:
    """Return the rule and its assumption."""
    told = "without itself" if hole == 0 else f"without the nodes within {hole} of it"
    least = "least code length" if hole == 0 else "largest window of about the least code length"
    rule = f"{least} of each node, told by its window {told}; states thicker than a border"
    if hole:
        rule += "; further ones tell what neighbours do not"
    if n_states == 1:
        rule += "; no more states than one save anything: the data hold no structure"
    given = "given their states"
    if hole == 0:
        return rule, f"observations are independent {given}"
    return rule, f"observations more than {hole} nodes apart are independent {given}"
