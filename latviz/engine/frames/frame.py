"""The stages' results for one request, as frozen values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from latviz.core import choice, data, inference, segmentation, windows
from latviz.core import model as core_model
from latviz.core.data.observations import Observations
from latviz.engine.geometry.cut_lives import CutLives
from latviz.engine.geometry.dendrogram import Cuts, Dendrogram
from latviz.engine.geometry.node_maps import NodeMap
from latviz.engine.geometry.selection import ConnectedSelection, Lit
from latviz.engine.geometry.selection import moved as selected
from latviz.engine.geometry.signature_space import Paths, SignatureSpace
from latviz.engine.geometry.slots import matched_slots, moved
from latviz.engine.pictures.picture import Picture, Pictures, PictureSet, as_set
from latviz.engine.pictures.truth import Truth
from latviz.engine.settings.appearance import Appearance, called
from latviz.engine.settings.asked import Asked
from latviz.engine.settings.decoding import Coloring
from latviz.engine.settings.scribbles import Scribbled

T = TypeVar("T")

LATE = frozenset(
    {
        *("paths", "noise", "code_lengths", "residual_correlation", "law_distance"),
        *("law_quantiles", "cut_lives"),
    }
)
"""Results that follow all others, one by one."""
SLOW = frozenset({"paths"})
"""Late results that nothing waits for."""
LEFT_OUT = frozenset({"code_lengths"})
"""Results that need the kernels of the trade-off, which are compiled in the background."""
EXPORTED = frozenset(
    {"inertia", "evaluation", "noise", "code_lengths", "residual_correlation", "law_distance"}
)
"""The results that a request must need for its frame to be exported."""
NEEDED = EXPORTED | {"space"}
"""The results that the views shown at first draw."""
ALL_NEEDS = NEEDED | {"node_map", "dendrogram", "cuts"}
"""All results except the paths of codewords, which take a while, regions, which need kernels of
their own, and results that need true states."""
REGIONS = frozenset(
    {
        *("regions", "region_colors", "painted_regions", "listed_regions", "border_ranks"),
        *("relief", "cut_lives", "life_borders"),
    }
)
"""Results that need the kernels of regions."""
MOST_LIVE_BELIEFS = 1 << 21
"""Most pixels for updating beliefs during a drag, if not in every step."""


@dataclass(frozen=True, eq=False)
class Request(Asked):
    """The settings of a frame, and the results that it needs."""

    pictures: Pictures
    number: int = 0  # requests are numbered in order; a frame carries its request's
    complete: bool = False  # learn from all signatures, not from a sample
    # rows and columns on screen, where a large image is refined first
    visible: tuple[slice, slice] | None = None
    needs: frozenset[str] = NEEDED  # stages with results besides those of every frame
    difference: bool = False  # the pixels in which it differs from the reference are needed
    # The slots that looks and selections are given in, if not those of the merge tree: of its rows,
    # if it was learned from as many signatures, or of the states of a frame, see `to_follow`
    coloring: Coloring | None = None
    follows: "Frame | None" = None
    passing: bool = False  # a hand moves: states keep the slots of the frame that is followed
    axes_window: int | None = None  # the w that chose principal axes, while a hand moves another

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return as_set(self.pictures).picture

    def moved(self, to: Mapping[int, int]) -> "Request":
        """Return the request with looks and selections of states that move to other slots."""

        def place(slot: int) -> int:
            return moved(slot, to)

        picked = None if self.selection is None else selected(self.selection, place)
        return replace(self, looks=self.looks.moved(place), selection=picked)

    @property
    def modelled(self) -> PictureSet:
        """The pictures for the stages; with an applied model, only the one on screen."""
        pictures = as_set(self.pictures)
        return pictures if self.given is None else PictureSet((pictures.picture,))

    @property
    def believes(self) -> bool:
        """True if states follow from beliefs, which neighbours affect."""
        return self.parameters.decoding.has_beliefs

    @property
    def shows_regions(self) -> bool:
        """True if regions are needed."""
        return bool(self.needs & REGIONS) or isinstance(self.selection, ConnectedSelection)

    @property
    def takes_long(self) -> bool:
        """True if a slider drag would wait for the answer: a newer request then cancels it."""
        large = self.picture.n_nodes > MOST_LIVE_BELIEFS
        return self.complete or self.parameters.decoding.refines or (self.believes and large)


@dataclass(frozen=True, eq=False)
class Agreement:
    """The agreement of two decodings, with states matched for the highest agreement."""

    table: Annotated[NDArray[np.int64], "(N1, N2)"]  # pixels by their states in both
    matched: float  # share of pixels in matched states
    rand: float  # adjusted Rand index
    different: NDArray[np.bool_] | None = None  # mask of unmatched states; None if not needed

    @property
    def n_different(self) -> int:
        """The number of pixels in states that are not matched."""
        total = int(self.table.sum())
        return total - round(self.matched * total)


@dataclass(frozen=True, eq=False)
class Believed:
    """The beliefs over states of the picture that is shown."""

    strength: float  # the power to which A couples neighbours
    fields: "Sequence[inference.field.Field]"  # of each lattice; their messages are sent

    def at(self, node: tuple[int, ...]) -> "inference.field.NodeBelief":
        """Return the belief of a pixel, and the messages from each side."""
        dimensions = len(self.fields[0].shape)
        lattice = node[0] if len(node) > dimensions else 0  # slices are apart
        return self.fields[lattice].at(node[-dimensions:])

    def layers(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Return the belief of each pixel of a picture of a shape, (*shape, N); they sum to 1."""
        each = [field.beliefs() for field in self.fields]
        return np.concatenate(each).reshape(*shape, -1)


@dataclass(frozen=True, eq=False)
class CodeLengths:
    """Code lengths of the shown picture's observations, each excluded from its own window."""

    # They can be compared between settings, and with the cost of one state
    states: "choice.code_length.CodeLength"  # with states decoded from windows with w
    # one state: a histogram of the symbols, or one normal density
    one: "choice.code_length.CodeLength"
    # for windows without their middle; None of beliefs
    codebook: Annotated[NDArray[np.float64] | None, "(N, M)"] = None
    # symbol counts of each state then; None of vectors and beliefs
    emitted: Annotated[NDArray[np.int64] | None, "(N, M)"] = None
    normal: "choice.code_length.Normal | None" = None  # of vectors by windows


class Result(Generic[T]):
    """A stage's result for a frame, by the stage's name; None if it is missing."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, frame: "Frame | None", _owner: type) -> T | None:
        return None if frame is None else frame.results.get(self._name)


@dataclass(frozen=True, eq=False)
class Frame:
    """The results of one request for the views; frozen, with its contents."""

    # A large image is shown in coarse frames first. They hold the states of one pixel in each cell
    # of ``side`` x ``side``, and estimates of the counts from a sample, from which the model
    # follows
    request: Request
    # of all pictures learned from; with a given model, of the one shown
    observed: tuple[Observations, ...]
    # its A and Sigma are counted over ``states``. Only if the nearest codeword decides, they are
    # those of all pictures that are learned from, or a given model's own
    model: "core_model.models.DiscreteModel | core_model.models.GaussianModel"
    states: NDArray[np.uint8]  # (*shape), or (ceil(H / side), ceil(W / side)); decoded with w
    occupancy: Annotated[NDArray[np.int64], "(N,)"]  # nodes in each state of ``states``
    pairs: Annotated[NDArray[np.int64], "(N, N)"]  # A', over the states that A is counted over
    slots: tuple[int, ...]  # index of each state into the palette; increasing
    associativity: float
    n_learned: int  # signatures the codebook is from; then all there are
    n_signatures: int
    timings: Mapping[str, float]  # seconds a stage; remembered stages are missing
    side: int = 1  # 1, unless coarse
    detail: "windows.decoding.CoarseStates | None" = (
        None  # in a coarse frame: finer states on screen
    )
    lit: Lit | None = None  # pixels of the selection, unless coarse
    believed: Believed | None = None  # if states are those of most belief
    agreement: Agreement | None = None  # with the frame to compare with, unless coarse
    # of each row of the merge tree's codebook, in the tree's own order
    row_slots: tuple[int, ...] = ()
    # Rows of the merge tree, in any cut, and their slots; all others follow by `slots_of_rows`. It
    # is empty with a given model
    tree_slots: tuple[tuple[int, int], ...] = ()
    settled: bool = True  # the slots are those of the merge tree, and follow no other frame's
    cut: "data.cutting.TreeCut | None" = None  # None of a frame that was kept
    # by stage: further results of the request
    results: Mapping[str, Any] = field(default_factory=dict)
    # names and colours of states, by their slots
    appearance: Appearance = field(default_factory=Appearance)
    by: str = ""  # title of the method that labelled the picture, if it is not the model
    other: Observations | None = None  # of the picture shown, if not learned from
    # the model that gave the states, if A and Sigma of ``model`` are counted over them again
    source: "core_model.models.DiscreteModel | core_model.models.GaussianModel | None" = None

    @property
    def decoding_model(self) -> "core_model.models.DiscreteModel | core_model.models.GaussianModel":
        """The model that gave the states; a model file holds it."""
        return self.model if self.source is None else self.source

    @property
    def coupling(self) -> NDArray[np.float64] | None:
        """The A that couples neighbours in beliefs, shape (N, N); None if windows decode."""
        return None if self.believed is None else self.decoding_model.A

    @cached_property
    def colors(self) -> NDArray[np.uint8]:
        """The colour of each state, shape (N, 3), not to be written to."""
        colors = self.appearance.colors(self.slots)
        colors.flags.writeable = False
        return colors

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The user's name of each state; "" where it has only its number."""
        return self.appearance.names(self.slots)

    def called(self, state: int) -> str:
        """Return the name of a state in a text: "state 3", or "state 3 (sky)"."""
        return called(state + 1, self.names[state] if state < len(self.slots) else "")

    def label(self, state: int) -> str:
        """Return the name of a state where there is room for a word: "sky", or its number."""
        return self.names[state] or str(state + 1)

    def titled(self, state: int) -> str:
        """Return the name of a state at the beginning of a text: "State 3", or "State 3 (sky)"."""
        text = self.called(state)
        return text[0].upper() + text[1:]

    def has_look_of(self, other: "Frame") -> bool:
        """Return True if the states have the slots, names and colours of another frame's.

        States without nodes look different, too.
        """
        looks = self.slots == other.slots and self.appearance == other.appearance
        return looks and bool(((self.occupancy > 0) == (other.occupancy > 0)).all())

    @property
    def observations(self) -> Observations:
        """Those of the picture that is shown."""
        return self.everything_observed[self.request.modelled.place]

    @property
    def everything_observed(self) -> tuple[Observations, ...]:
        """Those of all pictures that are learned from, and of the other one if there is one."""
        return self.observed if self.other is None else (*self.observed, self.other)

    @property
    def n_nodes(self) -> int:
        """The number of known nodes of the picture that is shown."""
        return self.request.picture.n_known

    # Results of the stages of these names; None if no view needs one, or until it is computed
    inertia = Result[float]()  # the index of the states (1.5)
    # the likelihood
    evaluation: ClassVar["Result[core_model.evaluation.DataSetEvaluation]"] = Result()
    # the indices of noise
    noise: ClassVar["Result[choice.noise.NoiseIndices]"] = Result()
    code_lengths = Result[CodeLengths]()  # the code lengths of the observations
    own_associativity = Result[float]()  # of A counted over only the shown picture
    residual_correlation = Result[float]()  # of neighbours, beyond their states
    law_distance = Result[float]()  # of observations from the law of their states
    # of the states' channels that are furthest from their law
    law_quantiles: ClassVar["Result[tuple[core_model.law.LawQuantiles, ...]]"] = Result()
    truth = Result[Truth]()  # the true states, compared with the decoded ones
    space = Result[SignatureSpace]()  # the drawn signature space
    node_map = Result[NodeMap]()  # one number per node
    # the nodes whose states are not those of w - 1 by the same codebook; by belief, not those of
    # the nearest codewords
    changes = Result[Lit]()
    dendrogram = Result[Dendrogram]()  # the last merges
    cuts = Result[Cuts]()  # the codebook of every N
    regions: ClassVar["Result[segmentation.regions.Regions]"] = Result()
    # the lives of large regions as the cut of contrast grows
    cut_lives = Result[CutLives]()
    scribbled = Result[Scribbled]()  # the agreement of states with strokes
    paths = Result[Paths]()  # of the codewords as w_l grows

    @property
    def pending(self) -> frozenset[str]:
        """The needed results that a later frame of the same request brings.

        Results that come last of all do not count: nothing waits for them.
        """
        return self.request.needs - self.results.keys() - LATE

    @property
    def lacking(self) -> frozenset[str]:
        """The needed results that are missing, or an estimate."""
        estimated = {"space"} if self.space and not self.space.counts_all else set[str]()
        return self.request.needs - (self.results.keys() - estimated)

    @property
    def finished(self) -> bool:
        """True if all needed results are there, except `SLOW` ones."""
        return self.whole and not self.lacking - SLOW

    def with_results(self, **results: Any) -> "Frame":
        """Return the frame with more results, except None."""
        both = {**self.results, **results}
        kept = {name: value for name, value in both.items() if value is not None}
        return replace(self, results=kept)

    @property
    def coarse(self) -> bool:
        """True if states are those of one pixel in each cell."""
        return self.side > 1

    @property
    def sampled(self) -> bool:
        """True if the codebook is from a sample of the signatures."""
        return self.n_learned < self.n_signatures

    @property
    def coloring(self) -> Coloring:
        """The colours of its tree's codewords."""
        return Coloring(self.row_slots, self.n_learned)

    @property
    def whole(self) -> bool:
        """True if no other frame of the same request follows, except late results."""
        return not (self.coarse or self.pending)

    @property
    def at_rest(self) -> bool:
        """True if it is learned from all signatures, with slots of its tree and axes of its w."""
        return self.settled and not self.sampled and self.request.axes_window is None

    def to_follow(self) -> "Frame":
        """Return the frame without results, for requests that follow its slots."""
        request = replace(self.request, needs=frozenset(), compared=None, selection=None)
        bare = replace(self, request=request, results={}, detail=None, lit=None)
        return replace(bare, believed=None, agreement=None)

    def to_keep(self) -> "Frame":
        """Return the frame without results that only views of the newest frame show."""
        request = replace(self.request, compared=None, selection=None, needs=frozenset())
        bare = replace(self, request=request, results={}, cut=None)
        return replace(bare, lit=None, believed=None, agreement=None)

    def states_at(self, *nodes: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the states of some nodes, given axis by axis; of a coarse frame their cells'."""
        if self.side > 1:
            nodes = tuple(axis // self.side for axis in nodes)
        return np.asarray(self.states[nodes])

    @property
    def slot_map(self) -> NDArray[np.uint8]:
        """The slot of the state of each node, shaped as the states; 255 where it is unknown."""
        slots = np.full(256, 255, np.uint8)
        slots[: len(self.slots)] = self.slots
        return np.asarray(slots[self.states])

    def like(self, before: "Frame") -> "Frame":
        """Return it with another frame's slots, by overlap: a new colour alone does not count."""
        slots = matched_slots(before.states, before.slots, self.states, len(self.slots))
        return replace(self, slots=tuple(slots))

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
