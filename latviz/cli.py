"""The command line: open the window, or make pictures and files without a display.

Nothing heavy is imported here, so that ``--help`` and ``--version`` answer at once.
"""

import argparse
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from latviz import __version__
from latviz.engine.demo_titles import DEFAULT_DEMO, DEMO_TITLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from latviz.engine.parameters import Parameters
    from latviz.engine.picture import Picture
    from latviz.engine.session import Session

ENCODING_NAMES = ("quantiles", "levels", "palette", "labels", "grey", "rgb", "lab", "texture")
SNAPSHOT_SIZE = (1280, 800)
REDUCTIONS = (1, 2, 4, 8, 16, 32, 64)
SIZE_RANGE = (320, 8192)
SESSION_SUFFIX = ".latviz"
SLICES = ("together", "apart")
EXPORT_SUFFIXES = (".npz", ".json", ".png")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def run(arguments: list[str]) -> int:
    """Do what the arguments say; return 0, 1 (an image or file failed) or 2 (bad arguments)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    headless = bool(options.snapshot or options.export)
    if problem := _problem(options, headless):
        parser.error(problem)
    from latviz.core.errors import ParameterError
    from latviz.engine.parameters import Parameters
    from latviz.files.errors import FileError

    adjust = partial(changed, options=options)
    try:
        adjust(Parameters())
    except ParameterError as error:
        parser.error(str(error))
    if not headless:
        from latviz.app.main import show

        page, theme = options.page - 1, options.theme or ""
        return show(
            options.image, page, options.reduce, options.demo, adjust, theme, options.volume
        )
    try:
        _write(options, adjust)
    except (FileError, ParameterError) as error:
        print(f"latviz: {error}", file=sys.stderr)
        return 1
    return 0


def _problem(options: argparse.Namespace, headless: bool) -> str:
    """Return what is wrong with options that are each right on their own, or nothing."""
    if options.image is not None and options.demo is not None:
        return "give an image or --demo, not both"
    if (options.size or options.theme) and not options.snapshot and headless:
        return "--size and --theme go with --snapshot"
    if not headless and not _has_display():
        return "there is no display; use --snapshot or --export, or set DISPLAY"
    if options.page < 1:
        return f"--page must be 1 or more, got {options.page}"
    is_file = options.image is not None and options.image.suffix.lower() != SESSION_SUFFIX
    if not is_file and (options.page, options.reduce, options.volume) != (1, 1, False):
        return "--page, --reduce and --volume go with an image"
    if options.symbols is not None and options.encoding is not None:
        from latviz.core.data.encoding import ENCODINGS

        if not ENCODINGS[options.encoding].uses_symbols:
            return f"--symbols has no meaning with --encoding {options.encoding}"
    return ""


def _parser() -> _Parser:
    parser = _Parser(
        prog="latviz",
        description="Explore the latent-variable lattice model of an image.",
        epilog=f"Without an image, the demo {DEFAULT_DEMO!r} is opened.",
    )
    add = parser.add_argument
    add(
        "image",
        nargs="?",
        type=Path,
        metavar="IMAGE",
        help="image, volume, sequence or session file to open",
    )
    add("--demo", choices=tuple(DEMO_TITLES), help="open a built-in demo")
    add("--encoding", choices=ENCODING_NAMES, help="how the image becomes observations")
    add("--symbols", type=int, metavar="M", help="number of symbols, 2 to 64")
    add("--states", type=int, metavar="N", help="number of states, 1 to 32")
    add("--window", type=int, metavar="W", help="half-width of the window, 0 to 64")
    add("--alpha", type=float, metavar="A", help="Markov correction, 0.01 to 1")
    add(
        "--page",
        type=int,
        metavar="P",
        default=1,
        help="page of a multi-page file, or record of a sequence file, from 1",
    )
    add("--volume", action="store_true", help="open all pages of a file as one volume")
    add("--slices", choices=SLICES, help="decode a volume in 3-D, or each slice apart in 2-D")
    add(
        "--reduce",
        type=int,
        choices=REDUCTIONS,
        default=1,
        metavar="K",
        help="read the image at 1/K of its width and height; K is a power of two up to 64",
    )
    add("--snapshot", type=Path, metavar="OUT.png", help="draw the window to a file and exit")
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
    add("--version", action="version", version=f"latviz {__version__}")
    return parser


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"must look like 1280x800, got {text!r}")
    width, height = int(parts[0]), int(parts[1])
    low, high = SIZE_RANGE
    if not (low <= width <= high and low <= height <= high):
        raise argparse.ArgumentTypeError(f"sides must be from {low} to {high}, got {text!r}")
    return width, height


def _export_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in EXPORT_SUFFIXES:
        wanted = ", ".join(EXPORT_SUFFIXES)
        raise argparse.ArgumentTypeError(f"the suffix must be one of {wanted}, got {text!r}")
    return path


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def changed(parameters: "Parameters", options: argparse.Namespace) -> "Parameters":
    """Return the parameters with what the options set."""
    encoding = {"name": options.encoding, "n_symbols": options.symbols}
    apart = None if options.slices is None else options.slices == "apart"
    model = {
        "n_states": options.states,
        "window": options.window,
        "alpha": options.alpha,
        "slices_apart": apart,
    }
    return replace(
        parameters,
        encoding=replace(parameters.encoding, **_given(encoding)),
        **_given(model),
    )


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _write(options: argparse.Namespace, adjust: "Callable[[Parameters], Parameters]") -> None:
    from latviz.files.atomic import check_target
    from latviz.workspace import compute, export_frame

    for path in (*options.export, *([options.snapshot] if options.snapshot else [])):
        check_target(path)
    picture, session = _read(options, adjust)
    if options.snapshot:
        from latviz.app.snapshot import snapshot

        size, theme = options.size or SNAPSHOT_SIZE, options.theme or "light"
        frame = snapshot(picture, session, options.snapshot, size, theme)
    else:
        frame = compute(picture, session.shown)
    for path in options.export:
        export_frame(frame, path)


def _read(
    options: argparse.Namespace, adjust: "Callable[[Parameters], Parameters]"
) -> "tuple[Picture, Session]":
    """Return the picture and what to show of it."""
    from latviz.engine.parameters import Parameters
    from latviz.engine.picture import suiting
    from latviz.engine.session import Session
    from latviz.workspace import make_picture, read_picture, read_session

    if options.image is None:
        picture, parameters = make_picture(options.demo or DEFAULT_DEMO)
    elif options.image.suffix.lower() == SESSION_SUFFIX:
        picture, session = read_session(options.image)
        return picture, session.adjusted(adjust)
    else:
        picture = read_picture(options.image, options.page - 1, options.reduce, options.volume)
        parameters = suiting(picture, Parameters())
    return picture, Session.of(adjust(parameters))
