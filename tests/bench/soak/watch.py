"""Records all failures in this process: exceptions, warnings, output, stalls."""

import gc
import os
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from traceback import walk_stack
from types import FrameType
from typing import Any

from PyQt6.QtCore import QAbstractEventDispatcher, QtMsgType, qInstallMessageHandler

STALL_S = 0.25
"""A window's thread has stalled if it computes for longer between rounds of events."""
SAMPLED_S = 0.12
"""Duration after which the activity of a section is sampled."""
EVERY_S = 0.02
OF_THE_TOOLS = ("This plugin does not support ", "Mouse event at ")
"""Prefixes of messages about limits of the platform without a display, or about a drag out of a
window."""

OF_THE_ROBOT = "Objects/tupleobject.c"
"""The place of an error that the robot makes itself, in very few runs, when it counts objects."""


@dataclass(frozen=True)
class Trouble:
    """Something that must not happen."""

    kind: str  # "exception", "Qt", "warning", "output", "failure" or "stuck"
    text: str
    during: str  # the act


@dataclass(frozen=True)
class Stall:
    """A time in which the window's thread handled no event."""

    cpu: float  # seconds that it computed
    blocked: float  # that it waited for others of the program or the disk
    wall: float  # elapsed: in the rest a busy machine did something else
    during: str
    where: str  # the innermost lines of the program that were seen most often


class Sections:
    """Times sections of the window's thread, from one round of events to the next.

    The robot's own computations are excluded: it does everything in `apart`, and sends events to
    the window in `handling`. `stalls` are sections that computed for too long. `waits` are sections
    in which the thread was blocked for too long while events were pending.
    """

    def __init__(self, during: Callable[[], str], limit: float = STALL_S) -> None:
        self.stalls: list[Stall] = []
        self.waits: list[Stall] = []
        self._during, self._limit = during, limit
        self._counting = True
        self._busy = False
        self._seen: Counter[str] = Counter()
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._schedule = os.open(
            f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY
        )
        self._thread = threading.get_ident()
        self._ended = threading.Event()
        self._start = self._now()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        self._dispatcher = dispatcher
        dispatcher.awake.connect(self._awake)
        dispatcher.aboutToBlock.connect(self._block)
        self._sampler = threading.Thread(target=self._sample, name="sampler", daemon=True)
        self._sampler.start()

    def close(self) -> None:
        """Stop the timing."""
        self._ended.set()
        self._sampler.join()
        self._dispatcher.awake.disconnect(self._awake)
        self._dispatcher.aboutToBlock.disconnect(self._block)
        os.close(self._schedule)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Do something that is not timed."""
        self._end_section()
        before, self._counting = self._counting, False
        try:
            yield
        finally:
            self._counting = before
            self._begin_section()

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Let the window handle an event."""
        before, self._counting = self._counting, True
        self._begin_section(busy=True)
        try:
            yield
        finally:
            self._end_section()
            self._counting = before

    def _awake(self) -> None:
        self._end_section()
        self._begin_section(busy=True)

    def _block(self) -> None:
        self._end_section()
        self._begin_section()

    def _now(self) -> tuple[float, float, float]:
        """Return the seconds that the thread has computed, has not waited for a core, and now."""
        _, delayed, _ = os.pread(self._schedule, 100, 0).split()
        ran, now = time.clock_gettime(self._clock), time.monotonic()
        return ran, now - int(delayed) / 1e9, now

    def _begin_section(self, busy: bool = False) -> None:
        self._seen.clear()
        self._busy = busy
        self._start = self._now()

    def _end_section(self) -> None:
        if not self._counting:
            return
        cpu, own, wall = (b - a for a, b in zip(self._start, self._now(), strict=True))
        if cpu > self._limit:
            self.stalls.append(self._told(cpu, own - cpu, wall))
        elif self._busy and own - cpu > self._limit:
            self.waits.append(self._told(cpu, own - cpu, wall))

    def _told(self, *times: float) -> Stall:
        where = "\n".join(f"{n} x {line}" for line, n in self._seen.most_common(3))
        return Stall(*times, self._during(), where)

    def _sample(self) -> None:
        """Sample the activity of the window's thread in long sections."""
        while not self._ended.wait(EVERY_S):
            ran, own, _ = self._now()
            start, _, _ = began = self._start
            long = ran - start > SAMPLED_S or (self._busy and own - began[1] > SAMPLED_S)
            frame = sys._current_frames().get(self._thread)
            if self._counting and long and frame is not None:
                self._seen[" > ".join(_innermost(frame))] += 1


def _innermost(frame: FrameType) -> list[str]:
    """Return the innermost lines of the program; their texts would fill memory that is watched."""
    places = [(at.f_code.co_filename, line, at.f_code.co_name) for at, line in walk_stack(frame)]
    own = [place for place in places if "tests/bench" not in place[0]][:6]
    return [f"{file.split('/latviz/')[-1]}:{line} {name}" for file, line, name in reversed(own)]


@dataclass
class Watch:
    """All failures so far; ``step`` and ``act`` are the robot's current ones."""

    troubles: list[Trouble] = field(default_factory=list)
    act: str = "starting"
    step: int = 0

    def note(self, kind: str, text: str) -> None:
        """Take note of trouble."""
        if OF_THE_ROBOT not in text:
            self.troubles.append(Trouble(kind, text.strip(), f"{self.step} {self.act}"))

    def take_exception(self, *raised: Any) -> None:
        """Record an uncaught exception, like `sys.excepthook`."""
        self.note("exception", "".join(traceback.format_exception(*raised)))

    def take_unraisable(self, told: Any) -> None:
        """Take an exception that could not be raised."""
        lines = traceback.format_exception(told.exc_type, told.exc_value, told.exc_traceback)
        self.note("exception", f"{told.err_msg} {told.object!r}\n{''.join(lines)}")

    def take_qt(self, kind: QtMsgType, _context: Any, text: str | None) -> None:
        """Take a message of Qt."""
        if kind == QtMsgType.QtFatalMsg:  # Qt ends the process next
            os.write(2, f"{text}\n".encode())
        told_anyway = kind in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
        if not told_anyway and not (text or "").startswith(OF_THE_TOOLS):
            stack = "".join(traceback.format_stack()[-7:-1])
            self.note("Qt", f"{kind.name}: {text}\n{stack}")

    def take_warning(self, message: Any, category: Any, filename: str, line: int, *_: Any) -> None:
        """Take a warning of Python."""
        self.note("warning", f"{filename}:{line}: {category.__name__}: {message}")


@contextmanager
def watching(watch: Watch) -> Iterator[Callable[[], None]]:
    """Record everything meanwhile; yield a function that checks output to the error stream."""
    before = sys.excepthook, sys.unraisablehook, threading.excepthook
    sys.excepthook = watch.take_exception
    sys.unraisablehook = watch.take_unraisable
    threading.excepthook = lambda args: watch.take_exception(*args[:3])
    qt_before = qInstallMessageHandler(watch.take_qt)
    with warnings.catch_warnings(), _captured() as new_output:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", ".* is deprecated", DeprecationWarning, "zia(math|font)")
        warnings.showwarning = watch.take_warning

        def look() -> None:
            if text := new_output():
                watch.note("output", text)

        try:
            yield look
        finally:
            gc.collect()
            look()
            qInstallMessageHandler(qt_before)
            sys.excepthook, sys.unraisablehook, threading.excepthook = before


@contextmanager
def _captured() -> Iterator[Callable[[], str]]:
    """Put the error stream, Qt's and that of libraries too, into a file; yield its reader.

    A process that is aborted leaves the file behind: ``latviz-robot-....txt`` among temporary ones.
    """
    sys.stderr.flush()
    with tempfile.NamedTemporaryFile(prefix="latviz-robot-", suffix=".txt") as file:
        kept, read = os.dup(2), 0

        def new() -> str:
            nonlocal read
            sys.stderr.flush()
            text = os.pread(file.fileno(), 1 << 20, read)
            read += len(text)
            return text.decode(errors="replace")

        os.dup2(file.fileno(), 2)
        try:
            yield new
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)
