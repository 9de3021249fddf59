"""The one thread that computes: the newest request wins, stale results are never shown."""

import gc
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event

from PyQt6.QtCore import pyqtSignal

from latviz import engine
from latviz.app.activity import Failure
from latviz.app.latest_only import NewestThread, Reporter
from latviz.core import kernels
from latviz.core.progress import Cancelled
from latviz.engine.frame import LATE, LEFT_OUT, Frame, Request
from latviz.engine.listener import Listener, Watch
from latviz.engine.tradeoff import Chosen, Errand, TradeOff

PATIENCE_S = 0.1
"""While newer requests keep coming, one in hand is still answered if the last answer is older."""
PAUSE_S = 0.1
"""How long no request may have been in hand before what is late is computed: a hand that moves
sends one more often."""
REST_S = 0.2
"""The same before the worker turns to an errand."""
POLL_S = 0.05
"""While kernels are compiled beside the window, this often it is asked whether they are there."""

Parts = tuple["engine.compile_cache.Part", ...]
"""Kernels of trade-offs and code lengths: those of all pictures, then those of volumes alone."""
Stop = Callable[[], bool]


class Worker(NewestThread):
    """Computes one request at a time; while it does, only the newest of the others waits.

    What is late of an answer is computed once the hand pauses. When nothing is left it runs an
    errand, in pieces: a piece is given up as soon as a request comes, and done again at rest.
    ``prepared`` is set once all kernels of pictures are loaded; code lengths wait for their own.

    With ``sparing`` only the kernels that requests need are loaded, unless one is in no cache;
    ``prepared`` is set once the first request is answered.

    Signals
    -------
    compiling
        Kernels are in no cache, so the first start, or the first volume, takes longer.
    ready
        All kernels are loaded.
    computed(Frame)
        A request was answered; by coarse frames first if its image is large.
    progressed(int, float)
        The number of a request that learns from all signatures, and the fraction done.
    broken(Failure)
        No request can be answered, nor will be.
    found(TradeOff or Chosen)
        What came of a piece of the errand.
    choosing(str, float)
        What is being chosen, "w", "N" or "both", and the fraction done.
    preparing
        The kernels that errands need are in no cache, so they are compiled first.
    stumbled(Failure)
        The errand cannot be done.
    """

    compiling = pyqtSignal()
    ready = pyqtSignal()
    computed = pyqtSignal(object)
    progressed = pyqtSignal(int, float)
    broken = pyqtSignal(object)
    found = pyqtSignal(object)
    choosing = pyqtSignal(str, float)
    preparing = pyqtSignal()
    stumbled = pyqtSignal(object)

    def __init__(self, *, sparing: bool = False) -> None:
        super().__init__()
        self.prepared = Event()
        self._sparing = sparing
        self._errand: Errand | None = None
        self._unfinished: Request | None = None
        self._lacking: frozenset[str] = frozenset()
        self._compiles = False  # kernels of code lengths, as some are in no cache
        self._rest_from = 0.0
        self._answered = 0.0
        self._knows_volumes = False

    def run_errand(self, errand: Errand | None) -> None:
        """Do this at rest, instead of what was to be done; or nothing."""
        with self._condition:
            self._errand = errand
            self._condition.notify()

    def run(self) -> None:
        """Load the kernels, then answer requests until told to stop."""
        try:
            self._serve()
        except Cancelled:
            return
        except Exception as error:
            message = f"Computing could not begin: {error!r}. Start latviz again."
            self.broken.emit(Failure(message, traceback.format_exc()))

    def _serve(self) -> None:
        cache = engine.compile_cache
        if self._sparing:
            self.ready.emit()
        else:
            self._prepare()
        pipeline, sweeping = engine.pipeline.Pipeline(), engine.sweeping.Sweeping()
        with (
            cache.Part("sweeping", cache.warm_sweeping) as flat,
            cache.Part("sweeping volumes", cache.warm_sweeping_volumes) as volumes,
        ):
            while not self._stopped:
                self._serve_next(pipeline, sweeping, (flat, volumes))

    def _serve_next(
        self,
        pipeline: "engine.pipeline.Pipeline",
        sweeping: "engine.sweeping.Sweeping",
        parts: Parts,
    ) -> None:
        """Answer the next request, or finish the last one, or do a piece of the errand."""
        if (request := self._next()) is not None:
            self._answer(request, pipeline, frozenset())
        elif (request := self._unfinished) is not None:
            self._finish(request, pipeline, parts_for(request, parts))
        elif (errand := self._errand) is not None:
            self._run(errand, sweeping, parts_for(errand.frame.request, parts))

    def _finish(self, request: Request, pipeline: "engine.pipeline.Pipeline", parts: Parts) -> None:
        """Add what an answer lacks; code lengths last, if their kernels must be compiled first."""
        if not self._compiles:
            with kernels.compiler.refusing_to_compile():
                self._answer(request, pipeline, LATE)
        elif not self._lacking <= LEFT_OUT:
            self._answer(request, pipeline, LATE - LEFT_OUT)
        elif self._are_ready(parts, lambda: None, self._is_called):
            self._answer(request, pipeline, LATE)

    def _answer(
        self, request: Request, pipeline: "engine.pipeline.Pipeline", late: frozenset[str]
    ) -> None:
        """Answer a request, with these of the results that are late; note what it lacks."""
        listener = Listener(
            partial(self._is_given_up, request),
            self._show,
            Reporter(partial(self.progressed.emit, request.number)),
            lambda: self._waiting is not None,
        )
        self._unfinished = None

        def show() -> None:
            try:
                frame = self._frame_of(request, pipeline, listener, late)
            except kernels.compiler.NotCachedError:
                self._compiles, self._unfinished = True, request
                return
            self._lacking = frozenset(request.needs - frame.results.keys())
            self._unfinished = request if self._lacking else None
            self._show(frame)

        self._attempt(request, show, "picture")
        self._rest_from = time.monotonic()

    def _frame_of(
        self,
        request: Request,
        pipeline: "engine.pipeline.Pipeline",
        listener: Listener,
        late: frozenset[str],
    ) -> Frame:
        """Return the frame of a request, once the kernels that it needs, or all, are loaded."""
        if self._sparing:
            try:
                with kernels.compiler.refusing_to_compile():
                    frame = pipeline.run(request, listener, late=late)
                self.prepared.set()
                return frame
            except kernels.compiler.NotCachedError:
                if late:
                    raise
                self._sparing = False  # all are compiled by several processes as soon as some here
                self._prepare()
        if request.picture.dimensions == 3:
            self._prepare_volumes()
        return pipeline.run(request, listener, late=late)

    def _are_ready(self, parts: Parts, on_compile: Callable[[], None], stop: Stop) -> bool:
        """Return True if kernels are there; if not, and they are compiled, ask again soon."""
        try:
            if all(part.is_ready(on_compile, stop) for part in parts):
                return True
        except Cancelled:
            return False
        self._rest_from = time.monotonic() + POLL_S - self._pause
        return False

    def _run(
        self,
        errand: Errand,
        sweeping: "engine.sweeping.Sweeping",
        parts: Parts,
    ) -> None:
        """Do a piece of an errand, if its kernels are there."""
        stop = partial(self._is_disturbed, errand)
        watch = Watch(stop, Reporter(partial(self._report, errand)))
        result: TradeOff | Chosen | None = None
        try:
            if not self._are_ready(parts, self.preparing.emit, stop):
                return
            if errand.choose is not None:
                result = sweeping.choose(errand.frame, errand.choose, watch)
            else:
                result = sweeping.next(errand.frame, watch)
        except Cancelled:
            return
        except Exception as error:
            message = f"The trade-off could not be computed: {error!r}."
            self.stumbled.emit(Failure(message, traceback.format_exc()))
        self._end_piece(errand, result)

    def _report(self, errand: Errand, fraction: float) -> None:
        """Tell how far choosing is; how far filling in is, is told by what comes of it."""
        if errand.choose is not None:
            self.choosing.emit(errand.choose, fraction)

    def _end_piece(self, errand: Errand, result: object) -> None:
        """Go on with the errand if there is more of it."""
        with self._condition:
            if self._errand is errand and (result is None or errand.choose is not None):
                goes_on = result is not None and errand.fill
                self._errand = replace(errand, choose=None) if goes_on else None
        if result is not None:
            self.found.emit(result)

    def _is_disturbed(self, errand: Errand) -> bool:
        return self._is_called() or self._errand is not errand

    def _is_called(self) -> bool:
        return self._stopped or self._waiting is not None

    def _prepare(self) -> None:
        """Load all kernels of pictures."""
        engine.compile_cache.prepare(self.compiling.emit, lambda: self._stopped)
        # The compiler's objects never go away; looking through them would stall the window.
        if not gc.get_freeze_count():  # twice would keep what a closed window held
            gc.freeze()
        self.prepared.set()
        self.ready.emit()

    def _prepare_volumes(self) -> None:
        """Load the kernels that only volumes need."""
        if not self._knows_volumes:
            engine.compile_cache.prepare(self.compiling.emit, lambda: self._stopped, volumes=True)
            self._knows_volumes = True
            self.ready.emit()

    def _show(self, frame: Frame) -> None:
        self.computed.emit(frame)
        if not frame.pending or frame.coarse:
            self._answered = time.monotonic()

    def _patience(self) -> float | None:
        """Return the seconds to wait for requests before what is done at rest; None without."""
        if self._errand is None and self._unfinished is None:
            return None
        return self._rest_from + self._pause - time.monotonic()

    @property
    def _pause(self) -> float:
        """How long to wait for requests before what is done without."""
        return REST_S if self._unfinished is None else PAUSE_S

    def _is_given_up(self, request: Request) -> bool:
        """Return True if a newer request waits; but a long drag must see pictures on its way."""
        if self._is_unwanted(request):
            return True
        if self._waiting is None:
            return False
        return request.complete or time.monotonic() - self._answered < PATIENCE_S


def parts_for(request: Request, parts: Parts) -> Parts:
    """Return the kernels that the picture of a request needs."""
    return parts if request.picture.dimensions == 3 else parts[:1]
