"""Objects that other installed packages offer through an entry point group."""

from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import NamedTuple, TypeVar

from latviz.core.printable import printable

T = TypeVar("T")
_MOST_SAID = 200
"""Characters of what a plug-in says went wrong."""


class LeftOut(NamedTuple):
    """A plug-in that cannot be used, and why, in a line."""

    name: str
    reason: str


def load(group: str, kind: type[T], add: Callable[[T], object]) -> list[LeftOut]:
    """Add the objects of an entry point group ("latviz.encodings"); return those left out."""
    # Left out are those that cannot be loaded or added, or are not of ``kind``
    found: list[metadata.EntryPoint] = []
    reason = failure(lambda: found.extend(metadata.entry_points(group=group)))
    left = [LeftOut("of some package", reason)] if reason else []
    tried = ((entry, failure(partial(_add, entry, kind, add))) for entry in found)
    return left + [LeftOut(printable(entry.name), reason) for entry, reason in tried if reason]


def failure(do: Callable[[], object]) -> str:
    """Call another package's function; return in a line what went wrong, or ""."""
    # Whatever it raises must not stop the program, not even SystemExit; only an interrupt is the
    # user's
    try:
        do()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return line_of(error)
    return ""


def line_of(error: BaseException) -> str:
    """Return what an exception of a stranger says, in a line."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # its text is a stranger's, too
        text = type(error).__name__
    return printable(text)[:_MOST_SAID]


def _add(entry: metadata.EntryPoint, kind: type[T], add: Callable[[T], object]) -> None:
    offered = entry.load()
    if not isinstance(offered, kind):
        raise TypeError(f"it is no {kind.__name__} but a {type(offered).__name__}")
    add(offered)
