"""Slots, which number and colour states: those of a merge tree, and those that follow others."""

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.masks import in_both

FIRST = 4
"""Rows that are numbered together: the usual N."""
N_SLOTS = 32
"""Slots of different colours, as many as there can be states."""
_DEEP = 8
"""The first slot for rows that only cuts by hand have."""


def is_rising(two: NDArray[np.float64], discrete: bool) -> bool:
    """Return True unless the second of two states is the darker one.

    That is the one of the lower mean symbol (discrete) or first coordinate.
    """
    key = two @ np.arange(two.shape[1]) if discrete else two[:, 0]
    return len(key) < 2 or bool(key[0] <= key[1])


def first_slots(n: int, rises: bool) -> tuple[int, ...]:
    """Return the slots of the first n rows of a tree: k for row k, but the darker of two first."""
    return tuple(range(n)) if rises else (1, 0, *range(2, n))


def first_slots_like(
    old: NDArray[np.int64], new: NDArray[np.int64], n: int, rises: bool
) -> tuple[int, ...]:
    """Return the slots of the first n rows of a tree that most nodes have already.

    ``old`` are the slots of some nodes, ``new`` their rows; the darker of two states stays first.
    """
    joint = np.bincount(old * n + new, minlength=FIRST * n).reshape(FIRST, n)
    orders = (p for p in permutations(range(FIRST), n) if n < 2 or (p[0] < p[1]) == rises)
    return max(orders, key=lambda order: int(joint[list(order), range(n)].sum()))


def matched_slots(
    old_states: NDArray[Any], old_slots: tuple[int, ...], new_states: NDArray[Any], n_new: int
) -> list[int]:
    """Give each new state the slot of an old one so that most nodes keep their slot."""
    # Both are states of the same nodes. New states that are left over take the smallest free slots
    n_old, both = len(old_slots), in_both(old_states, new_states)
    old_states, new_states = old_states[both], new_states[both]
    joint = np.bincount(
        old_states.astype(np.int64) * n_new + new_states, minlength=n_old * n_new
    ).reshape(n_old, n_new)
    return slots_by_overlap(joint, old_slots)


def slots_by_overlap(joint: NDArray[np.int64], old_slots: tuple[int, ...]) -> list[int]:
    """Give each new state the slot of an old one, as `matched_slots` does.

    ``joint`` counts nodes by their old and their new state, shape (n_old, n_new).
    """
    rows, columns = scipy.optimize.linear_sum_assignment(joint, maximize=True)
    slot_of = {int(new): old_slots[old] for old, new in zip(rows, columns, strict=True)}
    return extended([slot_of.get(state) for state in range(joint.shape[1])])


def slots_of_rows(known: Mapping[int, int], rows: Iterable[int]) -> dict[int, int]:
    """Return the slots of rows of a tree, all different: the known ones, or those of a number."""
    # Row k has slot k in every straight cut, so that N changes neither number nor colour. The rows
    # that only cuts by hand have are spread over the less used colours, so that another such row
    # rarely moves them. A slot that is taken is replaced by the next free one
    slots: dict[int, int] = {}
    for row in sorted(rows, key=lambda row: row not in known):
        slot = known.get(row, row if row < N_SLOTS else _DEEP + row % (N_SLOTS - _DEEP))
        others = (k % N_SLOTS for k in range(slot, slot + N_SLOTS))
        slots[row] = next(k for k in (slot, *others) if k not in slots.values())
    return slots


def moved(slot: int, to: Mapping[int, int]) -> int:
    """Return where a slot moves if some move, each to another place; no two meet."""
    if slot in to:
        return to[slot]
    back = {new: old for old, new in to.items()}
    while slot in back:
        slot = back[slot]
    return slot


def extended(slots: list[int | None]) -> list[int]:
    """Fill in the smallest free slot for each None, in order."""
    taken = {slot for slot in slots if slot is not None}
    filled = []
    for slot in slots:
        if slot is None:
            slot = next(k for k in range(len(taken) + 1) if k not in taken)
            taken.add(slot)
        filled.append(slot)
    return filled


def nearest(signatures: NDArray[Any], codebook: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the states of signatures, shape (n, M): the codewords that are nearest to each."""
    distances = codebook @ signatures.T  # a row a codeword: rows are compared many at a time
    distances *= -2
    distances += (codebook**2).sum(axis=1)[:, None]
    return np.asarray(distances.argmin(axis=0))
