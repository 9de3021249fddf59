"""The options of ``latviz scale``: those of ``latviz`` that decoding chunk by chunk has."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from latviz.cli.options import add_rows
from latviz.cli.parser import Parser, ending, file_to_read, renamed, within
from latviz.core.parameter import rows
from latviz.engine.settings.parameters import Parameters

EXAMPLES = (
    "slide.zarr -o states.zarr",
    "slide.zarr -o states.zarr --states 6 --window 5",
    "slide.zarr -o states.zarr --encoding lab --save-model model.npz",
    "other.zarr -o other-states.zarr --model model.npz --json",
    "slide.zarr -o states.zarr --scheduler tcp://host:8786",
)
USED = "n_states", "window", "decoder", "learning_window", "smoothing"
"""The parameters with an effect, besides those of the encoding."""


def parser_of() -> Parser:
    """Return the command's parser."""
    parser = Parser(
        prog="latviz scale",
        description="Decode a zarr image of any size, chunk by chunk, into a pyramid of states.",
    )
    add = parser.add_argument
    add("image", type=file_to_read(), metavar="FILE.zarr", help="zarr array or OME-Zarr image")
    add(
        *("-o", "--output", "--export"),
        dest="output",
        type=Path,
        required=True,
        metavar="OUT.zarr",
        help="folder to write",
    )
    add("--json", action="store_true", help="print the indices as JSON")
    text = "number of the image in a series in time, from 1"
    add("--page", type=within(1), default=1, metavar="P", help=text)
    text = "decode the level of 1/K of the width, one that the file has; the finest by default"
    add("--reduce", type=within(1), default=1, metavar="K", help=text)
    add("--time", dest="page", type=_from_0, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add("--level", type=_level, help=argparse.SUPPRESS)
    models = parser.add_mutually_exclusive_group()
    text = "apply a model from a file, and learn none"
    models.add_argument("--model", type=file_to_read(".npz"), metavar="FILE.npz", help=text)
    text = "also write the model and its encoder"
    models.add_argument("--save-model", type=ending(".npz"), metavar="OUT.npz", help=text)
    text = "address of a dask scheduler, such as tcp://host:8786; by default threads are used"
    add("--scheduler", default="", metavar="ADDRESS", help=text)
    used = [row for row in rows(Parameters) if row.field in USED or "." in row.field]
    add_rows(parser.add_argument_group("parameters"), Parameters, used)
    (encoding,) = (one for one in parser._actions if one.dest == "encoding.name")
    encoding.type = partial(_encoding, cast("Callable[[str], str]", encoding.type))
    return parser.ended(*EXAMPLES)


def _encoding(known: Callable[[str], str], text: str) -> str:
    if text == "values":
        return str(renamed("--encoding values", "--encoding channels")("channels"))
    return known(text)


def _from_0(text: str) -> int:
    return int(renamed("--time, from 0,", "--page, from 1,", within(0))(text)) + 1


def _level(text: str) -> int:
    return int(renamed("--level", "--reduce, by its width,", within(0))(text))
