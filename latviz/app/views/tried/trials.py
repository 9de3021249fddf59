"""Records the settings that the user pauses at."""

from functools import partial

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.docking.docks import pressed
from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.work.timers import once_after
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.kept import keep
from latviz.engine.keeping.trial import Trial, name_of, noted, setting_of, trial_of
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.state import State
from latviz.workspace import compute

REST_MS = 800
"""Pause after the last change before the settings count as tried."""


class Trials(QObject):
    """Records every setting at which the user pauses, once its whole frame has arrived."""

    # The document keeps them with the pictures that were opened together
    changed = pyqtSignal()  # the list has changed

    def __init__(self, document: Document, opener: Opener, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._opener = document, opener
        self._rest = once_after(REST_MS, self._look, self)
        document.changed.connect(self._wait)
        document.frame_changed.connect(self._look)
        document.activity_changed.connect(self._look)
        document.tried.connect(self.changed)

    def shown(self) -> list[Trial]:
        """Return those of the picture on screen, oldest first."""
        pictures = self._document.state.pictures
        name = "" if pictures is None else name_of(pictures)
        return [trial for trial in self._document.trials if trial.picture == name]

    def remove(self, trial: Trial) -> None:
        """Forget one."""
        self._document.keep_trials(tuple(one for one in self._document.trials if one is not trial))

    def compare(self, trial: Trial) -> None:
        """Make a trial the reference for the current settings; undoable."""
        state = self._document.state
        if state.pictures is None:
            return

        def take(kept: Frame) -> None:
            if state.picture is self._document.picture:
                self._document.change(f"Keep {trial.name} as reference", compared=keep(kept))

        work = partial(compute, state.pictures, _decoding(trial, state))
        self._opener.read_more(work, take)

    def _wait(self, old: State, new: State) -> None:
        """Restart the pause if another setting or picture was chosen."""
        if new.pictures is not old.pictures:
            self.changed.emit()
        if new.pictures is not old.pictures or setting_of(new) != setting_of(old):
            self._rest.start()

    def _look(self, *_: object) -> None:
        """Record the current settings, once the user pauses and their frame is complete."""
        if self._rest.isActive():
            return
        if pressed():
            self._rest.start()
            return
        frame, document = self._document.frame, self._document
        if frame is None or frame.request.picture is not document.picture:
            return
        is_set = setting_of(frame.request) == setting_of(document.state)
        is_learned = frame.at_rest or document.activity.work == "declined"
        if is_learned and frame.finished and is_set:
            trial = trial_of(frame, document.state.slice)
            document.keep_trials(noted(document.trials, trial))


def _decoding(trial: Trial, state: State) -> Decoding:
    """Return the decoding of a trial, with the current names and strokes."""
    return Decoding(
        trial.parameters,
        trial.sample,
        trial.coloring,
        state.looks,
        trial.hand_cut,
        state.scribbles,
        trial.given,
    )
