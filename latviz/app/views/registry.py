"""Every view of the program, its own and those of other packages."""

from collections.abc import Callable, Iterator

from PyQt6.QtWidgets import QWidget

from latviz import wings
from latviz.app.document.document import Document
from latviz.app.look.theme import Theme
from latviz.app.shell.actions import Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.views.adjacency.spec import SPEC as ADJACENCY
from latviz.app.views.base import COMPUTING, View
from latviz.app.views.emissions.spec import SPEC as EMISSIONS
from latviz.app.views.guide.spec import SPEC as GUIDE
from latviz.app.views.image.spec import SPEC as IMAGE
from latviz.app.views.indices.spec import SPEC as INDICES
from latviz.app.views.likelihood.spec import SPEC as LIKELIHOOD
from latviz.app.views.methods.spec import SPEC as METHODS
from latviz.app.views.picture import PictureView, Registered
from latviz.app.views.pixel.spec import SPEC as PIXEL
from latviz.app.views.regions.spec import SPEC as REGIONS
from latviz.app.views.rounds import Rounds
from latviz.app.views.shelf.spec import SPEC as SHELF
from latviz.app.views.space.spec import SPEC as SPACE
from latviz.app.views.spec import AnySpec, Context, Verb, ViewSpec, needs_of
from latviz.app.views.states.spec import SPEC as STATES
from latviz.app.views.steps.spec import SPEC as STEPS
from latviz.app.views.tradeoff.spec import SPEC as TRADEOFF
from latviz.app.views.tree.spec import SPEC as TREE
from latviz.app.views.viewer.view import Viewer
from latviz.app.work.activity import Activity, percent_done
from latviz.core import plugins
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import Selection
from latviz.engine.settings.state import Node, State

BUILT_IN: tuple[AnySpec, ...] = (
    IMAGE,
    STATES,
    SPACE,
    ADJACENCY,
    INDICES,
    LIKELIHOOD,
    EMISSIONS,
    PIXEL,
    TREE,
    TRADEOFF,
    REGIONS,
    GUIDE,
    METHODS,
    STEPS,
    SHELF,
)
"""In the order of menus and of keys; others follow."""
GROUP = "latviz.views"
"""The entry points by which other packages name their `ViewSpec`."""
FIRST = "states"
"""The view that is painted before all others."""
_registered: list[AnySpec] = []


def register(spec: AnySpec) -> None:
    """Add a view to every window that is opened from now on."""
    _registered.append(spec)


def unregister(spec: AnySpec) -> None:
    """Take a view that was registered back."""
    _registered.remove(spec)


class Views(Feature):
    """The views of a window: the program's own, those of wings, and registered ones."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]
        self._context = Context.of(parts)
        self.views: dict[str, View] = {}  # by names, in the order of menus, as are ``specs``
        self.specs: dict[str, AnySpec] = {}
        # returns if the selection is not highlighted now
        self.holds_back: Callable[[], bool] = lambda: False
        self._took_click = False  # the last click in a view changed the state here
        self.also_needed: Callable[[], frozenset[str]] = frozenset  # results that others need
        self.rounds = Rounds(self._shell)
        for spec in (*BUILT_IN, *_registered, *wings.rows("views", ViewSpec)):
            self._add(spec)
        left = plugins.load(GROUP, ViewSpec, self._add)
        self.notes = tuple(
            f"the view “{name}” could not be loaded: {reason}" for name, reason in left
        )
        found = self.views.values()
        self.pictures = [view for view in found if isinstance(view, PictureView)]
        self.viewers = [view for view in found if isinstance(view, Viewer)]

    def _add(self, spec: AnySpec) -> None:
        if spec.name in self.specs:
            raise ValueError(f"there is already a view with the name “{spec.name}”")
        view: View = spec.make()
        if spec.connect is not None:
            spec.connect(view, self._context)
        view.rounds = self.rounds
        self.views[spec.name], self.specs[spec.name] = view, spec

    def menu_items(self) -> Iterator[Item]:
        """Yield the views' menu items."""
        for name, spec in self.specs.items():
            if spec.actions is not None:
                yield from spec.actions(self.views[name], self._context)

    def header(self, name: str) -> QWidget | None:
        """Return controls for the title of a view's dock."""
        spec = self.specs[name]
        return None if spec.header is None else spec.header(self.views[name], self._context)

    def verbs(self, name: str) -> tuple[Verb, ...]:
        """Return a view's commands for the place under the pointer."""
        spec = self.specs[name]
        return () if spec.verbs is None else spec.verbs(self.views[name], self._context)

    def needs(self, state: State) -> frozenset[str]:
        """Return the results that the visible views draw, and that others need besides."""
        shown = (self.specs[name] for name in state.views if name in self.specs)
        return needs_of(shown, state) | self.also_needed()

    def connect(self, parts: Parts) -> None:
        """Connect the views with the document, in both directions."""
        document, inspector = parts[Document], parts[Document].inspector
        document.changed.connect(self._show_state)
        document.frame_came.connect(self._show_first)
        document.activity_changed.connect(self._show_waiting)
        for name, view in self.views.items():
            if name != FIRST:
                document.frame_changed.connect(view.show_frame)
            document.pointer_changed.connect(view.show_pointer)
            inspector.changed.connect(view.show_inspection)
            inspector.unknown_changed.connect(view.show_unknown)
            inspector.pins_changed.connect(view.show_pins)
            view.hovered.connect(inspector.hover)
            view.picked.connect(self._select)
            view.pinned.connect(self._pin)
            view.restored.connect(self._restore)
            view.state_hovered.connect(lambda state: document.point(state=state))
            view.symbol_hovered.connect(lambda symbol: document.point(symbol=symbol))
        self.registered = Registered(self.pictures, self._shell)

    def apply_theme(self, theme: Theme) -> None:
        """Draw all views in the colours of a theme."""
        for view in self.views.values():
            view.apply_theme(theme)

    def close(self) -> None:
        """End the views' background work."""
        for view in self.views.values():
            view.finish()

    def _show_state(self, old: State, new: State) -> None:
        for view in self.views.values():
            if new.picture is not None and new.picture is not old.picture:
                view.show_picture(new.picture)
            view.show_state(new)

    def _show_waiting(self, activity: Activity) -> None:
        """Show the progress in views that have no frame yet."""
        is_long = activity.work in ("learning", "decoding")
        done = f"{activity.work.title()}: {percent_done(activity.fraction)} %"
        for view in self.views.values():
            view.show_waiting(done if is_long else COMPUTING)

    def _show_first(self, frame: Frame) -> None:
        """Paint the state map before other results of a frame are computed."""
        view = self.views[FIRST]
        assert isinstance(view, PictureView)
        before = view.frame
        view.show_frame(frame)
        if before is None or before.states is not frame.states:
            view.canvas.paint_now()

    def _select(self, selection: Selection) -> None:
        self._took_click = not self.holds_back()
        if self._took_click:
            self._document.select(selection)

    def _restore(self, before: State) -> None:
        """Restore the highlight and the pins, unless a lesson took the click."""
        if self._took_click:
            self._document.change("Highlight", selection=before.selection, pins=before.pins)

    def _pin(self, node: Node) -> None:
        """Pin a pixel, and show the table."""
        self._took_click = True
        self._shell.show("pixel")
        self._document.pin(node)
