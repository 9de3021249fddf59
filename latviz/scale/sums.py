"""What is one number, or a few: counts, indices, log-likelihoods, code lengths."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import check_number, check_states, check_window
from latviz.core.choice.code_length import CodeLength, Emitted
from latviz.core.data.fixed_point import fixed_within
from latviz.core.data.lattice import frozen, n_pairs
from latviz.core.errors import ParameterError
from latviz.core.model import evaluation, indices
from latviz.core.model.models import Model
from latviz.core.model.terms import terms_of_part
from latviz.core.types import Counts, Region, Shape, States
from latviz.core.windows.leave_one_out import decode_without
from latviz.core.windows.parts import bands
from latviz.scale.blocks import map_chunks
from latviz.scale.chunked import Ends, as_dask, lattice_of
from latviz.scale.maps import decode, of_model

BAND = 1 << 18
"""Nodes whose terms are held at a time."""
BLOCKS = 1 << 22
"""Numbers that are kept of all chunks, each a block of its own; of more, all are one block."""


def pair_counts(states: Any, n_states: int) -> Counts:
    """Return A', the ordered pairs (t, r in R(t)) by their states, shape (N, N), int64.

    Pairs across the borders of chunks are counted, each once; none reaches from one lattice into
    another. It is `core.pair_counts` of the whole arrays.

    Parameters
    ----------
    states : dask array of int, shape (*shape), or a list or tuple of them
        States 0..N-1.
    n_states : int
        N, from 1 to 255.

    Returns
    -------
    ndarray, shape (N, N), int64

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    """
    return count(states, n_states)[0]


def count(states: Any, n_states: int) -> tuple[Counts, Counts]:
    """Return A' and the number of nodes in each state, shapes (N, N) and (N,), in one run.

    Arguments and errors are those of `pair_counts`.
    """
    pairs, occupancy, _ = count_with(_maps(states), n_states, [])
    return pairs, occupancy


def count_with(
    maps: Sequence[da.Array], n_states: int, more: Sequence[da.Array]
) -> tuple[Counts, Counts, Any]:
    """Return what `count` does, and the sum over all chunks of other arrays, in the same run."""
    check_states(n_states)
    found = [
        map_chunks(_count, [one], one.ndim, [1], np.int64, (n_states + 1, n_states), n=n_states)
        for one in maps
    ]
    counts, others = dask.compute(
        [_over_chunks(one, 2) for one in found], [_over_chunks(one, 3) for one in more]
    )
    total = np.sum(counts, axis=0)
    return total[:-1], total[-1], np.sum(others, axis=0)


def inertia(states: Any, n_states: int, window: int) -> float:
    """Return the mean over nodes of sqrt(sum_j p_j^2), p_j the window's share of state j (1.5).

    Parameters
    ----------
    states : dask array of int, shape (*shape), or a list or tuple of them
        States 0..N-1. The mean is over all nodes of a data set.
    n_states : int
        N, from 1 to 255.
    window : int
        Half-width w >= 0.

    Returns
    -------
    float
        From 1/sqrt(N) to 1: `core.inertia` of the whole arrays, but for rounding (1e-7 of it).

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    """
    check_states(n_states), check_window(window)
    maps = _maps(states)
    found = [
        map_chunks(_inertia, [one], one.ndim, [window], np.float64, (), n=n_states, window=window)
        for one in maps
    ]
    sums = dask.compute(*(one.sum() for one in found))
    return float(np.sum(sums)) / int(sum(one.size for one in maps))


@dataclass(frozen=True, eq=False)
class Evaluated(evaluation.Score):
    """The log-likelihood of arrays in chunks: the terms that `core`'s `Evaluation` has, summed up.

    Attributes
    ----------
    data_term, plain_pair_term : float
        In nats; the latter under alpha = 1.
    n_impossible : int
        Nodes of probability 0.
    shapes : tuple of tuples of int
        Of the lattices.
    alpha : float
        The Markov correction, above 0 and at most 1.
    """

    data_term: float
    plain_pair_term: float
    n_impossible: int
    shapes: tuple[Shape, ...]
    alpha: float

    @property
    def n_nodes(self) -> int:
        """The number of nodes of all lattices."""
        return int(sum(np.prod(shape, dtype=object) for shape in self.shapes))

    @cached_property
    def pair_term(self) -> float:
        """The sum of the pair terms under alpha, in nats."""
        pairs = sum(map(n_pairs, self.shapes))
        return self.plain_pair_term + pairs * float(np.log(self.alpha))

    def under(self, alpha: float) -> "Evaluated":
        """Return the evaluation under another alpha, which costs nothing.

        Parameters
        ----------
        alpha : float
            Above 0 and at most 1.

        Returns
        -------
        Evaluated

        Raises
        ------
        ParameterError
            If it is none.
        """
        return replace(self, alpha=check_number("alpha", alpha, 0.0, 1.0, above=True))


def evaluate(
    observations: Any,
    model: Model,
    window: int | None = None,
    *,
    states: Any = None,
    alpha: float = 1.0,
    normalizer: evaluation.Normalizer = "neighbours",
) -> Evaluated:
    """Return log P of observations in chunks (Algorithms 1 and 5), summed over all of them.

    Parameters
    ----------
    observations : dask array, a list or tuple of them, or Chunked
        Symbols 0..M-1, or vectors (*shape, M).
    model : DiscreteModel or GaussianModel
    window : int, optional
        Half-width w_e >= 0 of the decoding that is evaluated; the model's own by default.
    states : dask array, or a list or tuple of them, optional
        The decoding, if it is there already.
    alpha : float, optional
        The Markov correction, above 0 and at most 1.
    normalizer : {"neighbours", "states"}, optional
        As for the model's `evaluate`.

    Returns
    -------
    Evaluated
        Its terms are those of the model's `evaluate` of the whole arrays but for rounding: to some
        1e-12 of the sum of the terms' sizes.

    Raises
    ------
    ParameterError
        If an argument is outside its range, or the arrays do not suit the model.
    """
    evaluation.check_normalizer(normalizer)
    check_number("alpha", alpha, 0.0, 1.0, above=True)
    data = of_model(observations, model)
    maps = _maps(decode(data, model, window) if states is None else states)
    if [tuple(one.shape) for one in maps] != data.shapes:
        raise ParameterError(
            f"states must have the shapes {data.shapes}, got {[one.shape for one in maps]}"
        )
    found = [
        map_chunks(
            _terms, [q, one], data.dimensions, [1, 0], np.float64, (3,),
            model=model, normalizer=normalizer,
        )
        for q, one in zip(maps, data.arrays, strict=True)
    ]  # fmt: skip
    sums = np.sum(dask.compute(*(_over_chunks(one, 1) for one in found)), axis=0)
    terms = float(sums[0]), float(sums[1]), int(sums[2])
    return Evaluated(*terms, tuple(data.shapes), float(alpha))


def code_length(observations: Any, model: Model, window: int | None = None) -> CodeLength:
    """Return the leave-one-out predictive code length of a model's codebook, in bits a node.

    Each node is decoded from its window without itself, and its observation is charged to the
    state that it gets, with emissions estimated anew from these states: see
    `core.choice.code_length`. A chunk is a spatial block, by which the standard error is told.

    Parameters
    ----------
    observations : dask array, a list or tuple of them, or Chunked
        Symbols 0..M-1, or vectors (*shape, M).
    model : DiscreteModel or GaussianModel
    window : int, optional
        Half-width w >= 0; the model's own by default.

    Returns
    -------
    CodeLength
        Its bits are those of the whole arrays; of vectors but for rounding, to some 1e-9.

    Raises
    ------
    ParameterError
        If an argument is outside its range, or the arrays do not suit the model.
    """
    data = of_model(observations, model)
    chosen = model.one_window(window)
    n_states, size = model.n_states, data.n_symbols
    tail = (n_states, size) if data.kind == "discrete" else (n_states, size + 1, size + 1)
    found = [
        map_chunks(
            _emitted, [one], data.dimensions, [chosen], np.float64, tail,
            **data.context(k), window=chosen, codebook=model.codebook, origin=data.origin,
        )
        for k, one in enumerate(data.arrays)
    ]  # fmt: skip
    is_much = data.n_chunks * int(np.prod(tail)) > BLOCKS
    each = [_over_chunks(one, len(tail)) if is_much else one for one in found]
    parts = np.concatenate([one.reshape(-1, *tail) for one in dask.compute(*each)])
    if is_much:
        parts = parts.sum(axis=0, keepdims=True)
    if data.kind == "discrete":
        return Emitted.joined(parts.astype(np.int64), None, None).code_length()
    corner = np.zeros((1, size), dtype=data.arrays[0].dtype)
    steps = np.max([fixed_within(corner, *ends).scales for ends in data.ends], axis=0)
    return Emitted.joined(parts, steps, data.origin).code_length()


def _maps(states: Any) -> list[da.Array]:
    return [as_dask(one) for one in (states if isinstance(states, list | tuple) else [states])]


def _over_chunks(array: da.Array, n_kept: int) -> da.Array:
    """Return the sum over all axes but the last ones."""
    return array.sum(axis=tuple(range(array.ndim - n_kept)))


def _count(states: States, region: Region, *, n: int) -> Counts:
    """Return A' (N, N) of a chunk and of the pairs with the chunks that follow; and the states."""
    inner = states[region]
    pairs, occupancy = indices.count(inner, n)
    for axis, (own, length) in enumerate(zip(region, states.shape, strict=True)):
        if own.stop < length:
            both = (*region[:axis], slice(own.stop - 1, own.stop + 1), *region[axis + 1 :])
            pairs = pairs + _across(states[both], axis, n)
    return np.append(pairs, occupancy[None], axis=0)


def _across(states: States, axis: int, n: int) -> Counts:
    """Return A' of the pairs along an axis of two nodes."""
    one, other = (states.take(k, axis=axis).reshape(-1).astype(np.int64) for k in (0, 1))
    found = np.bincount(n * one + other, minlength=n * n).reshape(n, n)
    return found + found.T


def _inertia(states: States, region: Region, *, n: int, window: int) -> NDArray[np.float64]:
    norms: NDArray[np.float32] = indices.local_inertia(states, n, window)
    return np.asarray(norms[region].sum(dtype=np.float64))


def _terms(
    states: States,
    block: NDArray[Any],
    region: Region,
    _block_region: Region,
    *,
    model: Model,
    normalizer: evaluation.Normalizer,
) -> NDArray[np.float64]:
    """Return the data term, the pair term and how many nodes are impossible, of a chunk."""
    own = replace(model)  # kernels are compiled for arrays that cannot be written to, as its are
    data, total = own.data_set(block[..., 0] if own.scalar else block), np.zeros(3)
    for rows in bands(data.shapes[0], BAND):
        first, last = rows.start + region[0].start, rows.stop + region[0].start
        around = slice(max(0, first - 1), min(len(states), last + 1))
        part = slice(first - around.start, last - around.start), *region[1:]
        total += terms_of_part(own, data.values[0][rows], states[around], part, normalizer)
    return total


def _emitted(
    block: NDArray[Any],
    region: Region,
    *,
    n_symbols: int,
    ends: Ends | None,
    window: int,
    codebook: NDArray[np.float64],
    origin: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return what the nodes of a chunk emit in the states that the rest of their windows tells."""
    states = decode_without(lattice_of(block, n_symbols, ends), codebook, window)
    inner = lattice_of(block[region], n_symbols, ends)
    found = Emitted.of([inner], [frozen(states[region])], len(codebook), n_symbols, origin=origin)
    return np.asarray(found.values.sum(axis=0), dtype=np.float64)
