"""The options of the main command: those of its table, and those of parameters."""

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from latviz import __version__
from latviz.cli import desktop, many
from latviz.cli.commands import commands
from latviz.cli.completion import SHELLS, PrintCompletion
from latviz.cli.parser import (
    Parser,
    ending,
    file_to_read,
    gone,
    one_of,
    piped,
    renamed,
    suggested,
    within,
)
from latviz.cli.standard import STREAM, file_to_write
from latviz.core.axes import ROLES, SLICES, roles_of, shorthand
from latviz.core.errors import ParameterError
from latviz.core.parameter import Parameter, rows
from latviz.engine.pictures.demo_titles import DEFAULT_DEMO, DEMO_TITLES
from latviz.engine.settings.parameters import Parameters
from latviz.files.suffixes import DPI_RANGE, EXPORTS, FIGURES, HANDOUT, REGION_EXPORTS, REPORT
from latviz.resources import lessons, short_name

REDUCTIONS = (1, 2, 4, 8, 16, 32, 64)
SIZE_RANGE = (320, 8192)
CHOICES = ("w", "N", "both")
MAPS = ("likelihood", "inertia", "doubt", "resemblance")

Adjust = Callable[[Parameters], Parameters]
EXAMPLES = (
    "photo.jpg",
    "photo.jpg --states 6 --window 5 -o states.png -o summary.json",
    "photo.jpg --choose both --json",
    "scans/ --export-dir results --table results.csv",
    "photo.jpg --model learned.npz -o - > states.png",
)
"""Arguments that the help shows."""
GONE = {
    "--film": "--live OUT.html writes a page that computes the states for any w",
    "--evaluation-window": "in Python, evaluate(observations, window=W) has it",
}
"""Removed options, and what does their job; they are refused until the next release."""
LINKED = "w"
"""The value of an option for a window that equals w."""


def parser_of(table: type = Parameters) -> Parser:
    """Return the parser of the main command, with an option for each row of a table."""
    parser = Parser(
        prog="latviz",
        description="Explore the latent-variable lattice model of an image.",
    )
    pictures, add = parser.add_mutually_exclusive_group(), parser.add_argument
    pictures.add_argument(
        "images",
        nargs="*",
        default=[],
        type=piped,
        metavar="IMAGE",
        help=(
            "image, volume, sequence, zarr folder or session file; several images, folders or "
            "patterns; or - for an image from the standard input"
        ),
    )
    pictures.add_argument(
        "--demo",
        **one_of(tuple(DEMO_TITLES)),
        help=f"open a built-in demo; {DEFAULT_DEMO}, if there is no image",
    )
    add(
        "--page",
        type=within(1),
        metavar="P",
        help="page of a multi-page file, or record of a sequence file, from 1",
    )
    add(
        "--volume",
        action="store_true",
        help="open all pages of a file, or the images of a folder, as one volume",
    )
    add(
        "--axes",
        type=_axes,
        default="",
        metavar="ROLES",
        help=(
            "roles of the axes of a file, such as 't=3, z=apart, c=0+2': "
            f"{', '.join(ROLES)}, or entries from 0"
        ),
    )
    add(
        "--slices",
        **one_of(("together", "apart")),
        help="the slices of a volume: one lattice in 3-D, or each a lattice of its own in 2-D",
    )
    add(
        "--reduce",
        type=int,
        choices=REDUCTIONS,
        default=1,
        metavar="K",
        help="read the image at 1/K of its width and height; K is a power of two up to 64",
    )
    add(
        "--mask",
        type=file_to_read(),
        metavar="FILE",
        help=(
            "image of the same size, or of a slice of a volume: pixels where it is 0 are unknown, "
            "all others known; without it, NAME.mask.png next to NAME.tif is used if it is there"
        ),
    )
    add(
        "--choose",
        **one_of(CHOICES),
        help="first choose w, N or both from the picture alone, and explain why",
    )
    _add_outputs(parser)
    add(
        "--advise",
        action="store_true",
        help="say what could be better and why, with the options that try it, and exit",
    )
    add(
        "--settings",
        metavar="TEXT",
        help="apply settings as text, such as 'demo=blobs&window=2&display.truth=errors'",
    )
    add("--state", dest="settings", type=_former, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add(
        "--lesson",
        type=_lesson,
        metavar="NAME",
        help=f"begin a lesson in the window: {', '.join(_lesson_names())}",
    )
    add(
        "--check-lesson",
        type=file_to_read(),
        metavar="FILE.md",
        help="compute every number in a lesson, report wrong ones, and exit",
    )
    for flag, change, text in (
        ("--install-desktop", desktop.install, "on Linux: add latviz to your menus, and exit"),
        ("--uninstall-desktop", desktop.uninstall, "undo --install-desktop, and exit"),
    ):
        add(flag, dest="desktop", action="store_const", const=change, help=text)
    add("-V", "--version", action="version", version=f"latviz {__version__}")
    add(
        "--print-completion",
        action=PrintCompletion,
        choices=SHELLS,
        help="print what a shell reads to complete command lines, and exit",
    )
    many.add_options(parser)
    _add_parameters(parser, table)
    others = ", ".join(f"latviz {name}" for name in commands())
    return parser.ended(*EXAMPLES, more=f"commands, each with --help: {others}\n")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for showing, drawing and writing."""
    add = parser.add_argument
    text = "draw the window to a file and exit"
    add("--snapshot", type=file_to_write(*FIGURES), metavar="OUT.png", help=text)
    add(
        "--figure",
        nargs=2,
        action="append",
        default=[],
        metavar=("VIEW", "OUT.svg|OUT.pdf|OUT.png"),
        help="draw a view, such as space or adjacency, to a file and exit; may be repeated",
    )
    add(
        "--dpi",
        type=within(*DPI_RANGE),
        metavar="DPI",
        help="pixels per inch of figures, 300 by default",
    )
    for name, instead in GONE.items():
        add(name, nargs="*", type=gone(instead), default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add(
        "--report",
        type=file_to_write(REPORT),
        metavar="OUT.html",
        help="write a page with the states, curves, A, settings and a script, and exit",
    )
    add(
        "--live",
        type=file_to_write(REPORT),
        metavar="OUT.html",
        help="write a page that computes the states for any N, w and alpha, and exit",
    )
    add(
        "--handout",
        type=ending(HANDOUT),
        metavar="OUT.pdf",
        help="write the questions and answers of a lesson on two pages, and exit",
    )
    add("--map", **one_of(MAPS), help="show this map over the image in the window")
    add("--size", type=_size, metavar="WxH", help="size of the snapshot, 1280x800 by default")
    add("--theme", **one_of(("light", "dark")), help="colours of the window")
    add(
        *("-o", "--output", "--export"),
        dest="export",
        type=_exported,
        action="append",
        default=[],
        metavar="OUT.png",
        help="write the state map (.png), labels from 1 (.tif, .ome.tif, .zarr), the model and the "
        "states as arrays (.npz; .large.npz for observations of more than a million nodes), the "
        "summary (.json) or a layer "
        "of beliefs a state (.beliefs.tif), and exit; may be repeated; - is the standard output, "
        "which gets the state map; other options that write text or an image take - too",
    )
    add("--json", action="store_true", help="print the summary to the standard output and exit")
    add(
        "--regions",
        type=file_to_write(*REGION_EXPORTS),
        action="append",
        default=[],
        metavar="OUT.csv|OUT.geojson|OUT.png|OUT.npz",
        help="write the regions as a table, polygons, labels or arrays and exit; may be repeated",
    )


def _add_parameters(parser: argparse.ArgumentParser, table: type) -> None:
    """Add an option for each row of a table; options that are not given are absent later."""
    essential = parser.add_argument_group("parameters")
    advanced = parser.add_argument_group("advanced parameters")
    add_rows(essential, table, [row for row in rows(table) if row.essential])
    add_rows(advanced, table, [row for row in rows(table) if not row.essential])
    for action in parser._actions:
        if action.dest == "window":
            action.type = partial(_half_widths, cast("Callable[[str], Any]", action.type))


def add_rows(
    group: "argparse._ArgumentGroup", table: type, some: Sequence[Parameter] | None = None
) -> None:
    """Add an option for each row of a table, or for some of them."""
    for row in rows(table) if some is None else some:
        group.add_argument(
            row.flag,
            dest=row.field,
            default=argparse.SUPPRESS,
            help=_help_of(row, table).replace("%", "%%"),
            **kind_of(row),
        )


def kind_of(row: Parameter) -> dict[str, Any]:
    """Return the type of a parameter's option, and its choices or the word for its value."""
    if row.bounds is None:
        return one_of((*(choice.word for choice in row.choices_for()), *row.shorthands))

    def number(text: str) -> Any:
        value: Any = text
        with suppress(ValueError):
            value = float(text) if row.decimals else int(text)
        value = None if row.follows and text.lower() == LINKED else value
        try:
            row.check(value)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return value

    return {"type": number, "metavar": row.metavar}


def _half_widths(one: Callable[[str], Any], text: str) -> Any:
    """Return a half-width, or one for each axis of an image or a volume."""
    parts = text.split(",")
    if len(parts) > 3:
        raise argparse.ArgumentTypeError(
            f"must be one number, or one for each axis such as 1,8,8, got {text!r:.60}"
        )
    first, *others = map(one, parts)
    return (first, *others) if others else first


def split_window(options: argparse.Namespace) -> None:
    """Set ``spacing`` and the largest half-width in place of one for each axis."""
    if isinstance(vars(options).get("window"), tuple):
        from latviz.core.data.lattice import steps_of  # not above: it loads NumPy

        options.window, options.spacing = max(options.window), steps_of(options.window)


def _help_of(row: Parameter, table: type) -> str:
    tip = row.tip[0].lower() + row.tip[1:]
    if row.bounds is None:
        return tip
    followed = {other.field: other.short for other in rows(table)}.get(row.follows)
    linked = f"; {LINKED!r}: same as {followed}" if followed else ""
    return f"{tip} ({row.range_text}{linked})"


def given_in(table: Any, options: argparse.Namespace) -> dict[Parameter, Any]:
    """Return the values that options give to the rows of a table."""
    words = vars(options)
    given = {row: words[row.field] for row in rows(table) if row.field in words}
    for row in given:
        if row.bounds is None:
            named = {choice.word: choice.value for choice in row.choices_for()}
            given[row] = named.get(given[row], given[row])
    return given


def changed(parameters: Parameters, options: argparse.Namespace) -> Parameters:
    """Return the parameters with the values of the options."""
    for row, value in given_in(parameters, options).items():
        parameters = row.put(parameters, value)
    return replace(parameters, spacing=options.spacing) if "spacing" in options else parameters


def begun(parameters: Parameters, options: argparse.Namespace) -> Parameters:
    """Return the initial parameters, given those that suit the picture.

    ``--symbols`` alone means grey quantiles, if the picture's encoding has no symbols.
    """
    alone = "encoding.n_symbols" in options and "encoding.name" not in options
    if alone and "n_symbols" not in parameters.encoding.options:
        parameters = replace(parameters, encoding=Parameters().encoding)
    return changed(parameters, options)


def _former(text: str) -> str:
    """Return settings as text, which another option had."""
    if text.isdecimal():
        raise argparse.ArgumentTypeError("this option is gone; did you mean --states?")
    return str(renamed("--state", "--settings")(text))


def _exported(text: str) -> Path:
    """Return the path of a result; the state map goes to the standard output, "-"."""
    return Path(f"{STREAM}.png") if text == STREAM else ending(*EXPORTS)(text)


def _axes(text: str) -> str:
    """Return a text with roles of axes."""
    try:
        roles_of(text)
    except ParameterError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def settings_of(options: argparse.Namespace) -> str:
    """Return the further settings as text, with the slices."""
    apart = options.slices and f"{SLICES}={str(options.slices == 'apart').lower()}"
    return "&".join(filter(None, (options.settings, apart)))


def part_of(options: argparse.Namespace) -> str:
    """Return the roles of axes, as a text."""
    plane = None if options.page is None else options.page - 1
    return options.axes or shorthand(plane, options.volume)


def _lesson_names(folder: Path | None = None) -> dict[str, str]:
    """Return the names of the program's lessons, or those of a folder, by their short names."""
    return {short_name(name): name for name in lessons(folder)}


def _user_lessons() -> dict[str, str]:
    """Return the same of the user's own lessons."""
    from latviz.app.shell.settings import Settings  # not above: it loads Qt

    folder = Settings().lessons_folder
    return {} if folder is None else _lesson_names(folder)


def _lesson(text: str) -> str:
    """Return the name of a lesson, which may be called without its number."""
    text, known = text.lower(), _lesson_names()
    if text not in (*known, *known.values()):
        known |= _user_lessons()
    if text in known.values():
        return text
    if text not in known:
        listed = ", ".join(known)
        question = suggested(text, known)
        raise argparse.ArgumentTypeError(f"there is no lesson {text!r} among {listed}{question}")
    return known[text]


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"must look like 1280x800, got {text!r}")
    width, height = int(parts[0]), int(parts[1])
    low, high = SIZE_RANGE
    if not (low <= width <= high and low <= height <= high):
        raise argparse.ArgumentTypeError(f"sides must be from {low} to {high}, got {text!r}")
    return width, height
