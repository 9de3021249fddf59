"""Records all failures in this process: exceptions, warnings, output, stalls."""

import gc
import os
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from PyQt6.QtCore import QAbstractEventDispatcher, QtMsgType, qInstallMessageHandler

STALL_S = 0.25
"""A window's thread has stalled if it computes for longer between rounds of events."""
SAMPLED_S, EVERY_S = 0.12, 0.02
"""Duration after which a section's stack is sampled, and how often it is looked at."""
OF_THE_TOOLS = ("This plugin does not support ", "Mouse event at ")
"""Prefixes of messages about limits of the platform without a display, or about a drag out of a
window."""


class Trouble(NamedTuple):
    """Something that must not happen."""

    kind: str  # "exception", "Qt", "warning", "output", "failure" or "stuck"
    text: str
    during: str  # the act


class Stall(NamedTuple):
    """A time in which the window's thread computed and handled no event."""

    seconds: float
    during: str
    where: str  # the innermost lines of the program that were seen last


class Sections:
    """Times sections of the window's thread, from one round of events to the next.

    The robot's own computations are excluded: it does everything in `apart`, and sends events to
    the window in `handling`.
    """

    def __init__(self, during: Callable[[], str], limit: float = STALL_S) -> None:
        self.stalls: list[Stall] = []
        self._during, self._limit, self._counting, self._where = during, limit, True, ""
        self._thread, self._ended = threading.get_ident(), threading.Event()
        self._clock = time.pthread_getcpuclockid(self._thread)  # waits for a core do not count
        self._start = self._now()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        self._rounds = dispatcher.awake, dispatcher.aboutToBlock
        for signal in self._rounds:
            signal.connect(self._next)
        self._sampler = threading.Thread(target=self._sample, name="sampler", daemon=True)
        self._sampler.start()

    def close(self) -> None:
        """Stop the timing."""
        self._ended.set()
        self._sampler.join()
        for signal in self._rounds:
            signal.disconnect(self._next)

    @contextmanager
    def _counted(self, counting: bool) -> Iterator[None]:
        self._next()
        before, self._counting = self._counting, counting
        try:
            yield
        finally:
            self._next()
            self._counting = before

    def apart(self) -> Any:
        """Do something that is not timed."""
        return self._counted(False)

    def handling(self) -> Any:
        """Let the window handle an event."""
        return self._counted(True)

    def _now(self) -> float:
        return time.clock_gettime(self._clock)

    def _next(self) -> None:
        """End a section, and begin the next one."""
        taken = self._now() - self._start
        if self._counting and taken > self._limit:
            self.stalls.append(Stall(taken, self._during(), self._where))
        self._where, self._start = "", self._now()

    def _sample(self) -> None:
        """Sample the stack of the window's thread in long sections."""
        while not self._ended.wait(EVERY_S):
            frame = sys._current_frames().get(self._thread)
            if self._counting and self._now() - self._start > SAMPLED_S and frame is not None:
                lines = traceback.extract_stack(frame)
                own = [one for one in lines if "/latviz/" in one.filename][-6:]
                self._where = " > ".join(
                    f"{one.filename.split('/latviz/')[-1]}:{one.lineno} {one.name}" for one in own
                )


@dataclass
class Watch:
    """All failures so far; ``step`` and ``act`` are the robot's current ones."""

    troubles: list[Trouble] = field(default_factory=list)
    act: str = "starting"
    step: int = 0

    def note(self, kind: str, text: str) -> None:
        """Take note of trouble."""
        self.troubles.append(Trouble(kind, text.strip(), f"{self.step} {self.act}"))

    def take_exception(self, *raised: Any) -> None:
        """Record an uncaught exception, like `sys.excepthook`."""
        self.note("exception", "".join(traceback.format_exception(*raised)))

    def take_unraisable(self, told: Any) -> None:
        """Take an exception that could not be raised."""
        self.take_exception(told.exc_type, told.exc_value, told.exc_traceback)

    def take_qt(self, kind: QtMsgType, _context: Any, text: str | None) -> None:
        """Take a message of Qt."""
        if kind == QtMsgType.QtFatalMsg:  # Qt ends the process next
            os.write(2, f"{text}\n".encode())
        is_plain = kind in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
        if not is_plain and not (text or "").startswith(OF_THE_TOOLS):
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
