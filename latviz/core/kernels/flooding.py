"""Sum-product with all messages sent at once, so that distant nodes have no effect.

A lattice is rows ``(R, W)``, as in `likelihood`. Numbers of nodes lie by row, state and column, so
that neighbouring columns are computed together. Message ``2 axis`` of a node comes from the node
before it along an axis, ``2 axis + 1`` from the node after it.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit


@callee()
def multiplied(unary, messages, row, but, out):
    """Write the product of a row's likelihoods and all messages to it but one to out (N, W)."""
    # unary (R, N, W) and messages (2 d, R, N, W) float32; but = -1 leaves none out
    n_states, width = out.shape
    for j in range(n_states):
        own, product = unary[row, j], out[j]
        for x in range(width):
            product[x] = own[x]
        for k in range(messages.shape[0]):
            if k != but:
                heard = messages[k, row, j]
                for x in range(width):
                    product[x] *= heard[x]


@callee()
def through(product, potentials, sent, most):
    """Write the messages to neighbours, told (N, W), and the greatest number of each, most (W,)."""
    # product (N, W), potentials (N, N), all float64
    n_states, width = product.shape
    for x in range(width):
        most[x] = 0.0
    for j in range(n_states):
        own = sent[j]
        for x in range(width):
            own[x] = 0.0
        for i in range(n_states):
            share, given = potentials[i, j], product[i]
            for x in range(width):
                own[x] += share * given[x]
        for x in range(width):
            most[x] = max(most[x], own[x])


@callee(error_model="numpy")
def write(sent, most, shift, out):
    """Write messages (N, W) ``shift`` columns on, each scaled so that its greatest number is 1."""
    n_states, width = sent.shape
    for j in range(n_states):
        own, heard = sent[j], out[j]
        for x in range(max(0, -shift), width - max(0, shift)):
            heard[x + shift] = own[x] / most[x] if most[x] > 0 else 1.0  # 0 of an unknown node


@njit(nogil=True)
def send(unary, messages, strides, lengths, potentials, start, stop, out):
    """Write the messages that nodes of rows start to stop send, from those of the pass before."""
    # unary (R, N, W), messages and out (2 d, R, N, W) float32, potentials (N, N) float64,
    # symmetric; strides and lengths (d - 1,) int64: rows between neighbours along each leading
    # axis, and its length. Messages that would come from beyond the border are not written
    _, n_states, width = unary.shape
    product, sent = np.empty((n_states, width)), np.empty((n_states, width))
    most, last = np.empty(width), strides.size
    for row in range(start, stop):
        for k in range(2 * last + 2):
            axis, step = k // 2, 2 * (k % 2) - 1
            to, shift = row, step
            if axis < last:
                place = (row // strides[axis]) % lengths[axis] + step
                if not 0 <= place < lengths[axis]:
                    continue
                to, shift = row + step * strides[axis], 0
            multiplied(unary, messages, row, k, product)
            through(product, potentials, sent, most)
            write(sent, most, shift, out[k ^ 1, to])


@njit(nogil=True, error_model="numpy")
def beliefs(unary, messages, start, stop, out):
    """Write the beliefs of some rows' nodes, (R, W, N) float32, which sum to 1."""
    _, n_states, width = unary.shape
    product, total = np.empty((n_states, width)), np.empty(width)
    for row in range(start, stop):
        multiplied(unary, messages, row, -1, product)
        for x in range(width):
            total[x] = 0.0
        for j in range(n_states):
            for x in range(width):
                total[x] += product[j, x]
        for j in range(n_states):
            for x in range(width):
                out[row, x, j] = product[j, x] / total[x] if total[x] > 0 else 0.0
