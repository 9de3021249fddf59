"""The layers of the viewer, as one table for controls, menus, needs and drawing."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.app.document.document import Document
from latviz.app.look.theme import Theme
from latviz.app.views.picture import CHANGED
from latviz.app.views.states.map_layer import Heat, MapLayer
from latviz.app.views.states.regions_layer import NEEDED, ShownRegions
from latviz.app.views.viewer.map_values import range_text
from latviz.app.views.viewer.veil import Rgb, veil_over
from latviz.app.widgets.curves import CurvesItem
from latviz.app.widgets.layer import Layer, PhotoLayer
from latviz.engine.frames.detail import Detail
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.geometry.node_maps import STRONG_AT_THE_LOW_END
from latviz.engine.geometry.selection import Lit, MapKind
from latviz.engine.pictures.truth import NO_SLOT
from latviz.engine.settings.appearance import Look
from latviz.engine.settings.state import Layers, RegionLayer, State, ViewerName

NOT_KNOWN = Look(NO_SLOT, "not known", "#808080")
"""The look of nodes whose true state is not in the file."""
FAR = 0.005
"""The share of pixels at each end of a map that share one colour."""
MAPS: tuple[tuple[MapKind, str], ...] = (
    ("likelihood", "log-likelihood"),
    ("inertia", "inertia"),
    ("doubt", "doubt"),
    ("resemblance", "resemblance"),
)
"""The kinds of maps, in the order of controls."""
EVERYWHERE: frozenset[ViewerName] = frozenset({"image", "states"})


@dataclass(frozen=True, eq=False)
class Items:
    """The layers of a viewer, from the lowest to the highest."""

    photo: PhotoLayer
    curves: CurvesItem
    fine: PhotoLayer
    now: MapLayer
    known: MapLayer
    kept: MapLayer
    difference: Layer
    changes: Layer
    lit: Layer


@dataclass(frozen=True, eq=False)
class ViewerScene:
    """All that a viewer shows."""

    frame: Frame  # the newest one
    kept: Frame | None  # the reference, if the viewer shows it
    state: State
    layers: Layers  # of this viewer
    section: Section  # the part of the picture on the canvas
    chosen: int | None  # the state to highlight
    theme: Theme
    detail: Detail | None = None  # the part on screen, at a finer level
    pointed: Lit | None = None  # the pixels of what is pointed at elsewhere

    @property
    def drawn(self) -> Frame:
        """The frame on the canvas: the true states instead of the decoded ones, if chosen.

        A sequence shows its true states in a ribbon of their own.
        """
        known = None if self.is_ribbon else self.known
        return known or self.section.frame(self.frame)

    @property
    def below(self) -> Frame | None:
        """The known states that a sequence has below the decoded ones."""
        return self.known if self.is_ribbon else None

    @property
    def known(self) -> Frame | None:
        """The frame with true states instead of decoded ones, if chosen."""
        truth = self.frame.truth
        if truth is None or not self.state.knows_truth or self.layers.truth != "states":
            return None
        states, slots = truth.drawn
        frame = replace(self.frame, states=states, slots=slots)
        if slots[-1] == NO_SLOT:
            given = (*frame.appearance.given, NOT_KNOWN)
            frame = replace(frame, appearance=replace(frame.appearance, given=given))
        return self.section.frame(frame)

    @property
    def is_ribbon(self) -> bool:
        """True for a sequence or an image of one row."""
        picture = self.state.picture
        return picture is not None and picture.is_ribbon

    @property
    def heat(self) -> Heat | None:
        """The map of one number per node; None if it is hidden, or not there yet."""
        shown = self.frame.node_map if self.layers.map else None
        if shown is None:
            return None
        return Heat(
            self.section.plane(shown.heat),
            stretched(map_table(self.theme, shown.kind), shown.counts),
            self.layers.map_opacity,
        )

    @property
    def uses_states(self) -> bool:
        """True if a layer depends on the states."""
        layers = self.layers
        shown = layers.states or layers.borders or layers.leaves or layers.map
        return shown or drawn_regions(self.state, layers) != "hidden"

    @property
    def covers(self) -> bool:
        """True if the layers cover the image entirely."""
        layers = self.layers
        return (layers.states and layers.opacity == 1) or (
            layers.map and layers.map_opacity == 1 and self.frame.node_map is not None
        )


@dataclass(frozen=True)
class Options:
    """The options of a layer; exactly one is set."""

    texts: tuple[tuple[Any, str], ...]  # (value, text)
    chosen: Callable[[State, Layers], Any]  # returns the value of a viewer's layers
    choose: Callable[[Document, ViewerName, Any], None]  # sets a value of a viewer


Needs = Callable[[State, Layers], frozenset[str]]


def _if(wanted: Callable[[State, Layers], bool], result: str) -> Needs:
    """Return a function that requests a result while it is needed."""
    return lambda state, layers: frozenset({result} if wanted(state, layers) else ())


@dataclass(frozen=True)
class LayerRow:
    """A layer of the viewer."""

    name: str
    title: str
    tip: str
    is_on: Callable[[State, Layers], bool]  # returns if a viewer's layers show it
    switch: Callable[[Document, ViewerName, bool], None]  # shows or hides it in a viewer
    # draws a scene with a viewer's items, hidden or not
    draw: Callable[[Items, ViewerScene], None] | None = None
    there: Callable[[State], bool] = lambda _: True  # returns if a state has anything to show
    # returns the results that are drawn while it is on
    needs: Needs = lambda _state, _layers: frozenset()
    opacity: str = ""  # field of `Layers` for the opacity; may be empty
    options: Options | None = None
    viewers: frozenset[ViewerName] = EVERYWHERE  # the viewers that offer it
    # returns what a frame shows of it, for its tip
    about: Callable[[Frame], str] = lambda _: ""


def _field(name: str, hidden: Any = False, first: Any = True) -> dict[str, Any]:
    """Return the entries of a layer that a field switches, between ``hidden`` and ``first``."""
    return {
        "name": name,
        "is_on": lambda _state, layers: getattr(layers, name) != hidden,
        "switch": lambda document, viewer, on: document.set_layers(
            viewer, **{name: first if on else hidden}
        ),
    }


def _options(name: str, *texts: tuple[Any, str]) -> Options:
    """Return the values of a field of `Layers`."""
    return Options(
        texts,
        lambda _state, layers: getattr(layers, name),
        lambda document, viewer, value: document.set_layers(viewer, **{name: value}),
    )


# Drawing


def _draw_image(items: Items, scene: ViewerScene) -> None:
    # It is smoothed, so dear where it is not seen.
    for item in (items.photo, items.curves):
        item.setVisible(scene.layers.image and not scene.covers)


def _draw_states(items: Items, scene: ViewerScene) -> None:
    items.now.show_states(scene.layers, scene.chosen)
    items.known.show_states(scene.layers, scene.chosen)
    items.kept.show_states(scene.layers, None)
    draw_fine(items, scene)


def draw_fine(items: Items, scene: ViewerScene) -> None:
    """Draw a finer level over the image, and in place of the states."""
    items.fine.setVisible(items.photo.isVisible() and scene.detail is not None)
    items.now.show_fine(scene.detail, scene.layers, scene.chosen)


def _draw_map(items: Items, scene: ViewerScene) -> None:
    items.now.show_heat(scene.heat)


def _draw_regions(items: Items, scene: ViewerScene) -> None:
    layers = scene.layers
    shown = ShownRegions.of(scene.frame, drawn_regions(scene.state, layers), scene.section)
    items.now.regions.show(shown, layers.opacity if layers.states else 1.0)


def drawn_regions(state: State, layers: Layers) -> RegionLayer:
    """Return how regions are drawn in a viewer with these layers."""
    if layers.regions != "auto":
        return layers.regions
    return "borders" if state.explains_contrasts else "hidden"


def _draw_lines(items: Items, scene: ViewerScene) -> None:
    for item in (items.now, items.known, items.kept):
        item.draw_lines(scene.layers, scene.state.display.marks)


def _draw_difference(items: Items, scene: ViewerScene) -> None:
    """Darken the pixels that agree, with A or with the known states."""
    _darken(items.difference, scene, _differing(scene))


def _differing(scene: ViewerScene) -> NDArray[np.bool_] | None:
    """Return the mask of differences from the truth or the reference, if it is shown."""
    frame, state = scene.frame, scene.state
    if state.knows_truth and scene.layers.truth == "errors":
        return None if frame.truth is None else frame.truth.wrong
    if scene.kept is not None and state.display.comparison == "difference":
        return None if frame.agreement is None else frame.agreement.different
    return None


def _draw_changes(items: Items, scene: ViewerScene) -> None:
    is_on = scene.layers.shows_changes(scene.frame.request.parameters)
    found = scene.frame.changes if is_on else None
    if found is not None:
        items.changes.show_plane(scene.section.plane(found.mask.view(np.uint8)), CHANGED)
    items.changes.setVisible(found is not None)


def _draw_lit(items: Items, scene: ViewerScene) -> None:
    found = scene.frame.lit if scene.state.selection is not None and scene.layers.lit else None
    if scene.pointed is not None and scene.pointed.mask.shape == scene.frame.request.picture.shape:
        found = scene.pointed
    _darken(items.lit, scene, None if found is None else found.mask)


def _darken(item: Layer, scene: ViewerScene, light: NDArray[np.bool_] | None) -> None:
    """Veil pixels outside the mask; hide the layer if there is no mask."""
    if light is not None:
        plane = scene.section.plane(light.view(np.uint8))
        item.show_plane(plane, veil_of(scene, plane.view(np.bool_)))
    item.setVisible(light is not None)


def veil_of(scene: ViewerScene, light: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the colours of a mask of the plane, in which the rest is veiled."""
    return veil_over(*_lit_colors(scene, light))


def _lit_colors(scene: ViewerScene, light: NDArray[np.bool_]) -> tuple[list[Rgb], list[int]]:
    """Return the colours of the lit pixels of a plane, each with its pixels."""
    states = scene.drawn.states
    if scene.layers.states and states.shape == light.shape:
        known = states[light & (states < len(scene.drawn.colors))]  # others have no colour
        counts = np.bincount(known, minlength=len(scene.drawn.colors)).tolist()
        return [(r, g, b) for r, g, b in scene.drawn.colors.tolist()], counts
    picture = scene.frame.request.picture
    shown = picture.in_colour(scene.section.plane(picture.shown)[light])
    if not len(shown):
        return [], []
    red, green, blue = shown.reshape(-1, 3).mean(axis=0).astype(int).tolist()
    return [(red, green, blue)], [len(shown)]


def _compare(document: Document, _viewer: ViewerName, on: bool) -> None:
    comparison = "difference" if on else "split"
    document.set_display("Change how maps are compared", comparison=comparison)


LAYERS: tuple[LayerRow, ...] = (
    LayerRow(title="Image", tip="The picture itself", draw=_draw_image, **_field("image")),
    LayerRow(
        title="States",
        tip="Each pixel in the colour of its state",
        draw=_draw_states,
        opacity="opacity",
        **_field("states"),
    ),
    LayerRow(
        name="means",
        title="Mean colours",
        tip="Each state in the mean colour of its pixels, with borders, or in one of the palette",
        is_on=lambda state, _: state.looks.mean_colors,
        switch=lambda document, _, on: document.set_mean_colors(on),
        viewers=frozenset({"states"}),
    ),
    LayerRow(
        name="marks",
        title="State marks",
        tip="Distinguish states without colour",
        is_on=lambda state, _: state.display.marks != "none",
        switch=lambda document, _, on: document.set_display(marks="numbers" if on else "none"),
        options=Options(
            (("numbers", "numbers"), ("hatching", "hatching")),
            lambda state, _: state.display.marks,
            lambda document, _, marks: document.set_display(marks=marks),
        ),
        viewers=frozenset({"states"}),
    ),
    LayerRow(
        title="Known states",
        tip="The true states of a demo or a file, or where the decoded states differ",
        draw=_draw_difference,  # that from the reference, too
        there=lambda state: state.knows_truth,
        needs=_if(lambda state, layers: state.knows_truth and layers.truth != "hidden", "truth"),
        options=_options(
            "truth",
            ("states", "in place of the decoded ones, or below those of a sequence"),
            ("errors", "the errors alone"),
        ),
        **_field("truth", "hidden", "states"),
    ),
    LayerRow(
        title="Map",
        tip="One number per pixel, as a heat map; drag over its histogram to highlight a range",
        draw=_draw_map,
        opacity="map_opacity",
        needs=_if(lambda _, layers: layers.map, "node_map"),
        options=Options(
            MAPS,
            lambda state, _: state.map,
            lambda document, _, kind: document.change("Change the map", map=kind),
        ),
        about=lambda frame: "" if (m := frame.node_map) is None else range_text(m, frame),
        **_field("map"),
    ),
    LayerRow(
        title="Regions",
        tip="Connected regions, merged as in the view of regions",
        draw=_draw_regions,
        needs=lambda state, layers: NEEDED[drawn_regions(state, layers)],
        options=Options(
            (("borders", "outlines"), ("lives", "borders by life"), ("colours", "mean colours")),
            drawn_regions,
            lambda document, viewer, value: document.set_layers(viewer, regions=value),
        ),
        **_field("regions", "hidden", "borders")
        | {"is_on": lambda state, layers: drawn_regions(state, layers) != "hidden"},
    ),
    LayerRow(
        title="Borders",
        tip="Outlines where neighbouring pixels are in different states",
        draw=_draw_lines,  # those of the next row, too
        **_field("borders"),
    ),
    LayerRow(
        title="Quadtree leaves",
        tip="Outlines of the largest squares of one state each",
        **_field("leaves"),
    ),
    LayerRow(
        name="difference",
        title="Difference from the reference",
        tip="Darken the pixels that agree with the reference",
        is_on=lambda state, _: state.display.comparison == "difference",
        switch=_compare,
        there=lambda state: state.compared is not None,
        viewers=frozenset({"states"}),
    ),
    LayerRow(
        title="Changes from w − 1",
        tip="The pixels that have another state with the next smaller window and the same codebook",
        draw=_draw_changes,
        there=lambda state: state.parameters.decoding.by_window,
        needs=_if(lambda state, layers: layers.shows_changes(state.parameters), "changes"),
        **_field("changes"),
    ),
    LayerRow(
        title="Changes by neighbours",
        tip="The pixels that have another state than that of their nearest codeword",
        there=lambda state: state.parameters.decoding.has_beliefs,  # drawn with the row above
        **_field("neighbours"),
    ),
    LayerRow(
        title="Spotlight",
        tip="Darken the pixels outside the highlight",
        draw=_draw_lit,
        **_field("lit"),
    ),
)
"""In the order of the controls, and of drawing."""


def rows_of(viewer: ViewerName) -> tuple[LayerRow, ...]:
    """Return the layers that a viewer offers."""
    return tuple(row for row in LAYERS if viewer in row.viewers)


def needed(state: State, viewer: ViewerName) -> frozenset[str]:
    """Return the results that the layers of a viewer draw in a state."""
    layers = state.display.layers(viewer)
    return frozenset[str]().union(*(row.needs(state, layers) for row in rows_of(viewer)))


def asks_of(viewer: ViewerName) -> Callable[[State], frozenset[str]]:
    """Return a function for the results that the layers of a viewer draw."""
    return partial(needed, viewer=viewer)


# The colours of maps


def map_table(theme: Theme, kind: MapKind) -> NDArray[np.uint8]:
    """Return the colours of a kind of map, from its least value on; the doubtful end is strong."""
    table = theme.heat_table()
    if kind in STRONG_AT_THE_LOW_END:
        table = table[::-1]
    return np.ascontiguousarray(table)


def stretched(table: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Spread a table's colours over the values of most pixels; a few far ones share ends."""
    # ``table`` (256, 3) is from the least value to the greatest; ``counts`` are pixels by parts of
    # that range
    below = np.cumsum(counts)
    first, last = np.searchsorted(below, np.array([FAR, 1 - FAR]) * below[-1])
    low, high = np.array([first, last + 1]) * (len(table) - 1) / len(counts)
    places = np.clip((np.arange(len(table)) - low) / (high - low), 0.0, 1.0) * (len(table) - 1)
    return np.asarray(table[np.rint(places).astype(np.intp)])
