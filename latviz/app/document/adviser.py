"""The adviser of the window: the advice on the frame on screen, and what was made of it."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.shell.feature import Feature, Parts
from latviz.core import digits
from latviz.engine.advice.acts import PIXEL_ERROR
from latviz.engine.advice.advice import NOTHING, Advice, Declined, Offer, advise
from latviz.engine.advice.tries import CLEAR, TriedPart, Tries
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State


@dataclass(frozen=True, eq=False)
class Taken:
    """An offer that was taken, with the frames before and after it."""

    offer: Offer
    before: Frame
    after: Frame

    @cached_property
    def changed(self) -> NDArray[np.bool_]:
        """True where pixels have another state, whatever its colour."""
        return np.asarray(self.before.slot_map != self.after.like(self.before).slot_map)

    @property
    def text(self) -> str:
        """The number that was promised, before and after, and the share of pixels that changed."""
        promise = self.offer.promise
        share = digits.share(int(self.changed.sum()), self.after.n_nodes)
        changed = f"{share} of the {self.after.request.picture.node_name}s changed"
        if promise.measure != PIXEL_ERROR:
            return changed
        before, after = (digits.signed(value, 2) for value in (promise.before, promise.after))
        where = " in the middle" if self.offer.middle else ""
        return f"Pixel error {before} → {after} bits{where}, {changed}"


class Adviser(QObject, Feature):
    """Advises on the frame on screen, from what the worker tried in idle time."""

    took = pyqtSignal(object)  # Taken; None once it is kept, undone, or other settings are made
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
        tries = self.tries
        return None if tries is None or tries.choice is None else tries.shared > CLEAR

    def take(self) -> None:
        """Set what the advice offers."""
        offer = None if self.advice is None else self.advice.offer
        if offer is not None:
            self._taken, before = offer, self._document.frame
            self._document.take(offer)
            if before is not None and self._document.parameters == offer.after != offer.before:
                self._document.when_whole(partial(self._compare, offer, before))

    def _compare(self, offer: Offer, before: Frame, after: Frame) -> None:
        """Show what an offer changed, if it is still in force."""
        same = before.request.picture is after.request.picture and not before.coarse
        if same and self._taken is offer and after.request.parameters == offer.after:
            self.took.emit(Taken(offer, before, after))

    def keep(self) -> None:
        """Keep what was taken, and stop comparing it."""
        self.took.emit(None)

    def undo(self) -> None:
        """Undo what was taken, if nothing was changed since."""
        if self._taken is not None and self._document.parameters == self._taken.after:
            self._document.undo_stack.undo()

    def _follow(self, old: State, new: State) -> None:
        taken = self._taken
        if new.picture is not old.picture:
            self.tries, self._taken, self._seen = None, None, (None, None)
            self.took.emit(None)
            self._decline(NOTHING)
        elif taken is not None and taken.is_in(old) and not taken.is_in(new):
            if new.parameters == taken.before:  # it was undone
                self._decline(self._declined | {(taken.act, taken.after)})
            self._taken = None
            self.took.emit(None)
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
