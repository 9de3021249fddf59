"""The trade-off of N and w, computed one window at a time in idle time."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN
from latviz.core.choice.choosing import START, BestWindow, best_window
from latviz.core.choice.codebook_window import learned_codebook
from latviz.core.choice.settings import Decoded, Setting, length_of_one_state
from latviz.core.data.cutting import TreeCut
from latviz.core.data.data_set import as_data_set
from latviz.core.data.lattice import each_of
from latviz.core.data.masks import Mask
from latviz.core.data.merge_tree import Codewords
from latviz.core.progress import Progress
from latviz.core.types import States
from latviz.core.windows.leave_one_out import apart
from latviz.engine.choosing.scales import scale_choice
from latviz.engine.choosing.scaling import scales_of
from latviz.engine.choosing.tradeoff import (
    SMALL,
    STATES,
    Basis,
    Map,
    Place,
    TradeOff,
    compared_windows,
    shrunk,
)
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Scope
from latviz.engine.geometry.slots import slots_of_rows
from latviz.engine.pictures.data_sets import part_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.truth import NO_SLOT


def kernels_of(picture: Picture) -> tuple[str, ...]:
    """Return the parts of kernels for trade-offs and code lengths of a picture."""
    return ("sweeping", "sweeping volumes")[: 1 + (picture.dimensions == 3)]


class Sweeping:
    """Computes trade-offs; remembers that of the last codebooks.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._sweep: _Sweep | None = None

    def next(self, frame: Frame, progress: Progress | None) -> TradeOff | None:
        """Evaluate one more window, small ones first; return None if all is there."""
        # Results before `Cancelled` stay
        sweep = self._sweep_of(frame)
        if not sweep.step(frame, progress):
            return None
        return sweep.result(frame)

    def known(self, frame: Frame) -> TradeOff:
        """Return the results so far."""
        return self._sweep_of(frame).result(frame)

    def is_flat(self, frame: Frame) -> bool:
        """Return True if all observations of the evaluated part are equal."""
        return self._sweep_of(frame).is_flat

    def best(self, frame: Frame, n_states: int, progress: Progress | None = None) -> BestWindow:
        """Return the w and w_l that predict left-out observations of a frame best, for an N."""
        windows = compared_windows(frame.request.picture)[1:]
        return best_window(self._sweep_of(frame).data, n_states, windows, progress)

    def scale(
        self, frame: Frame, n_states: int, progress: Progress | None = None
    ) -> tuple[int, str, str] | None:
        """Return the w of a plateau, and why, where no w predicts best; None if there is none."""
        sweep = self._sweep_of(frame)
        if not sweep.scope.whole:
            return None
        codebook = learned_codebook(sweep.data, START[1], n_states, progress)
        return scale_choice(scales_of(frame, codebook, progress), START[1])

    def _sweep_of(self, frame: Frame) -> "_Sweep":
        if self._sweep is None or self._sweep.basis != Basis.of(frame):
            self._sweep = None  # its memory is free before the next one takes some
            self._sweep = _Sweep(frame)
        return self._sweep


def _masks(scope: Scope, n_lattices: int) -> list[Mask]:
    """Return which nodes of each evaluated lattice are known."""
    pictures = scope.pictures.everything
    if all(one.known is None for one in pictures):
        return [None] * n_lattices

    def known(k: int) -> NDArray[np.bool_]:
        mask = pictures[k].known
        return np.ones(pictures[k].shape, bool) if mask is None else mask

    return [*scope.lattices(known)]


class _Sweep:
    """Results with the codebooks of one tree."""

    def __init__(self, frame: Frame) -> None:
        self.basis, observations = Basis.of(frame), frame.observations
        self.scope = self.basis.scope
        self.windows = compared_windows(self.scope.picture)
        self.cell = max(1, -(-max(self.scope.shape) // SMALL))
        kind = "discrete" if observations.discrete else "gaussian"
        values = self.scope.lattices(lambda k: frame.everything_observed[k].values)
        data = as_data_set(values, kind=kind, n_symbols=observations.n_symbols).under(
            _masks(self.scope, len(values))
        )
        self.data = data.spaced(frame.request.spacing)
        width = 1 if observations.discrete else values[0].shape[-1]
        nodes = [one.reshape(-1, width) for one in values]
        self.is_flat = all((one == nodes[0][0]).all() for one in nodes)
        n_shown = len(self.scope.cut(frame.observations.values))
        self.shown, has_other = slice(n_shown), frame.other is not None
        self.learned = slice(n_shown if has_other else 0, None)
        self.one = length_of_one_state(part_of(self.data, self.shown)).bits
        self.truth = self._truth()
        self.settings: dict[Place, Setting] = {}
        self.maps: dict[Place, Map] = {}
        self.last: dict[tuple[int, ...], Decoded] = {}

    def _truth(self) -> list[States] | None:
        """Return the true states of the evaluated part; None if unknown."""
        known = self.scope.picture.truth
        if known is None:
            return None
        mask = self.scope.picture.known
        found = self.scope.cut(known if mask is None else np.where(mask, known, np.uint8(UNKNOWN)))
        return None if all((one == UNKNOWN).all() for one in found) else found

    def result(self, frame: Frame) -> TradeOff:
        """Return the results so far, for a frame."""
        n, w = frame.request.parameters.n_states, frame.request.parameters.window
        usual = STATES if self.basis.given is None else (n,)
        return TradeOff(
            self.basis,
            self.cell,
            dict(self.settings),
            dict(self.maps),
            tuple(sorted({*usual, n, *(n for n, _ in self.settings)})),
            tuple(sorted({*self.windows, w, *(w for _, w in self.settings)})),
            self.one,
        )

    def step(self, frame: Frame, progress: Progress | None) -> bool:
        """Compute one window for some N; return False if all are done."""
        n, w = frame.request.parameters.n_states, frame.request.parameters.window
        usual = [STATES] if self.basis.given is None else []
        own = [] if usual and n in STATES else [(n,)]
        for sizes in (*own, *usual):
            for window in (*self.windows, w):
                if (sizes[0], window) not in self.settings:
                    self._add(sizes, window, frame, progress)
                    return True
        return False

    def _add(
        self, sizes: tuple[int, ...], window: int, frame: Frame, progress: Progress | None
    ) -> None:
        """Compute a window; it is kept whole or not at all."""
        codewords, slots = self._codebooks(sizes, frame)
        further = each_of(self.basis.fit.window)[1:]
        before = self.last.get(sizes)
        if before is not None and before.window != window - 1:
            before = None
        (decoded,) = Decoded.by_each(
            self.data,
            codewords,
            list(sizes),
            [(window, *further) if further else window],
            progress,
            before=before,
            fit=self.basis.fit,
            learned=self.learned,
            shown=self.shown,
        )
        found = decoded.settings(before, self.truth, progress)
        self.last[sizes] = decoded
        for s, (n, setting) in enumerate(zip(sizes, found, strict=True)):
            if self.basis.given is not None:  # it has its own A, which is not counted
                setting = replace(setting, associativity=frame.associativity)
            self.settings[n, window] = setting
            if self.scope.whole:
                self._draw((n, window), decoded, s, slots[s])

    def _draw(self, place: Place, decoded: Decoded, s: int, slots: tuple[int, ...]) -> None:
        """Keep a small map."""
        states = self.scope.seen(decoded.plain(s))
        named = np.full(UNKNOWN + 1, NO_SLOT, np.uint8)
        named[: len(slots)] = slots
        self.maps[place] = named[shrunk(states, self.cell)]

    def _codebooks(
        self, sizes: tuple[int, ...], frame: Frame
    ) -> tuple[Codewords, list[tuple[int, ...]]]:
        """Return the codebooks of some N, and the slots of their states, in increasing order."""
        if self.basis.given is not None:
            return apart([self.basis.given.model.codewords]), [frame.slots]
        hierarchy, clusters, slots = self.basis.hierarchy, [], []
        for n in sizes:
            cut = TreeCut.of(hierarchy, min(n, hierarchy.n_leaves), self.basis.hand_cut)
            n_repeats = n - cut.clusters.size  # of the first, which no node takes
            rows = [*cut.rows.tolist(), *range(hierarchy.n_leaves, hierarchy.n_leaves + n_repeats)]
            known = slots_of_rows(dict(frame.tree_slots), rows)
            own = [known[row] for row in rows]
            some = np.append(cut.clusters, np.repeat(cut.clusters[:1], n_repeats))
            clusters.append(some[np.argsort(own)])
            slots.append(tuple(sorted(own)))
        every = np.unique(np.concatenate(clusters))
        members = tuple(np.searchsorted(every, some) for some in clusters)
        return Codewords(hierarchy.tree.codewords(every), members), slots
