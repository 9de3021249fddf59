"""The effect of the chosen w, over a slider as wide as the pictures."""

from typing import Self

import numpy as np
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent, QShowEvent
from PyQt6.QtWidgets import QPushButton, QSizePolicy, QWidget

from latviz.app.look.theme import on_panel
from latviz.app.panels.controls import NumberControl, tip_of
from latviz.app.views.base import View
from latviz.app.views.guide.band import Band, Plateaus
from latviz.app.views.guide.pictures import ScalePictures
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import ElidedLabel, Paragraph
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.work.activity import percent_done
from latviz.core.parameter import row_of
from latviz.engine.choosing.checks import CHANCE, NEEDED, Check, checks_of
from latviz.engine.choosing.guidance import Dependence, Guidance, guidance
from latviz.engine.choosing.scales import Scales
from latviz.engine.choosing.tradeoff import Chosen, TradeOff
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.indices import gauge_of, n_occupied
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State

_LARGE = 1.45
_MARGIN, _SPACING, _BESIDE = 4, 3, 14
CHOOSE = "Choose w"
_ADVICE = "Follow the advice"
_STEP = "Take the next step"
_COLORS = {"right": "good", "small": "warning", "large": "warning", "noise": "warning"}


class Sentence(ElidedLabel):
    """A line as wide as its text, which is cut where there is less room."""

    def sizeHint(self) -> QSize:
        """Return the width of the text; less is allowed."""
        wide = self.fontMetrics().horizontalAdvance(self.whole_text())
        return QSize(wide + 2, super().sizeHint().height())


class GuideView(View):
    """The effect of the set window on the states, as it moves."""

    TITLE = "What the window does"
    COVERED = False
    NEEDS = NEEDED
    KEYS = "Arrow keys move w."

    window_wanted = pyqtSignal(int)  # w
    choice_wanted = pyqtSignal()  # the program is to choose w
    offer_taken = pyqtSignal(object)  # an `Offer`

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_panel(self)
        row = row_of(Parameters(), "window")
        assert row.bounds is not None
        self.headline, self.brief, self.detail = Sentence(), ElidedLabel(), Paragraph()
        for text in (self.brief, self.detail):
            text.setProperty("muted", True)
        self.detail.setTextFormat(Qt.TextFormat.PlainText)
        self.detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.window_control = NumberControl(row.bounds, 0, f"{row.name}, wide", row.spacing)
        self.window_control.set_tool_tip(tip_of(row))
        self.band = Band(self._x_of, self.window_control.slider.marks)
        self.plateaus = Plateaus(self._x_of)
        self.plateaus.window_wanted.connect(self.window_wanted)
        self.pictures = ScalePictures()
        self.pictures.window_wanted.connect(self.window_wanted)
        self.offer = QPushButton()
        self.offer.setAccessibleName(_ADVICE)
        self.offer.setToolTip("Follow the suggestion of the headline")
        self.offer.clicked.connect(self._take_offer)
        self.step = button("", "Take the step that the text next to it suggests", _STEP)
        self.step.clicked.connect(self._take_step)
        tip = with_keys("Let the program choose w, and explain why", MAIN["Choose w"])
        self.choose = button(CHOOSE, tip, "Choose w, in the guide")
        self.choose.clicked.connect(self.choice_wanted)
        self.window_control.changed.connect(lambda value: self.window_wanted.emit(int(value)))
        self._differ, self._asked = True, False
        self._trade_off: TradeOff | None = None
        self._scales: Scales | None = None
        self._dependence: Dependence | None = None
        self._chosen: Chosen | None = None
        self._checks = tuple[Check, ...]()
        self._lay_out()
        self.take_keyboard(self.window_control.slider)

    def _lay_out(self) -> None:
        for part in (self.step, self.offer, self.choose):  # no wider than their texts
            part.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        parts = self.headline, (self.brief, 1), self.step, self.offer, self.choose
        line = layouts.row(*parts, spacing=12)
        below = (self.detail, (self.band, 1), self.window_control, self.plateaus)
        left = layouts.column(line, *below, spacing=_SPACING)
        margins = _BESIDE, _MARGIN, _BESIDE, _MARGIN
        layouts.row((left, 1), self.pictures, of=self, margins=margins, spacing=_BESIDE)

    def _x_of(self, window: float) -> float:
        """Return the x of a w on the band: over the slider, or by its spacing if that is hidden."""
        slider = self.window_control.slider
        if self.is_figure:
            margin = slider.sizeHint().height()
            return margin + slider.share_of(window) * (self.band.width() - 2 * margin)
        return slider.mapTo(self, slider.rect().topLeft()).x() - self.band.x() + slider.x_of(window)

    @property
    def guidance(self) -> Guidance:
        """The text and offer on screen."""
        parameters, picture = self._drawn, self.state.picture
        if self._asked:
            return Guidance("asked", parameters.n_states, parameters.window)
        return guidance(
            self._trade_off,
            parameters.n_states,
            parameters.window,
            self._dependence,
            "pixel" if picture is None else picture.node_name,
            by_belief=parameters.decoding.speaks,
            strong=self._is_strong(),
            alone=self._is_alone(),
            by_chance=any(one.name == CHANCE for one in self._checks),
            chosen=self._why(),
            scales=self.scales,
        )

    @property
    def _drawn(self) -> Parameters:
        """The settings of the map on screen, which may still be those before a change."""
        return self.state.parameters if self.frame is None else self.frame.request.parameters

    @property
    def scales(self) -> Scales | None:
        """The effect of each w with the codebook on screen; None if unknown."""
        found, frame = self._scales, self.frame
        if not self._drawn.decoding.is_nearest:
            return None
        there = found is not None and frame is not None and found.held.is_of(frame)
        return found if there else None

    @property
    def is_complete(self) -> bool:
        """True if nothing that it shows is still being computed."""
        if not self._drawn.decoding.is_nearest:
            return True
        found = self.scales
        return found is not None and (found.complete or found.here is not None)

    def show_asked(self, asked: bool) -> None:
        """Withhold the advice while a lesson asks."""
        if asked != self._asked:
            self._asked = asked
            self._show_guidance()

    def show_scales(self, scales: Scales) -> None:
        """Take the new scales."""
        self._scales = scales
        self._show_guidance()

    def _take_offer(self) -> None:
        offer = self.guidance.offer
        if offer is not None:
            self.offer_taken.emit(offer)

    def _is_strong(self) -> bool:
        """Return True if belief couples dependent neighbours as strongly as it can."""
        believed = None if self.frame is None else self.frame.believed
        return believed is not None and believed.is_strongest

    def _is_alone(self) -> bool:
        """Return True if the shown beliefs leave all pixels in one state."""
        frame = self.frame
        return frame is not None and frame.believed is not None and n_occupied(frame) == 1

    def _why(self) -> str:
        """Return why the w that is set was chosen; empty if it was not, or with another N."""
        found, now = self._chosen, self._drawn
        if found is None or found.what == "N":
            return ""
        return found.sentence if found.applied(now) == now else ""

    def in_words(self, _frame: Frame) -> str:
        """Return the headline, and why, and what contradicts the model."""
        said, checks = self.guidance, () if self._asked else self._checks
        return " ".join([f"{said.headline}.", said.detail, *(one.text for one in checks)])

    @property
    def check(self) -> Check | None:
        """The check to show: the first whose next step the headline does not offer."""
        offer = self.guidance.offer
        if self._asked:
            return None
        return next((c for c in self._checks if c.offer is None or c.offer != offer), None)

    def _take_step(self) -> None:
        if self.check is not None and self.check.offer is not None:
            self.offer_taken.emit(self.check.offer)

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
        for part in (self.choose, self.offer, self.step, self.plateaus, self.pictures):
            part.setEnabled(free)

    def show_state(self, state: State) -> None:
        """Follow w and N at once, before any frame."""
        before = self.state
        super().show_state(state)
        if state.picture is not before.picture or (
            state.parameters.encoding != before.parameters.encoding
        ):
            self._dependence = self._chosen = None
            self._checks = ()
        self._show_guidance()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the content of another view, without controls."""
        self._trade_off, self._dependence = shown._trade_off, shown._dependence
        self._chosen, self._scales, self._checks = shown._chosen, shown._scales, shown._checks
        self.choose.hide()
        self.window_control.hide()
        self.band.has_axis = True
        super().show_as_figure(shown, scale)

    def draw_theme(self) -> None:
        """Take other colours."""
        self.band.apply_theme(self.theme)
        self.plateaus.apply_theme(self.theme)
        self._show_guidance()

    def draw_frame(self) -> None:
        """Take the checks from the frame; keep the last ones while not all results are known.

        Flat and tiny pictures, which never have one, count as uncorrelated.
        """
        assert self.frame is not None
        correlation = self.frame.residual_correlation
        independence = gauge_of(self.frame, "independence")
        if independence.known and correlation is not None:
            found: Dependence = "alike" if correlation > 0 else "unlike"
            self._dependence = "none" if independence.reached else found
        elif correlation is not None and self._dependence is None:
            self._dependence = "none"
        if self.frame.results.keys() >= NEEDED:
            self._checks = checks_of(self.frame)
        self._show_guidance()

    def minimumSizeHint(self) -> QSize:
        """Return room for the headline and the slider only."""
        return QSize(super().minimumSizeHint().width(), self._least_height())

    def _least_height(self) -> int:
        line = max(part.sizeHint().height() for part in (self.headline, self.choose))
        return line + self.window_control.sizeHint().height() + 2 * _MARGIN + _SPACING

    def _fit(self) -> None:
        """Show the parts that fit below the headline, which summarises the others."""
        left = self.height() - self._least_height()
        band, detail = self.band.minimumSizeHint().height(), self.detail.heightForWidth
        beside = self.pictures.sizeHint().width() + 3 * _BESIDE  # of the words, at most
        wanted = {
            self.plateaus: self.plateaus.sizeHint().height(),
            self.detail: detail(self.width() - beside),
            self.band: band,
        }
        for part, height in wanted.items():
            left -= height + _SPACING
            part.setVisible(left >= 0 or self.is_figure)
        self.brief.setVisible(self.detail.isHidden() or self.check is not None)
        self.pictures.setVisible(not self.band.isHidden() and self._differ and not self.is_figure)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the parts that fit, and give the small pictures their share of the width."""
        super().resizeEvent(event)
        self._fit()
        self.pictures.draw()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Show settings that changed while the view was hidden."""
        super().showEvent(event)
        self._show_guidance()

    def _show_guidance(self) -> None:
        if not self.isVisible():
            return
        said = self.guidance
        self.window_control.set_value(self.state.parameters.window)
        color = self.theme.color(_COLORS.get(said.advice, "text")).name()
        size = self.font().pointSizeF() * _LARGE
        style = f"color: {color}; font-size: {size:g}pt; font-weight: bold"
        if style != self.headline.styleSheet():  # it takes long to set
            self.headline.setStyleSheet(style)
        self.headline.show_text(said.headline)
        self.headline.updateGeometry()
        self.detail.setText(said.detail)
        check, step = self.check, None if self.check is None else self.check.offer
        self.brief.show_text(said.detail if check is None else check.text)
        self.step.setVisible(step is not None and not self.is_figure)
        self.step.setText("" if step is None else step.text)
        self.step.setAccessibleName(self.step.text() or _STEP)
        self.band.show_guidance(said)
        self.plateaus.show_guidance(said)
        self.offer.setVisible(said.offer is not None and not self.is_figure)
        text = "" if said.offer is None else said.offer.text
        self.offer.setText(text)
        self.offer.setAccessibleName(text or _ADVICE)
        colors = np.zeros((0, 3), np.uint8) if self.frame is None else self.frame.colors
        if self.state.picture is not None:
            self.pictures.show_shape(Section(self.state.picture.shape).shape)
        self._differ = said.advice not in ("one", "asked", "belief", "alone")
        self._fit()
        self.pictures.show_scales(said.scales, said.window, colors)
        self.describe()
