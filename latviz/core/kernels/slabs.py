"""Slabs: sums over slices of a lattice, so that sweeps have one axis less.

All sums are integers and exact: subtracting undoes adding.
"""

from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def add_slice(slab, source, table, sign):
    """Add ``sign`` (1 or -1) times a slice of a lattice to slab (n, C), the sum of such slices."""
    # source (n,) symbols, for which table (M, C) has numbers, None counts each; or (n, C) integers
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
    """Add a slice to slab (n, C) and take another one out, in one pass; see `add_slice`."""
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
