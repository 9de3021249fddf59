"""The document of the playground, and the thread that sweeps its field."""

import time
from collections import deque
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from latviz import engine
from latviz.app.benches.bench import POLL_S, BenchDocument, BenchThread
from latviz.app.work.activity import Activity
from latviz.core.types import States
from latviz.engine.benches.playground import (
    PRESETS,
    STRENGTHS,
    Measure,
    Order,
    Reading,
    SweptField,
    World,
    changed,
)
from latviz.engine.benches.rows import next_seed

FRAME_S = 1 / 30
"""A field is shown so often, at most."""
READ_S = 0.2
"""A field that goes on is observed and decoded so often, at most."""
READ_SHARE = 3.0
"""And at least this many times as long after as the last reading took."""
BEHIND_S = 1.0
"""Sweeps that are later than this are skipped."""
RATE_S = 2.0
"""Seconds over which the rate of sweeps is measured."""
PACES = (1, 5, 20, 60, 0)
"""Sweeps per second to choose from; 0 for as many as there can be."""
PACE = 20


@dataclass(frozen=True, eq=False)
class Moment:
    """The present state of a field."""

    order: Order  # that was followed
    states: States  # (side, side)
    measures: tuple[Measure, ...]  # since the last moment; one of no sweeps begins another field
    rate: float  # recent sweeps per second
    reading: Reading | None  # the last one, of this field or of some sweeps ago
    sweeps: int


class FieldThread(BenchThread):
    """Sweeps a field by the newest order, and reads it from time to time."""

    # A moment is emitted once the one before was taken: the window is never behind. ``prepared`` is
    # set when the kernels of pictures are there; those of fields are compiled apart
    compiling = pyqtSignal()  # kernels are in no cache; this takes some seconds
    moved = pyqtSignal(object)  # Moment
    subject = "field"

    def __init__(self, prepared: Event) -> None:
        super().__init__(prepared)
        self._order: Order | None = None
        self._field: SweptField | None = None
        self._reading: Reading | None = None
        self._begins: tuple[int, ...] = ()
        self._stepped = 0
        self._due = self._shown_at = self._read_due = 0.0
        self._told: tuple[object, ...] = ()
        self._read: tuple[object, ...] = ()
        self._times: deque[float] = deque()
        self._taken = Event()
        self._taken.set()

    def take(self) -> None:
        """Allow the next moment: the last one is on screen."""
        self._taken.set()

    def _work(self) -> None:
        """Follow orders until stopped, once the kernels of fields are loaded, too."""
        cache = engine.startup.compile_cache
        with cache.Part("fields", cache.warm_fields) as fields:
            while not fields.is_ready(self.compiling.emit, lambda: self._stopped):
                if self._stopped:
                    return
                time.sleep(POLL_S)
        while not self._stopped:
            order = self._next() or self._order
            # A failing order is forgotten; a working one is remembered in the end.
            self._order = None
            if order is not None and not self._stopped:
                self._attempt(order, partial(self._follow, order), self.subject)

    def _follow(self, order: Order) -> None:
        """Do the due tasks of an order."""
        field = self._field_of(order)
        self._sweep(field, order)
        now = time.monotonic()
        if self._must_read(field, order) and now >= self._read_due:
            self._reading = Reading.of(field.world, field.states)
            self._read = self._seen(field, order)
            took = time.monotonic() - now
            self._read_due = time.monotonic() + max(READ_S, READ_SHARE * took)
        if self._must_tell(field, order) and self._tell_due <= time.monotonic():
            self._tell(field, order)
        self._order = order

    def _field_of(self, order: Order) -> SweptField:
        """Return the field that an order is about, begun if it is another one."""
        if self._field is None or self._begins != order.begins:
            self._field, self._begins = SweptField(order.world), order.begins
            self._times.clear()
            self._due, self._read_due = time.monotonic(), 0.0
        elif order.world is not self._field.world:
            self._field.take(order.world)
        return self._field

    def _sweep(self, field: SweptField, order: Order) -> None:
        """Sweep as often as is due, but no longer than until the next frame."""
        start = time.monotonic()
        while self._stepped < order.steps:
            self._sweep_once(field)
            self._stepped += 1
        if not order.running:
            self._times.clear()
            self._due = start
            return
        step = 1 / order.pace if order.pace else 0.0
        self._due = max(self._due, start - BEHIND_S)
        while self._due <= (now := time.monotonic()) and now - start < FRAME_S:
            self._sweep_once(field)
            self._due = self._due + step if step else now
            if self._stopped or self._waiting is not None:
                break

    def _sweep_once(self, field: SweptField) -> None:
        field.sweep()
        now = time.monotonic()
        self._times.append(now)
        while now - self._times[0] > RATE_S:
            self._times.popleft()

    def _seen(self, field: SweptField, order: Order) -> tuple[object, ...]:
        """Return a key that changes when something must be read or shown again."""
        return order.begins, field.world, field.sweeps

    def _must_read(self, field: SweptField, order: Order) -> bool:
        return self._read != self._seen(field, order)

    def _must_tell(self, field: SweptField, order: Order) -> bool:
        return self._told != (order, *self._seen(field, order), self._reading)

    @property
    def _tell_due(self) -> float:
        """The time of the next moment: after the last one was taken and shown for a while."""
        now = time.monotonic()
        return max(self._shown_at + FRAME_S, now if self._taken.is_set() else now + POLL_S / 10)

    def _tell(self, field: SweptField, order: Order) -> None:
        self._taken.clear()
        self._told = (order, *self._seen(field, order), self._reading)
        self._shown_at = time.monotonic()
        measures, rate = field.taken_measures(), self._rate
        self.moved.emit(Moment(order, field.states, measures, rate, self._reading, field.sweeps))

    @property
    def _rate(self) -> float:
        if len(self._times) < 2:
            return 0.0
        return (len(self._times) - 1) / max(self._times[-1] - self._times[0], 1e-9)

    def _patience(self) -> float | None:
        """Return the seconds until the next task; None if it needs a new order."""
        order, field = self._order, self._field
        if order is None or field is None:
            return None
        waits = [self._due] if order.running else []
        if self._must_read(field, order):
            waits.append(self._read_due)
        if self._must_tell(field, order):
            waits.append(self._tell_due)
        return min(waits) - time.monotonic() if waits else None


class PlayDocument(BenchDocument[World]):
    """The world that is set, if its field runs, and its last moment."""

    # Settings can be undone; a field continues from its present state
    going_changed = pyqtSignal()  # the field started or stopped, or its pace changed
    moved = pyqtSignal(object)  # Moment
    noun = "the world"
    worker: FieldThread

    def __init__(
        self, prepared: Event, world: World, running: bool, parent: QObject | None = None
    ) -> None:
        super().__init__(FieldThread(prepared), world, parent)
        self.order = Order(world, running, PACE)
        self.moment: Moment | None = None
        self.worker.moved.connect(self._take_moment)

    def _changed(self, **changes: Any) -> World:
        """Return a world with other fields, or of another N."""
        return changed(self.value, **changes)

    def _follow(self) -> None:
        """Continue with the current world."""
        self._send(replace(self.order, world=self.value))

    def begin_preset(self, name: str) -> None:
        """Begin again with a preset, of the size that is set."""
        preset, world = PRESETS[name], self.value
        self.set_value(preset.world(side=world.side, seed=world.seed), f"Begin with {preset.title}")
        self.restart()

    def run(self, running: bool) -> None:
        """Start or pause the sweeps."""
        self._go(replace(self.order, running=running))

    def toggle(self) -> None:
        """Switch between sweeping and pausing."""
        self.run(not self.order.running)

    def step(self) -> None:
        """Sweep once, and pause."""
        self._go(replace(self.order, running=False, steps=self.order.steps + 1))

    def set_pace(self, pace: int) -> None:
        """Sweep so often a second; 0 for as often as can be."""
        self._go(replace(self.order, pace=pace))

    def restart(self) -> None:
        """Begin again where every node has any state."""
        self._send(replace(self.order, restarts=self.order.restarts + 1))

    def new_field(self) -> None:
        """Begin with other random numbers."""
        self.set("New field", seed=next_seed(self.value.seed))

    def go_critical(self) -> None:
        """Set the strength at which the field begins to order, if that is known."""
        strength = self.value.critical_strength
        if strength is not None:
            self.set(strength=min(round(strength, 3), STRENGTHS[1]))

    def _go(self, order: Order) -> None:
        self._send(order)
        self.going_changed.emit()

    def _send(self, order: Order) -> None:
        self.order = order
        self._submit(order, Activity("computing" if order.running else "idle"))

    def _take_moment(self, moment: Moment) -> None:
        self.moment = moment
        self.moved.emit(moment)
        self.worker.take()
