"""Files of running programs, with a lock, and reports of those that did not end properly."""

import faulthandler
import os
import platform
import re
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PyQt6.QtCore import QT_VERSION_STR, QLockFile, QObject, Qt, pyqtSignal

import latviz
from latviz.core.disk.errors import FileError
from latviz.core.disk.reading import read_text
from latviz.core.disk.writing import move

MOST = 5
"""Reports of earlier programs that are kept."""
PATIENCE_S = 5.0
"""Seconds that the window has to keep the work after a signal."""
_RUNNING, _ENDED, _REPORT = "run-", "ended-", ".txt"
_FAULTS = {
    "Segmentation fault": "SIGSEGV",
    "Aborted": "SIGABRT",
    "Bus error": "SIGBUS",
    "Floating point exception": "SIGFPE",
    "Floating-point exception": "SIGFPE",
    "Illegal instruction": "SIGILL",
}
"""Faults as `faulthandler` writes them, which cannot be survived."""
_ASKING = (
    *("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGBREAK", "SIGUSR1", "SIGUSR2", "SIGALRM"),
    *("SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGPWR", "SIGPOLL", "SIGSTKFLT", "SIGSYS", "SIGTRAP"),
)
"""Signals that end a program but leave it time to keep the work."""
_NO_NOTICE = (
    "it was ended without notice, as by SIGKILL, when memory runs short, or with the computer"
)


F = TypeVar("F", bound="LockedFile")


class LockedFile:
    """A file and its lock, which a program holds as long as it runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)  # only that of a process that ended is stale

    def take(self) -> bool:
        """Take the lock; return False if a running program has it."""
        return bool(self._lock.tryLock(0))

    def release(self) -> None:
        """Leave the file to the next start."""
        self._lock.unlock()

    def remove(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.release()


def left_in(folder: Path, prefix: str, suffix: str) -> Iterator[LockedFile]:
    """Yield the files of a folder with a prefix and a suffix, newest first; remove unused locks."""
    for lock in folder.glob(f"{prefix}*.lock"):
        file = LockedFile(lock.with_suffix(suffix))
        if not file.path.exists() and file.take():
            file.release()
    dated = []
    for path in folder.glob(f"{prefix}*{suffix}"):
        with suppress(OSError):  # another program may remove its own just now
            dated.append((path.stat().st_mtime_ns, path))
    yield from (LockedFile(path) for _, path in sorted(dated, reverse=True))


class Ending(QObject):
    """The report of this program, which lasts only if the program does not end properly."""

    # `faulthandler` and the signals of the system write into it. ``keep`` is called in the window's
    # thread before a signal ends the program

    _asked = pyqtSignal(int)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.keep: Callable[[], object] = lambda: None
        self._file = LockedFile(folder / f"{_RUNNING}{secrets.token_hex(6)}{_REPORT}")
        self._stream = -1
        self._caught: dict[int, Any] = {}  # what took each signal before
        self._asked.connect(self._leave, Qt.ConnectionType.QueuedConnection)  # type: ignore[call-arg]

    def begin(self) -> None:
        """Write the report from now on, if the folder can be written."""
        path = self._file.path
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._file.take():
                self._stream = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                versions = f"latviz {latviz.__version__}, Python {platform.python_version()}"
                self.note(f"{versions}, Qt {QT_VERSION_STR}, {platform.platform()}")
                self.note(f"Started {time.strftime('%Y-%m-%d %H:%M:%S')}")
                faulthandler.enable(self._stream)
                self._catch()

    def note(self, line: str) -> None:
        """Write a line."""
        if self._stream >= 0:
            with suppress(OSError):
                os.write(self._stream, f"{line}\n".encode())

    def end(self) -> None:
        """Remove the report: the program ends properly."""
        if self._stream >= 0:
            for number, before in self._caught.items():
                signal.signal(number, before)
            os.close(signal.set_wakeup_fd(-1))  # which ends the thread
            faulthandler.disable()
            os.close(self._stream)
            self._stream = -1
            self._file.remove()
            with suppress(OSError):  # other files are in it
                self._file.path.parent.rmdir()

    def _catch(self) -> None:
        """Have a thread take the signals, so that they are seen whatever the window does."""
        receiver, sender = socket.socketpair()
        sender.setblocking(False)
        usual = (signal.SIG_DFL, signal.default_int_handler)  # others have their reason
        known = [getattr(signal, name) for name in _ASKING if hasattr(signal, name)]
        for number in known:
            if signal.getsignal(number) in usual:
                self._caught[number] = signal.signal(number, _do_nothing)
        signal.set_wakeup_fd(sender.detach(), warn_on_full_buffer=False)
        threading.Thread(target=self._wait, args=(receiver,), name="signals", daemon=True).start()

    def _wait(self, receiver: socket.socket) -> None:
        """Wait for a signal that ends the program, and give the window some time to keep work."""
        number = 0
        with receiver:
            while number not in self._caught:
                heard = receiver.recv(1)
                if not heard:  # the program ends properly
                    return
                number = heard[0]
        self.note(f"Ended by {signal.Signals(number).name}")
        faulthandler.dump_traceback(self._stream)
        self._asked.emit(number)
        time.sleep(PATIENCE_S)
        os._exit(128 + number)

    def _leave(self, number: int) -> None:
        try:
            self.keep()
        finally:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)


@contextmanager
def reported(folder: Path | None) -> Iterator[Ending | None]:
    """Keep a report in a folder while the program runs, if anything is stored."""
    if folder is None:
        yield None
        return
    ending = Ending(folder)
    ending.begin()
    try:
        yield ending
    finally:
        ending.end()


def _do_nothing(*_: object) -> None:
    """Let the thread that waits for signals take it."""


@dataclass(frozen=True)
class Ended:
    """The report of a program that did not end properly."""

    path: Path
    text: str

    @property
    def cause(self) -> str:
        """The end of a sentence that says what ended the program."""
        fault = re.search(
            r"^(?:Fatal Python error|Windows fatal exception): (.+)$", self.text, re.M
        )
        if fault:
            names = [fault[1].lower(), *filter(None, [_FAULTS.get(fault[1])])]
            return f"it crashed ({', '.join(names)})"
        asked = re.search(r"^Ended by (SIG\w+)$", self.text, re.M)
        return (
            f"it was ended by the system or another program ({asked[1]})" if asked else _NO_NOTICE
        )

    def is_of(self, work: Path) -> bool:
        """Return True if the program kept its work in a file."""
        return work_line(work) in self.text.splitlines()


def work_line(work: Path) -> str:
    """Return the line of a report that names the file of kept work."""
    return f"Work: {work.name}"


def set_aside(folder: Path) -> bool:
    """Give the reports of programs that have ended their lasting names; return if there are any."""
    found = False
    for file in left_in(folder, _RUNNING, _REPORT):
        if file.take():
            with suppress(OSError):
                day = time.strftime("%Y%m%d-%H%M%S", time.localtime(file.path.stat().st_mtime))
                name = file.path.name.replace(_RUNNING, f"{_ENDED}{day}-", 1)
                move(file.path, file.path.with_name(name))
                found = True
            file.release()
    for path in _paths(folder)[MOST:]:
        with suppress(OSError):
            path.unlink(missing_ok=True)
    return found


def ended_in(folder: Path) -> list[Ended]:
    """Return the reports that were set aside in a folder, newest first."""
    found = []
    for path in _paths(folder):
        with suppress(OSError, FileError):
            found.append(Ended(path, read_text(path)))
    return found


def _paths(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{_ENDED}*{_REPORT}"), reverse=True)
