"""Signatures: what the window around each node holds (paper 2.4, 3.2)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.fixed_point import FixedPoint
from latviz.core.data.lattice import check_symbols, fit_window
from latviz.core.windows.nodes import Nodes, totals_at
from latviz.core.windows.window_sums import Source, counts, each_plane

Signature = NDArray[np.float32]


def symbol_source(symbols: NDArray[Any], n_symbols: int) -> Source:
    """Return the source of the discrete signature, the counts of the window's symbols."""
    return counts(symbols, n_symbols)


def vector_source(vectors: FixedPoint) -> Source:
    """Return the source of the Gaussian signature, the sums of the window's vectors."""
    shape, n_channels = vectors.values.shape[:-1], vectors.values.shape[-1]
    return Source(vectors.values, shape, n_channels, np.int64)


def window_signature(
    observation: NDArray[Any] | FixedPoint, n_symbols: int, window: int
) -> Signature:
    """Return the signature of every node, shape (*shape, M), float32.

    Parameters
    ----------
    observation : ndarray, shape (*shape), or FixedPoint
        Symbols 0..M-1, or vectors.
    n_symbols : int
        M.
    window : int
        Half-width w >= 0.

    Returns
    -------
    ndarray, shape (*shape, M), float32
        Discrete: the share of each symbol in the clipped window; rows sum to 1. The paper's
        algorithms divide by M; its text (a sample probability) asks for n_t, as here.
        Gaussian: the mean of the clipped window.

    Raises
    ------
    ParameterError
        If the observation holds anything but symbols 0..M-1, or the window is negative.
    """
    if not isinstance(observation, FixedPoint):
        observation = check_symbols(observation, n_symbols)
    source, scales, offsets = _described(observation, n_symbols)
    window = fit_window(window, source.shape)
    out = np.empty((*source.shape, source.n_channels), dtype=np.float32)

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        columns = source.columns(plane.shape[1])
        kernels.windows.averages(
            plane, window, start, stop, columns, layers, scales, offsets, output
        )

    each_plane(source, window, out, visit)
    return out


def signature_at(
    observation: NDArray[Any] | FixedPoint,
    n_symbols: int,
    window: int,
    nodes: Nodes,
) -> Signature:
    """Return the signatures at some nodes of an image, shape (n_nodes, M), float32.

    ``nodes`` are rows and columns, sorted by row. Symbols are trusted to be from 0 to M-1.
    Otherwise as `window_signature`.
    """
    source, scales, offsets = _described(observation, n_symbols)
    height, width = source.shape
    window = fit_window(window, source.shape)
    if nodes[0].size * (2 * window + 1) ** 2 <= 2 * height * width:
        return totals_at(observation, n_symbols, window, nodes).signatures()
    out = np.empty((nodes[0].size, n_symbols), dtype=np.float32)

    def task(start: int, stop: int) -> None:
        rows, columns = (axis[start:stop] for axis in nodes)
        sums, part = source.columns(width), out[start:stop]
        kernels.windows.averages_at(
            source.values, window, rows, columns, sums, scales, offsets, part
        )

    threads.over_rows(len(out), task)
    return out


def _described(
    observation: NDArray[Any] | FixedPoint, n_symbols: int
) -> tuple[Source, NDArray[np.float64], NDArray[np.float64]]:
    if isinstance(observation, FixedPoint):
        return vector_source(observation), observation.scales, observation.offsets
    return symbol_source(observation, n_symbols), np.ones(n_symbols), np.zeros(n_symbols)
