"""The playground's panel."""

import math

from PyQt6.QtCore import QPointF, QSize, Qt
from PyQt6.QtGui import QPainter, QPolygonF
from PyQt6.QtWidgets import QCheckBox

from latviz.app.benches.bench_window import BenchPanel
from latviz.app.benches.playground.document import PACES, PlayDocument
from latviz.app.look.theme import Theme
from latviz.app.panels.controls import ChoiceControl
from latviz.app.widgets import painting as p
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.slider import Slider
from latviz.core import digits
from latviz.core.parameter import ParameterChoice, named, row_of
from latviz.engine.benches.playground import N_STATES, PRESETS, STRENGTHS, World, critical_coupling

BEGIN = "Begin with…"


class CriticalMark(Painted):
    """Points from below at the place of a slider where a field becomes ordered."""

    def __init__(self, slider: Slider, unit: int) -> None:
        super().__init__()
        self._slider, self._unit = slider, unit
        self.strength: float | None = None

    def sizeHint(self) -> QSize:
        """Return its size."""
        return QSize(60, int(p.text_height(p.scaled(self.font()))) + 7)

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
        font, text = p.scaled(self.font()), f"critical {digits.measure(self.strength)}"
        painter.setFont(font)
        painter.setPen(self.theme.color("warning"))
        wide, room = p.text_width(font, text), self.rect().adjusted(0, 7, 0, 0)
        start = min(max(0.0, x - wide / 2), max(0.0, room.width() - wide - 1))
        painter.drawText(room.adjusted(round(start), 0, 0, 0), p.LEFT, text)


class PlayControls(BenchPanel):
    """Sets the world and the speed of its field's sweeps; offers presets."""

    about = (
        "The potential sets which states tend to be neighbours. A sweep redraws each pixel, given "
        "its neighbours. B sets which symbols a state shows. The model sees only the symbols, and "
        "decodes them."
    )

    def __init__(self, document: PlayDocument) -> None:
        super().__init__(document, N_STATES)
        self._document = document
        self._make_parts()
        self._place_parts()
        self.lay_out()
        self._connect_signals()
        self._show_world(document.value)
        self._show_pace()

    def _make_parts(self) -> None:
        presets = (ParameterChoice(name, name, row.title, row.tip) for name, row in PRESETS.items())
        self.preset = _choice(
            "Preset", "Example worlds", ParameterChoice("", "", BEGIN, ""), *presets
        )
        paces = named({k: f"{k} per second" if k else "at full speed" for k in PACES})
        self.pace = _choice("Pace", "Sweeps per second", *paces)
        self.new_field = button("&New field", "Begin again with other random numbers")
        strength = row_of(World, "strength")
        self.mark = CriticalMark(self.number("strength").slider, 10**strength.decimals)
        self.critical = button(
            "Go to the critical strength",
            "Set the strength at which an infinite field starts to order",
        )
        self.phase = WrappedLabel()
        self.phase.setProperty("muted", True)
        self.symmetric = QCheckBox("Symmetric potential")
        self.symmetric.setToolTip("Change an entry and its mirror image together")
        self.symmetric.setChecked(True)

    def _place_parts(self) -> None:
        field, sweeps = self._forms["Field"], self._forms["Sweeps"]
        field.insertRow(0, "&Preset", self.preset)
        field.addRow(self.new_field)
        sweeps.insertRow(1, "Pa&ce", self.pace)
        sweeps.addRow("", self.mark)
        for part in (self.phase, self.critical, self.symmetric):
            sweeps.addRow(part)

    def _connect_signals(self) -> None:
        document = self._document
        self.preset.changed.connect(self._begin)
        self.pace.changed.connect(document.set_pace)
        self.new_field.clicked.connect(document.new_field)
        self.critical.clicked.connect(document.go_critical)
        document.value_changed.connect(self._show_world)
        document.going_changed.connect(self._show_pace)

    def _show_pace(self) -> None:
        self.pace.set_value(self._document.order.pace)

    def _begin(self, name: str) -> None:
        if name:
            self._document.begin_preset(name)
        self.preset.set_value("")

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.mark.apply_theme(theme)

    def _show_world(self, world: World) -> None:
        critical = world.critical_strength
        self.mark.show_strength(critical)
        self.critical.setEnabled(critical is not None and critical <= STRENGTHS[1])
        self.phase.show_text(phase_text(world))


def _choice(name: str, tip: str, *choices: ParameterChoice) -> ChoiceControl:
    control = ChoiceControl(choices, name, narrow=True)
    control.set_tool_tip(tip)
    return control


def phase_text(world: World) -> str:
    """Return the regime of a world by its transition, if known exactly."""
    ratio, n = world.log_ratio, world.n_states
    if ratio is None:
        return "This is not a Potts potential: its critical strength is not known exactly."
    coupling = world.strength * ratio
    if world.critical_strength is None:
        why = (
            "equal and unequal states have the same weight"
            if not ratio
            else "states repel each other"
        )
        return f"Coupling, strength × ln a/b: {digits.measure(coupling)}. No transition: {why}."
    at = critical_coupling(n)
    side = "ordered" if abs(coupling) > at else "disordered"
    if math.isclose(abs(coupling), at, abs_tol=0.01):
        side = "critical"
    return (
        f"Coupling, strength × |ln a/b|: {digits.measure(abs(coupling))}. "
        f"Critical, ln(1 + √{n}): {digits.measure(at)}. "
        f"So the field is {side}."
    )
