"""Sum-product with all messages sent at once, so that what is far away cannot be heard.

A lattice is rows ``(R, W)``, as in `likelihood`. Numbers of nodes lie by row, state and column, so
that neighbouring columns are done together. Message ``2 axis`` of a node comes from the node before
it along an axis, ``2 axis + 1`` from the one behind it.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit


@callee()
def multiplied(unary, messages, row, but, out):
    """Write what a row's nodes say of their states, and all messages to them but one.

    Parameters
    ----------
    unary : ndarray, shape (R, N, W), float32
        The likelihoods.
    messages : ndarray, shape (2 d, R, N, W), float32
    row, but : int
        The row, and the message that is left out; -1 for none.
    out : ndarray, shape (N, W), float64
        What is written.
    """
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
def through(says, potentials, told, most):
    """Write what neighbours are told of their states, and the greatest number of each.

    ``says`` and ``told`` (N, W), ``potentials`` (N, N), ``most`` (W,), all float64.
    """
    n_states, width = says.shape
    for x in range(width):
        most[x] = 0.0
    for j in range(n_states):
        own = told[j]
        for x in range(width):
            own[x] = 0.0
        for i in range(n_states):
            share, said = potentials[i, j], says[i]
            for x in range(width):
                own[x] += share * said[x]
        for x in range(width):
            most[x] = max(most[x], own[x])


@callee(error_model="numpy")
def write(told, most, shift, out):
    """Write what a row's nodes are told, (N, W), to the places that many columns on.

    Each message is scaled so that its greatest number is 1.
    """
    n_states, width = told.shape
    for j in range(n_states):
        own, heard = told[j], out[j]
        for x in range(max(0, -shift), width - max(0, shift)):
            heard[x + shift] = own[x] / most[x]


@njit(nogil=True)
def send(unary, messages, strides, lengths, potentials, start, stop, out):
    """Write the messages of the nodes in some rows, from those that came before.

    Parameters
    ----------
    unary : ndarray, shape (R, N, W), float32
        The likelihoods.
    messages : ndarray, shape (2 d, R, N, W), float32
        Of the pass before.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    potentials : ndarray, shape (N, N), float64
        Symmetric.
    start, stop : int
        The rows of the nodes that send.
    out : ndarray, shape (2 d, R, N, W), float32
        What is written, but for messages that would come from beyond the border.
    """
    _, n_states, width = unary.shape
    says, told = np.empty((n_states, width)), np.empty((n_states, width))
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
            multiplied(unary, messages, row, k, says)
            through(says, potentials, told, most)
            write(told, most, shift, out[k ^ 1, to])


@njit(nogil=True, error_model="numpy")
def beliefs(unary, messages, start, stop, out):
    """Write the beliefs of some rows' nodes, (R, W, N) float32, which sum to 1."""
    _, n_states, width = unary.shape
    says, total = np.empty((n_states, width)), np.empty(width)
    for row in range(start, stop):
        multiplied(unary, messages, row, -1, says)
        for x in range(width):
            total[x] = 0.0
        for j in range(n_states):
            for x in range(width):
                total[x] += says[j, x]
        for j in range(n_states):
            for x in range(width):
                out[row, x, j] = says[j, x] / total[x]
