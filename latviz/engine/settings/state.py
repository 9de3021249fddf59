"""All user settings, as one frozen value.

Requests, undo, session files, autosave and scripts follow from it: a field added here is computed,
undone, saved and restored without further code.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from latviz.core.data.hand_cut import HandCut
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.engine.geometry.region_cut import Measure
from latviz.engine.geometry.selection import (
    ChangeSelection,
    ConnectedSelection,
    RangeSelection,
)
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.pictures.sample_size import check_sample
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.asked import Asked
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import (
    Parameters,
    check_range,
    opening,
    suited,
    within_reach,
)
from latviz.engine.settings.scribbles import Scribbles

Comparison = Literal["split", "flicker", "difference"]
Marks = Literal["none", "numbers", "hatching"]
Known = Literal["hidden", "states", "errors"]
RegionLayer = Literal["auto", "hidden", "borders", "lives", "colours"]
ViewerName = Literal["image", "states"]
Node = tuple[int, ...]


@dataclass(frozen=True)
class Layers:
    """The layers of a picture viewer, one over the other."""

    image: bool = True  # drawn or not, as are the next two
    states: bool = False
    map: bool = False  # one number per node
    opacity: float = 1.0  # of states and map over the layers below, 0 to 1
    map_opacity: float = 1.0
    borders: bool = False  # between states; ``leaves`` of their quadtree
    leaves: bool = False
    # Outlines, those by contrast as thick as they live, or each region in its mean colour; auto:
    # outlines while the state `explains_contrasts`
    regions: RegionLayer = "hidden"
    # Known states in place of the decoded ones, or only the nodes at which they differ stay bright
    truth: Known = "hidden"
    changes: bool = False  # mark nodes of another state than at w - 1, by the same codebook
    neighbours: bool = False  # mark nodes of another state than that of their nearest codeword
    lit: bool = True  # darken all outside the selection

    def __post_init__(self) -> None:
        _check_shares(self, "opacity", "map_opacity")

    def shows_changes(self, parameters: Parameters) -> bool:
        """Return True if the changes that these parameters can make are marked."""
        return self.changes if parameters.decoding.by_window else self.neighbours


def _check_shares(holder: object, *names: str) -> None:
    for name in names:
        value = getattr(holder, name)
        if not 0 <= value <= 1:
            raise ParameterError(f"the {name} must be from 0 to 1, got {value:g}")


@dataclass(frozen=True)
class Display(Layers):
    """The display options of results; its own layers are those of the state map."""

    states: bool = True
    image_view: Layers = Layers(regions="auto")
    paths: bool = False  # of the codewords as w_l grows
    log_scale: bool = False  # of A, as colours or edges
    graph: bool = False  # A as a graph of states, not a heat map
    # reference left and current right of a divider; by turns; the current one where they differ
    comparison: Comparison = "split"
    split: float = 0.5  # the divider, from 0 (left) to 1
    marks: Marks = "none"  # distinguish states without colour
    law: bool = False  # quantiles of each state against those of its law
    formulas: bool = False  # under the numbers of a pixel

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_shares(self, "split")

    def layers(self, viewer: ViewerName) -> Layers:
        """Return the layers of a viewer."""
        return self if viewer == "states" else self.image_view

    def with_layers(self, viewer: ViewerName, **changes: Any) -> "Display":
        """Return it with other layers of a viewer."""
        if viewer == "states":
            return replace(self, **changes)
        return replace(self, image_view=replace(self.image_view, **changes))


@dataclass(frozen=True)
class State(Asked):
    """All settings; the frame follows from them."""

    pictures: PictureSet | None = None
    slice: int = 0  # of a volume
    # suits the picture: `reset` restores it
    suited: Parameters = field(default_factory=Parameters)
    keeps_settings: bool = False  # the next picture of the same kind opens with these settings
    pins: tuple[Node, ...] = ()  # in the order of pinning
    shelf: Shelf | None = None
    display: Display = field(default_factory=Display)
    views: tuple[str, ...] = field(default=(), compare=False)  # the visible ones

    @property
    def picture(self) -> Picture | None:
        """The picture that is shown."""
        return None if self.pictures is None else self.pictures.picture

    @property
    def knows_truth(self) -> bool:
        """True if the states that generated the picture are known."""
        return self.picture is not None and self.picture.truth is not None

    @property
    def leaves_out(self) -> bool:
        """True if the user left pixels of the pictures out."""
        found = () if self.pictures is None else self.pictures.everything
        return any(picture.whole is not None for picture in found)

    @property
    def members(self) -> tuple[Picture, ...]:
        """The pictures that are learned from."""
        return () if self.pictures is None else self.pictures.members

    def __post_init__(self) -> None:
        check_sample(self.sample)
        super().__post_init__()

    @property
    def locked(self) -> frozenset[str]:
        """The fields of the parameters that cannot be set, for `Given.reason`."""
        if self.given is None:
            return frozenset()
        return frozenset(row.field for row in rows(self.parameters)) - self.given.free

    def applying(self, given: Given | None) -> "State":
        """Return the state with a model applied, with its w and looks, or without a model.

        Without one, its settings stay: the same encoding, N and w are used for learning.
        """
        if given is None:
            held = replace(self.parameters, learning_window=self.suited.learning_window)
            return self.changed(given=None, parameters=held)
        parameters = replace(self.parameters, window=given.model.window)
        if self.pictures is not None:
            parameters = within_reach(parameters, self.pictures.facts)
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
        """Return the state for other pictures: the one rule for their initial settings."""
        # Pictures of the same kind open with the current settings if `keeps_settings` is set, or if
        # they are other parts of the file or shelf on screen (``continues``). All others open with
        # settings that suit them. ``parameters`` override both; ``preset`` becomes `suited`, by
        # default ``parameters``, or those that suit the kind
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
        new = new.as_opened(pictures)
        return new if given is None else new.applying(given)

    def with_pictures(self, pictures: PictureSet) -> "State":
        """Return the state for the same pictures with other known pixels or lattices."""
        hand = HandCut()  # of other signatures
        strokes = self.scribbles.in_other_signatures() if self.hand_cut != hand else self.scribbles
        new = replace(self, pictures=pictures, selection=None, hand_cut=hand, scribbles=strokes)
        return new._by_evidence()

    def _by_evidence(self) -> "State":
        """Return the state with regions by evidence if pixels are unknown: contrasts need all."""
        if self.pictures is None or not self.pictures.has_unknown:
            return self
        return replace(self, region_cut=replace(self.region_cut, measure="evidence"))

    def _is_alike(self, pictures: PictureSet) -> bool:
        """Return True if pictures have the kind of those on screen; made ones never do."""
        return self.pictures is not None and self.pictures.kind == pictures.kind is not None

    @property
    def explains_contrasts(self) -> bool:
        """True while the view of regions shows those by contrast."""
        return "regions" in self.views and self.region_cut.measure == "contrast"

    def as_opened(self, pictures: PictureSet | None) -> "State":
        """Return the state as photographs in colour, or other pictures, first look."""
        # A few states do not separate what people see in photographs, and contrasts often do
        is_photograph = pictures is not None and pictures.is_photograph
        measure: Measure = "contrast" if is_photograph else "evidence"
        new = self.in_mean_colors(is_photograph)
        return replace(new, region_cut=replace(self.region_cut, measure=measure))

    def in_mean_colors(self, on: bool) -> "State":
        """Return the state with each state in its mean colour, or in that of the palette.

        Borders come and go with mean colours; with the palette they are a layer like any other.
        """
        borders = on or (self.display.borders and not self.looks.mean_colors)
        looks = replace(self.looks, mean_colors=on)
        return replace(self, looks=looks, display=replace(self.display, borders=borders))

    def changed(self, **changes: Any) -> "State":
        """Return the state with some fields changed, without parts that lose their meaning."""
        new = replace(self, **changes)
        new = new._without_outdated(self)
        if new.picture is not self.picture:
            new = new._by_evidence()
            lit = new.selection if self._means_the_same(new) else None
            return replace(new, selection=lit, pins=(), compared=None)
        if new.given != self.given:
            return replace(new, selection=None)
        if new.selection is not None and new.selection == self.selection and self._loosens(new):
            return replace(new, selection=None)
        return new

    def _without_outdated(self, old: "State") -> "State":
        """Return the state without names, strokes and the cut of other pictures and signatures."""
        other_members = self.members != old.members
        if other_members and self.scribbles == old.scribbles:
            self = replace(self, scribbles=Scribbles())
        others = self.given is None and other_members and not self._shares(old)
        looks = replace(self.looks, own=()) if others and self.looks.own else self.looks
        other_signatures = others or self.parameters.encoding != old.parameters.encoding
        if other_signatures and self.hand_cut == old.hand_cut:
            scribbles = self.scribbles.in_other_signatures()
            self = replace(self, hand_cut=HandCut(), scribbles=scribbles)
        return replace(self, looks=looks)

    def _means_the_same(self, new: "State") -> bool:
        """Return True if the selection means the same in another file of the shelf."""
        of_picture = isinstance(new.selection, ConnectedSelection | ChangeSelection)
        return self._shares(new) and self.members == new.members and not of_picture

    def _shares(self, old: "State") -> bool:
        """Return True if the pictures have the same files, even if others are learned from."""
        both = self.shelf, old.shelf
        return None not in both and len({shelf.entries for shelf in both if shelf}) == 1

    def _loosens(self, new: "State") -> bool:
        """Return True if the selection has no meaning in the new state."""
        picked = self.selection
        if self.parameters.encoding != new.parameters.encoding:
            return True
        if isinstance(picked, RangeSelection):
            return self.map != new.map
        if isinstance(picked, ChangeSelection):
            ways = (self.display.comparison, new.display.comparison)
            return self.compared != new.compared or ways[0] != ways[1]
        return False

    def check(self, pictures: PictureSet) -> None:
        """Raise `ParameterError` if a pin, the slice or a number does not suit pictures."""
        check_range(self.parameters, pictures.facts)
        picture = pictures.picture
        shape = picture.shape
        for pin in self.pins:
            if len(pin) != len(shape) or not all(
                0 <= place < length for place, length in zip(pin, shape, strict=True)
            ):
                raise ParameterError(f"the pin {pin} is outside the image of shape {shape}")
        last = shape[0] - 1 if picture.dimensions == 3 else 0
        if not 0 <= self.slice <= last:
            raise ParameterError(f"the slice must be from 0 to {last}, got {self.slice}")


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
