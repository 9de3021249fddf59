"""Objects that other installed packages offer through an entry point group."""

import warnings
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import NamedTuple, TypeVar

from latviz.core.printable import printable

T = TypeVar("T")
_MOST_CHARACTERS = 200
"""Most characters of a plug-in's error."""


class LeftOut(NamedTuple):
    """A plug-in that cannot be used, and why, in a line."""

    name: str
    reason: str


class PublicName(NamedTuple):
    """A name that a wing adds to the core: a row of the table ``public``."""

    name: str  # ``from latviz.core import NAME``
    module: str  # that has it


def load(group: str, kind: type[T], add: Callable[[T], object]) -> list[LeftOut]:
    """Add the objects of an entry point group ("latviz.encodings"); return those left out."""
    # Those that cannot be loaded or added, or are not of ``kind``, are left out
    found: list[metadata.EntryPoint] = []
    reason = failure(lambda: found.extend(metadata.entry_points(group=group)))
    left = [LeftOut("of some package", reason)] if reason else []
    tried = ((entry, failure(partial(_add, entry, kind, add))) for entry in found)
    return left + [LeftOut(printable(entry.name), reason) for entry, reason in tried if reason]


def load_with_warnings(group: str, kind: type[T], add: Callable[[T], object]) -> None:
    """Do the same, and warn of those left out, each in one line without any source."""
    for left in load(group, kind, add):
        text = f"the plug-in {left.name!r} of {group} was left out: {left.reason}"
        warnings.warn_explicit(text, RuntimeWarning, "latviz", 1)


def failure(do: Callable[[], object]) -> str:
    """Call another package's function; return its error in a line, or ""."""
    # No exception may stop the program, not even SystemExit; only an interrupt is the user's
    try:
        do()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return line_of(error)
    return ""


def line_of(error: BaseException) -> str:
    """Return the message of an exception from another package, in one line."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # its text comes from the plug-in, too
        text = type(error).__name__
    return printable(text)[:_MOST_CHARACTERS]


def _add(entry: metadata.EntryPoint, kind: type[T], add: Callable[[T], object]) -> None:
    offered = entry.load()
    if not isinstance(offered, kind):
        raise TypeError(f"it is of type {type(offered).__name__}, not {kind.__name__}")
    add(offered)
