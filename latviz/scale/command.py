"""``latviz scale``: decode a zarr image of any size into an OME-Zarr pyramid of states."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from latviz import scale
from latviz.core.data.encoding import ENCODINGS, SCALE_RANGE, SYMBOL_RANGE, Encoding
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_target
from latviz.core.errors import ParameterError
from latviz.core.model.indices import associativity
from latviz.core.model.storage import save_model
from latviz.core.printable import complain, printable, say
from latviz.files.pyramids import Pyramid, open_pyramid
from latviz.scale.decoding import prepare, write
from latviz.scale.schedulers import scheduler
from latviz.scale.settings import HowDecoded
from latviz.scale.writing import check_new

PROG = "latviz scale"
VALUES = "values"
"""Stands for the channels themselves as vectors, whatever they are."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {printable(message)}\n")


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; return 0, 1 (a file or a worker failed) or 130 (interrupted)."""
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


def _parser() -> _Parser:
    parser = _Parser(
        prog=PROG,
        description="Decode a zarr image of any size, chunk by chunk, into a pyramid of states.",
    )
    add = parser.add_argument
    add("image", type=Path, metavar="FILE.zarr", help="zarr array or OME-Zarr image")
    add("-o", "--output", type=Path, required=True, metavar="OUT.zarr", help="folder to write")
    add(
        "--states",
        type=int,
        default=4,
        metavar="N",
        help="number of states, 1 to 255; 4 if not given",
    )
    add(
        "--window",
        type=int,
        default=3,
        metavar="W",
        help="half-width of the window; 3 if not given",
    )
    add(
        "--encoding",
        choices=[VALUES, *(name for name, kind in ENCODINGS.items() if kind.suits(2))],
        help=f"what the model sees of a pixel; {VALUES!r} are its channels as they are. Without it "
        "grey images have quantiles, colours a palette, others their values",
    )
    add(
        "--symbols", type=int, metavar="M", help="number of symbols, {} to {}".format(*SYMBOL_RANGE)
    )
    add(
        "--scale",
        type=float,
        metavar="S",
        help="scale of texture in pixels, {:g} to {:g}".format(*SCALE_RANGE),
    )
    add(
        "--level",
        type=int,
        default=0,
        metavar="K",
        help="level to decode; 0, the finest, if not given",
    )
    add("--time", type=int, default=0, metavar="T", help="which image of several in time, from 0")
    add("--model", type=Path, metavar="OUT.npz", help="write the model and its encoder, too")
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a dask scheduler, as tcp://host:8786; if not given, threads do it",
    )
    return parser


def settings_of(pyramid: Pyramid, options: argparse.Namespace) -> HowDecoded:
    """Return what options say, and what suits the image where they say nothing."""
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
    complain(f"{options.output} is written")
    say(f"associativity {associativity(found.model.A):.6f}")
    written = scale.open_level(open_pyramid(options.output))
    say(f"inertia {scale.inertia(written, found.model.n_states, found.model.window):.6f}")


def _sizes(pyramid: Pyramid) -> str:
    return ", ".join(" × ".join(map(str, pyramid.shape(k))) for k in range(len(pyramid.levels)))
