"""Shared by all command lines: a parser with errors of one line, types of arguments, rules."""

import argparse
import difflib
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Self

from latviz.core import threads
from latviz.core.disk.errors import FileError, TargetError
from latviz.core.errors import ParameterError
from latviz.core.printable import complain, printable, set_verbosity, write
from latviz.files.names import local_path

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: all is done; a file failed, or a value that was found in it; an argument is wrong;
the user pressed Ctrl+C, for which shells have this one."""


def code_of(error: FileError | ParameterError, prog: str = "latviz") -> int:
    """Print an error; return the exit code."""
    complain(f"{prog}: {error}")
    return WRONG if isinstance(error, TargetError | ArgumentError) else FAILED


class Rule(NamedTuple):
    """A rule about an option's use with others: a row of `latviz.cli.rules.RULES`, or of wings.

    Each of the options ``names`` is refused if it ``is_broken``; ``reason`` follows its flag.
    """

    names: Collection[str]
    is_broken: Callable[[argparse.Namespace], object]
    reason: str


class ArgumentError(ParameterError):
    """An argument of the command line is wrong, which shows when it is used."""


class Parser(argparse.ArgumentParser):
    """A parser that ends the program with one line on the standard error, and the exit code 2."""

    def __init__(self, **kind: Any) -> None:
        as_written = argparse.RawDescriptionHelpFormatter  # of the examples
        super().__init__(allow_abbrev=False, formatter_class=as_written, **kind)

    def ended(self, *examples: str, more: str = "") -> Self:
        """Add the options that all commands have, and examples; return the parser."""
        group = self.add_argument_group("output to the terminal, and speed")
        for flags, text in (
            (("-q", "--quiet"), "print errors and results only, no notes and no progress"),
            (("-v", "--verbose"), "also print settings, files and times"),
        ):
            group.add_argument(*flags, action="store_true", default=argparse.SUPPRESS, help=text)
        group.add_argument(
            "--threads",
            type=within(1, threads.MOST),
            default=argparse.SUPPRESS,
            metavar="K",
            help=f"threads to compute on; as many as cores ({threads.CORES}) by default",
        )
        lines = "\n".join(f"  {self.prog} {one}" for one in examples)
        self.epilog = f"examples:\n{lines}\n{more and chr(10)}{more}".replace("%", "%%")
        return self

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, and apply those that all commands have."""
        options = super().parse_args(args, namespace)
        common = vars(options)
        set_verbosity(int("verbose" in common) - int("quiet" in common))
        if "threads" in common:
            threads.set_threads(options.threads)
        return options

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse arguments; unknown ones are an error, here and in commands of commands."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown(unknown[0]))
        return options, []

    def _unknown(self, word: str) -> str:
        """Return the error of an argument that is none, with what it may be meant for."""
        if not word.startswith("-"):
            return f"{word!r} comes too late: name it together with the other files"
        flag = word.partition("=")[0]
        seen = [a for a in self._actions if a.option_strings and a.help != argparse.SUPPRESS]
        letters = {f"-{one.metavar}".lower(): one.option_strings[-1] for one in reversed(seen)}
        if question := letters.get(flag.lower(), ""):
            question = f"; did you mean {question}?"
        question = question or suggested(flag, [one for a in seen for one in a.option_strings])
        return f"there is no option {flag}{question or f'; {self.prog} --help lists them'}"

    def error(self, message: str) -> NoReturn:
        """Print an error, and exit."""
        self.exit(WRONG, f"{self.prog}: {printable(message.removeprefix('argument '))}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help text or an error."""
        write(message, file or sys.stderr)


def suggested(word: str, known: Iterable[str]) -> str:
    """Return a question that offers the known words that a misspelt or cut one may stand for."""
    folded = {one.lower(): one for one in known}
    begun = [one for one in folded if one.startswith(word.lower())][:3]
    near = begun or difflib.get_close_matches(word.lower(), folded, 1)
    return f"; did you mean {' or '.join(folded[one] for one in near)}?" if near else ""


def one_of(words: Sequence[str]) -> dict[str, Any]:
    """Return the type and the choices of an argument that is one of some words, in any case."""

    def word(text: str) -> str:
        if text.lower() not in folded:
            wanted = f"must be one of {', '.join(words)}, got {text!r}"
            raise argparse.ArgumentTypeError(f"{wanted}{suggested(text, words)}")
        return folded[text.lower()]

    folded = {one.lower(): one for one in words}
    return {"type": word, "choices": tuple(words)}


_ADDRESS = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def to_read(text: str) -> str:
    """Return the path of an argument that names something to read, which may be a file:// URL."""
    if text == "-":
        reason = "only an image is read from the standard input; name a file"
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


def piped(text: str) -> str:
    """Return the same of an image, which may be "-", the standard input."""
    return text if text == "-" else to_read(text)


def renamed(old: str, new: str, kind: Callable[[str], Any] = str) -> Callable[[str], Any]:
    """Return a type of arguments: those of an option that has another name now, with a warning."""

    def value(text: str) -> Any:
        complain(f"latviz: {old} is {new} now")
        return kind(text)

    return value


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
