"""Slabs: the sums of some slices of a lattice, which leave one axis less to be swept.

All sums are integers, so they are exact: what was added can be taken out again without a trace.
"""

from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def add_slice(slab, source, table, sign):
    """Add ``sign`` times a slice of a lattice to a slab, the sum of such slices.

    Parameters
    ----------
    slab : ndarray, shape (n, C), integers
        The sums to change, a slice's nodes in a row.
    source : ndarray, shape (n,) or (n, C)
        The slice: symbols, or integers.
    table : ndarray, shape (M, C), or None
        The integers that stand for each symbol; None counts each symbol.
    sign : int
        1, or -1 to take it out.
    """
    for t in range(slab.shape[0]):
        if source.ndim == 2:
            for c in range(slab.shape[1]):
                slab[t, c] += sign * source[t, c]
        elif table is None:
            slab[t, source[t]] += sign
        else:
            for c in range(slab.shape[1]):
                slab[t, c] += sign * table[source[t], c]


@njit(nogil=True)
def exchange_slices(slab, entering, leaving, table):
    """Add a slice to a slab and take another one out, in one pass.

    Parameters
    ----------
    slab : ndarray, shape (n, C), integers
        The sums to change.
    entering, leaving : ndarray, shape (n,) or (n, C)
        The slices: symbols, or integers.
    table : ndarray, shape (M, C), or None
        The integers that stand for each symbol; None counts each symbol.
    """
    # One pass instead of two: the slab is large, and each pass would fetch it from memory.
    for t in range(slab.shape[0]):
        if entering.ndim == 2:
            for c in range(slab.shape[1]):
                slab[t, c] += entering[t, c] - leaving[t, c]
        elif table is None:
            slab[t, entering[t]] += 1
            slab[t, leaving[t]] -= 1
        else:
            new, old = entering[t], leaving[t]
            for c in range(slab.shape[1]):
                slab[t, c] += table[new, c] - table[old, c]
