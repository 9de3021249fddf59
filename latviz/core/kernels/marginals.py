"""Results from the messages of `chains` by node: beliefs, states, code lengths.

``unary`` and ``messages`` are flat tiles of ``sizes``, as in `chains`; observations and results are
by row: (R, W). Each function handles the tiles from ``start`` to ``stop``.
"""

import numpy as np

from . import eights, lanes
from .chains import LANES, multiplied
from .compiler import njit


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
def of_vectors(vectors, densities, sizes, start, stop, out, tops):
    """Write the likelihoods of vectors (R, W, M) under each state, as shares of the greatest."""
    # tops (R,) float64: the sum of the logarithms of the greatest. start and stop are rows, not
    # tiles; densities (means, whiteners, constants) as for `lanes.normal_scores_of_row`. Columns
    # beyond the row are written too, as nodes at 0
    means, whiteners, constants = densities
    _, _, n_rows, n_states = sizes
    width, n_channels = vectors.shape[1:]
    room = width + LANES - 1
    points, halves = np.zeros((n_channels, room)), np.full(room, 0.5)
    logs, top = np.empty((n_states, room)), np.empty(LANES)
    flat = logs.reshape(-1)
    for row in range(start, stop):
        for x in range(width):
            for c in range(n_channels):
                points[c, x] = vectors[row, x, c]
        lanes.normal_scores_of_row(points, halves, means, whiteners, constants, logs)
        tops[row] = 0.0
        for x in range(0, width, LANES):
            to = (x // LANES * n_rows + row) * n_states * LANES
            eights.shares_of_likeliest(flat, x, room, n_states, out, to, top)
            for k in range(min(LANES, width - x)):
                tops[row] += top[k]


@njit(nogil=True)
def count(weights, symbols, out):
    """Add the weights (U, N) float32 of each symbol's nodes to out (N, M) float64; symbols (U,)."""
    for t in range(symbols.size):
        for j in range(weights.shape[1]):
            out[j, symbols[t]] += weights[t, j]


@njit(nogil=True)
def moments(weights, vectors, out):
    """Write sum_t w(t, j) z(t, a) z(t, b), z(t, 0) = 1, to out ((M + 1) (M + 2) / 2, N) float64."""
    # weights (U, N) float32; vectors (U, M) float64: z from its second entry on. A row of out for
    # each a and b <= a, as `numpy.tril_indices` orders them. States lie side by side, because LLVM
    # does several at once there; four nodes are added up before each sum is read and written
    n_nodes, n_channels = vectors.shape
    n_states = weights.shape[1]
    z, own = np.ones((n_channels + 1, 4)), np.empty((4, n_states))
    out[:] = 0.0
    for t in range(0, n_nodes, 4):
        for k in range(4):
            node = min(t + k, n_nodes - 1)
            for c in range(n_channels):
                z[c + 1, k] = vectors[node, c]
            for j in range(n_states):
                own[k, j] = weights[node, j] if t + k < n_nodes else 0.0
        place = 0
        for a in range(n_channels + 1):
            for b in range(a + 1):
                one, two = z[a, 0] * z[b, 0], z[a, 1] * z[b, 1]
                three, four = z[a, 2] * z[b, 2], z[a, 3] * z[b, 3]
                for j in range(n_states):
                    first = one * own[0, j] + two * own[1, j]
                    out[place, j] += first + (three * own[2, j] + four * own[3, j])
                place += 1


@njit(nogil=True)
def beliefs(unary, messages, sizes, start, stop, out):
    """Write the beliefs (R, W, N), which sum to 1."""
    n_axes, n_states = sizes[0], sizes[3]
    height, width, _ = out.shape
    weights = np.empty(n_states * LANES, np.float32)
    for tile in range(start, stop):
        for row in range(height):
            multiplied(unary, messages, n_axes, sizes, tile, row, weights, 0)
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
            multiplied(unary, messages, n_axes, sizes, tile, row, weights, 0)
            eights.likeliest(weights, n_states, found)
            for k in range(min(LANES, width - tile * LANES)):
                out[row, tile * LANES + k] = found[k]


@njit(nogil=True)
def entropies(unary, messages, sizes, start, stop, out):
    """Write the entropy of each node's belief (R, W), float32, in bits."""
    n_axes, n_states = sizes[0], sizes[3]
    height, width = out.shape
    weights = np.empty(n_states * LANES, np.float32)
    for tile in range(start, stop):
        for row in range(height):
            multiplied(unary, messages, n_axes, sizes, tile, row, weights, 0)
            eights.normalise(weights, n_states)
            for k in range(min(LANES, width - tile * LANES)):
                bits = np.float32(0.0)
                for j in range(n_states):
                    share = weights[j * LANES + k]
                    if share > 0:
                        bits -= share * np.log2(share)
                out[row, tile * LANES + k] = bits


@njit(nogil=True)
def cavity_nats(unary, messages, sizes, height, width, start, stop, out):
    """Write for each tile the sum of -log sum_j c(j) u(j), c the cavity and u the likelihood."""
    # One logarithm for eight nodes, that of their product: no factor is less than 2^-60
    n_axes, _, n_rows, n_states = sizes
    weights, means = np.empty(n_states * LANES, np.float32), np.empty(LANES, np.float32)
    for tile in range(start, stop):
        nats = 0.0
        for row in range(height):
            multiplied(unary, messages, n_axes, sizes, tile, row, weights, 0)
            at = (tile * n_rows + row) * n_states * LANES
            eights.mean_likelihood(weights, unary, at, n_states, means)
            product = 1.0
            for k in range(min(LANES, width - tile * LANES)):
                product *= means[k]
            nats -= np.log(product)
        out[tile] = nats


@njit(nogil=True)
def cavities(unary, messages, sizes, start, stop, out):
    """Write for each node -log sum_j c(j) u(j), (R, W) float64; see `cavity_nats`."""
    n_axes, _, n_rows, n_states = sizes
    height, width = out.shape
    weights, means = np.empty(n_states * LANES, np.float32), np.empty(LANES, np.float32)
    for tile in range(start, stop):
        for row in range(height):
            multiplied(unary, messages, n_axes, sizes, tile, row, weights, 0)
            at = (tile * n_rows + row) * n_states * LANES
            eights.mean_likelihood(weights, unary, at, n_states, means)
            for k in range(min(LANES, width - tile * LANES)):
                out[row, tile * LANES + k] = -np.log(np.float64(means[k]))
