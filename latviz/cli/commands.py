"""The table of commands beside the main one, to which wings add: each is a first argument."""

from collections.abc import Callable
from dataclasses import dataclass

from latviz import wings
from latviz.cli import classify, understanding
from latviz.core.printable import complain


@dataclass(frozen=True)
class Command:
    """A command: a row of the table."""

    name: str  # ``latviz NAME ...``
    run: Callable[[list[str]], int]  # gets the arguments after the name, returns the exit code


def _scale(arguments: list[str]) -> int:
    """Decode a zarr image chunk by chunk; return the exit code."""
    try:
        from latviz.cli import scale  # not above: it loads dask, which may not be installed
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        complain(f"latviz scale: it needs {missing}; install latviz[scale]")
        return 1
    return scale.run(arguments)


COMMANDS = (
    Command("classify", classify.run),
    Command("scale", _scale),
    Command("understanding", understanding.run),
)


def commands() -> dict[str, Command]:
    """Return all commands by name, those of wings included."""
    found = (*COMMANDS, *wings.rows("commands", Command))
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}
