"""What parts of a lattice, and single nodes, add to the log-likelihood of a model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.lattice import frozen
from latviz.core.model.evaluation import Normalizer, node_terms, part_sums
from latviz.core.model.indices import as_rows
from latviz.core.model.lattice_model import LatticeModel
from latviz.core.types import Floats, Region, States


def terms_of_part(
    model: LatticeModel,
    values: NDArray[Any],
    states: States,
    region: Region,
    normalizer: Normalizer,
) -> tuple[float, float, int]:
    """Return what a part of a lattice adds to the evaluation; see `part_sums`.

    Parameters
    ----------
    model : LatticeModel
    values : ndarray, shape (*part) or (*part, M)
        The observations of the part.
    states : ndarray, shape (*shape), uint8
        Of the part and, where the lattice goes on, of the nodes next to it.
    region : tuple of d slices
        Where the part is in them.
    normalizer : {"neighbours", "states"}
    """
    rows = frozen(as_rows(np.ascontiguousarray(states[region]))[0])
    return part_sums(states, region, model.A, normalizer, model._terms(values, rows))


def terms_of_nodes(
    model: LatticeModel, values: NDArray[Any], states: States, pairs: bool
) -> Floats:
    """Return what each node adds to log P under alpha = 1, (*shape) float64; see `node_terms`.

    Parameters
    ----------
    model : LatticeModel
    values : ndarray, shape (*shape) or (*shape, M)
        The observations.
    states : ndarray, shape (*shape), uint8
    pairs : bool
        Whether the pair term is part of it.
    """
    terms = model._terms(values, frozen(as_rows(states)[0]))
    return node_terms(states, model.A, "neighbours", terms, pairs)
