"""From pictures to a model of windows: observations, a merge tree, a codebook, A and B."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from latviz.core.data.cutting import ClusterHierarchy, TreeCut
from latviz.core.data.data_set import DataSet
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.observations import Observations
from latviz.core.data.quantization import fast_pnn
from latviz.core.model import learning
from latviz.core.model.fitting import FitSettings
from latviz.core.model.indices import Neighbourhoods, counted, neighbourhoods, state_counts
from latviz.core.model.models import (
    DiscreteModel,
    GaussianModel,
    Model,
    discrete_parts,
    gaussian_parts,
)
from latviz.core.progress import Progress, heeding
from latviz.core.types import Counts, Matrix, Nodes, Signature, Spacing, States, Window
from latviz.core.windows.decoding import decode_each
from latviz.core.windows.nodes import Totals, totals_at
from latviz.core.windows.parts import signatures_of
from latviz.core.windows.stratified import SAMPLE_EXACT
from latviz.engine.flow.stages.flow import flow
from latviz.engine.frames.coarse import Estimate, estimated
from latviz.engine.geometry.dendrogram import Cuts, Dendrogram
from latviz.engine.geometry.dendrogram import dendrogram as dendrogram_of
from latviz.engine.geometry.slots import FIRST, first_slots_like, is_rising, nearest
from latviz.engine.geometry.slots import first_slots as first_slots_of
from latviz.engine.pictures.data_sets import (
    apart,
    check_fits,
    data_set_of,
    encoded_by,
    lattices_of,
    nodes_of,
    observed,
    of_picture,
    part_of,
    picture_nodes,
    sampled,
)
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.pictures.sample_size import is_large as is_large_shape
from latviz.engine.pictures.sample_size import sample_size
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import STATES_RANGE

# Observations

flow.choice("observations", given="given_observations", otherwise="fitted_observations")


@flow.stage
def fitted_observations(
    members: tuple[Picture, ...], encoding: Encoding, watch: Progress
) -> tuple[Observations, ...]:
    """Encode the pictures, all by one encoding."""
    check_fits(members, encoding)
    with heeding(watch):
        return observed(members, encoding)


@flow.stage
def given_observations(
    members: tuple[Picture, ...], given: Given, watch: Progress
) -> tuple[Observations, ...]:
    """Encode the pictures like those that the given model was learned from."""
    check_fits(members, given.encoding)
    with heeding(watch):
        return tuple(encoded_by(given.encoder, picture) for picture in members)


@flow.stage
def data_set(
    observations: tuple[Observations, ...], members: tuple[Picture, ...], spacing: Spacing
) -> DataSet:
    """Prepare observations for summing windows."""
    return data_set_of(observations, members).spaced(spacing)


@flow.derived
def is_other(pictures: PictureSet) -> bool:
    """Return True if the picture on screen is not learned from."""
    return pictures.other is not None


@flow.stage
def other_observations(
    observations: tuple[Observations, ...], picture: Picture, encoding: Encoding
) -> Observations:
    """Encode another picture like those that are learned from."""
    check_fits([picture], encoding)
    return encoded_by(observations[0].encoder, picture)


@flow.quick
def own_observations(observations: tuple[Observations, ...], pictures: PictureSet) -> Observations:
    """Take those of the member that is shown."""
    return observations[pictures.shown]


flow.choice("shown_observations", is_other="other_observations", otherwise="own_observations")


@flow.stage
def other_data(other_observations: Observations, picture: Picture, spacing: Spacing) -> DataSet:
    """Prepare those of another picture for summing windows."""
    return data_set_of((other_observations,), (picture,)).spaced(spacing)


@flow.quick
def own_lattices(pictures: PictureSet) -> slice:
    """Find the lattices of the member that is shown."""
    return lattices_of(pictures)


@flow.quick
def own_data(data_set: DataSet, own_lattices: slice) -> DataSet:
    """Take the lattices of the member that is shown."""
    return part_of(data_set, own_lattices)


flow.choice("shown_data", is_other="other_data", otherwise="own_data")


@flow.derived
def discrete(encoding: Encoding) -> bool:
    """Return True if observations are symbols."""
    return encoding.discrete


@flow.derived
def n_nodes(members: tuple[Picture, ...]) -> int:
    """Return the number of known nodes of all pictures."""
    return sum(picture.n_known for picture in members)


@flow.derived
def is_alone(pictures: PictureSet) -> bool:
    """Return True if only the picture on screen is learned from."""
    return len(pictures.everything) == 1


@flow.derived
def is_large(picture: Picture, is_alone: bool, further: tuple[int, ...]) -> bool:
    """Return True if the picture is an image that is shown coarsely first."""
    # With unknown pixels, cells would be of unequal numbers of pixels
    whole = is_alone and not further and picture.known is None
    return whole and is_large_shape(picture.shape)


@flow.derived
def windows(window: int, further: tuple[int, ...]) -> Window:
    """Return the half-widths that nodes are decoded from: w, and any that stay when it moves."""
    return (window, *further) if further else window


@flow.derived
def learning_windows(learning_window: int, further: tuple[int, ...]) -> Window:
    """Return the windows for learning the codewords."""
    return (learning_window, *further) if further else learning_window


@flow.derived
def learns_with_w(window: int, learning_windows: Window) -> bool:
    """Return True if the codewords are learned with the windows of decoding."""
    return window == learning_windows


@flow.derived
def n_channels(observations: tuple[Observations, ...]) -> int:
    """Return the numbers summed for each node of a window: one for symbols."""
    return 1 if observations[0].discrete else observations[0].n_symbols


# Learning: a merge tree of signatures, cut into a codebook


@dataclass(frozen=True, eq=False)
class LearnedTree:
    """A merge tree and the number of signatures it was learned from."""

    tree: MergeTree
    n_signatures: int


@flow.derived
def n_sampled(
    picture: Picture, is_large: bool, n_channels: int, learning_window: int, n_wanted: int
) -> int:
    """Return the number of signatures to learn from during a drag."""
    if not is_large:
        return n_wanted
    return sample_size(picture.shape, learning_window, n_wanted, n_channels)


@flow.stage
def first_nodes(members: tuple[Picture, ...], n_sampled: int) -> Nodes:
    """Choose nodes of the first picture that is learned from, axis by axis."""
    return picture_nodes(members[0], n_sampled)


@flow.stage
def other_nodes(picture: Picture, n_sampled: int) -> Nodes:
    """Choose nodes of the picture that is shown, axis by axis."""
    return picture_nodes(picture, n_sampled)


flow.choice("nodes", is_alone="first_nodes", otherwise="other_nodes")


@flow.stage
def sample_totals(shown_data: DataSet, nodes: Nodes, learning_window: int) -> Totals:
    """Sum over the windows of a large image's sample."""
    return totals_at(shown_data.lattices[0], shown_data.n_symbols, learning_window, nodes)


@flow.stage
def large_sample(sample_totals: Totals) -> Signature:
    """Return the sample's signatures, shape (n, M)."""
    return sample_totals.signatures()


@flow.quick
def single_nodes(data_set: DataSet, first_nodes: Nodes) -> list[Nodes]:
    """Take nodes of the only picture, lattice by lattice."""
    return apart(first_nodes, data_set)


@flow.stage
def several_nodes(data_set: DataSet, members: tuple[Picture, ...], n_sampled: int) -> list[Nodes]:
    """Choose nodes of several pictures, lattice by lattice."""
    return nodes_of(data_set, members, n_sampled)


@flow.either
def common_nodes(members: tuple[Picture, ...]) -> str:
    """Choose nodes of all pictures that are learned from."""
    return "single_nodes" if len(members) == 1 else "several_nodes"


@flow.stage
def common_sample(
    data_set: DataSet, common_nodes: list[Nodes], learning_windows: Window
) -> Signature:
    """Return signatures of all pictures, shape (n, M)."""
    return signatures_of(data_set, learning_windows, common_nodes)


@flow.stage
def plain_sample(shown_data: DataSet, nodes: Nodes, learning_windows: Window) -> Signature:
    """Return the sample's signatures, shape (n, M)."""
    return sampled(shown_data, learning_windows, nodes)


flow.choice(
    "own_sample", is_large="large_sample", is_alone="common_sample", otherwise="plain_sample"
)


# The sample of one picture that is not large does not depend on other pictures.
flow.choice("sample", is_large="large_sample", otherwise="common_sample")


@flow.stage
def sample_tree(sample: Signature, watch: Progress) -> LearnedTree:
    """Learn from the sample."""
    return LearnedTree(fast_pnn(sample, n_exact=SAMPLE_EXACT, progress=watch), len(sample))


@flow.stage
def complete_tree(data_set: DataSet, learning_windows: Window, progress: Progress) -> LearnedTree:
    """Learn from all signatures."""
    found = learning.learn_tree(data_set.lattices, data_set.n_symbols, learning_windows, progress)
    return LearnedTree(found, data_set.n_known)


@flow.stage
def given_tree(given: Given, n_nodes: int) -> LearnedTree:
    """Merge the codewords of a given model; nothing is learned from the picture."""
    return LearnedTree(fast_pnn(given.model.codewords), n_nodes)


@flow.either
def tree(given: Given | None, learns_from_all: bool, n_nodes: int, n_sampled: int) -> str:
    """Choose the merge tree; of few nodes all are learned from at once."""
    if given is not None:
        return "given_tree"
    return "complete_tree" if learns_from_all or n_nodes <= n_sampled else "sample_tree"


@flow.quick
def hierarchy(tree: LearnedTree) -> ClusterHierarchy:
    """Return the hierarchy of clusters."""
    return ClusterHierarchy(tree.tree)


@flow.stage
def dendrogram(hierarchy: ClusterHierarchy, hand_cut: HandCut) -> Dendrogram:
    """Lay out the last merges, and those that the user undid."""
    return dendrogram_of(hierarchy, hand_cut)


@flow.stage
def cuts(tree: LearnedTree) -> Cuts:
    """Cut the tree into the codebooks of every N."""
    n_most = min(STATES_RANGE[1], tree.tree.n_max)
    return Cuts(
        tuple(learning.codebook_of(tree.tree, n + 1) for n in range(STATES_RANGE[1])),
        *tree.tree.joins(n_most),
        tuple(tree.tree.weights_of(n + 1) for n in range(n_most)),
    )


@flow.quick
def tree_cut(hierarchy: ClusterHierarchy, n_states: int, hand_cut: HandCut) -> TreeCut:
    """Cut the tree into N clusters, or fewer if it has fewer; straight, except for cuts by hand."""
    return TreeCut.of(hierarchy, min(n_states, hierarchy.n_leaves), hand_cut)


@flow.quick
def codebook_rows(tree_cut: TreeCut, n_states: int) -> Matrix:
    """Return the codewords of all windows in the tree's own order, shape (N, k M)."""
    return learning.padded(tree_cut.codebook, n_states)


@flow.quick
def rising(tree: LearnedTree, discrete: bool) -> bool:
    """Return True unless the lighter branch of the tree is the darker one."""
    return _rises(tree, discrete)


@flow.quick
def own_slots(tree: LearnedTree, rising: bool) -> tuple[int, ...]:
    """Return the slots of the first rows of a tree."""
    return first_slots_of(_n_first(tree), rising)


@flow.quick
def sampled_slots(
    tree: LearnedTree,
    rising: bool,
    sample: Signature,
    sample_tree: LearnedTree,
    discrete: bool,
) -> tuple[int, ...]:
    """Return the slots that its first rows have in the sample's tree, which is shown first."""
    n_before, n = _n_first(sample_tree), _n_first(tree)
    before = np.array(first_slots_of(n_before, _rises(sample_tree, discrete)))
    old = before[nearest(sample, sample_tree.tree.codebook(n_before))]
    return first_slots_like(old, nearest(sample, tree.tree.codebook(n)), n, rising)


def _n_first(learned: LearnedTree) -> int:
    return min(FIRST, learned.tree.n_max)


def _rises(learned: LearnedTree, discrete: bool) -> bool:
    return is_rising(learned.tree.codebook(min(2, learned.tree.n_max)), discrete)


@flow.either
def first_slots(learns_from_all: bool, n_nodes: int, n_sampled: int) -> str:
    """Choose how the first rows of a tree are numbered."""
    return "sampled_slots" if learns_from_all and n_nodes > n_sampled else "own_slots"


@flow.derived
def slots(row_slots: tuple[int, ...]) -> tuple[int, ...]:
    """Return the colour slot of each state, increasing."""
    return tuple(sorted(row_slots))


@flow.quick
def cut_codewords(codebook_rows: Matrix, row_slots: tuple[int, ...]) -> Matrix:
    """Sort the codewords in the order of their states' slots."""
    return codebook_rows[np.argsort(row_slots)]


@flow.quick
def given_codewords(given: Given) -> Matrix:
    """Take the codewords of a given model."""
    return given.model.codewords


flow.choice("codewords", given="given_codewords", otherwise="cut_codewords")


@flow.quick
def codebook(codewords: Matrix, further: tuple[int, ...]) -> Matrix:
    """Take the codewords of the first window: B, or the means, shape (N, M)."""
    return codewords[:, : codewords.shape[1] // (1 + len(further))]


# The model


@flow.derived
def is_smoothed(discrete: bool, smoothing: float) -> bool:
    """Return True if B has pseudo-counts, so that it differs from the codewords."""
    return discrete and smoothing > 0


@flow.stage
def codeword_states(
    data_set: DataSet, codewords: Matrix, windows: Window, watch: Progress
) -> list[States]:
    """Decode all lattices with w."""
    return decode_each(data_set, codewords, windows, watch)


@flow.stage
def smoothed_codewords(
    data_set: DataSet, codewords: Matrix, codeword_states: list[States], fit: FitSettings
) -> Matrix:
    """Add pseudo-counts to the symbols of each state."""
    occupancy = np.sum([state_counts(one, len(codewords)) for one in codeword_states], axis=0)
    return learning.smoothed_emissions(codewords, occupancy, fit.smoothing, data_set.n_symbols)


@flow.stage
def smoothed_states(
    data_set: DataSet, smoothed_codewords: Matrix, windows: Window, watch: Progress
) -> list[States]:
    """Decode all lattices with w, as the smoothed B does."""
    return decode_each(data_set, smoothed_codewords, windows, watch)


flow.choice("model_codewords", is_smoothed="smoothed_codewords", otherwise="codewords")


# Those that A is counted over
flow.choice("learning_states", is_smoothed="smoothed_states", otherwise="codeword_states")


@flow.quick
def own_learning_states(
    learning_states: list[States], own_lattices: slice, pictures: PictureSet
) -> States:
    """Take those of the member that is shown."""
    return of_picture(learning_states[own_lattices], pictures.picture)


@flow.stage
def other_learning_states(
    picture: Picture,
    other_data: DataSet,
    model_codewords: Matrix,
    windows: Window,
    watch: Progress,
) -> States:
    """Decode another picture with w."""
    return of_picture(decode_each(other_data, model_codewords, windows, watch), picture)


flow.choice(
    "shown_learning_states", is_other="other_learning_states", otherwise="own_learning_states"
)


@flow.stage
def learning_neighbours(learning_states: list[States], n_states: int) -> list[Neighbourhoods]:
    """Count the nodes of each lattice by the states of their neighbours."""
    return [neighbourhoods(one, n_states) for one in learning_states]


flow.part("own_neighbours", of="learning_neighbours", at="own_lattices")


@flow.quick
def learning_counts(learning_neighbours: list[Neighbourhoods]) -> tuple[Counts, Counts]:
    """Take A', shape (N, N), and the nodes in each state, shape (N,)."""
    return counted([(one.pairs, one.occupancy) for one in learning_neighbours])


@flow.stage
def scatters(data_set: DataSet, learning_states: list[States], codebook: Matrix) -> list[Matrix]:
    """Sum (o - mu)(o - mu)' by state, shape (N, M, M) for each lattice."""
    return learning.known_scatters(data_set, learning_states, codebook)


flow.part("own_scatters", of="scatters", at="own_lattices")


@flow.quick
def covariances(
    data_set: DataSet, scatters: list[Matrix], learning_counts: tuple[Counts, Counts]
) -> tuple[Matrix, float]:
    """Return Sigma, shape (N, M, M), and its ridge."""
    return learning.covariances_from(data_set, scatters, learning_counts[1])


@flow.quick
def given_model(given: Given, window: int) -> Model:
    """Take the given model."""
    return replace(given.model, window=window)


flow.choice(
    "window_model", given="given_model", discrete="discrete_model", otherwise="gaussian_model"
)


@flow.stage
def discrete_model(
    data_set: DataSet,
    learning_counts: tuple[Counts, Counts],
    model_codewords: Matrix,
    fit: FitSettings,
) -> DiscreteModel:
    """Make the model of A and B."""
    d = data_set.n_directions
    return DiscreteModel(**discrete_parts(fit, model_codewords, learning_counts, d))


@flow.stage
def gaussian_model(
    data_set: DataSet,
    learning_counts: tuple[Counts, Counts],
    codewords: Matrix,
    covariances: tuple[Matrix, float],
    fit: FitSettings,
) -> GaussianModel:
    """Make the model of A, the means and the covariances."""
    return GaussianModel(
        **gaussian_parts(fit, codewords, learning_counts, data_set.n_directions, covariances)
    )


# The first picture of a large image: a model from estimated counts


@flow.stage
def totals_with_w(shown_data: DataSet, nodes: Nodes, window: int) -> Totals:
    """Sum over the windows w of a large image's sample."""
    return totals_at(shown_data.lattices[0], shown_data.n_symbols, window, nodes)


flow.choice("counted_totals", learns_with_w="sample_totals", otherwise="totals_with_w")


@flow.stage
def estimate(counted_totals: Totals, nodes: Nodes, codebook: Matrix, picture: Picture) -> Estimate:
    """Estimate the counts over all nodes."""
    return estimated(counted_totals, nodes, codebook, picture.shape)


flow.choice(
    "coarse_model",
    given="given_model",
    discrete="coarse_discrete_model",
    otherwise="coarse_gaussian_model",
)


@flow.stage
def coarse_discrete_model(
    data_set: DataSet, estimate: Estimate, codewords: Matrix, fit: FitSettings
) -> DiscreteModel:
    """Make the model of estimated A and B."""
    book = learning.smoothed_emissions(codewords, estimate.occupancy, fit.smoothing)
    counts = estimate.pairs, estimate.occupancy
    return DiscreteModel(**discrete_parts(fit, book, counts, data_set.n_directions))


@flow.stage
def coarse_gaussian_model(
    data_set: DataSet,
    shown_observations: Observations,
    nodes: Nodes,
    estimate: Estimate,
    codewords: Matrix,
    fit: FitSettings,
) -> GaussianModel:
    """Make the model of A, the means and the covariances of a sample."""
    vectors: Any = shown_observations.values[nodes]
    states, variance = estimate.states, learning.mean_variance([vectors])
    occupancy = state_counts(states, len(codewords))
    sums = learning.scatters([vectors], [states], codewords)
    spread = learning.covariances_of(sums, occupancy, variance)
    counts = estimate.pairs, estimate.occupancy
    return GaussianModel(**gaussian_parts(fit, codewords, counts, data_set.n_directions, spread))
