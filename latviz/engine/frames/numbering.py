"""The slots of states: those of their merge tree, or of the frame before while a hand moves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.merge_tree import MergeTree
from latviz.engine.frames.frame import Request
from latviz.engine.geometry.slots import matched_slots, nearest, slots_of_rows

Sample = Callable[[], tuple[Any, NDArray[Any]]]
"""Returns nodes, axis by axis, and their signatures."""


@dataclass(frozen=True)
class Numbering:
    """The slots of the rows of a codebook."""

    slots: tuple[int, ...]
    known: Mapping[int, int]  # of rows in any cut; all others follow by `slots_of_rows`
    settled: bool  # they are those of the merge tree
    moves: Mapping[int, int]  # from the slots that the request speaks of to these


def numbered(
    request: Request, rows: tuple[int, ...], first: tuple[int, ...], followed: Mapping[int, int]
) -> Numbering:
    """Return the slots of rows: those of the tree, unless a hand moves."""
    # ``rows`` are those of straight codebooks, by which a cluster is known in every cut; ``first``
    # the slots of the first rows of the tree; ``followed`` those that the request speaks of, empty
    # if they are the tree's
    own = dict(enumerate(first))
    now = slots_of_rows(own, rows)
    before = slots_of_rows(followed, rows) if followed else now
    settled = before == now or not request.passing
    slots = now if settled else before
    return Numbering(
        tuple(slots[row] for row in rows),
        own if settled else {**followed, **before},
        settled,
        {before[row]: slots[row] for row in rows},
    )


def followed_rows(
    request: Request,
    tree: MergeTree,
    n_learned: int,
    rows: tuple[int, ...],
    codebook: NDArray[np.float64],
    sample: Sample,
) -> dict[int, int]:
    """Return the slots of rows that a request speaks of; nothing if they are those of the tree."""
    # ``sample`` is called if they are those of states of another tree: rows take the slots of the
    # states that they overlap most
    known, before = request.coloring, request.follows
    if known is not None:
        return dict(zip(rows, known.slots, strict=False)) if known.n_learned == n_learned else {}
    if before is None:
        return {}
    if before.cut is not None and before.cut.hierarchy.tree is tree:
        return dict(before.tree_slots)
    one, other = before.request.picture, request.picture
    if (one.whole or one).pixels is not (other.whole or other).pixels:
        return {}
    nodes, signatures = sample()
    states = nearest(signatures, codebook)
    slots = matched_slots(before.states_at(*nodes), before.slots, states, len(codebook))
    return dict(zip(rows, slots, strict=True))
