"""The command line: open the window, or make pictures and files without a display.

The options of parameters follow from the table of parameters. No large library is imported at the
top, so that ``--help`` and ``--version`` answer at once.
"""

import argparse
import gc
import secrets
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from latviz.app.program import platforms
from latviz.cli import many, one, standard
from latviz.cli.commands import commands
from latviz.cli.options import Adjust, begun, parser_of, part_of, settings_of, split_window
from latviz.cli.parser import INTERRUPTED, Parser, code_of, suggested
from latviz.cli.rules import is_headless, outputs, problem
from latviz.core import threads
from latviz.core.disk import inputs
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.printable import complain, ended, say
from latviz.engine.startup.compilers import begin_early


def run(arguments: list[str]) -> int:
    """Run the command line; return 0, 1 (an image or file failed) or 2 (bad arguments).

    An interrupt returns 130.
    """
    if reason := threads.ignored():
        complain(f"latviz: {reason}")
        threads.set_threads(threads.CORES)  # or the core warns, too
    try:
        return _run(arguments)
    except ImportError as error:
        if not (missing := platforms.lacking(error)):
            raise
        complain(f"latviz: {missing}")
        return 2
    except MemoryError:
        complain("latviz: there is not enough memory; close other programs, or use --reduce")
        return 1
    except KeyboardInterrupt:
        complain("latviz: interrupted")
        return INTERRUPTED


def run_to_end(arguments: list[str]) -> int:
    """Run the command line as a process of its own; return its exit code.

    It is 1 if all went well, but results could not be printed.
    """
    try:
        code: object = run(arguments)
    except SystemExit as end:  # of a parser
        code = end.code
    return ended(code if isinstance(code, int) else 0)


def _run(arguments: list[str]) -> int:
    arguments = _words(arguments)
    if arguments and (command := commands().get(arguments[0])):
        return command.run(arguments[1:])
    parser = parser_of()
    options = parser.parse_args(arguments)
    split_window(options)
    if options.check_lesson is not None:
        return _check_lesson(options.check_lesson)
    if options.desktop is not None:
        return _change_desktop(options.desktop)
    try:
        with standard.received(options.images) as options.images:
            return _do(options, parser)
    except FileError as error:
        return code_of(error)


def _words(arguments: list[str]) -> list[str]:
    """Return the arguments without the words "help" and "version"; refuse a misspelt command."""
    first, *rest = arguments or [""]
    known = (*commands(), "help", "version")
    if first == "help" and rest and rest[0] not in known:
        text = f"there is no command {rest[0]!r}{suggested(rest[0], known)}"
        parser_of().error(f"{text}; latviz --help lists them")
    is_unknown = first.isalpha() and first not in known and not Path(first).exists()
    if is_unknown and (question := suggested(first, known)):
        parser_of().error(f"there is no file and no command {first!r}{question}")
    if first in ("help", "version"):
        return [*rest[:1], "--help"] if first == "help" else ["--version"]
    return arguments


def _do(options: argparse.Namespace, parser: Parser) -> int:
    """Open the window, or write files; return the exit code."""
    many.sort_out(options)
    if reason := problem(options, parser):
        parser.error(reason)
    adjust = partial(begun, options=options)
    if not is_headless(options) and platforms.has_display():
        return _show(options, adjust)
    try:
        with inputs.kept():
            if options.places:
                (batch,) = many.batches()
                return batch.run(options, adjust)
            if is_headless(options):
                one.write(options, adjust)
            else:
                _draw_instead(options, adjust)
    except (FileError, ParameterError) as error:
        return code_of(error)
    return 0


def _draw_instead(options: argparse.Namespace, adjust: Adjust) -> None:
    """Draw the window to a new file, print its path."""
    try:
        folder = tempfile.gettempdir()
    except OSError as error:
        raise FileError(
            Path("."),
            "no folder for temporary files can be written to; choose a file with --snapshot",
        ) from error
    options.snapshot = Path(folder, f"latviz-{secrets.token_hex(8)}.png")
    one.write(options, adjust)
    say(f"There is no display, so the window was drawn to {options.snapshot}")
    say("To open the window, run latviz on a desktop, or connect with ssh -X.")


def _check_lesson(path: Path) -> int:
    """Print the errors of a lesson; return 0 if it has none."""
    from latviz.workspace import check_lesson  # not above: it loads NumPy

    try:
        found = check_lesson(path)
    except ParameterError as error:
        found = [str(error)]
    for reason in found:
        complain(f"latviz: {path}: {reason}")
    if not found:
        say(f"{path}: all numbers are right")
    return 1 if found else 0


def _change_desktop(change: Callable[[], int]) -> int:
    """Install the files of the desktop, or remove them; return the exit code."""
    try:
        return change()
    except FileError as error:
        return code_of(error)


def _show(options: argparse.Namespace, adjust: Adjust) -> int:
    """Open the window; return the exit code."""
    gc.disable()  # as its `Collector` does: searches while modules load take a fifth of their time
    begin_early()  # before modules load, which takes one core as long as the compiler's on another
    from latviz.app.program.main import (  # not above: a server may lack Qt's libraries
        application,
        show,
        show_shelf,
    )

    platforms.opened(application, outputs(options))
    theme = options.theme or ""
    if options.places or options.model:
        places = options.places or [str(options.image)]
        more = options.recursive, options.labels
        return show_shelf(places, *more, adjust, theme, options.model)
    return show(
        options.image,
        part_of(options),
        options.reduce,
        options.demo,
        adjust,
        theme,
        settings_of(options),
        options.lesson or "",
        str(options.mask or ""),
    )
