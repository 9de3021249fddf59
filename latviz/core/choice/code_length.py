"""Code length: the bits of a node's observation, given the state of its surroundings.

The states are decoded from windows without the node, and the parameters are estimated again from
these states, so that variance lengthens the code of small windows and bias that of large ones.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    known_of,
    part_of,
    shape_of,
    without_mask,
)
from latviz.core.data.lattice import frozen
from latviz.core.data.masks import box_of, marked
from latviz.core.model.indices import as_rows
from latviz.core.model.learning import RELATIVE_RIDGE, middle_of_values
from latviz.core.types import Counts, Floats, Shape, States
from latviz.core.values import Value

Edges = tuple[Counts, Counts]

N_BLOCKS = 64
"""Spatial blocks of a lattice, at most."""
ERRORS = 2.33
"""Standard errors that a gain exceeds by chance once in a hundred cases."""
_ROOM = 1 << 22
"""Most numbers to hold for all blocks, if there are more than four."""


@dataclass(frozen=True, eq=False)
class CodeLength(Value):
    """A code length and its parts."""

    bits: float  # a node's mean, with its share of the parameters' cost
    blocks: Annotated[Floats, "(n_blocks,)"]  # bits of each spatial block, without the parameters
    sizes: Annotated[Counts, "(n_blocks,)"]  # nodes of each block

    @classmethod
    def of(cls, blocks: Floats, sizes: Counts, n_parameters: float) -> "CodeLength":
        """Return that of blocks of some bits, with 1/2 log2 U bits for each parameter."""
        n = int(sizes.sum())
        cost = 0.5 * n_parameters * float(np.log2(n))
        return cls((float(blocks.sum()) + cost) / n, blocks, sizes)

    @property
    def mean(self) -> float:
        """A node's mean, in bits, without the parameters."""
        return float(self.blocks.sum() / self.sizes.sum())

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, from the spread of the blocks."""
        return _error_of_mean(self.blocks, self.sizes)

    def is_shorter_than(self, other: "CodeLength") -> bool:
        """Return True if it is shorter than one of the same blocks by more than chance."""
        return other.bits - self.bits > ERRORS * other.gain_error(self)

    def gain_error(self, other: "CodeLength") -> float:
        """Return the standard error of the difference to another one of the same blocks."""
        return _error_of_mean(self.blocks - other.blocks, self.sizes)


def _error_of_mean(totals: Floats, sizes: Counts) -> float:
    n_blocks, n = sizes.size, sizes.sum()
    rest = totals - sizes * (totals.sum() / n)
    return float(np.sqrt((rest**2).sum() * n_blocks / max(n_blocks - 1, 1)) / n)


@dataclass(frozen=True, eq=False)
class Emitted(Value):
    """Observations of the nodes of a data set, counted or summed by state and spatial block."""

    # counts (n_blocks, N, M) int64, or sums of z z', z = (1, o), (n_blocks, N, M + 1, M + 1)
    values: NDArray[Any]
    sizes: Annotated[Counts, "(n_blocks,)"]  # nodes of each block
    # added to the variance of each channel; None if discrete
    floor: Annotated[Floats | None, "(M,)"]
    # subtracted from o, so that squares stay small; None if discrete
    origin: Annotated[Floats | None, "(M,)"] = None
    most_states: int = 0  # by which the blocks were cut

    @classmethod
    def of(
        cls,
        lattices: Sequence[Lattice],
        states: Sequence[States],
        n_states: int,
        n_symbols: int,
        most_states: int = 0,
        origin: Floats | None = None,
    ) -> "Emitted":
        """Count the emissions of lattices (symbols 0..M-1, or vectors) in states (*shape) uint8."""
        # ``origin`` (M,) is subtracted from vectors: the middle of their values by default. Code
        # lengths that are compared need the same blocks: those of the most states
        lattices, states = zip(*map(_without_margin, lattices, states), strict=True)
        most = max(n_states, most_states)
        edges = [block_edges(shape_of(o), most * n_symbols) for o in lattices]
        vectors = [o for o in lattices if isinstance(o, FixedPoint)]
        if origin is None and vectors:
            origin = middle_of_values(vectors)
        values = np.concatenate(
            [
                _emitted(o, q, n_states, n_symbols, e, origin)
                for o, q, e in zip(lattices, states, edges, strict=True)
            ]
        )
        steps = np.max([v.scales for v in vectors], axis=0) if vectors else None
        if any(known_of(o) is not None for o in lattices):
            return replace(cls.joined(values, steps, origin), most_states=most)
        floor = None if steps is None else _floor(values, steps)
        return cls(values, np.concatenate([_sizes(e) for e in edges]), floor, origin, most)

    @classmethod
    def of_each(
        cls,
        lattices: Sequence[NDArray[Any]],
        maps: Sequence[States],
        sizes: Sequence[int],
        n_symbols: int,
    ) -> list["Emitted"]:
        """Count the emissions of lattices of symbols in the states of several decodings."""
        # maps: for each lattice (S, *shape) uint8; sizes: N of each decoding
        most, found, n_blocks = max(sizes), list[Counts](), list[Counts]()
        for lattice, states in zip(lattices, maps, strict=True):
            edges = block_edges(lattice.shape, most * n_symbols)
            found.append(joint_counts(states, lattice, sizes, n_symbols, edges))
            n_blocks.append(_sizes(edges))
        counts, blocks = np.concatenate(found, axis=1), np.concatenate(n_blocks)
        return [cls(counts[s, :, :n], blocks, None) for s, n in enumerate(sizes)]

    @classmethod
    def joined(cls, values: NDArray[Any], steps: Floats | None, origin: Any) -> "Emitted":
        """Return the joint emissions of parts of a data set, with each part a block."""
        # values: those of the parts, each summed over its blocks; steps (M,): the largest scale of
        # each channel's fixed point; origin (M,): the origin that the parts subtract; both None if
        # discrete
        each = values.sum(axis=2) if steps is None else values[:, :, 0, 0]
        sizes = np.rint(each.sum(axis=1)).astype(np.int64)
        floor = None if steps is None else _floor(values, steps)
        return cls(values, sizes, floor, origin)

    def moved(
        self, lattices: Sequence[FixedPoint], before: Sequence[States], after: Sequence[States]
    ) -> "Emitted":
        """Return the emissions of the same vectors in other states; sums changed nodes again."""
        n_states, values = self.values.shape[1], []
        for o, old, new in zip(lattices, before, after, strict=True):
            edges = block_edges(shape_of(o), self.most_states * (self.values.shape[2] - 1))
            work = kernels.tally.moments_moved, old, new
            values.append(_moments(o, n_states, edges, work, self.origin))
        return replace(self, values=self.values + np.concatenate(values))

    def code_length(self) -> CodeLength:
        """Return the code length of the observations, given these states."""
        # Discrete: -log2 b(q_t, o_t), b(j, k) = (n_jk + 1/2) / (n_j + M/2), and 1/2 N (M - 1) log2
        # U bits for the parameters. Gaussian: -log2 of the normal density with the mean and
        # covariance of the vectors in the state, and 1/2 N (M + M (M + 1) / 2) log2 U; it may be
        # negative
        n_states, size = self.values.shape[1:3]
        if self.floor is None:
            blocks, free = _symbol_bits(self.values), size - 1.0
        else:
            blocks, free = _normal_bits(self.values, self.floor), (size - 1) * (size + 2) / 2
        return CodeLength.of(blocks, self.sizes, n_states * free)

    def squared_error(self) -> float:
        """Return the mean squared distance of observations to the mean of their state."""
        # A symbol counts as a vector of M channels of which one is 1, as in signatures
        total = self.values.sum(axis=0)
        if self.floor is None:
            n, sums, squares = total.sum(axis=1), total, total.sum()
        else:
            n, sums = total[:, 0, 0], total[:, 1:, 0]
            squares = np.trace(total, axis1=1, axis2=2).sum() - n.sum()
        of_means = (sums.astype(np.float64) ** 2).sum(axis=1) / np.maximum(n, 1)
        return float((squares - of_means.sum()) / n.sum())

    def normal(self) -> "Normal | None":
        """Return the densities that predict vectors; None for symbols."""
        if self.floor is None:
            return None
        means, covariances = _normals(self.values.sum(axis=0), self.floor)
        return Normal(means if self.origin is None else means + self.origin, covariances)


@dataclass(frozen=True, eq=False)
class Normal(Value):
    """The normal density that each state emits."""

    means: Annotated[Floats, "(N, M)"]
    covariances: Annotated[Floats, "(N, M, M)"]


def block_edges(shape: Shape, n_numbers: int) -> Edges:
    """Return the cuts of a lattice's rows and columns into about `N_BLOCKS` blocks."""
    wanted = max(4, min(N_BLOCKS, _ROOM // n_numbers))
    n_rows, width = int(np.prod(shape[:-1])), shape[-1]
    down = min(n_rows, int(np.sqrt(wanted)))
    across = min(width, max(1, wanted // down))
    return np.arange(down + 1) * n_rows // down, np.arange(across + 1) * width // across


def block_sums(numbers: Floats) -> tuple[Floats, Counts]:
    """Return the sum over each block of a lattice of numbers, and how many are not NaN."""
    # No block has any part of a margin of NaN
    known = ~np.isnan(numbers)
    if not known.all():
        inner = box_of(known)
        numbers, known = np.where(known, numbers, 0.0)[inner], known[inner]
    down, across = block_edges(numbers.shape, 1)

    def summed(each: NDArray[Any]) -> NDArray[Any]:
        rows = np.add.reduceat(each.reshape(down[-1], across[-1]), down[:-1], axis=0)
        return np.asarray(np.add.reduceat(rows, across[:-1], axis=1).reshape(-1))

    return summed(numbers), summed(known.astype(np.int64))


def _sizes(edges: Edges) -> Counts:
    return np.asarray(np.outer(*(np.diff(e) for e in edges)).reshape(-1))


def _over_blocks(n_blocks: int, work: float, kernel: Callable[..., None], *arguments: Any) -> None:
    """Divide blocks among the threads: the first and the one after the last go before the end."""
    # ``work`` is that of all blocks, see `threads.over_rows`
    *others, out = arguments

    def task(first: int, last: int) -> None:
        kernel(*others, first, last, out)

    threads.over_rows(n_blocks, task, work / n_blocks)


def joint_counts(
    maps: NDArray[Any], other: NDArray[Any], sizes: Sequence[int], n_other: int, edges: Edges
) -> Counts:
    """Count the nodes of each block by their values in each of several maps and in another one."""
    # maps (S, *shape), values below sizes (S,), of which N1 is the largest: (S, n_blocks, N1, N2)
    counts = np.zeros((len(sizes), _sizes(edges).size, max(sizes), n_other), dtype=np.int64)
    other_map = frozen(as_rows(frozen(other))[0])
    known = frozen(maps).reshape(len(maps), *other_map.shape), np.array(sizes)
    n_blocks, tally = counts.shape[1], kernels.tally.joint
    _over_blocks(n_blocks, known[0].size, tally, *known, other_map, *edges, counts)
    return counts


def _without_margin(lattice: Lattice, states: States) -> tuple[Lattice, States]:
    """Return the part of a lattice and of its states that holds all known nodes."""
    if (known := known_of(lattice)) is None:
        return lattice, states
    inner = box_of(known)
    return part_of(lattice, inner), states[inner]


def _emitted(
    lattice: Lattice,
    states: States,
    n_states: int,
    n_symbols: int,
    edges: Edges,
    origin: Floats | None,
) -> NDArray[Any]:
    """Return the counts, or sums, of each block and state; unknown nodes are one more state."""
    known, seen = known_of(lattice), without_mask(lattice)
    n_counted = n_states + (known is not None)
    own = marked(states, known, n_states)
    if isinstance(seen, FixedPoint):
        found = _moments(seen, n_counted, edges, (kernels.tally.moments, own), origin)
    else:
        found = joint_counts(own[None], seen, [n_counted], n_symbols, edges)[0]
    return found[:, :n_states]


def _moments(
    vectors: FixedPoint,
    n_states: int,
    edges: Edges,
    work: tuple[Any, ...],
    origin: Floats | None,
) -> Floats:
    """Sum z z' in whole steps around the middle of each channel, then change the units and zero."""
    kernel, *maps = work
    rows = [frozen(as_rows(frozen(m))[0]) for m in maps]
    flat = frozen(vectors.values.reshape(*rows[0].shape, -1))
    middle = np.round((vectors.low / 2 + vectors.high / 2 - vectors.offsets) / vectors.scales)
    size = middle.size + 1
    sums = np.zeros((_sizes(edges).size, n_states, size, size))
    _over_blocks(len(sums), 2 * flat.size, kernel, *rows, flat, middle, *edges, sums)
    sums += np.tril(sums, -1).swapaxes(-1, -2)
    units = np.diag(np.append(1.0, vectors.scales))
    zero = vectors.offsets if origin is None else vectors.offsets - origin
    units[1:, 0] = zero + vectors.scales * middle
    return np.asarray(units @ sums @ units.T)


def _symbol_bits(counts: Counts) -> Floats:
    total = counts.sum(axis=0)
    share = (total + 0.5) / (total.sum(axis=1, keepdims=True) + 0.5 * total.shape[1])
    return np.asarray(-np.einsum("bij,ij->b", counts, np.log2(share)))


def _normal_bits(sums: Floats, floor: Floats) -> Floats:
    """Return each block's bits from its sums of z z', by the means and covariances of all."""
    means, sigma = _normals(sums.sum(axis=0), floor)
    rest = _less(means)
    form = rest.swapaxes(1, 2) @ np.linalg.inv(sigma) @ rest
    squares = np.einsum("bjac,jac->b", sums, form)
    log_det = np.linalg.slogdet(2 * np.pi * sigma)[1]
    return np.asarray((sums[:, :, 0, 0] @ log_det + squares) / (2 * np.log(2)))


def _normals(total: Floats, floor: Floats) -> tuple[Floats, Floats]:
    """Return means and covariances from sums of z z', (N, M + 1, M + 1)."""
    n = np.maximum(total[:, 0, 0], 1)
    means = total[:, 1:, 0] / n[:, None]
    rest = _less(means)
    return means, rest @ total @ rest.swapaxes(1, 2) / n[:, None, None] + np.diag(floor)


def _less(means: Floats) -> Floats:
    """Return matrices that times z = (1, o) are o - mu, (N, M, M + 1)."""
    rest = np.zeros((len(means), means.shape[1], means.shape[1] + 1))
    rest[:, :, 0], rest[:, :, 1:] = -means, np.eye(means.shape[1])
    return rest


def _floor(sums: Floats, steps: Floats) -> Floats:
    """Return the variance of a step of the coarsest lattice, or a trifle if that is more."""
    trifle = max(RELATIVE_RIDGE * float(_spread_of(sums).mean()), 1e-300)
    return np.asarray(np.maximum(steps**2 / 12, trifle))


def _spread_of(sums: Floats) -> Floats:
    """Return the variance of each channel over all nodes, from the sums of z z'."""
    every = sums.sum(axis=(0, 1))
    mean = every[1:, 0] / every[0, 0]
    return np.asarray(np.diagonal(every)[1:] / every[0, 0] - mean**2)


def prediction_bound(values: Floats, sure: float = 0.99, least_spread: float = 0.0) -> float:
    """Return what one more normal value exceeds with a chance of 1 - ``sure``; NaN of one value."""
    n = len(values)
    spread = max(float(np.std(values, ddof=1)), least_spread) if n > 1 else math.nan
    quantile = float(scipy.special.stdtrit(n - 1, sure))  # of Student's t
    return float(np.mean(values)) + quantile * spread * math.sqrt(1 + 1 / n)
