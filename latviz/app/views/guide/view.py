"""The effect of the chosen w, over a slider as wide as the main window."""

from collections.abc import Mapping
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QFontMetrics, QHideEvent, QResizeEvent, QShowEvent
from PyQt6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QWidget

from latviz.app.look.theme import on_panel
from latviz.app.panels.parameter_controls import NumberControl, tip_of
from latviz.app.views.base import View
from latviz.app.views.guide.lives import LivesRow, river_over_cuts, river_over_windows
from latviz.app.views.guide.pictures import LEAST, ScalePictures
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button, link
from latviz.app.widgets.elided import LINE, ElidedLabel
from latviz.app.widgets.painting import text_height
from latviz.app.widgets.rivers import River
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.widgets.title_controls import mark
from latviz.app.work.activity import percent_done
from latviz.core.parameter import row_of
from latviz.engine.advice.advice import Advice
from latviz.engine.choosing.scales import Scales, over_cuts
from latviz.engine.choosing.tradeoff import Chosen, TradeOff
from latviz.engine.choosing.window_effects import WindowEffects
from latviz.engine.frames import highlight
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.frames.section import Section
from latviz.engine.geometry.region_cut import Measure
from latviz.engine.geometry.rivers import life_over_windows, mask_over_windows
from latviz.engine.geometry.selection import ConnectedSelection
from latviz.engine.settings.parameters import Parameters, window_range
from latviz.engine.settings.state import State

_SIZES = (1.45, 1.3, 1.15, 1.0)
"""Sizes of the headline, by that of other text: the first at which it fits."""
_MARGIN, _SPACING, _SIDE, _GAP, _FLANK = 3, 2, 14, 12, 8
_WORDS, _WIDE = 0.34, 130
"""The share of the width for words; the characters of the width at least, or they are above."""
CHOOSE = "Choose w"
_ADVICE = "Follow the advice"
ASKED = "Your guess comes first"
_WAITING = "Answer the question, and see here what the window does."


class GuideView(View):
    """The effect of the set window on the states, as it moves."""

    TITLE = "What the window does"
    COVERED = False
    KEYS = "Arrow keys move w."

    NEEDS = frozenset({"cut_lives"})

    window_wanted = pyqtSignal(int)  # w
    cut_wanted = pyqtSignal(float)  # the least contrast of regions
    lit = pyqtSignal(object)  # Lit or None: the pixels of a line that is pointed at
    axis_wanted = pyqtSignal(str)  # the measure of regions, whose lives are shown
    map_wanted = pyqtSignal()  # the map of the window, while the decoder uses none
    choice_wanted = pyqtSignal()  # the program is to choose w
    offer_taken = pyqtSignal()
    kept = pyqtSignal()  # what was taken
    undone = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_panel(self)
        row = row_of(Parameters(), "window")
        self.headline, self.brief = ElidedLabel(), ElidedLabel()
        self.brief.setProperty("muted", True)
        self.window_control = NumberControl(row.bounds_for(), 0, f"{row.name}, wide", row.spacing)
        self.window_control.set_tool_tip(tip_of(row))
        self.name = QLabel(row.label)
        self.name.setToolTip(tip_of(row))
        self.lives = LivesRow(self._ends)
        self.lives.window_wanted.connect(self._set_window)
        self.lives.cut_wanted.connect(self.cut_wanted)
        self.lives.axis_wanted.connect(self.axis_wanted)
        self.rivers = self.lives.rivers
        self.rivers.pointed.connect(self._point)
        self.rivers.picked.connect(self._pick)
        self.unused = link(
            "Map of the window", "Decode by the window, with this map as the reference"
        )
        self.unused.clicked.connect(self.map_wanted)
        self.pictures = ScalePictures()
        self.pictures.window_wanted.connect(self.window_wanted)
        self.offer = button("", _ADVICE)
        self.offer.setAccessibleName(_ADVICE)
        self.offer.clicked.connect(self.offer_taken)
        tip = with_keys("Let the program choose w, and explain why", MAIN["Choose w"])
        self.choose = button(CHOOSE, tip, "Choose w, in the guide")
        self.choose.clicked.connect(self.choice_wanted)
        self.window_control.slider.sliderPressed.connect(self._use_window)
        self.window_control.changed.connect(self._set_window)
        self.words = QWidget()
        self.changes = ElidedLabel()
        for text in (self.headline, self.brief, self.changes):
            text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.keep = link("Keep", "Keep what the advice changed")
        self.undo = link("Undo", "Return to the settings before the advice")
        self.keep.clicked.connect(self.kept)
        self.undo.clicked.connect(self.undone)
        for passing in (self.unused, self.keep, self.undo):  # which hide then
            passing.clicked.connect(lambda: self.window_control.slider.setFocus())
        self._asked = False
        self._advice: Advice | None = None
        self._is_dependent: bool | None = None
        self._trade_off: TradeOff | None = None
        self._scales: Scales | None = None
        self._chosen: Chosen | None = None
        self._lay_out()
        self.take_keyboard(self.window_control.slider)

    def _lay_out(self) -> None:
        for part in (self.changes, self.keep, self.undo):
            part.hide()
        texts = layouts.column(self.headline, self.brief, self.changes, 1, spacing=_SPACING)
        offer = layouts.row(self.offer, self.keep, self.undo, 1, spacing=_GAP)
        self._parts = layouts.row((texts, 1), offer, of=self.words)
        align = Qt.AlignmentFlag
        grid = QGridLayout()
        grid.setHorizontalSpacing(_FLANK)
        grid.setVerticalSpacing(_SPACING)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.window_control, 0, 1, 1, 2)
        grid.addWidget(self.pictures, 1, 1)
        # No pictures where w is not used
        grid.addWidget(self.unused, 1, 1, align.AlignLeft | align.AlignVCenter)
        grid.addWidget(self.choose, 1, 2, 2, 1, align.AlignTop)
        grid.addWidget(self.lives, 2, 0, 1, 2)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(1, 1)
        grid.setRowStretch(2, 2)
        margins = _SIDE, _MARGIN, _SIDE, _MARGIN
        self._halves = layouts.row(self.words, (grid, 1), of=self, margins=margins)

    @property
    def _is_wide(self) -> bool:
        """True if words are beside the slider, and not above."""
        return self.width() >= _WIDE * self.fontMetrics().averageCharWidth()

    def _use_window(self) -> None:
        """Return to the map of the window if the decoder uses none."""
        if not self._drawn.is_moved_by_window:
            self.map_wanted.emit()

    def _set_window(self, window: float) -> None:
        self._use_window()
        self.window_wanted.emit(int(window))

    def _ends(self) -> tuple[float, float]:
        """Return the pixels of the least and the greatest w, from the left of the lives."""
        slider = self.window_control.slider
        if self.is_figure:
            return 0.0, float(self.rivers.width() - 1)
        left = slider.mapTo(self, QPoint()).x() - self.rivers.mapTo(self, QPoint()).x()
        return left + slider.x_of(slider.minimum()), left + slider.x_of(slider.maximum())

    @property
    def effects(self) -> WindowEffects:
        """The effects of all windows for the map on screen."""
        now, picture, known = self._drawn, self.state.picture, self._trade_off
        node = "pixel" if picture is None else picture.node_name
        exact = known is not None and known.exact and now.decoding.is_nearest
        row = tuple(known.row(now.n_states)) if known is not None and exact else ()
        predicts = self._is_dependent is False and now.n_states > 1
        return WindowEffects(now.n_states, now.window, row, predicts, node, self.scales)

    @property
    def says(self) -> tuple[str, str]:
        """The headline, and the reason for it."""
        if self._asked:
            return ASKED, _WAITING
        advice, found = self.final_advice, self._chosen
        if found is not None and found.is_in(self._drawn):
            return found.says, found.because
        if advice is not None:
            return advice.says.removesuffix("."), advice.because
        return self.holding or self.effects.in_short, ""

    @property
    def final_advice(self) -> Advice | None:
        """The advice on the map on screen, once all is tried and unless a lesson asks."""
        found = self._advice
        return found if found is not None and found.says and not self._asked else None

    @property
    def _drawn(self) -> Parameters:
        """The settings of the map on screen, which may still be those before a change."""
        return self.state.parameters if self.frame is None else self.frame.request.parameters

    @property
    def _has_scales(self) -> bool:
        """True if w moves several states."""
        return self._drawn.decoding.is_nearest and self._drawn.n_states > 1

    @property
    def scales(self) -> Scales | None:
        """The effect of each w with the codebook on screen; None if unknown."""
        found, frame = self._scales, self.frame
        if not self._has_scales:
            return None
        there = found is not None and frame is not None and found.held.is_of(frame)
        return found if there else None

    @property
    def parameter_controls(self) -> Mapping[str, QWidget]:
        """The control of w."""
        return {"window": self.window_control}

    @property
    def is_complete(self) -> bool:
        """True if nothing that it shows is still being computed."""
        if self._axis == "contrast" or not self._has_scales:
            return self._axis != "contrast" or self.rivers.river is not None
        found = self.scales
        return found is not None and found.complete

    def show_asked(self, asked: bool) -> None:
        """Withhold the advice while a lesson asks."""
        if asked != self._asked:
            self._asked = asked
            self._show_reason()
            self._show_guidance()

    def show_scales(self, scales: Scales) -> None:
        """Take the new scales."""
        self._scales = scales
        self._show_guidance()

    def show_advice(self, advice: Advice | None, is_dependent: bool | None) -> None:
        """Take the new advice, and whether neighbours depend beyond any states."""
        self._advice, self._is_dependent = advice, is_dependent
        self._show_guidance()

    def in_words(self, _frame: Frame) -> str:
        """Return the headline, and why or what was changed, and what the window does."""
        says, because = self.says
        changes = self.changes.whole_text()
        because = f"{changes}." if changes and not self._asked else because
        return " ".join(part for part in (f"{says}.", because, self._effect()) if part)

    def _effect(self) -> str:
        if self._asked:
            return ""
        is_new = bool(self.holding) and self.holding != self.headline.whole_text()
        effects = self.effects
        lowest = "" if self._names_best_window else effects.lowest
        parts = f"{self.holding}." if is_new else "", lowest, effects.accuracy
        return " ".join(part for part in parts if part)

    @property
    def _names_best_window(self) -> bool:
        """True if the reason names the w of the least prediction error."""
        advice, found = self.final_advice, self._chosen
        if found is not None and found.is_in(self._drawn):
            return found.what != "N"
        return advice is not None and advice.finding == "window"

    @property
    def holding(self) -> str:
        """How many large regions hold around the setting of the axis; "" until that is known."""
        if self._axis == "evidence":
            return self.effects.holding
        found = None if self.frame is None else self.frame.cut_lives
        return "" if found is None else over_cuts(found.lives, self._now)

    @property
    def _axis(self) -> Measure:
        return axis_of(self.state)

    def needed(self) -> frozenset[str]:
        """Return the lives over the cut while they are shown."""
        return asked(self.state)

    def _show_lives(self) -> None:
        """Show the lives over the axis, and the hair line where it is set."""
        frame, axis = self.frame, self._axis
        self.lives.show_axis(axis)
        river: River | None = None
        if frame is not None and not self._asked:
            if axis == "contrast":
                if frame.cut_lives is not None:
                    river = river_over_cuts(frame.cut_lives.lives, frame)
            elif self.scales is not None and self.scales.lives is not None:
                river = river_over_windows(self.scales.lives, frame)
        shown = self.rivers.river
        if river is None or shown is None or shown.lives is not river.lives:
            self.rivers.still = self.pointer.still
            self.rivers.show_river(river)
        best = None if axis == "contrast" or self._asked else self.effects.range
        self.rivers.show_now(self._now, best)

    @property
    def _now(self) -> float:
        """The setting along the axis."""
        by_cut = self._axis == "contrast"
        return float(self.state.region_cut.least_contrast if by_cut else self._drawn.window)

    def _point(self, life: int | None) -> None:
        """Light the pixels of a life that is pointed at."""
        mask = None if life is None else self._mask(life)
        self.lit.emit(None if mask is None else highlight.of_mask(mask))

    def _mask(self, life: int) -> NDArray[np.bool_] | None:
        frame, scales = self.frame, self.scales
        if frame is None or frame.coarse:
            return None
        if self._axis == "contrast":
            return None if frame.cut_lives is None else frame.cut_lives.mask(life, self._now)
        if scales is None or scales.lives is None:
            return None
        return mask_over_windows(scales.lives, life, frame.states, self._now)

    def draw_inspection(self) -> None:
        """Light the line of the inspected pixel."""
        self.rivers.show_life(None if self.inspection is None else self._life_at(self.inspection))

    def _life_at(self, found: Inspection) -> int | None:
        frame, scales = self.frame, self.scales
        if self._axis == "contrast":
            known = None if frame is None else frame.cut_lives
            return None if known is None else known.life_at(found.node, self._now)
        if frame is None or scales is None or scales.lives is None:
            return None
        return life_over_windows(scales.lives, found.node, frame.states.shape, self._now)

    def _pick(self, life: int) -> None:
        """Highlight the region of a life; go to its middle if it is not there now."""
        river, frame = self.rivers.river, self.frame
        if river is None or frame is None:
            return
        node = int(river.lives.nodes_at(self._now)[life])
        if node < 0:
            self.rivers.go_to_middle(life)
            return
        if self.state.region_cut.measure != self._axis:
            self.axis_wanted.emit(self._axis)
        place = np.unravel_index(node, frame.request.picture.shape)
        self.picked.emit(ConnectedSelection(tuple(int(t) for t in place)))

    def show_outcome(self, text: str) -> None:
        """Show what the advice changed in place of the reason, until it is kept; "" for nothing."""
        self.changes.show_text(text)
        self._show_reason()
        self.describe()

    def _show_reason(self) -> None:
        """Show what was changed, if anything was and no lesson asks, or the reason."""
        is_changed = bool(self.changes.whole_text()) and not self._asked
        self.brief.setVisible(not is_changed)
        for part in (self.changes, self.keep, self.undo):
            part.setVisible(is_changed)

    def show_trade_off(self, trade_off: TradeOff | None) -> None:
        """Take the new trade-off."""
        self._trade_off = trade_off
        self._show_guidance()

    def show_chosen(self, chosen: Chosen) -> None:
        """Show the program's choice and its reason until the settings change."""
        self._chosen = chosen
        self._show_guidance()

    def show_choosing(self, fraction: float | None) -> None:
        """Show the progress of choosing; None if it does not run."""
        text = CHOOSE if fraction is None else f"{percent_done(fraction)} %"
        self.choose.setText(text)

    def show_lock(self, free: bool) -> None:
        """Allow changes of w here, or not."""
        self.window_control.setEnabled(free)
        for part in (self.choose, self.offer, self.lives, self.unused, self.pictures, self.undo):
            part.setEnabled(free)

    def show_state(self, state: State) -> None:
        """Follow w and N at once, before any frame."""
        if state.pictures is not None and state.pictures is not self.state.pictures:
            bounds = window_range(state.pictures.longest)
            self.window_control.set_range(bounds)
            self.lives.most = bounds[1]
        if state.picture is not self.state.picture:
            self.rivers.drop()
            self._chosen = self._advice = self._is_dependent = None
        super().show_state(state)
        self._show_guidance()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the content of another view, without controls."""
        for part in (self.choose, self.window_control, self.name, *self.lives.buttons.values()):
            part.hide()
        super().show_as_figure(shown, scale)  # which drops what was of another picture
        self._trade_off, self._chosen, self._scales = shown._trade_off, shown._chosen, shown._scales
        self._advice, self._is_dependent = shown._advice, shown._is_dependent
        self._asked = shown._asked
        self._show_guidance()

    def draw_theme(self) -> None:
        """Take other colours."""
        self.rivers.apply_theme(self.theme)
        self._show_guidance()

    def draw_frame(self) -> None:
        """Show the effects on the new map."""
        self._show_guidance()

    def minimumSizeHint(self) -> QSize:
        """Return room for the headline, its reason, the slider, the pictures and the lives."""
        # The same height at any width: if a wider view needed more, an area whose scroll bar makes
        # it narrower would lay it out without end
        height = max(self._least_height(is_wide) for is_wide in (False, True))
        return QSize(super().minimumSizeHint().width(), height)

    def _least_height(self, is_wide: bool) -> int:
        parts = self.window_control.sizeHint(), self.lives.minimumSizeHint()
        below = sum(size.height() + _SPACING for size in parts)
        if is_wide:
            return max(self._words_height(is_wide), below + LEAST) + 2 * _MARGIN
        no_pictures = _SPACING  # the row without them is still one
        return self._words_height(is_wide) + below + no_pictures + 2 * _MARGIN

    def _words_height(self, is_wide: bool) -> int:
        """Return the height of the largest headline, a line of the reason, and the offer."""
        large = int(_SIZES[0] * text_height(self.font())) + 1
        line = self.fontMetrics().lineSpacing()
        offer = self.offer.sizeHint().height() + _SPACING if is_wide else 0
        return large + line + offer + _SPACING

    def _fit(self) -> None:
        """Give words their share of the width, and as many lines as there is room for."""
        wide, whole = self._is_wide, self.width() - 2 * _SIDE
        ways = QBoxLayout.Direction
        across, down = ways.LeftToRight, ways.TopToBottom
        self._halves.setDirection(across if wide else down)
        self._halves.setSpacing(2 * _SIDE if wide else _SPACING)
        self._parts.setDirection(down if wide else across)
        self._parts.setSpacing(_SPACING if wide else _GAP)
        ample = self.choose.sizeHint().width()  # so that the slider ends where the pictures do
        self.window_control.box.setFixedWidth(ample)
        self.choose.setFixedWidth(ample)
        readable = LINE * self.fontMetrics().averageCharWidth()
        self.words.setFixedWidth(min(round(_WORDS * whole), readable) if wide else whole)
        least = self._words_height(wide)
        room = least if wide else self._least_height(wide) - 2 * _MARGIN
        most = self.height() if wide else 2 * self.fontMetrics().lineSpacing()
        left = max(0, min(self.height() - 2 * _MARGIN - room, most))
        self.words.setFixedHeight(least + left)
        self.pictures.setVisible(not self.is_figure)
        self.pictures.setMinimumHeight(LEAST if wide else 0)
        left -= self._fit_headline(left)
        self._fit_reason(left)

    def _fit_headline(self, left: int) -> int:
        """Write the headline as large as it fits, and return the height of its second line."""
        font, text = QFont(self.font()), self.headline.whole_text()
        font.setBold(True)
        buttons = [part for part in (self.offer, self.keep, self.undo) if not part.isHidden()]
        wrap, width = Qt.TextFlag.TextWordWrap.value, self.words.width()
        if not self._is_wide:
            width -= sum(part.sizeHint().width() + _GAP for part in buttons)
        for n_lines, size in ((n, size) for size in _SIZES for n in (1, 2)):
            font.setPointSizeF(self.font().pointSizeF() * size)
            needed = QFontMetrics(font).boundingRect(0, 0, width, 1 << 20, wrap, text)
            line = QFontMetrics(font).lineSpacing()
            more = (n_lines - 1) * line
            if needed.height() <= n_lines * line and needed.width() <= width and more <= left:
                break
        style = f"font-size: {font.pointSizeF():g}pt; font-weight: bold"
        if style != self.headline.styleSheet():  # it takes long to set
            self.headline.setStyleSheet(style)
        self.headline.take_lines(n_lines)
        self.headline.setFixedHeight(n_lines * line)
        return more

    def _fit_reason(self, left: int) -> None:
        """Give the reason all lines that there is room for, and what was changed the same."""
        line = self.fontMetrics().lineSpacing()
        n_lines = 1 + left // line
        for text in (self.brief, self.changes):
            text.setFixedHeight(n_lines * line)
            text.take_lines(n_lines)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the parts that fit, and give the small pictures their share of the width."""
        super().resizeEvent(event)
        self._fit()
        self.rivers.lay_out()
        self.pictures.draw()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Show settings that changed while the view was hidden."""
        super().showEvent(event)
        self.name.setBuddy(self.window_control.slider)  # whose letter is the panel's otherwise
        self._show_guidance()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Leave the letter of w to the panel."""
        super().hideEvent(event)
        self.name.setBuddy(None)

    def _show_guidance(self) -> None:
        if not self.isVisible():
            return
        says, because = self.says
        self.window_control.set_value(self.state.parameters.window)
        self.headline.show_text(says)
        self._show_lives()
        self.brief.show_text(" ".join(part for part in (because, self._effect()) if part))
        self._show_offer()
        self._show_use()
        effects = None if self._asked else self.effects
        colors = np.zeros((0, 3), np.uint8) if self.frame is None else self.frame.colors
        if self.state.picture is not None:
            self.pictures.show_shape(Section(self.state.picture.shape).shape)
        self._fit()
        scales = None if effects is None else effects.scales
        self.pictures.show_scales(scales, self._drawn.window, colors)
        self.describe()

    def _show_use(self) -> None:
        """Dim the slider while the decoder uses no window, and say so."""
        now = self._drawn
        is_used = now.is_moved_by_window or self.is_figure
        mark(self.window_control.slider, "idle", not is_used)
        self.unused.setVisible(not is_used)
        title = now.decoding.title
        self.unused.setText(f"w is not used by {title}. Click for the map of the window.")

    def _show_offer(self) -> None:
        """Show the button of the advice, unless a lesson asks."""
        offer = None if self._advice is None or self._asked else self._advice.offer
        self.offer.setVisible(offer is not None and not self.is_figure)
        self.offer.setText("" if offer is None else offer.text)
        because = "" if self._advice is None else self._advice.because
        self.offer.setToolTip(because or _ADVICE)
        self.offer.setAccessibleName(self.offer.text() or _ADVICE)


def axis_of(state: State) -> Measure:
    """Return what lives are shown over: the cut where regions are by contrast, or w moves none."""
    by_window = state.parameters.decoding.is_nearest and state.parameters.n_states > 1
    return state.region_cut.measure if by_window else "contrast"


def asked(state: State) -> frozenset[str]:
    """Return the lives over the cut if they are shown."""
    return GuideView.NEEDS if axis_of(state) == "contrast" else frozenset()
