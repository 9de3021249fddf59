"""Its row of the table of commands."""

from latviz.cli.commands import Command
from latviz.wings.many.classify_command import parser_of, run

ROWS = (Command("classify", run, parser_of),)
