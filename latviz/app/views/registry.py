"""Every view that the program has: its own, and those that other packages bring."""

from dataclasses import dataclass

from latviz.app.views.adjacency.spec import SPEC as ADJACENCY
from latviz.app.views.base import View
from latviz.app.views.emissions.spec import SPEC as EMISSIONS
from latviz.app.views.guide.spec import SPEC as GUIDE
from latviz.app.views.image.spec import SPEC as IMAGE
from latviz.app.views.images.spec import SPEC as IMAGES
from latviz.app.views.indices.spec import SPEC as INDICES
from latviz.app.views.likelihood.spec import SPEC as LIKELIHOOD
from latviz.app.views.map.spec import SPEC as MAP
from latviz.app.views.multiples.spec import SPEC as MULTIPLES
from latviz.app.views.pins.spec import SPEC as PINS
from latviz.app.views.pixel.spec import SPEC as PIXEL
from latviz.app.views.regions.spec import SPEC as REGIONS
from latviz.app.views.selections.spec import SPEC as SELECTIONS
from latviz.app.views.shelf.spec import SPEC as SHELF
from latviz.app.views.space.spec import SPEC as SPACE
from latviz.app.views.spec import AnySpec, Context, ViewSpec
from latviz.app.views.states.spec import SPEC as STATES
from latviz.app.views.steps.spec import SPEC as STEPS
from latviz.app.views.tradeoff.spec import SPEC as TRADEOFF
from latviz.app.views.tree.spec import SPEC as TREE
from latviz.app.views.tried.spec import SPEC as TRIED
from latviz.core import plugins

BUILT_IN: tuple[AnySpec, ...] = (
    IMAGE,
    STATES,
    SPACE,
    ADJACENCY,
    INDICES,
    LIKELIHOOD,
    EMISSIONS,
    PIXEL,
    MAP,
    PINS,
    TREE,
    TRADEOFF,
    REGIONS,
    GUIDE,
    MULTIPLES,
    TRIED,
    STEPS,
    SELECTIONS,
    IMAGES,
    SHELF,
)
"""In the order of menus and of keys."""
GROUP = "latviz.views"
"""The entry points by which other packages name their `ViewSpec`."""
_registered: list[AnySpec] = []


@dataclass(frozen=True)
class Made:
    """Views with their specs, and what is to be told of those that could not be made."""

    made: tuple[tuple[AnySpec, View], ...]
    notes: tuple[str, ...]


def register(spec: AnySpec) -> None:
    """Add a view to every window that is opened from now on."""
    _registered.append(spec)


def unregister(spec: AnySpec) -> None:
    """Take a view that was registered back."""
    _registered.remove(spec)


def made_views(context: Context) -> Made:
    """Make the program's own views, those that were registered, and those of other packages."""
    made = [(spec, _made(spec, context)) for spec in (*BUILT_IN, *_registered)]

    def add(spec: AnySpec) -> None:
        if spec.name in {known.name for known, _ in made}:
            raise ValueError(f"there is a view of the name “{spec.name}” already")
        made.append((spec, _made(spec, context)))

    left = plugins.load(GROUP, ViewSpec, add)
    notes = (f"the view “{name}” could not be loaded: {reason}" for name, reason in left)
    return Made(tuple(made), tuple(notes))


def _made(spec: AnySpec, context: Context) -> View:
    view: View = spec.make()
    if spec.connect is not None:
        spec.connect(view, context)
    return view
