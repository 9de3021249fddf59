"""Refining a model: emissions, coupling and states that explain the observations best."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from latviz.core.checks import check_progress
from latviz.core.choice.dependence import residuals_of
from latviz.core.data.data_set import DataSet, given_back
from latviz.core.inference.emission import Emission, NormalEmission, SymbolEmission
from latviz.core.inference.field import Beliefs
from latviz.core.inference.fitting import Fit, fit, potts
from latviz.core.model.learning import codebook_of, learn_from_sample
from latviz.core.model.models import DiscreteModel, GaussianModel, Model, check_model
from latviz.core.progress import Progress, shares
from latviz.core.types import Arrays, Matrix, States
from latviz.core.windows.decoding import decode_each

WINDOWS = (1, 2, 3, 5)
"""Half-widths of the decodings to start from, beside the model's own."""
FIRST, MOST = 6, 30
"""Rounds of each start, and of the best one at most."""
SAMPLE = 1 << 16
"""Nodes in the middle of a data set that tell the best start."""


@dataclass(frozen=True, eq=False)
class Refined:
    """A model that was refined, and what it says of the observations.

    Attributes
    ----------
    model : DiscreteModel or GaussianModel
        With emissions by belief, and A of a Potts field: ``model.beliefs(o, strength=1.0)`` are
        the beliefs, and `sample_potts` draws from such a field.
    states : ndarray, shape (*shape), uint8, or a list of them for a data set
        The state of most belief of each node.
    beliefs : ndarray, shape (*shape, N), float32, or a list of them for a data set
        See `DiscreteModel.beliefs`.
    strength : float
        The logarithm of how much likelier two neighbours are to be alike than to be any other pair.
    bits : float
        The cavity code length, in bits a node: what it takes to tell each observation to one who
        knows all others. That of vectors is of a density, and may be negative.
    residual_correlation : float
        What the states leave unexplained, see `residual_correlation`.
    """

    model: Model
    states: States | list[States]
    beliefs: Beliefs | list[Beliefs]
    strength: float
    bits: float
    residual_correlation: float


def refine(observations: Any, model: Model, *, progress: Progress | None = None) -> Refined:
    """Estimate emissions and the coupling of neighbours anew, from the observations alone.

    Decodings by windows blur the emissions of states that meet, and make A too inert. Here the
    states start from such decodings, by the model and by windows of several widths; then in rounds
    messages between neighbours give beliefs (sum-product), and beliefs give the emissions. The
    strength of the coupling and the best start are those of least cavity code length, by which no
    node tells its own observation. States attract their like, all equally (a Potts field).

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice, or a data set: symbols 0..M-1, or vectors (*shape, M); d from 1 to 3.
    model : DiscreteModel or GaussianModel
        It gives N, w and a start.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Returns
    -------
    Refined

    Raises
    ------
    ParameterError
        If an observation is none of the model's, lattices have more than three dimensions, or
        memory cannot hold the messages.
    Cancelled
        If ``progress`` says so.
    """
    data = check_model(model).data_set(observations)
    check_progress(progress)
    middle, n_states = data.middle(SAMPLE), model.n_states
    starts = [_from_states(middle, decode_each(middle, model.codebook, model.window), n_states)]
    starts += [_from_window(middle, window, n_states) for window in WINDOWS]
    lengths = [FIRST * middle.n_nodes] * len(starts) + [MOST * data.n_nodes]
    parts = shares(progress, lengths)
    tried = [fit(start, middle, most=FIRST, progress=next(parts)) for start in starts]
    best = min(tried, key=lambda one: one.bits)
    found = fit(best.emission, data, best.strength, most=MOST, progress=next(parts))
    if progress is not None:
        progress.report(1.0)  # mostly fewer rounds are needed
    states = [field.states() for field in found.fields]
    beliefs = [field.beliefs() for field in found.fields]
    return Refined(
        _model_of(found, model),
        given_back(observations, states),
        given_back(observations, beliefs),
        found.strength,
        found.bits,
        residuals_of(data, states, progress),
    )


def _from_window(data: DataSet, window: int, n_states: int) -> Emission:
    """Return what states emit in a decoding by windows of this half-width."""
    codebook = codebook_of(learn_from_sample(data, window), n_states)
    return _from_states(data, decode_each(data, codebook, window), n_states)


def _from_states(data: DataSet, states: Arrays, n_states: int) -> Emission:
    """Return what the states of a decoding emit."""
    size, sure = data.n_symbols, np.eye(n_states, dtype=np.float32)
    blank: Emission = (
        SymbolEmission(np.full((n_states, size), 1 / size))
        if data.kind == "discrete"
        else NormalEmission(np.zeros((n_states, size)), np.tile(np.eye(size), (n_states, 1, 1)))
    )
    return blank.renewed([sure[one] for one in states], data)


def _model_of(found: Fit, model: Model) -> Model:
    A: Matrix = potts(model.n_states, found.strength)
    A /= A.sum(axis=1, keepdims=True)
    emission = found.emission
    if isinstance(emission, SymbolEmission):
        return DiscreteModel(A, emission.B, model.window)
    assert isinstance(emission, NormalEmission)
    return GaussianModel(A, emission.means, emission.covariances, model.window, model.scalar)
