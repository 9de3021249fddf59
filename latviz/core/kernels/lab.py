"""CIELAB coordinates of colours, block by block; see `core.data.color`."""

import numpy as np

from latviz.core.kernels.compiler import callee, njit
from latviz.core.kernels.fused import multiply_add, polynomial
from latviz.core.kernels.lanes import EXP2, LOG2

BLOCK = 256
"""Colours at a time: their numbers stay in the cache from loop to loop."""
SRGB_KNEE, F_KNEE = 0.04045, 6.0 / 29.0
"""Below these, sRGB's curve and CIELAB's cube root go on as straight lines."""


@callee(error_model="numpy")
def raise_to(exponent, x, twos):
    """Raise positive numbers x (n,) to a power, within a share of 1e-9; twos (n,) int64 is room."""
    # By logarithms and powers of 2, in loops that become vectors. The bits of a number are those of
    # its exponent, then of its mantissa, here from 3/4 to 3/2
    bits = x.view(np.int64)
    for k in range(x.size):
        twos[k] = ((bits[k] + (1 << 51)) >> 52) - 1023
        bits[k] -= twos[k] << 52
    for k in range(x.size):
        s = (x[k] - 1.0) / (x[k] + 1.0)
        raised = multiply_add(s, polynomial(LOG2, s * s), float(twos[k])) * exponent
        whole = np.rint(raised)
        x[k] = polynomial(EXP2, raised - whole)
        twos[k] = np.int64(whole)
    for k in range(x.size):
        bits[k] += twos[k] << 52


@callee()
def respond(stimuli, twos, found):
    """Write CIELAB's f of stimuli (n,), shares of white's: cube roots, to the last bits."""
    for k in range(stimuli.size):
        found[k] = max(stimuli[k], F_KNEE**3)
    raise_to(-1.0 / 3.0, found, twos)
    for k in range(stimuli.size):
        value, inverse = max(stimuli[k], F_KNEE**3), found[k]
        rest = 1.0 - value * (inverse * inverse * inverse)
        inverse = multiply_add(inverse, rest * (1.0 / 3.0), inverse)
        straight = multiply_add(stimuli[k], 1.0 / (3.0 * F_KNEE**2), 4.0 / 29.0)
        found[k] = straight if stimuli[k] < F_KNEE**3 else value * (inverse * inverse)


@njit(nogil=True)
def write_linear(units, linear):
    """Write the linear light of gamma-encoded sRGB in [0, 1] to linear (n,); both float64."""
    twos = np.empty(BLOCK, np.int64)
    for start in range(0, units.size, BLOCK):
        part, found = units[start : start + BLOCK], linear[start : start + BLOCK]
        for k in range(part.size):
            found[k] = (part[k] + 0.055) * (1.0 / 1.055)
        raise_to(2.4, found, twos)
        for k in range(part.size):
            if part[k] < SRGB_KNEE:
                found[k] = part[k] * (1.0 / 12.92)


@njit(nogil=True)
def write_lab(linear, matrix, lab):
    """Write L*, a*, b* of linear light (n, 3), float64, to lab (n, 3), float32 or float64."""
    # The rows of matrix (3, 3) are stimuli as shares of white's
    stimuli, found = np.ones(BLOCK), np.empty((3, BLOCK))
    twos = np.empty(BLOCK, np.int64)
    for start in range(0, len(linear), BLOCK):
        n = min(BLOCK, len(linear) - start)
        for row in range(3):
            for k in range(n):
                value = 0.0
                for c in range(3):
                    value = multiply_add(matrix[row, c], linear[start + k, c], value)
                stimuli[k] = value
            respond(stimuli, twos, found[row])
        for k in range(n):
            x, y, z = found[0, k], found[1, k], found[2, k]
            lab[start + k, 0] = multiply_add(y, 116.0, -16.0)
            lab[start + k, 1] = (x - y) * 500.0
            lab[start + k, 2] = (y - z) * 200.0
