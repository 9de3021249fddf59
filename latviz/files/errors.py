"""Errors of files; each names the file and a remedy."""

from __future__ import annotations

from pathlib import Path

from latviz.core.disk.errors import FileError


class ImageError(FileError):
    """A file cannot be read as an image, a volume or a sequence.

    ``reduction`` divides its sides so that it can be read, if that would help.
    """

    def __init__(self, path: Path, reason: str, reduction: int | None = None) -> None:
        super().__init__(path, reason)
        self.reduction = reduction


class SessionError(FileError):
    """A file cannot be read as a session."""


class ImageSetError(FileError):
    """A folder or file cannot be read as images and their classes."""
