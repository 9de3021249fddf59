"""The state map over the image, alone or next to another one."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QElapsedTimer, QTimer, pyqtSignal
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QWidget

from latviz.app.compare.bar import compared_text
from latviz.app.document.adviser import Taken
from latviz.app.document.inspector import share_of_a
from latviz.app.views.states.legend import Legend
from latviz.app.views.states.map_layer import Letter, LettersItem
from latviz.app.views.viewer.layers import veil_of
from latviz.app.views.viewer.view import Viewer
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets.glimpse import SHOWN_MS
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.painting import draw_on_screen
from latviz.app.widgets.title_controls import caption
from latviz.app.work.timers import once_after
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import CURRENT, REFERENCE, frame_of
from latviz.engine.frames.section import Place
from latviz.engine.geometry.selection import ChangeSelection
from latviz.engine.pictures.picture import Picture

WIPE_MS, WIPE_STEP_MS = 2000, 33
"""The time in which the map before an offer is wiped away, and of a step."""


class Divider(pg.InfiniteLine):  # type: ignore[misc]
    """A line that can be dragged and shows on any ground: a light one on a dark one."""

    currentPen: QPen

    def __init__(self) -> None:
        pens = pg.mkPen("#ffffff", width=3), pg.mkPen("#6ea8fe", width=5)
        super().__init__(angle=90, movable=True, pen=pens[0], hoverPen=pens[1])

    def paint(self, painter: QPainter, *_: Any) -> None:
        """Draw both."""
        line, light, bounds = QPainterPath(), self.currentPen, self.boundingRect()
        line.moveTo(bounds.left(), 0.0)
        line.lineTo(bounds.right(), 0.0)
        for color, width in (
            (QColor("#101317"), light.width() + 2),
            (light.color(), light.width()),
        ):
            painter.setPen(QPen(color, width))
            draw_on_screen(painter, line)


class StatesView(Viewer):
    """The viewer with the states on, and a legend."""

    # With a reference, the display options decide how it is shown
    split_moved = pyqtSignal(float)  # new place of the divider, 0 to 1
    layers_wanted = pyqtSignal()  # show the list of layers

    TITLE = "State map"
    VIEWER = "states"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.divider = Divider()
        self.canvas.add_layer(self.divider, 95)
        self.divider.setVisible(False)
        self.letters = LettersItem(self.canvas)
        self.changed_pixels = Layer(self.canvas, greatest=True)
        self.canvas.add_layer(self.changed_pixels, 55)
        self.changed_pixels.setVisible(False)
        self._lit: Frame | None = None  # whose changed pixels stay lit
        self._unlight = once_after(SHOWN_MS, self._fade_light, self)
        self._dimming = self.fading_of(self.changed_pixels, self.end_passing)
        self._taken: Taken | None = None  # while its map before is wiped away
        self._wiped_for = QElapsedTimer()
        self._wiping = QTimer(self)
        self._wiping.setInterval(WIPE_STEP_MS)
        self._wiping.timeout.connect(self._wipe)
        self.legend = Legend(self)
        self.legend.picked.connect(self.picked)
        self.legend.state_hovered.connect(self.state_hovered)
        self.legend.mark_clicked.connect(self.switch_changes)
        self.add_foot(self.legend)
        self.divider.sigDragged.connect(self._move_divider)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the content of another view; for a comparison, the caption of both maps, too."""
        kept, layout = shown.kept_frame(), self.layout()
        assert layout is not None
        if kept is not None and shown.frame is not None:
            layout.addWidget(caption(compared_text(kept, shown.frame)))
        super().show_as_figure(shown, scale)

    def in_words(self, frame: Frame) -> str:
        """Return each state's share of the pixels, and the map over them."""
        return f"{words.state_map(frame)} {super().in_words(frame)}".rstrip()

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the states of the last one are taken away."""
        self._taken = None
        self._wiping.stop()
        self.end_passing()
        super().show_picture(picture)
        self.divider.setVisible(False)
        self.legend.show_nothing()

    def draw_inspection(self) -> None:
        """Mark the inspected pixel, and its state."""
        super().draw_inspection()
        self.legend.show_inspection(self.inspection)

    def draw_frame(self) -> None:
        """Show the layers, where two maps meet, and the legend."""
        super().draw_frame()
        frame, kept, width = self.frame, self.kept_frame(), self.canvas.shape[1]
        assert frame is not None
        if self._lit is not None and self._lit.states is not frame.states:
            self.end_passing()
        split = self.share_of_a() * width
        is_split = self.display.comparison == "split" or self._taken is not None
        self.divider.setVisible(kept is not None and is_split)
        self.divider.setMovable(self._taken is None)
        self.divider.setValue(split)
        self.letters.show_letters(*self._letters(split) if kept is not None else ())
        self.legend.show_state(self.state)
        self.legend.show_pointer(self.pointer)
        self.legend.show_frame(frame)
        self.legend.show_inspection(self.inspection)
        self.legend.show_mark_on(self.changes.isVisible())

    def switch_changes(self) -> None:
        """Hide the marked changes, or show them; the legend's mark follows."""
        super().switch_changes()
        self.legend.show_mark_on(self.changes.isVisible())

    def light_pixels(self, mask: NDArray[np.bool_], *, kept: Frame | None = None) -> None:
        """Veil all pixels but those of a mask (*shape): for a moment, or while a frame is shown."""
        if mask.any() and self.isVisible() and self.frame is not None:
            plane = self.section.plane(mask.view(np.uint8))
            table = veil_of(self.scene(self.frame), plane.view(np.bool_))
            self._dimming.stop()
            self.changed_pixels.show_plane(plane, table)
            self.changed_pixels.setOpacity(1.0)
            self.changed_pixels.setVisible(True)
            self._unlight.stop()
            self._lit = kept
            if kept is None:
                self._unlight.start()

    @property
    def stays_lit(self) -> bool:
        """True if changed pixels are lit until states change."""
        return self._lit is not None

    def _fade_light(self) -> None:
        """Fade the veil; at once if motion is reduced."""
        if self.pointer.still:
            self.end_passing()
        else:
            self._dimming.start()

    def end_passing(self) -> None:
        """Stop marking changed pixels."""
        super().end_passing()
        self._unlight.stop()
        self._dimming.stop()
        self._lit = None
        self.changed_pixels.setVisible(False)

    def show_taken(self, taken: Taken | None) -> None:
        """Wipe the map before an offer away, and light the pixels that changed; None ends it."""
        if self._taken is not None:
            self._end_wipe()
        if taken is None or self.frame is not taken.after or not self.isVisible():
            return
        if self.pointer.still or self.state.compared is not None:
            self.light_pixels(taken.changed)
        elif self.display.comparison != "difference":
            self._taken = taken
            self._wiped_for.start()
            self._wiping.start()
            self._wipe()

    def _wipe(self) -> None:
        """Draw a step of the wipe; the pixels that changed are lit at its end."""
        taken = self._taken
        assert taken is not None
        if self._wiped_for.elapsed() < WIPE_MS:
            self.draw_frame()
        else:
            self._end_wipe()
            self.light_pixels(taken.changed)

    def _end_wipe(self) -> None:
        self._taken = None
        self._wiping.stop()
        if self.frame is not None:
            self.draw_frame()

    def share_of_a(self) -> float:
        """Return the share of the width that is left of the divider, or whose turn it is."""
        if self._taken is not None:
            return max(0.0, 1.0 - self._wiped_for.elapsed() / WIPE_MS)
        return 0.0 if self.kept_frame() is None else share_of_a(self.state, self.pointer)

    def draw_theme(self) -> None:
        """Restyle the ground and the legend."""
        super().draw_theme()
        self.legend.apply_theme(self.theme)

    def kept_frame(self) -> Frame | None:
        """Return the reference, if it is of this picture; its states look as those on screen."""
        kept, picture = frame_of(self.state.compared), self.picture
        if self._taken is not None:
            kept = self._taken.before
        if kept is None or picture is None or kept.states.shape != picture.shape:
            return None
        return kept if self.frame is None else replace(kept, appearance=self.frame.appearance)

    def _letters(self, split: float) -> tuple[Letter, ...]:
        if self._taken is not None:
            return ()
        if self.display.comparison == "split":
            letters = Letter(REFERENCE, split, left=True), Letter(CURRENT, split)
            return letters[split == 0 : 1 + (split < self.canvas.shape[1])]
        if self.display.comparison == "flicker":
            return (Letter(REFERENCE if self.pointer.flipped else CURRENT, 0.0),)
        return ()

    def _pick(self, place: Place) -> None:
        """Highlight a pixel's state; with two maps compared, its states in both."""
        frame, kept = self.frame, frame_of(self.state.compared)
        if frame is None or kept is None or self.display.comparison != "difference":
            super()._pick(place)
        elif not frame.coarse and self._is_known(place):
            node = self.section.node(place)
            a, b = kept.slots[kept.states[node]], frame.slots[frame.states[node]]
            self.picked.emit(ChangeSelection(a, b))

    def _move_divider(self) -> None:
        self.split_moved.emit(self.divider.value() / max(1, self.canvas.shape[1]))
