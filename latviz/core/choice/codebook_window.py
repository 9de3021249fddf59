"""Choosing w_l, the window that the codebook is learned with."""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np

from latviz.core import threads
from latviz.core.choice.code_length import Emitted
from latviz.core.choice.growing import SEEN
from latviz.core.data.data_set import DataSet
from latviz.core.model.learning import codebook_of, learn_tree
from latviz.core.progress import Progress, shares
from latviz.core.types import Matrix
from latviz.core.windows.leave_one_out import decode_without

BEST = 3
"""Windows of large data sets that are compared once more, by codebooks of all nodes."""
STEP = 1.5
"""The least ratio of a w_l that is tried to the one before."""


def codebook_window(
    data: DataSet, windows: Sequence[int], n_states: int, progress: Progress | None = None
) -> tuple[int, Matrix]:
    """Return the w_l whose codebook predicts left-out nodes best, and that codebook (N, M)."""
    # Fast PNN seeks the codebook of least squared error. So codebooks are compared by the squared
    # distance of observations to the mean of their state, each node decoded from its window without
    # it, with the w that suits the codebook. The code length, in which each state has its own
    # covariance, is also short for some codebooks of wrong states. Successive w_l grow by half at
    # least (STEP). Two codebooks of one window, learned from different nodes, can differ more than
    # those of two windows, so for large data sets the best few (BEST) are learned from all nodes
    # and compared again
    few, tried, books = data.middle(SEEN), _spaced(windows), dict[int, Matrix]()
    rounds = [(few, len(tried)), *([(data, BEST)] if few.n_nodes < data.n_nodes else [])]
    for (part, most), share in zip(rounds, shares(progress, [1.0] * len(rounds)), strict=True):
        learning, measuring = shares(share, [1.0, 1.0])
        tasks = [partial(learned_codebook, part, w_l, n_states) for w_l in tried[:most]]
        found = threads.all_of(tasks, learning, most=threads.side_by_side(part.n_nodes))
        books = dict(zip(tried, found, strict=False))
        errors = _least_errors(few, list(books.values()), windows, measuring)
        tried = [w_l for _, w_l in sorted(zip(errors, books, strict=True))]
    return tried[0], books[tried[0]]


def learned_codebook(
    data: DataSet, w_l: int, n_states: int, progress: Progress | None = None
) -> Matrix:
    """Return the codebook of the signatures of all nodes, as `fit` learns it."""
    return codebook_of(learn_tree(data.lattices, data.n_symbols, w_l, progress), n_states)


def left_out(data: DataSet, codebook: Matrix, window: int) -> Emitted:
    """Return the emissions of nodes in the states of their windows without them."""
    states = [decode_without(lattice, codebook, window) for lattice in data.lattices]
    return Emitted.of(data.lattices, states, len(codebook), data.n_symbols)


def _spaced(windows: Sequence[int]) -> list[int]:
    """Return the windows that are at least `STEP` times the last one that is returned."""
    kept = [windows[0]]
    for window in windows[1:]:
        if window >= STEP * kept[-1]:
            kept.append(window)
    return kept


def _least_errors(
    data: DataSet, books: Sequence[Matrix], windows: Sequence[int], progress: Progress | None
) -> list[float]:
    """Return the squared error of left-out nodes with the window that suits each codebook."""

    def error(codebook: Matrix, window: int, _part: Progress | None) -> float:
        return left_out(data, codebook, window).squared_error()

    tasks = [partial(error, *both) for both in product(books, windows)]
    errors = threads.all_of(tasks, progress, most=threads.side_by_side(data.n_nodes))
    return list(np.reshape(errors, (len(books), -1)).min(axis=1))
