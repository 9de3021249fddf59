"""The cavity code length: the bits of each observation, given all others."""

import math
from collections.abc import Sequence

import numpy as np

from latviz.core.choice.code_length import CodeLength, block_sums
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import Field


def cavity_length(
    fields: Sequence[Field], emission: Densities, n_couplings: int | None = None
) -> CodeLength:
    """Return the code length of all fields, whose messages are sent, and of their emission."""
    # n_couplings free numbers couple neighbours: by default one, the strength, if there are several
    # states
    if n_couplings is None:
        n_couplings = int(emission.n_states > 1)
    each = [block_sums(field.node_nats() / math.log(2)) for field in fields]
    blocks, sizes = zip(*each, strict=True)
    n_parameters = emission.n_parameters + n_couplings
    return CodeLength.of(np.concatenate(blocks), np.concatenate(sizes), n_parameters)
