"""Models with known states: counted from labels, and the agreement of decodings with labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latviz.core.checks import UNKNOWN, as_lattice, check_map, check_states, check_window, shown
from latviz.core.data.data_set import (
    DataSet,
    Kind,
    are_numbers,
    as_data_set,
    called_as,
    first_lattice,
    read_each,
)
from latviz.core.errors import ParameterError
from latviz.core.model.indices import (
    as_maps,
    contingency,
    count,
    counted,
    pairs_and_nodes,
    warn_if_exchanged,
)
from latviz.core.model.learning import adjacency, check_smoothing, covariances_from, scatters
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.types import Counts, Floats, Matrix, Shape, States
from latviz.core.values import Value


def learn_labelled(
    observations: Any,
    labels: Any,
    *,
    n_states: int,
    n_symbols: int | None = None,
    window: int = 0,
    smoothing: float = 0.5,
) -> Model:
    """Learn a model from lattices with known states: A, and B or mu and Sigma, are counted.

    Decode others by ``model.decode(o, decoder="belief", strength=1.0)``, which is forward-backward
    for sequences: it uses the counted A, without windows.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice, or a data set: integers are symbols 0..M-1, others are vectors (*shape, M), or
        numbers if they have the shape of the labels.
    labels : ndarray, shape (*shape), or a list of them for a data set
        The state of each node, 0..N-1; 255 for unknown, which is ignored.
    n_states : int
        N, from 1 to 255.
    n_symbols : int, optional
        M of symbols; by default the largest + 1.
    window : int, optional
        Half-width w >= 0 to store in the model; it does not affect the counts.
    smoothing : float, optional
        Pseudo-count added to every entry of A' and to each state's count of every symbol.

    Returns
    -------
    DiscreteModel or GaussianModel
        B(j, k) = (n_jk + s) / (n_j + M s). A state without nodes emits all symbols equally; with
        vectors, every state needs nodes.

    Raises
    ------
    ParameterError
        If an argument is outside its range, labels are missing or do not fit, or a state of vectors
        has no node.

    Examples
    --------
    >>> labels = np.array([0, 0, 1, 1])
    >>> learn_labelled(labels, labels, n_states=2, smoothing=0).A.tolist()
    [[0.5, 0.25], [0.25, 0.5]]
    """
    n_states, window = check_states(n_states), check_window(window)
    smoothing = check_smoothing(smoothing)
    call = "learn_labelled(observations, labels)"
    data = as_data_set(
        observations, _kind_of(observations), n_symbols, are_numbers(observations, labels, "labels")
    )
    with called_as(call):
        states = _known(labels, n_states, data.shapes)
    if all((one != UNKNOWN).all() for one in states):  # the ends of scribbles do not count
        warn_if_exchanged(data, states, call, 3)
    pairs, occupancy = _count_known(states, n_states)
    A = adjacency(pairs, occupancy, data.dimensions, smoothing)
    if data.kind == "discrete":
        return DiscreteModel(A, _emissions(data, states, n_states, smoothing), window)
    if not occupancy.all():
        raise ParameterError(
            f"each of {n_states} states must have at least one node, got counts {occupancy}"
        )
    means = np.stack([_mean(data, states, j) for j in range(n_states)])
    known = [one != UNKNOWN for one in states]
    vectors = [o[k] for o, k in zip(data.values, known, strict=True)]
    sums = scatters(vectors, [one[k] for one, k in zip(states, known, strict=True)], means)
    sigma, ridge = covariances_from(data, sums, occupancy)
    return GaussianModel(A, means, sigma, window, data.scalar, ridge)


def _known(labels: Any, n_states: int, shapes: list[Shape]) -> list[States]:
    """Return labels as maps of states of these shapes."""
    found = read_each(labels, lambda one: _check_labels(one, n_states))
    if [one.shape for one in found] != shapes:
        raise ParameterError(f"labels must have the shapes {shown(shapes)}, as observations do")
    if all((one == UNKNOWN).all() for one in found):
        raise ParameterError("the label of at least one node must be known, got 255 for all")
    return found


def _check_labels(labels: Any, n_states: int) -> States:
    """Return labels as a map with 255 for unknown nodes."""
    filled = as_lattice(labels, "labels").copy()
    unknown = filled == UNKNOWN
    filled[unknown] = 0
    states = check_map(filled, n_states, "labels")
    states[unknown] = UNKNOWN
    return states


def _count_known(states: Sequence[States], n_states: int) -> tuple[Counts, Counts]:
    """Return A' and the number of nodes of each state; unknown nodes count as outside."""
    if not any((one == UNKNOWN).any() for one in states):
        return count(states, n_states)
    found = [pairs_and_nodes(one[None], [UNKNOWN + 1])[0] for one in states]
    pairs, occupancy = counted(found)
    return pairs[:n_states, :n_states], occupancy[:n_states]


def _kind_of(observations: Any) -> Kind:
    """Return the kind of observations: whole numbers are symbols, others vectors."""
    if isinstance(observations, DataSet):
        return observations.kind
    return "gaussian" if first_lattice(observations).dtype.kind == "f" else "discrete"


def _emissions(data: DataSet, states: Sequence[States], n_states: int, smoothing: float) -> Matrix:
    size = data.n_symbols
    counts = _joint(states, data.values, n_states, size) + smoothing
    mass = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, mass, out=np.full(counts.shape, 1 / size), where=mass > 0))


def _joint(states: Sequence[States], others: Sequence[Any], n_states: int, size: int) -> Counts:
    """Count nodes by their known state and another number, (N, size); unknown ones are left out."""
    n = UNKNOWN + 1 if any((one == UNKNOWN).any() for one in states) else n_states
    parts = [contingency(q, o, n, size) for q, o in zip(states, others, strict=True)]
    return np.asarray(np.sum(parts, axis=0)[:n_states])


def _mean(data: DataSet, states: Sequence[States], j: int) -> Floats:
    own = [o[q == j] for o, q in zip(data.values, states, strict=True)]
    return np.asarray(np.concatenate(own).mean(axis=0, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class LabelScore(Value):
    """Agreement of decodings with labels, state by state: none are matched.

    Attributes
    ----------
    confusion : ndarray, shape (N, N), int64
        Nodes by their label (rows) and their decoded state (columns).

    Examples
    --------
    >>> LabelScore(np.array([[1, 1], [0, 2]])).recalls.tolist()
    [0.5, 1.0]
    """

    confusion: Counts

    @property
    def accuracy(self) -> float:
        """The share of nodes whose state is their label; of three-state proteins the Q3."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    @property
    def recalls(self) -> Floats:
        """The share of each label's nodes that are decoded as it, (N,); NaN if it has none."""
        found, own = np.diagonal(self.confusion), self.confusion.sum(axis=1)
        none = np.full(found.shape, np.nan)
        return np.asarray(np.divide(found, own, out=none, where=own > 0))


def score_labels(states: Any, labels: Any, *, n_states: int) -> LabelScore:
    """Return the agreement of decoded states with labels.

    Parameters
    ----------
    states, labels : ndarray, shape (*shape), or a list or tuple of them for a data set
        From 0 to N-1; a label is 255 where it is not known, which is not counted.
    n_states : int
        N, from 1 to 255.

    Returns
    -------
    LabelScore

    Raises
    ------
    ParameterError
        If one is not a map of states, or the shapes differ.

    Examples
    --------
    >>> score_labels([0, 1, 1], labels=[0, 0, 1], n_states=2).confusion.tolist()
    [[1, 1], [0, 1]]
    """
    n_states = check_states(n_states)
    found = as_maps(states, n_states)
    known = _known(labels, n_states, [one.shape for one in found])
    return LabelScore(_joint(known, found, n_states, n_states))
