"""Text for the terminal: escapes control characters and line breaks from files and names."""

import sys
import unicodedata
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
    _print(text, sys.stdout)


def complain(text: str) -> None:
    """Print an error or progress to the standard error."""
    _print(text, sys.stderr)


def _print(text: str, stream: TextIO) -> None:
    """Print a line, escaping characters that the stream cannot encode."""
    known = stream.encoding or "utf-8"
    encodable = printable(text).encode(known, "backslashreplace").decode(known)
    print(encodable, file=stream, flush=True)
