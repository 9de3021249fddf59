"""What the stages compute for one request, as frozen values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from latviz.core import choice, data, inference, segmentation, windows
from latviz.core import model as core_model
from latviz.core.data.hand_cut import HandCut
from latviz.core.data.observations import Observations
from latviz.engine.geometry.cuts import Cuts
from latviz.engine.geometry.dendrogram import Dendrogram
from latviz.engine.geometry.node_maps import NodeMap
from latviz.engine.geometry.projection import Projection
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import (
    ConnectedSelection,
    Kept,
    Lit,
    MapKind,
    Selection,
)
from latviz.engine.geometry.signature_space import Paths, SignatureSpace
from latviz.engine.geometry.space import LassoPlanes
from latviz.engine.pictures.labelled import Labelled
from latviz.engine.pictures.picture import Picture, Pictures, PictureSet, as_set
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.pictures.truth import Truth
from latviz.engine.settings.appearance import Appearance, Looks, called
from latviz.engine.settings.decoding import Coloring, DecodingA
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import Scribbled, Scribbles

T = TypeVar("T")

LATE = frozenset({"paths", "noise", "code_lengths", "residual_correlation"})
"""Results that come after all others, one by one."""
SLOW = frozenset({"paths"})
"""Late results that nobody waits for."""
LEFT_OUT = frozenset({"code_lengths"})
"""Results that need the kernels of the trade-off, which are compiled beside the window."""
NEEDED = frozenset(
    {"inertia", "evaluation", "space", "noise", "code_lengths", "residual_correlation"}
)
"""The results that the views shown at first draw."""
ALL_NEEDS = NEEDED | {"node_map", "dendrogram", "cuts"}
"""All results but the paths of codewords, which take a while, regions, which need kernels of their
own, and what needs known states."""
REGIONS = frozenset(
    {"regions", "region_colors", "painted_regions", "listed_regions", "border_ranks"}
)
"""Results that need the kernels of regions."""
KEPT = frozenset({"kept_statistics", "kept_lit"})
"""Results about the selections that are kept."""
MOST_LIVE_BELIEFS = 1 << 21
"""Pixels up to which beliefs follow a hand that moves, if not in every step."""
EXPORTED = frozenset({"inertia", "evaluation", "noise", "code_lengths", "residual_correlation"})
"""The results that a request must need for its frame to be exported."""


@dataclass(frozen=True, eq=False)
class Request:
    """What to compute.

    Attributes
    ----------
    number : int
        Requests are numbered in order; a frame carries its request's number.
    pictures : Picture or PictureSet
        What the codebook and A are learned from, and which of it is decoded and shown.
    complete : bool
        Learn the codebook from all signatures, not from a sample.
    sample : int
        How many signatures a sample has (see `sampling.sample_size`).
    visible : tuple of two slices, or None
        The rows and columns on screen, which a large image is refined in first.
    needs : frozenset of str
        The stages whose results are wanted beside what every frame has.
    selection : Selection, optional
        Which pixels to light.
    kept : tuple of Kept
        The selections that are kept, of which statistics may be needed.
    map : str
        Which map the view of maps shows.
    region_cut : RegionCut
        Which regions are merged.
    compared : DecodingA, optional
        The decoding of the same picture to compare with.
    difference : bool
        Whether the pixels in which they differ are wanted.
    coloring : Coloring, optional
        The colours of the first tree that is learned from as many signatures.
    looks : Looks
        What states are called, and their own colours.
    hand_cut : HandCut
        Where the merge tree is cut by hand.
    scribbles : Scribbles
        Strokes that name the states under them.
    lasso_planes : tuple of (RegionSelection, Plane)
        The planes in which lassos were drawn, where they follow from other pictures than these.
    given : Given, optional
        A model that is not learned. The parameters, the looks and the cut become those that it
        admits.
    """

    number: int
    pictures: Pictures
    parameters: Parameters
    projection: Projection = field(default_factory=Projection)
    complete: bool = False
    sample: int = LIVE
    visible: tuple[slice, slice] | None = None
    needs: frozenset[str] = NEEDED
    selection: Selection | None = None
    kept: tuple[Kept, ...] = ()
    map: MapKind = "likelihood"
    region_cut: RegionCut = field(default_factory=RegionCut)
    compared: DecodingA | None = None
    difference: bool = False
    coloring: Coloring | None = None
    looks: Looks = field(default_factory=Looks)
    hand_cut: HandCut = field(default_factory=HandCut)
    scribbles: Scribbles = field(default_factory=Scribbles)
    lasso_planes: LassoPlanes = ()
    given: Given | None = None

    def __post_init__(self) -> None:
        if self.given is not None:
            object.__setattr__(self, "parameters", self.given.admitted(self.parameters))
            object.__setattr__(self, "hand_cut", HandCut())

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return as_set(self.pictures).picture

    @property
    def modelled(self) -> PictureSet:
        """What stages know of the pictures: with a given model the one that is shown alone."""
        pictures = as_set(self.pictures)
        return pictures if self.given is None else PictureSet((pictures.picture,))

    @property
    def believes(self) -> bool:
        """Whether states follow from beliefs: neighbours have a say."""
        return self.parameters.decoding.speaks

    @property
    def shows_regions(self) -> bool:
        """Whether regions are looked for."""
        kept = (kept.selection for kept in self.kept) if self.needs & KEPT else ()
        looked_at = (self.selection, *kept)
        return bool(self.needs & REGIONS) or any(
            isinstance(selection, ConnectedSelection) for selection in looked_at
        )

    @property
    def takes_long(self) -> bool:
        """Whether a hand that moves would wait for the answer: it is given up for a newer one."""
        large = self.picture.n_nodes > MOST_LIVE_BELIEFS
        return self.complete or self.parameters.decoding.refines or (self.believes and large)


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far two decodings agree, when states are matched as well as they can be.

    Attributes
    ----------
    table : ndarray, shape (N1, N2), int64
        Pixels by their states in both.
    matched : float
        The share of pixels in matched states.
    rand : float
        The adjusted Rand index.
    different : ndarray of bool, or None
        Where states are not matched, of the maps' shape; None if nobody asked.
    """

    table: NDArray[np.int64]
    matched: float
    rand: float
    different: NDArray[np.bool_] | None = None

    @property
    def n_different(self) -> int:
        """How many pixels are in states that are not matched."""
        total = int(self.table.sum())
        return total - round(self.matched * total)


@dataclass(frozen=True, eq=False)
class Believed:
    """What is believed of the states of the picture that is shown.

    Attributes
    ----------
    strength : float
        To which power A couples neighbours.
    fields : sequence of Field
        Of each lattice; their messages are sent.
    """

    strength: float
    fields: "Sequence[inference.field.Field]"

    def at(self, node: tuple[int, ...]) -> "inference.field.NodeBelief":
        """Return what is believed of a pixel, and what each side says of it."""
        dimensions = len(self.fields[0].shape)
        lattice = node[0] if len(node) > dimensions else 0  # slices are apart
        return self.fields[lattice].at(node[-dimensions:])


@dataclass(frozen=True, eq=False)
class CodeLengths:
    """Code lengths of the shown picture's observations, each left out of its own window.

    They can be compared between settings, and with what it costs to know no states.

    Attributes
    ----------
    states : CodeLength
        With the states that windows with w tell.
    one : CodeLength
        With one state: a histogram of the symbols, or one normal density of the vectors.
    codebook : ndarray, shape (N, M), float64, or None
        What windows without their middle are compared with; None of beliefs.
    emitted : ndarray, shape (N, M), int64, or None
        How often each state emits each symbol then; None of vectors and of beliefs.
    normal : Normal or None
        What each state emits then, of vectors; None of symbols and of beliefs.
    """

    states: "choice.code_length.CodeLength"
    one: "choice.code_length.CodeLength"
    codebook: NDArray[np.float64] | None = None
    emitted: NDArray[np.int64] | None = None
    normal: "choice.code_length.Normal | None" = None


class Result(Generic[T]):
    """What a stage of this name computed for a frame; None if it is not there."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, frame: "Frame | None", _owner: type) -> T | None:
        return None if frame is None else frame.results.get(self._name)


@dataclass(frozen=True, eq=False)
class Frame:
    """One computed picture of the model; views show it and keep nothing else.

    A large image is shown in coarse frames first. They hold the states of one pixel in each cell
    of ``side`` x ``side``, and estimates of the counts from a sample; the model follows from these.

    Attributes
    ----------
    observed : tuple of Observations
        Of all pictures that are learned from; with a given model, of the picture that is shown.
    states : ndarray, shape (*shape), uint8, or (ceil(H / side), ceil(W / side))
        Decoded with w.
    occupancy : ndarray, shape (N,), int64
        Nodes in each state of ``states``.
    pairs : ndarray, shape (N, N), int64
        A', counted over the states decoded with w_l.
    side : int
        1, unless the frame is coarse.
    detail : Level or None
        In a coarse frame: finer states of the part on screen.
    lit : Lit or None
        The pixels of the selection, if there is one and the frame is whole.
    believed : Believed or None
        If states are those of most belief.
    agreement : Agreement or None
        With the frame to compare with, if there is one and this frame is whole.
    slots : tuple of int
        The colour of each state, as an index into the palette; increasing.
    results : Mapping of str to object
        By stage: what the request needed beside the rest. `inertia`, `evaluation`, `space`,
        `own_associativity`, `node_map`, `dendrogram`, `truth`, `noise`, `code_lengths`,
        `residual_correlation`, `paths`,
        `regions` are in there; `scribbled`, if there are strokes.
    row_slots : tuple of int
        The slot of each row of the merge tree's codebook, in the tree's own order.
    tree_slots : tuple of (int, int)
        The rows of the merge tree that have slots, whichever cut they are in, each with its own;
        empty with a given model.
    cut : TreeCut or None
        The cut of the merge tree that the codebook is; None of a frame that was kept.
    n_learned, n_signatures : int
        How many signatures the codebook was learned from, and how many all pictures have.
    timings : Mapping of str to float
        Seconds that each stage took; stages that were remembered are not in it.
    appearance : Appearance
        What states are called, and which colours they have, by their slots.
    labelled : Labelled or None
        Of a frame that was kept: the method that its states are from, if not from the model.
    beside : Observations or None
        Of the picture that is shown, if it is not among those that are learned from.
    """

    request: Request
    observed: tuple[Observations, ...]
    model: "core_model.models.DiscreteModel | core_model.models.GaussianModel"
    states: NDArray[np.uint8]
    occupancy: NDArray[np.int64]
    pairs: NDArray[np.int64]
    slots: tuple[int, ...]
    associativity: float
    n_learned: int
    n_signatures: int
    timings: Mapping[str, float]
    side: int = 1
    detail: "windows.decoding.Level | None" = None
    lit: Lit | None = None
    believed: Believed | None = None
    agreement: Agreement | None = None
    row_slots: tuple[int, ...] = ()
    tree_slots: tuple[tuple[int, int], ...] = ()
    cut: "data.cutting.TreeCut | None" = None
    results: Mapping[str, Any] = field(default_factory=dict)
    appearance: Appearance = field(default_factory=Appearance)
    labelled: Labelled | None = None
    beside: Observations | None = None

    @cached_property
    def colors(self) -> NDArray[np.uint8]:
        """The colour of each state, shape (N, 3), not to be written to."""
        colors = self.appearance.colors(self.slots)
        colors.flags.writeable = False
        return colors

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each state is called by a person; "" if it has its number alone."""
        return self.appearance.names(self.slots)

    def called(self, state: int) -> str:
        """Return what a state is called in a text: "state 3", or "state 3 (sky)"."""
        return called(state + 1, self.names[state] if state < len(self.slots) else "")

    def label(self, state: int) -> str:
        """Return the name of a state where there is room for a word: "sky", or its number."""
        return self.names[state] or str(state + 1)

    def titled(self, state: int) -> str:
        """Return what a state is called where a text begins: "State 3", or "State 3 (sky)"."""
        text = self.called(state)
        return text[0].upper() + text[1:]

    @property
    def observations(self) -> Observations:
        """Those of the picture that is shown."""
        return self.everything_observed[self.request.modelled.place]

    @property
    def everything_observed(self) -> tuple[Observations, ...]:
        """Those of all pictures that are learned from, and of the other one if there is one."""
        return self.observed if self.beside is None else (*self.observed, self.beside)

    @property
    def n_nodes(self) -> int:
        """The number of nodes of the picture that is shown."""
        return self.request.picture.n_nodes

    inertia = Result[float]()
    """The index of the states (1.5); None if nobody needed it."""
    evaluation: ClassVar["Result[core_model.evaluation.DataSetEvaluation]"] = Result()
    """The likelihood; None if nobody needed it."""
    noise: ClassVar["Result[choice.noise.NoiseIndices]"] = Result()
    """The indices that noise alone reaches; None if they are not there yet."""
    code_lengths = Result[CodeLengths]()
    """What the observations cost; None if that is not there yet."""
    own_associativity = Result[float]()
    """The associativity of A counted over the picture that is shown alone, if needed."""
    residual_correlation = Result[float]()
    """How far neighbours resemble each other beyond their states; None if not known yet."""
    truth = Result[Truth]()
    """The known states beside the decoded ones; None if nobody needed them."""
    space = Result[SignatureSpace]()
    """The signature space as it is drawn; None if nobody needed it."""
    node_map = Result[NodeMap]()
    """The map of one number a node; None if nobody needed it."""
    window_changes = Result[NDArray[np.bool_]]()
    """Where states are not those of w - 1 by the same codebook; None if nobody needed it."""
    dendrogram = Result[Dendrogram]()
    """The last merges; None if nobody needed them."""
    cuts = Result[Cuts]()
    """The codebook of every N; None if nobody needed it."""
    regions: ClassVar["Result[segmentation.regions.Regions]"] = Result()
    """The regions of the state map; None if nobody needed them."""
    scribbled = Result[Scribbled]()
    """How far the states agree with strokes; None if there are none."""
    paths = Result[Paths]()
    """The paths of the codewords as w_l grows; None if nobody needed them."""

    @property
    def pending(self) -> frozenset[str]:
        """The results that are needed and that a later frame of the same request brings.

        Those that come last of all are not counted: nobody waits for them.
        """
        return self.request.needs - self.results.keys() - LATE

    @property
    def finished(self) -> bool:
        """Whether all that is needed is there, but for what is `SLOW`."""
        return self.whole and not self.request.needs - self.results.keys() - SLOW

    def with_results(self, **results: Any) -> "Frame":
        """Return the frame with more results; without those that are None."""
        both = {**self.results, **results}
        kept = {name: value for name, value in both.items() if value is not None}
        return replace(self, results=kept)

    @property
    def coarse(self) -> bool:
        """Whether states are those of one pixel in each cell."""
        return self.side > 1

    @property
    def coloring(self) -> Coloring:
        """The colours of its tree's codewords."""
        return Coloring(self.row_slots, self.n_learned)

    @property
    def whole(self) -> bool:
        """Whether no other frame of the same request follows, but for late results."""
        return not (self.coarse or self.pending)

    def to_keep(self) -> "Frame":
        """Return the frame without what only views of the newest frame show."""
        request = replace(self.request, compared=None, selection=None, needs=frozenset())
        bare = replace(self, request=request, results={}, cut=None)
        return replace(bare, lit=None, believed=None, agreement=None)

    def states_at(self, *nodes: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the states of some nodes, given axis by axis; of a coarse frame their cells'."""
        if self.side > 1:
            nodes = tuple(axis // self.side for axis in nodes)
        return np.asarray(self.states[nodes])

    @property
    def codebook(self) -> NDArray[np.float64]:
        """B or the means, shape (N, M)."""
        model: Any = self.model
        return np.asarray(model.B if self.observations.discrete else model.means)

    @property
    def codewords(self) -> NDArray[np.float64]:
        """The codewords of all windows that nodes are decoded from, end to end, shape (N, k M)."""
        return np.asarray(self.model.codewords)

    @property
    def further(self) -> tuple[int, ...]:
        """The half-widths of windows beyond the first that nodes are decoded from."""
        return self.model.further_windows


_NO_PARTS = ("request", "timings", "results")
_PARTS = tuple(field.name for field in fields(Frame) if field.name not in _NO_PARTS)


def differing(before: Frame, after: Frame) -> Iterator[str]:
    """Yield the names of the parts and results in which two frames differ, as views draw them."""
    for name in _PARTS:
        if not _same(getattr(before, name), getattr(after, name)):
            yield name
    for name in before.results.keys() | after.results.keys():
        if not _same(before.results.get(name), after.results.get(name)):
            yield name


def _same(one: Any, other: Any) -> bool:
    return one is other or (
        isinstance(one, int | float | tuple | Appearance) and bool(one == other)
    )
