"""Errors of files; each names the file and says what to do."""

from __future__ import annotations

from pathlib import Path

from latviz.core.disk.errors import FileError


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
