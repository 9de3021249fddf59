"""The one thread that computes: the newest request wins, stale results are never shown."""

import gc
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from functools import partial
from threading import Event
from typing import NamedTuple

from PyQt6.QtCore import pyqtSignal

from latviz import engine
from latviz.app.work.activity import Failure
from latviz.app.work.latest_only import NewestThread, Reporter
from latviz.core import kernels, threads
from latviz.core.progress import Cancelled
from latviz.core.windows.stratified import SAMPLE_EXACT
from latviz.engine.choosing.tradeoff import Errand
from latviz.engine.flow.ahead import Foreseen, Hand
from latviz.engine.frames.frame import LATE, LEFT_OUT, REGIONS, Frame, Request
from latviz.engine.frames.listener import Listener, Watch

PATIENCE_S = 0.1
"""A request is answered although newer ones wait, if the last answer is older than this."""
PAUSE_S = 0.1
"""Pause without requests before late results are computed; a moving slider sends requests more
often."""
REST_S = 0.2
"""The same before the worker turns to an errand."""
POLL_S = 0.05
"""Interval between checks for kernels that are compiled in the background."""

Parts = list["engine.startup.compile_cache.Part"]


class _Job(NamedTuple):
    """Work for when no request has come for ``pause`` seconds."""

    pause: float
    do: Callable[[], object]


class Worker(NewestThread):
    """Computes one request at a time; meanwhile only the newest of the others waits."""

    # While a slider moves steadily, its next request is computed in advance. Late results, and the
    # density of all nodes, follow when it pauses; then an errand, in pieces. A request interrupts a
    # piece, which is repeated when idle. A request loads the kernels that it needs. If one is in no
    # cache, other processes compile its part; meanwhile the request is retried, and what needs
    # fewer kernels is shown first: states learned from few signatures. When idle, parts that were
    # compiled are loaded, and unless the worker is ``sparing`` all kernels of pictures; then
    # ``prepared`` is set. Code lengths wait for their own kernels.
    compiling = pyqtSignal()  # kernels are in no cache; the first start or volume takes longer
    ready = pyqtSignal()  # all kernels are loaded
    computed = pyqtSignal(object)  # Frame: an answer; coarse ones first if the image is large
    progressed = pyqtSignal(int, float)  # number of a request that learns from all, fraction done
    broken = pyqtSignal(object)  # Failure: no request can be answered from now on
    found = pyqtSignal(object)  # Scales, Tries, TradeOff or Chosen of the errand
    choosing = pyqtSignal(str, float)  # "w", "N" or "both" is being chosen, and the fraction done
    preparing = pyqtSignal()  # kernels of errands are in no cache, so they are compiled first
    stumbled = pyqtSignal(object)  # Failure of the errand

    def __init__(self, *, sparing: bool = False) -> None:
        super().__init__()
        self.prepared = Event()
        self._sparing, self._is_over = sparing, False
        self._refused: Request | None = None
        self._shown_early: Request | None = None
        self._errand: Errand | None = None
        self._unfinished: Request | None = None
        self._lacking: frozenset[str] = frozenset()
        self._compiles = False  # kernels of late results, as some are in no cache
        self._rest_from = self._poll_at = self._answered = 0.0
        self._kernels: Parts = []
        self._to_load: Parts = []  # when idle
        self._hand = Hand()
        self._expected: Request | None = None
        self._foreseen: Foreseen | None = None
        self._shown: Frame | None = None
        self._painted: Frame | None = None

    @property
    def is_compiling(self) -> bool:
        """True while processes compile kernels in the background; thread-safe."""
        return any(part.is_compiling for part in self._kernels)

    def run_errand(self, errand: Errand | None) -> None:
        """Set the errand to run when idle, replacing the last one; None for none."""
        with self._condition:
            self._errand = errand
            self._condition.notify()

    def paint_ended(self, frame: Frame) -> None:
        """Take note that the window has painted the states of a frame."""
        with self._condition:
            self._painted = frame
            self._condition.notify()

    def is_starting(self) -> bool:
        """Return True until kernels of pictures are loaded, or nothing will load them."""
        return not (self._sparing or self._stopped or self._is_over or self.prepared.is_set())

    def run(self) -> None:
        """Load the kernels, then answer requests until stopped."""
        try:
            with suppress(Cancelled):
                self._serve()
        except Exception as error:
            message = f"Computing could not start: {error!r}. Start latviz again."
            self.broken.emit(Failure(message, traceback.format_exc()))
        finally:
            self._is_over = True

    def _serve(self) -> None:
        cache, self._rest_from = engine.startup.compile_cache, time.monotonic()
        if self._sparing:
            self.ready.emit()
        with ExitStack() as stack:
            self._kernels = [stack.enter_context(cache.Part(name)) for name in cache.WARM_UPS]
            self._to_load = [] if self._sparing else self._parts("pictures")
            self._pipeline = engine.flow.pipeline.Pipeline()
            self._errands = engine.advice.trying.Errands(self._has)
            while not self._stopped:
                if (request := self._next()) is not None:
                    self._take(request)
                elif (job := next(self._jobs(), None)) is not None:
                    job.do()

    def _jobs(self) -> Iterator[_Job]:
        """Yield what there is to do while no request waits, the most urgent first."""
        if (request := self._refused) is not None:
            yield _Job(POLL_S, partial(self._take, request))
        if (request := self._expected) is not None:
            is_painted = self._painted is self._shown
            yield _Job(0.0 if is_painted else PAUSE_S, partial(self._look_ahead, request))
        if self._to_load and (self._compiles if self._unfinished else not self._sparing):
            yield _Job(PAUSE_S, self._load)
        elif (request := self._unfinished) is not None:
            yield _Job(PAUSE_S, partial(self._finish, request))
        if (errand := self._errand) is not None:
            yield _Job(REST_S, partial(self._run, errand))

    def _patience(self) -> float | None:
        """Return the seconds to wait for requests before the next job; None for ever."""
        if (job := next(self._jobs(), None)) is None:
            return None
        return max(self._rest_from + job.pause, self._poll_at) - time.monotonic()

    def _parts(self, *names: str) -> Parts:
        """Return some kernels, in the order in which they are compiled."""
        return [part for part in self._kernels if part.name in names]

    def _lacking_parts(self, request: Request) -> Parts:
        """Return the kernels of a request that may be in no cache."""
        needed = {
            "pictures": True,
            "volumes": request.picture.dimensions == 3,
            "beliefs": request.believes,
            "regions": request.shows_regions,
        }
        names = [name for name, is_needed in needed.items() if is_needed]
        return [part for part in self._parts(*names) if not part.settled]

    def _take(self, request: Request) -> None:
        """Answer a request as far as it cannot wait."""
        self._expected = self._hand.follow(request, time.monotonic())
        self._answer(request, frozenset())

    def _look_ahead(self, request: Request) -> None:
        """Compute the expected next request of a drag while the window draws the last one.

        A core stays free for the window. Errors appear only if the request is made.
        """
        # Each thread takes the interpreter's lock from the window. So few do, and not before the
        # states are painted
        self._expected, pipeline, shown = None, self._pipeline.aside(), self._shown
        if shown is not None and request.follows is not None:
            request = replace(request, follows=shown.to_follow())
        most = min(threads.at_once() - 1, 1 + request.picture.n_nodes // threads.TOGETHER)
        with suppress(Exception), kernels.compiler.refusing_to_compile(), threads.at_most(most):
            frame = pipeline.run(request, Listener(self._is_called), late=frozenset())
            self._foreseen = Foreseen(request, frame)

    def _finish(self, request: Request) -> None:
        """Add an answer's missing results; code lengths last, if kernels must compile."""
        if not self._compiles:
            with kernels.compiler.refusing_to_compile():
                self._answer(request, LATE)
        elif not self._lacking <= LEFT_OUT:
            self._answer(request, LATE - LEFT_OUT)
        elif self._has(engine.choosing.sweeping.kernels_of(request.picture), lambda: None):
            self._answer(request, LATE)

    def _answer(self, request: Request, late: frozenset[str]) -> None:
        """Answer a request, with these late results; note missing ones."""
        listener = Listener(
            partial(self._is_given_up, request),
            self._show,
            Reporter(partial(self.progressed.emit, request.number)),
            lambda: self._waiting is not None,
        )
        self._unfinished = self._refused = None

        def show() -> None:
            try:
                frame = self._frame_of(request, listener, late)
            except kernels.compiler.NotCachedError:
                self._put_off(request, listener, bool(late))
                return
            self._lacking = frame.lacking
            self._unfinished = request if self._lacking else None
            self._show(frame)

        self._attempt(request, show, "picture")
        self._rest_from = time.monotonic()

    def _frame_of(self, request: Request, listener: Listener, late: frozenset[str]) -> Frame:
        """Return the frame of a request, if the kernels that it needs are there."""
        if (foreseen := self._foreseen) is not None and not late:
            self._foreseen = None
            if foreseen.answers(request):
                self._pipeline.take(foreseen.frame)
                own = replace(foreseen.frame.request, number=request.number)
                return replace(foreseen.frame, request=own)
        lacks = bool(self._lacking_parts(request))
        with kernels.compiler.refusing_to_compile() if lacks else nullcontext():
            return self._pipeline.run(request, listener, late=late)

    def _put_off(self, request: Request, listener: Listener, is_late: bool) -> None:
        """Try again once the kernels that a request lacks are compiled; show states before.

        What is to be tried is set last: not if the request is cancelled meanwhile.
        """
        lacking = self._lacking_parts(request)
        if not is_late and self._shown_early is not request:
            self._show_early(request, lacking, listener)
        self._to_load = [*dict.fromkeys([*self._to_load, *lacking])]
        if is_late:
            self._compiles, self._unfinished = True, request
            return
        self._refused = request
        first = "symbols" if request.parameters.encoding.discrete else "vectors"
        if len(lacking) == 1:  # so it is not in the cache
            lacking[0].begin(self.compiling.emit, first)
        else:
            self._are_ready(lacking, self.compiling.emit, first)

    def _show_early(self, request: Request, lacking: Parts, listener: Listener) -> None:
        """Show what can be computed of a request, once the kernels of states are there."""
        able = replace(request, needs=request.needs - REGIONS, selection=None)
        if lacking and lacking[0].name == "pictures":
            able = replace(able, needs=frozenset(), sample=min(request.sample, SAMPLE_EXACT))
        with suppress(kernels.compiler.NotCachedError), kernels.compiler.refusing_to_compile():
            frame = self._pipeline.run(able, listener, late=frozenset())
            self._show(replace(frame, request=replace(request, follows=None)))
            self._shown_early = request

    def _load(self) -> None:
        """Load the kernels that are not loaded yet, once they are compiled."""
        if not self._are_ready(self._to_load, self.compiling.emit):
            return
        self._to_load = []
        # The compiler's objects never go away; looking through them would stall the window.
        if not gc.get_freeze_count():  # twice would keep the objects of a closed window
            gc.freeze()
        self.prepared.set()
        self.ready.emit()

    def _has(self, names: Iterable[str], on_compile: Callable[[], None] | None = None) -> bool:
        """Return True if the kernels of some parts are there; errands announce compiling."""
        return self._are_ready(self._parts(*names), on_compile or self.preparing.emit)

    def _are_ready(self, parts: Parts, on_compile: Callable[[], None], first: str = "") -> bool:
        """Return True if kernels are there; if not, and they are compiled, ask again soon."""
        try:
            if all(part.is_ready(on_compile, self._is_called, first) for part in parts):
                return True
        except Cancelled:
            return False
        self._poll_at = time.monotonic() + POLL_S
        return False

    def _run(self, errand: Errand) -> None:
        """Do a piece of an errand, if its kernels are there; the rest of the errand stays."""
        found, left = list[object](), None
        watch = Watch(lambda: self._is_called() or self._errand is not errand)
        if errand.choose is not None:  # filling in is reported by its results
            watch = replace(watch, take=Reporter(partial(self.choosing.emit, errand.choose)))
        try:
            found, left = self._errands.piece(errand, watch)
        except Cancelled:
            return
        except Exception as error:
            message = f"The trade-off could not be computed: {error!r}."
            self.stumbled.emit(Failure(message, traceback.format_exc()))
        with self._condition:
            if self._errand is errand:
                self._errand = left
        for result in found:
            self.found.emit(result)

    def _is_called(self) -> bool:
        return self._stopped or self._waiting is not None

    def _show(self, frame: Frame) -> None:
        self._shown = frame
        self.computed.emit(frame)
        if not frame.pending or frame.coarse:
            self._answered = time.monotonic()

    def _is_given_up(self, request: Request) -> bool:
        """Return True if a newer request waits; but a long drag must see pictures on its way."""
        if self._is_unwanted(request):
            return True
        if (newer := self._waiting) is None or newer.picture is not request.picture:
            return newer is not None
        return request.takes_long or time.monotonic() - self._answered < PATIENCE_S
