"""The terms of parts of a lattice, and of single nodes, in a model's log-likelihood."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet
from latviz.core.data.lattice import frozen
from latviz.core.model.evaluation import (
    DataSetEvaluation,
    Normalizer,
    evaluate_states,
    node_terms,
    part_sums,
)
from latviz.core.model.indices import Neighbourhoods, as_rows
from latviz.core.model.lattice_model import LatticeModel
from latviz.core.model.models import GaussianModel
from latviz.core.types import Floats, Matrix, Region, States


def evaluate_counted(
    model: LatticeModel,
    data: DataSet,
    states: Sequence[States],
    normalizer: Normalizer,
    found: Sequence[Neighbourhoods] | None,
    scatters: Sequence[Matrix] | None = None,
) -> DataSetEvaluation:
    """Return what the model's `evaluate_states` does, from counts that are there already."""
    # found: the states' neighbourhoods; scatters: of vectors, the sums (N, M, M) of `scatter_of` by
    # lattice, from which the sum of all first terms follows
    parts = []
    for k, (values, one) in enumerate(zip(data.values, states, strict=True)):
        terms = model._terms(values, frozen(as_rows(one)[0]))
        own = None if found is None else found[k]
        if own is not None and scatters is not None and isinstance(model, GaussianModel):
            total = model._log_density_of(scatters[k], own.occupancy)
            if np.isfinite(total):
                terms = replace(terms, total=partial(_known, total))
        parts.append(evaluate_states(one, model.A, normalizer, terms, own))
    return DataSetEvaluation.of(parts)


def _known(total: float) -> tuple[float, int]:
    """Return a sum of terms, none of which is -inf."""
    return total, 0


def terms_of_part(
    model: LatticeModel,
    values: NDArray[Any],
    states: States,
    region: Region,
    normalizer: Normalizer,
) -> tuple[float, float, int]:
    """Return what a part of a lattice adds to the evaluation; see `part_sums`."""
    # values (*part) or (*part, M)
    rows = frozen(as_rows(np.ascontiguousarray(states[region]))[0])
    return part_sums(states, region, model.A, normalizer, model._terms(values, rows))


def terms_of_nodes(
    model: LatticeModel, values: NDArray[Any], states: States, pairs: bool
) -> Floats:
    """Return what each node adds to log P under alpha = 1, (*shape) float64; see `node_terms`."""
    terms = model._terms(values, frozen(as_rows(states)[0]))
    return node_terms(states, model.A, "neighbours", terms, pairs)
