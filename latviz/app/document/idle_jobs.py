"""Jobs for idle time: the trade-off of N and w, and their choice."""

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.document.document import Document
from latviz.app.document.worker import Worker
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.status import StatusLine
from latviz.app.work.activity import Failure
from latviz.engine.advice.advice import NOTHING, Declined
from latviz.engine.advice.tries import Tries
from latviz.engine.choosing.scales import Scales
from latviz.engine.choosing.tradeoff import Basis, Chosen, Errand, TradeOff, What
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Scope
from latviz.engine.settings.state import State

VIEWS = frozenset({"tradeoff", "guide", "steps"})
"""The views that show the trade-off."""
GUIDE = "guide"
"""The view on the effects of windows on the map."""
SETS: dict[What, tuple[str, ...]] = {
    "w": ("window",),
    "N": ("n_states",),
    "both": ("n_states", "window"),
}
"""The fields that are set when w, N or both are chosen."""
TEXTS: dict[What, str] = {"w": "Choose w", "N": "Choose N", "both": "Choose both"}


class IdleJobs(QObject, Feature):
    """Sends the worker on errands for the frame on screen, and keeps the results."""

    # TradeOff with one more window; None: of another picture
    trade_off_changed = pyqtSignal(object)
    tries_changed = pyqtSignal(object)  # Tries with one more, for the adviser
    scales_changed = pyqtSignal(object)  # Scales with one more window, for the codebook on screen
    choosing_changed = pyqtSignal(object)  # float: the fraction done of choosing; None: idle
    chosen = pyqtSignal(object)  # Chosen, which is set already
    preparing = pyqtSignal()  # see `Worker`

    def __init__(self, parts: Parts) -> None:
        document, worker = parts[Document], parts[Worker]
        super().__init__(document)
        self._document, self._worker = document, worker
        self.trade_off: TradeOff | None = None
        self._left: TradeOff | None = None  # that of the last basis that had one
        self._what: What | None = None
        self._failed = False
        self._declined = NOTHING
        worker.found.connect(self._take)
        worker.choosing.connect(self._take_progress)
        worker.preparing.connect(self.preparing)
        worker.stumbled.connect(self._stumble)
        document.changed.connect(self._follow)
        document.frame_changed.connect(self._send)

    @property
    def is_choosing(self) -> bool:
        """True while N or w is being chosen."""
        return self._what is not None

    def choose(self, what: What) -> None:
        """Choose w, N or both, and set them.

        Locked parameters are not chosen: the reason appears at once, before any computing.
        """
        if self._document.picture is not None and self._document.may_set(*SETS[what]):
            self._what, self._failed = what, False
            self.choosing_changed.emit(0.0)
            self._send()

    def decline(self, declined: Declined) -> None:
        """Advise without some acts from the next frame on."""
        self._declined = declined

    def cancel(self) -> None:
        """Cancel choosing."""
        self._what = None
        self.choosing_changed.emit(None)
        self._send()

    def connect(self, parts: Parts) -> None:
        """Show the progress of choosing in the status line."""
        self.choosing_changed.connect(parts[StatusLine].show_choosing)

    def dismiss(self) -> bool:
        """Cancel choosing."""
        was_on = self.is_choosing
        if was_on:
            self.cancel()
        return was_on

    def _is_shown(self, frame: Frame) -> bool:
        return frame.request.picture is self._document.picture

    def _follow(self, old: State, new: State) -> None:
        if new.picture is not old.picture:
            self._forget()
        if new.views != old.views:
            self._send()

    def _forget(self) -> None:
        if self._what is not None:
            self.cancel()
        self._failed = False
        self._worker.run_errand(None)
        self._left = None
        self._set_trade_off(None)

    def _send(self) -> None:
        """Start the worker's errand, if any; unless more of the frame is due."""
        frame, fill = self._document.frame, not VIEWS.isdisjoint(self._document.state.views)
        if frame is None or not self._is_shown(frame):
            return
        # Known results of a basis are reused: the worker does not send them a second time
        self._left = self.trade_off or self._left
        fits = self._left is not None and self._left.basis == Basis.of(frame)
        self._set_trade_off(self._left if fits else None)
        if self._failed or not (fill or self._what):
            self._worker.run_errand(None)
        elif frame.whole:
            guided = GUIDE in self._document.state.views
            declined = self._declined if guided else None
            self._worker.run_errand(Errand(frame, fill, declined, self._what))

    def _take(self, result: Scales | TradeOff | Tries | Chosen) -> None:
        if isinstance(result, Scales | Tries):
            news = self.scales_changed if isinstance(result, Scales) else self.tries_changed
            news.emit(result)
            return
        frame = self._document.frame
        if frame is None or not self._is_shown(frame):
            return
        if isinstance(result, TradeOff):
            if result.basis == Basis.of(frame):
                self._set_trade_off(result)
        elif result.scope != Scope.of(frame):
            return
        elif result.what == self._what:
            self._what = None
            self.choosing_changed.emit(None)
            self._apply(result)
            self.chosen.emit(result)

    def _apply(self, chosen: Chosen) -> None:
        """Set the choice, and the window of the codebook unless that is locked."""
        wanted = chosen.applied(self._document.parameters)
        fields, lock = SETS[chosen.what], self._document.lock
        if lock is None or "learning_window" in lock.free:
            fields = (*fields, "learning_window", "second_window")
        self._document.set(TEXTS[chosen.what], **{name: getattr(wanted, name) for name in fields})

    def _take_progress(self, what: What, fraction: float) -> None:
        if what == self._what:
            self.choosing_changed.emit(fraction)

    def _stumble(self, failure: Failure) -> None:
        self._failed = True
        self.cancel()
        self._document.failed.emit(failure)

    def _set_trade_off(self, trade_off: TradeOff | None) -> None:
        if trade_off is not self.trade_off:
            self.trade_off = trade_off
            self.trade_off_changed.emit(trade_off)
