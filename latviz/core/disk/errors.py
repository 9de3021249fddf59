"""Exceptions that name a file, the error and a remedy."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from latviz.core.printable import printable

_PLAIN = {
    errno.ENOENT: "there is no such file or folder; check the name and the place",
    errno.EACCES: "access to it is not permitted; change its permissions or use another place",
    errno.EPERM: "access to it is not permitted; change its permissions or use another place",
    errno.EISDIR: "it is a folder, not a file; choose a file",
    errno.ENOTDIR: "a part of its path is a file, not a folder; check the path",
    errno.ENOSPC: "the disk is full; make room or use another disk",
    errno.EROFS: "its disk is read-only; use another place",
    errno.ENAMETOOLONG: "its name is too long; shorten it",
    errno.ELOOP: "its links lead in a circle; use the real file",
}
IN_USE = "another program has it open; close it there and try again"
_SHARED, _TOO_LONG = (32, 33), 206
"""Windows' errors: another program has a file, or a part of one, open; a path is too long."""
_LONGEST = 259
"""Characters of a path on Windows, unless longer ones are enabled."""


class FileError(Exception):
    """A file cannot be used."""

    # path; name: the file's, unless the caller has a better one; reason: the error and a remedy, as
    # one plain sentence

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.name = path.name or str(path)
        self.reason = reason

    def __str__(self) -> str:
        return printable(f"{shortened(self.name)}: {self.reason}")


class ExportError(FileError):
    """A file cannot be written."""


class TargetError(ExportError):
    """A file must not be written: it is an input, or two results have its name."""


class RefusedError(OSError):
    """A file that the system would read, and latviz does not; `plain` returns its reason."""

    # An OSError, so that callers that handle a broken disk handle it

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EINVAL, reason)


def shortened(name: str, most: int = 100) -> str:
    """Return a name without its middle if it is too long."""
    if len(name) <= most:
        return name
    half = most // 2
    return f"{name[:half]}…{name[-half + 1 :]}"


def plain(error: OSError) -> str:
    """Return the operating system's error in plain words."""
    if isinstance(error, RefusedError):
        return str(error.strerror)
    if reason := _on_windows(error):
        return reason
    if error.errno in _PLAIN:
        return _PLAIN[error.errno]
    what = error.strerror or str(error) or type(error).__name__
    return f"the system reports: {what}; try again or use another place"


def _on_windows(error: OSError) -> str:
    """Return the plain words of an error that has another meaning on Windows, or ""."""
    number = getattr(error, "winerror", None)  # some calls have none
    is_missing = sys.platform == "win32" and error.errno == errno.ENOENT
    path = os.path.abspath(error.filename) if is_missing and error.filename else ""
    if number in _SHARED:
        return IN_USE
    if number == _TOO_LONG or len(path) > _LONGEST:
        return (
            f"its path is too long: Windows takes {_LONGEST} characters, and a file needs some 50 "
            "more while it is written; choose a folder with a shorter path"
        )
    if sys.platform == "win32" and error.errno == errno.EACCES:
        return (
            "another program has it open, or your account has no access to it; close it there, or "
            "use another place"
        )
    return ""
