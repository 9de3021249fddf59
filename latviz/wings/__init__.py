"""Wings: features that the program does not need, each in a folder of its own.

A wing adds rows to tables of the program. For each such table it has a module of the table's name,
whose ``ROWS`` they are. Without its folder, its tests and its page of the manual, all else works.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # the core reads rows
    from latviz.core.plugins import LeftOut

T = TypeVar("T")
GROUP = "latviz.wings"
"""The entry points by which other packages offer theirs."""


def own() -> Iterator[ModuleType]:
    """Yield the program's own wings: the one list of them, which skips a deleted one."""
    with suppress(ImportError):
        from latviz.wings import race  # not above: its folder may be missing

        yield race
    with suppress(ImportError):
        from latviz.wings import bench  # nor this one

        yield bench
    with suppress(ImportError):
        from latviz.wings import scale  # nor this one

        yield scale
    with suppress(ImportError):
        from latviz.wings import many  # nor that

        yield many
    with suppress(ImportError):
        from latviz.wings import console  # nor the last

        yield console


def rows(table: str, kind: type[T]) -> tuple[T, ...]:
    """Return the rows of a table from the program's own wings; only modules of its name load."""
    return tuple(row for wing in own() for row in _rows(wing, table, kind))


def load(table: str, kind: type[T], add: Callable[[T], object]) -> "list[LeftOut]":
    """Add the rows of a table from other packages' wings; return the wings that failed."""
    from latviz.core import plugins  # not above, as above

    def add_all(wing: ModuleType) -> None:
        for row in _rows(wing, table, kind):
            add(row)

    return plugins.load(GROUP, ModuleType, add_all)


def _rows(wing: ModuleType, table: str, kind: type[T]) -> list[T]:
    name = f"{wing.__name__}.{table}"
    found = list(import_module(name).ROWS) if find_spec(name) else []
    for row in found:
        if not isinstance(row, kind):
            raise TypeError(f"rows of {table} must be of type {kind.__name__}, got {row!r}")
    return found
