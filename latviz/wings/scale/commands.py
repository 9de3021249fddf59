"""Its row of the table of commands."""

from latviz.cli.commands import Command
from latviz.cli.parser import Parser
from latviz.core.extras import install
from latviz.core.printable import complain


def _run(arguments: list[str]) -> int:
    """Decode a zarr image chunk by chunk; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        from latviz.wings.scale import command  # it loads dask, which may not be installed
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        complain(f"latviz scale: it needs {missing}: {install('scale')}")
        return 1
    return command.run(options, parser)


def _parser() -> Parser:
    from latviz.wings.scale import options  # not above: every start reads this module

    return options.parser_of()


ROWS = (Command("scale", _run, _parser),)
