"""Text for the terminal: escapes control characters and line breaks from files and names."""

import os
import sys
import unicodedata
from contextlib import suppress
from typing import TextIO

_COMMANDS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Controls, marks of direction, halves of characters, and separators of lines, as Unicode sorts."""


def printable(text: str) -> str:
    """Return a text with line breaks and control characters escaped."""
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in _COMMANDS
    return ascii(character)[1:-1] if hidden else character


def say(text: str) -> None:
    """Print a line of results."""
    write(f"{printable(text)}\n", sys.stdout)


def complain(text: str) -> None:
    """Print an error or progress to the standard error."""
    write(f"{printable(text)}\n", sys.stderr)


def note(text: str) -> None:
    """Print to the standard error what one can do without, unless the user wants it quiet."""
    if _verbosity[0] >= 0:
        complain(text)


def detail(text: str) -> None:
    """Print a note that only a user who wants more reads."""
    if _verbosity[0] > 0:
        complain(text)


def set_verbosity(level: int) -> None:
    """Choose what is printed beside results and errors: -1 nothing, 0 notes, 1 details, too."""
    _verbosity[0] = level


def shows_progress() -> bool:
    """Return True if progress is to be printed: on a terminal, unless the user wants it quiet."""
    return _verbosity[0] >= 0 and is_terminal(sys.stderr)


_verbosity = [0]


def is_terminal(stream: TextIO | None) -> bool:
    """Return True if a standard stream is a terminal; it may be missing, or closed."""
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        return False


def write(text: str, stream: TextIO | None) -> None:
    """Write text to a standard stream, escaping characters that it cannot encode."""
    # It may be missing, as in a program with a window alone, closed, a pipe whose reader has ended,
    # or a file on a full disk. The work goes on without it: its files matter more
    if stream is None:
        return
    known = stream.encoding or "utf-8"
    try:
        encodable = text.encode(known, "backslashreplace").decode(known)
        if text:  # a full device refuses an empty one, too
            print(encodable, end="", file=stream)
        stream.flush()
    except ValueError:  # it is closed
        return
    except OSError as error:
        _fail(stream, error)


def send(data: bytes) -> None:
    """Write bytes to the standard output, as `write` does text."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except ValueError:  # it is closed
        return
    except OSError as error:
        _fail(sys.stdout, error)


def _fail(stream: TextIO, error: OSError) -> None:
    """Print nothing more to a stream, and report lost results once."""
    _empty(stream)
    if stream is sys.stdout and not isinstance(error, BrokenPipeError) and not _lost:
        _lost.append(error.strerror or type(error).__name__)
        complain(f"latviz: results cannot be printed: {_lost[-1]}; print them elsewhere")


def ended(code: int) -> int:
    """Return the program's exit code, 1 if results were lost that it should have printed."""
    for stream in (sys.stdout, sys.stderr):
        write("", stream)  # what others wrote
    return code or int(bool(_lost))


_lost: list[str] = []
"""Why results could not be printed."""


def _empty(stream: TextIO) -> None:
    """Drop what a stream still holds and will get, or the interpreter fails with it at its end."""
    with suppress(OSError, ValueError):  # there may be no file behind it
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        stream.flush()
