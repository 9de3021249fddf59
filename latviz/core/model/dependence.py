"""The strength of the coupling of beliefs: larger if neighbours are not independent evidence.

The field of `inference.potentials` assumes that observations are independent given their states. If
neighbours are correlated even within a state, as in photographs, the code length of a node given
the others rewards weak couplings and states that explain the correlation. Then neighbours are
coupled with the largest strength that is tried, or by a given A as it is.
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
"""The residual correlation from which observations count as dependent: they then predict 4 % of
each other's variance. Fields of known states are below 0.01 in `correlation_in_small_windows`."""
SAMPLE = 1 << 15
"""Nodes of a data set, spread over it, that show if observations are dependent."""


def correlation_in_small_windows(
    data: DataSet, n_states: int, progress: Progress | None = None
) -> float:
    """Return the residual correlation of neighbours in the states of windows with w = 1."""
    # Larger windows blur borders, and blurred parts are correlated, too. The smallest follow the
    # observations so closely that residuals of independent ones are correlated negatively
    some = data.spread(SAMPLE)
    codebook = codebook_of(learn_from_sample(some, 1), n_states)
    return residuals_of(some, decode_each(some, codebook, 1), progress).correlation


def are_dependent(data: DataSet, n_states: int, progress: Progress | None = None) -> bool:
    """Return True if neighbours are correlated even within a state; needs two states or more."""
    return n_states > 1 and correlation_in_small_windows(data, n_states, progress) > DEPENDENT


def suited_strength(
    emission: Densities,
    A: Matrix,
    data: DataSet,
    progress: Progress | None = None,
    *,
    is_given: bool = False,
) -> float:
    """Return the exponent for an A that was counted in a decoding, or that was given."""
    # On lattices loops count evidence more than once. Four told fields have least code lengths at
    # .35 to .67, where belief is right in .01 to .10 more of the nodes than at 1; sequences have no
    # loops. Where neighbours are dependent, code lengths couple too weakly, and 4 times a true A is
    # too much: on seven pictures with A from labels the mean accuracy was .791 with 1, .765 with 4
    if is_given and data.dimensions == 1:
        return 1.0
    if are_dependent(data, emission.n_states, progress):
        return 1.0 if is_given else STRENGTHS[1]
    return strength_of(emission, A, data, progress)
