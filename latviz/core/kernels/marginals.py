"""What the messages of `chains` say of each node: beliefs, states, code lengths.

``unary`` and ``messages`` are flat tiles of ``sizes``, as `chains` has them; observations and
results are by row: (R, W). Each function does the tiles from ``start`` to ``stop``.
"""

import numpy as np

from . import eights, lanes
from .chains import LANES, LEAST, says
from .compiler import njit

FLOOR = LEAST**4
"""The least likelihood of an observation, of which the greatest is 1."""


@njit(nogil=True)
def of_symbols(symbols, table, sizes, start, stop, out):
    """Write the likelihoods of symbols (R, W) under each state; table (M, N) float32."""
    _, _, n_rows, n_states = sizes
    height, width = symbols.shape
    for tile in range(start, stop):
        for row in range(height):
            at = (tile * n_rows + row) * n_states * LANES
            for k in range(min(LANES, width - tile * LANES)):
                symbol = symbols[row, tile * LANES + k]
                for j in range(n_states):
                    out[at + j * LANES + k] = table[symbol, j]


@njit(nogil=True)
def of_vectors(vectors, normals, sizes, start, stop, out, tops):
    """Write the likelihoods of vectors (R, W, M) under each state, as shares of the greatest.

    ``tops`` (R,) float64: the sum of the logarithms of the greatest. It is rows, not tiles, that
    are done. ``normals`` (N, P) are as `lanes.log_densities_of_row` has them.
    """
    _, _, n_rows, n_states = sizes
    width = vectors.shape[1]
    logs = np.empty((n_states, width))
    own = np.empty(width, np.uint8)
    for row in range(start, stop):
        for j in range(n_states):
            own[:] = j
            lanes.log_densities_of_row(own, vectors[row], normals, logs[j])
        tops[row] = 0.0
        for x in range(width):
            top = logs[0, x]
            for j in range(1, n_states):
                top = max(top, logs[j, x])
            tops[row] += top
            at = (x // LANES * n_rows + row) * n_states * LANES + x % LANES
            for j in range(n_states):
                share = np.float32(np.exp(logs[j, x] - top))
                out[at + j * LANES] = max(FLOOR, share)


@njit(nogil=True)
def beliefs(unary, messages, sizes, start, stop, out):
    """Write the beliefs (R, W, N), which sum to 1."""
    n_axes, n_states = sizes[0], sizes[3]
    height, width, _ = out.shape
    weights = np.empty(n_states * LANES, np.float32)
    for tile in range(start, stop):
        for row in range(height):
            says(unary, messages, n_axes, sizes, tile, row, weights, 0)
            eights.normalise(weights, n_states)
            for k in range(min(LANES, width - tile * LANES)):
                for j in range(n_states):
                    out[row, tile * LANES + k, j] = weights[j * LANES + k]


@njit(nogil=True)
def states(unary, messages, sizes, start, stop, out):
    """Write the state of most belief (R, W), of several the smallest."""
    n_axes, n_states = sizes[0], sizes[3]
    height, width = out.shape
    weights, found = np.empty(n_states * LANES, np.float32), np.empty(LANES, np.uint8)
    for tile in range(start, stop):
        for row in range(height):
            says(unary, messages, n_axes, sizes, tile, row, weights, 0)
            eights.likeliest(weights, n_states, found)
            for k in range(min(LANES, width - tile * LANES)):
                out[row, tile * LANES + k] = found[k]


@njit(nogil=True)
def cavity_nats(unary, messages, sizes, height, width, start, stop, out):
    """Write for each tile the sum of -log sum_j c(j) u(j), c the cavity and u the likelihood.

    Of eight nodes one logarithm is taken, that of their product: no factor is less than `FLOOR`.
    """
    n_axes, _, n_rows, n_states = sizes
    weights, told = np.empty(n_states * LANES, np.float32), np.empty(LANES, np.float32)
    for tile in range(start, stop):
        nats = 0.0
        for row in range(height):
            says(unary, messages, n_axes, sizes, tile, row, weights, 0)
            at = (tile * n_rows + row) * n_states * LANES
            eights.told_by_others(weights, unary, at, n_states, told)
            product = 1.0
            for k in range(min(LANES, width - tile * LANES)):
                product *= told[k]
            nats -= np.log(product)
        out[tile] = nats
