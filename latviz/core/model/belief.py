"""The belief state of each window, and the doubt that its entropy measures."""

import math
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.checks import check_progress, check_window
from latviz.core.data.data_set import Several, given_back
from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of
from latviz.core.data.lattice import fit_window
from latviz.core.model.models import DiscreteModel, GaussianModel, Model, check_model
from latviz.core.progress import Progress, shares, stop_if_told
from latviz.core.types import Floats, Matrix, NodeMap, OneLattice, Shape
from latviz.core.windows.parts import around, sweeps
from latviz.core.windows.signature import vector_source
from latviz.core.windows.window_sums import (
    Source,
    blank_row,
    each_plane,
    in_vectors,
    nodes_across,
    vector_columns,
)

_BAND = 1 << 22
"""Nodes that are done between two questions whether to go on."""
_MOST_BITS, _SUM_BITS = 40, 52
"""Bits after the point that are of use, and those that float64 has for a sum, but for the sign."""
_TOLERANCE = 1e-6
"""Bits by which the logarithm of a belief may be wrong."""


@overload
def belief_entropy(
    model: Model,
    observations: Several,
    window: int | None = ...,
    *,
    progress: Progress | None = ...,
) -> list[NodeMap]: ...


@overload
def belief_entropy(
    model: Model,
    observations: OneLattice,
    window: int | None = ...,
    *,
    progress: Progress | None = ...,
) -> NodeMap: ...


def belief_entropy(
    model: Model,
    observations: Any,
    window: int | None = None,
    *,
    progress: Progress | None = None,
) -> Any:
    """Return the entropy of each node's belief state, shape (*shape), float32, bits.

    The belief p_t(j) is proportional to the probability of the window's observations, were all of
    them emitted by state j on its own: prod_s B(j, o_s); of Gaussian models to the density of the
    window's mean under N(mu_j, Sigma_j / n_t). It is from 0 (no doubt) to log2 N. A data set gives
    a list.

    A state that emits more impossible symbols of a window than another one has no belief: zeros of
    B count as a probability, the same for all, that tends to 0. Entropies of symbols are exact to
    2e-6 bits, and the same on any number of threads.

    Parameters
    ----------
    model : DiscreteModel or GaussianModel
    observations : ndarray, or a list or tuple of them, or DataSet
        As for the model's `decode`.
    window : int, optional
        Half-width w; the model's if it is not given.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Returns
    -------
    ndarray, shape (*shape), float32, or a list of them for a data set
        In bits, from 0 to log2 N.

    Raises
    ------
    ParameterError
        If an observation does not suit the model.
    Cancelled
        If ``progress`` says so.
    """
    data = check_model(model).data_set(observations)
    chosen = model.window if window is None else check_window(window)
    check_progress(progress)
    parts = shares(progress, [math.prod(shape) for shape in data.shapes])
    found = data.each(lambda lattice: entropy_of(model, lattice, chosen, next(parts)))
    return given_back(observations, found)


def entropy_of(
    model: Model, lattice: Lattice, window: int, progress: Progress | None = None
) -> NodeMap:
    """Return `belief_entropy` of a lattice that was checked."""
    shape = shape_of(lattice)
    window = fit_window(window, shape)
    entropy = np.empty(shape, dtype=np.float32)
    for rows in sweeps(shape, _BAND, window):
        stop_if_told(progress)
        region = (rows, *(slice(0, length) for length in shape[1:]))
        part, inner = around(lattice, region, window)
        entropy[rows] = _entropies(model, part, window)[inner]
        if progress is not None:
            progress.report(rows.stop / shape[0])
    return entropy


def _entropies(model: Model, lattice: Lattice, window: int) -> NodeMap:
    out = np.empty(shape_of(lattice), dtype=np.float32)
    if isinstance(model, DiscreteModel):
        assert not isinstance(lattice, FixedPoint)
        _symbol_entropies(model, lattice, window, out)
    else:
        assert isinstance(lattice, FixedPoint)
        _vector_entropies(model, lattice, window, out)
    return out


def _symbol_entropies(
    model: DiscreteModel, symbols: NDArray[Any], window: int, out: NodeMap
) -> None:
    table, units = log_beliefs(model.B, symbols.shape, window)
    source = Source(symbols, symbols.shape, table.shape[1], np.int64, table)
    summed = in_vectors(source, np.float64, np.float64)

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        columns, _ = summed.rooms(plane.shape[1], min(window, plane.shape[1]))
        kernels.entropy.of_symbols(
            plane, summed.tables, blank_row(plane), window, start, stop, columns, units,
            model.n_states, output,
        )  # fmt: skip

    each_plane(summed.source, window, out, visit)


def log_beliefs(B: Matrix, shape: Shape, window: int) -> tuple[NDArray[np.int64], Floats]:
    """Return log2 B in fixed point, in parts whose sums over windows are exact.

    Of each symbol's logarithms the middle is left out, as that changes no belief. One part has as
    many bits after the point as float64 leaves its sums. If that is too few, as in windows of some
    5,000 nodes, a second one has what rounding took from the first. If B has zeros, a last part
    counts them, in a unit that no other logarithms make up for.

    Parameters
    ----------
    B : ndarray, shape (N, M), float64
    shape : tuple of int
        The lattice's.
    window : int
        Half-width w >= 0.

    Returns
    -------
    table : ndarray, shape (M, K N), int64
        Part after part.
    units : ndarray, shape (K,), float64
        What 1 is worth in each, in bits.
    """
    possible = B.T > 0
    logs = np.log2(B.T, out=np.zeros(B.T.shape), where=possible)
    apart = logs - ((logs.max(axis=1) + logs.min(axis=1)) / 2)[:, None]
    n_nodes = nodes_across(shape, window) * min(shape[-1], 2 * window + 1)
    reach = n_nodes * float(np.abs(apart).max())
    bits = min(_MOST_BITS, _SUM_BITS - math.ceil(reach + 1).bit_length())
    parts = [np.rint(np.ldexp(apart, bits))]
    units = [2.0**-bits]
    if n_nodes * units[0] > _TOLERANCE:
        finer = _SUM_BITS - n_nodes.bit_length()
        parts.append(np.rint(np.ldexp(np.ldexp(apart, bits) - parts[0], finer)))
        units.append(units[0] * 2.0**-finer)
    if not possible.all():
        parts.append(~possible)
        units.append(-2 * reach - 1024.0)
    return np.concatenate(parts, axis=1).astype(np.int64), np.array(units)


def _vector_entropies(model: GaussianModel, vectors: FixedPoint, window: int, out: NodeMap) -> None:
    source = vector_source(vectors)
    whiteners = np.linalg.inv(np.linalg.cholesky(model.covariances))
    log_det = np.log2(np.diagonal(whiteners, axis1=1, axis2=2)).sum(axis=1)
    # A density in bits: half the squared distance times log2 e.
    whiteners *= np.sqrt(0.5 / np.log(2.0))
    normals = model.means - vectors.offsets, whiteners, log_det

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        kernels.entropy.of_vectors(
            plane, blank_row(plane), window, start, stop, vector_columns(plane, window), layers,
            vectors.scales, normals, output,
        )  # fmt: skip

    each_plane(source, window, out, visit)
