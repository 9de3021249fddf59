"""The command line for many images: a shelf in the window; wings make files of them."""

import argparse
import glob
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from latviz import wings
from latviz.cli.parser import Rule, ending, file_to_read, to_read
from latviz.engine.settings.parameters import Parameters
from latviz.files.suffixes import holds_images

OPTIONS = ("recursive", "labels")
"""The options for many images besides those of wings."""

Adjust = Callable[[Parameters], Parameters]


@dataclass(frozen=True)
class BatchOptions:
    """Options that make files of many images: a row of the table ``batches`` of wings."""

    # to the groups of options for many images, and of models, one of which excludes the others
    add: Callable[["argparse._ActionsContainer", "argparse._ActionsContainer"], object]
    names: tuple[str, ...]  # of all its options; each means that there are many images
    outputs: tuple[str, ...]  # those that make files, without a window; so does save_model
    rules: tuple[Rule, ...]
    run: Callable[[argparse.Namespace, Adjust], int]  # makes them, and returns the exit code


def batches() -> tuple[BatchOptions, ...]:
    """Return the rows of the table ``batches``."""
    return wings.rows("batches", BatchOptions)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for many images, and those for models."""
    group = parser.add_argument_group(
        "many images", "one model is learned from all images, except with --model"
    )
    add = group.add_argument
    add("--recursive", action="store_true", help="also search subfolders")
    add(
        "--labels",
        type=to_read,
        metavar="RULE",
        default="",
        help="label images: a folder, or the ending of their names, such as _truth",
    )
    models = parser.add_argument_group("models").add_mutually_exclusive_group()
    add = models.add_argument
    add("--model", type=file_to_read(".npz"), metavar="FILE.npz", help="apply a model from a file")
    text = "write the model to a file and exit"
    add("--save-model", type=ending(".npz"), metavar="OUT.npz", help=text)
    for batch in batches():
        batch.add(group, models)


def names() -> tuple[str, ...]:
    """Return the options that mean that there are many images."""
    return (*OPTIONS, *(name for batch in batches() for name in batch.names))


def outputs() -> tuple[str, ...]:
    """Return the options that make files of many images."""
    return tuple(name for batch in batches() for name in (*batch.outputs, "save_model"))


def sort_out(options: argparse.Namespace) -> None:
    """Set ``image`` for a single file, or ``places`` for many."""
    images = options.images
    several = len(images) > 1 or any(getattr(options, name) for name in names())
    one_volume = len(images) == 1 and options.volume and os.path.isdir(images[0])
    several = several or (not one_volume and any(_names_many(image) for image in images))
    options.places = images if several else []
    options.image = Path(images[0]) if images and not several else None


def _names_many(place: str) -> bool:
    try:
        return holds_images(place) or (glob.has_magic(place) and not Path(place).exists())
    except (OSError, ValueError):  # opening it reports the reason
        return False


def is_headless(options: argparse.Namespace) -> bool:
    """Return True if files are made of many images, or a model is saved, without a window."""
    return any(getattr(options, name) for name in ("save_model", *outputs()))
