"""The bench's panel: a control for each row of the experiment, and its commands."""

import math
from typing import Any

from PyQt6.QtWidgets import QPushButton, QWidget

from latviz.app.panels.controls import TablePanel
from latviz.app.panels.parameter_controls import ChoiceControl
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.core import digits
from latviz.core.parameter import Parameter, ParameterChoice, rows
from latviz.wings.bench.document import BenchDocument
from latviz.wings.bench.experiment import PRESETS, STRENGTHS, Experiment, Mode, critical_coupling

BEGIN = "Begin with…"
UNDO_TIP = with_keys("Undo the last change", MAIN["Undo"])
REDO_TIP = with_keys("Redo", MAIN["Redo"])
ABOUT: dict[Mode, str] = {
    "fixed": (
        "Noisy copies of a truth are decoded. Bias: the commonest state over the copies is wrong. "
        "Variance: copies differ from it. Small windows have more variance, large ones more bias."
    ),
    "sampled": (
        "The potential sets which states tend to be neighbours. A sweep redraws each pixel, given "
        "its neighbours. B sets which symbols a state shows. The model sees only the symbols, and "
        "decodes them."
    ),
}


class BenchPanel(TablePanel):
    """Sets a field of the experiment with the control of each row, and shows the experiment."""

    is_compact = True

    def __init__(self, document: BenchDocument) -> None:
        super().__init__(rows(Experiment), document.value)
        self._document = document
        self._make_parts()
        self._place_parts()
        self._connect_signals()
        self._show_experiment(document.value)

    def _make_parts(self) -> None:
        presets = (ParameterChoice(name, name, row.title, row.tip) for name, row in PRESETS.items())
        self.preset = ChoiceControl(
            (ParameterChoice("", "", BEGIN, ""), *presets), "Preset", narrow=True
        )
        self.preset.set_tool_tip("Potentials to begin with")
        self.new_field = button("&New field", "Make another truth of the same kind")
        self.draw = button("Dr&aw", "Draw on the current truth")
        self.draw.setCheckable(True)
        self.critical = button(
            "Go to the critical strength",
            "Set the strength at which an infinite field starts to order",
        )
        self.phase, self.about = WrappedLabel(), WrappedLabel()
        for label in (self.phase, self.about):
            label.setProperty("muted", True)
        self.undo, self.redo = button("Undo", UNDO_TIP), button("Redo", REDO_TIP)
        self.reset = button("Reset", "Return to the usual experiment")
        self.use = button(
            "&Use as the picture",
            "Open the observation in the main window, where its states are known",
        )

    def _place_parts(self) -> None:
        sweeps = self._forms["Sweeps"]
        self._forms["Truth"].addRow(in_line(self.new_field, self.draw))
        sweeps.insertRow(0, "Preset", self.preset)
        sweeps.addRow(self.phase)
        sweeps.addRow(self.critical)
        groups, history = self._groups.values(), in_line(self.undo, self.redo)
        below = self.reset, self.use
        room: dict[str, Any] = {"margins": (10, 8, 10, 10), "spacing": 8}
        layouts.column(*groups, history, *below, 1, self.about, of=self, **room)
        self.align_boxes()

    def _connect_signals(self) -> None:
        document, stack = self._document, self._document.undo_stack
        for part, act, can in (
            (self.undo, stack.undo, stack.canUndoChanged),
            (self.redo, stack.redo, stack.canRedoChanged),
        ):
            part.clicked.connect(act)
            part.setEnabled(False)
            can.connect(part.setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        self.preset.changed.connect(self._begin)
        self.new_field.clicked.connect(document.new_field)
        self.critical.clicked.connect(document.go_critical)
        self.reset.clicked.connect(document.reset)
        document.value_changed.connect(self._show_experiment)

    def _name_undo(self, text: str) -> None:
        self.undo.setToolTip(f"{UNDO_TIP}\n{text}".rstrip())

    def _name_redo(self, text: str) -> None:
        self.redo.setToolTip(f"{REDO_TIP}\n{text}".rstrip())

    def _set(self, row: Parameter, value: object) -> None:
        """Set a control's value, which the document may change."""
        self._shown.pop(row.field, None)
        self._document.set(row.undo, **row.change(self._document.value, value))

    def _begin(self, name: str) -> None:
        if name:
            self._document.begin_preset(name)
        self.preset.set_value("")

    def _show_experiment(self, experiment: Experiment) -> None:
        is_sampled = experiment.mode == "sampled"
        for part in (self.preset, self.phase, self.critical):
            self._forms["Sweeps"].setRowVisible(part, is_sampled)
        self.draw.setVisible(not is_sampled)
        self.show_parameters(experiment)
        critical = experiment.critical_strength
        self.critical.setEnabled(critical is not None and critical <= STRENGTHS[1])
        self.phase.show_text(phase_text(experiment))
        self.about.show_text(ABOUT[experiment.mode])


def in_line(*parts: QPushButton) -> QWidget:
    """Return buttons in a line."""
    row = QWidget()
    layouts.row(*parts, of=row)
    return row


def phase_text(experiment: Experiment) -> str:
    """Return the regime of a potential by its transition, if known exactly."""
    ratio, n = experiment.log_ratio, experiment.n_states
    if ratio is None:
        return "This is not a Potts potential: its critical strength is not known exactly."
    coupling = experiment.strength * ratio
    if experiment.critical_strength is None:
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
