"""Marks of an axis: inside its range, evenly spaced, and with texts that name them."""

import numpy as np
import pytest

from latviz.engine.geometry.axes import place_text, round_places


@pytest.mark.parametrize("seconds", [0.3, 5, 90, 4000, 50_000, 4e5, 3e6, 4e7, 2e9])
@pytest.mark.parametrize("most", [2, 5, 9])
@pytest.mark.parametrize("elapsed", [False, True])
def test_times_are_round_and_read_as_they_are(seconds: float, most: int, elapsed: bool) -> None:
    start = np.datetime64("2024-02-27T21:58:31.250") if not elapsed else np.timedelta64(7250, "ms")
    x = start + np.linspace(0, 1000 * seconds, 50).astype("timedelta64[ms]")
    values, texts = round_places(x, most)
    assert len(values) == len(texts) <= 2 * most + 1
    assert all(x[0] <= value <= x[-1] for value in values)
    steps = np.diff(values.astype(np.int64)) / 1000
    if len(steps):
        assert steps.max() <= 1.11 * steps.min()  # months and years differ by some days
        assert steps.max() * most < 11 * seconds
    if elapsed:
        for value, text in zip(values, texts, strict=True):
            hours, minutes, *rest = map(float, text.split(":"))
            read = 3600 * hours + 60 * minutes + sum(rest)
            assert round(1000 * read) == value.astype(np.int64)
    elif texts:
        assert any("-" in text for text in texts)  # the day is known
        for value, text in zip(values, texts, strict=True):
            day = "" if "-" in text else f"{str(value)[:10]}T"
            assert np.datetime64(day + text.replace(" ", "T"), "ms") == value


def test_places_in_words() -> None:
    assert place_text(np.datetime64("2024-03-01T06:10:00.000"), whole=True) == "2024-03-01 06:10"
    assert place_text(np.datetime64("2024-03-01T00:00:00.000"), whole=True) == "2024-03-01"
    assert place_text(np.timedelta64(90_061_500, "ms")) == "25:01:01.500"
    assert place_text(np.float64(0.25)) == "0.25"
    values, texts = round_places(np.array([0.0, 0.1, 7.3, 9.9]), 5)
    assert list(map(float, texts)) == values.tolist() == [0, 2, 4, 6, 8]
