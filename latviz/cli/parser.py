"""Shared by all command lines: a parser with errors of one line, types of arguments, rules."""

import argparse
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from latviz.core.disk.errors import FileError, TargetError
from latviz.core.errors import ParameterError
from latviz.core.printable import complain, printable, write
from latviz.files.names import local_path

DONE, FAILED, WRONG = 0, 1, 2
"""Exit codes: all is done; a file failed, or a value that was found in it; an argument is wrong."""


def code_of(error: FileError | ParameterError, prog: str = "latviz") -> int:
    """Print an error; return the exit code."""
    complain(f"{prog}: {error}")
    return WRONG if isinstance(error, TargetError) else FAILED


class Rule(NamedTuple):
    """A rule about an option's use with others: a row of `latviz.cli.rules.RULES`, or of wings.

    Each of the options ``names`` is refused if it ``is_broken``; ``reason`` follows its flag.
    """

    names: Collection[str]
    is_broken: Callable[[argparse.Namespace], object]
    reason: str


class Parser(argparse.ArgumentParser):
    """A parser that ends the program with one line on the standard error, and the exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Print an error, and exit."""
        self.exit(2, f"{self.prog}: {printable(message)}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help text or an error."""
        write(message, file or sys.stderr)


_ADDRESS = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def to_read(text: str) -> str:
    """Return the path of an argument that names something to read, which may be a file:// URL."""
    if text == "-":
        reason = "the standard input is not read; write it to a file, and name the file"
        raise argparse.ArgumentTypeError(reason)
    if _ADDRESS.match(text) and not os.path.exists(text):
        reason = f"web addresses are not read; download {text!r}, and name the file"
        raise argparse.ArgumentTypeError(reason)
    return local_path(text)


def file_to_read(*suffixes: str) -> Callable[[str], Path]:
    """Return a type of arguments: paths of files to read, of one of the suffixes if any."""
    path: Callable[[str], Path] = ending(*suffixes) if suffixes else Path
    return lambda text: path(to_read(text))


def within(low: int, high: float = math.inf) -> Callable[[str], int]:
    """Return a type of arguments: whole numbers from low to high."""
    wanted = f"{low} or more" if high == math.inf else f"from {low} to {high}"

    def number(text: str) -> int:
        if not (text.isdecimal() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"must be {wanted}, got {text!r}")
        return int(text)

    return number


def gone(instead: str) -> Callable[[str], NoReturn]:
    """Return a type of arguments: those of a removed option; its error names what does its job."""

    def refuse(_: str) -> NoReturn:
        raise argparse.ArgumentTypeError(f"this option is gone; {instead}")

    return refuse


def ending(*suffixes: str) -> Callable[[str], Path]:
    """Return a type of arguments: paths of files of one of the suffixes."""

    def path(text: str) -> Path:
        if reason := suffix_problem(text, suffixes):
            raise argparse.ArgumentTypeError(reason)
        return Path(text)

    return path


def suffix_problem(text: str, suffixes: Iterable[str]) -> str:
    """Return why a path cannot be that of a file of one of the suffixes, or nothing."""
    known = tuple(suffixes)
    if Path(text).suffix.lower() in known:
        return ""
    one_of = "one of " if len(known) > 1 else ""
    return f"the suffix must be {one_of}{', '.join(known)}, got {text!r}"
