"""The table of other methods: one small field, and the tables from rows."""

import json
import sys

import numpy as np
import pytest

from latviz.core import contingency, matched_accuracy
from tests.bench import peers
from tests.bench.page import FIGURES, cell_text
from tests.bench.peers import FAMILIES, METHODS, Row, a_case, as_json, measured, rows, tables


def a_row(method, side=512, family="blobs", **changes):
    figures = {"accuracy": 0.5, "rand": 0.4, "boundary": 0.3, "energy": 1.25}
    figures |= {"seconds": 0.0123, "memory": 10.0}
    n_states = changes.pop("n_states", 4)
    return Row(family, n_states, side, method, **{**figures, **changes})


@pytest.mark.parametrize("family", FAMILIES)
def test_families_are_of_any_size(family):
    truth = FAMILIES[family](4, 2, 192)
    assert truth.shape == (192, 192)
    assert len(np.unique(truth)) == 4
    assert np.mean(truth[1:] == truth[:-1]) > 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process")
def test_a_method_is_measured_in_a_process_of_its_own():
    case = a_case("blobs", 4, 64, 1)
    row = measured("blobs", "icm", case)
    (states,) = METHODS["icm"].task(case)()
    assert row.accuracy == matched_accuracy(contingency(states, case.truth))
    assert row.energy == pytest.approx(case.problem.energy([states]) / 64**2)
    assert 0 < row.seconds < 60
    assert row.memory >= 0
    assert (row.family, row.n_states, row.side, row.method) == ("blobs", 4, 64, "icm")


def test_what_is_not_installed_is_left_out(monkeypatch):
    asked = []
    monkeypatch.setattr(type(peers.PEERS["icm"]), "missing", ["a package"])
    monkeypatch.setattr(peers, "measured", lambda *cell: asked.append(cell[:2]))
    list(rows(((4, 32),), ("blobs", "stripes"), tuple(METHODS), 1))
    assert asked == [
        (family, name)
        for family in ("blobs", "stripes")
        for name in ("windows", "refined", "belief")
    ]


def test_tables():
    sides = [(side, family) for side in (128, 512) for family in "ab"]
    found = [a_row("belief", *at, accuracy=0.9, seconds=at[0] / 1000) for at in sides]
    found += [a_row("icm", *at, accuracy=0.7 if at[1] == "a" else 0.8) for at in sides]
    found.append(a_row("belief", 256, "a", n_states=8))
    made = tables(found, "python -m tests.bench peers")
    assert [row[0] for row in made["peers"]["rows"]] == ["belief", "ICM"]
    assert {len(row) for row in made["peers"]["rows"]} == {len(made["peers"]["columns"])}
    texts = [cell_text(cell) for cell in made["peers"]["rows"][0]]
    assert texts[:4] == ["belief", "emissions", "0.900", "0.400"]
    assert texts[6] == "0.13; 0.51 s"
    assert cell_text(made["peers"]["rows"][1][2]) == "0.750"
    assert cell_text(made["peers"]["rows"][1][6]) == "0.012; 0.012 s"
    assert made["peers-families"]["columns"] == ["accuracy", "belief", "ICM"]
    lines = [[cell_text(cell) for cell in row] for row in made["peers-families"]["rows"]]
    assert lines[1] == ["b, 4 states", "0.900", "0.800"]
    assert lines[2] == ["a, 8 states", "0.500", ""]


def test_figures_are_written_a_row_a_line():
    text = FIGURES.read_text(encoding="utf-8")
    assert as_json(json.loads(text)) == text
