"""Refining a model whose states may be tuples of two chains, a coarse one and a fine one."""

from dataclasses import replace
from typing import Any

import numpy as np

from latviz.core.checks import check_progress
from latviz.core.choice import factorial_fit
from latviz.core.choice.refining import (
    Refined,
    best_fit,
    extended_to_all,
    order_like,
    refine,
    refined_of,
)
from latviz.core.data.data_set import DataSet
from latviz.core.errors import called_as
from latviz.core.inference.fitting import Fit, coupling
from latviz.core.model.dependence import are_dependent
from latviz.core.model.models import Model, check_model
from latviz.core.progress import Progress, shares
from latviz.core.renamed import renamed
from latviz.core.windows.decoding import decode_each


@renamed("observations model")
def refine_scales(observations: Any, *, model: Model, progress: Progress | None = None) -> Refined:
    """Refine a model, and let its states be tuples of two chains if these explain more.

    The chains are those of a `FactorialModel` whose numbers of states have the product N: 2 and 3,
    or 3 and 2, for N = 6. They replace what `refine` finds if they predict hidden nodes in fewer
    bits, by more than chance. So regions on two scales are told apart even if they share kinds of
    observations. A prime N, or neighbours that are correlated even within a state, as in
    photographs, leave what `refine` finds.

    Parameters
    ----------
    observations, model, progress
        As for `refine`.

    Returns
    -------
    Refined
        With chains, ``strength * attraction`` is the sum of the log-potentials of both, and A of
        the model holds their potentials, for beliefs.

    Raises
    ------
    ParameterError
        As for `refine`.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> halves = stripes((8, 8), widths=4)
    >>> model = DiscreteModel.fit(halves, n_states=2, window=1)
    >>> refine_scales(halves, model=model) == refine(halves, model=model)  # N = 2 has no tuples
    True
    """
    with called_as("refine_scales(observations, model=...)"):
        data = check_model(model).data_set(observations)
    progress = check_progress(progress)
    sizes = _products(model.n_states)
    if not sizes or are_dependent(data, model.n_states, progress):
        return refine(observations, model=model, progress=progress)
    first, *others = shares(progress, [1.0] * (1 + len(sizes)))
    one, length = best_fit(data, model, first)
    tried = [
        factorial_fit.fitted(data, each, None, part)[:2]
        for each, part in zip(sizes, others, strict=True)
    ]
    found, shorter = min(tried, key=lambda each: each[1].bits)
    if not shorter.is_shorter_than(length):
        return refined_of(one, length, model, observations, data, None)
    found = _in_order(found, model, data)
    refined = refined_of(found, shorter, model, observations, data, None)
    A = coupling(found.attraction, found.strength)
    return replace(refined, model=replace(refined.model, A=A, A_decoded=False))


def _products(n_states: int) -> list[tuple[int, int]]:
    """Return the numbers of states of two chains whose product is N."""
    return [(a, n_states // a) for a in range(2, n_states) if n_states % a == 0]


def _in_order(found: Fit, model: Model, data: DataSet) -> Fit:
    """Return a fit with states in the order of the model's, and with one attraction."""
    order = order_like(decode_each(data, model.codebook, model.window), found)
    parts = found.strength * found.attraction[:, order][:, :, order]
    total = parts.sum(axis=0)
    strength = float(total.max())
    attraction = total / strength if strength > 0 else np.eye(len(total))
    emission = found.emission.ordered(order)
    return extended_to_all(Fit(emission, attraction, strength, found.bits, []), data, None)
