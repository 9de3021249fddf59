"""The options that make files of many images, with others."""

from itertools import product
from pathlib import Path

import pytest

from latviz.wings.many.batches import RULES
from tests.test_cli import ASKED, Refuse, check_refusals, refusal_of

OWN = [
    *(["--export-dir", "o"], ["--export-as", "npz"], ["--table", "a.csv"], ["--each"]),
    *(["--confusion", "a.csv"], ["--score-choose", "a.csv"], ["--processes", "2"], ["--afresh"]),
]


def test_of_options_that_do_not_go_together_one_is_named(capsys, nowhere) -> None:
    check_refusals(product([*ASKED, *OWN], OWN), RULES, capsys)


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.png", "b.png", "--table", "a.csv", "--each"],
        ["a.png", "--labels", "_t", "--table", "a.csv"],
        ["a.png", "--score-choose", "a.csv"],
    ],
)
def test_options_that_go_together_are_taken(arguments, capsys, monkeypatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert refusal_of(arguments, capsys) == ""


@pytest.mark.usefixtures("nowhere")
def test_without_a_display_errors_name_them(tmp_path: Path, refuse: Refuse) -> None:
    refuse([tmp_path, "--recursive", "--choose", "N"], 2, "--export-dir, ", "or --save-model")
