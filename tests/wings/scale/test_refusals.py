"""``latviz scale`` refuses foreign folders in one line, as opening them does."""

import os
import pickle

import pytest

from latviz.cli import run
from latviz.files import memory
from latviz.files.pyramids import open_pyramid
from tests.files.test_pyramids import array_at, image_at, pixels
from tests.files.zarrs.cases import array_2, group_2, multiscales
from tests.files.zarrs.test_chunks import FIVE
from tests.files.zarrs.test_headers import LARGE
from tests.files.zarrs.test_nodes import bioformats2raw
from tests.files.zarrs.test_programs import HEADERS, RAN, Program
from tests.wings.scale.cases import refusal_of_scale


def test_the_damaged_chunk_is_named_with_its_level(tmp_path, capsys):
    path = array_at(tmp_path / "a.zarr", pixels((40, 50)), 3)
    (path / "c" / "1" / "2").write_bytes(b"no chunk at all")
    assert ".zarr: its chunk c/1/2 is damaged" in refusal_of_scale(path, capsys)
    path = image_at(tmp_path / "b.zarr", pixels((1, 1, 1, 40, 50)), FIVE, 2, 2)
    (path / "s1" / "0.0.0.1.1").write_bytes(b"no chunk")
    assert "s1/0.0.0.1.1" in refusal_of_scale(path, capsys, "--reduce", "2")


@pytest.mark.posix("os.mkfifo")
def test_a_pipe_is_not_read(tmp_path, capsys):
    path = array_2(tmp_path / "a.zarr")
    (path / "0.0").unlink(missing_ok=True)
    os.mkfifo(path / "0.0")
    assert "a device or a pipe" in refusal_of_scale(path, capsys)


@pytest.mark.parametrize("header", [HEADERS[0], HEADERS[-1]], ids=["2", "3"])
def test_a_program_does_not_run(tmp_path, capsys, header):
    write, given = header
    said = refusal_of_scale(write(tmp_path / "a.zarr", pickle.dumps(Program()), **given), capsys)
    assert "of the type" in said or "codec" in said
    assert not RAN


def test_levels_that_do_not_follow_are_refused(tmp_path, capsys):
    folder = group_2(tmp_path / "a.zarr", {"multiscales": multiscales(paths=["0", "1"])})
    array_2(folder / "0")
    array_2(folder / "1", shape=[80, 9], chunks=[50, 9])
    assert "must become smaller" in refusal_of_scale(folder, capsys)


def test_what_no_memory_holds_is_refused(tmp_path, capsys, monkeypatch):
    path = array_2(tmp_path / "a.zarr", shape=LARGE, chunks=[1, 1])
    said = refusal_of_scale(path, capsys)
    assert "the level has 1000000 × 1000000 pixels in 1,000,000" in said
    assert "choose a coarser level" in said
    monkeypatch.setattr(memory, "available", lambda: 2**30)
    path = array_2(tmp_path / "b.zarr", shape=LARGE, chunks=LARGE)
    assert "take 1,000,000,000,000 bytes each" in refusal_of_scale(path, capsys)


def test_the_only_series_is_decoded_and_several_are_named(tmp_path, capsys):
    path = bioformats2raw(tmp_path / "a.zarr", 1)
    assert run(["scale", str(path), "-o", str(tmp_path / "s.zarr"), "--states", "2"]) == 0
    assert open_pyramid(tmp_path / "s.zarr").shape(0) == (20, 30)
    path = bioformats2raw(tmp_path / "b.zarr", 3)
    wanted = "it holds several images; open one of them: b.zarr/0, b.zarr/1, b.zarr/2"
    capsys.readouterr()
    assert wanted in refusal_of_scale(path, capsys)
