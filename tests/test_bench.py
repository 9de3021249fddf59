"""The harness of the benches: its turns, its table and its files."""

import json
import time
from pathlib import Path

import pytest

from tests.bench.harness import Result, against, amount, by_turns, load, save, table

FAST = Result("fast", 0.002, 0.001, 0.5, "F", 1.5)
SLOW = Result("slow", 1.5, 1.25, 2.0, "F", 1.5)


def test_tasks_take_turns_and_the_first_call_does_not_count() -> None:
    calls: list[str] = []
    taken = by_turns(lambda: calls.append("task"), lambda: calls.append("reference"), repeats=3)
    assert calls == ["task", "reference"] * 4
    assert [len(own) for own in taken] == [3, 3]


def test_ratio_is_to_the_reference_and_by_share() -> None:
    def rest() -> None:
        time.sleep(0.01)

    result = against("rest", rest, lambda: time.sleep(0.02), "twice", 3.0, share=4.0, repeats=3)
    assert result.median >= result.least >= 0.01
    assert result.ratio == pytest.approx(0.5 / 4, rel=0.4)
    assert not result.over
    assert against("rest", rest, lambda: None, "nothing", 1.0, repeats=3).over


def test_table_marks_what_is_over_its_limit() -> None:
    _, fast, slow = table([FAST, SLOW]).splitlines()
    assert "2.000 ms" in fast
    assert "OVER" not in fast
    assert "1.500 s" in slow
    assert slow.endswith("OVER")


def test_amounts_have_four_digits_and_a_unit() -> None:
    assert [amount(s) for s in (0.0123456, 12.3456, 0.0)] == ["12.35 ms", "12.35 s", "0 ms"]


def test_an_earlier_run_is_read_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "earlier.json"
    save([FAST, SLOW], path)
    assert load(path) == {"fast": 0.5, "slow": 2.0}
    assert "(was 0.500)" in table([FAST], load(path))
    old = {"name": "slow", "median": 1.0, "least": 1.0, "ratio": 3.0, "reference": "F"}
    path.write_text(json.dumps({"machine": "", "results": [old]}), encoding="utf-8")
    assert "(was 3.000)" in table([SLOW], load(path))
