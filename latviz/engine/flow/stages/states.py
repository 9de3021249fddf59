"""From a model to states, by windows or by belief, their indices and their likelihood."""

import math

from latviz.core.choice.refining import Refined, refine
from latviz.core.choice.refining_scales import refine_scales
from latviz.core.data.data_set import DataSet
from latviz.core.decoders import DECODERS
from latviz.core.inference.beliefs import settled
from latviz.core.inference.emission import NormalDensities
from latviz.core.inference.field import Field
from latviz.core.model import learning
from latviz.core.model.evaluation import DataSetEvaluation, Normalizer
from latviz.core.model.fitting import FitSettings
from latviz.core.model.indices import (
    Neighbourhoods,
    associativity,
    count,
    counted,
    neighbourhoods,
    state_counts,
)
from latviz.core.model.indices import inertia as mean_inertia
from latviz.core.model.lattice_model import with_parts
from latviz.core.model.law import LawQuantiles, distance_of, quantiles_of
from latviz.core.model.learning import adjacency
from latviz.core.model.models import Model, discrete_parts, gaussian_parts
from latviz.core.model.residuals import Residuals, residuals_of
from latviz.core.model.terms import evaluate_counted
from latviz.core.progress import Progress
from latviz.core.types import Counts, Matrix, Spacing, States
from latviz.engine.flow.stages.flow import flow
from latviz.engine.pictures.data_sets import by_lattices, of_picture
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.given import Given

LAW_POINTS = 200
"""Points of all states together, of their quantiles."""

# Properties of the decoder


@flow.derived
def refines(decoder: str) -> bool:
    """Return True if the decoder estimates a new model."""
    return DECODERS[decoder].refines


@flow.derived
def has_scales(decoder: str) -> bool:
    """Return True if states of the new model may be pairs."""
    return DECODERS[decoder].has_scales


@flow.derived
def has_beliefs(decoder: str) -> bool:
    """Return True if the decoder uses the states of neighbours."""
    return DECODERS[decoder].has_beliefs


@flow.derived
def is_believed(decoder: str) -> bool:
    """Return True if its states are the most probable ones."""
    return DECODERS[decoder].is_believed


@flow.derived
def is_nearest(decoder: str) -> bool:
    """Return True if it decodes as A was counted: by the nearest codeword."""
    return DECODERS[decoder].is_nearest


# The same model, refined: emissions and A from beliefs


@flow.bulky
def refined(
    data_set: DataSet, window_model: Model, has_scales: bool, progress: Progress
) -> Refined:
    """Estimate emissions and the coupling of neighbours again."""
    return (refine_scales if has_scales else refine)(
        data_set, model=window_model, progress=progress
    )


@flow.quick
def refined_model(refined: Refined) -> Model:
    """Take the model."""
    return refined.model


# Its A couples neighbours in beliefs
flow.choice("decoding_model", refines="refined_model", otherwise="window_model")


# Decoding. States decoded for learning are reused.


@flow.stage
def strength(shown_data: DataSet, decoding_model: Model, watch: Progress) -> float:
    """Find the exponent of A that couples neighbours."""
    return decoding_model.strength(shown_data, progress=watch)


@flow.bulky
def fields(
    shown_data: DataSet, decoding_model: Model, strength: float, passes: int, progress: Progress
) -> list[Field]:
    """Send messages between neighbours."""
    emission, A = decoding_model.emission, decoding_model.A
    return settled(emission, A, shown_data, strength, progress, passes=passes)


@flow.stage
def believed_states(picture: Picture, fields: list[Field]) -> States:
    """Give each node the state of most belief."""
    return of_picture([field.states() for field in fields], picture)


flow.choice(
    "states",
    is_believed="believed_states",
    is_nearest="shown_learning_states",
    otherwise="decoded_states",
)


@flow.stage
def decoded_states(
    picture: Picture,
    shown_data: DataSet,
    decoding_model: Model,
    decoder: str,
    window: int,
    passes: int,
    watch: Progress,
) -> States:
    """Decode with w."""
    return of_picture(decoded(shown_data, decoding_model, decoder, window, passes, watch), picture)


def decoded(
    data: DataSet, model: Model, decoder: str, window: int, passes: int, watch: Progress
) -> list[States]:
    """Return the states of lattices by a model, with w if the decoder uses windows."""
    row = DECODERS[decoder]
    used = row.used(window=window, passes=passes)
    found: list[States] = model.decode(data, decoder=row.plain, progress=watch, **used)
    return found


# The model of the map on screen. That of nearest codewords is the map that A was learned from. Of
# another one A, A', Sigma and the likelihood are counted over its states, also if the model is
# applied: its own A is the coupling then


@flow.stage
def shown_neighbours(shown_data: DataSet, states: States, n_states: int) -> list[Neighbourhoods]:
    """Count the nodes of each lattice by the states of their neighbours."""
    return [neighbourhoods(one, n_states) for one in by_lattices(states, shown_data)]


@flow.quick
def shown_counts(shown_neighbours: list[Neighbourhoods]) -> tuple[Counts, Counts]:
    """Take A', shape (N, N), and the nodes in each state, shape (N,)."""
    return counted([(one.pairs, one.occupancy) for one in shown_neighbours])


@flow.stage
def shown_scatters(shown_data: DataSet, states: States, decoding_model: Model) -> list[Matrix]:
    """Sum (o - mu)(o - mu)' by state, shape (N, M, M) for each lattice."""
    maps = by_lattices(states, shown_data)
    return learning.known_scatters(shown_data, maps, decoding_model.codebook)


@flow.quick
def recounted_discrete_model(
    decoding_model: Model,
    shown_data: DataSet,
    shown_counts: tuple[Counts, Counts],
    fit: FitSettings,
) -> Model:
    """Count A over the states on screen."""
    codewords, d = decoding_model.codewords, shown_data.n_directions
    return with_parts(decoding_model, discrete_parts(fit, codewords, shown_counts, d))


@flow.quick
def recounted_gaussian_model(
    decoding_model: Model,
    shown_data: DataSet,
    shown_counts: tuple[Counts, Counts],
    shown_scatters: list[Matrix],
    fit: FitSettings,
) -> Model:
    """Count A and Sigma over the states on screen."""
    spread = learning.covariances_from(shown_data, shown_scatters, shown_counts[1])
    own = fit, decoding_model.codewords, shown_counts, shown_data.n_directions
    return with_parts(decoding_model, gaussian_parts(*own, spread))


flow.choice(
    "recounted_model", discrete="recounted_discrete_model", otherwise="recounted_gaussian_model"
)


flow.choice("model", is_nearest="decoding_model", otherwise="recounted_model")


flow.choice("counts", is_nearest="learning_counts", otherwise="shown_counts")


@flow.either
def occupancy(is_alone: bool, is_nearest: bool) -> str:
    """Choose the counts of nodes in each state that is shown."""
    if not is_nearest:
        return "shown_occupancy"
    return "learning_occupancy" if is_alone else "decoded_occupancy"


@flow.quick
def shown_occupancy(shown_counts: tuple[Counts, Counts]) -> Counts:
    """Reuse the counts of the states on screen."""
    return shown_counts[1]


@flow.quick
def learning_occupancy(learning_counts: tuple[Counts, Counts]) -> Counts:
    """Reuse the counts of learning."""
    return learning_counts[1]


@flow.stage
def decoded_occupancy(states: States, n_states: int) -> Counts:
    """Count the nodes in each state."""
    return state_counts(states, n_states)


@flow.stage
def inertia(shown_data: DataSet, states: States, n_states: int, window: int) -> float:
    """Return the mean over windows of the root of the sum of squared shares (1.5)."""
    lattices = by_lattices(states, shown_data)
    return mean_inertia(lattices, n_states=n_states, window=window, spacing=shown_data.spacing)


@flow.stage
def own_associativity(shown_data: DataSet, states: States, n_states: int) -> float:
    """Return the associativity of A counted over only the shown picture (1.4)."""
    pairs, occupancy = count(by_lattices(states, shown_data), n_states)
    return associativity(adjacency(pairs, occupancy, shown_data.n_directions))


@flow.bulky
def residuals(shown_data: DataSet, states: States, watch: Progress) -> Residuals:
    """Subtract the mean of its state from each observation."""
    return residuals_of(shown_data, by_lattices(states, shown_data), watch)


@flow.quick
def residual_correlation(residuals: Residuals) -> float:
    """Return the correlation of neighbours within states."""
    return residuals.correlation


@flow.stage
def law_distance(shown_data: DataSet, states: States, model: Model) -> float:
    """Return the distance of observations in their states from the normal law."""
    if not isinstance(model.emission, NormalDensities):  # which claims no law
        return math.nan
    return distance_of(shown_data, by_lattices(states, shown_data))


@flow.stage
def law_quantiles(shown_data: DataSet, states: States, model: Model) -> tuple[LawQuantiles, ...]:
    """Return the quantiles of the channel of each state that is furthest from its law."""
    if not isinstance(model.emission, NormalDensities):
        return ()
    each = max(9, LAW_POINTS // model.n_states)
    found = quantiles_of(shown_data, by_lattices(states, shown_data), each)
    worst = {one.state: one for one in sorted(found, key=lambda one: one.distance)}
    return tuple(worst[state] for state in sorted(worst))


# Evaluation


@flow.derived
def evaluates_learned(is_nearest: bool, is_other: bool) -> bool:
    """Return True if the likelihood uses the states that A is counted over."""
    return is_nearest and not is_other


flow.choice(
    "evaluated_neighbours",
    evaluates_learned="own_neighbours",
    is_nearest="nothing_counted",
    otherwise="shown_neighbours",
)


@flow.quick
def nothing_counted() -> None:
    """Leave it to the evaluation to count and to sum."""


@flow.either
def evaluated_scatters(
    evaluates_learned: bool, is_nearest: bool, discrete: bool, given: Given | None
) -> str:
    """Choose the input of the data term of vectors: the sums behind Sigma, if possible."""
    if not (is_nearest or discrete):
        return "shown_scatters"
    known = evaluates_learned and not discrete and given is None
    return "own_scatters" if known else "nothing_counted"


@flow.stage
def plain_evaluation(
    shown_data: DataSet,
    model: Model,
    states: States,
    normalizer: Normalizer,
    evaluated_neighbours: list[Neighbourhoods] | None,
    evaluated_scatters: list[Matrix] | None,
) -> DataSetEvaluation:
    """Evaluate under alpha = 1."""
    states_of = by_lattices(states, shown_data)
    return evaluate_counted(
        model, shown_data, states_of, normalizer, evaluated_neighbours, evaluated_scatters
    )


@flow.either
def evaluation(alpha_mode: str) -> str:
    """Choose the likelihood, with the Markov correction alpha."""
    return f"evaluation_with_{alpha_mode}_alpha"


@flow.quick
def evaluation_with_constant_alpha(
    plain_evaluation: DataSetEvaluation, alpha: float
) -> DataSetEvaluation:
    """Correct by a constant, which only shifts the total."""
    return plain_evaluation.under(alpha)


@flow.bulky
def evaluation_with_local_alpha(
    plain_evaluation: DataSetEvaluation,
    n_states: int,
    window: int,
    alpha: float,
    spacing: Spacing,
) -> DataSetEvaluation:
    """Correct each node by the inertia of its own window."""
    found = plain_evaluation.locally(n_states, window=window, base=alpha, spacing=spacing)
    _ = found.pair_term  # sums over all nodes here, not at the first request of a view
    return found
