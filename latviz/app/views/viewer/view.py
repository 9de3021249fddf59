"""The viewer: the picture, and over it the layers that are on."""

from collections.abc import Callable
from typing import ClassVar, Self

from PyQt6.QtCore import QRectF, QVariantAnimation
from PyQt6.QtWidgets import QWidget

from latviz.app.views.picture import PictureView
from latviz.app.views.states.map_layer import BANDS, BandsItem, MapLayer, faded_table, place_of
from latviz.app.views.viewer.histogram import Histogram
from latviz.app.views.viewer.layers import LAYERS, Items, ViewerScene, draw_fine, needed
from latviz.app.views.viewer.map_values import range_text, title_of
from latviz.app.widgets.layer import Layer, PhotoLayer
from latviz.app.work.timers import once_after
from latviz.engine.frames.detail import Detail
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import RangeSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import Layers, ViewerName

CHANGES_MS, FADING_MS = 2000, 400
"""Time that changes by neighbours are shown, and that they then take to fade."""
OF_STATES = frozenset({"model", "states", "occupancy", "pairs", "associativity", "believed"})
"""The parts of a frame that decoding changes."""


class Viewer(PictureView):
    """The picture with the layers of `LAYERS` that are on in the viewer of a name."""

    # Subclasses set `VIEWER`, and add widgets below the picture. Nothing is computed for a hidden
    # layer. The histogram stands in the list of layers, and in figures below the picture
    VIEWER: ClassVar[ViewerName] = "image"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.now, self.known, self.kept = (MapLayer(self.canvas, z) for z in (1, 1.5, 2))
        self.bands = BandsItem(self.canvas)
        self.detail: Detail | None = None
        self.fine, self.difference = PhotoLayer(self.canvas), Layer(self.canvas)
        self.changes = Layer(self.canvas, greatest=True)
        for layer, z in ((self.fine, 0.5), (self.difference, 40), (self.changes, 45)):
            self.canvas.add_layer(layer, z)
            layer.setVisible(False)
        self.items = Items(
            *(self.photo, self.curves, self.fine, self.now, self.known, self.kept),
            *(self.difference, self.changes, self.lit),
        )
        self.canvas.viewed.connect(self._draw_lines)
        self.histogram = Histogram(self)
        self.histogram.setAccessibleName(f"Histogram of the map in the {self.TITLE.lower()}")
        self.histogram.hide()
        self.histogram.brushed.connect(self.picked)
        self._marked: object = None  # the mask of changes that was shown last
        self._has_faded = False
        self._passing = once_after(CHANGES_MS, self._fade_changes, self)
        self._fading = self.fading_of(self.changes, self.switch_changes)

    def fading_of(self, layer: Layer, end: Callable[[], object]) -> QVariantAnimation:
        """Return an animation that fades a layer, and what follows at its end."""
        fading = QVariantAnimation(self)
        fading.setDuration(FADING_MS)
        fading.setStartValue(1.0)
        fading.setEndValue(0.0)
        fading.valueChanged.connect(layer.setOpacity)
        fading.finished.connect(end)
        return fading

    @property
    def layers(self) -> Layers:
        """The layers of this viewer."""
        return self.display.layers(self.VIEWER)

    def needed(self) -> frozenset[str]:
        """Return the results that its layers draw."""
        return needed(self.state, self.VIEWER)

    def waits_for(self, frame: Frame) -> bool:
        """Return True if the layers' results follow soon; coarse states are shown at once."""
        before = self.frame
        is_new = before is None or before.request.picture is not frame.request.picture
        if self.layers.states and (is_new or frame.coarse):
            return False
        return super().waits_for(frame)

    def unseen(self, frame: Frame) -> frozenset[str]:
        """Return the results of decoding, if no layer draws them."""
        return frozenset() if self.scene(frame).uses_states else OF_STATES

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the layers of the last one are taken away."""
        super().show_picture(picture)
        for layer in (self.now, self.known, self.kept):
            layer.clear()
        self.bands.show_names()
        self.histogram.show_map(None)
        self.difference.setVisible(False)
        self.changes.setVisible(False)
        self.show_detail(None)
        self.photo.setVisible(self.layers.image)
        self.curves.setVisible(self.layers.image)

    def show_detail(self, detail: Detail | None) -> None:
        """Show the part on screen at a finer level, or not."""
        if detail is self.detail:
            return
        self.detail = detail
        if detail is not None:
            self.fine.show_part(detail.pixels, None, place_of(detail))
        else:
            self.fine.clear()
        if self.frame is not None:
            draw_fine(self.items, self.scene(self.frame))

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the content of another view, at the same level, and the histogram of a map."""
        self._has_faded = shown._has_faded
        if shown.layers.map:
            self.add_foot(self.histogram)
            self.histogram.show()
        super().show_as_figure(shown, scale)
        self.show_detail(shown.detail)

    def draw_frame(self) -> None:
        """Show the layers that are on."""
        super().draw_frame()
        assert self.frame is not None
        scene = self.scene(self.frame)
        self._place(scene)
        for row in LAYERS:
            if row.draw is not None:
                row.draw(self.items, scene)
        self._show_layers_symbols(scene)
        self._show_histogram(scene)
        self._time_changes()

    def _time_changes(self) -> None:
        """Show new changes by neighbours for a while; those that are switched off stay hidden."""
        found = None if self.frame is None else self.frame.changes
        by_window = self.state.parameters.decoding.by_window
        mask = None if found is None or not self.changes.isVisible() else found.mask
        if mask is not self._marked and not self.is_figure:
            self._marked, self._has_faded = mask, self._has_faded and by_window
            self._passing.stop()
            self._fading.stop()
            self.changes.setOpacity(1.0)
            if mask is not None and not by_window:
                self._passing.start()
        if self._has_faded:
            self.changes.setVisible(False)

    def _fade_changes(self) -> None:
        if self.pointer.still:
            self.switch_changes()
        else:
            self._fading.start()

    def switch_changes(self) -> None:
        """Hide the marked changes, or show them until they are switched off."""
        self._passing.stop()
        self._fading.stop()
        self._has_faded = self.changes.isVisible()
        self.changes.setOpacity(1.0)
        self.changes.setVisible(not self._has_faded)

    def scene(self, frame: Frame) -> ViewerScene:
        """Return the scene of a frame."""
        kept = self.kept_frame()
        given = self.state, self.layers, self.section, self.chosen, self.theme
        return ViewerScene(frame, kept, *given, self.detail, self.pointer.lit)

    def kept_frame(self) -> Frame | None:
        """Return the reference, if the viewer shows it; None by default."""
        return None

    def share_of_a(self) -> float:
        """Return the share of the width that is A's, from the left."""
        return 0.0

    def _place(self, scene: ViewerScene) -> None:
        """Give both decodings their part of the picture."""
        height, width = self.canvas.shape
        split = self.share_of_a() * width
        below = scene.below if scene.uses_states else None
        part = QRectF(split, 0, width - split, height if below is None else height / 2)
        if scene.uses_states:
            self.now.show_frame(scene.drawn, part)
        else:
            self.now.clear()
        if below is None:
            self.known.clear()
        else:
            self.known.show_frame(below, part.translated(0, height / 2))
        self.bands.show_names(*(BANDS if below is not None and scene.layers.states else ()))
        if scene.kept is None:
            self.kept.clear()
        else:
            self.kept.show_frame(self.section.frame(scene.kept), QRectF(0, 0, split, height))

    def _show_layers_symbols(self, scene: ViewerScene) -> None:
        """Write a sequence's letters over the top layer, or the one that shows through."""
        self.writing.set_height(0.5 if self.bands.names else 1.0)
        layers, heat, frame = scene.layers, scene.heat, scene.frame
        node_map = frame.node_map
        if heat is not None and node_map is not None and heat.opacity > 0.5:
            self._show_symbols(node_map.heat, heat.table)
        elif layers.states and layers.opacity > 0.5:
            self._show_symbols(frame.states, faded_table(frame.colors, self.chosen))
        elif self.picture is not None:
            self._show_symbols(self.picture.shown, self.picture.colors)

    def _show_histogram(self, scene: ViewerScene) -> None:
        """Show the values of the map, and the range that is highlighted."""
        heat, shown, picked = scene.heat, scene.frame.node_map, self.state.selection
        if heat is None or shown is None:
            self.histogram.show_map(None)
        else:
            self.histogram.show_map(shown, title_of(shown.kind, scene.frame), heat.table)
        self.histogram.show_picked(picked if isinstance(picked, RangeSelection) else None)

    def in_words(self, frame: Frame) -> str:
        """Return which map is shown, and its range."""
        shown = frame.node_map if self.layers.map else None
        return "" if shown is None else range_text(shown, frame)

    def draw_theme(self) -> None:
        """Restyle the ground and the histogram."""
        super().draw_theme()
        self.histogram.apply_theme(self.theme)

    def _draw_lines(self) -> None:
        for layer in (self.now, self.known, self.kept):
            layer.draw_lines(self.layers, self.display.marks)
