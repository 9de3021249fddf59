"""What is set in the laboratory and what is known of it; the thread that computes it."""

import time
from dataclasses import asdict, dataclass
from threading import Event
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.work.activity import Activity
from latviz.app.work.latest_only import Follower, NewestThread, Reporter
from latviz.core.types import States
from latviz.engine.benches.laboratory import WINDOWS, Experiment, Outcome, run

POLL_S = 0.05
PATIENCE_S = 0.25
"""In a drag, curves are waited for if the last are older; else the newest field comes first."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A request: an experiment, and the window that is looked at."""

    experiment: Experiment
    window: int


class LabThread(NewestThread):
    """Computes experiments; each shows something before a newer one takes its place.

    ``prepared`` is set when the kernels are there: only one part of the program may compile them.

    Signals
    -------
    computed(Outcome)
        What is known of a trial by now.
    progressed(float)
        The fraction done of it.
    """

    computed = pyqtSignal(object)
    progressed = pyqtSignal(float)

    def __init__(self, prepared: Event) -> None:
        super().__init__()
        self._prepared = prepared
        self._curves_at = 0.0

    def run(self) -> None:
        """Wait for the kernels, then answer requests until told to stop."""
        while not self._prepared.wait(POLL_S):
            if self._stopped:
                return
        while (trial := self._next()) is not None:
            self._answer(trial)

    def _answer(self, trial: Trial) -> None:
        listener = _Listener(self, trial)

        def show() -> None:
            for outcome in run(trial.experiment, trial.window, listener):
                self.computed.emit(outcome)
                listener.shown = outcome
                if outcome.has_curves:
                    self._curves_at = time.monotonic()

        self._attempt(trial, show, "experiment")

    def is_given_up(self, trial: Trial, shown: Outcome | None) -> bool:
        """Return True if a trial is not wanted any more; a newer one waits until it is shown."""
        if self._is_unwanted(trial):
            return True
        if shown is None or self._waiting is None:
            return False
        return shown.has_curves or time.monotonic() - self._curves_at < PATIENCE_S


class _Listener:
    """The progress of one trial."""

    def __init__(self, thread: LabThread, trial: Trial) -> None:
        self._thread, self._trial = thread, trial
        self.report = Reporter(thread.progressed.emit)
        self.shown: Outcome | None = None

    def cancelled(self) -> bool:
        """Return True if the trial is given up."""
        return self._thread.is_given_up(self._trial, self.shown)


START_WINDOW = 3


class LabDocument(Follower):
    """The experiment, the window looked at, the pixel pointed at, and the last outcome.

    Signals
    -------
    experiment_changed(Experiment)
    window_changed(int)
    node_changed(object)
        The (row, column) that is pointed at, or None.
    outcome_changed(Outcome)
    """

    experiment_changed = pyqtSignal(object)
    window_changed = pyqtSignal(int)
    node_changed = pyqtSignal(object)
    outcome_changed = pyqtSignal(object)

    def __init__(
        self, prepared: Event, experiment: Experiment, parent: QObject | None = None
    ) -> None:
        self.worker = LabThread(prepared)
        super().__init__(self.worker, parent)
        self.experiment = experiment
        self.window = START_WINDOW
        self.node: tuple[int, int] | None = None
        self.outcome: Outcome | None = None
        self.worker.computed.connect(self._take_outcome)
        self.worker.progressed.connect(self._take_progress)

    def start(self) -> None:
        """Begin to compute."""
        self.worker.start()
        self.refine()

    def set(self, **changes: Any) -> None:
        """Change the experiment."""
        new = self.experiment.changed(self.truth, **changes)
        if new != self.experiment:
            self.experiment = new
            self.experiment_changed.emit(new)
            self.refine()

    @property
    def truth(self) -> States | None:
        """The true states that are set; None as long as they are being made."""
        outcome, experiment = self.outcome, self.experiment
        if experiment.field == "drawn":
            return experiment.make_truth()
        is_made = outcome is not None and outcome.experiment.recipe == experiment.recipe
        return outcome.truth if outcome is not None and is_made else None

    def reset(self) -> None:
        """Return to the usual experiment."""
        self.set(**asdict(Experiment()))

    def new_field(self) -> None:
        """Make another field of the same kind."""
        self.set(seed=self.experiment.seed + 1)

    def set_window(self, window: int) -> None:
        """Look at another window; it is kept within those that are tried."""
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
        self._submit(Trial(self.experiment, self.window), Activity("computing"))

    def cancel(self) -> None:
        """Keep what is known by now."""
        self._give_up()

    def close(self) -> None:
        """Let the thread end, which may take a while."""
        self.worker.leave()

    def _take_outcome(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.outcome_changed.emit(outcome)
        if outcome.complete and outcome.experiment == self.experiment:
            self._set_activity(Activity("idle"))

    def _take_progress(self, fraction: float) -> None:
        if self.activity.work == "computing":
            self._set_activity(Activity("computing", fraction))
