"""The state map over the image, alone or beside another one."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, pyqtSignal
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QWidget

from latviz.app.compare.bar import compared_text
from latviz.app.inspector import share_of_a
from latviz.app.views.picture import LIGHT_AND_DARK, PictureView
from latviz.app.views.states.legend import Legend
from latviz.app.views.states.map_layer import Letter, LettersItem, MapLayer, faded_table
from latviz.app.views.states.regions_layer import Shown, needed
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.painting import draw_on_screen
from latviz.app.widgets.title_controls import caption
from latviz.engine.frame import Frame
from latviz.engine.picture import Picture
from latviz.engine.section import Place
from latviz.engine.selection import ChangeSelection


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


class StatesView(PictureView):
    """Each pixel in the colour of its state, blended with the image; lines if asked for; a legend.

    While a decoding A is kept, it is shown too, as the display options say.

    Signals
    -------
    split_moved(float)
        Where the divider between decodings A and B was dragged to, from 0 to 1.
    """

    split_moved = pyqtSignal(float)

    TITLE = "State map"
    NEEDS = frozenset({"truth"})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.now, self.kept = MapLayer(self.canvas, 1), MapLayer(self.canvas, 2)
        self.difference = Layer(self.canvas)
        self.canvas.add_layer(self.difference, 40)
        self.difference.setVisible(False)
        self.divider = Divider()
        self.canvas.add_layer(self.divider, 95)
        self.divider.setVisible(False)
        self.letters = LettersItem(self.canvas)
        self._add_legend()
        self.canvas.viewed.connect(self._draw_lines)
        self.divider.sigDragged.connect(self._move_divider)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show what another view shows; of a comparison, what is known of A and B, too."""
        kept, layout = shown._kept(), self.layout()
        assert layout is not None
        if kept is not None and shown.frame is not None:
            layout.addWidget(caption(compared_text(kept, shown.frame)))
        super().show_as_figure(shown, scale)

    def in_words(self, frame: Frame) -> str:
        """Return each state's share of the pixels."""
        return words.state_map(frame)

    def _add_legend(self) -> None:
        self.legend = Legend(self)
        self.legend.picked.connect(self.picked)
        self.legend.state_hovered.connect(self.state_hovered)
        self.add_foot(self.legend)

    def show_frame(self, frame: Frame) -> None:
        """Take the newest frame; if its regions come soon, with them."""
        before, awaited = self.frame, needed(self.state) & frame.pending
        anew = before is None or before.request.picture is not frame.request.picture
        if anew or frame.coarse or not awaited:
            super().show_frame(frame)

    def _differs(self, before: Frame, frame: Frame) -> bool:
        old, new = before.results, frame.results
        changed = any(old.get(name) is not new.get(name) for name in needed(self.state))
        return changed or super()._differs(before, frame)

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the states of the last one are taken away."""
        super().show_picture(picture)
        for layer in (self.now, self.kept):
            layer.let_go()
        for item in (self.difference, self.divider):
            item.setVisible(False)
        self.photo.setVisible(True)
        self.legend.show_nothing()

    def draw_inspection(self) -> None:
        """Mark the inspected pixel, and its state."""
        super().draw_inspection()
        self.legend.show_inspection(self.inspection)

    def draw_frame(self) -> None:
        """Show the states."""
        super().draw_frame()
        frame, kept, display = self.frame, self._kept(), self.display
        assert frame is not None
        height, width = self.canvas.shape
        split = 0.0 if kept is None else share_of_a(self.state, self.pointer) * width
        whole = QRectF(0, 0, width, height)
        self.photo.setVisible(display.opacity < 1)  # smoothed, so dear where it is not seen
        shown = self.section.frame(self._with_known_states(frame))
        regions = Shown.of(frame, display.regions, self.section)
        self.now.show_frame(shown, display, self.chosen, whole.adjusted(split, 0, 0, 0), regions)
        self._show_states_symbols(frame)
        if kept is None:
            self.kept.let_go()
        else:
            part = QRectF(0, 0, split, height)
            self.kept.show_frame(self.section.frame(kept), display, None, part)
        splits = kept is not None and display.comparison == "split"
        self.divider.setVisible(splits)
        self.divider.setValue(split)
        self._draw_difference(frame)
        self.letters.show_letters(*self._letters(split) if kept is not None else ())
        self._draw_legend(frame)

    def draw_theme(self) -> None:
        """Restyle the ground and the legend."""
        super().draw_theme()
        self.legend.apply_theme(self.theme)

    def _with_known_states(self, frame: Frame) -> Frame:
        """Return a frame whose states are the known ones, if these are to be shown."""
        truth = frame.truth
        if truth is None or not self.state.shows_truth or self.display.truth != "states":
            return frame
        return replace(frame, states=truth.states, slots=truth.slots)

    def _kept(self) -> Frame | None:
        """Return decoding A, if it is one of this picture; its states look as those on screen."""
        kept, picture = self.state.compared, self.picture
        if kept is None or picture is None or kept.states.shape != picture.shape:
            return None
        return kept if self.frame is None else replace(kept, appearance=self.frame.appearance)

    def _draw_legend(self, frame: Frame) -> None:
        self.legend.show_state(self.state)
        self.legend.show_pointer(self.pointer)
        self.legend.show_frame(frame)
        self.legend.show_inspection(self.inspection)

    def _letters(self, split: float) -> tuple[Letter, ...]:
        if self.display.comparison == "split":
            letters = Letter("A", split, left=True), Letter("B", split)
            return letters[split == 0 : 1 + (split < self.canvas.shape[1])]
        if self.display.comparison == "flicker":
            return (Letter("A" if self.pointer.flipped else "B", 0.0),)
        return ()

    def _draw_difference(self, frame: Frame) -> None:
        """Put the pixels that agree, with A or with the known states, into the dark."""
        mask = self._differing(frame)
        if mask is not None:
            shades = self.section.plane(mask.view(np.uint8))
            self.difference.show_plane(shades, LIGHT_AND_DARK)
        self.difference.setVisible(mask is not None)

    def _differing(self, frame: Frame) -> NDArray[np.bool_] | None:
        """Return where states differ from those that they are compared with, if that is shown."""
        if self.state.shows_truth and self.display.truth == "errors":
            return None if frame.truth is None else frame.truth.wrong
        if self.state.compared is not None and self.display.comparison == "difference":
            return None if frame.agreement is None else frame.agreement.different
        return None

    def _show_states_symbols(self, frame: Frame) -> None:
        """Write a sequence's letters on the states, or on the image that shines through."""
        if self.display.opacity > 0.5:
            table = faded_table(frame.colors, self.chosen)
            self._show_symbols(frame.states, table)
        elif self.picture is not None:
            self._show_symbols(self.picture.shown, self.picture.colors)

    def _pick(self, place: Place) -> None:
        """Pick out a pixel's state; where A and B are told apart, its states in both."""
        frame, kept = self.frame, self.state.compared
        if frame is None or kept is None or self.display.comparison != "difference":
            super()._pick(place)
        elif not frame.coarse:
            node = self.section.node(place)
            a, b = kept.slots[kept.states[node]], frame.slots[frame.states[node]]
            self.picked.emit(ChangeSelection(a, b))

    def _move_divider(self) -> None:
        self.split_moved.emit(self.divider.value() / max(1, self.canvas.shape[1]))

    def _draw_lines(self) -> None:
        for layer in (self.now, self.kept):
            layer.draw_lines(self.display)
