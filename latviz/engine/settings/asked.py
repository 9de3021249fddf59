"""The settings that frames follow from."""

from dataclasses import KW_ONLY, dataclass, field, replace

from latviz.core.checks import check_spacing
from latviz.core.data.hand_cut import HandCut
from latviz.core.data.lattice import sides_of, window_slices
from latviz.core.model.fitting import FitSettings
from latviz.core.types import Region, Spacing
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import MapKind, Selection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import Scribbles


@dataclass(frozen=True, eq=False)
class Asked:
    """The fields that `State` and `Request` share."""

    # A field added here is requested, undone, saved and restored; the stages that name it as an
    # argument are computed again when it changes.
    # Learned from, with the one shown; None before anything is opened
    pictures: Picture | PictureSet | None = None
    parameters: Parameters = field(default_factory=Parameters)
    _: KW_ONLY
    sample: int = LIVE  # approximate number of signatures to learn from during a drag
    projection: Projection = field(default_factory=Projection)  # of the signature space
    map: MapKind = "likelihood"  # in the layer of maps
    region_cut: RegionCut = field(default_factory=RegionCut)
    hand_cut: HandCut = field(default_factory=HandCut)  # of the merge tree
    looks: Looks = field(default_factory=Looks)
    # Strokes that name the states under them
    scribbles: Scribbles = field(default_factory=Scribbles)
    selection: Selection | None = None  # the pixels to highlight
    compared: DecodingA | None = None  # the reference, of the same picture
    # Applied in place of learning. The parameters and the cut become those that it allows
    given: Given | None = None

    @property
    def fit(self) -> FitSettings:
        """The settings for fitting a model."""
        return replace(self.parameters.fit, spacing=self.spacing)

    @property
    def spacing(self) -> Spacing:
        """The distance of nodes along each axis of a lattice; None if they are equal or unknown."""
        if self.given is not None:
            return self.given.model.spacing
        if self.pictures is None:
            return None
        pictures, own = as_set(self.pictures), self.parameters.spacing
        if own is None or len(own) != pictures.picture.dimensions:
            return pictures.spacing
        return check_spacing(own[int(pictures.picture.apart) :])

    def window_of(self, node: tuple[int, ...], window: int) -> Region:
        """Return a node's window of half-width w, clipped to its lattice, a slice for each axis."""
        assert self.pictures is not None
        picture = as_set(self.pictures).picture
        shape, first = picture.shape, int(picture.apart)
        sides = sides_of(window, shape[first:], self.spacing)
        around = window_slices(shape[first:], node[first:], sides)
        return (slice(node[0], node[0] + 1), *around) if first else around

    def __post_init__(self) -> None:
        if self.given is not None:
            object.__setattr__(self, "parameters", self.given.admitted(self.parameters))
            object.__setattr__(self, "hand_cut", HandCut())
