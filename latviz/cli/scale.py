"""``latviz scale``: decode a zarr image of any size into an OME-Zarr pyramid of states."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from latviz import scale
from latviz.cli.parser import Parser
from latviz.core.data.encoding import ENCODINGS, SCALE_RANGE, SYMBOL_RANGE, Encoding
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_target
from latviz.core.errors import ParameterError
from latviz.core.model.indices import associativity
from latviz.core.model.models import Model
from latviz.core.model.storage import save_model
from latviz.core.printable import complain, say
from latviz.engine.indices import INDICES
from latviz.files.pyramids import Pyramid, open_pyramid
from latviz.scale.decoding import prepare, write
from latviz.scale.schedulers import scheduler
from latviz.scale.settings import HowDecoded
from latviz.scale.writing import check_new

PROG = "latviz scale"
VALUES = "values"
"""The encoding that uses the channels unchanged as vectors."""


def run(arguments: Sequence[str]) -> int:
    """Run the command; return 0, 1 (a file or a worker failed) or 130 (interrupted)."""
    options = _parser().parse_args(list(arguments))
    try:
        with scheduler(options.scheduler):
            _run(options)
    except (FileError, ParameterError) as error:
        complain(f"{PROG}: {error}")
        return 1
    except MemoryError:
        reason = "there is not enough memory; close other programs, or choose a coarser level"
        complain(f"{PROG}: {reason}")
        return 1
    except KeyboardInterrupt:
        complain(f"{PROG}: stopped; nothing was written")
        return 130
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog=PROG,
        description="Decode a zarr image of any size, chunk by chunk, into a pyramid of states.",
    )
    add = parser.add_argument
    add("image", type=Path, metavar="FILE.zarr", help="zarr array or OME-Zarr image")
    add("-o", "--output", type=Path, required=True, metavar="OUT.zarr", help="folder to write")
    for flag, default, metavar, text in (
        ("--states", 4, "N", "number of states, 1 to 255; 4 by default"),
        ("--window", 3, "W", "half-width of the window; 3 by default"),
        ("--level", 0, "K", "level to decode; 0, the finest, by default"),
        ("--time", 0, "T", "number of the image in a series in time, from 0"),
        ("--symbols", None, "M", "number of symbols, {} to {}".format(*SYMBOL_RANGE)),
    ):
        add(flag, type=int, default=default, metavar=metavar, help=text)
    low, high = SCALE_RANGE
    text = f"scale of texture in pixels, {low:g} to {high:g}"
    add("--scale", type=float, metavar="S", help=text)
    add(
        "--encoding",
        choices=[VALUES, *(name for name, kind in ENCODINGS.items() if kind.suits(2))],
        help=(
            f"how a pixel is encoded; {VALUES!r} means its channels as they are. Default: "
            "quantiles for grey images, a palette for colour images, values for others"
        ),
    )
    add("--model", type=Path, metavar="OUT.npz", help="also write the model and its encoder")
    text = "address of a dask scheduler, such as tcp://host:8786; by default threads are used"
    add("--scheduler", metavar="ADDRESS", help=text)
    return parser


def settings_of(pyramid: Pyramid, options: argparse.Namespace) -> HowDecoded:
    """Return the settings from options, with defaults that suit the image."""
    name, encoding = options.encoding or _usual(pyramid), None
    if name != VALUES:
        given = {"n_symbols": options.symbols, "scale": options.scale}
        encoding = Encoding(name, **{k: v for k, v in given.items() if v is not None})
    return HowDecoded(
        encoding=encoding,
        n_states=options.states,
        window=options.window,
        level=options.level,
        time=options.time,
    )


def _usual(pyramid: Pyramid) -> str:
    if pyramid.dimensions < 2 or pyramid.n_channels not in (1, 3):
        return VALUES
    return "palette" if pyramid.n_channels == 3 else "quantiles"


def _run(options: argparse.Namespace) -> None:
    check_new(options.output)
    if options.model:
        check_target(options.model)
    pyramid = open_pyramid(options.image)
    complain(f"{options.image}: {_sizes(pyramid)}; level {options.level} is decoded")
    settings = settings_of(pyramid, options)
    found = prepare(pyramid, settings)
    complain(f"the model is learned: N = {found.model.n_states}, w = {found.model.window}")
    write(options.output, pyramid, found, settings)
    if options.model:
        save_model(found.model, options.model, encoder=found.encoder)
    complain(f"wrote {options.output}")
    for name, measured in _IN_PARTS.items():
        say(f"{INDICES[name].in_files} {measured(found.model, options.output):.6f}")


def _inertia(model: Model, path: Path) -> float:
    written = scale.open_level(open_pyramid(path))
    return scale.inertia(written, model.n_states, model.window)


_IN_PARTS: dict[str, Callable[[Model, Path], float]] = {
    "associativity": lambda model, _: associativity(model.A),
    "inertia": _inertia,
}
"""Functions that compute an index from a model and the states in a folder, by its name."""


def _sizes(pyramid: Pyramid) -> str:
    return ", ".join(" × ".join(map(str, pyramid.shape(k))) for k in range(len(pyramid.levels)))
