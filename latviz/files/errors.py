"""The two exceptions that the file layer raises: both name the file and say what to do."""

from __future__ import annotations

import errno
import unicodedata
from pathlib import Path

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


class FileError(Exception):
    """A file cannot be used.

    Attributes
    ----------
    path : Path
        The file.
    name : str
        What the message calls it: the file's name, unless who passes it on knows a better one.
    reason : str
        What was wrong and what to do, as one plain sentence.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.name = path.name or str(path)
        self.reason = reason

    def __str__(self) -> str:
        text = f"{shortened(self.name)}: {self.reason}"
        return "".join(map(_visible, text))


class ImageError(FileError):
    """A file cannot be read as an image, a volume or a sequence.

    ``reduction`` is what to divide its sides by, if it could then be read.
    """

    def __init__(self, path: Path, reason: str, reduction: int | None = None) -> None:
        super().__init__(path, reason)
        self.reduction = reduction


class SessionError(FileError):
    """A file cannot be read as a session."""


class ImageSetError(FileError):
    """A folder or file cannot be read as images and their classes."""


class ExportError(FileError):
    """A file cannot be written."""


def shortened(name: str, most: int = 100) -> str:
    """Return a name without its middle if it is longer than so many characters."""
    if len(name) <= most:
        return name
    half = most // 2
    return f"{name[:half]}…{name[-half + 1 :]}"


def _visible(character: str) -> str:
    """Write out what would break a line or command a terminal: names and files may hold it."""
    control = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return ascii(character)[1:-1] if control else character


def plain(error: OSError) -> str:
    """Say in plain words what the operating system refused."""
    if error.errno in _PLAIN:
        return _PLAIN[error.errno]
    what = error.strerror or str(error) or type(error).__name__
    return f"the system reports: {what}; try again or use another place"
