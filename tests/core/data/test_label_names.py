"""The order of labels and classes, and their names."""

import random

import numpy as np
import pytest

from latviz.core import Encoding, encode
from latviz.core.data.label_names import in_order, label_name


@pytest.mark.parametrize(
    "names",
    [
        ["-10", "-1", "0", "1", "2", "10", "255"],
        ["-1.5", "-1", "1e-1000", "0.25", "0.5", "1e3", "9999999999999999999998", "1e22"],
        ["0", "00", "1", "1.0"],
        ["1", "10", "2", "a"],  # not all are numbers
        ["", "1"],
        ["1", "inf", "nan"],
        ["#000000", "#0a0000"],
        [],
    ],
    ids=str,
)
def test_numbers_are_in_the_order_of_their_values(names: list[str]) -> None:
    mixed = names.copy()
    random.Random(1).shuffle(mixed)
    assert in_order(mixed) == names


def test_numbers_that_are_no_text_are_sorted_as_they_are() -> None:
    assert in_order([10, -1, 2]) == [-1, 2, 10]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (np.int64(-1), "-1"),
        (np.float32(2), "2"),
        (np.float32(0.1), "0.1"),
        (np.uint32(16777217), "16777217"),
        (np.float64(-0.0), "0"),
        (np.float64(1e20), "100000000000000000000"),
    ],
    ids=str,
)
def test_names_tell_labels_apart(value: np.generic, name: str) -> None:
    assert label_name(value) == name


def test_symbols_that_are_labels_have_names_of_their_own() -> None:
    image = np.array([[1000001.0, 1000002.0], [-1.0, 0.5]], np.float32)
    assert encode(image, Encoding("labels")).names == ("-1", "0.5", "1000001", "1000002")
