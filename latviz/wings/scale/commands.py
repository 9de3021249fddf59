"""Its row of the table of commands."""

from latviz.cli.commands import Command
from latviz.core.printable import complain


def _run(arguments: list[str]) -> int:
    """Decode a zarr image chunk by chunk; return the exit code."""
    try:
        from latviz.wings.scale import command  # it loads dask, which may not be installed
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        complain(f"latviz scale: it needs {missing}; install latviz[scale]")
        return 1
    return command.run(arguments)


ROWS = (Command("scale", _run),)
