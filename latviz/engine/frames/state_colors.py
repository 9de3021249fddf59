"""Colours of states, which follow those on screen before: the only part with a history."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import States
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.geometry.slots import matched_slots, nearest, slots_of_rows


def initial_slots(codebook: NDArray[np.float64], discrete: bool) -> list[int]:
    """Return the rank of each state by mean symbol (discrete) or first coordinate, from 0."""
    key = codebook @ np.arange(codebook.shape[1]) if discrete else codebook[:, 0]
    order = np.argsort(key, kind="stable")
    slots = np.empty(len(order), dtype=np.int64)
    slots[order] = np.arange(len(order))
    return [int(slot) for slot in slots]


N_SLOTS = 256

Sample = Callable[[], tuple[Any, NDArray[np.float32]]]
"""Returns nodes, axis by axis, and their signatures."""


class StateColors:
    """Gives each row of a merge tree's codebook a slot, an index into the palette."""

    # Along one tree rows keep their slots, for any cut. When the tree changes, its rows take the
    # slots of the states of the last frame that they overlap most, if that is of the same picture;
    # or those of the request's coloring, if it is of this tree

    def __init__(self) -> None:
        self._slots: dict[int, int] = {}
        self._tree: Hashable = None
        self._last: Frame | None = None

    def take(self, frame: Frame) -> None:
        """Take the frame that will be on screen, which the colours of the next one follow."""
        self._last = frame

    def shows(self, states: States) -> bool:
        """Return True if states are those of the last frame, not only equal to them."""
        return self._last is not None and self._last.states is states

    @property
    def of_rows(self) -> tuple[tuple[int, int], ...]:
        """The rows of the present tree that have slots, each with its own."""
        return tuple(self._slots.items())

    def slots(
        self,
        request: Request,
        tree: Hashable,
        n_learned: int,
        rows: tuple[int, ...],
        codebook: NDArray[np.float64],
        sample: Sample,
    ) -> tuple[int, ...]:
        """Return the slot of each row of a codebook."""
        # ``tree`` identifies the merge tree; ``sample`` is called if it is new. ``rows`` are those
        # of straight codebooks, by which the same cluster is known in every cut
        if self._tree != tree:
            known = request.coloring
            if known is not None and known.n_learned == n_learned:
                slots = list(known.slots)
            else:
                slots = self._first_slots(request, codebook, sample)
            self._slots = dict(zip(rows, slots, strict=False))
            self._tree = tree
        self._add(rows)
        return tuple(self._slots[row] for row in rows)

    def _add(self, rows: tuple[int, ...]) -> None:
        """Give the smallest free slots to rows that have none; if none is, others lose theirs."""
        n_missing = sum(row not in self._slots for row in rows)
        if n_missing and len(self._slots) + n_missing > N_SLOTS:
            self._slots = {row: self._slots[row] for row in rows if row in self._slots}
        self._slots = slots_of_rows(self._slots, rows)

    def _first_slots(
        self, request: Request, codebook: NDArray[np.float64], sample: Sample
    ) -> list[int]:
        last = self._last
        if last is None or last.request.picture is not request.picture:
            return initial_slots(codebook, request.parameters.encoding.discrete)
        nodes, signatures = sample()
        states = nearest(signatures, codebook)
        return matched_slots(last.states_at(*nodes), last.slots, states, len(codebook))
