"""The terms of parts of a lattice, and of single nodes, in a model's log-likelihood."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.data.data_set import DataSet
from latviz.core.data.lattice import frozen
from latviz.core.data.masks import mask_in
from latviz.core.model.evaluation import (
    DataSetEvaluation,
    Normalizer,
    evaluate_states,
    known_pair_terms,
    potentials,
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
    """Return the result of the model's `evaluate_states`, from existing counts."""
    # found: the states' neighbourhoods; scatters: of vectors, the sums (N, M, M) of `scatter_of` by
    # lattice, from which the sum of all first terms follows
    parts = []
    for k, (values, one) in enumerate(zip(data.values, states, strict=True)):
        if (known := data.masks[k]) is not None:
            parts.append(model._evaluation_of_known(values, one, known, normalizer))
            continue
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
    """Return a part's data and pair term (nats, alpha = 1), and its number of impossible nodes."""
    # values (*part) or (*part, M); states: those of the part (region) and of the nodes next to it
    # in the lattice
    if (known := mask_in(states)) is None:
        own = frozen(as_rows(np.ascontiguousarray(states[region]))[0])
        rows = as_rows(frozen(states))
        pairs = _with_pairs(np.zeros(rows[0].shape), rows, model.A, normalizer)
        inner = as_rows(pairs.reshape(states.shape)[region])[0]
    elif not (there := known[region]).any():
        return 0.0, 0.0, 0
    else:
        values, own = values[there], frozen(states[region][there][None])
        inner = known_pair_terms(states, known, model.A, normalizer)[region][there][None]
    terms, data = model._terms(values, own), np.empty(inner.shape)
    terms.nodes(*terms.data, 0, len(data), data)
    n_impossible = int(np.count_nonzero(data + inner == -np.inf))
    return float(data.sum()), float(inner.sum()), n_impossible


def terms_of_nodes(
    model: LatticeModel, values: NDArray[Any], states: States, pairs: bool
) -> Floats:
    """Return the term of each node under alpha = 1, (*shape) float64, in nats."""
    # pairs: with the pair term; NaN of unknown nodes
    if (known := mask_in(states)) is not None:
        found, own = np.full(states.shape, np.nan), np.empty((1, np.count_nonzero(known)))
        terms = model._terms(values[known], frozen(states[known][None]))
        terms.nodes(*terms.data, 0, 1, own)
        found[known] = own[0]
        return found + known_pair_terms(states, known, model.A, "neighbours") if pairs else found
    rows = as_rows(frozen(states))
    terms, out = model._terms(values, rows[0]), np.empty(rows[0].shape)
    terms.nodes(*terms.data, 0, len(out), out)
    if pairs:
        _with_pairs(out, rows, model.A, "neighbours")
    return out.reshape(states.shape)


def _with_pairs(
    out: Floats, rows: tuple[NDArray[Any], ...], A: Matrix, normalizer: Normalizer
) -> Floats:
    """Add the pair term of each node to its term; ``rows`` are those of `as_rows`."""
    given = potentials(A, normalizer)
    kernels.likelihood.pair_terms(*rows, *given, 0, len(out), out)
    return out
