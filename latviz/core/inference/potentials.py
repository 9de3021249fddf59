"""Pair potentials: the preference of two states to be neighbours."""

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Matrix

LEAST = 2.0**-15
"""The least potential, of which the greatest is 1: pairs that A forbids are that improbable."""


def potentials_of(A: Matrix, strength: float = 1.0) -> Matrix:
    """Return sqrt(A(i, j) A(j, i)) ** strength, the greatest scaled to 1, at least `LEAST`."""
    # The pair term of Algorithm 1 without its normaliser, which `sample_potts` draws from. An A of
    # zeros, as of a single node, has no evidence on neighbours
    roots = np.sqrt(A)
    pairs = roots * roots.T
    most = pairs.max()
    if most == 0:
        return np.ones_like(pairs)
    return np.asarray(np.maximum((pairs / most) ** strength, LEAST))


def compact(potentials: Matrix) -> NDArray[np.float32]:
    """Return potentials as the kernels of `chains` take them."""
    # A Potts field's, 1 for like states and one number for unlike ones, are that number, (1,);
    # others (N N,)
    n_states, flat = len(potentials), potentials.reshape(-1)
    if n_states > 1 and (flat[:: n_states + 1] == 1).all():
        unlike = flat[1:].reshape(n_states - 1, n_states + 1)[:, :-1]
        if (unlike == unlike[0, 0]).all():
            return unlike[0, :1].astype(np.float32)
    return flat.astype(np.float32)
