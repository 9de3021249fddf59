"""The belief state of each window, and the doubt that its entropy measures."""

import math
from typing import Any

from latviz.core.checks import check_progress
from latviz.core.data.lattice import each_of
from latviz.core.data.per_lattice import per_lattice
from latviz.core.errors import called_as
from latviz.core.inference.window_beliefs import entropies
from latviz.core.model.models import Model, check_model
from latviz.core.model.windowed_codebook import windowed
from latviz.core.progress import Progress, shares
from latviz.core.renamed import renamed
from latviz.core.types import NodeMap, Window


@renamed("model observations window")
@per_lattice
def belief_entropy(
    observations: Any,
    *,
    model: Model,
    window: Window | None = None,
    progress: Progress | None = None,
) -> list[NodeMap]:
    """Return the entropy of each node's belief state, shape (*shape), float32, bits.

    The belief p_t(j) is proportional to the probability of the window's observations if state j
    emits all of them: prod_s B(j, o_s); for Gaussian models, to the density of the window's mean
    under N(mu_j, Sigma_j / n_t). The entropy is from 0 (certain) to log2 N. A data set gives a
    list.

    A state that emits more impossible symbols of a window than another one has no belief: zeros of
    B count as a probability, the same for all, that tends to 0. Entropies of symbols are exact to
    2e-6 bits, and the same on any number of threads.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        As for the model's `decode`.
    model : DiscreteModel or GaussianModel
    window : int, or a tuple of three int, optional
        Half-width w, of volumes perhaps one for each axis; by default the model's.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    ndarray, shape (*shape), float32, or a list of them for a data set
        In bits, from 0 to log2 N; NaN of unknown nodes.

    Raises
    ------
    ParameterError
        If an observation does not fit the model.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> model = DiscreteModel(A=np.eye(2), B=[[0.9, 0.1], [0.1, 0.9]], window=0)
    >>> print(belief_entropy(np.array([0, 1]), model=model).round(3))  # of 90 % and 10 %
    [0.469 0.469]
    """
    with called_as("belief_entropy(observations, model=...)"):
        data = check_model(model).data_set(observations)
    data, chosen = windowed(model, data, window)
    first = each_of(chosen)[0]
    check_progress(progress)
    emission, parts = model.emission, shares(progress, [math.prod(one) for one in data.shapes])
    return data.each(lambda lattice: entropies(emission, lattice, first, next(parts)))
