"""The trade-off of window and number of states: the scores of each setting (paper 2.3)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from latviz.core import kernels, threads
from latviz.core.checks import (
    MOST_STATES,
    UNKNOWN,
    check_integers,
    check_map,
    check_progress,
    check_spacing,
    check_windows,
)
from latviz.core.choice.calibrating import length_alone
from latviz.core.choice.code_length import CodeLength, Emitted
from latviz.core.data.data_set import DataSet, as_data_set, read_each
from latviz.core.data.fixed_point import FixedPoint
from latviz.core.data.lattice import each_of, sides_of, steps_of
from latviz.core.data.masks import marked, mask_in
from latviz.core.data.merge_tree import Codewords
from latviz.core.errors import ParameterError
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import BinnedDensities, Densities
from latviz.core.model.fitting import FitSettings, showing_common_settings, spaced_by
from latviz.core.model.indices import (
    associativity,
    contingency,
    count,
    counted,
    inertia,
    pairs_and_nodes,
)
from latviz.core.model.learning import (
    adjacency,
    learn_tree,
    padded,
    smoothed_emissions,
)
from latviz.core.progress import Progress, report, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.truth.agreement import accuracy_of, known_boundary_f_score, rand_of
from latviz.core.types import Counts, States, Window
from latviz.core.values import Value
from latviz.core.windows.leave_one_out import apart, decode_both_in_bands

S = TypeVar("S")
T = TypeVar("T")
Maps = list[tuple[States, States]]
"""By lattice (n_sizes, *shape) uint8: of whole windows, of windows without their middle."""

CODEBOOK_WINDOW = 3
"""Half-width w_l that `sweep` learns with if none is given."""


@dataclass(frozen=True, eq=False)
class Setting(Value):
    """Worth of a number of states and a window.

    Attributes
    ----------
    n_states, window : int
        N and w.
    associativity, inertia : float
        The two indices of fit.
    code_length : float
        Bits per node of observations given states that were decoded without them; see
        `code_length.Emitted`.
    standard_error : float
        Its standard error, from spatial blocks.
    changed : float or None
        The share of nodes whose state differs from that with the window before; None for the first.
    accuracy, rand, boundary : float or None
        Against the truth, if it is given: the share of nodes that agree by the best matching of
        states, the adjusted Rand index, and the F-score of the boundaries.

    Examples
    --------
    >>> first, second = sweep(stripes((8, 8), widths=4), windows=[0, 1], n_states=[2])
    >>> first.inertia, round(first.associativity, 4), float(second.changed)  # .9286 is 104 / 112
    (1.0, 0.9286, 0.0)
    """

    n_states: int
    window: int
    associativity: float
    inertia: float
    code_length: float
    standard_error: float
    changed: float | None
    accuracy: float | None = None
    rand: float | None = None
    boundary: float | None = None


@renamed("observations windows states", states="n_states")
@showing_common_settings
def sweep(
    observations: Any,
    *,
    n_states: Sequence[int],
    windows: Sequence[int],
    kind: str = "discrete",
    n_symbols: int | None = None,
    scalar: bool | None = None,
    truth: Any = None,
    progress: Progress | None = None,
    **fields: Any,
) -> Iterator[Setting]:
    """Decode with every window and number of states, and yield the scores of each setting.

    All codebooks are cuts of one merge tree, learned from all signatures with ``codebook_window``,
    so that states mean the same for every N and w. All N are decoded in one pass, which takes 2
    bytes per node for each N.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice or a data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    n_states, windows : sequence of int
        The numbers N, 1 to 255, and the half-widths w >= 0, or tuples of one for each axis, in the
        same ratio.
    kind : {"discrete", "gaussian"}, optional
        The variant of the model.
    n_symbols : int, optional
        M; by default the largest symbol + 1.
    scalar : bool, optional
        As for `as_data_set`.
    truth : ndarray of int, or a list or tuple of them, optional
        The true states, 0 to 254, of each lattice; 255 where unknown.
    progress : Progress, optional
        Receives the fraction done; may cancel.
    fields : optional
        Those of `FitSettings` as keywords, but N and w; ``codebook_window`` is 3 by default.

    Yields
    ------
    Setting
        For the smallest window all N, then for the next.

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> found = sweep(stripes((8, 8), widths=4), n_states=[1, 2], windows=[0, 1])
    >>> [(each.window, each.n_states) for each in found]
    [(0, 1), (0, 2), (1, 1), (1, 2)]
    """
    data = as_data_set(observations, kind=kind, n_symbols=n_symbols, scalar=scalar)
    check_progress(progress)
    sizes = as_sizes("n_states", n_states, 1, MOST_STATES)
    data, fit = spaced_by(data, FitSettings(1, CODEBOOK_WINDOW, **fields))
    widths, data = as_widths(windows, data)
    truths = None if truth is None else _check_truth(truth, data)
    return _sweep(data, sizes, widths, fit, truths, progress)


def _sweep(
    data: DataSet,
    sizes: list[int],
    widths: list[int],
    fit: FitSettings,
    truth: list[States] | None,
    progress: Progress | None,
) -> Iterator[Setting]:
    stop_if_cancelled(progress)
    codewords = learn_tree(data.lattices, data.n_symbols, fit.learning_window).codewords_of(sizes)

    def scored(some: list[int], before: Decoded | None) -> tuple[list[list[Setting]], Decoded]:
        decoded = Decoded.by_each(data, codewords, sizes, some, progress, before=before, fit=fit)
        both = [*zip(decoded, [before, *decoded[:-1]], strict=True)]
        found = threads.each(both, lambda one: one[0].settings(one[1], truth, progress))
        return found, decoded[-1]

    before, most = None, min(threads.side_by_side(data.n_nodes), threads.at_once())
    for first in range(0, len(widths), most):
        found, before = scored(widths[first : first + most], before)
        for k, settings in enumerate(found, first + 1):
            stop_if_cancelled(progress)
            yield from settings
            report(progress, k / len(widths))


@dataclass(frozen=True, eq=False)
class Decoded(Value):
    """A data set decoded with one window and several codebooks."""

    data: DataSet
    shown: slice  # the lattices of all numbers but A
    window: Window  # several are decoded end to end; settings have the first
    sizes: list[int]  # N of each codebook
    maps: Maps
    # A' with pseudo-counts, and nodes in each state, by codebook
    counts: list[tuple[Counts, Counts]]
    fit: FitSettings  # of all N and w
    # the middles of windows, by the states of windows without them, by codebook
    emitted: list[Emitted]

    @classmethod
    def by_each(
        cls,
        data: DataSet,
        codewords: Codewords,
        sizes: list[int],
        windows: Sequence[Window],
        progress: Progress | None = None,
        *,
        before: "Decoded | None" = None,
        fit: FitSettings,
        learned: slice = slice(None),
        shown: slice = slice(None),
    ) -> list["Decoded"]:
        """Decode with some codebooks and each of some windows, side by side."""
        # A codebook may have fewer codewords than its size: the remaining states get no nodes.
        # Counts are those of the lattices ``learned``. With the same codebooks and the window
        # ``before`` most nodes keep their states, whose sums are reused

        def counts_of(maps: Maps) -> list[tuple[Counts, Counts]]:
            every = [
                pairs_and_nodes(plain, sizes)
                if known is None
                else [count(one, n) for one, n in zip(plain, sizes, strict=True)]
                for (plain, _), known in zip(maps[learned], data.masks[learned], strict=True)
            ]
            return [counted(of_lattices) for of_lattices in zip(*every, strict=True)]

        def of_window(window: Window) -> tuple[Maps, list[tuple[Counts, Counts]]]:
            maps = [decode_both_in_bands(one, codewords, window, progress) for one in data.lattices]
            counts = counts_of(maps)
            if fit.smoothing and data.kind == "discrete":
                books = _smoothed(codewords, sizes, counts, fit.smoothing, data.n_symbols)
                again = [
                    decode_both_in_bands(one, books, window, progress) for one in data.lattices
                ]
                maps = [(plain, rest) for (plain, _), (_, rest) in zip(again, maps, strict=True)]
                counts = counts_of(maps)
            return maps, counts

        found = threads.each(windows, of_window)
        without = [[rest for _, rest in maps[shown]] for maps, _ in found]
        emitted = _emitted(data, sizes, without, shown, before, progress)
        return [
            cls(data, shown, window, sizes, *both, fit, of_sizes)
            for window, both, of_sizes in zip(windows, found, emitted, strict=True)
        ]

    def plain(self, s: int) -> list[States]:
        """Return the states of whole windows with codebook s, for each lattice that is shown."""
        return [plain[s] for plain, _ in self.maps[self.shown]]

    def without(self, s: int) -> list[States]:
        """Return the same of windows without their middle."""
        return [without[s] for _, without in self.maps[self.shown]]

    def settings(
        self,
        before: "Decoded | None",
        truth: list[States] | None,
        progress: Progress | None = None,
    ) -> list[Setting]:
        """Return the numbers of each codebook, for comparing them."""
        # ``before``: the same codebooks with the window before; ``truth``: of the lattices that are
        # shown
        w = each_of(self.window)[0]

        def setting(s: int) -> Setting:
            n, states, length = self.sizes[s], self.plain(s), self.emitted[s].code_length()
            A = adjacency(*self.counts[s], self.data.n_directions, self.fit.smoothing)
            return Setting(
                n,
                w,
                associativity(A),
                inertia(states, n_states=n, window=w, spacing=self.data.spacing),
                length.bits,
                length.standard_error,
                None if before is None else _unequal(states, before.plain(s)),
                *(() if truth is None else _against(states, n, truth)),
            )

        return _each(range(len(self.sizes)), setting, progress)


def _smoothed(
    codewords: Codewords,
    sizes: list[int],
    counts: list[tuple[Counts, Counts]],
    smoothing: float,
    n_symbols: int,
) -> Codewords:
    """Return smoothed codewords of symbols, as a model has them, with which it decodes again."""
    books = [
        smoothed_emissions(padded(codewords.values[rows], n), occupancy, smoothing, n_symbols)
        for rows, n, (_, occupancy) in zip(codewords.members, sizes, counts, strict=True)
    ]
    return apart(books)


def _emitted(
    data: DataSet,
    sizes: list[int],
    maps: list[list[States]],
    shown: slice,
    before: Decoded | None,
    progress: Progress | None,
) -> list[list[Emitted]]:
    """Return the emissions of states, for each window and codebook; maps by window, lattice."""
    lattices, most = data.lattices[shown], max(sizes)
    vectors = [one for one in lattices if isinstance(one, FixedPoint)]
    if (
        data.kind == "discrete"
        and not data.is_masked
        and most * data.n_symbols <= kernels.tally.FEW
    ):
        values = data.values[shown]
        return _each(maps, lambda of: Emitted.of_each(values, of, sizes, data.n_symbols), progress)

    def of_size(s: int) -> list[Emitted]:
        # One window after the other, as sums of vectors follow from those before
        known = None if before is None else (before.emitted[s], before.without(s))
        found = list[Emitted]()
        for of_window in maps:
            stop_if_cancelled(progress)
            states = [of_lattice[s] for of_lattice in of_window]
            if vectors and known is not None and not data.is_masked:
                found.append(known[0].moved(vectors, known[1], states))
            else:
                found.append(Emitted.of(lattices, states, sizes[s], data.n_symbols, most))
            known = found[-1], states
        return found

    each = _each(range(len(sizes)), of_size, progress)
    return [list(of_sizes) for of_sizes in zip(*each, strict=True)]


def _each(items: Sequence[S], work: Callable[[S], T], progress: Progress | None) -> list[T]:
    """Return ``work`` of each item, unless it is cancelled."""

    def one(item: S) -> T:
        stop_if_cancelled(progress)
        return work(item)

    return threads.each(items, one)


def length_of_one_state(data: DataSet, emission: Densities | None = None) -> CodeLength:
    """Return the code length of the nodes under one state, without any window."""
    # That is the code of a histogram of the symbols, or of one normal density of the vectors; or of
    # shares of bins, if the emission of several states has them
    if isinstance(emission, BinnedDensities | CopulaDensities):
        return length_alone(emission, data)[1]
    return Emitted.of(data.lattices, data.in_one_state, 1, data.n_symbols).code_length()


def as_sizes(name: str, values: Sequence[int], low: int, high: int | None = None) -> list[int]:
    """Return distinct integers in order, or raise `ParameterError` as `check_integers`."""
    return sorted(set(check_integers(name, values, low, high)))


def as_widths(windows: Any, data: DataSet) -> tuple[list[int], DataSet]:
    """Return half-widths, the largest of those for each axis, and data whose spacing has them."""
    if not isinstance(windows, tuple | list) or not any(isinstance(w, tuple) for w in windows):
        return as_sizes("windows", windows, 0), data
    each = [each_of(check_windows(window)) for window in windows]
    spacing, d = steps_of(max(each, key=max)), data.dimensions
    if any(len(w) != d or sides_of(max(w), (max(w) + 1,) * d, spacing) != w for w in each):
        ratio = "in the same ratio, such as (1, 4) and (2, 8)"
        raise ParameterError(f"windows must have a half-width for each of {d} axes, {ratio}")
    return sorted({max(w) for w in each}), data.spaced(check_spacing(spacing))


def _unequal(one: list[States], other: list[States]) -> float:
    unequal = sum(np.count_nonzero(a != b) for a, b in zip(one, other, strict=True))
    return unequal / sum(np.count_nonzero(a != UNKNOWN) for a in one)


def _against(states: list[States], n: int, truth: list[States]) -> tuple[float, float, float]:
    """Return accuracy, adjusted Rand index and boundary F-score, over all lattices."""
    m = 1 + max(int(t.max()) for t in truth)
    both = zip(states, truth, strict=True)
    each = [contingency(marked(a, mask_in(a), n), b, n + 1, m) for a, b in both]
    table = np.sum(each, axis=0)[:n, :UNKNOWN]
    return accuracy_of(table), rand_of(table), known_boundary_f_score(states, truth)


def _check_truth(truth: Any, data: DataSet) -> list[States]:
    maps = read_each(truth, lambda one: check_map(one, UNKNOWN + 1, "states"))
    if (found := [one.shape for one in maps]) != data.shapes:
        raise ParameterError(f"the truth must have the shapes {data.shapes}, got {found}")
    if all((one == UNKNOWN).all() for one in maps):
        raise ParameterError("the truth must be known for at least one node, got 255 for all")
    return [marked(one, known, UNKNOWN) for one, known in zip(maps, data.masks, strict=True)]
