"""The belief state of each window, and the doubt that its entropy measures."""

import math
from typing import Any, overload

import numpy as np

from latviz.core import threads
from latviz.core.checks import check_progress, check_window
from latviz.core.data.data_set import Several, given_back
from latviz.core.data.fixed_point import Lattice, shape_of
from latviz.core.data.lattice import fit_window
from latviz.core.model.models import DiscreteModel, Model, check_model
from latviz.core.progress import Progress, shares, stop_if_told
from latviz.core.types import Counts, Matrix, NodeMap, OneLattice, Shape, Signature
from latviz.core.windows.parts import signatures_of_rows, sweeps

_BAND = 1 << 20
_BLOCK = 1 << 12
_IMPOSSIBLE = -1e30


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
    shape, n_symbols = shape_of(lattice), model.n_symbols
    window = fit_window(window, shape)
    entropy = np.empty(shape, dtype=np.float32)
    for rows in sweeps(shape, _BAND, window):
        stop_if_told(progress)
        points = signatures_of_rows(lattice, n_symbols, window, rows).reshape(-1, n_symbols)
        sizes = window_sizes(shape, window, rows).reshape(-1)
        entropy[rows] = _entropies(model, points, sizes).reshape(entropy[rows].shape)
        if progress is not None:
            progress.report(rows.stop / shape[0])
    return entropy


def window_sizes(shape: Shape, window: int, rows: slice) -> Counts:
    """Return n_t, the number of nodes in the clipped window, of some rows' nodes."""
    sizes = np.ones((1,) * len(shape), dtype=np.int64)
    for axis, length in enumerate(shape):
        t = np.arange(length)
        counts = np.minimum(t + window, length - 1) - np.maximum(t - window, 0) + 1
        counts = counts[rows] if axis == 0 else counts
        sizes = sizes * counts.reshape([-1 if k == axis else 1 for k in range(len(shape))])
    return sizes


def _entropies(model: Model, signatures: Signature, sizes: Counts) -> NodeMap:
    found = np.empty(len(signatures), dtype=np.float32)
    scores = _scores_of(model)

    def task(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            found[block] = _entropy(scores(signatures[block].astype(np.float64), sizes[block]))

    threads.over_rows(len(found), task)
    return found


def _scores_of(model: Model) -> Any:
    """Return the function from signatures (n, M) and sizes (n,) to log-beliefs (n, N)."""
    if isinstance(model, DiscreteModel):
        with np.errstate(divide="ignore"):
            log_B = np.maximum(np.log(model.B), _IMPOSSIBLE)
        return lambda x, n: np.rint(n[:, None] * x) @ log_B.T
    whiteners = np.linalg.inv(np.linalg.cholesky(model.covariances))
    log_det = -2 * np.log(np.diagonal(whiteners, axis1=1, axis2=2)).sum(axis=1)

    def scores(x: Matrix, n: Counts) -> Matrix:
        distances = np.stack(
            [
                ((x - mean) @ whitener.T) ** 2 @ np.ones(len(mean))
                for mean, whitener in zip(model.means, whiteners, strict=True)
            ],
            axis=1,
        )
        return np.asarray(-0.5 * (n[:, None] * distances + log_det))

    return scores


def _entropy(scores: Matrix) -> Matrix:
    """Return the entropy in bits of the softmax of each row."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    masses = np.exp(shifted)
    totals = masses.sum(axis=1)
    nats = np.log(totals) - (masses * np.maximum(shifted, -1e4)).sum(axis=1) / totals
    return np.asarray(nats / np.log(2.0))
