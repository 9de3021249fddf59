"""The trade-off of window and number of states: what each setting is worth (paper 2.3)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from latviz.core import kernels, threads
from latviz.core.checks import (
    MOST_STATES,
    UNKNOWN,
    check_integers,
    check_map,
    check_progress,
    shown,
)
from latviz.core.choice.code_length import CodeLength, Emitted, joint_counts
from latviz.core.choice.leave_one_out import decode_both_in_bands
from latviz.core.data.data_set import DataSet, as_data_set, read_each
from latviz.core.data.merge_tree import MergeTree
from latviz.core.errors import ParameterError
from latviz.core.model.indices import (
    as_rows,
    associativity,
    counted,
    inertia,
    pairs_and_nodes,
)
from latviz.core.model.learning import adjacency, codebook_of, learn_from_sample
from latviz.core.progress import Progress, stop_if_told
from latviz.core.truth.agreement import adjusted_rand, known_boundary_f_score, matched_accuracy
from latviz.core.types import Counts, Floats, States
from latviz.core.values import Value
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.stratified import SAMPLE, sample_nodes

T = TypeVar("T")

FEW = 1 << 18
"""Data sets of more nodes have their inertia estimated from a sample, of at most 4,096 nodes, and
their changes from every fourth row."""
EVERY = 4
WINDOW_NODES = 1 << 18
"""Nodes that are counted at most in the windows of that sample, unless it is small."""
LEAST_SAMPLE = 256


@dataclass(frozen=True, eq=False)
class Setting(Value):
    """Worth of a number of states and a window.

    Attributes
    ----------
    n_states, window : int
        N and w.
    associativity, inertia : float
        The two indices of fit; the inertia of large data sets is that of a sample of nodes (`FEW`).
    data_bits, pair_bits : float
        The two terms of log2 P a node, with alpha = 1 and the normaliser "states".
    code_length : float
        Bits a node, of observations given states that were decoded without them; see
        `code_length.Emitted`.
    standard_error : float
        Its standard error, from spatial blocks.
    thickness : float
        Of the thinnest state, in nodes; see `thinnest`.
    changed : float or None
        The share of nodes whose state differs, when states are matched as well as they can be, from
        that of the adjacent window on the side of the first; None for the first. Large data sets
        are compared in every fourth row.
    seconds : float
        The time that it took, with its share of what one window costs for all N.
    accuracy, rand, boundary : float or None
        Against the truth, if it is given: the share of nodes that agree by the best matching of
        states, the adjusted Rand index, and the F-score of the boundaries.
    """

    n_states: int
    window: int
    associativity: float
    inertia: float
    data_bits: float
    pair_bits: float
    code_length: float
    standard_error: float
    thickness: float
    changed: float | None
    seconds: float
    accuracy: float | None = None
    rand: float | None = None
    boundary: float | None = None


def sweep(
    observations: Any,
    windows: Sequence[int],
    states: Sequence[int],
    *,
    kind: str = "discrete",
    n_symbols: int | None = None,
    scalar: bool = False,
    truth: Any = None,
    near: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> Iterator[Setting]:
    """Decode with every window and number of states, and yield what each is worth.

    A window's codebooks for all N are cuts of one merge tree, learned from a sample of 4,096
    signatures, and all are decoded in one pass. That takes up to 4 bytes a node for each N.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice or a data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    windows, states : sequence of int
        The half-widths w >= 0 and the numbers N, 1 to 255.
    kind : {"discrete", "gaussian"}, optional
        Which variant of the model.
    n_symbols : int, optional
        M; by default one more than the largest symbol.
    scalar : bool, optional
        Vectors are arrays (*shape) of M = 1.
    truth : ndarray of int, or a list or tuple of them, optional
        The true states, 0 to 254, of each lattice; 255 where it is not known.
    near : (int, int), optional
        N and w of the present setting: what is nearest to it comes first. By default the smallest.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Yields
    ------
    Setting
        For one window all N, then for the next.

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    Cancelled
        If ``progress`` says so.
    """
    data = as_data_set(observations, kind, n_symbols, scalar)
    check_progress(progress)
    sizes = as_sizes("states", states, 1, MOST_STATES)
    widths = as_sizes("windows", windows, 0)
    given = [sizes[0], widths[0]] if near is None else check_integers("near", near, 0)
    if len(given) != 2:
        raise ParameterError(f"near must be N and w, got {shown(near)}")
    first_n, first_w = given
    sizes.sort(key=lambda n: abs(n - first_n))
    widths.sort(key=lambda w: abs(w - first_w))
    truths = None if truth is None else _check_truth(truth, data)
    return _sweep(data, sizes, widths, truths, progress)


def _sweep(
    data: DataSet,
    sizes: list[int],
    widths: list[int],
    truth: list[States] | None,
    progress: Progress | None,
) -> Iterator[Setting]:
    beside: dict[bool, list[list[States]]] = {}
    for k, (window, tree, learning) in enumerate(_trees(data, widths, progress)):
        start = perf_counter()
        decoded = Decoded.by(data, tree, window, sizes, progress)
        shared = (learning + perf_counter() - start) / len(sizes)
        above = window > widths[0]
        before = beside.get(above)
        for found in decoded.settings(before, truth, progress):
            yield replace(found, seconds=shared + found.seconds)
        sides = (above,) if beside else (False, True)
        beside.update(dict.fromkeys(sides, decoded.plain))
        if progress is not None:
            progress.report((k + 1) / len(widths))


def _trees(
    data: DataSet, widths: list[int], progress: Progress | None
) -> Iterator[tuple[int, MergeTree, float]]:
    """Yield each window, its tree, and the seconds that this took.

    Little of learning is shared out to threads, so as many windows as there are threads are learned
    at a time.
    """

    def learn(first: int, last: int) -> list[tuple[int, MergeTree, float]]:
        found = []
        for window in some[first:last]:
            start = perf_counter()
            tree = learn_from_sample(data, window)
            found.append((window, tree, perf_counter() - start))
        return found

    size = threads.get_threads()
    for k in range(0, len(widths), size):
        some = widths[k : k + size]
        stop_if_told(progress)
        for part in threads.over_rows(len(some), learn):
            for one in part:
                stop_if_told(progress)
                yield one


@dataclass(frozen=True, eq=False)
class Decoded(Value):
    """A data set decoded with one window and several codebooks of one tree.

    ``maps`` holds for each lattice its states with all codebooks, (n_sizes, *shape) uint8, from
    whole windows and from windows without their middle.
    """

    data: DataSet
    tree: MergeTree
    window: int
    sizes: list[int]
    maps: list[tuple[States, States]]

    @classmethod
    def of(
        cls,
        data: DataSet,
        window: int,
        sizes: list[int],
        progress: Progress | None = None,
    ) -> "Decoded":
        """Learn from a sample and decode, unless ``progress`` raises `Cancelled` on the way."""
        return cls.by(data, learn_from_sample(data, window), window, sizes, progress)

    @classmethod
    def by(
        cls,
        data: DataSet,
        tree: MergeTree,
        window: int,
        sizes: list[int],
        progress: Progress | None = None,
    ) -> "Decoded":
        """Decode with codebooks of a tree that was learned, unless ``progress`` cancels."""
        maps = [
            decode_both_in_bands(lattice, tree, sizes, window, progress)
            for lattice in data.lattices
        ]
        return cls(data, tree, window, sizes, maps)

    @property
    def plain(self) -> list[list[States]]:
        """The states of whole windows, by codebook and lattice."""
        return [[plain[s] for plain, _ in self.maps] for s in range(len(self.sizes))]

    @property
    def without(self) -> list[list[States]]:
        """The states of windows without their middle, by codebook and lattice."""
        return [[without[s] for _, without in self.maps] for s in range(len(self.sizes))]

    def each(self, work: Callable[[int], T], progress: Progress | None = None) -> list[T]:
        """Return what ``work(s)`` returns for each codebook, shared out to the threads.

        Raises
        ------
        Cancelled
            If ``progress`` says so.
        """

        def task(first: int, last: int) -> list[T]:
            found = []
            for s in range(first, last):
                stop_if_told(progress)
                found.append(work(s))
            return found

        return [one for part in threads.over_rows(len(self.sizes), task) for one in part]

    def settings(
        self,
        before: Sequence[list[States]] | None,
        truth: list[States] | None,
        progress: Progress | None = None,
    ) -> list[Setting]:
        """Return what each codebook is worth; ``before[s]``: states of s to compare with."""
        start = perf_counter()
        stop_if_told(progress)
        adjacent = self._adjacent()
        stop_if_told(progress)
        emitted = self._both_emitted(progress)
        shared = (perf_counter() - start) / len(self.sizes)
        plain = self.plain

        def setting(s: int) -> Setting:
            beside = None if before is None else before[s]
            found = self._setting(s, adjacent[s], emitted[s], plain[s], beside, truth)
            return replace(found, seconds=shared + found.seconds)

        return self.each(setting, progress)

    def left_out(self, s: int) -> Emitted:
        """Return what the states of windows without their middle emit in their middle."""
        return self._emitted(self.without[s], s)

    def code_length(self, s: int) -> CodeLength:
        """Return the code length of the nodes, given the states of windows without them."""
        return self.left_out(s).code_length()

    def _emitted(self, states: list[States], s: int) -> Emitted:
        n, most = self.sizes[s], max(self.sizes)
        return Emitted.of(self.data.lattices, states, n, self.data.n_symbols, most)

    def _adjacent(self) -> list[tuple[Counts, Counts]]:
        """Return A' and the nodes in each state, of whole windows, for each codebook."""
        found = [pairs_and_nodes(plain, self.sizes) for plain, _ in self.maps]
        return [counted(of_lattices) for of_lattices in zip(*found, strict=True)]

    def _both_emitted(self, progress: Progress | None) -> list[tuple[CodeLength, Emitted]]:
        """Return code lengths, and what is emitted in the states of whole windows."""
        discrete, n_symbols = self.data.kind == "discrete", self.data.n_symbols
        if discrete and max(self.sizes) * n_symbols <= kernels.tally.FEW:
            every = Emitted.of_each(self.data.values, self.maps, self.sizes, n_symbols)
            return [(without.code_length(), plain) for plain, without in every]
        before, after = self.without, self.plain

        def both(s: int) -> tuple[CodeLength, Emitted]:
            emitted = self._emitted(before[s], s)
            moved = emitted.moved(self.data.lattices, before[s], after[s])
            return emitted.code_length(), moved

        return self.each(both, progress)

    def _setting(
        self,
        s: int,
        adjacent: tuple[Counts, Counts],
        emitted: tuple[CodeLength, Emitted],
        states: list[States],
        before: Sequence[States] | None,
        truth: list[States] | None,
    ) -> Setting:
        start = perf_counter()
        n, data, (pairs, occupancy) = self.sizes[s], self.data, adjacent
        A = adjacency(pairs, occupancy, data.dimensions)
        length, in_plain = emitted
        return Setting(
            n,
            self.window,
            associativity(A),
            _mean_inertia(data, states, n, self.window),
            in_plain.data_bits(codebook_of(self.tree, n)),
            pair_bits(pairs, A) / data.n_nodes,
            length.bits,
            length.standard_error,
            thinnest(pairs, data.dimensions),
            None if before is None else _changed(states, before, n),
            perf_counter() - start,
            *(() if truth is None else _against(states, n, truth)),
        )


def length_of_one_state(data: DataSet) -> CodeLength:
    """Return the code length of the nodes under one state, which knows nothing of windows.

    It is that of a histogram of the symbols, or of one normal density of the vectors.
    """
    alone = [np.zeros(shape, dtype=np.uint8) for shape in data.shapes]
    return Emitted.of(data.lattices, alone, 1, data.n_symbols).code_length()


def as_sizes(name: str, values: Sequence[int], low: int, high: int | None = None) -> list[int]:
    """Return distinct integers in order, or raise `ParameterError` if there are none or others."""
    return sorted(set(check_integers(name, values, low, high)))


def thinnest(pairs: Counts, dimensions: int) -> float:
    """Return the thickness of the thinnest state, in nodes, from A' (N, N).

    A band of thickness b, straight along an axis, has A'(i, i) / sum_j A'(i, j) = 1 - 1 / (d b);
    the thickness of a state is the b of its own share. It is 0 for a state that no node takes, and
    infinite where all neighbours are alike.
    """
    total = pairs.sum(axis=1).astype(np.float64)
    other = total - np.diagonal(pairs)
    with np.errstate(divide="ignore", invalid="ignore"):
        thickness = np.where(total > 0, total / (dimensions * other), 0.0)
    return float(thickness.min())


def pair_bits(pairs: Counts, A: Floats) -> float:
    """Return the pair term of log2 P with the normaliser "states", from A' and A."""
    share = A / np.where(A.sum(axis=1) > 0, A.sum(axis=1), 1.0)[:, None]
    seen = pairs > 0
    return 0.5 * float((pairs[seen] * np.log2(share[seen])).sum())


def _mean_inertia(data: DataSet, states: list[States], n: int, window: int) -> float:
    if n == 1:
        return 1.0
    if data.n_nodes <= FEW or states[0].ndim > 3:
        return inertia(states, n, window)
    norms = []
    size = max(LEAST_SAMPLE, min(SAMPLE, WINDOW_NODES // (2 * window + 1) ** states[0].ndim))
    for lattice, where in zip(states, sample_nodes(data, size), strict=True):
        totals = totals_at(lattice, n, window, where)
        norms.append(np.sqrt((totals.values**2).sum(axis=1)) / totals.sizes)
    return float(np.concatenate(norms).mean())


def _changed(states: Sequence[States], before: Sequence[States], n_states: int) -> float:
    if n_states == 1:
        return 0.0
    step = EVERY if sum(lattice.size for lattice in states) > FEW else 1
    tables = [
        joint_counts(as_rows(a)[0][::step], as_rows(b)[0][::step], n_states, n_states).sum(axis=0)
        for a, b in zip(states, before, strict=True)
    ]
    return 1.0 - matched_accuracy(np.sum(tables, axis=0))


def _against(states: list[States], n: int, truth: list[States]) -> tuple[float, float, float]:
    """Return accuracy, adjusted Rand index and boundary F-score, over all lattices."""
    m = 1 + max(int(t.max()) for t in truth)
    both = zip(states, truth, strict=True)
    table = np.sum([joint_counts(a, b, n, m).sum(axis=0) for a, b in both], axis=0)
    table = table[:, :UNKNOWN]
    return matched_accuracy(table), adjusted_rand(table), known_boundary_f_score(states, truth)


def _check_truth(truth: Any, data: DataSet) -> list[States]:
    maps = read_each(truth, lambda one: check_map(one, UNKNOWN + 1, "states"))
    if (found := [one.shape for one in maps]) != data.shapes:
        raise ParameterError(f"the truth must have the shapes {data.shapes}, got {found}")
    if all((one == UNKNOWN).all() for one in maps):
        raise ParameterError("the truth must be known of a node at least, got 255 for all")
    return maps
