"""The harness itself: its table and its files."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

from tests.bench.harness import (
    Result,
    against,
    amount,
    by_turns,
    load,
    save,
    table,
    times,
)

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
    lines = table([FAST, SLOW]).splitlines()
    assert len(lines) == 3
    assert "2.000 ms" in lines[1]
    assert "1024², M=8" in lines[1]
    assert "OVER" not in lines[1]
    assert "1.500 s" in lines[2]
    assert lines[2].endswith("OVER")
    assert "unsteady" in lines[1]


def test_amounts_have_four_digits_and_a_unit() -> None:
    assert amount(0.0123456) == "12.35 ms"
    assert amount(12.3456) == "12.35 s"
    assert amount(0.0) == "0 ms"


def test_an_earlier_run_is_read_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "earlier.json"
    save([FAST, SLOW], path)
    assert load(path) == {"fast": 0.5, "slow": 2.0}
    assert "(was 0.500)" in table([FAST], load(path))
    old = {"name": "slow", "median": 1.0, "least": 1.0, "ratio": 3.0, "reference": "F"}
    path.write_text(json.dumps({"machine": "", "results": [old]}), encoding="utf-8")
    assert "(was 3.000)" in table([SLOW], load(path))
