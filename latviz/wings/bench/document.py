"""The bench's experiment, undone and kept between runs, and the thread that computes it."""

import json
import time
from collections import deque
from dataclasses import dataclass, fields, replace
from functools import partial
from threading import Event
from typing import Annotated, Any

from PyQt6.QtCore import QByteArray, QObject, QTimer, pyqtSignal
from PyQt6.QtGui import QUndoStack

from latviz import engine
from latviz.app.document.document import GESTURE_MS
from latviz.app.document.history import SetState
from latviz.app.shell.settings import Settings
from latviz.app.work.activity import Activity, Failure
from latviz.app.work.latest_only import Follower, NewestThread, Reporter
from latviz.app.work.timers import once_after
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.core.parameter import rows
from latviz.core.types import States
from latviz.engine.frames.listener import Watch
from latviz.engine.keeping.plain import TYPE, from_plain, to_plain
from latviz.wings.bench.copies import Outcome, run
from latviz.wings.bench.drawn import packed
from latviz.wings.bench.experiment import MOST_SEED, PRESETS, STRENGTHS, WINDOWS, Experiment
from latviz.wings.bench.sweeps import Measure, Order, Reading, SweptField

POLL_S = 0.05
MOST_STEPS = 200
"""Changes that can be undone."""
PATIENCE_S = 0.25
"""In a drag, old curves are waited for; else the newest truth comes first."""
FRAME_S = 1 / 30
"""A field is swept so long, at most, before it is shown."""
READ_S = 0.2
"""A field that goes on is observed and decoded so often, at most."""
READ_SHARE = 3.0
"""And at least this many times as long after as the last reading took."""
RATE_S = 2.0
"""Seconds over which the rate of sweeps is measured."""
WITHOUT_END = 2**62


@dataclass(frozen=True, eq=False)
class Moment:
    """The present state of a sampled truth."""

    order: Order  # that was followed
    states: Annotated[States, "(side, side)"]
    measures: tuple[Measure, ...]  # since the last moment; one of no sweeps begins another field
    reading: Reading  # the last one, of this field or of some sweeps ago
    sweeps: int


class BenchThread(NewestThread):
    """Answers the newest order, once the kernels are there: only one part may compile them."""

    progressed = pyqtSignal(float)  # fraction done of the current order
    compiling = pyqtSignal()  # kernels are in no cache; this takes some seconds
    decoded = pyqtSignal(object)  # Outcome so far
    moved = pyqtSignal(object)  # Moment

    def __init__(self, prepared: Event) -> None:
        super().__init__()
        self._prepared = prepared  # it is set when kernels of pictures are loaded
        self._curves_at = 0.0
        self._field: SweptField | None = None
        self._begins: tuple[int, ...] = ()
        self._reading: Reading | None = None
        self._read_due = 0.0

    def run(self) -> None:
        """Wait for the kernels, then work until stopped."""
        while not self._prepared.wait(POLL_S):
            if self._stopped:
                return
        while (order := self._next()) is not None:
            self._attempt(order, partial(self._answer, order), "experiment")

    def _answer(self, order: Order) -> None:
        if self._has_kernels():
            (self._sweep if order.experiment.mode == "sampled" else self._decode)(order)

    def _decode(self, order: Order) -> None:
        """Emit the results of noisy copies, from few to all; something comes before newer ones."""
        shown: Outcome | None = None
        watch = Watch(lambda: self.is_given_up(order, shown), Reporter(self.progressed.emit))
        for outcome in run(order.experiment, watch):
            self.decoded.emit(outcome)
            shown = outcome
            if outcome.has_curves:
                self._curves_at = time.monotonic()

    def is_given_up(self, order: Order, shown: Outcome | None) -> bool:
        """Return True if copies are obsolete; newer ones wait until these are ``shown``."""
        if self._is_unwanted(order):
            return True
        if shown is None or self._waiting is None:
            return False
        return shown.has_curves or time.monotonic() - self._curves_at < PATIENCE_S

    def _sweep(self, order: Order) -> None:
        """Sweep as far as ordered, but no longer than a frame; read and emit the field."""
        field, start = self._field_of(order), time.monotonic()
        while field.sweeps < order.sweeps and time.monotonic() - start < FRAME_S:
            field.sweep()
        reading, start = self._reading, time.monotonic()
        is_old = reading is None or reading.experiment != order.experiment
        if is_old or not order.running or start >= self._read_due:
            self._reading = reading = Reading.of(order.experiment, field.states)
            now = time.monotonic()
            self._read_due = now + max(READ_S, READ_SHARE * (now - start))
        assert reading is not None
        self.moved.emit(Moment(order, field.states, field.taken_measures(), reading, field.sweeps))

    def _has_kernels(self) -> bool:
        """Return True once the kernels that only the bench needs are there, False if stopped."""
        with engine.startup.compile_cache.Part("bench") as part:
            return part.wait(self.compiling.emit, lambda: self._stopped)

    def _field_of(self, order: Order) -> SweptField:
        """Return the field that an order is about, begun if it is another one."""
        if self._field is None or self._begins != order.begins:
            self._field, self._begins = SweptField(order.experiment), order.begins
        else:
            self._field.take(order.experiment)
        return self._field


class BenchDocument(Follower):
    """The experiment, if its truth is being swept, the pixel pointed at, and the last results."""

    # Settings can be undone; a sampled truth continues from its present state
    value_changed = pyqtSignal(object)  # Experiment
    running_changed = pyqtSignal()
    node_changed = pyqtSignal(object)  # (row, column) under the pointer, or None
    outcome_changed = pyqtSignal(object)  # Outcome
    moved = pyqtSignal(object)  # Moment

    def __init__(
        self, prepared: Event, value: Experiment, running: bool, parent: QObject | None = None
    ) -> None:
        self.worker = BenchThread(prepared)
        super().__init__(self.worker, parent)
        self.value, self.order = value, Order(value, running)
        self.node: tuple[int, int] | None = None
        self.outcome: Outcome | None = None
        self.moment: Moment | None = None
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self._gesture = 0
        self._pause = once_after(GESTURE_MS, self._end_gesture, self)
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._order_more)
        self._times: deque[tuple[float, int]] = deque()
        self.worker.progressed.connect(self._take_progress)
        self.worker.decoded.connect(self._take_outcome)
        self.worker.moved.connect(self._take_moment)

    def start(self) -> None:
        """Begin to compute."""
        self.worker.start()
        self._follow()

    def close(self) -> None:
        """Tell the thread to end, which may take a while."""
        self._clock.stop()
        self.worker.leave()

    @property
    def observed(self) -> Outcome | Reading | None:
        """What was observed last in this mode, with its truth."""
        if self.value.mode == "fixed":
            return self.outcome
        return None if self.moment is None else self.moment.reading

    # Settings

    def set(self, text: str = "", gesture: object = None, **changes: Any) -> None:
        """Change fields of the experiment; see `set_value`."""
        if changes.get("field") == "drawn" and not (self.value.drawn or changes.get("drawn")):
            changes["drawn"] = "" if self.truth is None else packed(self.truth)
        try:
            value = replace(self.value, **changes)
        except ParameterError as error:
            self.failed.emit(Failure(str(error)))
            self.value_changed.emit(self.value)  # resets the widget that asked
        else:
            self.set_value(value, text, gesture)

    def set_value(self, value: Experiment, text: str = "", gesture: object = None) -> None:
        """Set another experiment, with a command called ``text`` that can be undone."""
        # Without a text, the changed row names it. Fast successive changes of the same fields
        # become one command, as those of one ``gesture`` do
        if value != self.value:
            texts = {row.undo for row in rows(value) if row.of(value) != row.of(self.value)}
            text = text or (texts.pop() if len(texts) == 1 else "Change the experiment")
            every = (field.name for field in fields(value))
            names = tuple(n for n in every if getattr(value, n) != getattr(self.value, n))
            both, gesture = (self.value, value), gesture or self._gesture
            self.undo_stack.push(SetState(text, both, names, gesture, self.show_value))
            self._pause.start()

    def show_value(self, value: Experiment) -> Experiment:
        """Take an experiment that a command sets; return the one before."""
        before, self.value = self.value, value
        self.value_changed.emit(value)
        self._follow()
        return before

    def reset(self) -> None:
        """Return to the usual experiment of the mode."""
        is_fixed = self.value.mode == "fixed"
        self.set_value(Experiment() if is_fixed else PRESETS["smooth"].experiment(), "Reset")

    def new_field(self) -> None:
        """Make another truth of the same kind."""
        self.set("New field", seed=(self.value.seed + 1) % (MOST_SEED + 1))

    def set_window(self, window: int) -> None:
        """Select another window, clamped to those that are tried."""
        self.set(window=min(max(window, WINDOWS[0]), WINDOWS[-1]))

    def begin_preset(self, name: str) -> None:
        """Begin again with a preset, of the size that is set."""
        preset, e = PRESETS[name], self.value
        made = preset.experiment(side=e.side, seed=e.seed, pace=e.pace)
        self.set_value(made, f"Begin with {preset.title}")
        self.restart()

    def go_critical(self) -> None:
        """Set the strength at which the field begins to order, if that is known."""
        strength = self.value.critical_strength
        if strength is not None:
            self.set(strength=min(round(strength, 3), STRENGTHS[1]))

    def point_at(self, node: tuple[int, int] | None) -> None:
        """Point at a pixel, or at none."""
        if node != self.node:
            self.node = node
            self.node_changed.emit(node)

    def _end_gesture(self) -> None:
        self._gesture += 1

    def _follow(self) -> None:
        """Request the results of the experiment."""
        if self.value.mode == "sampled":
            self._pace()
            self._send(sweeps=self.swept if self.order.running else self.order.sweeps)
            return
        self._clock.stop()
        asked = self._asked
        if asked is None or asked.experiment.copied != self.value.copied:
            self.refine()

    # Copies of a fixed truth

    @property
    def truth(self) -> States | None:
        """The true states of the settings; None while they are generated."""
        outcome, experiment = self.outcome, self.value
        if experiment.field == "drawn":
            return experiment.make_truth()
        is_made = outcome is not None and outcome.experiment.recipe == experiment.recipe
        return outcome.truth if outcome is not None and is_made else None

    def refine(self) -> None:
        """Decode copies, from few to all."""
        self._submit(Order(self.value), Activity("computing"))

    def cancel(self) -> None:
        """Keep the results so far."""
        self._give_up()

    def _take_progress(self, fraction: float) -> None:
        if self.activity.work == "computing":
            self._set_activity(Activity("computing", fraction))

    def _take_outcome(self, outcome: Outcome) -> None:
        if self.value.mode == "fixed":
            self.outcome = outcome
            self.outcome_changed.emit(outcome)
            if outcome.complete and outcome.experiment.copied == self.value.copied:
                self._set_activity(Activity("idle"))

    # Sweeps of a sampled truth

    @property
    def swept(self) -> int:
        """The sweeps of the field on screen; 0 if another one is asked for."""
        moment = self.moment
        is_this = moment is not None and moment.order.begins == self.order.begins
        return moment.sweeps if moment is not None and is_this else 0

    @property
    def rate(self) -> float:
        """The recent sweeps per second."""
        if len(self._times) < 2:
            return 0.0
        (start, first), (end, last) = self._times[0], self._times[-1]
        return (last - first) / max(end - start, 1e-9)

    def run(self, running: bool) -> None:
        """Start or pause the sweeps."""
        self._go(running=running, sweeps=self.swept)

    def toggle(self) -> None:
        """Switch between sweeping and pausing."""
        self.run(not self.order.running)

    def step(self) -> None:
        """Sweep once, and pause."""
        pending = self.swept if self.order.running else self.order.sweeps
        self._go(running=False, sweeps=max(self.swept, pending) + 1)

    def restart(self) -> None:
        """Begin again where every node has any state."""
        self._send(restarts=self.order.restarts + 1)

    def _go(self, **changes: Any) -> None:
        self._send(**changes)
        self._pace()
        self.running_changed.emit()

    def _pace(self) -> None:
        """Start the clock that orders sweeps, or stop it."""
        self._times.clear()
        frame = round(1000 * FRAME_S)
        interval = max(frame, 1000 // self.value.pace) if self.value.pace else frame
        self._clock.setInterval(interval)
        if self.order.running:
            self._clock.start()
        else:
            self._clock.stop()

    def _order_more(self) -> None:
        """Order the sweeps of one tick, unless the field is behind."""
        if self._is_answered:
            due = round(self.value.pace * self._clock.interval() / 1000)
            self._send(sweeps=self.swept + due if self.value.pace else WITHOUT_END)

    @property
    def _is_answered(self) -> bool:
        moment = self.moment
        is_last = moment is not None and moment.order is self.order
        return is_last and self.swept >= self.order.sweeps

    def _send(self, **changes: Any) -> None:
        order = replace(self.order, experiment=self.value, **changes)
        is_other = order.begins != self.order.begins
        self.order = replace(order, sweeps=0) if is_other else order
        self._submit(self.order, Activity("idle"))

    def _take_moment(self, moment: Moment) -> None:
        if self.value.mode != "sampled":
            return
        self.moment = moment
        if moment.order is self.order and not self._is_answered:
            self._submit(self.order, Activity("idle"))  # it is swept while this one is drawn
        if self.order.running:
            self._times.append((time.monotonic(), moment.sweeps))
            while self._times[-1][0] - self._times[0][0] > RATE_S:
                self._times.popleft()
        self.moved.emit(moment)


def keep(settings: Settings, experiment: Experiment, geometry: QByteArray | None = None) -> None:
    """Store the experiment, and the geometry of the window."""
    settings.store.setValue("bench", to_line(experiment))
    settings.store.setValue("bench-geometry", geometry or QByteArray())


def kept(settings: Settings) -> tuple[Experiment, QByteArray]:
    """Return the last experiment, or the usual one, and the geometry of the window."""
    store = settings.store
    text = store.value("bench") or store.value("lab")  # of older programs
    geometry = store.value("bench-geometry")
    experiment = from_line(str(text or ""), Experiment())
    return experiment, geometry if isinstance(geometry, QByteArray) else QByteArray()


def to_line(experiment: Experiment) -> str:
    """Return an experiment as one line of text."""
    return json.dumps(to_plain(experiment, {}, "it"))


def from_line(text: str, usual: Experiment) -> Experiment:
    """Return the experiment from the text of `to_line`; the usual one for other texts.

    Older programs did not write the name of the type.
    """
    try:
        named = {TYPE: Experiment.__name__, **from_json(text)}
        found: Experiment = from_plain(Experiment, named, {}, "it")
    except (ParameterError, TypeError, ValueError):
        return usual
    return found
