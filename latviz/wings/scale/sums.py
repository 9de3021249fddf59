"""Single numbers, or a few: the core's counts and sums over chunks, added up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN, check_number, check_states
from latviz.core.choice.code_length import CodeLength, Emitted
from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import fixed_within
from latviz.core.data.lattice import frozen
from latviz.core.data.masks import check_unknown
from latviz.core.errors import ParameterError
from latviz.core.model import evaluation, indices
from latviz.core.model.models import Model
from latviz.core.model.terms import terms_of_part
from latviz.core.renamed import renamed
from latviz.core.types import Counts, Floats, Matrix, Region, States
from latviz.core.windows.leave_one_out import decode_without
from latviz.core.windows.parts import bands
from latviz.wings.scale.blocks import map_chunks, over_chunks
from latviz.wings.scale.chunks import as_arrays
from latviz.wings.scale.maps import decode, local_inertia, of_model

BAND = 1 << 18
"""Nodes whose terms are held at a time."""
BLOCKS = 1 << 22
"""Numbers kept of all chunks, each a separate block; of more, all are one block."""


@renamed("states n_states")
def pair_counts(states: Any, *, n_states: int) -> Counts:
    """Return `core.pair_counts` of dask arrays: pairs across chunks are counted once."""
    return count(states, n_states=n_states)[0]


@renamed("states n_states")
def count(states: Any, *, n_states: int) -> tuple[Counts, Counts]:
    """Return A' (N, N) and the number of nodes in each state (N,), in one run.

    ``states`` is a dask array (*shape), or a list or tuple of them; no pair extends from one
    lattice into another.

    Raises
    ------
    ParameterError
        If an argument is outside its range.
    """
    pairs, occupancy, _ = count_with(as_arrays(states), n_states, [])
    return pairs, occupancy


def count_with(
    maps: Sequence[da.Array], n_states: int, more: Sequence[da.Array]
) -> tuple[Counts, Counts, Any]:
    """Return the result of `count`, and the sum over all chunks of other arrays, in one run."""
    n_states = check_states(n_states)
    counted, tail = partial(_counted, n_states), (n_states + 1, n_states)
    found = [map_chunks(counted, [one], one.ndim, 1, np.int64, tail) for one in maps]
    counts, others = dask.compute(
        [over_chunks(one, 2) for one in found], [over_chunks(one, 3) for one in more]
    )
    total = np.sum(counts, axis=0)
    return total[:-1], total[-1], np.sum(others, axis=0)


def _counted(n_states: int, states: States, region: Region) -> Counts:
    pairs, occupancy = indices.part_counts(states, region, n_states)
    return np.append(pairs, occupancy[None], axis=0)


@renamed("states n_states window")
def inertia(states: Any, *, n_states: int, window: int) -> float:
    """Return `core.inertia` of dask arrays, up to rounding (relative 1e-7); see `local_inertia`."""
    norms = local_inertia(as_arrays(states), n_states=n_states, window=window)
    each = ((da.nansum(one, dtype=np.float64), da.isfinite(one).sum()) for one in norms)
    total, n_known = np.sum(dask.compute(*each), axis=0)
    return float(total / n_known)


@dataclass(frozen=True, eq=False)
class Evaluated(evaluation.Score):
    """The log-likelihood of arrays in chunks: the terms that `core`'s `Evaluation` has, summed up.

    Attributes
    ----------
    data_term, plain_pair_term : float
        In nats; the latter under alpha = 1.
    n_impossible : int
        Nodes of probability 0.
    n_known, n_pairs : int
        Known nodes of all lattices, and pairs of these that are neighbours.
    alpha : float
        The Markov correction, above 0 and at most 1.
    """

    data_term: float
    plain_pair_term: float
    n_impossible: int
    n_known: int
    n_pairs: int
    alpha: float

    @property
    def n_nodes(self) -> int:
        """The number of known nodes of all lattices."""
        return self.n_known

    @cached_property
    def pair_term(self) -> float:
        """The sum of the pair terms under alpha, in nats."""
        return self.plain_pair_term + self.n_pairs * float(np.log(self.alpha))

    def under(self, alpha: float) -> "Evaluated":
        """Return the evaluation under another alpha, above 0 and at most 1; takes no time."""
        return replace(self, alpha=check_number("alpha", alpha, 0.0, 1.0, above=True))


@renamed("observations model window")
def evaluate(
    observations: Any,
    *,
    model: Model,
    window: int | None = None,
    states: Any = None,
    mask: Any = None,
    alpha: float = 1.0,
    normalizer: evaluation.Normalizer = "neighbours",
) -> Evaluated:
    """Return log P of observations in chunks (Algorithms 1 and 5), summed over all of them.

    Its terms are those of the model's `evaluate` for the whole arrays up to rounding: about 1e-12
    of the sum of the terms' sizes. Arguments are the same, but ``alpha`` is a number, and
    ``states`` are the decoding, dask arrays, if it exists already. ``mask`` is that of `chunked`.

    Raises
    ------
    ParameterError
        If an argument is outside its range, or the arrays do not fit the model.
    """
    evaluation.check_normalizer(normalizer)
    alpha = check_number("alpha", alpha, 0.0, 1.0, above=True)
    data = of_model(observations, model, mask)
    maps = as_arrays(decode(data, model=model, window=window) if states is None else states)
    if [tuple(one.shape) for one in maps] != data.shapes:
        raise ParameterError(
            f"states must have the shapes {data.shapes}, got {[one.shape for one in maps]}"
        )
    found = [
        map_chunks(
            partial(_terms, data.reader(k), model, normalizer),
            *([maps[k], one], data.dimensions, 1, np.float64, (5,)),
        )
        for k, one in enumerate(data.arrays)
    ]
    sums = np.sum(dask.compute(*(over_chunks(one, 1) for one in found)), axis=0)
    data_term, pair_term, *numbers = sums.tolist()
    n_impossible, n_known, n_pairs = map(int, numbers)
    return Evaluated(data_term, pair_term, n_impossible, n_known, n_pairs, float(alpha))


def _terms(
    read: Callable[[NDArray[Any]], DataSet],
    model: Model,
    normalizer: evaluation.Normalizer,
    states: States,
    block: NDArray[Any],
    region: Region,
) -> Floats:
    """Return the terms of a chunk, and its numbers of impossible nodes, of nodes and of pairs."""
    data, total = read(block), np.zeros(5)
    check_unknown(states[region], data.masks[0])
    pairs, occupancy = indices.part_counts(states, region, model.n_states)
    total[3:] = occupancy.sum(), pairs.sum() // 2
    for rows in bands(data.shapes[0], BAND):
        first, last = rows.start + region[0].start, rows.stop + region[0].start
        around = slice(max(0, first - 1), min(len(states), last + 1))
        part = slice(first - around.start, last - around.start), *region[1:]
        total[:3] += terms_of_part(model, data.values[0][rows], states[around], part, normalizer)
    return total


@renamed("observations model window")
def code_length(
    observations: Any, *, model: Model, window: int | None = None, mask: Any = None
) -> CodeLength:
    """Return the leave-one-out predictive code length of a model's codebook, in bits per node.

    Each node is decoded from its window without itself, and its observation is coded by the state
    that it gets, with emissions estimated again from these states: see `core.choice.code_length`. A
    chunk is a spatial block for the standard error. Bits are those of the whole arrays; for vectors
    up to rounding, about 1e-9. ``mask`` is that of `chunked`.

    Raises
    ------
    ParameterError
        If an argument is outside its range, or the arrays do not fit the model.
    """
    data = of_model(observations, model, mask)
    chosen, n_states, size = model.one_window(window), model.n_states, data.n_symbols
    tail = (n_states, size) if data.kind == "discrete" else (n_states, size + 1, size + 1)
    found = [
        map_chunks(
            partial(_emitted, data.reader(k), model.codebook, chosen, data.origin),
            *([one], data.dimensions, chosen, np.float64, tail),
        )
        for k, one in enumerate(data.arrays)
    ]
    is_much = data.n_chunks * int(np.prod(tail)) > BLOCKS
    each = [over_chunks(one, len(tail)) if is_much else one for one in found]
    parts = np.concatenate([one.reshape(-1, *tail) for one in dask.compute(*each)])
    if is_much:
        parts = parts.sum(axis=0, keepdims=True)
    if data.kind == "discrete":
        return Emitted.joined(parts.astype(np.int64), None, None).code_length()
    corner = np.zeros((1, size), dtype=data.arrays[0].dtype)
    steps = np.max([fixed_within(corner, *ends).scales for ends in data.ends], axis=0)
    return Emitted.joined(parts, steps, data.origin).code_length()


def _emitted(
    read: Callable[[NDArray[Any]], DataSet],
    codebook: Matrix,
    window: int,
    origin: Floats | None,
    block: NDArray[Any],
    region: Region,
) -> Floats:
    """Return the emission sums of a chunk, with states from windows without the node."""
    data = read(block)
    states = frozen(decode_without(data.lattices[0], codebook, window)[region])
    if (states == UNKNOWN).all():
        size = data.n_symbols + (origin is not None)
        return np.zeros((len(codebook), *(size,) * (1 if origin is None else 2)))
    inner = data.parts([(0, region)]).lattices
    found = Emitted.of(inner, [states], len(codebook), data.n_symbols, origin=origin)
    return np.asarray(found.values.sum(axis=0), dtype=np.float64)
