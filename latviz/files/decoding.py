"""Shared by all decoders: their result, their limits, and a fence around foreign code.

Libraries in C print past Python, into the standard error of the process.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
import PIL.Image
import tifffile
from numpy.typing import NDArray
from PIL import PngImagePlugin

from latviz.files import memory
from latviz.files.memory import Cost

_MAX_REMARKS = 3
_ABOUT_FILES = (OSError, SyntaxError, EOFError, tifffile.TiffFileError)
"""Exceptions of decoders for a broken file; others are faults of the decoder."""
_OF_OFFSETS = (None, errno.EINVAL, errno.EOVERFLOW)
"""Errors of the system where a file sends a decoder to an impossible place."""
_LOUD = ("PIL", "tifffile")
_MOST_TEXT = 2**24
"""Bytes of a text or colour profile in a PNG; Pillow refuses images with more than 1 MiB."""

Alpha = Literal["none", "straight", "premultiplied"]


class DecodeError(Exception):
    """A decoder failed; `reason` states why, with a remedy.

    ``reduction`` divides the image's sides so that it can be decoded, if that would help.
    """

    def __init__(self, reason: str, reduction: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.reduction = reduction


@dataclass(frozen=True, eq=False)
class DecodedFile:
    """The result of a decoder, before depth, transparency and orientation are settled."""

    # colours, then the alpha channel unless alpha is "none"
    samples: Annotated[NDArray[Any], "(H, W) or (H, W, C)"]
    alpha: Alpha = "none"
    orientation: int = 1  # of EXIF, still to be applied; 1 and unknown values leave the image
    indices: Annotated[NDArray[Any] | None, "(H, W)"] = None  # palette indices
    reduced: int = 1  # the divisor of the sides while decoding
    profile: bytes = b""  # ICC profile of the colours, still to be applied; empty if there is none
    nodata: str = ""  # the number of pixels without data, as the file declares it
    # pixels (H, W) that are unknown, by the reason, besides those that samples themselves tell
    unknown: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # the changes so far
    # (W,): where the columns of one row are, as numbers, datetime64 or timedelta64; they increase
    x: NDArray[Any] | None = None


def check_size(width: int, height: int, cost: Cost, reduction: int = 1, slices: int = 1) -> None:
    """Raise `DecodeError` for an image without pixels, or too large to be read or explored."""
    # cost: of a pixel; reduction: the future divisor of the sides; slices: of a volume
    depth = f"{slices} slices of " if slices > 1 else ""
    size, n_pixels = f"it is {depth}{width} × {height} pixels", width * height * slices
    if width < 1 or height < 1:
        raise DecodeError(f"{size}, so there is nothing to show; get a fresh copy")
    if n_pixels > (most := memory.most_read(cost, reduction)):
        limit = _limit(most, memory.MAX_READ, "read")
        raise DecodeError(f"{size}, more than {limit}; scale it down or crop it first")
    if n_pixels > (most := memory.most_explored(cost)) * reduction**2:
        limit = _limit(most, memory.MAX_PIXELS, "explored")
        wanted = memory.reduction_for(n_pixels, cost)
        advice = f"open it reduced to 1/{wanted} of its width and height, or crop it"
        raise DecodeError(f"{size}, more than {limit}; {advice}", wanted)


def _limit(most: int, ever: int, what: str) -> str:
    return f"the {most:,} that can be {what}{'' if most == ever else ' in the memory that is free'}"


def check_page(page: int, pages: int, unit: str) -> None:
    """Raise `DecodeError` unless 0 <= page < pages."""
    if pages < 1:
        raise DecodeError(f"it has no {unit}; get a fresh copy or save it again")
    if not 0 <= page < pages:
        raise DecodeError(
            f"{unit} {page + 1} was asked for, but it has {pages}; choose one from 1 to {pages}"
        )


def aside(error: BaseException) -> str:
    """Return a decoder's message in brackets, if it is about the file and not a program."""
    lines = str(error).strip().splitlines()
    about_file = isinstance(error, _ABOUT_FILES) and not getattr(error, "errno", None)
    return f" ({lines[0][:160]})" if lines and about_file else ""


@contextmanager
def decoding(kind: str) -> Iterator[None]:
    """Turn all errors of a decoder of `kind` into `DecodeError`."""
    # But for DecodeError, MemoryError and the operating system's own errors
    try:
        yield
    except (DecodeError, MemoryError):
        raise
    except Exception as error:  # decoders given hostile bytes raise nearly every type there is
        if isinstance(error, OSError) and error.errno not in _OF_OFFSETS:
            raise
        raise DecodeError(
            f"it begins like a {kind} file but is damaged, cut off or of an unknown variant"
            f"{aside(error)}; get a fresh copy or save it again"
        ) from error


class _Ears(logging.Handler):
    """Collects warnings and logs of decoders, for each thread that reads."""

    # The warning filters, the loggers and Pillow's limits belong to the whole process, so the first
    # reader that enters changes them and the last one that leaves restores them. Readers do not
    # wait for each other: one may hang for ever, on a disk that does not answer

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lock = threading.Lock()
        self._lines: dict[int, list[list[str]]] = {}
        self._installed = ExitStack()

    @contextmanager
    def listening(self) -> Iterator[list[str]]:
        """Yield a list that collects the messages logged in this thread."""
        lines: list[str] = []
        reader = threading.get_ident()
        with self._lock:
            if not self._lines:
                self._install()
            self._lines.setdefault(reader, []).append(lines)
        try:
            yield lines
        finally:
            with self._lock:
                self._lines[reader].pop()
                if not self._lines[reader]:
                    del self._lines[reader]
                if not self._lines:
                    self._installed.close()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line of a log."""
        self._hear(record.getMessage())

    def _hear(self, line: str) -> bool:
        """Note a line for the thread that reads; return False if it belongs to no reader."""
        # A line of another thread belongs to the only reader, which that may work for
        with self._lock:
            lines = self._lines.get(threading.get_ident())
            if lines is None and len(self._lines) == 1:
                (lines,) = self._lines.values()
            if lines is not None:
                lines[-1].append(line)
        return lines is not None

    def _install(self) -> None:
        stack = self._installed
        stack.enter_context(warnings.catch_warnings())
        for category in (UserWarning, RuntimeWarning, SyntaxWarning):
            warnings.simplefilter("always", category)
        show = warnings.showwarning

        def hear_warning(message: Warning | str, *arguments: Any, **options: Any) -> None:
            if not self._hear(str(message)):
                show(message, *arguments, **options)

        warnings.showwarning = hear_warning
        for name in _LOUD:
            logger = logging.getLogger(name)
            stack.callback(setattr, logger, "propagate", logger.propagate)
            stack.callback(logger.removeHandler, self)
            logger.addHandler(self)
            logger.propagate = False
        # `check_size` refuses large images, not Pillow.
        stack.callback(setattr, PIL.Image, "MAX_IMAGE_PIXELS", PIL.Image.MAX_IMAGE_PIXELS)
        PIL.Image.MAX_IMAGE_PIXELS = None
        limit = PngImagePlugin.MAX_TEXT_CHUNK
        stack.callback(setattr, PngImagePlugin, "MAX_TEXT_CHUNK", limit)
        PngImagePlugin.MAX_TEXT_CHUNK = _MOST_TEXT


_ears = _Ears()


@contextmanager
def remarks() -> Iterator[list[str]]:
    """Collect warnings and logs of decoders, which would otherwise go to the terminal."""
    # The yielded list is filled when the block ends. Deprecations are ignored: they concern this
    # program, not the file
    heard: list[str] = []
    with _ears.listening() as messages:
        yield heard
    # tifffile's reading of nodata values is not used: it refuses those of 17 digits
    about = (line for line in messages if "GDAL_NODATA" not in line)
    lines = dict.fromkeys(" ".join(line.split())[:160] for line in about)
    heard.extend(f"the decoder reported: {line}" for line in list(lines)[:_MAX_REMARKS])


_STDERR = 2
_MOST_PRINTED = 2**20
_LIBTIFFS = re.compile(rb"[\w./-]+: .*\.$")
"""The part of libtiff that found a fault, and a sentence."""
_one_at_a_time = threading.Lock()  # the stream belongs to the whole process


@contextmanager
def printed() -> Iterator[list[str]]:
    """Collect the output of libtiff. The block must not wait for a disk: others wait for it."""
    # The yielded list is filled when the block ends, each message once. Other lines printed
    # meanwhile are passed on then, unless they look like libtiff's
    heard: list[str] = []
    with _one_at_a_time, ExitStack() as stack:
        try:
            before = os.dup(_STDERR)
        except OSError:  # no standard error exists
            yield heard
            return
        stack.callback(os.close, before)
        caught = stack.enter_context(tempfile.TemporaryFile())
        os.dup2(caught.fileno(), _STDERR)
        try:
            yield heard
        finally:
            os.dup2(before, _STDERR)
            caught.seek(0)
            lines = caught.read(_MOST_PRINTED).splitlines(keepends=True)
            if others := [line for line in lines if not _LIBTIFFS.match(line)]:
                os.write(_STDERR, b"".join(others))
            found = [line for line in lines if _LIBTIFFS.match(line)]
            heard.extend(dict.fromkeys(line.decode(errors="replace").strip() for line in found))
