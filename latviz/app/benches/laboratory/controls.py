"""The laboratory's panel of parameters."""

from typing import Any

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from latviz.app.benches.laboratory.document import LabDocument
from latviz.app.panels.controls import NumberControl, WheelGuard, grouped
from latviz.app.panels.side_panel import choice_box, number_box
from latviz.app.widgets.elided import WrappedLabel
from latviz.engine.benches.laboratory import (
    DEVIATION_RANGE,
    NOISE_RANGE,
    REGION_RANGE,
    REPLICATES_RANGE,
    SIDES,
    STATES_RANGE,
    WINDOWS,
    Experiment,
)

FIELDS = {
    "blobs": "smooth blobs",
    "mosaic": "mosaic",
    "stripes": "stripes",
    "checkerboard": "checkerboard",
    "potts": "Potts field",
    "drawn": "drawn by hand",
}
NOISES = {"channel": "wrong symbols", "normal": "normal noise on grey"}
CODEBOOKS = {"true": "known", "learned": "learned from each copy"}
ABOUT = (
    "Noisy copies of a field whose true states are known are decoded. Bias: the commonest state "
    "over the copies is wrong. Variance: copies differ from it. Small windows vary, large ones "
    "are biased."
)


class LabControls(QWidget):
    """Sets one field of the experiment with each control, and shows what is set."""

    def __init__(self, document: LabDocument) -> None:
        super().__init__()
        self._document = document
        self._make_controls()
        self._lay_out()
        self._connect_signals()
        self._wheel_guard = WheelGuard(self)
        for control in (*self._choices.values(), *self._parts()):
            self._wheel_guard.guard(control)
        self.show_experiment(document.experiment)
        self.window_.set_value(document.window)

    def _make_controls(self) -> None:
        self.field = choice_box("Field", "How the true states are laid out", FIELDS)
        self.side = choice_box("Size", "Width and height", {s: f"{s} × {s} pixels" for s in SIDES})
        self.noise_kind = choice_box("Kind of noise", "How copies differ from the truth", NOISES)
        self.codebook = choice_box(
            "Codebook", "Whether the states' distributions are known or learned", CODEBOOKS
        )
        self._choices = {
            "field": self.field,
            "side": self.side,
            "noise_kind": self.noise_kind,
            "codebook": self.codebook,
        }
        self.n_states = number_box("States", STATES_RANGE, "The number of states N")
        self.region = number_box(
            "Region size", REGION_RANGE, "About how many pixels wide regions are"
        )
        self.noise = number_box(
            "Noise", NOISE_RANGE, "Share of pixels whose symbol is one at random", 2
        )
        self.deviation = number_box(
            "Deviation", DEVIATION_RANGE, "Standard deviation, in steps between grey levels", 2
        )
        self.replicates = number_box(
            "Copies", REPLICATES_RANGE, "How many noisy copies are decoded"
        )
        self._numbers = {
            "n_states": self.n_states,
            "region": self.region,
            "noise": self.noise,
            "deviation": self.deviation,
            "replicates": self.replicates,
        }
        self.window_ = number_box(
            "Window w", (WINDOWS[0], WINDOWS[-1]), "Half-width w of the window that is looked at"
        )
        self.new_field = QPushButton("&New field")
        self.new_field.setToolTip("Another field of the same kind, and other copies (Ctrl+N)")
        self.draw = QPushButton("Dr&aw")
        self.draw.setCheckable(True)
        self.draw.setToolTip("Draw on the truth, from what it is now (Ctrl+D)")
        self.use = QPushButton("&Use as the picture")
        self.use.setToolTip(
            "Open the observation in the main window, where its states are known (Ctrl+U)"
        )
        self.reset = QPushButton("Reset")
        self.reset.setToolTip("Return to the experiment that the laboratory begins with (Ctrl+R)")

    def _lay_out(self) -> None:
        truth, form = grouped("Truth")
        self._truth_form = form
        form.addRow("&Field", self.field)
        form.addRow("&States N", self.n_states)
        form.addRow("&Region size", self.region)
        form.addRow("Si&ze", self.side)
        both = QHBoxLayout()
        both.addWidget(self.new_field)
        both.addWidget(self.draw)
        form.addRow(both)
        copies, self._noise_form = grouped("Noisy copies")
        self._noise_form.addRow("&Kind", self.noise_kind)
        self._noise_form.addRow("N&oise", self.noise)
        self._noise_form.addRow("&Deviation", self.deviation)
        self._noise_form.addRow("&Copies", self.replicates)
        decoding, form = grouped("Decoding")
        form.addRow("Code&book", self.codebook)
        form.addRow("&Window w", self.window_)
        about = WrappedLabel()
        about.setProperty("muted", True)
        about.show_text(ABOUT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.setSpacing(8)
        for part in (truth, copies, decoding, self.reset, self.use):
            layout.addWidget(part)
        layout.addStretch(1)
        layout.addWidget(about)
        self._align()

    def _align(self) -> None:
        """Let labels lead to the sliders, and all number boxes be equally wide."""
        controls = (*self._numbers.values(), self.window_)
        widest = max(control.box.sizeHint().width() for control in controls)
        for control in controls:
            control.box.setFixedWidth(widest)
        for label in self.findChildren(QLabel):
            if isinstance(field := label.buddy(), NumberControl):
                label.setBuddy(field.slider)

    def _parts(self) -> list[QWidget]:
        controls = (*self._numbers.values(), self.window_)
        return [part for control in controls for part in (control.slider, control.box)]

    def _connect_signals(self) -> None:
        document = self._document
        for name, box in self._choices.items():
            box.activated.connect(lambda _, name=name, box=box: self._set(name, box.currentData()))
        for name, number in self._numbers.items():
            number.changed.connect(lambda value, name=name: self._set(name, value))
        self.window_.changed.connect(lambda value: document.set_window(int(value)))
        self.new_field.clicked.connect(document.new_field)
        self.reset.clicked.connect(document.reset)
        document.experiment_changed.connect(self.show_experiment)
        document.window_changed.connect(self.window_.set_value)

    def _set(self, name: str, value: Any) -> None:
        kind = type(getattr(self._document.experiment, name))
        self._document.set(**{name: kind(value)})

    def show_experiment(self, experiment: Experiment) -> None:
        """Show what is set."""
        for name, box in self._choices.items():
            box.setCurrentIndex(box.findData(getattr(experiment, name)))
        for name, number in self._numbers.items():
            number.set_value(getattr(experiment, name))
        self._truth_form.setRowVisible(self.region, experiment.field != "drawn")
        channel = experiment.noise_kind == "channel"
        self._noise_form.setRowVisible(self.noise, channel)
        self._noise_form.setRowVisible(self.deviation, not channel)
