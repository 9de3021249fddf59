"""Its row of the table of commands."""

from latviz.cli.commands import Command
from latviz.wings.many.classify_command import run

ROWS = (Command("classify", run),)
