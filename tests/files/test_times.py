"""Times in tables: written by Python in many forms, and the axis that they become."""

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from latviz.files.images import read_image
from latviz.files.tables import parse_times

DAYS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%b-%Y", "%b %d, %Y"),
    *("%a, %d %b %Y", "%B %d %Y", "%d.%m.%y"),
)
CLOCKS = (" %H:%M", " %H:%M:%S", "T%H:%M:%SZ", " %I:%M:%S %p", " %H:%M:%S.%f+02:00")


def moments(step: float, n: int = 40) -> list[datetime]:
    """Return times from the end of a February on, some seconds apart."""
    return [datetime(2024, 2, 27, 21, 58) + timedelta(seconds=k * step) for k in range(n)]


@pytest.mark.parametrize("day", DAYS)
@pytest.mark.parametrize("clock", CLOCKS)
def test_dates_of_any_form(day: str, clock: str) -> None:
    seconds = 60 if "%S" not in clock else 7 if "%f" not in clock else 7.25
    times = moments(seconds + 86_400)
    found = parse_times([time.strftime(day + clock) for time in times])
    np.testing.assert_array_equal(found, np.array(times, "datetime64[ms]"))


def test_dates_alone_parts_of_years_and_times_of_day() -> None:
    times = moments(86_400, 60)
    for day in DAYS:
        found = parse_times([time.strftime(day) for time in times])
        np.testing.assert_array_equal(found, np.array(times, "datetime64[D]"))
    for texts in (["2024-01", "2024-04"], ["Jan 2024", "Apr-24"], ["2024 Q1", "Q2 2024"]):
        assert str(parse_times(texts)) == str(np.array(["2024-01", "2024-04"], "M8[ms]"))
    clocks = np.array([0, 754, 86_399_000], "m8[ms]")
    np.testing.assert_array_equal(parse_times(["00:00", "00:00:00.754", "23:59:59"]), clocks)
    for texts in (["2024-02-31"], ["5 Mar"], ["Jan"], ["2024-01-01", "n/a"], ["abc"]):
        assert parse_times(texts) is None


def table(folder: Path, *columns: list[str]) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join(";".join(row) for row in zip(*columns, strict=True)))
    return path


def test_increasing_times_and_counters_are_the_axis(tmp_path: Path) -> None:
    times = moments(600)
    values = ["value", *(f"{np.sin(k):.3f}" for k in range(len(times)))]
    read = read_image(table(tmp_path, ["t", *map(str, times)], values))
    assert read.pixels.shape == (1, len(times))
    np.testing.assert_array_equal(read.x, np.array(times, "datetime64[ms]"))
    days, clocks = ([time.strftime(form) for time in times] for form in ("%d.%m.%Y", "%H:%M"))
    read = read_image(table(tmp_path, ["day", *days], ["hour", *clocks], values))
    np.testing.assert_array_equal(read.x, np.array(times, "datetime64[ms]"))
    places = [0.5 * k * k for k in range(len(times))]
    read = read_image(table(tmp_path, ["time", *map(str, places)], values))
    np.testing.assert_array_equal(read.x, places)
    # Not what repeats or goes back, or is too large
    places = ["time", *map(str, range(39)), "1e999"]
    assert read_image(table(tmp_path, places, values)).x is None
    assert read_image(table(tmp_path, ["hour", *clocks], values)).x is None
    assert read_image(table(tmp_path, values)).x is None
