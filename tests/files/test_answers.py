"""Lines are added to a CSV file one by one, and damaged ones do not affect others."""

import csv
from pathlib import Path

import pytest

from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import remove
from latviz.files.answers import add_row, read_rows

NAMES = ("a", "b")


def test_lines_are_added_and_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.csv"
    assert read_rows(path) == []
    add_row(path, NAMES, ("1", "x, “y”\nz"))
    add_row(path, NAMES, ("2", ""))
    assert path.read_bytes().startswith(b"a,b\r\n")
    assert read_rows(path) == [{"a": "1", "b": "x, “y”\nz"}, {"a": "2", "b": ""}]
    with path.open("ab") as stream:
        stream.write(b"3\r\n\xff\x00,4")
    assert read_rows(path)[2:] == [{"a": "3"}, {"a": "\N{REPLACEMENT CHARACTER}", "b": "4"}]
    remove(path)
    remove(path)
    assert read_rows(path) == []


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for act in (lambda p: add_row(p, NAMES, ("1", "2")), read_rows, remove):
        with pytest.raises(ExportError, match="folder: "):
            act(tmp_path / "folder")


def test_a_field_that_is_too_long_ends_the_file(tmp_path: Path) -> None:
    place = tmp_path / "a.csv"
    add_row(place, ["a"], ["1"])
    with place.open("a") as stream:
        stream.write("x" * (csv.field_size_limit() + 1) + "\n2\n")
    assert read_rows(place) == [{"a": "1"}]
