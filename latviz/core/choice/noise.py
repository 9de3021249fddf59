"""Indices of fit for noise, to separate the data's structure from the effect of the window.

Windows of neighbouring nodes share most of their nodes, so neighbours agree in state even in noise:
its associativity rises with w. Both indices are compared with those of the same observations in
another order, which has no structure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import (
    check_integer,
    check_progress,
    check_word,
)
from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.refining import refine
from latviz.core.choice.refining_scales import refine_scales
from latviz.core.choice.settings import length_of_one_state
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.lattice import each_of
from latviz.core.data.masks import scattered
from latviz.core.data.merge_tree import MergeTree
from latviz.core.decoders import DECODERS, Decoder
from latviz.core.inference.beliefs import settled
from latviz.core.model.fitting import FitSettings, settings_of, showing_settings, spaced_by
from latviz.core.model.indices import associativity, count, inertia
from latviz.core.model.learning import adjacency, codebook_of, learn_from_sample
from latviz.core.model.models import KINDS
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Matrix, States, Window
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

N_ORDERS = 4
"""Random orders that are tried; see `code_length.prediction_bound` for what a fifth one reaches."""
MOST_NODES = 1 << 16
"""Nodes in the middle of a data set that are reordered; more of them would change the indices of
noise by less than these differ between two orders."""


@dataclass(frozen=True, eq=False)
class NoiseIndices(Value):
    """Both indices of fit in each of some random orders of the observations.

    Attributes
    ----------
    associativity, inertia : ndarray, shape (n_orders,), float64
        From 0 to 1; the associativity is NaN if no node has a neighbour.
    gain : ndarray, shape (n_orders,), float64
        Bits per node by which neighbours' beliefs shorten the code of one state; NaN if the decoder
        does not use neighbours. Beliefs put noise into one large region with high indices; a gain
        near 0 reveals it.

    Examples
    --------
    >>> seen, setting = stripes((8, 8), widths=4), {"n_states": 2, "window": 1}
    >>> found = noise_indices(seen, **setting, n_orders=3)
    >>> found.inertia.shape, bool((found.inertia < inertia(seen, **setting)).all())
    ((3,), True)
    """

    associativity: Floats
    inertia: Floats
    gain: Floats


@renamed("observations settings")
@showing_settings
def noise_indices(
    observations: Any,
    *,
    settings: FitSettings | None = None,
    kind: str = "discrete",
    n_symbols: int | None = None,
    scalar: bool | None = None,
    decoder: str = "nearest",
    n_orders: int = N_ORDERS,
    progress: Progress | None = None,
    **fields: Any,
) -> NoiseIndices:
    """Return the indices of fit of the observations in random orders.

    Each order is learned from, decoded and counted as the observations are, with its codebook from
    a sample of 4,096 signatures. If an index of the observations is not higher, it shows no
    structure. Of large data sets the middle 65,536 nodes are used. The orders are always the same.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice or a data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    settings, n_symbols, fields
        As for `DiscreteModel.fit`, which learns from each order.
    kind : {"discrete", "gaussian"}, optional
        The variant of the model.
    scalar : bool, optional
        As for `as_data_set`.
    decoder : {"nearest", "likelihood", "belief", "refined", "scales", "viterbi"}, optional
        The decoder, see `decode`; "refined" and "scales" decode by belief after the model was
        refined, see `refine` and `refine_scales`.
    n_orders : int, optional
        The number of orders, 1 to 1,000.
    progress : Progress, optional
        May cancel.

    Returns
    -------
    NoiseIndices

    Raises
    ------
    ParameterError
        If an argument is outside its range or a lattice is not of the kind.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> halves = stripes((8, 8), widths=4)
    >>> found = noise_indices(halves, n_states=2, window=1, n_orders=3)
    >>> bool(found.inertia.max() < inertia(halves, n_states=2, window=1))
    True
    """
    data = as_data_set(observations, kind=kind, n_symbols=n_symbols, scalar=scalar)
    data, fit = spaced_by(data, settings_of(settings, fields))
    watch = check_progress(progress)
    check_word("decoder", decoder, tuple(DECODERS))
    orders = shuffled(data, check_integer("n_orders", n_orders, 1, 1000))
    trees = trees_of(orders, fit.learning_window, watch)
    return indices_of(orders, trees, fit, watch, decoder=decoder)


def shuffled(data: DataSet, n_orders: int = N_ORDERS) -> tuple[DataSet, ...]:
    """Return the middle of a data set, its observations in random orders over all lattices."""
    some = data.middle(MOST_NODES)
    rng = np.random.default_rng(0)
    return tuple(_reordered(some, rng.permutation(some.n_known)) for _ in range(n_orders))


def trees_of(
    orders: Sequence[DataSet], codebook_window: Window, progress: Progress | None = None
) -> tuple[MergeTree, ...]:
    """Return the merge tree of a sample of each order's signatures, with w_l."""
    found = []
    for data in orders:
        stop_if_cancelled(progress)
        found.append(learn_from_sample(data, codebook_window))
    return tuple(found)


def indices_of(
    orders: Sequence[DataSet],
    trees: Sequence[MergeTree],
    fit: FitSettings,
    progress: Progress | None = None,
    *,
    decoder: str = "nearest",
) -> NoiseIndices:
    """Return the indices of orders, with the codebooks of their trees."""
    found = []
    for data, tree in zip(orders, trees, strict=True):
        codebook = codebook_of(tree, fit.n_states)
        A, states, gain = _decoded(data, codebook, fit, progress, DECODERS[decoder])
        inertia_ = inertia(
            states, n_states=fit.n_states, window=each_of(fit.window)[0], spacing=data.spacing
        )
        found.append((associativity(A), inertia_, gain))
    return NoiseIndices(*np.array(found).T)


def _decoded(
    data: DataSet,
    codebook: Floats,
    fit: FitSettings,
    progress: Progress | None,
    decoder: Decoder,
) -> tuple[Matrix, list[States], float]:
    """Return A over the states, the states, and the gain from neighbours."""
    states = decode_each(data, codebook, fit.window, progress)
    model = KINDS[data.kind].from_states(data, codebook=codebook, states=states, settings=fit)
    if decoder.is_nearest and fit.smoothing == 0:
        return model.A, states, math.nan
    if decoder.refines:
        again = refine_scales if decoder.has_scales else refine
        model = again(data, model=model, progress=progress).model
    gain = math.nan
    if decoder.has_beliefs:
        strength = model.strength(data, progress=progress)
        fields = settled(model.emission, model.A, data, strength, progress)
        alone = length_of_one_state(data, model.emission)
        gain = alone.bits - cavity_length(fields, model.emission).bits
    if decoder.is_believed:
        states = [field.states() for field in fields]
    else:
        states = model.decode(data, decoder=decoder.plain, progress=progress)
    pseudo = 0.0 if decoder.refines else fit.smoothing  # a refined model has none
    A = adjacency(*count(states, model.n_states), data.n_directions, pseudo)
    return A, states, gain


def _reordered(data: DataSet, order: NDArray[np.int64]) -> DataSet:
    """Return a data set whose k-th known node has the observation of known node ``order[k]``."""
    rows = np.concatenate(data.rows)[order]
    lattices = scattered(rows, data.shapes, data.masks)
    return (
        as_data_set(lattices, kind=data.kind, n_symbols=data.n_symbols)
        .under(data.masks)
        .spaced(data.spacing)
    )
