"""Cells that spreadsheets would run are marked; numbers and other texts are unchanged."""

import csv
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from latviz.app.views.spec import as_text
from latviz.core.cells import guarded, unguarded
from latviz.files.answers import add_row, read_rows
from latviz.files.writing import write_table
from latviz.sharing.page import _table

FORMULAS = [
    *("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\N{NO-BREAK SPACE}=1"),
    *("=cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "\N{FULLWIDTH EQUALS SIGN}1", "\ufeff=1"),
    *("-x.png", "+", "-", "@", "=", "-1.5.png", "+1e", "--1", "'=1", "-1-1", "=-1"),
]
STAY = ["", "a=1", "1-1", "a", "'a", "-1.5", "+3", "-1e-300", "-.5", "-12 %", "-inf", "-1,234.5"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_marked(text: str) -> None:
    assert guarded(text) == f"'{text}"
    assert unguarded(f"'{text}") == text


@pytest.mark.parametrize("cell", [*STAY, -1.5, -3, None, True, float("nan")])
def test_others_stay(cell: object) -> None:
    assert guarded(cell) is cell


@given(
    st.text(st.sampled_from("'=+-@ \t\r\n1a.e,%\N{NO-BREAK SPACE}\N{FULLWIDTH EQUALS SIGN}\ufeff"))
)
def test_what_was_marked_comes_back(text: str) -> None:
    assert unguarded(str(guarded(text))) == text


def test_tables(tmp_path: Path) -> None:
    place = tmp_path / "a.csv"
    write_table(place, ["name", "=n"], [["=1+1", -1.5], ["-x", None]])
    with place.open(newline="") as stream:
        assert list(csv.reader(stream)) == [["name", "'=n"], ["'=1+1", "-1.5"], ["'-x", ""]]


def test_copies_keep_their_columns() -> None:
    assert as_text([["state", "@A"], ["=1\t2\n3", -1.5]]) == "state\t'@A\n'=1 2 3\t-1.5\n"


def test_reports() -> None:
    said = "<table><tr><th>a</th></tr><tr><td>=1</td><td>-1.5</td></tr></table>"
    assert _table([["a"], ["=1", "-1.5"]]) == said


def test_our_own_tables_are_read_back(tmp_path: Path) -> None:
    add_row(tmp_path / "answers.csv", ["answer"], ["=1"])
    assert read_rows(tmp_path / "answers.csv") == [{"answer": "=1"}]
