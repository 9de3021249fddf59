"""The harness itself: its table, its files, its skipped cases, and the growth that it fits."""

import json
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.bench import quantization
from tests.bench.harness import (
    Result,
    Skipped,
    against,
    amount,
    by_turns,
    load,
    peer,
    save,
    table,
    times,
)
from tests.bench.pictures import photograph
from tests.bench.plot import log_log

FAST = Result("fast", 0.002, 0.001, 0.5, "F", 1.5, "1024², M=8")
SLOW = Result("slow", 1.5, 1.25, 2.0, "F", 1.5)


def test_times_leaves_out_the_first_call() -> None:
    calls: list[None] = []
    taken = times(lambda: calls.append(None), 4)
    assert (len(calls), len(taken)) == (5, 4)
    assert min(taken) >= 0


def test_tasks_take_turns() -> None:
    calls: list[str] = []
    rounds = by_turns([lambda: calls.append("task"), lambda: calls.append("reference")], 3)
    assert calls == ["task", "reference"] * 4
    assert np.shape(rounds) == (3, 2)


def test_ratio_is_to_the_reference_and_by_share() -> None:
    def rest() -> None:
        time.sleep(0.005)

    result = against("rest", rest, 0.0025, "half of it", 3.0, repeats=3, share=4.0)
    assert result.median >= result.least >= 0.005
    assert result.ratio == pytest.approx(result.median / 0.0025 / 4, rel=1e-12)
    by_turns_ratio = against("rest", rest, lambda: None, "nothing", 1.0, repeats=3)
    assert by_turns_ratio.over


def test_table_marks_what_is_over_its_limit() -> None:
    lines = table([FAST, SLOW, Skipped("absent", "no peer")]).splitlines()
    assert len(lines) == 4
    assert "2.000 ms" in lines[1]
    assert "1024², M=8" in lines[1]
    assert "OVER" not in lines[1]
    assert "1.500 s" in lines[2]
    assert lines[2].endswith("OVER")
    assert "unsteady" in lines[1]
    assert lines[3].split() == ["absent", "skipped:", "no", "peer"]


def test_amounts_have_four_digits_and_a_unit() -> None:
    assert amount(0.0123456, "s") == "12.35 ms"
    assert amount(12.3456, "s") == "12.35 s"
    assert amount(1145.2, "MiB") == "1145 MiB"
    assert amount(0.0, "B/px") == "0 B/px"
    assert amount(1.0724, "") == "1.072"


def test_an_earlier_run_is_read_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "earlier.json"
    save([FAST, SLOW, Skipped("absent", "no peer")], path)
    assert load(path) == {"fast": 0.5, "slow": 2.0}
    assert "(was 0.500)" in table([FAST], load(path))
    old = {"name": "slow", "median": 1.0, "least": 1.0, "ratio": 3.0, "reference": "F"}
    path.write_text(json.dumps({"machine": "", "results": [old]}), encoding="utf-8")
    assert "(was 3.000)" in table([SLOW], load(path))


def test_a_missing_peer_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    monkeypatch.setattr(quantization, "growth", lambda: FAST)
    assert peer("sklearn.cluster") is None
    lines = list(quantization.quantization())
    assert [type(line) for line in lines] == [Skipped, Skipped, Result]
    assert table(lines).count("scikit-learn is not installed") == 2


def test_without_photographs_pictures_are_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "skimage.data", None)
    for colour, shape in ((False, (96, 96)), (True, (96, 96, 3))):
        pixels = photograph(96, colour=colour, grain=2.0)
        assert pixels.shape == shape
        assert pixels.dtype == np.uint8
        assert pixels.std() > 10


def test_growth_is_fitted_and_drawn() -> None:
    sizes = [2**k for k in range(16, 23)]
    result = quantization.grown("growth", sizes, [3e-9 * size**1.25 for size in sizes])
    assert result.ratio == pytest.approx(1.25, rel=1e-9)
    assert result.over
    drawing = ElementTree.fromstring(log_log(result))
    names = [element.tag.rpartition("}")[2] for element in drawing]
    assert names.count("circle") == len(sizes)
    assert "1.25" in log_log(result)
