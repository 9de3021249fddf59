"""Slots, which keep the colours of states from one decoding to another."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray


def matched_slots(
    old_states: NDArray[Any], old_slots: tuple[int, ...], new_states: NDArray[Any], n_new: int
) -> list[int]:
    """Give each new state the slot of an old one so that most nodes keep their slot."""
    # Both are states of the same nodes. New states that are left over take the smallest free slots
    n_old = len(old_slots)
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
    """Return the slots of rows of a tree; rows without one take the smallest free ones."""
    missing = [row for row in rows if row not in known]
    slots = extended([*known.values(), *[None] * len(missing)])
    return {**known, **dict(zip(missing, slots[len(known) :], strict=True))}


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
