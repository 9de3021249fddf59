"""One headline on the window that is set, over a slider as wide as the pictures."""

from typing import Self

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QShowEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from latviz.app.activity import percent_done
from latviz.app.controls import NumberControl, WheelGuard
from latviz.app.views.base import View
from latviz.app.views.guide.band import Band
from latviz.app.views.indices.view import gauges, n_occupied
from latviz.app.widgets.title_controls import muted
from latviz.core.parameter import row_of
from latviz.engine.frame import Frame
from latviz.engine.guidance import ESTIMATES, Dependence, Guidance, guidance
from latviz.engine.parameters import Parameters
from latviz.engine.state import State
from latviz.engine.tradeoff import Chosen, TradeOff

_LARGE = 1.6
CHOOSE = "Choose w"
_COLORS = {"right": "good", "small": "warning", "large": "warning"}


class GuideView(View):
    """What the window that is set does to the states, as it moves.

    Signals
    -------
    window_wanted(int)
        The half-width w that a person asks for.
    choice_wanted
        The program is to choose w.
    """

    TITLE = "What the window does"
    NEEDS = frozenset({"residual_correlation"})
    KEYS = "Arrow keys move w."

    window_wanted = pyqtSignal(int)
    choice_wanted = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("guide")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = row_of(Parameters(), "window")
        assert row.bounds is not None
        self.headline, self.detail = QLabel(), muted("")
        self.detail.setWordWrap(True)
        self.detail.setTextFormat(Qt.TextFormat.PlainText)
        self.detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.window_control = NumberControl(row.bounds, 0, f"{row.name}, wide", row.spacing)
        self.window_control.set_tool_tip(row.tool_tip)
        self.band = Band(self._x_of, self.window_control.slider.marks)
        self.choose = QPushButton(CHOOSE)
        self.choose.setAccessibleName("Choose w, in the guide")
        self.choose.setToolTip("Let the program choose w, and say why (Ctrl+Alt+W)")
        self.choose.clicked.connect(self.choice_wanted)
        self.window_control.changed.connect(lambda value: self.window_wanted.emit(int(value)))
        self._wheel_guard = WheelGuard(self)
        for part in (self.window_control.slider, self.window_control.box):
            self._wheel_guard.guard(part)
        self._trade_off: TradeOff | None = None
        self._dependence: Dependence | None = None
        self._chosen: Chosen | None = None
        self._lay_out()
        self.take_keyboard(self.window_control.slider)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(14)
        line.addWidget(self.headline, 1)
        line.addWidget(self.choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 14, 8)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self.detail)
        layout.addWidget(self.band, 1)
        layout.addWidget(self.window_control)

    def _x_of(self, window: float) -> float:
        """Return where a w is on the band: over the slider, or by its spacing if that is hidden."""
        slider = self.window_control.slider
        if self.is_figure:
            margin = slider.sizeHint().height()
            return margin + slider.share_of(window) * (self.band.width() - 2 * margin)
        return slider.mapTo(self, slider.rect().topLeft()).x() - self.band.x() + slider.x_of(window)

    @property
    def guidance(self) -> Guidance:
        """What is said now."""
        parameters, picture = self.state.parameters, self.state.picture
        return guidance(
            self._trade_off,
            parameters.n_states,
            parameters.window,
            self._dependence,
            "pixel" if picture is None else picture.node_name,
            by_belief=parameters.decoder != "nearest",
            alone=self._is_alone(),
            chosen=self._why(),
        )

    def _is_alone(self) -> bool:
        """Return whether the beliefs that are shown leave all pixels in one state."""
        frame = self.frame
        return frame is not None and frame.believed is not None and n_occupied(frame) == 1

    def _why(self) -> str:
        """Return why the w that is set was chosen; empty if it was not, or with another N."""
        found, now = self._chosen, self.state.parameters
        if found is None or found.what == "N":
            return ""
        is_set = (found.n_states, found.window) == (now.n_states, now.window)
        return found.sentence if is_set else ""

    def in_words(self, _frame: Frame) -> str:
        """Return the headline, and why."""
        return f"{self.guidance.headline}. {self.guidance.detail}"

    def show_trade_off(self, trade_off: TradeOff | None) -> None:
        """Take what was added."""
        self._trade_off = trade_off
        if trade_off is None:
            self._chosen = None
        self._show_guidance()

    def show_chosen(self, chosen: Chosen) -> None:
        """Say what the program chose, and why, as long as it is set."""
        self._chosen = chosen
        self._show_guidance()

    def show_choosing(self, fraction: float | None) -> None:
        """Show how far the program is with choosing; None if it is not."""
        text = CHOOSE if fraction is None else f"{percent_done(fraction)} %"
        self.choose.setText(text)

    def show_lock(self, free: bool) -> None:
        """Let w be moved here, or not now."""
        self.window_control.setEnabled(free)
        self.choose.setEnabled(free)

    def show_state(self, state: State) -> None:
        """Follow w and N at once, before any frame."""
        before = self.state
        super().show_state(state)
        if state.picture is not before.picture or (
            state.parameters.encoding != before.parameters.encoding
        ):
            self._dependence = None
        self._show_guidance()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show what another view says, without what can be moved or pressed."""
        self._trade_off, self._dependence = shown._trade_off, shown._dependence
        self._chosen = shown._chosen
        self.choose.hide()
        self.window_control.hide()
        self.band.has_axis = True
        super().show_as_figure(shown, scale)

    def draw_theme(self) -> None:
        """Take other colours."""
        self.band.apply_theme(self.theme)
        self._show_guidance()

    def draw_frame(self) -> None:
        """Take what the frame tells of neighbours; while that is not known, what is known stays.

        Where it never will be, as on flat and on tiny pictures, nothing is in common.
        """
        assert self.frame is not None
        independence, correlation = gauges(self.frame)[2], self.frame.residual_correlation
        if independence.known and correlation is not None:
            found: Dependence = "alike" if correlation > 0 else "unlike"
            self._dependence = "none" if independence.reached else found
        elif correlation is not None and self._dependence is None:
            self._dependence = "none"
        self._show_guidance()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Show what was set while the view was hidden."""
        super().showEvent(event)
        self._show_guidance()

    def _show_guidance(self) -> None:
        if not self.isVisible():
            return
        said = self.guidance
        self.window_control.set_value(said.window)
        color = self.theme.color(_COLORS.get(said.advice, "text")).name()
        size = self.font().pointSizeF() * _LARGE
        style = f"color: {color}; font-size: {size:g}pt; font-weight: bold"
        if style != self.headline.styleSheet():  # it takes long to set
            self.headline.setStyleSheet(style)
        self.headline.setText(said.headline)
        self.detail.setText(said.detail)
        self.detail.setToolTip(ESTIMATES.format(node=said.node) if "(est.)" in said.detail else "")
        self.band.show_guidance(said)
        self.describe()
