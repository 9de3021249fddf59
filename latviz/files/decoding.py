"""What every decoder shares: its result, its limits, and a fence around foreign code."""

from __future__ import annotations

import logging
import os
import stat
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Literal

import PIL.Image
from numpy.typing import NDArray

from latviz.files import memory

_MAX_REMARKS = 3
_LOUD = ("PIL", "tifffile")
# The warning filters and the loggers belong to the whole process.
_one_at_a_time = threading.RLock()

Alpha = Literal["none", "straight", "premultiplied"]


class DecodeError(Exception):
    """A decoder gave up; `reason` says why and what to do.

    ``reduction`` is what to divide the image's sides by, if that would help.
    """

    def __init__(self, reason: str, reduction: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.reduction = reduction


@dataclass(frozen=True, eq=False)
class Decoded:
    """What a decoder hands over, before depth, transparency and orientation are settled.

    Attributes
    ----------
    samples : ndarray, shape (H, W) or (H, W, C), any dtype
        The colours, and behind them the alpha channel unless `alpha` is "none".
    alpha : {"none", "straight", "premultiplied"}
        What the last channel is.
    orientation : int
        The EXIF orientation that is still to be applied; 1 and unknown values leave the image.
    page, pages : int
        Which page this is, from 0, and how many the file has.
    unit : str
        What the file's pages are called.
    indices : ndarray, shape (H, W), uint8, or None
        Palette indices by row and column.
    reduced : int
        What the sides were divided by while it was decoded.
    notes : tuple of str
        What was done so far.
    """

    samples: NDArray[Any]
    alpha: Alpha = "none"
    orientation: int = 1
    page: int = 0
    pages: int = 1
    unit: str = "page"
    indices: NDArray[Any] | None = None
    reduced: int = 1
    notes: tuple[str, ...] = ()


def check_size(width: int, height: int, reduction: int = 1, slices: int = 1) -> None:
    """Raise `DecodeError` for an image without pixels, or too large to be read or explored.

    ``reduction`` is what its sides will be divided by; a volume has ``slices``.
    """
    depth = f"{slices} slices of " if slices > 1 else ""
    size, n_pixels = f"it is {depth}{width} × {height} pixels", width * height * slices
    if width < 1 or height < 1:
        raise DecodeError(f"{size}, so there is nothing to show")
    if n_pixels > memory.most_read():
        limit = _limit(memory.most_read(), memory.MAX_READ, "read")
        raise DecodeError(f"{size}, more than {limit}; scale it down or crop it first")
    if n_pixels > memory.most_explored() * reduction**2:
        limit = _limit(memory.most_explored(), memory.MAX_PIXELS, "explored")
        wanted = memory.reduction_for(n_pixels)
        advice = f"open it reduced to 1/{wanted} of its width and height, or crop it"
        raise DecodeError(f"{size}, more than {limit}; {advice}", wanted)


def _limit(most: int, ever: int, what: str) -> str:
    return f"the {most:,} that can be {what}{'' if most == ever else ' in the memory that is free'}"


def check_page(page: int, pages: int, unit: str) -> None:
    """Raise `DecodeError` unless 0 <= page < pages."""
    if pages < 1:
        raise DecodeError(f"it has no {unit}; get a fresh copy or save it anew")
    if not 0 <= page < pages:
        raise DecodeError(
            f"{unit} {page + 1} was asked for, but it has {pages}; choose one from 1 to {pages}"
        )


def brief(error: BaseException) -> str:
    """Return a foreign exception's message as one short line."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:160]


@contextmanager
def opened(path: Path, wanted: str = "an image file") -> Iterator[BufferedReader]:
    """Open a regular file to read it; pipes, sockets and devices could block for ever.

    Raises
    ------
    DecodeError
        If it is anything else; the message says to choose what is ``wanted``.
    OSError
        If it is not there or cannot be opened.
    """
    try:
        mode = path.stat().st_mode
    except ValueError as error:
        raise DecodeError("its name cannot be the name of a file; check it") from error
    _check_regular(mode, wanted)
    with open(path, "rb", opener=_without_waiting) as stream:
        _check_regular(os.fstat(stream.fileno()).st_mode, wanted)  # it may be another by now
        yield stream


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_regular(mode: int, wanted: str) -> None:
    if stat.S_ISDIR(mode):
        raise DecodeError(f"it is a folder, not a file; choose {wanted}")
    if not stat.S_ISREG(mode):
        raise DecodeError(f"it is a device or a pipe, not a file; choose {wanted}")


@contextmanager
def decoding(kind: str) -> Iterator[None]:
    """Turn whatever a decoder of `kind` raises into `DecodeError`.

    `DecodeError`, `MemoryError` and the operating system's own errors pass through.
    """
    try:
        yield
    except (DecodeError, MemoryError):
        raise
    except Exception as error:  # decoders given hostile bytes raise nearly every type there is
        if isinstance(error, OSError) and error.errno:
            raise
        raise DecodeError(
            f"it begins like a {kind} file but is damaged, cut off or of an unknown variant "
            f"({brief(error)}); get a fresh copy or save it anew"
        ) from error


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@contextmanager
def _listening(listener: logging.Handler, name: str) -> Iterator[None]:
    logger = logging.getLogger(name)
    propagate = logger.propagate
    logger.addHandler(listener)
    logger.propagate = False
    try:
        yield
    finally:
        logger.propagate = propagate
        logger.removeHandler(listener)


@contextmanager
def _without_pillows_limit() -> Iterator[None]:
    """Leave it to `check_size` to refuse large images."""
    limit = PIL.Image.MAX_IMAGE_PIXELS
    PIL.Image.MAX_IMAGE_PIXELS = None
    try:
        yield
    finally:
        PIL.Image.MAX_IMAGE_PIXELS = limit


@contextmanager
def remarks() -> Iterator[list[str]]:
    """Collect what decoders warn of and log, which would otherwise go to the terminal.

    The list that is yielded is filled when the block ends. One thread at a time may enter.
    Deprecations are left alone: they concern this program, not the file.
    """
    heard: list[str] = []
    listener = _Listener()
    with _one_at_a_time, ExitStack() as stack:
        caught = stack.enter_context(warnings.catch_warnings(record=True))
        for category in (UserWarning, RuntimeWarning, SyntaxWarning):
            warnings.simplefilter("always", category)
        stack.enter_context(_without_pillows_limit())
        for name in _LOUD:
            stack.enter_context(_listening(listener, name))
        yield heard
        said = [str(warning.message) for warning in caught] + listener.lines
    lines = dict.fromkeys(" ".join(line.split())[:160] for line in said)
    heard.extend(f"the decoder remarked: {line}" for line in list(lines)[:_MAX_REMARKS])
