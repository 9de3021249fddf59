"""The table of commands, to which wings add: each is a first argument of the command line."""

from collections.abc import Callable
from dataclasses import dataclass

from latviz import wings
from latviz.cli import understanding
from latviz.cli.parser import Parser


@dataclass(frozen=True)
class Command:
    """A command: a row of the table."""

    name: str  # ``latviz NAME ...``
    run: Callable[[list[str]], int]  # gets the arguments after the name, returns the exit code
    parser: Callable[[], Parser]  # for completion by shells


COMMANDS = (Command("understanding", understanding.run, understanding.parser_of),)


def commands() -> dict[str, Command]:
    """Return all commands by name, those of wings included."""
    found = (*COMMANDS, *wings.rows("commands", Command))
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}
