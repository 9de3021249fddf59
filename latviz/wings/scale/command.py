"""``latviz scale``: decode a zarr image of any size into an OME-Zarr pyramid of states."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from latviz.cli.parser import Parser, code_of, ending, file_to_read
from latviz.core.data.encoding import SCALE_RANGE, SYMBOL_RANGE, Encoding, words
from latviz.core.disk import inputs
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_new, check_target
from latviz.core.errors import ParameterError
from latviz.core.model.fitting import FitSettings
from latviz.core.model.indices import associativity
from latviz.core.model.learning import adjacency
from latviz.core.model.storage import load_encoder, load_model, save_model
from latviz.core.printable import complain, say
from latviz.engine.indices import INDICES
from latviz.files.pyramids import Pyramid, open_pyramid
from latviz.wings import scale
from latviz.wings.scale.decoding import AppliedModel, prepare, write
from latviz.wings.scale.schedulers import scheduler
from latviz.wings.scale.settings import HowDecoded

PROG = "latviz scale"
STATES, WINDOW = 4, 3
"""The number of states and the half-width of the window by default."""
LEARNED = "states", "encoding", "symbols", "scale"
"""Options that only learning reads."""
VALUES = "values"
"""The encoding that uses the channels unchanged as vectors."""


def run(arguments: Sequence[str]) -> int:
    """Run the command; return 0, 1 (a file or a worker failed) or 130 (interrupted)."""
    parser = _parser()
    options = parser.parse_args(list(arguments))
    if reason := _without_effect(options):
        parser.error(reason)
    try:
        with scheduler(options.scheduler), inputs.kept():
            _run(options)
    except (FileError, ParameterError) as error:
        return code_of(error, PROG)
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
    add("image", type=file_to_read(), metavar="FILE.zarr", help="zarr array or OME-Zarr image")
    add("-o", "--output", type=Path, required=True, metavar="OUT.zarr", help="folder to write")
    for flag, default, metavar, text in (
        ("--states", None, "N", f"number of states, 1 to 255; {STATES} by default"),
        ("--window", None, "W", f"half-width of the window; {WINDOW}, or the model's, by default"),
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
        choices=[VALUES, *(name for name in words() if Encoding(name).kind.suits(2))],
        help=(
            f"how a pixel is encoded; {VALUES!r} means its channels as they are. Default: "
            "quantiles for grey images, a palette for colour images, values for others"
        ),
    )
    models = parser.add_mutually_exclusive_group()
    text = "apply a model from a file, and learn none"
    models.add_argument("--model", type=file_to_read(".npz"), metavar="FILE.npz", help=text)
    text = "also write the model and its encoder"
    models.add_argument("--save-model", type=ending(".npz"), metavar="OUT.npz", help=text)
    text = "address of a dask scheduler, such as tcp://host:8786; by default threads are used"
    add("--scheduler", metavar="ADDRESS", help=text)
    return parser


def _without_effect(options: argparse.Namespace) -> str:
    """Return which option has no effect with the others and why, or ""."""
    given = next((name for name in LEARNED if getattr(options, name) is not None), "")
    if not (options.model and given):
        return ""
    return f"--{given} has no effect: the model of --model has its own"


def settings_of(
    pyramid: Pyramid, options: argparse.Namespace, given: AppliedModel | None
) -> HowDecoded:
    """Return the settings from options, with defaults that suit the image or the given model."""
    name, encoding = options.encoding or _usual(pyramid), None
    if given is not None:
        encoding = None if given.encoder is None else given.encoder.encoding
    elif name != VALUES:
        own = {"n_symbols": options.symbols, "scale": options.scale}
        encoding = Encoding(name, **{k: v for k, v in own.items() if v is not None})
    window = WINDOW if given is None else given.model.window
    n_states = options.states if options.states is not None else STATES
    n_states = n_states if given is None else given.model.n_states
    return HowDecoded(
        encoding=encoding,
        fit=FitSettings(n_states, window if options.window is None else options.window),
        level=options.level,
        time=options.time,
    )


def _usual(pyramid: Pyramid) -> str:
    if pyramid.dimensions < 2 or pyramid.n_channels not in (1, 3):
        return VALUES
    return "palette" if pyramid.n_channels == 3 else "quantiles"


def _run(options: argparse.Namespace) -> None:
    inputs.hold([options.image, *([options.model] if options.model else [])])
    check_new(options.output)
    if options.save_model:
        check_target(options.save_model)
    pyramid, given = open_pyramid(options.image), None
    if options.model:
        given = AppliedModel(load_model(options.model), load_encoder(options.model))
    complain(f"{options.image}: {_sizes(pyramid)}; level {options.level} is decoded")
    settings = settings_of(pyramid, options, given)
    found = prepare(pyramid, settings, given)
    which = "is learned" if given is None else f"of {options.model.name} is applied"
    complain(f"the model {which}: N = {found.model.n_states}, w = {settings.window}")
    write(options.output, pyramid, found, settings)
    if options.save_model:
        save_model(found.model, options.save_model, encoder=found.encoder)
    complain(f"wrote {options.output}")
    states = scale.open_level(open_pyramid(options.output)) - np.uint8(1)
    for name, measured in _IN_PARTS.items():
        say(f"{INDICES[name].in_files} {measured(states, settings):.6f}")


def _associativity(states: Any, settings: HowDecoded) -> float:
    return associativity(
        adjacency(*scale.count(states, n_states=settings.fit.n_states), states.ndim)
    )


def _inertia(states: Any, settings: HowDecoded) -> float:
    return scale.inertia(states, n_states=settings.fit.n_states, window=settings.window)


_IN_PARTS: dict[str, Callable[[Any, HowDecoded], float]] = {
    "associativity": _associativity,
    "inertia": _inertia,
}
"""Functions that compute an index from states that were written, by its name."""


def _sizes(pyramid: Pyramid) -> str:
    return ", ".join(" × ".join(map(str, pyramid.shape(k))) for k in range(len(pyramid.levels)))
