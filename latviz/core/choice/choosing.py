"""Choosing the number of states and the window from the observations alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latviz.core.checks import MOST_STATES, check_progress
from latviz.core.choice.growing import SEEN as GROWN
from latviz.core.choice.growing import Growth
from latviz.core.choice.settings import as_sizes
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.model.learning import codebook_of, learn_from_sample
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.progress import Progress, shares, stop_if_told
from latviz.core.truth.agreement import contingency, matched_accuracy
from latviz.core.types import Floats, Shape, States
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

LARGEST = 8
"""The number of states up to which models are grown in any case, to see whether that ever ends."""
BEST = 8, 3
"""Windows that are compared once more by all nodes of the middle, and of large data."""
START = 4, 7
"""N and w to start from where no N is right: constants came closer to what people outline in
photographs than the least code length did (measured on forty, in three encodings)."""


@dataclass(frozen=True, eq=False)
class Choice(Value):
    """A number of states and a window, and why they were chosen.

    Attributes
    ----------
    n_states, window : int
        The choice. N = 1: the data hold no structure that these windows and numbers can show.
    dependent : bool
        Whether neighbours resemble each other beyond their states, as in photographs. Then no N is
        the right one, and the choice is a start (`START`).
    residual_correlation : float
        What the grown states leave unexplained, see `residual_correlation`.
    model : DiscreteModel or GaussianModel
        Learned with N and w from all nodes.
    grown : DiscreteModel or GaussianModel, or None
        The model of as many states by whose beliefs N was chosen, with the states in the order of
        ``model``: emissions from beliefs, and A counted over the states of most belief, of the
        middle of the data if they are large. None of more than 256 symbols.
    strength : float or None
        Of its coupling; see `Refined`.
    states, windows : tuple of int
        What there was to choose from, in order; 1 is always among the numbers of states.
    agreement : ndarray, shape (n_windows,), float64, or None
        The share of nodes whose window's nearest codeword is of the state of most belief, states
        matched, in the middle of the data if they are large; None where one state is enough, of
        which all windows are alike, and where neighbours are dependent.
    saved : ndarray, shape (k,), float64
        Bits a node that the second state saves, the third one and so on, as far as models were
        grown: mostly up to the first that is not worth it.
    rule : str
        How the choice was made, in words.
    assumption : str
        What that takes for granted.
    """

    n_states: int
    window: int
    dependent: bool
    residual_correlation: float
    model: Model
    grown: Model | None
    strength: float | None
    states: Shape
    windows: Shape
    agreement: Floats | None
    saved: Floats
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
    than any window, so what a window agrees with them tells how far it is right. With one state all
    windows are alike, and the smallest is taken.

    That takes observations as independent given the states. In photographs neighbours resemble
    each other beyond any states, and no N is the right one. That is told in two ways: states never
    cease to save something, up to one more than the largest number, or than 8; or what the states
    leave is so correlated that a node's neighbours tell more bits of it than the last state saves.
    Then N = 4 and w = 7 are proposed, or what is nearest to them: a start, and no finding.

    The paper's terms of use, inertia from 0.9 and associativity from 0.5, are not asked for.

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
    widths = as_sizes("windows", windows, 0)
    return chosen(data, sizes, widths, Growth(data), check_progress(progress))


def chosen(
    data: DataSet,
    sizes: list[int],
    widths: list[int],
    growth: Growth,
    progress: Progress | None = None,
    *,
    known: bool = False,
) -> Choice:
    """Return the choice of `choose` of sizes, the first of which is 1, and windows.

    If N is ``known``, it is the largest size, and the window is chosen alone.
    """
    growing, measuring = shares(progress, [2.0, 1.0])
    found = _enough(growth, sizes[-1], known, growing)
    if known:
        s = len(sizes) - 1
    else:
        s = place_of(sizes, START[0]) if found is None else pick(sizes, found)
    n_states, agreement, model = sizes[s], None, None
    if found is None:
        window = widths[place_of(widths, START[1])]
    elif found == 1:
        window = widths[0]
    else:
        agreement, model = _agreeing(data, n_states, widths, growth.states(n_states), measuring)
        window = model.window
    model = model or _fit(data, n_states, window)
    left = growth.residuals(found or growth.n_grown).correlation
    if progress is not None:
        progress.report(1.0)
    return Choice(
        n_states,
        window,
        found is None,
        left,
        model,
        *_grown(growth, model),
        tuple(sizes),
        tuple(widths),
        agreement,
        growth.saved(),
        *_in_words(found is None, left, sizes, n_states),
    )


def _enough(growth: Growth, most: int, known: bool, progress: Progress | None) -> int | None:
    """Return how many states are enough; None if neighbours resemble each other beyond them.

    Of ``known`` states, which take long to grow if they are many, fewer tell that, or they do.
    """
    if not known:
        return growth.ended(max(LARGEST, most), progress)
    first, then = shares(progress, [LARGEST, max(most - LARGEST, 0)])
    found = growth.ended(LARGEST, first)
    if found is None and most > LARGEST:
        growth.of(most, then)
        found = None if growth.resemble(most) else most
    return found


def _grown(growth: Growth, model: Model) -> tuple[Model | None, float | None]:
    """Return the model of beliefs with as many states, in the order of another, and its strength.

    There is none of symbols of which rare ones are one (`Growth`).
    """
    if growth.data.n_symbols != model.n_symbols:
        return None, None
    return growth.model_like(model)


def _agreeing(
    data: DataSet,
    n_states: int,
    widths: Sequence[int],
    believed: Sequence[States],
    progress: Progress | None,
) -> tuple[Floats, Model]:
    """Return how far each window agrees with what is believed, and the model that agrees most.

    Codebooks of the same window differ by what they are learned from, and with them what they are
    worth. So windows that agree most by codebooks of a sample (`BEST`) are compared by those of all
    nodes in the middle, and the best of these, where there is more, by those of all nodes.
    """
    few, agreement = data.middle(GROWN), np.empty(len(widths))
    for k, window in enumerate(widths):
        stop_if_told(progress)
        codebook = codebook_of(learn_from_sample(few, window), n_states)
        agreement[k] = _share(few, codebook, window, believed)
    rounds = [(few, BEST[0]), *([(data, BEST[1])] if few.n_nodes < data.n_nodes else [])]
    k, models = 0, dict[int, Model]()
    for part, (learned, most) in zip(shares(progress, [1.0] * len(rounds)), rounds, strict=True):
        best = np.argsort(-agreement, kind="stable")[:most]
        for done, place in enumerate(best):
            stop_if_told(part)
            models[place] = _fit(learned, n_states, widths[place])
            agreement[place] = _share(few, models[place].codebook, widths[place], believed)
            if part is not None:
                part.report((done + 1) / most)
        k = best[agreement[best].argmax()]
    return agreement, models[k]


def _share(data: DataSet, codebook: Floats, window: int, believed: Sequence[States]) -> float:
    """Return the share of nodes whose windows' nearest codewords are of the believed states."""
    return matched_accuracy(contingency(decode_each(data, codebook, window), believed))


def pick(sizes: Sequence[int], enough: int) -> int:
    """Return the place of N among sizes, of which the first is 1, if so many states are enough.

    It is the largest up to that; only if that is 1, but more are worth it, it is the next larger.
    """
    s = max(s for s, n in enumerate(sizes) if n <= enough)
    return 1 if s == 0 and enough > 1 and len(sizes) > 1 else s


def place_of(sizes: Sequence[int], wanted: int) -> int:
    """Return the place of the size that is nearest to a wanted one, of two the smaller."""
    return min(range(len(sizes)), key=lambda s: abs(sizes[s] - wanted))


def _fit(data: DataSet, n_states: int, window: int) -> Model:
    if data.kind == "gaussian":
        return GaussianModel.fit(data, n_states=n_states, window=window)
    return DiscreteModel.fit(data, n_states=n_states, window=window, n_symbols=data.n_symbols)


def _in_words(dependent: bool, left: float, asked: Sequence[int], n_states: int) -> tuple[str, str]:
    """Return the rule, with what it says of the numbers that were asked for, and its assumption."""
    if dependent:
        rule = (
            "no number of states is the right one, because states never cease to save bits, or "
            f"neighbours resemble each other beyond them (residual correlation {left:.2f}); "
            f"{START[0]} states and w = {START[1]}, or what is nearest to them, are a start"
        )
        return rule, "a few coarse regions are wanted"
    rule = (
        "each state saves bits of nodes told by the beliefs of all others, more than it saves by "
        "chance; the window whose states agree most with those of most belief"
    )
    if n_states == 1 and len(asked) == 2:
        rule += f"; {asked[1]} states save no more than one"
    elif n_states == 1 and len(asked) > 2:
        rule += f"; no number of states from {asked[1]} to {asked[-1]} saves anything: no structure"
    return rule, "observations are independent given their states"
