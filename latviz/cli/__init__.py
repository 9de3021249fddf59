"""The command line: open the window, or make pictures and files without a display.

The options that set parameters follow from the table of parameters. Nothing heavy is imported at
the top, so that ``--help`` and ``--version`` answer at once.
"""

import argparse
import secrets
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from latviz import __version__
from latviz.app.program import platforms
from latviz.cli import classify, many
from latviz.core.disk.errors import FileError, shortened
from latviz.core.disk.writing import check_target
from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts
from latviz.core.parameter import Parameter, rows
from latviz.core.printable import complain, printable, say
from latviz.engine.films.film import WORDS, Film
from latviz.engine.pictures.demo_titles import DEFAULT_DEMO, DEMO_TITLES
from latviz.engine.settings.parameters import Parameters, suited
from latviz.files.names import local_path
from latviz.files.suffixes import DPI, DPI_RANGE, EXPORTS, FIGURES, FILMS, REPORT, is_session

if TYPE_CHECKING:  # these load NumPy, which --help must not wait for
    from latviz.engine.keeping.session import Session
    from latviz.engine.pictures.picture import PictureSet

SNAPSHOT_SIZE = (1280, 800)
REDUCTIONS = (1, 2, 4, 8, 16, 32, 64)
SIZE_RANGE = (320, 8192)
CHOICES = ("w", "N", "both")
OUTPUTS = ("snapshot", "export", "figure", "film", "report")
"""The options that write files of one image; with one of them no window is opened."""
_OUTPUT_TEXT = "--snapshot, --export, --figure, --film or --report"
_MANY_TEXT = "--export-dir, --table or --save-model"
MAPS = ("likelihood", "inertia", "doubt", "resemblance")

Adjust = Callable[[Parameters], Parameters]
LINKED = "w"
"""What an option says of a window that is to be the same as that of w."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {printable(message)}\n")


def run(arguments: list[str]) -> int:
    """Do what the arguments say; return 0, 1 (an image or file failed) or 2 (bad arguments).

    An interrupt of work on many images returns 130.
    """
    try:
        return _run(arguments)
    except ImportError as error:
        if not (missing := platforms.lacking(error)):
            raise
        complain(f"latviz: {missing}")
        return 2


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in _COMMANDS:
        return _COMMANDS[arguments[0]](arguments[1:])
    parser = _parser()
    options = parser.parse_args(arguments)
    many.sort_out(options)
    if options.check_lesson is not None:
        return _check_lesson(options.check_lesson)
    headless = any(getattr(options, output) for output in OUTPUTS) or many.is_headless(options)
    problem = (
        many.problem(options, {row.field: row.flag for row in _given(Parameters, options)})
        or _problem(options, headless)
        or _figure_problem(options)
        or _film_problem(options)
        or _without_effect(options)
    )
    if problem:
        parser.error(problem)
    adjust = partial(begun, options=options)
    if not headless and platforms.has_display():
        return _show(options, adjust)
    try:
        if options.places:
            return many.run(options, adjust)
        if headless:
            _write(options, adjust)
        else:
            _draw_instead(options, adjust)
    except (FileError, ParameterError) as error:
        complain(f"latviz: {error}")
        return 1
    return 0


def _draw_instead(options: argparse.Namespace, adjust: Adjust) -> None:
    """Draw the window to a new file, print its path."""
    try:
        folder = tempfile.gettempdir()
    except OSError as error:
        raise FileError(Path("."), "no folder takes the picture; use --snapshot") from error
    options.snapshot = Path(folder, f"latviz-{secrets.token_hex(8)}.png")
    _write(options, adjust)
    say(f"There is no display, so the window was drawn to {options.snapshot}")
    say("To open the window, run latviz on a desktop, or connect with ssh -X.")


def _scale(arguments: list[str]) -> int:
    """Decode a zarr image chunk by chunk; return the exit code."""
    try:
        from latviz.scale import command  # not above: it loads dask, which may not be installed
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        complain(f"latviz scale: it needs {missing}; install latviz[scale]")
        return 1
    return command.run(arguments)


_COMMANDS: dict[str, Callable[[list[str]], int]] = {"classify": classify.run, "scale": _scale}
"""What the first argument may ask for instead, which takes those after it."""


def _problem(options: argparse.Namespace, headless: bool) -> str:
    """Return what is wrong with options that are each right on their own, or nothing."""
    if options.image is not None and options.demo is not None:
        return "give an image or --demo, not both"
    if (options.size or options.theme) and not options.snapshot and headless:
        return "--size and --theme go with --snapshot"
    if options.map and not (options.snapshot or options.figure):
        return "--map goes with --snapshot or --figure: it is a view of the window"
    if options.state is not None and (reason := _state_problem(options)):
        return reason
    if options.choose and not headless:
        return f"--choose goes with {_outputs(options)}; in the window, see its menu"
    if options.choose in ("N", "both") and "n_states" in options:
        return f"--states has no effect: --choose {options.choose} sets the number of states"
    if not options.places and (reason := _page_problem(options)):
        return reason
    return "" if headless else _display_problem(options)


def _display_problem(options: argparse.Namespace) -> str:
    """Return why no window can be opened, or nothing; without a display, one image is drawn."""
    if platforms.has_display():
        reason = platforms.refusal()
        return f"{reason}; or use {_outputs(options)}" if reason else ""
    return f"there is no display; use {_outputs(options)}" if options.places else ""


def _outputs(options: argparse.Namespace) -> str:
    return _MANY_TEXT if options.places else _OUTPUT_TEXT


def _page_problem(options: argparse.Namespace) -> str:
    if options.page < 1:
        return f"--page must be 1 or more, got {options.page}"
    is_file = options.image is not None and not is_session(options.image)
    if not is_file and (options.page, options.reduce, options.volume) != (1, 1, False):
        return "--page, --reduce and --volume go with an image"
    return ""


def _state_problem(options: argparse.Namespace) -> str:
    """Return what is wrong with a state that is given as text, or nothing; set its demo."""
    from latviz.engine.keeping.state_string import demo_of  # not above: it loads NumPy

    try:
        demo = demo_of(options.state)
    except ParameterError as error:
        return f"--state: {error}"
    if demo and (options.image is not None or options.demo is not None):
        return f"--state names the demo {shortened(demo)!r}: give no image and no --demo"
    if demo and demo not in DEMO_TITLES:
        return (
            f"--state: there is no demo {shortened(demo)!r}; choose one of {', '.join(DEMO_TITLES)}"
        )
    options.demo = demo or options.demo
    return ""


def _figure_problem(options: argparse.Namespace) -> str:
    """Return what is wrong with the figures that are asked for, or nothing."""
    if options.dpi and not options.figure:
        return "--dpi goes with --figure"
    for _, path in options.figure:
        if Path(path).suffix.lower() not in FIGURES:
            return f"--figure: the suffix must be one of {', '.join(FIGURES)}, got {path!r}"
    return ""


def _film_problem(options: argparse.Namespace) -> str:
    """Return what is wrong with the film or the report that is asked for, or nothing."""
    if options.report and options.report.suffix.lower() != REPORT:
        return f"--report: the suffix must be {REPORT}, got {str(options.report)!r}"
    if options.film is None:
        given = [row.flag for row in _given(Film, options)]
        given += ["--film-range"] if options.film_range else []
        return f"{given[0]} goes with --film" if given else ""
    what, path = options.film
    if what not in WORDS:
        return f"--film: what moves must be one of {', '.join(WORDS)}, got {what!r}"
    if Path(path).suffix.lower() not in FILMS:
        return f"--film: the suffix must be one of {', '.join(FILMS)}, got {path!r}"
    try:
        _film(options)
    except ParameterError as error:
        return f"--film: {error}"
    return ""


def _film(options: argparse.Namespace) -> Film:
    """Return the film that the options describe."""
    first, last = options.film_range or (None, None)
    fields = {row.field: value for row, value in _given(Film, options).items()}
    return Film(WORDS[options.film[0]], first, last, **fields)


def _without_effect(options: argparse.Namespace) -> str:
    """Return which parameter's option is out of range or has no effect and why, or nothing."""
    given = _given(Parameters, options)
    try:
        for row, value in given.items():
            row.check(value)
    except ParameterError as error:
        return str(error)
    if not any(row.conditional for row in given):
        return ""
    is_image = options.image is not None and not is_session(options.image)
    is_image = is_image or bool(options.places)
    if is_image and "encoding.name" not in options:
        for row in given:
            if row.field.startswith("encoding.") and row.field != "encoding.n_symbols":
                return f"{row.flag} goes with --encoding"
    with suppress(FileError, ParameterError):  # what opens the file says why it cannot be read
        parameters, dimensions = _outset(options)
        parameters = changed(parameters, options)
        for row in given:
            if reason := row.refused(parameters, dimensions):
                return f"{row.flag} has no effect: {reason}"
    return ""


def _outset(options: argparse.Namespace) -> tuple[Parameters, int]:
    """Return the parameters that a picture is opened with and its d; images are not read."""
    from latviz import workspace  # not above: it loads NumPy, which --help must not wait for

    if options.places:
        return suited(Parameters(), PictureFacts(2)), 2
    if options.image is None or is_session(options.image):
        demo = options.demo or DEFAULT_DEMO
        pictures, session = workspace.read_work(options.image, demo)
        return session.shown.parameters, pictures.picture.dimensions
    dimensions = workspace.dimensions_of(options.image, options.volume)
    return suited(Parameters(), PictureFacts(dimensions)), dimensions


def _parser(table: type = Parameters) -> _Parser:
    parser = _Parser(
        prog="latviz",
        description="Explore the latent-variable lattice model of an image.",
        epilog=f"Without an image, the demo {DEFAULT_DEMO!r} is opened. "
        "“latviz classify” learns classes of images, see “latviz classify --help”.",
    )
    add = parser.add_argument
    add(
        "images",
        nargs="*",
        type=local_path,
        metavar="IMAGE",
        help="image, volume, sequence, zarr folder or session file; or several, folders, patterns",
    )
    add("--demo", choices=tuple(DEMO_TITLES), help="open a built-in demo")
    add(
        "--page",
        type=int,
        metavar="P",
        default=1,
        help="page of a multi-page file, or record of a sequence file, from 1",
    )
    add("--volume", action="store_true", help="open all pages of a file as one volume")
    add(
        "--reduce",
        type=int,
        choices=REDUCTIONS,
        default=1,
        metavar="K",
        help="read the image at 1/K of its width and height; K is a power of two up to 64",
    )
    add(
        "--choose",
        choices=CHOICES,
        help="first choose w, N or both by what predicts left-out pixels best, and say why",
    )
    _add_outputs(parser)
    add(
        "--state",
        metavar="TEXT",
        help="set what the text says, such as 'demo=blobs&window=2&display.truth=errors'",
    )
    add(
        "--check-lesson",
        type=Path,
        metavar="FILE.md",
        help="compute every number in a lesson, say what is wrong, and exit",
    )
    add("--version", action="version", version=f"latviz {__version__}")
    many.add_options(parser)
    _add_parameters(parser, table)
    _add_rows(parser.add_argument_group("films"), Film)
    return parser


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the options of what is shown, drawn and written."""
    add = parser.add_argument
    add("--snapshot", type=Path, metavar="OUT.png", help="draw the window to a file and exit")
    add(
        "--figure",
        nargs=2,
        action="append",
        default=[],
        metavar=("VIEW", "OUT.svg|OUT.pdf|OUT.png"),
        help="draw a view, such as space or adjacency, to a file and exit; may be repeated",
    )
    add("--dpi", type=_dpi, metavar="DPI", help="pixels an inch of figures, 300 by default")
    add(
        "--film",
        nargs=2,
        metavar=("WHAT", "OUT.gif|OUT.webp"),
        help=f"write a film that moves one of {', '.join(WORDS)}, and exit",
    )
    add(
        "--film-range",
        nargs=2,
        type=int,
        metavar=("FIRST", "LAST"),
        help="the values of the film at both ends, those of the trade-off by default",
    )
    add(
        "--report",
        type=Path,
        metavar="OUT.html",
        help="write a page with the states at every w, curves, A, settings and a script and exit",
    )
    add("--map", choices=MAPS, help="show this map in the snapshot")
    add("--size", type=_size, metavar="WxH", help="size of the snapshot, 1280x800 by default")
    add("--theme", choices=("light", "dark"), help="colours of the window")
    add(
        "--export",
        type=_export_path,
        action="append",
        default=[],
        metavar="OUT.npz|OUT.json|OUT.png",
        help="write all arrays, the summary or the state map and exit; may be repeated",
    )


def _add_parameters(parser: argparse.ArgumentParser, table: type) -> None:
    """Add an option for each row of a table; what is not given is not among the options then."""
    essential = parser.add_argument_group("parameters")
    advanced = parser.add_argument_group("advanced parameters")
    _add_rows(essential, table, [row for row in rows(table) if row.essential])
    _add_rows(advanced, table, [row for row in rows(table) if not row.essential])


def _add_rows(
    group: "argparse._ArgumentGroup", table: type, some: Sequence[Parameter] | None = None
) -> None:
    """Add an option for each row of a table, or for some of them."""
    for row in rows(table) if some is None else some:
        group.add_argument(
            row.flag,
            dest=row.field,
            default=argparse.SUPPRESS,
            help=_help_of(row, table).replace("%", "%%"),
            **_kind_of(row),
        )


def _kind_of(row: Parameter) -> dict[str, Any]:
    if row.bounds is None:
        return {"choices": tuple(choice.word for choice in row.choices_for())}
    number = float if row.decimals else int
    if not row.follows:
        return {"type": number, "metavar": row.metavar}

    def number_or_linked(text: str) -> float | None:
        return None if text == LINKED else number(text)

    number_or_linked.__name__ = number.__name__  # which the parser's errors name
    return {"type": number_or_linked, "metavar": row.metavar}


def _help_of(row: Parameter, table: type) -> str:
    tip = row.tip[0].lower() + row.tip[1:]
    if row.bounds is None:
        return tip
    followed = {other.field: other.short for other in rows(table)}.get(row.follows)
    return f"{tip}, {row.range_text}" + (f"; {LINKED!r}: that of {followed}" if followed else "")


def _given(table: Any, options: argparse.Namespace) -> dict[Parameter, Any]:
    """Return the values that options give to parameters."""
    words = vars(options)
    given = {row: words[row.field] for row in rows(table) if row.field in words}
    for row in given:
        if row.bounds is None:
            named = {choice.word: choice.value for choice in row.choices_for()}
            given[row] = named[given[row]]
    return given


def changed(parameters: Parameters, options: argparse.Namespace) -> Parameters:
    """Return the parameters with what the options set."""
    for row, value in _given(parameters, options).items():
        parameters = row.put(parameters, value)
    return parameters


def begun(parameters: Parameters, options: argparse.Namespace) -> Parameters:
    """Return the parameters to begin with, given those that the picture opens with.

    Symbols alone are those of grey quantiles, if the encoding that it opens with has none.
    """
    alone = "encoding.n_symbols" in options and "encoding.name" not in options
    if alone and "n_symbols" not in parameters.encoding.options:
        parameters = replace(parameters, encoding=Parameters().encoding)
    return changed(parameters, options)


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"must look like 1280x800, got {text!r}")
    width, height = int(parts[0]), int(parts[1])
    low, high = SIZE_RANGE
    if not (low <= width <= high and low <= height <= high):
        raise argparse.ArgumentTypeError(f"sides must be from {low} to {high}, got {text!r}")
    return width, height


def _dpi(text: str) -> int:
    low, high = DPI_RANGE
    if not (text.isdecimal() and low <= int(text) <= high):
        raise argparse.ArgumentTypeError(f"must be from {low} to {high}, got {text!r}")
    return int(text)


def _export_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in EXPORTS:
        wanted = ", ".join(EXPORTS)
        raise argparse.ArgumentTypeError(f"the suffix must be one of {wanted}, got {text!r}")
    return path


def _check_lesson(path: Path) -> int:
    """Print what is wrong in a lesson; return 0 if nothing is."""
    from latviz.workspace import check_lesson  # not above: it loads NumPy

    try:
        found = check_lesson(path)
    except ParameterError as error:
        found = [str(error)]
    for reason in found:
        complain(f"latviz: {path}: {reason}")
    if not found:
        say(f"{path}: every number is right")
    return 1 if found else 0


def _show(options: argparse.Namespace, adjust: Adjust) -> int:
    """Open the window; return the exit code."""
    from latviz.app.program.main import (  # not above: a server may lack Qt's libraries
        show,
        show_shelf,
    )

    page, theme = options.page - 1, options.theme or ""
    if options.places or options.model:
        places = options.places or [str(options.image)]
        more = options.recursive, options.labels
        return show_shelf(places, *more, adjust, theme, options.model)
    return show(
        options.image,
        page,
        options.reduce,
        options.demo,
        adjust,
        theme,
        options.volume,
        options.state or "",
    )


def _write(options: argparse.Namespace, adjust: Adjust) -> None:
    """Write all files that the options ask for."""
    from latviz import workspace  # not above: it loads NumPy, which --help must not wait for

    for path in _targets(options):
        check_target(path)
    pictures, session = workspace.read_work(
        options.image,
        options.demo or DEFAULT_DEMO,
        options.page - 1,
        options.reduce,
        options.volume,
        options.state or "",
    )
    session = _applied(options, session).adjusted(adjust)
    if "encoding.name" in options:
        _check_encoding(session.shown.parameters, pictures)
    if options.choose:
        session = _chosen(options, pictures, session)
    if options.map:
        state = replace(session.state, map=options.map, views=(*session.state.views, "map"))
        session = replace(session, state=state)
    _draw_and_export(options, pictures, session)
    _share(options, pictures, session)
    if options.save_model:
        _save_model(options.save_model, pictures, session)


def _applied(options: argparse.Namespace, session: "Session") -> "Session":
    """Return the session with the model that is to be applied."""
    if options.model is None:
        return session
    from latviz import collection  # not above: it loads NumPy, which --help must not wait for

    given = collection.models.read_model(options.model)
    return replace(session, state=session.state.applying(given), coloring=None)


def _save_model(path: Path, pictures: "PictureSet", session: "Session") -> None:
    from latviz import collection, workspace  # not above: they load NumPy, as above

    frame = workspace.compute(pictures, session.shown)
    collection.models.write_model(path, collection.models.model_of(frame, path.name))


def _targets(options: argparse.Namespace) -> list[Path]:
    """Return the files that are to be written."""
    pairs = [*options.figure, *([options.film] if options.film else [])]
    single = [path for path in (options.snapshot, options.report, options.save_model) if path]
    return [*options.export, *single, *(Path(path) for _, path in pairs)]


def _draw_and_export(
    options: argparse.Namespace, pictures: "PictureSet", session: "Session"
) -> None:
    """Write the window, figures of views, and results."""
    from latviz import exports, workspace  # not above: they load NumPy, as above

    figures = tuple((name, Path(path)) for name, path in options.figure)
    if options.snapshot or figures:
        from latviz.app.program.snapshot import (  # not above, as the window is not
            Drawings,
            snapshot,
        )

        size, theme = options.size or SNAPSHOT_SIZE, options.theme or "light"
        drawings = Drawings(options.snapshot, figures, options.dpi or DPI)
        frame = snapshot(pictures, session, drawings, size, theme)
    elif options.export:
        frame = workspace.compute_exported(pictures, session.shown)
    for path in options.export:
        exports.export_frame(frame, path)


def _share(options: argparse.Namespace, pictures: "PictureSet", session: "Session") -> None:
    """Write a film and a report."""
    from latviz import sharing  # not above: it loads NumPy, which --help must not wait for

    if options.film:
        film, path = _film(options), Path(options.film[1])
        sharing.film_writing.write_film(path, pictures, session, film)
    if options.report:
        sharing.page.write_report(options.report, pictures, session)


def _check_encoding(parameters: Parameters, pictures: "PictureSet") -> None:
    """Raise `ParameterError` if pictures cannot have the encoding that was asked for."""
    if reason := parameters.encoding.kind.refusal(pictures.facts):
        raise ParameterError(reason)


def _chosen(options: argparse.Namespace, pictures: "PictureSet", session: "Session") -> "Session":
    """Return the session with w, N or both as the rule chooses them, and print why."""
    from latviz import workspace  # not above: it loads NumPy, which --help must not wait for

    chosen = workspace.choose(pictures, session.shown, options.choose)
    say(f"{chosen.sentence}.")
    return session.adjusted(chosen.applied)
