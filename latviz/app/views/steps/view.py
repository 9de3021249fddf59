"""A player for the model's operations: one step at a time, drawn and described."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

from PyQt6.QtCore import QRectF, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QPainter
from PyQt6.QtWidgets import QComboBox, QSizePolicy, QSlider, QToolButton, QWidget

from latviz import engine
from latviz.app.look.theme import on_panel
from latviz.app.views.base import View
from latviz.app.views.steps.scenes import MadeFilm, ShownStep, draw
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.title_controls import muted
from latviz.app.work.background import Background, Task
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.frames.section import Section
from latviz.engine.settings.state import State

PROCESSES: dict[str, tuple[str, str]] = {
    "window": ("The window slides", "The windows are being summed …"),
    "merges": ("Clusters merge (Fast PNN)", "The tree is being cut …"),
    "sweep": ("The window grows", "Trying windows; each one is a step …"),
    "passes": ("Beliefs spread", "Messages are being sent …"),
}
"""The processes: a title, and the text shown until there are steps."""
UNMERGED = "There is a single cluster: nothing is merged."
SPEEDS = (1, 2, 4, 8, 16, 32)
"""Steps per second."""
_STEPS: dict[int, int] = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -10,
    Qt.Key.Key_PageDown: 10,
    Qt.Key.Key_Home: -(10**6),
    Qt.Key.Key_End: 10**6,
}


class StepArea(Painted):
    """The area in which a step is drawn. It takes the keyboard."""

    toggled = pyqtSignal()  # play, or pause
    moved = pyqtSignal(int)  # steps to move; stops at the ends

    def __init__(self) -> None:
        super().__init__()
        self.shown: ShownStep | None = None
        self.setMinimumSize(200, 40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return a size for a picture and the parts next to it."""
        return QSize(520, 220)

    def show_step(self, shown: ShownStep | None) -> None:
        """Draw another step, or nothing."""
        self.shown = shown
        self.update()

    def paint_all(self, painter: QPainter) -> None:
        """Draw the step."""
        if self.shown is not None:
            painter.setFont(self.font())
            draw(painter, QRectF(self.rect()).adjusted(6, 2, -6, -4), self.shown)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Play, pause and step."""
        key = keys.bare(event)
        if key == Qt.Key.Key_Space:
            self.toggled.emit()
        elif key in _STEPS:
            self.moved.emit(_STEPS[key])
        else:
            super().keyPressEvent(event)


class PlayerBar(QWidget):
    """Process, back, play or pause, on, speed, and the number of the step."""

    toggled = pyqtSignal()
    moved = pyqtSignal(int)  # by steps

    def __init__(self) -> None:
        super().__init__()
        self.process, self.speed = QComboBox(), QSlider(Qt.Orientation.Horizontal)
        self.process.setAccessibleName("Process")
        self.process.setToolTip("What is shown step by step")
        for name, (title, _) in PROCESSES.items():
            self.process.addItem(title, name)
        self.back = _button("◀", "Step back", keyed("One step back (`Left`)"))
        self.play = _button("▶", "Play", keyed("Play or pause (`Space`)"))
        self.on = _button("▶▏", "Step on", keyed("One step on (`Right`)"))
        self.speed.setRange(0, len(SPEEDS) - 1)
        self.speed.setValue(2)
        self.speed.setMaximumWidth(110)
        self.speed.setAccessibleName("Speed of the steps")
        self.speed.setToolTip(f"How fast it plays: {SPEEDS[0]} to {SPEEDS[-1]} steps per second")
        self.count = muted("")
        layouts.row(self.process, self.back, self.play, self.on, self.speed, self.count, 1, of=self)
        self.back.clicked.connect(partial(self.moved.emit, -1))
        self.on.clicked.connect(partial(self.moved.emit, 1))
        self.play.clicked.connect(lambda: self.toggled.emit())

    def show_playing(self, playing: bool) -> None:
        """Show the effect of the button."""
        self.play.setText("❚❚" if playing else "▶")
        self.play.setAccessibleName("Pause" if playing else "Play")


def _button(sign: str, name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("tool")
    button.setText(sign)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


class StepsView(View):
    """Four processes of the model, step by step.

    They show the frame on screen, and the pixel that was pinned last, if any.
    """

    TITLE = "Step through"
    SIZE = (640, 330)
    NEEDS = frozenset({"cuts"})
    KEYS = keyed(
        "`Space` plays and pauses, left and right arrow keys step, `Home` and `End` go to the ends."
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_panel(self)
        self.made: MadeFilm | None = None
        self.at = 0
        self._wanted: Frame | None = None  # its film is made, or on its way
        self._trade_off: TradeOff | None = None
        self._background = Background(self)
        self._task: Task | None = None
        self.timer = QTimer(self)
        self.timer.timeout.connect(self._advance)
        self.bar, self.stage, self.words = PlayerBar(), StepArea(), WrappedLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        parts = (self.bar, self.words, (self.stage, 1))
        layouts.column(*parts, of=self, margins=(8, 4, 8, 4), spacing=2)
        self.bar.process.activated.connect(lambda _: self._begin())
        self.bar.speed.valueChanged.connect(lambda _: self._set_speed())
        for player in (self.bar, self.stage):
            player.toggled.connect(self.toggle)
            player.moved.connect(self._move)
        self._set_speed()
        self.take_keyboard(self.stage)

    @property
    def film(self) -> "engine.explain.stepping.StepFilm[Any] | None":
        """The steps that are shown."""
        return None if self.made is None else self.made.film

    @property
    def process(self) -> str:
        """The name of the process that is shown."""
        return str(self.bar.process.currentData())

    @property
    def is_playing(self) -> bool:
        """True while the steps play."""
        return self.timer.isActive()

    def in_words(self, _frame: Frame) -> str:
        """Return the operation that is shown."""
        return f"{PROCESSES[self.process][0]}. {self.words.text()}"

    def choose(self, process: str) -> None:
        """Show another process from its first step on."""
        self.bar.process.setCurrentIndex(self.bar.process.findData(process))
        self._begin()

    def toggle(self) -> None:
        """Play, from the beginning if it is at the end; or pause."""
        if self.is_playing:
            self._pause()
        elif self.film is not None and self.film.steps:
            if self.at == len(self.film.steps) - 1:
                self.at = 0
                self._show()
            self.timer.start()
            self.bar.show_playing(True)

    def finish(self) -> None:
        """Stop computing."""
        self._give_up()
        self.timer.stop()
        self._background.finish()

    def show_trade_off(self, trade_off: TradeOff | None) -> None:
        """Take the windows that were tried so far."""
        self._trade_off = trade_off
        if self.process == "sweep" and self.frame is not None:
            self._make(keep=True)

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Move the window around the pixel that was pinned last."""
        before = self._node
        super().show_pins(pins)
        if self._node != before and self.process == "window" and self.isVisible():
            self._make()

    def show_state(self, state: State) -> None:
        """Show another slice of a volume."""
        before = self.state
        super().show_state(state)
        if state.slice != before.slice and self.process == "passes" and self.isVisible():
            self._make(keep=True)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the step that another view shows, and no controls."""
        self.made, self.at = shown.made, shown.at
        self.bar.process.setCurrentIndex(shown.bar.process.currentIndex())
        self.bar.hide()
        super().show_as_figure(shown, scale)

    def draw_theme(self) -> None:
        """Take other colours."""
        self.stage.apply_theme(self.theme)

    def draw_frame(self) -> None:
        """Take the steps of another frame."""
        if self.is_figure:
            self._show()
        elif self.frame is not None and not self.frame.coarse:
            if self._wanted is None or not _alike(self._wanted, self.frame):
                self._make(keep=self.process == "sweep")
            else:
                self._show()

    @property
    def _node(self) -> tuple[int, ...] | None:
        return self.pins[-1].node if self.pins else None

    def _begin(self) -> None:
        self._make()
        self.describe()

    def _make(self, *, keep: bool = False) -> None:
        """Make the steps of the frame on screen; stay at the same step, or return to the first."""
        frame, process = self.frame, self.process
        if frame is None:
            return
        self._give_up()
        self._wanted = frame
        if not keep:
            self._pause()
            self.at, self.made = 0, None
        take = partial(self._take, process, frame)
        if process == "merges":
            if frame.cuts is None:
                self._show()  # a later frame brings them
            else:
                take(engine.explain.stepping.merge_film(frame.cuts))
        elif process == "sweep":
            take(engine.explain.stepping.sweep_film(self._trade_off, len(frame.slots)))
        else:
            self._show()
            section = Section(frame.states.shape, self.state.slice)
            self._task = task = self._background.task()
            work = (
                partial(engine.explain.stepping.window_film, frame, self._node, task)
                if process == "window"
                else partial(engine.explain.stepping.passes_film, frame, section, task)
            )
            self._background.start(work, take, task=task)

    def _take(
        self, process: str, frame: Frame, film: "engine.explain.stepping.StepFilm[Any]"
    ) -> None:
        if process == self.process and frame is self._wanted:
            self.made = MadeFilm(frame, film)
            self.at = min(self.at, max(0, len(film.steps) - 1))
            self._show()

    def _show(self) -> None:
        """Draw and describe the step, or show the waiting text."""
        made = self.made
        if made is None or not made.film.steps:
            self.stage.show_step(None)
            unmerged = made is not None and self.process == "merges"
            self.words.show_text(UNMERGED if unmerged else PROCESSES[self.process][1])
            self.bar.count.setText("")
        else:
            shown = ShownStep(made.frame, made.film, self.at, self.theme)
            self.stage.show_step(shown)
            self.words.show_text(shown.step.words)
            self.bar.count.setText(f"{self.at + 1} of {len(made.film.steps)}")
        self.describe()

    def _move(self, by: int) -> None:
        """Pause, and move some steps on or back."""
        self._pause()
        self._go(by)

    def _go(self, by: int) -> None:
        if self.film is not None and self.film.steps:
            self.at = min(max(self.at + by, 0), len(self.film.steps) - 1)
            self._show()

    def _advance(self) -> None:
        self._go(1)
        if not self.isVisible() or self.film is None or self.at >= len(self.film.steps) - 1:
            self._pause()

    def _pause(self) -> None:
        self.timer.stop()
        self.bar.show_playing(False)

    def _set_speed(self) -> None:
        self.timer.setInterval(round(1000 / SPEEDS[self.bar.speed.value()]))

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.give_up()
            self._task = None


def _alike(one: Frame, other: Frame) -> bool:
    """Return True if two frames have the same steps: late results do not change them."""
    return one.states is other.states and one.model is other.model and one.cuts is other.cuts
