"""``latviz scale`` refuses foreign folders in one line, as opening them does."""

import pickle

import pytest

from latviz.cli import run
from latviz.files.pyramids import open_pyramid
from tests.files.zarrs.test_nodes import bioformats2raw
from tests.files.zarrs.test_programs import HEADERS, RAN, Program
from tests.wings.scale.cases import refusal_of_scale


@pytest.mark.parametrize("header", [HEADERS[0], HEADERS[-1]], ids=["2", "3"])
def test_a_program_does_not_run(tmp_path, capsys, header):
    write, given = header
    said = refusal_of_scale(write(tmp_path / "a.zarr", pickle.dumps(Program()), **given), capsys)
    assert "of the type" in said or "codec" in said
    assert not RAN


def test_the_only_series_is_decoded_and_several_are_named(tmp_path, capsys):
    path = bioformats2raw(tmp_path / "a.zarr", 1)
    assert run(["scale", str(path), "-o", str(tmp_path / "s.zarr"), "--states", "2"]) == 0
    assert open_pyramid(tmp_path / "s.zarr").shape(0) == (20, 30)
    path = bioformats2raw(tmp_path / "b.zarr", 3)
    wanted = "it holds several images; open one of them: b.zarr/0, b.zarr/1, b.zarr/2"
    capsys.readouterr()
    assert wanted in refusal_of_scale(path, capsys)
