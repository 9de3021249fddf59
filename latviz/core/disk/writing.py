"""The one way to write a file or a folder: whole or not at all; or a file grows by whole pieces."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from latviz.core.disk.errors import IN_USE, ExportError, RefusedError, TargetError, plain
from latviz.core.disk.inputs import check_kept
from latviz.core.disk.names import refusal_of_windows
from latviz.core.disk.parts import part_of
from latviz.core.disk.reading import check_regular, without_waiting

PATIENCE_S = 1.0
"""Seconds for which a file waits for the programs that read the one that it replaces."""
LOOK_S = 0.02
"""Seconds between attempts to replace it."""


@contextmanager
def replacing(
    path: str | os.PathLike[str], mode: int = 0o666, *, lasting: bool = True
) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces ``path`` if the block ends well; else `ExportError`."""
    # It is in the same folder, and is removed if anything fails, so that an older file stays. It
    # reaches the disk first, unless it need not be ``lasting`` after a power failure, like data
    # that can be computed again, which may also be read and replaced by one command. A link is
    # followed; the mode of an older file is kept. Devices, pipes, sockets and inputs are never
    # replaced
    path = Path(path)
    target = _target(path)
    if lasting:
        check_kept(path)
    temporary = part_of(target)
    try:
        with _removed_on_failure(temporary):
            with open(temporary, "xb", opener=partial(os.open, mode=mode)) as stream:
                yield stream
                stream.flush()
                if lasting:
                    os.fsync(stream.fileno())
            with suppress(OSError):
                shutil.copymode(target, temporary)
            _check_kind(target)  # it may be another by now, or an input
            if lasting:
                check_kept(target)
            move(temporary, target)
    except OSError as error:
        raise ExportError(path, plain(error)) from error
    except MemoryError as error:
        raise ExportError(path, "there is not enough memory; close other programs") from error


def move(source: Path, target: Path) -> None:
    """Give a file or folder its name, in place of another; `RefusedError` if that is in use."""
    # Windows refuses while any program reads the other one, which most do for a moment
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return os.replace(source, target)
        except PermissionError as error:
            if not getattr(error, "winerror", None):
                raise
            if time.monotonic() >= end:
                raise RefusedError(IN_USE) from error
        time.sleep(LOOK_S)


def append(path: str | os.PathLike[str], data: bytes) -> None:
    """Append bytes to a file, which is made if missing; a link is followed; else `ExportError`."""
    # It may be an input: its content stays
    path = Path(path)
    target = _target(path)
    try:
        with open(target, "ab", opener=without_waiting) as stream:
            _check_kind(target)  # it may be another by now
            stream.write(data)
    except OSError as error:
        raise ExportError(path, plain(error)) from error


def remove(path: Path) -> None:
    """Delete a file, if it is there; `ExportError` if it cannot be deleted."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ExportError(path, plain(error)) from error


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise `ExportError` if it is known already that the file cannot be written."""
    target = _target(Path(path))
    check_kept(path)
    if sys.platform == "win32":  # which answers `os.access` from a flag of files alone
        _try(Path(path), target)


def check_targets(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Check each of the files that one command writes; `TargetError` if two are the same file."""
    known = set[Path]()
    for path in paths:
        check_target(path)
        target = Path(path).resolve()
        if target in known:
            raise TargetError(Path(path), "two results have this name; choose one for each")
        known.add(target)


def check_new(path: Path) -> None:
    """Raise `ExportError` if there is a file or folder of that name, or no place for one."""
    check_kept(path)
    if path.exists():
        raise ExportError(path, "there is such a file or folder already; choose another name")
    check_target(path)


@contextmanager
def becoming(path: Path) -> Iterator[Path]:
    """Make a folder that gets its name when the block ends well, and is removed if it does not."""
    check_new(path)
    part = part_of(path)
    try:
        part.mkdir()
        yield part
        move(part, path)
    except OSError as error:
        raise ExportError(path, plain(error)) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def folder_problem(folder: Path, *, is_made: bool = False) -> str:
    """Return why files cannot be written into a folder, with a remedy, or ""."""
    # is_made: the folder will be made, with its parents. OSError if the system does not answer
    there = next((one for one in (folder, *folder.parents) if one.exists()), None)
    if there is None or (there != folder and there.is_dir() and not is_made):
        return f"there is no folder {folder}; make it, or choose another place"
    if not there.is_dir():
        return f"{there} is a file, not a folder; choose another place"
    if not os.access(there, os.W_OK):
        return f"the folder {there} is write-protected; choose another place"
    return ""


def _try(path: Path, target: Path) -> None:
    """Open a file to write it, if there is one, and make another in its folder."""
    part = part_of(target)
    try:
        with suppress(FileNotFoundError), open(target, "r+b", opener=without_waiting):
            pass
        with open(part, "xb"):
            pass
        part.unlink()
    except OSError as error:
        raise ExportError(path, plain(error)) from error


def _target(path: Path) -> Path:
    """Return the file to replace, which need not exist."""
    try:
        target = path.resolve()
        problem = folder_problem(target.parent if path.is_symlink() else path.parent)
        if sys.platform == "win32":
            problem = problem or refusal_of_windows(path.name)
        if problem:
            raise ExportError(path, problem)
        _check_kind(target)
        protected = target.exists() and not os.access(target, os.W_OK)
    except OSError as error:
        raise ExportError(path, plain(error)) from error
    except (ValueError, RuntimeError) as error:  # null characters, links in a circle
        raise ExportError(path, "its name cannot be the name of a file; change it") from error
    if protected:
        raise ExportError(path, "it is write-protected; choose another name")
    return target


def _check_kind(target: Path) -> None:
    """Raise `RefusedError` if there is something that a file must not take the place of."""
    with suppress(FileNotFoundError):
        check_regular(target.stat().st_mode, "another name")


@contextmanager
def _removed_on_failure(temporary: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
