"""Choosing the number of states and the window from the observations alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np

from latviz.core import digits, html, threads
from latviz.core.checks import MOST_STATES, check_progress
from latviz.core.choice.codebook_window import (
    codebook_window,
    learned_codebook,
    left_out,
)
from latviz.core.choice.growing import FAR, Growth
from latviz.core.choice.levelling import in_even_light
from latviz.core.choice.settings import as_sizes, as_widths, length_of_one_state
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.model.models import KINDS, Model
from latviz.core.progress import Progress, report, shares, stop_if_cancelled
from latviz.core.types import Floats, Matrix, Shape
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

LARGEST = 8
"""The number of states up to which models are always grown, to see if gains ever end."""
START = 4, 7
"""N and w to start from if no N is right: constants came closer to human outlines in photographs
than the least code length did (measured on forty, in three encodings)."""


@dataclass(frozen=True, eq=False)
class Choice(Value):
    """A number of states and a window, and the reasons for the choice.

    Attributes
    ----------
    n_states, window : int
        The choice. N = 1: these windows and numbers show no structure in the data.
    codebook_window : int
        w_l, the window that the codebook is learned with; see `codebook_window.codebook_window`.
    dependent : bool
        True if neighbours are correlated even within a state, as in photographs. Then no N is
        right, and the choice is a starting point (`START`).
    residual_correlation : float
        The correlation that the grown states leave unexplained, see `residual_correlation`.
    far_correlation : float
        The correlation of residuals of nodes four steps apart, if it is more than chance, else 0.
        States then follow light or drift that no slow field holds, and N is uncertain.
    model : DiscreteModel or GaussianModel
        Learned with N, w and w_l from all nodes.
    grown : DiscreteModel or GaussianModel, or None
        The model with N states whose beliefs led to the choice, with states in the order of
        ``model``: emissions from beliefs, and A counted over the most probable states, in the
        middle of large data. It has ``bin_edges`` where bins of real numbers take fewer bits than
        normal densities. None for more than 256 symbols.
    strength : float or None
        The strength of its coupling; see `Refined`.
    states, windows : tuple of int
        The options, in order; the numbers of states always include 1.
    code_lengths : ndarray, shape (n_windows,), float64, or None
        Bits per node with each window and the model's codebook (`Setting.code_length`); None if one
        state is enough, because all windows are equal then, or if neighbours are dependent.
    saved : ndarray, shape (k,), float64
        Bits per node saved by the second state, the third one and so on, for all grown models:
        mostly up to the first state without a benefit.
    uneven : bool
        True if numbers hold a slow field of light. Then N, ``saved`` and ``grown`` are those of the
        numbers minus this field; `level_light` subtracts it.
    rule : str
        The rule of the choice, in words.
    assumption : str
        The assumption of the rule.

    Examples
    --------
    >>> found = choose(np.zeros((8, 8), int), n_symbols=2, n_states=[1, 2], windows=[1])
    >>> found.n_states, found.states
    (1, (1, 2))
    """

    n_states: int
    window: int
    codebook_window: int
    dependent: bool
    residual_correlation: float
    far_correlation: float
    model: Model
    grown: Model | None
    strength: float | None
    states: Shape
    windows: Shape
    code_lengths: Floats | None
    saved: Floats
    uneven: bool
    rule: str
    assumption: str

    def _repr_html_(self) -> str:
        saved = [[n, digits.bits(b)] for n, b in enumerate(self.saved, start=2)]
        tables = [html.table("Saved by state N", ("N", "bits per node"), saved)]
        if self.code_lengths is not None:
            lengths = zip(self.windows, self.code_lengths, strict=True)
            errors = [[w, digits.bits(b)] for w, b in lengths]
            tables.append(html.table("Prediction error", ("w", "bits per node"), errors))
        title = f"N = {self.n_states}, w = {self.window}"
        return html.titled(title, *tables, self.model._repr_html_(), text=f"{self.rule}.")


def choose(
    observations: Any,
    *,
    n_symbols: int | None = None,
    n_states: Sequence[int] = range(1, 9),
    windows: Sequence[int | tuple[int, ...]] = range(1, 21),
    kind: str = "discrete",
    scalar: bool | None = None,
    progress: Progress | None = None,
) -> Choice:
    """Choose N by the bits that each state saves, and windows by prediction of left-out nodes.

    Models grow from one state, one state at a time, each fitted by belief (`refine`). N is the
    largest number up to which every state shortens the code of each observation given all others
    (the cavity code length, with 1/2 log2 U bits per parameter). Each state must save more than a
    further state does in data drawn from the model without it. Numbers (M = 1) are cut into 24
    quantile symbols for this, and vectors into 24 cells of Fast PNN by the ranks of their channels,
    so no law of noise is assumed. A slow field of uneven light is subtracted from numbers first if
    that shortens the code of as many states. If ``n_states`` lacks this
    number, the next smaller is taken, or the next larger if that is 1.

    For that N, w_l is the window whose codebook predicts left-out nodes with the least squared
    error, with the best w for it (`codebook_window`). With this codebook, w is the window of the
    least code length: smaller ones err by variance, larger ones by bias (2.3). With one state all
    windows are equal, and the smallest is taken.

    The rule assumes that observations are independent given the states. In photographs neighbours
    are correlated even within a state, and no N is right. This shows in two ways: states never
    cease to save bits, up to one more than the largest number, or than 8; or the residual
    correlation is so high that a node's neighbours give more bits about it than the last state
    saves. Then N = 4 and w = w_l = 7 are proposed, or the nearest options: a starting point, not a
    finding.

    The paper's terms of use, inertia >= 0.9 and associativity >= 0.5, are not required.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice or a data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    n_symbols : int, optional
        M; by default the largest symbol + 1.
    n_states, windows : sequence of int, optional
        The options for N, 1 to 255, and for w and w_l, half-widths >= 0, or tuples of one for each
        axis, in the same ratio.
    kind : {"discrete", "gaussian"}, optional
        The variant of the model.
    scalar : bool, optional
        As for `as_data_set`.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    Choice

    Raises
    ------
    ParameterError
        If an argument is outside its range or a lattice is not of the kind.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> choose(np.zeros((8, 8), int), n_symbols=2, n_states=[1, 2], windows=[1]).n_states
    1
    """
    data = as_data_set(observations, kind=kind, n_symbols=n_symbols, scalar=scalar)
    sizes = sorted({1, *as_sizes("n_states", n_states, 1, MOST_STATES)})
    widths, data = as_widths(windows, data)
    return chosen(data, sizes, widths, Growth(data), check_progress(progress))


def chosen(
    data: DataSet,
    sizes: list[int],
    widths: list[int],
    growth: Growth,
    progress: Progress | None = None,
) -> Choice:
    """Return the choice of `choose` among sizes, the first of which is 1, and windows."""
    levelling, growing, rest = shares(progress, [1.0, 4.0, 2.0])
    growth = in_even_light(growth, max(LARGEST, sizes[-1]), levelling)
    found = growth.ended(max(LARGEST, sizes[-1]), growing)
    n_states = sizes[place_of(sizes, START[0]) if found is None else pick(sizes, found)]
    if found is None or found == 1:
        window = widths[place_of(widths, START[1] if found is None else 0)]
        best = BestWindow(window, window, learned_codebook(data, window, n_states, rest))
    else:
        best = best_window(data, n_states, widths, rest)
    stop_if_cancelled(progress)
    states = decode_each(data, best.codebook, best.window)
    stop_if_cancelled(progress)
    model = KINDS[data.kind].from_states(
        data, codebook=best.codebook, states=states, window=best.window
    )
    stop_if_cancelled(progress)
    left = growth.residuals(found or growth.n_grown).correlation
    far = growth.far_correlation(found) if found else 0.0
    stop_if_cancelled(progress)
    report(progress, 1.0)
    return Choice(
        n_states,
        best.window,
        best.codebook_window,
        found is None,
        left,
        far,
        model,
        *_grown(growth, model),
        tuple(sizes),
        tuple(widths),
        best.code_lengths,
        growth.saved(),
        growth.levelled,
        *_in_words(found is None, growth, left, far, sizes, n_states),
    )


@dataclass(frozen=True, eq=False)
class BestWindow(Value):
    """The window of a number of states, and the codebook that it was found with."""

    window: int
    codebook_window: int
    codebook: Annotated[Matrix, "(N, M)"]
    code_lengths: Floats | None = None  # bits per node with each window; None if none was tried
    code_length_of_one: float = 0.0  # likewise with one state, for any window


def best_window(
    data: DataSet, n_states: int, widths: Sequence[int], progress: Progress | None = None
) -> BestWindow:
    """Return the window of the least code length, with the w_l of the least squared error."""
    learning, measuring = shares(progress, [1.0, 1.0])
    w_l, codebook = codebook_window(data, widths, n_states, learning)
    lengths = _code_lengths(data, codebook, widths, measuring)
    one = length_of_one_state(data).bits
    return BestWindow(widths[int(lengths.argmin())], w_l, codebook, lengths, one)


def _code_lengths(
    data: DataSet, codebook: Matrix, widths: Sequence[int], progress: Progress | None
) -> Floats:
    """Return the code length of each window, in bits per node."""

    def bits(width: int, _part: Progress | None) -> float:
        return left_out(data, codebook, width).code_length().bits

    tasks = [partial(bits, width) for width in widths]
    return np.array(threads.all_of(tasks, progress, most=threads.side_by_side(data.n_nodes)))


def _grown(growth: Growth, model: Model) -> tuple[Model | None, float | None]:
    """Return the model of beliefs with as many states, in another's order, and its strength."""
    # None of both if rare symbols are one (`Growth`)
    if growth.observed.n_symbols != model.n_symbols:
        return None, None
    return growth.model_like(model)


def pick(sizes: Sequence[int], enough: int) -> int:
    """Return the place of N among sizes, the first of which is 1, for ``enough`` states."""
    # The largest size up to that; but if that is 1 and more states pay off, the next larger
    s = max(s for s, n in enumerate(sizes) if n <= enough)
    return 1 if s == 0 and enough > 1 and len(sizes) > 1 else s


def place_of(sizes: Sequence[int], wanted: int) -> int:
    """Return the index of the size nearest to a wanted one; ties go to the smaller."""
    return min(range(len(sizes)), key=lambda s: abs(sizes[s] - wanted))


def _in_words(
    dependent: bool,
    growth: Growth,
    left: float,
    far: float,
    asked: Sequence[int],
    n_states: int,
) -> tuple[str, str]:
    """Return the rule, with the effect of the options, and its assumption."""
    if dependent:
        rule = (
            "no number of states is right: every further state saves bits, or neighbours are "
            f"correlated even within a state (residual correlation {left:.2f}). {START[0]} states "
            f"and w = {START[1]}, or the nearest values, are only a start"
        )
        return rule, "you want a few coarse regions"
    rule = (
        "each state saves more bits than by chance, if nodes are predicted from the beliefs of all "
        "others. The codebook has the least squared error on left-out nodes. The window has the "
        "lowest prediction error with that codebook"
    )
    if growth.levelled:
        rule += ". The light is uneven: N is that of the numbers minus a slow field (`level_light`)"
    if far:
        rule += (
            f". N is uncertain: residuals {FAR} steps apart have a correlation of {far:.2f}, as "
            "under light or drift, which looks like further states"
        )
    if n_states == 1 and len(asked) == 2:
        rule += f". {asked[1]} states save no more bits than one state"
    elif n_states == 1 and len(asked) > 2:
        rule += (
            f". No number of states from {asked[1]} to {asked[-1]} saves bits, so no structure was "
            "found"
        )
    law = ", with noise of any law" if growth.observed.kind == "gaussian" else ""
    return rule, f"observations are independent given their states{law}"
