"""The harness itself: what it computes from times, and its files."""

import time
from pathlib import Path

import pytest

from tests.bench.harness import Result, against, load, save, table, times


def test_times_leaves_out_the_first_call() -> None:
    calls = []
    taken = times(lambda: calls.append(None), 4)
    assert (len(calls), len(taken)) == (5, 4)
    assert min(taken) >= 0


def test_ratio_is_to_the_reference() -> None:
    result = against("sleep", lambda: time.sleep(0.01), 0.005, "half of it", 3.0, repeats=3)
    assert result.median >= result.least >= 0.01
    assert result.ratio == pytest.approx(result.median / 0.005, rel=1e-12)


def test_files_and_comparison(tmp_path: Path) -> None:
    results = [Result("a", 0.002, 0.001, 2.0, "F", 1.5), Result("b", 0.004, 0.004, 0.5, "a")]
    save(results, tmp_path / "earlier.json")
    assert load(tmp_path / "earlier.json") == {"a": 2.0, "b": 0.5}
    lines = table(results, {"a": 1.0}).splitlines()
    assert len(lines) == 3
    assert "OVER" in lines[1]
    assert "(was 1.000)" in lines[1]
    assert "OVER" not in lines[2]
    assert "was" not in lines[2]
