"""Command lines as people type them: help, misspelt words, pipes, quiet and verbose ones."""

import io
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from latviz import cli
from latviz.cli.commands import commands
from latviz.cli.completion import script
from latviz.cli.options import parser_of
from latviz.cli.parser import Parser
from latviz.core import printable, threads
from tests.test_cli import noisy_blobs


def typed(line: str) -> int:
    """Run a line in this process; return its exit code."""
    try:
        return cli.run(shlex.split(line))
    except SystemExit as end:
        return int(str(end.code))
    finally:
        printable.set_verbosity(0)


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory) -> Iterator[Path]:
    """A folder with an image, a.png; it is the current one."""
    folder = tmp_path_factory.mktemp("typed")
    noisy_blobs(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("help scael", "no command 'scael'; did you mean scale?"),
        ("scael big.zarr -o o.zarr", "no command 'scael'; did you mean scale?"),
        ("Claszify train scans -o m.latclf", "did you mean classify?"),
        ("a.png --windw 3", "there is no option --windw; did you mean --window?"),
        ("a.png --wind=3", "there is no option --wind; did you mean --window?"),
        ("a.png --n-states 3", "did you mean --states?"),
        ("a.png -w 3", "there is no option -w; did you mean --window?"),
        ("a.png --qqq", "there is no option --qqq; latviz --help lists them"),
        ("classify train scans -o m.latclf --priorz uniform", "did you mean --priors?"),
        ("scale a.zarr -o b.zarr --stats 3", "did you mean --states?"),
        ("a.png --states 3 b.png", "'b.png' comes too late"),
        ("--demo blob --json", "got 'blob'; did you mean blobs?"),
        ("a.png --state 3 --json", "did you mean --states?"),
        ("a.png --states three --json", "--states: the number of states N must be an integer"),
        ("a.png -o out.jpg", "the suffix must be one of"),
        ("a.png --threads 0 --json", "--threads: must be from 1 to 256"),
        ("a.png --json -o -", "--json cannot be used with another result"),
        ("a.png -o - --live -", "only one result goes to the standard output"),
        ("a.png --encoding lab --json", "--encoding: The picture is grey"),
        ("a.png b.png --json", "--json needs one image"),
        ("scale a.zarr -o b.zarr --states 33", "must be from 1 to 32, got 33"),
        ("classify train . -o m.latclf --states 33", "must be from 1 to 32, got 33"),
        ("classify train . -o m.latclf --encoding nothing", "--encoding: "),
    ],
)
def test_wrong_arguments_end_with_2_and_a_question(line, question, capsys) -> None:
    assert typed(line) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert question in told


@pytest.mark.parametrize("line", ["help", "--help", "help scale", "help classify", "scale -h"])
def test_help_of_each_command(line, capsys) -> None:
    assert typed(line) == 0
    assert "examples:" in capsys.readouterr().out


def test_version(capsys) -> None:
    assert [typed(line) for line in ("version", "-V")] == [0, 0]
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


def every_parser() -> dict[str, Parser]:
    """Return the parsers of all commands, by the words before their arguments."""
    found, left = dict[str, Parser](), [parser_of(), *(c.parser() for c in commands().values())]
    while left:
        parser = left.pop()
        found[parser.prog] = parser
        left += [
            one
            for action in parser._actions
            for one in (action.choices or {} if isinstance(action.choices, dict) else {}).values()
        ]
    return found


def test_each_help_has_five_examples_that_are_accepted() -> None:
    for prog, parser in every_parser().items():
        _, _, rest = str(parser.epilog).partition("examples:\n")
        lines = [line.strip() for line in rest.splitlines() if line.startswith("  ")]
        assert len(lines) == 5, prog
        for line in lines:
            words = shlex.split(line.partition(" > ")[0].removeprefix(prog))
            parser.parse_args(words)
    printable.set_verbosity(0)


def test_values_in_any_case(capsys) -> None:
    assert typed("a.png --encoding Grey --decoder BELIEF --json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["parameters"]["decoder"] == "belief"


def test_from_and_to_standard_streams(place, capsysbinary, monkeypatch) -> None:
    assert typed("a.png -o file.png") == 0
    piped = io.BytesIO((place / "a.png").read_bytes())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=piped, isatty=lambda: False))
    assert typed("- -o -") == 0
    assert capsysbinary.readouterr().out == (place / "file.png").read_bytes()


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        ("a.png --live -", b"<!DOCTYPE html>"),
        ("a.png --report -", b"<!DOCTYPE html>"),
        ("a.png --regions -", b"Region,"),
        ("a.png --figure map -", b"\x89PNG"),
        ("a.png --snapshot -", b"\x89PNG"),
    ],
)
def test_each_writer_of_text_or_an_image_has_the_standard_output(
    words, beginning, capsysbinary, qapp
) -> None:
    assert typed(words) == 0
    assert capsysbinary.readouterr().out.startswith(beginning)


@pytest.mark.parametrize(("data", "reason"), [(b"", "it is empty"), (b"text", "not an image")])
def test_what_is_piped_but_not_an_image(data, reason, capsys, monkeypatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False)
    )
    assert typed("- --json") == 1
    assert reason in capsys.readouterr().err


def test_quiet_and_verbose(place, capsys) -> None:
    pixels = np.random.default_rng(0).integers(0, 9, (20, 30), dtype=np.uint8)
    Image.fromarray(pixels).save(
        place / "two.tif", save_all=True, append_images=[Image.fromarray(pixels)]
    )
    told = {}
    for option in ("", "-q", "--verbose"):
        assert typed(f"two.tif {option} -o b.png") == 0
        told[option] = capsys.readouterr().err
    assert told["-q"] == ""
    assert told[""].count("\n") == 1  # its page
    assert "; N 9; w 3; " in told["--verbose"]
    assert "wrote b.png" in told["--verbose"]


def test_threads_are_as_many_as_wanted(monkeypatch) -> None:
    monkeypatch.setattr(threads, "_threads", 1)
    assert typed("a.png --threads 2 -o b.png") == 0
    assert threads.get_threads() == 2


def test_a_former_name_warns_and_works(capsys) -> None:
    assert typed("a.png --state window=2 --json") == 0
    told = capsys.readouterr()
    assert told.err == "latviz: --state is --settings now\n"
    assert json.loads(told.out)["parameters"]["window"] == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("latviz --wind", {"--window"}),
        ("latviz --encoding pa", {"palette", "patterns"}),
        ("latviz sca", {"scale"}),
        ("latviz a.", {"a.png"}),
        ("latviz classify cr", {"cross-validate"}),
        ("latviz classify train --crit", {"--criterion"}),
        ("latviz scale --decoder bel", {"belief"}),
        ("latviz scale --snap", set()),
    ],
)
def test_bash_completes(words, found, place) -> None:
    (place / "completion").write_bytes(script("bash", parser_of()))
    line = (
        f"source completion; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
        '_latviz; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert (set(done.stdout.split()), done.stderr) == (found, "")
