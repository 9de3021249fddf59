"""No output replaces an input: each option that writes, against each kind of file that is read."""

import argparse
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import PIL.Image
import pytest

from latviz import cli
from latviz.cli import many, rules, understanding
from latviz.cli.options import parser_of
from latviz.core import DiscreteModel, Encoding, encode, save_model
from latviz.core.disk import inputs
from latviz.core.disk.errors import ExportError, TargetError
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import append, check_targets, replacing
from latviz.engine.keeping.session import opened
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import read_pictures, write_session
from tests.files.test_pyramids import array_at
from tests.of_wings import of_wings

GREY = np.add.outer(np.arange(24), np.arange(32)).astype(np.uint8)
PLACEHOLDERS = {"figure": ["space"]}
"""What options have before the file."""


class Command(NamedTuple):
    """A command, the files that it reads, and the options of its parser that write files."""

    arguments: str
    read: str
    parser: Callable[[], argparse.ArgumentParser]
    writes: tuple[str, ...]


ONE = (*rules.OUTPUTS, "save_model")
COMMANDS = (
    Command("a.png", "a.png", parser_of, ONE),
    Command("a.png --model m.npz", "m.npz", parser_of, rules.OUTPUTS),
    Command("a.latviz", "a.png a.latviz", parser_of, ONE),
    Command("understanding u.csv", "u.csv", understanding.parser_of, ("output",)),
    *(Command(*row) for table in of_wings("inputs") for row in table.ROWS),
)
ELSEWHERE = {"output", *many.outputs()}
"""A folder, and options of wings, which other tests have."""


def outputs_of(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options that write files: their metavariable is OUT, or they are --output."""
    return {
        one.dest: one
        for one in parser._actions
        if one.option_strings and (one.dest == "output" or "OUT" in str(one.metavar))
    }


def cases_of(commands: Sequence[Command]) -> list[tuple[Command, str, str]]:
    return [
        (command, name, read)
        for command in commands
        for name in command.writes
        if name != "handout"  # of a lesson, not of a file
        for read in command.read.split()
    ]


def words_of(action: argparse.Action, target: Path) -> tuple[list[str], Path]:
    """Return an option with a file of its suffix, and that file."""
    suffix = re.search(r"(?:OUT|MODEL)(\.\w+)", str(action.metavar))
    path = target.with_suffix(suffix[1])
    return [action.option_strings[-1], *PLACEHOLDERS.get(action.dest, []), str(path)], path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a file of each kind that is read; it is the current one."""
    folder = tmp_path_factory.mktemp("inputs")
    for name in ("a.png", "b.png", "a.labels.png", "a_mine.png"):
        PIL.Image.fromarray(GREY).save(folder / name)
    model = DiscreteModel(np.eye(2) + 0.1, np.array([[0.8, 0.2], [0.2, 0.8]]), 1)
    save_model(model, folder / "m.npz", encoder=encode(GREY, Encoding("quantiles", 2)).encoder)
    (folder / "u.csv").write_text("question,answer\n")
    array_at(folder / "a.zarr", GREY)
    pictures = read_pictures(folder / "a.png")
    write_session(folder / "a.latviz", opened(pictures, Parameters()), pictures)
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def code_of(arguments: list[str]) -> object:
    try:
        return cli.run(arguments)
    except SystemExit as end:
        return end.code


def assert_kept(read: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(read).read_bytes()
    assert code_of(arguments) == 2
    *_, line = capsys.readouterr().err.splitlines()
    assert "result is made" in line
    assert Path(read).read_bytes() == before


def test_each_option_that_writes_is_in_the_table() -> None:
    for parser in {command.parser for command in COMMANDS}:
        rows = [command.writes for command in COMMANDS if command.parser is parser]
        assert {*outputs_of(parser())} <= {*chain(*rows)} | ELSEWHERE


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("command", "name", "read"), cases_of(COMMANDS))
def test_an_output_that_leads_to_an_input_is_refused(command, name, read, place, capsys) -> None:
    check_refused(command, name, read, place, capsys)


def check_refused(command, name, read, place, capsys) -> None:
    words, link = words_of(outputs_of(command.parser())[name], place / "link")
    link.symlink_to(place / read)
    try:
        assert_kept(read, [*command.arguments.split(), *words], capsys)
        assert link.is_symlink()
    finally:
        link.unlink()


@pytest.mark.parametrize(
    ("read", "arguments"),
    [
        ("a.png", "a.png --export a.png"),
        ("a.png", "a.png --export same.png"),
        ("m.npz", "a.png --model m.npz --export m.npz"),
        ("a.zarr/zarr.json", "a.zarr --export a.zarr/zarr.json"),
    ],
)
def test_the_input_itself_another_name_of_it_and_folders(read, arguments, place, capsys) -> None:
    os.link(place / "a.png", same := place / "same.png")
    try:
        assert_kept(read, arguments.split(), capsys)
    finally:
        same.unlink()


def test_two_results_need_two_names(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(["a.png", "--export", "o.png", "--snapshot", "o.png"]) == 2
    assert "two results have this name" in capsys.readouterr().err
    with pytest.raises(TargetError):
        check_targets([place / "o", "o"])


def write(path: Path) -> None:
    with replacing(path) as stream:
        stream.write(b"new")


def test_scripts_replace_what_they_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    read_bytes(tmp_path / "a")
    write(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_what_a_command_read_is_kept_until_it_ends(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for path in (first, second):
        path.write_bytes(b"old")
    with inputs.kept():
        read_bytes(first)
        with pytest.raises(ExportError, match="would be lost"):
            write(first)
        with replacing(first, lasting=False) as stream:  # a store of results, which it mends
            stream.write(b"old")
        append(first, b"er")
        write(second)
    write(first)
    assert second.read_bytes() == b"new"


def test_a_file_that_took_the_place_of_an_input_is_none(tmp_path: Path) -> None:
    """Its inode may be that of the input, which is deleted."""
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"old")
    with inputs.kept():
        read_bytes(first)
        first.rename(second)
        write(second)
    assert second.read_bytes() == b"new"


def test_files_of_the_work_on_screen_are_kept(tmp_path: Path) -> None:
    on_screen = [tmp_path / "a", tmp_path / "gone"]
    on_screen[0].write_bytes(b"old")

    class Work:
        def files(self, target: Path) -> list[Path]:
            assert target == tmp_path / "a"
            return on_screen

    work = Work()
    inputs.watch(work.files)
    try:
        with pytest.raises(TargetError):
            write(tmp_path / "a")
        on_screen.pop(0)
        write(tmp_path / "a")
    finally:
        inputs.unwatch(work.files)
    assert (tmp_path / "a").read_bytes() == b"new"
