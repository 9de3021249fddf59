"""The cavity code length: the bits of each observation, given all others."""

import math
from collections.abc import Sequence

import numpy as np

from latviz.core.choice.code_length import CodeLength, block_edges
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import Field
from latviz.core.types import Counts, Floats


def cavity_length(
    fields: Sequence[Field], emission: Densities, n_couplings: int | None = None
) -> CodeLength:
    """Return the code length of all fields, whose messages are sent, and of their emission."""
    # n_couplings free numbers couple neighbours: by default one, the strength, if there are several
    # states
    if n_couplings is None:
        n_couplings = int(emission.n_states > 1)
    blocks, sizes = zip(*map(_by_block, fields), strict=True)
    n_parameters = emission.n_parameters + n_couplings
    return CodeLength.of(np.concatenate(blocks), np.concatenate(sizes), n_parameters)


def _by_block(field: Field) -> tuple[Floats, Counts]:
    """Return the bits of each spatial block of a lattice, and its number of nodes."""
    down, across = block_edges(field.shape, 1)
    bits = field.node_nats().reshape(down[-1], across[-1]) / math.log(2)
    sums = np.add.reduceat(np.add.reduceat(bits, down[:-1], axis=0), across[:-1], axis=1)
    return sums.reshape(-1), np.outer(np.diff(down), np.diff(across)).reshape(-1)
