"""No table of many images and no classifier replaces an input."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from latviz.cli.options import parser_of
from latviz.core import save_classifier
from latviz.wings.many import classify_command as classify
from latviz.wings.many.command import OUTPUTS
from tests.test_inputs import Command, assert_kept, cases_of, check_refused, code_of, outputs_of
from tests.wings.many.classify import cases


def ways(name: str) -> Callable[[], argparse.ArgumentParser]:
    return lambda: next(
        one.choices[name] for one in classify.parser_of()._actions if one.dest not in ("help",)
    )


MANY = (*(name for name in OUTPUTS if name != "export_dir"), "save_model")
COMMANDS = (
    Command("a.png b.png", "a.png b.png a.labels.png", parser_of, MANY),
    Command("a.png b.png --labels _mine", "a_mine.png", parser_of, MANY),
    Command("a.png b.png --model m.npz", "m.npz", parser_of, ("table", "confusion")),
    Command("classify train list.csv", "list.csv a.png", ways("train"), ("output",)),
    Command("classify test a.latclf list.csv", "a.latclf list.csv b.png", ways("test"), ("table",)),
    Command("classify cross-validate list.csv", "list.csv", ways("cross-validate"), ("output",)),
)


@pytest.fixture(scope="module")
def listed(place: Path) -> Path:
    """The folder of inputs with a list of images, and a classifier."""
    save_classifier(cases.fitted(), place / "a.latclf")
    (place / "list.csv").write_text("a.png,attract\nb.png,repel\n")
    return place


def test_each_option_that_writes_is_in_the_table() -> None:
    for command in COMMANDS[3:]:
        assert {*outputs_of(command.parser())} == {*command.writes}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("command", "name", "read"), cases_of(COMMANDS))
def test_an_output_that_leads_to_an_input_is_refused(command, name, read, listed, capsys) -> None:
    check_refused(command, name, read, listed, capsys)


@pytest.mark.parametrize(
    ("read", "arguments"),
    [
        ("list.csv", "classify test a.latclf list.csv --table list.csv"),
        ("a.png.states.png", "a.png a.png.states.png --export-dir ."),
    ],
)
def test_the_input_itself_and_one_of_the_name_of_an_output(read, arguments, listed, capsys) -> None:
    os.link(listed / "b.png", link := listed / "a.png.states.png")
    try:
        assert_kept(read, arguments.split(), capsys)
    finally:
        link.unlink()


def test_two_results_need_two_names(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(["a.png", "b.png", "--table", "o.csv", "--confusion", "o.csv"]) == 2
    assert "two results have this name" in capsys.readouterr().err
