"""Text for the terminal: what a file or a name holds commands nothing, and breaks no line."""

import sys
import unicodedata

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
    print(encodable(printable(text), sys.stdout.encoding), flush=True)


def complain(text: str) -> None:
    """Print a line beside the results: what is wrong, or how far something is."""
    print(encodable(printable(text), sys.stderr.encoding), file=sys.stderr, flush=True)


def encodable(text: str, encoding: str | None) -> str:
    """Return a text in which all that an encoding has no bytes for is written out."""
    known = encoding or "utf-8"
    return text.encode(known, "backslashreplace").decode(known)
