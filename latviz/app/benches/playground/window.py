"""The playground's window."""

from collections.abc import Iterable
from functools import partial
from threading import Event

import numpy as np
from PyQt6.QtWidgets import QGridLayout, QLayout, QWidget

from latviz.app.benches.bench_window import MAP_KEYS, USE_TIP, Act, BenchWindow
from latviz.app.benches.playground.bars import EmissionBars
from latviz.app.benches.playground.controls import PlayControls
from latviz.app.benches.playground.document import Moment, PlayDocument
from latviz.app.benches.playground.matrix import POTENTIAL, MatrixMap, PotentialsMap
from latviz.app.benches.playground.trace import Trace
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.map_panel import MapPanel, MapRow
from latviz.app.widgets.shortcuts import PLAYGROUND
from latviz.core import digits
from latviz.engine.benches.playground import (
    PRESETS,
    Reading,
    World,
    with_potential,
    with_probability,
)
from latviz.engine.settings.made_picture import picture_of
from latviz.engine.settings.palette import state_colors

_GAP = 8
PICTURE = "Made in the playground"
LEARNED = "The A that the model learned; in brackets the A of the field."


class FieldMaps(MapRow):
    """The field, its observation and its decoding, with one zoom and pan."""

    def __init__(self) -> None:
        self.field = MapPanel("Field", "The states, which each sweep redraws")
        self.observation = MapPanel("Observation", "The symbols that the states show, drawn from B")
        self.decoded = MapPanel("Decoded", "The states that the model decodes from the observation")
        super().__init__(self.field, self.observation, self.decoded)
        self._read: Reading | None = None

    def forget(self) -> None:
        """Draw the last reading again, even if it is the same."""
        self._read = None

    def show_moment(self, moment: Moment, theme: Theme) -> None:
        """Show the field as it is now, and its last reading, if that is new."""
        n = int(moment.order.world.n_states)
        colors, numbers = state_colors(tuple(range(n))), tuple(str(k + 1) for k in range(n))
        planes = [
            (
                self.field,
                moment.states,
                f"{digits.count(moment.sweeps)} sweep{'s' * (moment.sweeps != 1)}",
            )
        ]
        read = moment.reading
        if read is not None and read is not self._read and read.world.n_states == n:
            self._read = read
            right = f"{digits.share(read.accuracy)} right"
            planes += [
                (self.observation, read.observation, ""),
                (self.decoded, read.decoded, right),
            ]
        for panel, plane, note in planes:
            panel.show_plane(plane, colors, note)
            panel.key.show_names(colors, numbers, theme)
            panel.canvas.setAccessibleDescription(f"{panel.title.text()}. {MAP_KEYS}")


class PlayWindow(BenchWindow):
    """From parameters to pictures: controls, maps, matrices and curves, and a status line."""

    name = "playground"
    title = "Playground: from parameters to pictures"
    size_ = (1280, 780)
    keys = PLAYGROUND
    document: PlayDocument
    controls: PlayControls

    def usual(self) -> World:
        """Return the smooth world."""
        return PRESETS["smooth"].world()

    def make_document(self, prepared: Event, value: World, running: bool) -> PlayDocument:
        """Return the document of a world."""
        return PlayDocument(prepared, value, running, self)

    def make_parts(self) -> tuple[QLayout, Iterable[QWidget]]:
        """Make the maps, the potential and the learned A below them, and the bar."""
        self._theme = LIGHT
        self._reading: Reading | None = None
        self.controls, self.maps = PlayControls(self.document), FieldMaps()
        self.potentials, self.learned = PotentialsMap(), MatrixMap("A as learned", LEARNED)
        self.bars, self.trace = EmissionBars(), Trace()
        self.run = button("Pause", "Run or pause")
        self.step = button("Step", "Sweep once, then pause")
        self.restart = button("Restart", "Begin again from random states")
        self.use = button("&Use as the picture", USE_TIP)
        self.run.setMinimumWidth(self.run.sizeHint().width())
        bar = self.bar(self.run, self.step, self.restart, self.use)
        right = layouts.column(
            self.maps, (self._laid_out_lower(), 1), bar, margins=(0, 8, 0, 8), spacing=_GAP
        )
        self._connect_signals()
        self._show_world(self.document.value)
        self._show_going()
        self.message.show_text("Waiting for the first sweeps…")
        return right, (self.maps, self.potentials, self.bars, bar)

    def _laid_out_lower(self) -> QGridLayout:
        lower = QGridLayout()
        lower.setHorizontalSpacing(_GAP)
        lower.setVerticalSpacing(2)
        titles = POTENTIAL, "A as learned", "B", "Over the sweeps"
        self.heads = tuple(ElidedLabel() for _ in titles)
        widgets = self.potentials, self.learned, self.bars, self.trace
        for column, (head, title, widget) in enumerate(
            zip(self.heads, titles, widgets, strict=True)
        ):
            head.show_text(title)
            lower.addWidget(head, 0, column)
            lower.addWidget(widget, 1, column)
            lower.setColumnStretch(column, 1)
        lower.setRowStretch(1, 1)
        return lower

    def _connect_signals(self) -> None:
        document = self.document
        document.moved.connect(self._show_moment)
        document.value_changed.connect(self._show_world)
        document.going_changed.connect(self._show_going)
        document.worker.compiling.connect(
            lambda: self.message.show_text("Preparing the sampler; this takes some seconds, once…")
        )
        self.potentials.edited.connect(self._set_potential)
        self.bars.edited.connect(self._set_probability)
        self.run.clicked.connect(document.toggle)
        self.step.clicked.connect(document.step)
        self.restart.clicked.connect(document.restart)
        self.use.clicked.connect(self.use_as_picture)

    def acts(self) -> dict[str, Act]:
        """Return what its own shortcuts do."""
        document = self.document
        return {
            "Run": (document.toggle, self.run),
            "Step": (document.step, self.step),
            "Restart": (document.restart, self.restart),
            "New field": (document.new_field, self.controls.new_field),
            "Critical": (document.go_critical, self.controls.critical),
            "Use as picture": (self.use_as_picture, self.use),
        }

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for panel in self.maps.panels:
            panel.canvas.draw_theme(theme)
        for part in (self.controls, self.potentials, self.learned, self.bars, self.trace):
            part.apply_theme(theme)
        if self.document.moment is not None:
            self.maps.forget()
            self.maps.show_moment(self.document.moment, theme)

    def _set_potential(self, row: int, column: int, value: float) -> None:
        symmetric = self.controls.symmetric.isChecked()
        A = with_potential(self.document.value.A, row, column, value, symmetric)
        self.document.set("Change the potential", A=A)

    def _set_probability(self, state: int, symbol: int, value: float) -> None:
        B = with_probability(self.document.value.B, state, symbol, value)
        self.document.set("Change B", B=B)

    def _show_world(self, world: World) -> None:
        self.potentials.show_values(np.array(world.A))
        self.bars.show_values(world.emissions)

    def _show_going(self) -> None:
        self.run.setText("Pause" if self.document.order.running else "Go on")

    def _show_moment(self, moment: Moment) -> None:
        self.maps.show_moment(moment, self._theme)
        self.trace.add(moment.measures, moment.order.world.n_states)
        if moment.reading is not None and moment.reading is not self._reading:
            self._reading = moment.reading
            self._show_reading(moment.reading)
        self.message.show_text(message_of(moment))

    def _show_reading(self, reading: Reading) -> None:
        self.learned.show_values(reading.learned_A, reading.truth_A)
        known, field, learned = reading.associativities
        self.heads[0].show_text(f"{POTENTIAL} · associativity {digits.probability(known)}")
        self.heads[1].show_text(
            f"A as learned · {digits.probability(learned)} (field {digits.probability(field)})"
        )

    def use_as_picture(self) -> None:
        """Open the observation in the main window, with its true states."""
        reading = None if self.document.moment is None else self.document.moment.reading
        if reading is None:
            self.want(None)
        else:
            seen, truth, world = reading.observation, reading.truth, reading.world
            n, window = world.n_states, world.window
            self.want(partial(picture_of, seen, truth, n, window, PICTURE))


def message_of(moment: Moment) -> str:
    """Return the speed of the sweeps, and the contents of the reading."""
    order = moment.order
    going = (
        f"{digits.count(moment.rate)} sweeps per second"
        if order.running and moment.rate
        else "Paused"
    )
    read = moment.reading
    if read is None:
        return f"{going}."
    right = f"the accuracy is {digits.share(read.accuracy)}"
    return f"{going}. With w = {read.world.window}, {right}."
