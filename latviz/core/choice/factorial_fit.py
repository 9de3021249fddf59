"""Fits of several chains to one data set: the state of a node is a tuple, a state of each chain."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.checks import UNKNOWN
from latviz.core.choice.code_length import CodeLength
from latviz.core.choice.refining import HALF, MOST, SAMPLE, finished, windows_of
from latviz.core.data.data_set import DataSet
from latviz.core.data.masks import hide, mask_in
from latviz.core.data.quantization import fast_pnn
from latviz.core.inference.beliefs import STRENGTHS
from latviz.core.inference.fitting import Fit, fit
from latviz.core.inference.laws import any_law_of, of_shortest_law
from latviz.core.model.indices import count
from latviz.core.model.learning import codebook_of, middle_of_values
from latviz.core.progress import Progress, shares, stop_if_cancelled
from latviz.core.types import Floats, Matrix, Signature, States
from latviz.core.windows.decoding import decode_each
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.stratified import SAMPLE_EXACT, spread_over_known

WINDOWS = (1, 2, 4, 8, 16)
"""Half-widths in images: each chain starts from one."""
KEPT = (8, 2, False), (3, 6, True), (1, MOST, True)
"""Starts to keep, by bits, and their rounds, in which strengths are sought or not."""
ROOM = 1 << 21
"""Sampled nodes times tuples, at most: the messages of all starts are in memory."""
Windows = tuple[int, ...]


@dataclass(frozen=True)
class Start:
    """Windows to start from, and the fit so far."""

    fit: Fit
    windows: Windows

    def further(
        self, data: DataSet, rounds: int, searching: bool, part: Progress | None
    ) -> "Start":
        """Return it after some more rounds."""
        law = self.fit.emission
        if self.fit.fields:  # beliefs tell if normal densities suffice
            law = of_shortest_law(law, [one.beliefs() for one in self.fit.fields], data)
        found = fit(
            law,
            data,
            most=rounds,
            attraction=self.fit.attraction,
            searching=searching,
            fields=self.fit.fields,
            progress=part,
        )
        return Start(found, self.windows)


def alike(n_states: Sequence[int]) -> Floats:
    """Return for each chain which tuples have one state of it, (k, N, N) of 0 and 1."""
    each = np.indices(tuple(n_states)).reshape(len(n_states), -1)
    return np.asarray(each[:, :, None] == each[:, None, :], dtype=np.float64)


def fitted(
    data: DataSet, n_states: Sequence[int], windows: Windows | None, progress: Progress | None
) -> tuple[Fit, CodeLength, Windows]:
    """Return the fit of tuples, the bits of hidden nodes, and the windows it started from."""
    # Windows give tuples to start from. Belief finds the emission of each tuple and the strength of
    # each chain, as `refine` does with one chain; the worst starts are given up along the way
    *parts, last = shares(progress, [1, 1, 1, 2])
    some = data.spread(min(SAMPLE, ROOM // math.prod(n_states)))
    tried = [*_starts(some, n_states, windows, progress)]
    for (n_kept, rounds, searching), part in zip(KEPT, parts, strict=True):
        tasks = [partial(one.further, some, rounds, searching) for one in tried]
        tried = threads.all_of(tasks, part)
        tried = sorted(tried, key=lambda one: one.fit.bits)[:n_kept]
    return *finished(tried[0].fit, data, last), tried[0].windows


def _starts(
    data: DataSet, n_states: Sequence[int], windows: Windows | None, progress: Progress | None
) -> Iterator[Start]:
    """Yield tuples by windows: chains apart from each other, and each within those before it."""
    decodings, parts = _Decodings(data), alike(n_states)
    ladder = windows_of(WINDOWS, data.dimensions)
    each = [windows] if windows else combinations(ladder[::-1], len(n_states))
    for one in each:
        for nested in (False, True)[: len(n_states)]:
            stop_if_cancelled(progress)
            maps = decodings.of_tuples(n_states, one, nested)
            law = any_law_of(data, maps, math.prod(n_states))
            chains = zip(*(split(states, n_states) for states in maps), strict=True)
            strengths = [*map(_strength, chains, n_states)]
            attraction = np.reshape(strengths, (-1, 1, 1)) * parts
            yield Start(Fit(law, attraction, 1.0, math.nan, []), one)


def _strength(maps: Sequence[States], n_states: int) -> float:
    """Return the strength that the neighbours in maps of a chain suggest, in nats."""
    # The log of the odds that they are alike, by those of chance, over d: along loops evidence
    # comes more than once, so that in images about half of it is right
    pairs, _ = count(maps, n_states)
    same, other = np.trace(pairs) + HALF, pairs.sum() - np.trace(pairs) + HALF
    return max(STRENGTHS[0], math.log(same * (n_states - 1) / other) / maps[0].ndim)


class _Decodings:
    """Decodings of a data set by windows, with codebooks of a sample of its signatures."""

    def __init__(self, data: DataSet) -> None:
        self._data, self._nodes = data, spread_over_known(data.lattices)
        self._origin = middle_of_values(data.lattices) if data.kind == "gaussian" else None
        self._alone: dict[tuple[int, int], list[States]] = {}
        self._rows: dict[int, list[Signature]] = {}

    def of_tuples(self, n_states: Sequence[int], windows: Windows, nested: bool) -> list[States]:
        """Return tuples by windows, each with one codebook, or one for each state before it."""
        (first, *others), (window, *more) = n_states, windows
        maps, n_before = self._of(first, window), first
        for size, one in zip(others, more, strict=True):
            last = self._within(maps, n_before, size, one) if nested else self._of(size, one)
            maps = [joined(a, b, size) for a, b in zip(maps, last, strict=True)]
            n_before *= size
        return maps

    def _of(self, size: int, window: int) -> list[States]:
        """Return the states of windows by a codebook of their signatures."""
        if (size, window) not in self._alone:
            book = self._codebook(window, size, None)
            self._alone[size, window] = decode_each(self._data, book, window)
        return self._alone[size, window]

    def _within(self, before: list[States], n_before: int, size: int, window: int) -> list[States]:
        """Return states by codebooks of the signatures of nodes in each state before."""
        last = [one.copy() for one in before]
        for j in range(n_before):
            book = self._codebook(window, size, [one == j for one in before])
            for out, own, maps in zip(
                last, before, decode_each(self._data, book, window), strict=True
            ):
                out[own == j] = maps[own == j]
        return last

    def _codebook(self, window: int, size: int, among: list[NDArray[np.bool_]] | None) -> Matrix:
        """Return the codebook of sampled signatures, of some nodes or of all."""
        rows = self._signatures(window)
        if among is not None:
            rows = [
                one[some[nodes]] for one, some, nodes in zip(rows, among, self._nodes, strict=True)
            ]
        points = np.concatenate(rows)
        if not len(points):
            return np.zeros((size, self._data.n_symbols))
        tree = fast_pnn(points, n_exact=SAMPLE_EXACT)
        return codebook_of(tree if self._origin is None else tree.moved(self._origin), size)

    def _signatures(self, window: int) -> list[Signature]:
        if window not in self._rows:
            self._rows[window] = [
                totals_at(one, self._data.n_symbols, window, nodes).signatures(self._origin)
                for one, nodes in zip(self._data.lattices, self._nodes, strict=True)
            ]
        return self._rows[window]


def joined(first: States, last: States, size: int) -> States:
    """Return the numbers of tuples that end in one of ``size`` states, uint8; 255 of unknown."""
    tuples = (first.astype(np.int64) * size + last).astype(np.uint8)
    return hide(tuples, first != UNKNOWN)


def split(states: States, sizes: Sequence[int]) -> States:
    """Return the states of chains of these sizes, (k, *shape); 255 where a tuple is unknown."""
    known = mask_in(states)
    tuples = states if known is None else np.where(known, states, 0)
    each = np.stack(np.unravel_index(tuples, tuple(sizes))).astype(np.uint8)
    return each if known is None else hide(each, np.broadcast_to(known, each.shape))
