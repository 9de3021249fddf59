"""Records all failures in this process: exceptions, warnings, output, stalls."""

import gc
import os
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from PyQt6.QtCore import QAbstractEventDispatcher, qInstallMessageHandler

STALL_S = 0.25
"""A window's thread has stalled if it computes for longer between rounds of events."""
SAMPLED_S, EVERY_S = 0.12, 0.02
"""Duration after which a section's stack is sampled, and how often it is looked at."""
OF_THE_TOOLS = ("This plugin does not support ", "Mouse event at ")
"""Prefixes of messages about limits of the platform without a display, or about a drag out of a
window."""


class Trouble(NamedTuple):
    kind: str  # "output", "failure" or "stuck"
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
        self._rounds = dispatcher.awake, dispatcher.aboutToBlock
        for signal in self._rounds:
            signal.connect(self._next)
        self._sampler = threading.Thread(target=self._sample, name="sampler", daemon=True)
        self._sampler.start()

    def close(self) -> None:
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
        taken = self._now() - self._start
        if self._counting and taken > self._limit:
            self.stalls.append(Stall(taken, self._during(), self._where))
        self._where, self._start = "", self._now()

    def _sample(self) -> None:
        while not self._ended.wait(EVERY_S):
            if self._counting and self._now() - self._start > SAMPLED_S:
                self._where = " > ".join(_lines_of(self._thread)[-6:])


def _lines_of(thread: int) -> list[str]:
    """Return the program's lines that a thread is in, the innermost last.

    No frame is kept. One that is keeps the locals of its call, such as fonts and painters, which
    are then destroyed in this thread while the window's uses what they share.
    """
    found: list[str] = []
    frame = sys._current_frames().get(thread)
    while frame is not None:
        place = frame.f_code
        if "/latviz/" in place.co_filename:
            name = place.co_filename.split("/latviz/")[-1]
            found.append(f"{name}:{frame.f_lineno} {place.co_name}")
        frame = frame.f_back
    return found[::-1]


@dataclass
class Watch:
    """All failures so far; ``step`` and ``act`` are the robot's current ones."""

    troubles: list[Trouble] = field(default_factory=list)
    act: str = "starting"
    step: int = 0

    def note(self, kind: str, text: str) -> None:
        self.troubles.append(Trouble(kind, text.strip(), f"{self.step} {self.act}"))


HOOKS = (sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")


@contextmanager
def watching(watch: Watch) -> Iterator[Callable[[], None]]:
    """Take all that is printed as trouble; yield a function that looks for it.

    Exceptions, warnings and messages of Qt are printed. A process that is aborted leaves the file
    behind: ``latviz-robot-....txt`` among temporary ones.
    """
    before = *(getattr(*hook) for hook in HOOKS), qInstallMessageHandler(None)
    for module, name in HOOKS:
        shown = getattr(module, f"__{name}__")
        setattr(
            module, name, lambda *raised, shown=shown: shown(*raised)
        )  # no default: PyQt aborts
    kept, stream, read = os.dup(2), sys.stderr, 0
    with (
        tempfile.NamedTemporaryFile(
            "w", prefix="latviz-robot-", suffix=".txt", buffering=1
        ) as file,
        warnings.catch_warnings(),
    ):
        os.dup2(file.fileno(), 2)
        sys.stderr = file
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", ".* is deprecated", DeprecationWarning, "zia(math|font)")
        warnings.showwarning = lambda *w: print(warnings.formatwarning(*w[:4]), file=sys.stderr)

        def look() -> None:
            nonlocal read
            new = os.pread(file.fileno(), 1 << 20, read)
            read += len(new)
            lines = new.decode(errors="replace").splitlines()
            if text := "\n".join(one for one in lines if not one.startswith(OF_THE_TOOLS)):
                watch.note("output", text)

        try:
            yield look
        finally:
            gc.collect()
            look()
            os.dup2(kept, 2)
            os.close(kept)
            sys.stderr = stream
            qInstallMessageHandler(before[-1])
            for (module, name), hook in zip(HOOKS, before, strict=False):
                setattr(module, name, hook)
