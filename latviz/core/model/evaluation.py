"""Evaluation: the log-likelihood of a lattice, term by term (Algorithms 1, 5)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import (
    as_floats,
    check_number,
    check_states,
    check_window,
    check_word,
    first_bad,
)
from latviz.core.data.data_set import is_several
from latviz.core.data.lattice import degrees, frozen, known_degrees, n_pairs
from latviz.core.data.masks import Mask, marked, mask_in
from latviz.core.data.per_lattice import per_lattice
from latviz.core.data.stacks import gathered
from latviz.core.errors import ParameterError, at_index
from latviz.core.model.indices import (
    Neighbourhoods,
    as_maps,
    as_rows,
    local_inertia,
    neighbourhoods,
)
from latviz.core.renamed import renamed
from latviz.core.types import Counts, Floats, Matrix, NodeMap, Nodes, Shape, Spacing, States
from latviz.core.values import Value, equal
from latviz.core.windows.parts import bands

BLOCK = 1 << 16
"""Nodes whose data terms are still in cache when their pair terms are added."""

Normalizer = Literal["neighbours", "states"]
Alpha = float | Floats


class Later:
    """A map over nodes that is computed at the first request."""

    # Comparing and pickling call it: a copy in another process has only the map, not the
    # observations behind it

    def __init__(self, compute: Callable[[], NodeMap]) -> None:
        self._compute = cache(compute)

    def __call__(self) -> NodeMap:
        """Return the map, (*shape) float32."""
        return self._compute()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Later) and equal(self(), other())

    def __hash__(self) -> int:
        return hash(Later)

    def __reduce__(self) -> tuple[Any, ...]:
        return Later, (partial(np.asarray, self()),)


class Score(Value, ABC):
    """The log-likelihood of a lattice or of a data set, from its two terms."""

    data_term: float
    plain_pair_term: float
    n_impossible: int

    @property
    @abstractmethod
    def n_nodes(self) -> int:
        """The number of nodes that are scored."""

    @property
    @abstractmethod
    def pair_term(self) -> float:
        """The sum of 1/2 sum over R(t) of log alpha_t + log a(q_t, q_r) - log k_t, in nats."""

    @property
    def log_likelihood(self) -> float:
        """The log P, in nats; -inf if any node is impossible."""
        return self.data_term + self.pair_term

    @property
    def bits_per_node(self) -> float:
        """The mean of log2 P over nodes (negative for most symbols: a log-probability)."""
        return self.log_likelihood / (self.n_nodes * float(np.log(2.0)))


@dataclass(frozen=True, eq=False)
class Evaluation(Score):
    """Evaluation of one lattice.

    log P(O | model) = sum_t [log b(q_t, o_t) + 1/2 sum_r (log alpha_t + log a - log k_t)].

    Attributes
    ----------
    states : ndarray, shape (*shape), uint8
        The decoding that is scored.
    alpha : float or ndarray of shape (*shape)
        The Markov correction; `dataclasses.replace` gives the evaluation under another one.
    data_term : float
        Sum of log b(q_t, o_t) (discrete) or log f(o_t | mu, Sigma) (Gaussian), in nats.
    n_impossible : int
        Nodes of probability 0; if there are any, the log-likelihood is -inf.
    plain_pair_term : float
        The pair term under alpha = 1.
    plain_nodes : Later
        Returns the map over nodes under alpha = 1, (*shape) float32, computed when first asked.
    known : ndarray, shape (*shape), bool, or None
        The nodes that are scored; None for all. Maps are NaN at others.

    Examples
    --------
    >>> model = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.9, 0.1], [0.1, 0.9]], window=0)
    >>> found = model.evaluate(np.array([0, 0]))
    >>> round(found.data_term, 4), found.pair_term  # 2 log .9; one neighbour each: log a - log a
    (-0.2107, 0.0)
    """

    states: States
    alpha: Alpha
    data_term: float
    plain_pair_term: float
    n_impossible: int
    plain_nodes: Later = field(repr=False)
    known: Mask = field(default=None, repr=False)

    @cached_property
    def pair_term(self) -> float:
        """The sum of 1/2 sum over R(t) of log alpha_t + log a(q_t, q_r) - log k_t, in nats."""
        if np.ndim(self.alpha) == 0:
            pairs = n_pairs(self.states.shape, self.known)
            return self.plain_pair_term + pairs * float(np.log(self.alpha))
        return self.plain_pair_term + float(self._correction().sum())

    @property
    def n_nodes(self) -> int:
        """The number of nodes of the lattice."""
        return self.states.size if self.known is None else int(np.count_nonzero(self.known))

    @property
    def parts(self) -> tuple["Evaluation", ...]:
        """The evaluations of the lattices: this one."""
        return (self,)

    def under(self, alpha: Any) -> "Evaluation":
        """Return the evaluation under another alpha, which changes only the pair term.

        Parameters
        ----------
        alpha : float, or ndarray of shape (*shape)
            Above 0 and at most 1.

        Returns
        -------
        Evaluation

        Raises
        ------
        ParameterError
            If ``alpha`` is invalid.
        """
        return replace(self, alpha=check_alpha(alpha, self.states.shape))

    @renamed("n_states window base spacing")
    def locally(
        self, n_states: int, *, window: int, base: float, spacing: Spacing = None
    ) -> "Evaluation":
        """Return the evaluation under the alpha of each node that `local_alpha` gives.

        Parameters
        ----------
        n_states : int
            N, from 1 to 255.
        window : int
            Half-width w >= 0 in which nodes are inert.
        base : float
            alpha where a window holds one state: above 0 and at most 1.
        spacing : tuple of float, optional
            The distance of neighbouring nodes along each axis, see `FitSettings`.

        Returns
        -------
        Evaluation

        Raises
        ------
        ParameterError
            If an argument is outside its range.
        """
        return replace(self, alpha=local_alpha(self.states, n_states, window, base, spacing))

    @cached_property
    def node_log_likelihood(self) -> NodeMap:
        """The term of each node, in nats, shape (*shape), float32."""
        return np.asarray(self.plain_nodes() + self._correction(np.float32))

    def _correction(self, dtype: type[np.floating[Any]] = np.float64) -> NDArray[Any]:
        logs = np.asarray(0.5 * np.log(self.alpha), dtype=dtype)
        shape, known = self.states.shape, self.known
        return np.asarray((degrees(shape) if known is None else known_degrees(known)) * logs)


@dataclass(frozen=True, eq=False)
class DataSetEvaluation(Score):
    """Evaluation of a data set: the sums over its lattices, and the evaluation of each.

    Attributes
    ----------
    parts : tuple of Evaluation
        One for each lattice.
    data_term, plain_pair_term : float
        The sums of theirs, in nats; ``pair_term`` and ``log_likelihood`` are too.
    n_impossible : int
        The nodes of probability 0, of all lattices.

    Examples
    --------
    >>> model = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.9, 0.1], [0.1, 0.9]], window=0)
    >>> found = model.evaluate([np.array([0, 0]), np.array([1])])
    >>> len(found.parts), round(found.data_term, 4)  # 3 log .9
    (2, -0.3161)
    """

    parts: tuple[Evaluation, ...]
    data_term: float
    plain_pair_term: float
    n_impossible: int

    @classmethod
    def of(cls, parts: Sequence[Evaluation]) -> "DataSetEvaluation":
        """Sum up the evaluations of the lattices of a data set.

        Parameters
        ----------
        parts : sequence of Evaluation
            One for each lattice.

        Returns
        -------
        DataSetEvaluation
        """
        return cls(
            tuple(parts),
            sum(part.data_term for part in parts),
            sum(part.plain_pair_term for part in parts),
            sum(part.n_impossible for part in parts),
        )

    @property
    def n_nodes(self) -> int:
        """The number of nodes of all lattices."""
        return sum(part.n_nodes for part in self.parts)

    @property
    def states(self) -> list[States]:
        """The decodings that are scored."""
        return [part.states for part in self.parts]

    @property
    def alpha(self) -> float | list[Alpha]:
        """The Markov correction: one number, or one for each lattice."""
        found = [part.alpha for part in self.parts]
        first = found[0]
        same = isinstance(first, float) and all(np.ndim(a) == 0 and a == first for a in found)
        return first if same and isinstance(first, float) else found

    @cached_property
    def pair_term(self) -> float:
        """The sum of the lattices' pair terms, in nats."""
        return sum(part.pair_term for part in self.parts)

    @cached_property
    def node_log_likelihood(self) -> list[NodeMap]:
        """The term of each node of each lattice, in nats, shape (*shape), float32."""
        shapes = [part.states.shape for part in self.parts]
        return gathered(shapes, lambda k: self.parts[k].node_log_likelihood)

    def under(self, alpha: Any) -> "DataSetEvaluation":
        """Return the evaluation under another alpha: a number, or an array for each lattice.

        Parameters
        ----------
        alpha : float, or a list or tuple of ndarrays, shape (*shape)
            Above 0 and at most 1: one number for all, or an array for each lattice.

        Returns
        -------
        DataSetEvaluation

        Raises
        ------
        ParameterError
            If ``alpha`` is invalid; the message names the index of the lattice.
        """
        if not is_several(alpha):
            number = check_alpha(alpha, ())
            return DataSetEvaluation.of([replace(part, alpha=number) for part in self.parts])
        if len(alpha) != len(self.parts):
            raise ParameterError(
                f"alpha must have an array for each of {len(self.parts)} lattices, got {len(alpha)}"
            )
        parts = []
        for k, (part, one) in enumerate(zip(self.parts, alpha, strict=True)):
            with at_index(k):
                parts.append(part.under(one))
        return DataSetEvaluation.of(parts)

    @renamed("n_states window base spacing")
    def locally(
        self, n_states: int, *, window: int, base: float, spacing: Spacing = None
    ) -> "DataSetEvaluation":
        """Return the evaluation under the alpha of each node that `local_alpha` gives.

        Parameters
        ----------
        n_states, window, base, spacing
            As for `Evaluation.locally`.

        Returns
        -------
        DataSetEvaluation

        Raises
        ------
        ParameterError
            If an argument is outside its range.
        """
        return DataSetEvaluation.of(
            [
                part.locally(n_states, window=window, base=base, spacing=spacing)
                for part in self.parts
            ]
        )


@dataclass(frozen=True, eq=False)
class Terms:
    """The first terms of the nodes, as a kernel and as a sum."""

    # nodes(*data, start, stop, out) is a kernel that writes the terms of rows start to stop;
    # total() returns the sum of all terms, and the number of -inf

    data: tuple[Any, ...]
    nodes: Callable[..., None]
    total: Callable[[], tuple[float, int]]


def evaluate_states(
    states: States,
    A: Matrix,
    normalizer: Normalizer,
    terms: Terms,
    found: Neighbourhoods | None = None,
) -> Evaluation:
    """Return the evaluation of states (*shape) uint8 under alpha = 1."""
    # ``found``: their neighbourhoods, if they are counted already
    rows, strides, lengths = as_rows(frozen(states))
    pairs = rows, strides, lengths, *potentials(A, normalizer)

    @Later
    def nodes() -> NodeMap:
        return _node_map(rows, terms, pairs).reshape(states.shape)

    data_term, impossible = terms.total()
    counted = neighbourhoods(states, len(A)) if found is None else found
    pair_term = _pair_term(rows, strides, lengths, A, normalizer, counted)
    if not np.isfinite(pair_term):  # terms of some nodes are counted only once
        impossible = _count_impossible(nodes())
    return Evaluation(states, 1.0, data_term, pair_term, impossible, nodes)


def evaluate_known(
    states: States, known: NDArray[np.bool_], A: Matrix, normalizer: Normalizer, terms: Terms
) -> Evaluation:
    """Return the evaluation of the known nodes of a map, whose ``terms`` are in one row."""
    own = np.empty((1, np.count_nonzero(known)))
    terms.nodes(*terms.data, 0, 1, own)
    pairs = known_pair_terms(states, known, A, normalizer)[known]
    nodes = np.full(states.shape, np.nan, np.float32)
    nodes[known] = own[0] + pairs
    n_impossible = int(np.count_nonzero(own[0] + pairs == -np.inf))
    return Evaluation(
        states, 1.0, terms.total()[0], float(pairs.sum()), n_impossible, Later(lambda: nodes), known
    )


def known_pair_terms(
    states: States, known: NDArray[np.bool_], A: Matrix, normalizer: Normalizer
) -> Floats:
    """Return the pair term of each known node: only its known neighbours count, (*shape)."""
    # First as if all were known, by the kernel; then those with an unknown neighbour
    lattice, given = as_rows(marked(states, known, 0)), potentials(A, normalizer)
    height, width = lattice[0].shape
    terms = np.zeros((height, width))
    threads.over_rows(
        height,
        lambda start, stop: kernels.likelihood.pair_terms(*lattice, *given, start, stop, terms),
        4.0 * width,
    )
    found = terms.reshape(states.shape)
    some = np.nonzero(known & (known_degrees(known) < degrees(states.shape)))
    found[some] = _pair_terms_at(some, states, known, A, normalizer)
    return found


def _pair_terms_at(
    nodes: Nodes, states: States, known: NDArray[np.bool_], A: Matrix, normalizer: Normalizer
) -> Floats:
    """Return the pair terms of some known nodes, (n,), with their known neighbours alone."""
    _, log_A, log_sums = potentials(A, normalizer)
    own = states[nodes]
    n, sum_log, sum_a = np.zeros((3, own.size))
    for axis, length in enumerate(states.shape):
        for step in (-1, 1):
            at = nodes[axis] + step
            others = (*nodes[:axis], at.clip(0, length - 1), *nodes[axis + 1 :])
            there = (at >= 0) & (at < length) & known[others]
            pair = own[there], states[others][there]
            n[there] += 1
            sum_log[there] += log_A[pair]
            sum_a[there] += A[pair]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = 0.5 * (sum_log - n * (log_sums[own] if log_sums.size else np.log(sum_a)))
    terms[sum_log == -np.inf] = -np.inf
    terms[n == 0] = 0.0
    return np.asarray(terms)


def _pair_term(
    rows: States,
    strides: Counts,
    lengths: Counts,
    A: Matrix,
    normalizer: Normalizer,
    counted: Neighbourhoods,
) -> float:
    """Return the sum of the second terms: 1/2 sum over A' of log a, less |R(t)| log k_t."""
    occurs = counted.pairs > 0
    if not (A[occurs] > 0).all():
        return -np.inf
    total = float(counted.pairs[occurs] @ np.log(A[occurs]))
    if normalizer == "states":
        sides = counted.pairs.sum(axis=1)
        return 0.5 * (total - float(sides[sides > 0] @ np.log(A.sum(axis=1)[sides > 0])))
    total -= float(kernels.likelihood.counted_logs(A, counted.alike, counted.both))
    sums = np.empty(len(rows))
    threads.over_rows(
        len(rows),
        lambda start, stop: kernels.likelihood.marked_logs(
            rows, strides, lengths, A, counted.several, start, stop, sums
        ),
        float(rows.shape[1]),
    )
    return 0.5 * (total - float(sums.sum()))


def _node_map(rows: States, terms: Terms, pairs: tuple[NDArray[Any], ...]) -> NodeMap:
    out = np.empty(rows.shape, dtype=np.float32)
    block = max(1, BLOCK // rows.shape[1])

    def task(start: int, stop: int) -> None:
        for first in range(start, stop, block):
            last = min(stop, first + block)
            terms.nodes(*terms.data, first, last, out)
            kernels.likelihood.pair_terms(*pairs, first, last, out)

    threads.over_rows(len(rows), task, 4.0 * rows.shape[1])
    return out


def _count_impossible(terms: NodeMap) -> int:
    """Count the nodes of probability 0, in parts that need little memory."""
    parts = bands(terms.shape, 1 << 20)
    return sum(int(np.count_nonzero(terms[rows] == -np.inf)) for rows in parts)


@per_lattice
def local_alpha(
    states: Any, n_states: int, window: int, base: float, spacing: Spacing = None
) -> list[Floats]:
    """Return alpha_t = base ** h_t, (*shape) float64; a list for a data set."""
    # h_t = (i_t - 1/sqrt(N)) / (1 - 1/sqrt(N)), i_t the inertia of t's own window: the correction
    # is strong where the lattice is inert. With one state h_t = 1. base: above 0 and at most 1
    n_states, window = check_states(n_states), check_window(window)
    maps = as_maps(states, n_states, takes_mask=True)
    base = check_number("base", base, 0.0, 1.0, above=True)
    shapes = [one.shape for one in maps]
    return gathered(shapes, lambda k: _local_alpha(maps[k], n_states, window, base, spacing))


def _local_alpha(
    states: States, n_states: int, window: int, base: float, spacing: Spacing
) -> Floats:
    if n_states == 1:
        return np.full(states.shape, base)
    inert = local_inertia(states, n_states=n_states, window=window, spacing=spacing).astype(
        np.float64
    )
    chance = 1.0 / np.sqrt(n_states)
    if (known := mask_in(states)) is not None:
        inert[~known] = chance  # where alpha is 1, because nothing is scored
    return np.asarray(base ** ((inert - chance) / (1.0 - chance)))


def check_alpha(alpha: Any, shape: Shape) -> Alpha:
    """Return alpha as a float or an array of ``shape``, or raise `ParameterError`."""
    if isinstance(alpha, float) and 0 < alpha <= 1:
        return float(alpha)  # at once: a slider asks for one after another
    values = as_floats("alpha", alpha)
    if values.shape not in ((), shape):
        raise ParameterError(f"alpha must be one number or of shape {shape}, got {values.shape}")
    good = (values > 0) & (values <= 1)
    if not good.all():
        raise ParameterError(f"alpha must be above 0 and at most 1, got {first_bad(good, values)}")
    values.flags.writeable = False
    return float(values) if values.ndim == 0 else values


def check_normalizer(normalizer: str) -> Normalizer:
    """Return the normaliser, or raise `ParameterError` for an unknown name."""
    return check_word("normalizer", normalizer, get_args(Normalizer))  # type: ignore[return-value]


def potentials(A: Matrix, normalizer: Normalizer) -> tuple[Matrix, Matrix, Floats]:
    """Return A, its logarithms, and those of its rows' sums if they normalise: else none."""
    with np.errstate(divide="ignore"):
        sums = np.log(A.sum(axis=1)) if normalizer == "states" else np.empty(0)
        return A, np.log(A), sums
