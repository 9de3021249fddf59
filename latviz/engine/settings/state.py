"""Everything that a person sets, as one frozen value.

Requests, undo, session files, autosave and scripts follow from it: what has a field here is
computed, undone, saved and restored without another line.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from latviz.core.data.hand_cut import HandCut
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.engine.geometry.projection import Projection
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import (
    ChangeSelection,
    ConnectedSelection,
    Kept,
    MapKind,
    RangeSelection,
    Selection,
)
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.pictures.sample_size import LIVE, check_sample
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters, opening, suited
from latviz.engine.settings.scribbles import Scribbles

Comparison = Literal["split", "flicker", "difference"]
Marks = Literal["none", "numbers", "hatching"]
Known = Literal["hidden", "states", "errors"]
RegionLayer = Literal["hidden", "borders", "colours"]
ViewerName = Literal["image", "states", "map"]
Node = tuple[int, ...]
ASKED = (
    *("pictures", "parameters", "projection", "sample", "selection", "kept", "map", "region_cut"),
    *("hand_cut", "given", "looks", "scribbles", "compared"),
)
"""The fields of the state that requests have, too."""


@dataclass(frozen=True)
class Layers:
    """What a viewer of the picture shows, one over the other.

    Attributes
    ----------
    image, states, map : bool
        Whether the image, the states and the map of one number a node are drawn.
    opacity, map_opacity : float
        Of the states and of the map over what is below them, from 0 to 1.
    borders, leaves : bool
        Whether borders between states, and the leaves of their quadtree, are drawn.
    regions : {"hidden", "borders", "colours"}
        Whether the outlines of regions are drawn, or each region in the mean colour of its pixels.
    truth : {"hidden", "states", "errors"}
        Of a picture whose states are known: whether the states are the decoded ones, or the known
        ones, or only the nodes at which they differ are light.
    changes : bool
        Whether the nodes that are in another state than at w - 1, by the same codebook, are marked.
    lit : bool
        Whether what is not picked out is in the dark.

    Raises
    ------
    ParameterError
        If an opacity is outside its range.
    """

    image: bool = True
    states: bool = False
    map: bool = False
    opacity: float = 1.0
    map_opacity: float = 1.0
    borders: bool = False
    leaves: bool = False
    regions: RegionLayer = "hidden"
    truth: Known = "hidden"
    changes: bool = False
    lit: bool = True

    def __post_init__(self) -> None:
        _check_shares(self, "opacity", "map_opacity")


def _check_shares(holder: object, *names: str) -> None:
    for name in names:
        value = getattr(holder, name)
        if not 0 <= value <= 1:
            raise ParameterError(f"the {name} must be from 0 to 1, got {value:g}")


@dataclass(frozen=True)
class Display(Layers):
    """How the window draws what is computed; its own layers are those of the state map.

    Attributes
    ----------
    image_view, map_view : Layers
        Those of the other viewers.
    paths : bool
        Whether the paths of the codewords as w_l grows are computed and drawn.
    log_scale : bool
        Whether A is coloured, or its edges are drawn, by the logarithm.
    graph : bool
        Whether A is a graph of states, not a heat map.
    comparison : {"split", "flicker", "difference"}
        A left and B right of a divider; A and B by turns; B where they differ.
    split : float
        Where the divider is, from 0 (left) to 1.
    marks : {"none", "numbers", "hatching"}
        What tells states apart without colour.
    by_score : bool
        Whether what was tried is in the order of its scores, not of time.

    Raises
    ------
    ParameterError
        If a number is outside its range.
    """

    states: bool = True
    image_view: Layers = Layers()
    map_view: Layers = Layers(map=True)
    paths: bool = False
    log_scale: bool = False
    graph: bool = False
    comparison: Comparison = "split"
    split: float = 0.5
    marks: Marks = "none"
    by_score: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_shares(self, "split")

    def layers(self, viewer: ViewerName) -> Layers:
        """Return what a viewer shows."""
        return {"image": self.image_view, "states": self, "map": self.map_view}[viewer]

    def with_layers(self, viewer: ViewerName, **changes: Any) -> "Display":
        """Return it with other layers of a viewer."""
        if viewer == "states":
            return replace(self, **changes)
        layers = replace(self.layers(viewer), **changes)
        return (
            replace(self, image_view=layers)
            if viewer == "image"
            else replace(self, map_view=layers)
        )


@dataclass(frozen=True)
class State:
    """What is on screen, and how.

    Attributes
    ----------
    pictures : PictureSet or None
        What is learned from, and which of it is shown; None before anything is opened.
    slice : int
        Of a volume: the slice that is shown.
    parameters : Parameters
        Of the model.
    suited : Parameters
        What suits the picture: `reset` returns to it.
    keeps_settings : bool
        Whether the next picture of the same kind opens with what is set, not with what suits it.
    sample : int
        About how many signatures are learned from while the hand moves.
    projection : Projection
        Of the signature space.
    map : {"likelihood", "inertia", "doubt", "resemblance"}
        What the view of maps shows.
    region_cut : RegionCut
        Which regions of the state map are merged.
    hand_cut : HandCut
        Where the merge tree is cut by hand.
    looks : Looks
        What states are called, and their own colours.
    scribbles : Scribbles
        Strokes that name the states under them.
    cells : tuple of (int, int)
        The N and w whose state maps stand side by side; empty: some w with the N that is set.
    selection : Selection or None
        What is picked out.
    kept : tuple of Kept
        Selections that are kept under names, which all differ.
    pins : tuple of nodes
        The pinned nodes, in the order in which they were pinned.
    compared : DecodingA or None
        Decoding A, which decoding B is compared with.
    given : Given or None
        A model that is applied, so that none is learned; `parameters` are what it admits.
    shelf : Shelf or None
        The files that pictures come from, which of them are learned from, and which is shown.
    axes : (str, str)
        The columns of results that the plot of images has across and up.
    display : Display
    views : tuple of str
        The views that are visible; no part of what makes two states equal.

    Raises
    ------
    ParameterError
        If the sample is outside `LIVE_RANGE`, a cell's N or w outside its range, or two selections
        are kept under one name.
    """

    pictures: PictureSet | None = None
    slice: int = 0
    parameters: Parameters = field(default_factory=Parameters)
    suited: Parameters = field(default_factory=Parameters)
    keeps_settings: bool = False
    sample: int = LIVE
    projection: Projection = field(default_factory=Projection)
    map: MapKind = "likelihood"
    region_cut: RegionCut = field(default_factory=RegionCut)
    hand_cut: HandCut = field(default_factory=HandCut)
    looks: Looks = field(default_factory=Looks)
    scribbles: Scribbles = field(default_factory=Scribbles)
    cells: tuple[tuple[int, int], ...] = ()
    selection: Selection | None = None
    kept: tuple[Kept, ...] = ()
    pins: tuple[Node, ...] = ()
    compared: DecodingA | None = None
    given: Given | None = None
    shelf: Shelf | None = None
    axes: tuple[str, str] = ("inertia", "bits")
    display: Display = field(default_factory=Display)
    views: tuple[str, ...] = field(default=(), compare=False)

    @property
    def picture(self) -> Picture | None:
        """The picture that is shown."""
        return None if self.pictures is None else self.pictures.picture

    @property
    def knows_truth(self) -> bool:
        """Whether the states that generated the picture are known."""
        return self.picture is not None and self.picture.truth is not None

    @property
    def shows_truth(self) -> bool:
        """Whether the state map is to show known states, or errors, and there are known states."""
        return self.knows_truth and self.display.truth != "hidden"

    @property
    def members(self) -> tuple[Picture, ...]:
        """The pictures that are learned from."""
        return () if self.pictures is None else self.pictures.members

    def __post_init__(self) -> None:
        check_sample(self.sample)
        for n_states, window in self.cells:
            Parameters(n_states=n_states, window=window)  # which checks their ranges
        names = [kept.name for kept in self.kept]
        if len(set(names)) < len(names):
            raise ParameterError(f"selections must be kept under different names, got {names}")
        if self.given is not None:
            object.__setattr__(self, "parameters", self.given.admitted(self.parameters))
            object.__setattr__(self, "hand_cut", HandCut())

    @property
    def locked(self) -> frozenset[str]:
        """The fields of the parameters that cannot be set; `Given.reason` says why."""
        if self.given is None:
            return frozenset()
        return frozenset(row.field for row in rows(self.parameters)) - self.given.free

    def applying(self, given: Given | None) -> "State":
        """Return the state with a model that is applied, w and looks as it has them; or with none.

        Without one, what was set of it stays: the same encoding, N and w are learned with.
        """
        if given is None:
            held = replace(self.parameters, learning_window=self.suited.learning_window)
            return self.changed(given=None, parameters=held)
        parameters = replace(self.parameters, window=given.window, evaluation_window=None)
        new = self.changed(given=given, parameters=parameters)
        return replace(new.in_mean_colors(given.looks.mean_colors), looks=given.looks)

    def opened(
        self,
        pictures: PictureSet,
        parameters: Parameters | None = None,
        preset: Parameters | None = None,
        index: int = 0,
        *,
        shelf: Shelf | None = None,
        given: Given | None = None,
        continues: bool = False,
    ) -> "State":
        """Return the state that shows other pictures: the one rule of what they open with.

        Pictures of the kind of those on screen open with what is set, if `keeps_settings` says so
        or they continue what is on screen. All others open with what suits them.

        Parameters
        ----------
        pictures : PictureSet
        parameters : Parameters, optional
            Those to open with, whatever is set.
        preset : Parameters, optional
            What `suited` becomes; by default the given ``parameters``, or else what suits the kind.
        index : int
            The slice of a volume.
        shelf : Shelf, optional
            The files that the pictures come from.
        given : Given, optional
            The model that is applied.
        continues : bool
            Whether they are other parts of the file or of the shelf on screen.
        """
        facts = pictures.facts
        fitting = preset or parameters or opening(facts)
        wished = parameters is None and (continues or self.keeps_settings)
        keeps = wished and given == self.given and self._is_alike(pictures)
        new = self.changed(
            pictures=pictures,
            slice=index,
            shelf=shelf,
            given=given if keeps else None,
            parameters=suited(self.parameters if keeps else parameters or fitting, facts),
            suited=self.suited if keeps and continues else suited(fitting, facts),
        )
        if keeps:
            return new
        new = new.in_mean_colors(pictures.is_photograph)
        return new if given is None else new.applying(given)

    def _is_alike(self, pictures: PictureSet) -> bool:
        """Tell whether pictures are of the kind of those on screen; what is made never is."""
        return self.pictures is not None and self.pictures.kind == pictures.kind is not None

    def in_mean_colors(self, on: bool) -> "State":
        """Return the state with each state in its mean colour, or in that of the palette.

        Borders come and go with mean colours; with the palette they are a layer like any other.
        """
        borders = on or (self.display.borders and not self.looks.mean_colors)
        looks = replace(self.looks, mean_colors=on)
        return replace(self, looks=looks, display=replace(self.display, borders=borders))

    def changed(self, **changes: Any) -> "State":
        """Return the state with some fields changed, and what they make meaningless let go.

        Raises
        ------
        ParameterError
            If a value is outside its range.
        """
        new = replace(self, **changes)
        new = new._without_strange(self)
        if new.picture is not self.picture:
            lit = new.selection if self._means_the_same(new) else None
            return replace(new, selection=lit, pins=(), compared=None)
        if new.given != self.given:
            return replace(new, selection=None)
        if new.selection is not None and new.selection == self.selection and self._loosens(new):
            return replace(new, selection=None)
        return new

    def _without_strange(self, old: "State") -> "State":
        """Return the state without names, strokes and the cut of other pictures and signatures."""
        strangers = self.members != old.members
        if strangers and self.scribbles == old.scribbles:
            self = replace(self, scribbles=Scribbles())
        others = self.given is None and strangers and not self._shares(old)
        looks = replace(self.looks, own=()) if others and self.looks.own else self.looks
        kept = () if others and self.kept == old.kept else self.kept
        strange = others or self.parameters.encoding != old.parameters.encoding
        if strange and self.hand_cut == old.hand_cut:
            scribbles = self.scribbles.in_other_signatures()
            self = replace(self, hand_cut=HandCut(), scribbles=scribbles)
        return replace(self, looks=looks, kept=kept)

    def _means_the_same(self, new: "State") -> bool:
        """Tell whether what is picked out here means the same in another file of the shelf."""
        of_picture = isinstance(new.selection, ConnectedSelection | ChangeSelection)
        return self._shares(new) and self.members == new.members and not of_picture

    def _shares(self, old: "State") -> bool:
        """Tell whether the pictures are of the same files, of which others may be learned from."""
        both = self.shelf, old.shelf
        return None not in both and len({shelf.entries for shelf in both if shelf}) == 1

    def _loosens(self, new: "State") -> bool:
        """Tell whether what is picked out here means nothing there."""
        picked = self.selection
        if self.parameters.encoding != new.parameters.encoding:
            return True
        if isinstance(picked, RangeSelection):
            return self.map != new.map
        if isinstance(picked, ChangeSelection):
            ways = (self.display.comparison, new.display.comparison)
            return self.compared != new.compared or ways[0] != ways[1]
        return False

    def check(self, picture: Picture) -> None:
        """Raise `ParameterError` if a pin or the slice is not in a picture."""
        shape = picture.shape
        for pin in self.pins:
            if len(pin) != len(shape) or not all(
                0 <= place < length for place, length in zip(pin, shape, strict=True)
            ):
                raise ParameterError(f"the pin {pin} is outside the image, {shape}")
        last = shape[0] - 1 if picture.dimensions == 3 else 0
        if not 0 <= self.slice <= last:
            raise ParameterError(f"the slice must be from 0 to {last}, got {self.slice}")


def asked_by(state: State) -> dict[str, Any]:
    """Return what a request says of a state, as its keyword arguments; there is a picture."""
    wants_difference = state.display.comparison == "difference"
    return {**{name: getattr(state, name) for name in ASKED}, "difference": wants_difference}


def changed_names(old: State, new: State) -> tuple[str, ...]:
    """Return the names of fields in which two states differ; of parameters and cuts theirs."""
    return (
        *_differing(old, new, ("parameters", "region_cut", "views")),
        *_differing(old.parameters, new.parameters),
        *_differing(old.region_cut, new.region_cut),
    )


def _differing(old: Any, new: Any, apart: tuple[str, ...] = ()) -> tuple[str, ...]:
    names = (f.name for f in fields(old) if f.name not in apart)
    return tuple(name for name in names if getattr(old, name) != getattr(new, name))
