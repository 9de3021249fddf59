"""What is computed when nothing else is: the trade-off of N and w, and their choice."""

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.activity import Failure
from latviz.app.document import Document
from latviz.app.worker import Worker
from latviz.engine.section import Scope
from latviz.engine.state import State
from latviz.engine.tradeoff import Chosen, Errand, TradeOff, What

VIEWS = frozenset({"tradeoff", "guide", "steps"})
"""The views that show it."""
TEXTS: dict[What, str] = {"w": "Choose w", "N": "Choose N", "both": "Choose both"}


class IdleJobs(QObject):
    """Sends the worker on errands for the frame on screen, and keeps what comes of them.

    Signals
    -------
    trade_off_changed(TradeOff or None)
        Another window was added to it; None when it is not that of the picture any more.
    choosing_changed(float or None)
        The fraction done of choosing, or that nothing is being chosen.
    chosen(Chosen)
        It was set already.
    preparing
        See `Worker`.
    """

    trade_off_changed = pyqtSignal(object)
    choosing_changed = pyqtSignal(object)
    chosen = pyqtSignal(object)
    preparing = pyqtSignal()

    def __init__(self, document: Document, worker: Worker) -> None:
        super().__init__(document)
        self._document, self._worker = document, worker
        self.trade_off: TradeOff | None = None
        self._what: What | None = None
        self._failed = False
        worker.found.connect(self._take)
        worker.choosing.connect(self._take_progress)
        worker.preparing.connect(self.preparing)
        worker.stumbled.connect(self._stumble)
        document.changed.connect(self._follow)
        document.frame_changed.connect(self._send)

    @property
    def is_choosing(self) -> bool:
        """Whether N or w is being chosen."""
        return self._what is not None

    def choose(self, what: What) -> None:
        """Choose w, N or both by the rule of `latviz.core.choose`, and set them."""
        if self._document.picture is not None:
            self._what, self._failed = what, False
            self.choosing_changed.emit(0.0)
            self._send()

    def cancel(self) -> None:
        """Choose nothing after all."""
        self._what = None
        self.choosing_changed.emit(None)
        self._send()

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
        self._set_trade_off(None)

    def _send(self) -> None:
        """Send the worker on an errand, if there is one; unless more of the frame is to come."""
        frame, fill = self._document.frame, not VIEWS.isdisjoint(self._document.state.views)
        if frame is None or frame.request.picture is not self._document.picture:
            return
        if self.trade_off is not None and self.trade_off.scope != Scope.of(frame):
            self._set_trade_off(None)
        if self._failed or not (fill or self._what):
            self._worker.run_errand(None)
        elif frame.whole:
            self._worker.run_errand(Errand(frame, fill, self._what))

    def _take(self, result: TradeOff | Chosen) -> None:
        frame = self._document.frame
        now = None if frame is None else Scope.of(frame)
        if result.scope != now or now.picture is not self._document.picture:
            return
        if isinstance(result, TradeOff):
            self._set_trade_off(result)
        elif result.what == self._what:
            self._what = None
            self.choosing_changed.emit(None)
            changes = {"n_states": result.n_states, "window": result.window}
            kept = {"w": "window", "N": "n_states"}.get(result.what)
            self._document.set(
                TEXTS[result.what], **{k: v for k, v in changes.items() if kept in (None, k)}
            )
            self.chosen.emit(result)

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
