"""Text for the terminal: what a file or a name holds commands nothing, and breaks no line."""

import sys
import unicodedata
from typing import TextIO

_COMMANDS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Controls, marks of direction, halves of characters, and separators of lines, as Unicode sorts."""


def printable(text: str) -> str:
    """Return a text in which all that would break a line or command a terminal is written out."""
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in _COMMANDS
    return ascii(character)[1:-1] if hidden else character


def say(text: str) -> None:
    """Print a line of results."""
    _print(text, sys.stdout)


def complain(text: str) -> None:
    """Print a line beside the results: what is wrong, or how far something is."""
    _print(text, sys.stderr)


def _print(text: str, stream: TextIO) -> None:
    """Print a line in which all that a stream has no bytes for is written out."""
    known = stream.encoding or "utf-8"
    encodable = printable(text).encode(known, "backslashreplace").decode(known)
    print(encodable, file=stream, flush=True)
