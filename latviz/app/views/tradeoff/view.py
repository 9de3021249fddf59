"""The trade-off of w and N: one sheet of state maps and curves, and buttons that choose."""

from dataclasses import replace
from typing import Self

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from latviz.app.views.base import View
from latviz.app.views.guide.lives import river_over_windows
from latviz.app.views.tradeoff.choose_bar import ChooseBar
from latviz.app.views.tradeoff.scene import TradeOffScene, numbers_text
from latviz.app.views.tradeoff.sheet import Sheet
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.rivers import River
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.title_controls import caption
from latviz.app.work.activity import percent_done
from latviz.app.work.timers import once_after
from latviz.core.digits import ErrorScale
from latviz.engine.choosing.scales import Scales, over_windows
from latviz.engine.choosing.tradeoff import Basis, Chosen, Place, TradeOff
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.indices import swept
from latviz.engine.settings.appearance import Appearance
from latviz.engine.settings.parameters import MOST_WINDOW, STATES_RANGE, Parameters, window_range
from latviz.engine.settings.state import State

SOON_MS = 30
"""Longer than most frames take, so that other views come first."""
LEAST_SIDE, LEAST_HIGH = 240, 160
_STEPS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (1, 0),
    Qt.Key.Key_Down: (-1, 0),
    Qt.Key.Key_PageUp: (0, 5),
    Qt.Key.Key_PageDown: (0, -5),
    Qt.Key.Key_Home: (0, -MOST_WINDOW),
}


class TradeOffView(View):
    """The value of every w and N; it fills in while the program is idle."""

    TITLE = "Trade-off"
    COVERED = False
    SIZE = (900, 290)
    KEYS = keyed("Left and right move w, up and down N. `Space` keeps the column as reference.")

    wanted = pyqtSignal(object)  # (N, w) to set
    kept = pyqtSignal()  # keep the current column as reference, or no longer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trade_off: TradeOff | None = None
        self._chosen: Chosen | None = None
        self._turned = False
        self._scales: Scales | None = None
        self._river: River | None = None
        self.bar, self.sheet = ChooseBar(), Sheet()
        layouts.column(self.bar, (self.sheet, 1), of=self, spacing=0)
        self._soon = once_after(SOON_MS, self._show_scene, self)
        for signal, own in zip(
            (self.sheet.wanted, self.sheet.kept, self.sheet.hovered),
            (self.wanted, self.kept, self.hovered),
            strict=True,
        ):
            signal.connect(own)
        self.take_keyboard(self.sheet)

    @property
    def _set(self) -> Parameters:
        return self.state.parameters

    @property
    def _place(self) -> Place:
        return self._set.n_states, self._set.window

    def turn(self, turned: bool) -> None:
        """Draw the sheet over N, or over w."""
        self._turned = turned
        self._refresh_scene()

    def show_alone(self, names: tuple[str, ...]) -> None:
        """Show only some curves; the whole sheet for no names."""
        self.sheet.alone = names
        self.bar.setVisible(not names)
        self.sheet.arrange()
        self.sheet.update()

    def show_asked(self, asked: bool) -> None:
        """Withhold the choice while a lesson asks."""
        self.bar.show_asked(asked)

    def minimumSizeHint(self) -> QSize:
        """Return room for the names of the buttons, with or without a bar next to them."""
        return QSize(max(LEAST_SIDE, self.bar.least_width()), LEAST_HIGH)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the same sheet, and the choice in words."""
        self.trade_off, self._turned = shown.trade_off, shown._turned
        self._chosen, self._scales = shown._chosen, shown._scales
        self.bar.hide()
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        if self._chosen is not None:
            layout.insertWidget(0, caption(f"{self._chosen.sentence} {self._chosen.rule}"))
        super().show_as_figure(shown, scale)
        self._soon.stop()
        self._show_scene()

    def in_words(self, frame: Frame) -> str:
        """Return the numbers of the setting and of the reference, and the progress."""
        if (scene := self.scene()) is None:
            return "No trade-off yet."
        place = frame.request.parameters.n_states, frame.request.parameters.window
        numbers = numbers_text(scene, place).replace("\n", ", ")
        if scene.reference is not None:
            kept = numbers_text(scene, scene.reference).replace("\n", ", ")
            numbers = f"{numbers}. Reference: {kept}"
        if scene.holding:
            numbers = f"{numbers}. {scene.holding}"
        done = percent_done(scene.trade_off.fraction_at(place))
        return f"{numbers}. {done} % of the settings are computed."

    def show_trade_off(self, trade_off: TradeOff | None) -> None:
        """Take a grown trade-off; None if the codebook has changed."""
        self.trade_off = trade_off
        self._show_filling()
        self.describe()
        if trade_off is None:  # now: it is of another picture
            self._show_scene()
        self._refresh_scene()

    def show_scales(self, scales: Scales) -> None:
        """Take the lives of regions over w, once they are known."""
        self._scales = scales
        if scales.lives is not None:
            self.describe()
            self._refresh_scene()

    def show_waiting(self, text: str) -> None:
        """Show the waiting text in place of the sheet."""
        super().show_waiting(text)
        self.sheet.waiting = text
        self.sheet.update()

    def _show_filling(self) -> None:
        """Show the computed share of the trade-off at the chosen N and w."""
        if self.trade_off is not None:
            self.bar.show_filling(self.trade_off.fraction_at(self._place))
        elif self._chosen is None:
            self.bar.show_filling(None)

    def show_state(self, state: State) -> None:
        """Drop the choice for other settings of what was chosen, another picture or encoding."""
        before, now, chosen = self.state, state, self._chosen
        super().show_state(state)
        encodings = before.parameters.encoding, now.parameters.encoding
        left = chosen is not None and not chosen.is_in(now.parameters)
        if left or now.picture is not before.picture or encodings[0] != encodings[1]:
            self._chosen = None
            self.bar.show_filling(None)
        self._show_filling()
        self._refresh_scene()

    def show_chosen(self, chosen: Chosen) -> None:
        """Show the choice and its reason."""
        self._chosen = chosen
        self.bar.show_chosen(chosen)

    def draw_frame(self) -> None:
        """Take the colours of the frame's states."""
        self._refresh_scene()

    def draw_inspection(self) -> None:
        """Outline the window of each w around the inspected pixel."""
        self._refresh_scene()

    def draw_theme(self) -> None:
        """Paint with other colours."""
        self.sheet.apply_theme(self.theme)

    def scene(self) -> TradeOffScene | None:
        """Return the scene of the sheet."""
        if (trade_off := self.trade_off) is None:
            return None
        (n, w), by_nearest = self._place, self._set.decoding.is_nearest
        frame = self.frame
        if frame is None or frame.cut is None or trade_off.basis != Basis.of(frame):
            return TradeOffScene(trade_off, n, w, Appearance(), by_nearest, turned=self._turned)
        is_set = frame.request.parameters == self._set
        return TradeOffScene(
            trade_off,
            n,
            w,
            frame.appearance,
            by_nearest,
            numbers_now(frame, trade_off.scale) if by_nearest and is_set else {},
            self._turned,
            reference_of(self.state),
            inspected_in(trade_off, self.inspection),
            by_nearest and n > 1 and trade_off.exact and not self._turned,
            *self._lives_of(frame, w),
        )

    def _lives_of(self, frame: Frame, window: int) -> tuple[River | None, str]:
        """Return the lives over w with the codebook of a frame, and how many hold, if known."""
        scales = self._scales
        if scales is None or scales.lives is None or not scales.held.is_of(frame):
            return None, ""
        if self._river is None or self._river.lives is not scales.lives:
            self._river = river_over_windows(scales.lives, frame)
        return self._river, over_windows(scales.lives, window)

    @property
    def is_settled(self) -> bool:
        """True if the sheet draws all that is known."""
        return not self._soon.isActive()

    def _refresh_scene(self) -> None:
        """Draw soon, but after the views that a drag is watched in."""
        if not self.isVisible():
            self._stale = True
        elif not self._soon.isActive():
            self._soon.start()

    def _show_scene(self) -> None:
        self.sheet.show_scene(self.scene())

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Move w and N; keep the column as reference."""
        key = keys.bare(event)
        if key == Qt.Key.Key_Space:
            self.kept.emit()
        elif key in _STEPS:
            (n, w), (more, wider) = self._place, _STEPS[key]
            pictures = self.state.pictures
            windows = window_range(0 if pictures is None else pictures.longest)
            self.wanted.emit((_within(n + more, STATES_RANGE), _within(w + wider, windows)))
        else:
            super().keyPressEvent(event)


def numbers_now(frame: Frame, scale: ErrorScale) -> dict[str, float]:
    """Return the numbers of a frame by the names of a trade-off's curves, if available."""
    lengths, truth = frame.code_lengths, frame.truth
    error = None if lengths is None else scale.value(lengths.states.bits, lengths.one.bits)
    found = {
        **{row.name: row.of(frame) for row, _ in swept()},
        "code_length": error,
        "accuracy": None if truth is None else truth.accuracy,
    }
    return {name: value for name, value in found.items() if value is not None}


def reference_of(state: State) -> Place | None:
    """Return the N and w of the reference, if nothing else differs from what is set."""
    kept, now = state.compared, state.parameters
    if kept is None or kept.by:
        return None
    then = kept.decoding.parameters
    place = then.n_states, then.window
    held = (replace(one, learning_window=one.effective_learning_window) for one in (then, now))
    ours, same = (replace(one, n_states=now.n_states, window=now.window) for one in held)
    return place if ours == same else None


def inspected_in(trade_off: TradeOff, inspection: Inspection | None) -> Place | None:
    """Return the row and column of the inspected pixel on the plane of the maps."""
    scope = trade_off.scope
    if inspection is None or len(inspection.node) != scope.picture.dimensions:
        return None
    return scope.section.place(inspection.node)


def _within(value: int, bounds: tuple[int, int]) -> int:
    return min(max(value, bounds[0]), bounds[1])
