"""Shared by all command lines: a parser with errors of one line, and types of arguments."""

import argparse
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

from latviz.core.disk.errors import FileError, TargetError
from latviz.core.errors import ParameterError
from latviz.core.printable import complain, printable

DONE, FAILED, WRONG = 0, 1, 2
"""Exit codes: all is done; a file failed, or a value that was found in it; an argument is wrong."""


def code_of(error: FileError | ParameterError, prog: str = "latviz") -> int:
    """Print an error; return the exit code."""
    complain(f"{prog}: {error}")
    return WRONG if isinstance(error, TargetError) else FAILED


class Parser(argparse.ArgumentParser):
    """A parser that ends the program with one line on the standard error, and the exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Print an error, and exit."""
        self.exit(2, f"{self.prog}: {printable(message)}\n")


def within(low: int, high: float = math.inf) -> Callable[[str], int]:
    """Return a type of arguments: whole numbers from low to high."""
    wanted = f"{low} or more" if high == math.inf else f"from {low} to {high}"

    def number(text: str) -> int:
        if not (text.isdecimal() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"must be {wanted}, got {text!r}")
        return int(text)

    return number


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
