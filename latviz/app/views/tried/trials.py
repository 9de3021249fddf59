"""The settings that a person came to rest at, kept as long as their pictures can come again."""

from functools import partial
from weakref import WeakKeyDictionary

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.docks import pressed
from latviz.app.document import Document
from latviz.app.history import Opening
from latviz.app.opening import Opener
from latviz.app.timers import once_after
from latviz.core.progress import Progress
from latviz.engine.frame import Frame
from latviz.engine.parameters import Parameters
from latviz.engine.picture import PictureSet
from latviz.engine.state import State
from latviz.engine.trial import Trial, trial_of
from latviz.workspace import compute

MOST = 24
"""Trials that are kept of a picture; the oldest go."""
REST_MS = 800
"""How long nothing must be set before what is on screen is a trial."""


class Trials(QObject):
    """Takes note of every setting at which a hand rests, with its whole frame.

    They hold a small picture and some numbers each, no frame and none of the pictures: these are
    held by what can be undone.

    Signals
    -------
    changed
        Others are to be shown.
    """

    changed = pyqtSignal()

    def __init__(self, document: Document, opener: Opener, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._opener = document, opener
        self._known: WeakKeyDictionary[Opening, dict[str, list[Trial]]] = WeakKeyDictionary()
        self._rest = once_after(REST_MS, self._look, self)
        document.changed.connect(self._wait)
        document.frame_changed.connect(self._look)
        document.activity_changed.connect(self._look)

    def shown(self) -> list[Trial]:
        """Return those of the picture on screen, oldest first."""
        opening, pictures = self._document.opening, self._document.state.pictures
        if opening is None or pictures is None:
            return []
        return self._known.setdefault(opening, {}).setdefault(_name(pictures), [])

    def remove(self, trial: Trial) -> None:
        """Forget one."""
        trials = self.shown()
        if trial in trials:
            trials.remove(trial)
            self.changed.emit()

    def return_to(self, trial: Trial) -> None:
        """Set what was set then; this can be undone."""
        self._document.set_all(f"Return to {trial.name}", trial.parameters)

    def compare(self, trial: Trial, other: Trial | None = None) -> None:
        """Make a trial A, beside another one or what is on screen; this can be undone."""
        pictures, frame = self._document.state.pictures, self._document.frame
        if pictures is None:
            return
        if other is not None:
            self.return_to(other)

        def take(kept: Frame) -> None:
            if self._document.picture is pictures.picture:
                self._document.change(f"Keep {trial.name} as A", compared=kept.to_keep())

        if other is None and frame is not None and _is_of(frame, trial.parameters):
            self._document.change("Keep as A", compared=frame.to_keep())
        else:
            self._opener.read_beside(partial(_computed, trial, pictures), take)

    def _wait(self, old: State, new: State) -> None:
        """Wait for another rest, if another setting or picture is on its way."""
        if new.pictures is not old.pictures:
            self.changed.emit()
        if new.parameters != old.parameters or new.pictures is not old.pictures:
            self._rest.start()

    def _look(self, *_: object) -> None:
        """Take note of what is on screen, once a hand has rested and all of it is there."""
        if self._rest.isActive():
            return
        if pressed():
            self._rest.start()
            return
        frame, document = self._document.frame, self._document
        if frame is None or frame.request.picture is not document.picture:
            return
        is_learned = frame.n_learned == frame.n_signatures or document.activity.work == "declined"
        if is_learned and frame.finished and _is_of(frame, document.parameters):
            self._add(frame)

    def _add(self, frame: Frame) -> None:
        """Put a trial behind the others, or in the place of one with the same setting."""
        trials = self.shown()
        same = [k for k, trial in enumerate(trials) if _is_of(frame, trial.parameters)]
        if same and not _knows_more(frame, trials[same[0]]):
            return
        trial = trial_of(frame, self._document.state.slice)
        if same:
            trials[same[0]] = trial
        else:
            trials.append(trial)
            del trials[:-MOST]
        self.changed.emit()


def _name(pictures: PictureSet) -> str:
    """Return by what the picture on screen is known among those that were opened together."""
    other = pictures.other
    return str(pictures.shown) if other is None else str(other.origin.get("path", id(other)))


def _computed(trial: Trial, pictures: PictureSet, progress: Progress) -> Frame:
    return compute(pictures, trial.decoding, progress)


def _is_of(frame: Frame, parameters: Parameters) -> bool:
    return frame.request.parameters == parameters


def _knows_more(frame: Frame, trial: Trial) -> bool:
    """Tell whether a frame has numbers that its trial has not, or learned from more."""
    known = trial.decoding.coloring
    more = known is None or frame.n_learned > known.n_learned
    found = (
        (frame.truth, trial.accuracy),
        (frame.code_lengths, trial.code_length),
        (frame.inertia, trial.inertia),
        (frame.residual_correlation, trial.residual_correlation),
    )
    return more or any(new is not None and old is None for new, old in found)
