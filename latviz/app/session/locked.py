"""Files of running programs: each has a lock, which tells whether its program still runs."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from PyQt6.QtCore import QLockFile

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
