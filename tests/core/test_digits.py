"""Numbers as people read them: a format for each kind."""

import math

import pytest

from latviz.core import digits

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 10, "0"),
        (10, 10, "100"),
        (312, 1000, "31.2"),
        (1, 10_000, "<0.1"),
        (5, 10_000, "0.1"),
        (9_999, 10_000, ">99.9"),
        (9_990, 10_000, "99.9"),
    ],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert digits.share(part, whole) == digits.share(part / whole) == f"{text}{SPACE}%"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 ms"), (0.0124, "12 ms"), (0.9994, "999 ms"), (0.9996, "1.0 s"), (2.345, "2.3 s")],
)
def test_durations(seconds: float, text: str) -> None:
    assert digits.duration(seconds) == text


def test_the_share_of_nothing() -> None:
    assert digits.share(0, 0) == digits.share(math.nan) == "–"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.9534, "0.953"),
        (0.0124, "0.012"),
        (0.00049, "<0.001"),
        (0.00051, "0.001"),
        (0.9994, "0.999"),
        (0.9996, ">0.999"),
        (1.0, "1"),
        (1.0 - 1e-15, "1"),
        (-0.25, "−0.250"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_probabilities_and_indices(value: float | None, text: str) -> None:
    assert digits.probability(value) == text


def test_only_numbers_next_to_a_bound_are_briefer() -> None:
    texts = ("<0.001", ">0.999", "(<0.001)", "0", "1", "0.001", "10.5", "–")
    brief = ["<.001", ">.999", "(<.001)", "0", "1", "0.001", "10.5", "–"]
    assert [digits.brief(text) for text in texts] == brief


def test_entries_of_narrow_cells_never_look_like_a_bound() -> None:
    values = (0.0, 1e-7, 0.004, 0.006, 0.5, 0.977, 0.994, 0.996, 1.0)
    texts = ["0", "~0", "~0", ".01", ".50", ".98", ".99", "~1", "1"]
    assert [digits.narrow(value, 2) for value in values] == texts
    assert [digits.narrow(value, 3) for value in (0.0004, 0.0006, 0.977)] == ["~0", ".001", ".977"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-4.4046, "−4.405"),
        (0.0, "0.000"),
        (0.0004, "<0.001"),
        (-0.0004, ">−0.001"),
        (1234.5678, "1,234.568"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_bits(value: float | None, text: str) -> None:
    assert digits.bits(value) == text


def test_nats_have_the_decimals_of_the_largest_beside_them() -> None:
    assert digits.nats(-282_244.31) == "−282,244"
    assert digits.nats(-12.5) == "−12.500"
    assert digits.nats(-12.4, 1000.0) == "−12"
    assert digits.nats(None) == "–"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0123456, "0.0123"),
        (1.24e-7, "1.24e−7"),
        (-3.0, "−3"),
        (0.0, "0"),
        (-0.0, "0"),
        (999.4, "999"),
        (999.7, "1,000"),
        (-12345.6, "−12,346"),
        (2.5e12, "2.5e12"),
        (math.inf, "∞"),
        (math.nan, "–"),
    ],
)
def test_measures(value: float, text: str) -> None:
    assert digits.measure(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5"), (65_535.0, "65,535"), (-2.0, "−2"), (0.0, "0"), (16_777_216.0, "16,777,216")],
)
def test_short_numbers_stay_as_they_are(value: float, text: str) -> None:
    assert digits.plain(value) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-4.404, 2, "−4.40"),
        (-0.001, 2, "0.00"),
        (-1234567.8, 0, "−1,234,568"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
        (math.nan, 2, "–"),
    ],
)
def test_signed_numbers(value: float, decimals: int, text: str) -> None:
    assert digits.signed(value, decimals) == text


def test_errors_below_0_or_in_thousands_are_shown_as_bits_saved() -> None:
    plain = digits.ErrorScale.of([1.973, math.inf], 2.288)
    assert (plain.title, plain.named("bits")) == ("Prediction error", "Prediction error, bits")
    assert plain.value(1.973) == 1.973
    assert plain.short(1.973) == "1.973 bits"
    assert plain.text(1.973, 0.01, "pixel") == "prediction error 1.973 ± 0.010 bits per pixel"
    for errors, one in (([0.5, -0.25], 1.25), ([998.0], 1000.0), ([2.0], -1.0)):
        assert digits.ErrorScale.of(errors, one).one == one
    saved = digits.ErrorScale.of([-0.25], 1.25)
    assert saved.title == saved.named("bits") == "Bits saved over one state"
    assert (saved.value(-0.25), saved.value(2.0, 2.5)) == (1.5, 0.5)
    assert (saved.short(-0.25), saved.short(1.5)) == ("saves 1.500 bits", "loses 0.250 bits")
    one = "Prediction error with one state, bits"
    assert plain.rows(1.973, 2.288, "bits") == [("Prediction error, bits", 1.973), (one, 2.288)]
    assert saved.rows(-0.25, 1.25, "bits") == [("Bits saved over one state", 1.5)]
    assert digits.ErrorScale.of([0.5, 0.5], 0.25, -0.25).one == 0.25  # of two images
    assert saved.text(-0.25, 0.01, "voxel") == "saves 1.500 bits per voxel over one state"
