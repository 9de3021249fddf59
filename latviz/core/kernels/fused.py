"""Products and sums that are rounded once where the machine can; see `lanes.multiply_add`."""

from latviz.core.kernels.compiler import callee


@callee(fastmath={"contract"})
def multiply_add(one, other, added):
    """Return ``one * other + added``."""
    return one * other + added


@callee()
def polynomial(coefficients, x):
    """Return a polynomial with rising coefficients."""
    value = coefficients[-1]
    for k in range(len(coefficients) - 2, -1, -1):
        value = multiply_add(value, x, coefficients[k])
    return value
