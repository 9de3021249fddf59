"""The thread on which experiments are computed."""

import time
from dataclasses import dataclass
from threading import Event

from PyQt6.QtCore import pyqtSignal

from latviz.app.latest_only import NewestThread, Reporter
from latviz.engine.laboratory import Experiment, Outcome, run

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
