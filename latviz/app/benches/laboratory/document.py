"""The document of the laboratory, and the thread that computes it."""

import time
from dataclasses import dataclass
from threading import Event
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.benches.bench import BenchDocument, BenchListener, BenchThread
from latviz.app.work.activity import Activity
from latviz.core.types import States
from latviz.engine.benches.laboratory import WINDOWS, Experiment, Outcome, run
from latviz.engine.benches.rows import next_seed

PATIENCE_S = 0.25
"""In a drag, old curves are waited for; else the newest field comes first."""


@dataclass(frozen=True, eq=False)
class LabTrial:
    """A request: an experiment, and the inspected window."""

    experiment: Experiment
    window: int


class LabThread(BenchThread):
    """Computes experiments; each shows something before a newer one takes its place."""

    computed = pyqtSignal(object)  # Outcome of a trial so far
    subject = "experiment"

    def __init__(self, prepared: Event) -> None:
        super().__init__(prepared)
        self._curves_at = 0.0

    def answer(self, trial: LabTrial, listener: BenchListener) -> None:
        """Emit the results of a trial, from few copies to all."""
        for outcome in run(trial.experiment, trial.window, listener):
            self.computed.emit(outcome)
            listener.shown = outcome
            if outcome.has_curves:
                self._curves_at = time.monotonic()

    def is_given_up(self, trial: LabTrial, shown: Outcome | None) -> bool:
        """Return True if a trial is obsolete; a newer one waits until it is shown."""
        if self._is_unwanted(trial):
            return True
        if shown is None or self._waiting is None:
            return False
        return shown.has_curves or time.monotonic() - self._curves_at < PATIENCE_S


START_WINDOW = 3


class LabDocument(BenchDocument[Experiment]):
    """The experiment, the window shown, the pixel under the pointer, and the last outcome."""

    window_changed = pyqtSignal(int)
    node_changed = pyqtSignal(object)  # (row, column) under the pointer, or None
    outcome_changed = pyqtSignal(object)  # Outcome
    noun = "the experiment"
    worker: LabThread

    def __init__(
        self, prepared: Event, experiment: Experiment, parent: QObject | None = None
    ) -> None:
        super().__init__(LabThread(prepared), experiment, parent)
        self.window = START_WINDOW
        self.node: tuple[int, int] | None = None
        self.outcome: Outcome | None = None
        self.worker.computed.connect(self._take_outcome)

    def _changed(self, **changes: Any) -> Experiment:
        """Return an experiment with other fields, and the drawing fitted to them."""
        return self.value.changed(self.truth, **changes)

    @property
    def truth(self) -> States | None:
        """The true states of the settings; None while they are generated."""
        outcome, experiment = self.outcome, self.value
        if experiment.field == "drawn":
            return experiment.make_truth()
        is_made = outcome is not None and outcome.experiment.recipe == experiment.recipe
        return outcome.truth if outcome is not None and is_made else None

    def reset(self) -> None:
        """Return to the usual experiment."""
        self.set_value(Experiment(), "Reset")

    def new_field(self) -> None:
        """Make another field of the same kind."""
        self.set("New field", seed=next_seed(self.value.seed))

    def set_window(self, window: int) -> None:
        """Select another window, clamped to those that are tried."""
        window = min(max(window, WINDOWS[0]), WINDOWS[-1])
        if window != self.window:
            self.window = window
            self.window_changed.emit(window)

    def point_at(self, node: tuple[int, int] | None) -> None:
        """Point at a pixel, or at none."""
        if node != self.node:
            self.node = node
            self.node_changed.emit(node)

    def refine(self) -> None:
        """Compute the experiment, from few copies to all."""
        self._submit(LabTrial(self.value, self.window), Activity("computing"))

    _follow = refine

    def cancel(self) -> None:
        """Keep the results so far."""
        self._give_up()

    def _take_outcome(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.outcome_changed.emit(outcome)
        if outcome.complete and outcome.experiment == self.value:
            self._set_activity(Activity("idle"))
