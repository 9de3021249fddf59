"""Its row of the table of options that make files of many images."""

import argparse
from pathlib import Path

from latviz.cli.many import BatchOptions
from latviz.cli.parser import Rule, one_of, within
from latviz.cli.rules import OUTPUTS as ONE
from latviz.cli.rules import PRINTED
from latviz.cli.standard import file_to_write
from latviz.wings.many.command import OUTPUTS, run

KINDS = ("png", "tif", "npz", "json")
OPTIONS = (*OUTPUTS, "each", "processes", "afresh", "export_as")
"""All options."""


def add_options(group: "argparse._ActionsContainer", models: "argparse._ActionsContainer") -> None:
    """Add the options to the groups for many images and for models."""
    add = group.add_argument
    add("--export-dir", type=Path, metavar="OUT", help="write files of each image into a folder")
    add(
        "--export-as",
        **one_of(KINDS),
        action="append",
        help=(
            "with --export-dir: write the state map (png, by default; tif has labels from 1), "
            "arrays or summary; may be repeated"
        ),
    )
    add(
        "--table",
        type=file_to_write(".csv"),
        metavar="OUT.csv",
        help="write a row of results for each image",
    )
    add(
        "--confusion",
        type=file_to_write(".csv"),
        metavar="OUT.csv",
        help="write how many pixels of each label are in each state",
    )
    add(
        "--score-choose",
        type=file_to_write(".csv"),
        metavar="OUT.csv",
        help="choose w and N for each image with labels, and report how far they are from the best",
    )
    add(
        "--processes",
        type=within(1, 256),
        metavar="K",
        help="images processed at once; one per thread (--threads) by default",
    )
    add("--afresh", action="store_true", help="compute existing results again")
    models.add_argument(
        "--each", action="store_true", help="learn a separate model for each of many images"
    )


RULES = (
    Rule(
        *([*ONE, *PRINTED, "map"], lambda o: o.places),
        "needs one image; for many, see --export-dir and --table",
    ),
    Rule(["score_choose"], lambda o: o.model, "has no effect with --model"),
    Rule(OPTIONS, lambda o: not o.places, "needs images: name files, a folder or a pattern"),
    Rule(["export_as"], lambda o: not o.export_dir, "needs --export-dir"),
    Rule(
        *(["each"], lambda o: not any(getattr(o, name) for name in OUTPUTS)),
        "needs --export-dir or --table",
    ),
    Rule(
        *(["score_choose"], lambda o: o.export_dir or o.table or o.confusion),
        "cannot be used with --export-dir, --table or --confusion: it sets N and w for each image",
    ),
    Rule(
        *(["score_choose"], lambda o: o.save_model or o.choose),
        "cannot be used with --save-model or --choose: it sets N and w for each image",
    ),
)
ROWS = (BatchOptions(add_options, OPTIONS, OUTPUTS, RULES, run),)
