"""The adviser of the window: the advice on the frame on screen, and what was made of it."""

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.shell.feature import Feature, Parts
from latviz.engine.advice.advice import NOTHING, Advice, Declined, Offer, advise
from latviz.engine.advice.tries import TriedPart, Tries
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State


class Adviser(QObject, Feature):
    """Advises on the frame on screen, from what the worker tried in idle time."""

    changed = pyqtSignal(object)  # Advice, or None where nothing can be said

    def __init__(self, parts: Parts) -> None:
        self._document, self._idle = parts[Document], parts[IdleJobs]
        super().__init__(self._document)
        self.advice: Advice | None = None
        self.tries: Tries | None = None
        self._declined = NOTHING
        self._taken: Offer | None = None
        self._seen: tuple[Parameters | None, ...] = (None, None)  # the last settings advised on
        self._idle.tries_changed.connect(self._take_tries)
        self._document.changed.connect(self._follow)
        self._document.frame_changed.connect(self._advise)

    @property
    def is_dependent(self) -> bool | None:
        """True if neighbours depend beyond any states; None if that is not known yet."""
        choice = None if self.tries is None else self.tries.choice
        return None if choice is None else choice.dependent

    def take(self) -> None:
        """Set what the advice offers."""
        offer = None if self.advice is None else self.advice.offer
        if offer is not None:
            self._taken = offer
            self._document.take(offer)

    def _follow(self, old: State, new: State) -> None:
        taken = self._taken
        if new.picture is not old.picture:
            self.tries, self._taken, self._seen = None, None, (None, None)
            self._decline(NOTHING)
        elif taken is not None and taken.is_in(old) and not taken.is_in(new):
            if new.parameters == taken.before:  # it was undone
                self._decline(self._declined | {(taken.act, taken.after)})
            self._taken = None
        if new.parameters != old.parameters or new.picture is not old.picture:
            self._advise(self._document.frame)

    def _decline(self, declined: Declined) -> None:
        self._declined = declined
        self._idle.decline(declined)

    def _take_tries(self, tries: Tries) -> None:
        self.tries = tries
        self._advise(self._document.frame)

    def _advise(self, frame: Frame | None) -> None:
        """Advise on a frame, if it is that of the settings."""
        found, tries = None, self.tries
        if frame is not None and tries is not None and self._is_current(frame):
            now = frame.request.parameters
            before = self._seen[0] if self._seen[1] == now else self._seen[1]
            found = advise(frame, tries, self._declined, before)
            if found.wanted is None and self._seen[1] != now:
                self._seen = self._seen[1], now
        if found != self.advice:
            self.advice = found
            self.changed.emit(found)

    def _is_current(self, frame: Frame) -> bool:
        """Return True for the whole frame of the settings, whose pictures were tried."""
        of_settings = frame.request.parameters == self._document.parameters
        tried = self.tries is not None and TriedPart.is_of(self.tries.basis, frame)
        return tried and of_settings and frame.whole
