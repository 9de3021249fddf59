"""The trade-off of N and w: curves, a table, state maps, and buttons that choose."""

from itertools import pairwise
from typing import Any, Self

from PyQt6.QtCore import QEvent, QRect, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QResizeEvent
from PyQt6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from latviz.app.views.base import View
from latviz.app.views.tradeoff.choose_bar import ChooseBar
from latviz.app.views.tradeoff.curves import CurvesPanel
from latviz.app.views.tradeoff.maps import ChangePanel, FilmPanel
from latviz.app.views.tradeoff.panel import HeatPanel, Panel, TradeOffScene, numbers_text
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.title_controls import caption
from latviz.app.work.activity import percent_done
from latviz.app.work.timers import once_after
from latviz.core.digits import ErrorScale
from latviz.engine.choosing.tradeoff import Basis, Chosen, TradeOff
from latviz.engine.frames.frame import Frame
from latviz.engine.indices import swept
from latviz.engine.settings.appearance import Appearance
from latviz.engine.settings.parameters import STATES_RANGE, WINDOW_RANGE, Parameters
from latviz.engine.settings.state import State

WIDE, HIGH = 620, 190
"""From this size on all parts are shown at once, else one of them at a time."""
SOON_MS = 30
"""Longer than most frames take, so that other views come first."""
LEAST_SIDE = 240
TABLE = "table"
"""The name of the table of N and w, next to the names of curves."""
_STEPS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (1, 0),
    Qt.Key.Key_Down: (-1, 0),
    Qt.Key.Key_PageUp: (0, 5),
    Qt.Key.Key_PageDown: (0, -5),
    Qt.Key.Key_Home: (0, -WINDOW_RANGE[1]),
}


class TradeOffView(View):
    """The value of every N and w; it fills in while the program is idle."""

    TITLE = "Trade-off"
    COVERED = False
    SIZE = (900, 290)
    KEYS = "Left and right move w, up and down N."

    wanted = pyqtSignal(object)  # (N, w) to set

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trade_off: TradeOff | None = None
        self._parameters = Parameters()
        self._chosen: Chosen | None = None
        self._tabbed = True
        self._alone: Panel | None = None
        self.bar = ChooseBar()
        self.tabs = QTabBar()
        self.body = QWidget()
        self.curves, self.table = CurvesPanel(self.body), HeatPanel(self.body)
        self.film, self.change = FilmPanel(self.body), ChangePanel(self.body)
        self.panels: tuple[Panel, ...] = (self.curves, self.table, self.film, self.change)
        for panel, text in zip(
            self.panels, ("Curves", "N and w", "States", "Changes"), strict=True
        ):
            self.tabs.addTab(text)
            panel.wanted.connect(self.wanted)
        layouts.column(self.bar, self.tabs, (self.body, 1), of=self, spacing=0)
        self.curves.waiting = self.waiting
        self._soon = once_after(SOON_MS, self._show_scene, self)
        self.body.installEventFilter(self)
        self.tabs.currentChanged.connect(self._arrange)
        self.change.hovered.connect(self.hovered)
        self.tabs.setAccessibleName("Parts of the trade-off")
        self.take_keyboard(self.curves)

    def show_alone(self, names: tuple[str, ...]) -> None:
        """Show only some curves, and large, or the table of N and w; all parts for no names."""
        self.curves.alone = tuple(name for name in names if name != TABLE)
        self._alone = None if not names else self.table if TABLE in names else self.curves
        self.bar.setVisible(self._alone is None)
        self.tabs.setVisible(self._tabbed and self._alone is None)
        self._arrange()
        self.curves.update()

    def show_asked(self, asked: bool) -> None:
        """Withhold the choice while a lesson asks."""
        self.bar.show_asked(asked)

    def minimumSizeHint(self) -> QSize:
        """Return room for the names of the buttons, with or without a bar next to them."""
        return QSize(max(LEAST_SIDE, self.bar.least_width()), LEAST_SIDE)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show all parts, and the choice in words."""
        self.trade_off, self._parameters = shown.trade_off, shown._parameters
        self._chosen, self._tabbed = shown._chosen, False
        self.bar.hide()
        self.tabs.hide()
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        if self._chosen is not None:
            layout.insertWidget(0, caption(f"{self._chosen.sentence} {self._chosen.rule}"))
        for panel in self.panels:
            panel.is_figure = True
        super().show_as_figure(shown, scale)
        self._arrange()
        self._soon.stop()
        self._show_scene()

    def in_words(self, frame: Frame) -> str:
        """Return the numbers of the setting, and the progress."""
        if (scene := self.scene()) is None:
            return "No trade-off yet."
        place = frame.request.parameters.n_states, frame.request.parameters.window
        numbers = numbers_text(scene, place).replace("\n", ", ")
        done = percent_done(scene.trade_off.fraction_at(place))
        return f"{numbers}. {done} % of the settings are computed."

    def show_trade_off(self, trade_off: TradeOff | None) -> None:
        """Take a grown trade-off; None if the codebook has changed."""
        self.trade_off = trade_off
        self._arrange()
        self._show_filling()
        self.describe()
        self.draw_frame()

    def show_waiting(self, text: str) -> None:
        """Show the waiting text in place of the curves."""
        super().show_waiting(text)
        self.curves.waiting = text
        self.curves.update()

    def _show_filling(self) -> None:
        """Show the computed share of the trade-off at the chosen N and w."""
        if self.trade_off is not None:
            place = self._parameters.n_states, self._parameters.window
            self.bar.show_filling(self.trade_off.fraction_at(place))
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

    def show_parameters(self, parameters: Parameters) -> None:
        """Take the current N and w."""
        self._parameters = parameters
        if self.trade_off is not None:
            self._show_filling()
        self._refresh_scene()

    def show_chosen(self, chosen: Chosen) -> None:
        """Mark the choice and show its reason."""
        self._chosen = chosen
        self.bar.show_chosen(chosen)
        self._refresh_scene()

    def draw_frame(self) -> None:
        """Take the colours of the frame's states."""
        self._refresh_scene()

    def draw_theme(self) -> None:
        """Paint with other colours."""
        for panel in self.panels:
            panel.apply_theme(self.theme)

    def scene(self) -> TradeOffScene | None:
        """Return the scene of the parts."""
        if (trade_off := self.trade_off) is None:
            return None
        chosen = None if self._chosen is None else (self._chosen.n_states, self._chosen.window)
        n, w = self._parameters.n_states, self._parameters.window
        by_nearest = self._parameters.decoding.is_nearest
        frame = self.frame
        if frame is None or frame.cut is None or trade_off.basis != Basis.of(frame):
            return TradeOffScene(trade_off, n, w, Appearance(), chosen, by_nearest)
        is_set = frame.request.parameters == self._parameters
        now = numbers_now(frame, trade_off.scale) if by_nearest and is_set else {}
        return TradeOffScene(trade_off, n, w, frame.appearance, chosen, by_nearest, now)

    @property
    def is_settled(self) -> bool:
        """True if its parts draw all that is known."""
        return not self._soon.isActive()

    def _refresh_scene(self) -> None:
        """Draw soon, but after the views that a drag is watched in."""
        if not self.isVisible():
            self._stale = True
        elif not self._soon.isActive():
            self._soon.start()

    def _show_scene(self) -> None:
        scene = self.scene()
        for panel in self.panels:
            panel.show_scene(scene)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Move w and N."""
        step = _STEPS.get(keys.bare(event))
        if step is None:
            super().keyPressEvent(event)
            return
        place = (
            _within(self._parameters.n_states + step[0], STATES_RANGE),
            _within(self._parameters.window + step[1], WINDOW_RANGE),
        )
        self.wanted.emit(place)

    def eventFilter(self, watched: Any, event: QEvent | None) -> bool:
        """Arrange the parts when their room changes."""
        if event is not None and event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show all parts, or one in a tab."""
        super().resizeEvent(event)
        if not self.is_figure:
            self._tabbed = self.width() < WIDE or self.height() < HIGH
            self.tabs.setVisible(self._tabbed and self._alone is None)

    def _arrange(self) -> None:
        """Lay out the parts; for too large a picture the curves fill the view."""
        room, exact = self.body.rect(), self.trade_off is None or self.trade_off.exact
        for k in range(1, len(self.panels)):
            self.tabs.setTabEnabled(k, exact)
        if self._alone is not None or self._tabbed or not exact:
            chosen = self._alone or self.panels[self.tabs.currentIndex() if exact else 0]
            for panel in self.panels:
                panel.setGeometry(room)
                panel.setVisible(panel is chosen)
            return
        for panel, rect in zip(self.panels, arranged(room), strict=True):
            panel.setGeometry(rect)
            panel.show()


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


def arranged(room: QRect) -> list[QRect]:
    """Return the rectangles of curves, table, film and change: side by side, or the film below."""
    width, height = room.width(), room.height()
    if height < 0.42 * width:
        edges = [round(width * share) for share in (0.0, 0.42, 0.61, 0.83, 1.0)]
        return [QRect(a, 0, b - a, height) for a, b in pairwise(edges)]
    left, below = round(width * 0.62), round(height * 0.68)
    middle = round(below * 0.5)
    return [
        QRect(0, 0, left, below),
        QRect(left, 0, width - left, middle),
        QRect(0, below, width, height - below),
        QRect(left, middle, width - left, below - middle),
    ]


def _within(value: int, bounds: tuple[int, int]) -> int:
    return min(max(value, bounds[0]), bounds[1])
