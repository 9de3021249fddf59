"""How strongly beliefs couple neighbours, by whether neighbours are independent evidence.

The field of `inference.potentials` takes each observation for independent given its state. Where
neighbours are correlated even within a state, as in photographs, the code length of a node given
the others rewards weak couplings and states that explain the correlation. There neighbours are
coupled as strongly as is ever tried.
"""

from latviz.core.data.data_set import DataSet
from latviz.core.inference.beliefs import STRENGTHS, strength_of
from latviz.core.inference.emission import Densities
from latviz.core.model.learning import codebook_of, learn_from_sample
from latviz.core.model.residuals import residuals_of
from latviz.core.progress import Progress
from latviz.core.types import Matrix
from latviz.core.windows.decoding import decode_each

DEPENDENT = 0.2
"""The residual correlation from which on observations are dependent: they then predict 4 % of each
other's variance. Fields of known states are below 0.01 (see `correlation_in_small_windows`)."""
SAMPLE = 1 << 15
"""Nodes of a data set, spread over it, that show whether observations are dependent."""


def correlation_in_small_windows(
    data: DataSet, n_states: int, progress: Progress | None = None
) -> float:
    """Return the residual correlation of neighbours in the states of windows with w = 1."""
    # Larger windows blur borders, and what they blur is correlated, too. The smallest ones follow
    # the observations so closely that what they leave of independent ones is correlated negatively
    some = data.spread(SAMPLE)
    codebook = codebook_of(learn_from_sample(some, 1), n_states)
    return residuals_of(some, decode_each(some, codebook, 1), progress).correlation


def are_dependent(data: DataSet, n_states: int, progress: Progress | None = None) -> bool:
    """Return True if neighbours are correlated even within a state; a single one cannot show it."""
    return n_states > 1 and correlation_in_small_windows(data, n_states, progress) > DEPENDENT


def suited_strength(
    emission: Densities, A: Matrix, data: DataSet, progress: Progress | None = None
) -> float:
    """Return the exponent that suits an A which was counted in a decoding."""
    if are_dependent(data, emission.n_states, progress):
        return STRENGTHS[1]
    return strength_of(emission, A, data, progress)
