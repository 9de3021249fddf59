"""Input of views besides the states: maps, the signature space, selections, comparisons."""

from dataclasses import replace

import numpy as np

from latviz.core.checks import UNKNOWN
from latviz.core.choice import noise as core_noise
from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.code_length import CodeLength, Emitted
from latviz.core.choice.settings import length_of_one_state
from latviz.core.data.data_set import DataSet
from latviz.core.data.masks import hide, in_both, mask_in
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.observations import Observations
from latviz.core.decoders import DECODERS
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import BinnedDensities
from latviz.core.inference.field import Field
from latviz.core.model.belief import belief_entropy
from latviz.core.model.evaluation import DataSetEvaluation
from latviz.core.model.fitting import FitSettings
from latviz.core.model.indices import associativity, count, inertia, local_inertia
from latviz.core.model.law import distance_of
from latviz.core.model.learning import adjacency
from latviz.core.model.models import DiscreteModel, Model
from latviz.core.model.residuals import Residuals, residuals_of
from latviz.core.progress import Progress
from latviz.core.segmentation.regions import Regions
from latviz.core.truth.agreement import (
    accuracy_of,
    disagreement,
    known_contingency,
    rand_of,
)
from latviz.core.types import Counts, Matrix, Nodes, Signature, States, Window
from latviz.core.windows.parts import signatures_of
from latviz.engine.flow.stages.flow import flow
from latviz.engine.flow.stages.states import decoded
from latviz.engine.frames import highlight
from latviz.engine.frames.frame import Agreement, CodeLengths, Frame
from latviz.engine.frames.state_paths import SWEEP, PathSweep, named
from latviz.engine.geometry import space as spaces
from latviz.engine.geometry.node_maps import NodeMap
from latviz.engine.geometry.node_maps import node_map as colored
from latviz.engine.geometry.selection import (
    ChangeSelection,
    ConnectedSelection,
    Lit,
    Mask,
    PairSelection,
    RangeSelection,
    RegionSelection,
    Selection,
    StateSelection,
    SymbolSelection,
)
from latviz.engine.geometry.signature_space import Paths, Projection, SignatureSpace
from latviz.engine.geometry.slots import slots_by_overlap
from latviz.engine.geometry.space import density as density_of_lattice
from latviz.engine.pictures.data_sets import by_lattices, nodes_of, of_picture, sampled
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.pictures.sample_size import sample_size
from latviz.engine.pictures.truth import Truth, TruthIndices
from latviz.engine.settings.appearance import mean_colors
from latviz.engine.settings.scribbles import PaintedPixels, Scribbled, Scribbles, painted

# Effects of the window and of neighbours


@flow.bulky
def window_changes(
    picture: Picture,
    shown_data: DataSet,
    decoding_model: Model,
    states: States,
    decoder: str,
    window: int,
    passes: int,
    watch: Progress,
) -> Lit:
    """Find where states are not those of w - 1 by the same codebook; nowhere if w is 0."""
    before = decoded(shown_data, decoding_model, decoder, max(0, window - 1), passes, watch)
    return highlight.of_mask(np.asarray(of_picture(before, picture) != states))


@flow.bulky
def neighbour_changes(
    picture: Picture,
    shown_data: DataSet,
    window_model: Model,
    states: States,
    window: int,
    watch: Progress,
) -> Lit:
    """Find where states are not those of the nearest codewords."""
    nearest = decoded(shown_data, window_model, "nearest", window, 0, watch)
    return highlight.of_mask(np.asarray(of_picture(nearest, picture) != states))


flow.choice("changes", has_beliefs="neighbour_changes", otherwise="window_changes")


# Colours


@flow.stage
def state_means(picture: Picture, states: States, n_states: int) -> Counts:
    """Return the mean colour of the pixels in each state, shape (N, 3)."""
    return mean_colors(picture, states, n_states)


@flow.stage
def stroked_nodes(scribbles: Scribbles, pictures: PictureSet) -> PaintedPixels:
    """Find the pixels of strokes in the picture that is shown."""
    return painted(scribbles.strokes, pictures.picture, pictures.place)


@flow.quick
def scribbled(
    scribbles: Scribbles, stroked_nodes: PaintedPixels, states: States, n_states: int
) -> Scribbled:
    """Compare the states with the strokes over them."""
    return Scribbled.of(scribbles, stroked_nodes, states, n_states)


# Maps of one number per node


@flow.either
def node_map(map_kind: str) -> str:
    """Choose the map that is shown."""
    return f"map_of_{map_kind}"


@flow.bulky
def map_of_likelihood(picture: Picture, evaluation: DataSetEvaluation) -> NodeMap:
    """Colour the log-likelihood of each node, in bits."""
    bits = of_picture(evaluation.node_log_likelihood, picture) / np.float32(np.log(2.0))
    return colored("likelihood", bits.astype(np.float32, copy=False))


@flow.bulky
def map_of_inertia(
    picture: Picture, shown_data: DataSet, states: States, n_states: int, window: int
) -> NodeMap:
    """Colour the inertia of each node's window."""
    lattices = by_lattices(states, shown_data)
    found = local_inertia(lattices, n_states=n_states, window=window, spacing=shown_data.spacing)
    return colored("inertia", of_picture(found, picture))


flow.choice("map_of_doubt", has_beliefs="doubt_of_nodes", otherwise="doubt_of_windows")


@flow.bulky
def doubt_of_windows(
    picture: Picture, shown_data: DataSet, decoding_model: Model, window: int, watch: Progress
) -> NodeMap:
    """Colour the entropy of each window's belief state, in bits."""
    found = belief_entropy(shown_data, model=decoding_model, window=window, progress=watch)
    return colored("doubt", of_picture(found, picture))


@flow.bulky
def doubt_of_nodes(picture: Picture, fields: list[Field]) -> NodeMap:
    """Colour the entropy of each node's belief, in bits."""
    return colored("doubt", of_picture([field.entropies() for field in fields], picture))


@flow.bulky
def map_of_resemblance(picture: Picture, residuals: Residuals) -> NodeMap:
    """Colour the residual correlation of each node with its neighbours; 0 without neighbours."""
    found, known = of_picture(residuals.nodes, picture), picture.known
    found = np.nan_to_num(found)
    return colored("resemblance", found if known is None else np.where(known, found, np.nan))


# Comparisons for the indices and the likelihood


@flow.stage
def shuffled(data_set: DataSet) -> tuple[DataSet, ...]:
    """Shuffle the observations."""
    return core_noise.shuffled(data_set)


@flow.stage
def noise_trees(
    shuffled: tuple[DataSet, ...], learning_windows: Window, yielding: Progress
) -> tuple[MergeTree, ...]:
    """Learn from each of the orders."""
    return core_noise.trees_of(shuffled, learning_windows, yielding)


@flow.stage
def noise(
    shuffled: tuple[DataSet, ...],
    noise_trees: tuple[MergeTree, ...],
    fit: FitSettings,
    decoder: str,
    yielding: Progress,
) -> core_noise.NoiseIndices:
    """Return the indices of noise."""
    return core_noise.indices_of(shuffled, noise_trees, fit, yielding, decoder=decoder)


@flow.stage
def one_state_length(shown_data: DataSet) -> CodeLength:
    """Return the code length of one state: that of a histogram, or of one normal density."""
    return length_of_one_state(shown_data)


flow.choice("code_lengths", has_beliefs="belief_lengths", otherwise="window_lengths")


@flow.stage
def window_lengths(
    shown_data: DataSet,
    codewords: Matrix,
    decoder: str,
    windows: Window,
    one_state_length: CodeLength,
    yielding: Progress,
) -> CodeLengths:
    """Return the code lengths of observations excluded from their own windows."""
    left_out = DECODERS[decoder].left_out
    assert left_out is not None
    without = left_out(shown_data, codewords, windows, yielding)
    emitted = Emitted.of(shown_data.lattices, without, len(codewords), shown_data.n_symbols)
    counts = None if emitted.floor is not None else emitted.values.sum(axis=0)
    length, normal = emitted.code_length(), emitted.normal()
    return CodeLengths(length, one_state_length, codewords, counts, normal)


@flow.stage
def belief_lengths(
    fields: list[Field], decoding_model: Model, shown_data: DataSet, one_state_length: CodeLength
) -> CodeLengths:
    """Return the code lengths of observations given all others."""
    emission = decoding_model.emission
    binned = isinstance(emission, BinnedDensities | CopulaDensities)
    alone = length_of_one_state(shown_data, emission) if binned else one_state_length
    return CodeLengths(cavity_length(fields, emission), alone)


@flow.stage
def truth_indices(picture: Picture, shown_data: DataSet, window: int) -> TruthIndices:
    """Return the indices of the known states; there must be some."""
    assert picture.truth is not None
    lattices = by_lattices(hide(picture.truth.copy(), picture.known), shown_data)
    n = 1 + int(picture.truth.max(where=picture.truth != UNKNOWN, initial=0))
    known = [k for k, one in enumerate(lattices) if (one != UNKNOWN).any()]
    maps = [lattices[k] for k in known]
    every = (slice(None),) * shown_data.dimensions
    data = shown_data.parts([(k, every) for k in known]).under([mask_in(one) for one in maps])
    A = adjacency(*count(maps, n), data.n_directions)
    rest, law = residuals_of(data, maps).correlation, distance_of(data, maps)
    return TruthIndices(
        A,
        associativity(A),
        inertia(maps, n_states=n, window=window, spacing=data.spacing),
        rest,
        law,
    )


@flow.stage
def truth_table(picture: Picture, states: States) -> Counts:
    """Count nodes by their decoded state (rows) and their known one; there must be some."""
    assert picture.truth is not None
    return known_contingency(states, picture.truth)


@flow.quick
def known_slots(truth_table: Counts, slots: tuple[int, ...]) -> tuple[int, ...]:
    """Return the colour of each known state: that of the decoded one with which it is matched."""
    return tuple(slots_by_overlap(truth_table, slots))


@flow.bulky
def truth(
    picture: Picture,
    truth_indices: TruthIndices,
    truth_table: Counts,
    states: States,
    known_slots: tuple[int, ...],
) -> Truth:
    """Compare the states with the known ones; there must be some."""
    assert picture.truth is not None
    return compared(picture.truth, truth_indices, truth_table, states, known_slots)


def compared(
    known: States, indices: TruthIndices, table: Counts, states: States, slots: tuple[int, ...]
) -> Truth:
    """Compare known states, in the colours ``slots``, with decoded ones (*shape) by a table."""
    wrong = _disagreement(states, known, table)
    return Truth(known, slots, indices, accuracy_of(table), rand_of(table), wrong)


def _disagreement(one: States, other: States, table: Counts) -> Mask:
    """Return where two maps have unmatched states, both of which are known."""
    both = in_both(one, other)
    if not both.all():
        one, other = np.where(both, one, 0), np.where(both, other, 0)
    found: Mask = disagreement(one, other, table=table)
    return found & both


# The signature space

flow.choice("shown_sample", learns_with_w="own_sample", otherwise="sample_with_w")


@flow.stage
def sample_with_w(shown_data: DataSet, nodes: Nodes, window: int) -> Signature:
    """Return the signatures at the sample's nodes with w, shape (n, M)."""
    return sampled(shown_data, window, nodes)


@flow.stage
def common_sample_with_w(data_set: DataSet, common_nodes: list[Nodes], window: int) -> Signature:
    """Return signatures of all pictures with w, shape (n, M)."""
    return signatures_of(data_set, window, common_nodes)


flow.choice(
    "drawn_sample",
    is_alone="shown_sample",
    learns_with_w="common_sample",
    otherwise="common_sample_with_w",
)


@flow.derived
def is_held(window: int, axes_window: int) -> bool:
    """Return True if principal axes stay those of another w, while a hand moves."""
    return window != axes_window


@flow.stage
def held_sample(data_set: DataSet, common_nodes: list[Nodes], axes_window: int) -> Signature:
    """Return signatures of all pictures with the w that chose the axes, shape (n, M)."""
    return signatures_of(data_set, axes_window, common_nodes)


flow.choice("axes_sample", is_held="held_sample", otherwise="drawn_sample")


@flow.stage
def plane(
    data_set: DataSet, drawn_sample: Signature, axes_sample: Signature, projection: Projection
) -> spaces.Plane:
    """Choose the directions for drawing signatures, by a sample of them."""
    return spaces.plane_of(data_set, drawn_sample, projection, axes_sample)


@flow.stage
def density(
    shown_data: DataSet, window: int, plane: spaces.Plane, rows_apart: int
) -> spaces.Counted:
    """Count signatures of nodes in the bins of the plane."""
    counts = (
        density_of_lattice(lattice, window, plane, rows_apart) for lattice in shown_data.lattices
    )
    return spaces.counted(np.asarray(sum(counts)), window, plane, rows_apart)


@flow.stage
def space(plane: spaces.Plane, density: spaces.Counted, model: Model) -> SignatureSpace:
    """Add the states to the plane and its density."""
    return described(plane, density, model)


def described(plane: spaces.Plane, counted: spaces.Counted, model: Model) -> SignatureSpace:
    """Return the space of a model."""
    sigma = None if isinstance(model, DiscreteModel) else model.covariances
    found = spaces.describe(plane, counted.counts, model.codebook, sigma)
    counts_all = counted.rows_apart == 1
    return replace(found, counts_all=counts_all, blur=counted.blur, levels=counted.levels)


# The paths of the codewords as w_l grows


@flow.derived
def n_swept(picture: Picture, is_large: bool, n_channels: int, n_wanted: int) -> int:
    """Return the number of signatures to learn from at each window."""
    return sample_size(picture.shape, SWEEP[-1], n_wanted, n_channels) if is_large else n_wanted


@flow.stage
def sweep(data_set: DataSet, members: tuple[Picture, ...], n_swept: int) -> PathSweep:
    """Prepare to learn at one window after another."""
    return PathSweep(data_set, nodes_of(data_set, members, n_swept))


@flow.stage
def path_codewords(sweep: PathSweep, n_states: int, yielding: Progress) -> Matrix:
    """Learn at all windows; return the codewords, shape (windows, N, M)."""
    return sweep.paths(n_states, yielding)


@flow.quick
def paths(path_codewords: Matrix, model: Model, learning_window: int) -> Paths:
    """Name the paths after the model's states."""
    return named(path_codewords, model.codebook, learning_window)


# Highlight and comparison

_LIT: dict[type[Selection], str] = {
    StateSelection: "lit_state",
    PairSelection: "lit_pairs",
    SymbolSelection: "lit_symbol",
    RegionSelection: "lit_region",
    RangeSelection: "lit_range",
    ChangeSelection: "lit_change",
    ConnectedSelection: "lit_connected",
}


@flow.either
def lit(selection: Selection) -> str:
    """Choose the stage of the highlighted nodes."""
    return _LIT[type(selection)]


@flow.bulky
def lit_state(states: States, slots: tuple[int, ...], selection: StateSelection) -> Lit:
    """Light a state."""
    return highlight.of_state(states, slots, selection)


@flow.bulky
def lit_pairs(
    data_set: DataSet,
    states: States,
    counts: tuple[Counts, Counts],
    slots: tuple[int, ...],
    selection: PairSelection,
) -> Lit:
    """Light the pairs that an entry of A counts."""
    dimensions, pairs = data_set.dimensions, counts[0]
    return highlight.of_pairs(states, pairs, slots, dimensions, selection)


@flow.bulky
def lit_symbol(
    shown_observations: Observations,
    states: States,
    slots: tuple[int, ...],
    selection: SymbolSelection,
) -> Lit:
    """Light the nodes of one state that carry one symbol."""
    return highlight.of_symbol(shown_observations, states, slots, selection)


@flow.stage
def plane_of_lasso(
    data_set: DataSet, drawn_sample: Signature, axes_sample: Signature, selection: RegionSelection
) -> spaces.Plane:
    """Choose the directions that a lasso was drawn in; they may not be those on screen."""
    return spaces.plane_of(data_set, drawn_sample, selection.projection, axes_sample)


@flow.bulky
def lit_region(
    picture: Picture,
    shown_data: DataSet,
    window: int,
    plane_of_lasso: spaces.Plane,
    selection: RegionSelection,
    watch: Progress,
) -> Lit:
    """Light the nodes whose signatures are inside a lasso."""
    n_symbols, corners = shown_data.n_symbols, selection.corners
    masks = shown_data.each(
        lambda lattice: highlight.in_region(
            lattice, n_symbols, window, plane_of_lasso, corners, watch
        )
    )
    return highlight.of_mask(of_picture(masks, picture))


@flow.either
def ranged_map(selection: RangeSelection) -> str:
    """Choose the map of a range."""
    return f"map_of_{selection.map}"


@flow.bulky
def lit_range(ranged_map: NodeMap, selection: RangeSelection) -> Lit:
    """Light the nodes whose value in a map is within a range."""
    return highlight.of_range(ranged_map.values, selection)


@flow.bulky
def lit_change(
    states: States, slots: tuple[int, ...], compared: Frame | None, selection: ChangeSelection
) -> Lit:
    """Light the nodes that went from one state to another."""
    return highlight.of_change(states, slots, compared, selection)


@flow.bulky
def lit_connected(regions: Regions, selection: ConnectedSelection) -> Lit:
    """Light the region that a node is in."""
    return highlight.of_connected(regions, selection)


@flow.bulky
def agreement(states: States, compared: Frame, difference: bool) -> Agreement | None:
    """Compare with the decoding that was kept, if it has the same shape."""
    kept = compared.states
    if kept.shape != states.shape:
        return None
    table = known_contingency(kept, states)
    different = _disagreement(kept, states, table) if difference else None
    return Agreement(table, accuracy_of(table), rand_of(table), different)
