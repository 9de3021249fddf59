"""The playground's panel of parameters."""

import math
from functools import partial
from typing import Any

from PyQt6.QtCore import QPointF, QSignalBlocker, QSize, Qt
from PyQt6.QtGui import QPainter, QPolygonF
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from latviz.app.benches.playground.document import PACES, PlayDocument
from latviz.app.look.theme import Theme
from latviz.app.panels.controls import NumberControl, WheelGuard, grouped
from latviz.app.panels.side_panel import button, choice_box, number_box
from latviz.app.widgets import painting as p
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.slider import Slider
from latviz.engine.benches.playground import (
    MOST_SEED,
    PRESETS,
    SIDES,
    STATES_RANGE,
    STRENGTHS,
    WINDOW_RANGE,
    World,
    critical_coupling,
    with_states,
)

_choice = partial(choice_box, narrow=True)

METHODS = {"gibbs": "Gibbs", "clusters": "Swendsen–Wang"}
CODEBOOKS = {"true": "B as it is set", "learned": "learned"}
BEGIN = "Begin with…"
DECIMALS = 3
ABOUT = (
    "A says which states like to be neighbours. Sweeps draw each pixel anew, given its neighbours. "
    "B says which symbols a state shows; the model sees those alone, and decodes them."
)


class CriticalMark(Painted):
    """Points from below at the place of a slider where a field becomes ordered."""

    def __init__(self, slider: Slider, unit: int) -> None:
        super().__init__()
        self._slider, self._unit = slider, unit
        self.strength: float | None = None

    def sizeHint(self) -> QSize:
        """Return its size."""
        return QSize(60, int(p.text_height(p.scaled(self.font(), 0.8))) + 7)

    def minimumSizeHint(self) -> QSize:
        """Return its height."""
        return QSize(0, self.sizeHint().height())

    def show_strength(self, strength: float | None) -> None:
        """Point at a strength, or at none."""
        self.strength = strength
        self.update()

    def paint_all(self, painter: QPainter) -> None:
        """Paint a triangle, and the number below it."""
        if self.strength is None or self.strength > STRENGTHS[1]:
            return
        left = self._slider.mapTo(self.window(), self._slider.rect().topLeft()).x()
        own = self.mapTo(self.window(), self.rect().topLeft()).x()
        x = self._slider.x_of(self.strength * self._unit) + left - own
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("warning"))
        tip = QPointF(x, 0)
        corners = [tip, tip + QPointF(-4, 6), tip + QPointF(4, 6)]
        painter.drawPolygon(QPolygonF(corners))
        font, text = p.scaled(self.font(), 0.8), f"critical {self.strength:.3f}"
        painter.setFont(font)
        painter.setPen(self.theme.color("warning"))
        wide, room = p.text_width(font, text), self.rect().adjusted(0, 7, 0, 0)
        start = min(max(0.0, x - wide / 2), max(0.0, room.width() - wide - 1))
        painter.drawText(room.adjusted(round(start), 0, 0, 0), p.LEFT, text)


class PlayControls(QWidget):
    """Sets one field of the world with each control, and shows what is set."""

    def __init__(self, document: PlayDocument) -> None:
        super().__init__()
        self._document = document
        self._make_controls()
        self._lay_out()
        self._connect_signals()
        self._wheel_guard = WheelGuard(self)
        for control in (*self._choices(), *self._parts()):
            self._wheel_guard.guard(control)
        self.show_world(document.world)
        self._show_pace()

    def _make_controls(self) -> None:
        self.preset = _choice(
            "Preset",
            "Worlds to begin with",
            {"": BEGIN} | {name: preset.title for name, preset in PRESETS.items()},
        )
        for row, preset in enumerate(PRESETS.values(), start=1):
            self.preset.setItemData(row, preset.tip, Qt.ItemDataRole.ToolTipRole)
        self.n_states = number_box("States", STATES_RANGE, "The number of states N")
        self.side = _choice("Size", "Width and height", {s: f"{s} × {s} pixels" for s in SIDES})
        self.seed = QSpinBox()
        self.seed.setRange(0, MOST_SEED)
        self.seed.setKeyboardTracking(False)
        self.seed.setAccessibleName("Seed")
        self.seed.setToolTip("The seed of the random numbers: the same one makes the same field")
        self.new_field = QPushButton("&New field")
        self.new_field.setToolTip("Begin with other random numbers (Ctrl+N)")
        self.method = _choice(
            "Method",
            "Gibbs draws each pixel given its neighbours, for every A. Swendsen and Wang draw "
            "whole clusters, where A is one number on its diagonal and a smaller one beside it",
            METHODS,
        )
        self.strength = number_box(
            "Strength",
            STRENGTHS,
            "The exponent of A, 1 / temperature: at 0 states are independent, and the greater it "
            "is, the more neighbours matter",
            DECIMALS,
        )
        self.mark = CriticalMark(self.strength.slider, 10**DECIMALS)
        self.critical = QPushButton("Go to the critical strength")
        self.critical.setToolTip(
            "Set the strength at which an infinite field begins to order (Ctrl+T)"
        )
        self.phase = WrappedLabel()
        self.phase.setProperty("muted", True)
        self.pace = _choice(
            "Pace",
            "How many sweeps there are a second",
            {k: f"{k} a second" if k else "as fast as it can" for k in PACES},
        )
        self.symmetric = QCheckBox("A is symmetric")
        self.symmetric.setToolTip("An entry of A and its mirror image are set together")
        self.symmetric.setChecked(True)
        self.codebook = _choice(
            "Codebook", "What signatures are compared with when they are decoded", CODEBOOKS
        )
        self.window_ = number_box("Window w", WINDOW_RANGE, "Half-width w of the decoding")
        self.undo = button("Undo", "Take the last change back (Ctrl+Z)")
        self.redo = button("Redo", "Change it again (Ctrl+Shift+Z)")

    def _lay_out(self) -> None:
        field, form = grouped("Field")
        form.addRow("&Preset", self.preset)
        form.addRow("&States N", self.n_states)
        form.addRow("Si&ze", self.side)
        form.addRow("Se&ed", self.seed)
        form.addRow(self.new_field)
        sweeps, form = grouped("Sweeps")
        form.addRow("&Method", self.method)
        form.addRow("Pa&ce", self.pace)
        form.addRow("S&trength", self.strength)
        form.addRow("", self.mark)
        form.addRow(self.phase)
        form.addRow(self.critical)
        form.addRow(self.symmetric)
        decoding, form = grouped("Decoding")
        form.addRow("Code&book", self.codebook)
        form.addRow("&Window w", self.window_)
        about = WrappedLabel()
        about.setProperty("muted", True)
        about.show_text(ABOUT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.setSpacing(8)
        for part in (field, sweeps, decoding):
            layout.addWidget(part)
        steps = QHBoxLayout()
        steps.addWidget(self.undo)
        steps.addWidget(self.redo)
        layout.addLayout(steps)
        layout.addStretch(1)
        layout.addWidget(about)
        numbers = self._numbers()
        widest = max(control.box.sizeHint().width() for control in numbers)
        for control in numbers:
            control.box.setFixedWidth(widest)
        for label in self.findChildren(QLabel):
            if isinstance(number := label.buddy(), NumberControl):
                label.setBuddy(number.slider)

    def _numbers(self) -> tuple[NumberControl, ...]:
        return self.n_states, self.strength, self.window_

    def _choices(self) -> tuple[QComboBox, ...]:
        return self.preset, self.side, self.method, self.pace, self.codebook

    def _parts(self) -> list[QWidget]:
        parts = [part for control in self._numbers() for part in (control.slider, control.box)]
        return [self.seed, *parts]

    def _connect_signals(self) -> None:
        document = self._document
        for name, box in (
            ("side", self.side),
            ("method", self.method),
            ("codebook", self.codebook),
        ):
            box.activated.connect(
                lambda _, name=name, box=box: document.set(**{name: box.currentData()})
            )
        self.preset.activated.connect(lambda _: self._begin(self.preset.currentData()))
        self.pace.activated.connect(lambda _: document.set_pace(self.pace.currentData()))
        self.n_states.changed.connect(
            lambda n: document.set_world(with_states(document.world, int(n)))
        )
        self.strength.changed.connect(lambda value: document.set(strength=float(value)))
        self.window_.changed.connect(lambda value: document.set(window=int(value)))
        self.seed.valueChanged.connect(lambda seed: document.set(seed=seed))
        stack = document.undo_stack
        for part, act, can in (
            (self.undo, stack.undo, stack.canUndoChanged),
            (self.redo, stack.redo, stack.canRedoChanged),
        ):
            part.clicked.connect(act)
            part.setEnabled(False)
            can.connect(part.setEnabled)
        self.new_field.clicked.connect(document.new_field)
        self.critical.clicked.connect(document.go_critical)
        document.world_changed.connect(self.show_world)
        document.going_changed.connect(self._show_pace)

    def _show_pace(self) -> None:
        self.pace.setCurrentIndex(self.pace.findData(self._document.order.pace))

    def _begin(self, name: str) -> None:
        if name:
            self._document.begin_preset(name)
        self.preset.setCurrentIndex(0)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.mark.apply_theme(theme)

    def show_world(self, world: World) -> None:
        """Show what is set."""
        self.n_states.set_value(world.n_states)
        self.strength.set_value(world.strength)
        self.window_.set_value(world.window)
        with QSignalBlocker(self.seed):
            self.seed.setValue(world.seed)
        chosen: tuple[tuple[QComboBox, Any], ...] = (
            (self.side, world.side),
            (self.method, world.sweeping),
            (self.codebook, world.codebook),
        )
        for box, value in chosen:
            box.setCurrentIndex(box.findData(value))
        self.method.setEnabled(world.takes_clusters)
        self.mark.show_strength(world.critical_strength)
        within = world.critical_strength is not None and world.critical_strength <= STRENGTHS[1]
        self.critical.setEnabled(within)
        self.phase.show_text(phase_text(world))


def phase_text(world: World) -> str:
    """Return where a world lies by its transition, if that is known exactly."""
    ratio, n = world.log_ratio, world.n_states
    if ratio is None:
        return "A is no Potts potential: no exact critical strength is known."
    coupling = world.strength * ratio
    if world.critical_strength is None:
        why = "like and unlike states weigh the same" if not ratio else "states repel each other"
        return f"Coupling, strength × ln a/b: {p.signed(coupling, 3)}. No transition: {why}."
    at = critical_coupling(n)
    side = "ordered" if abs(coupling) > at else "disordered"
    if math.isclose(abs(coupling), at, abs_tol=0.01):
        side = "critical"
    return (
        f"Coupling, strength × |ln a/b|: {abs(coupling):.3f}. Critical, ln(1 + √{n}): {at:.3f}. "
        f"So the field is {side}."
    )
