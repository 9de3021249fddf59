"""Encoding stops when its result is no longer needed."""

import numpy as np
import pytest

from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled, heeding


class Counting:
    """A progress that cancels after a number of checks."""

    def __init__(self, patience: int) -> None:
        self.asked, self.patience = 0, patience

    def report(self, fraction: float) -> None:
        """Take no note."""

    def cancelled(self) -> bool:
        self.asked += 1
        return self.asked > self.patience


@pytest.mark.parametrize("kind", ["lab", "texture"])
def test_encoding_asks_in_each_part_and_stops(kind: str) -> None:
    image = np.random.default_rng(0).integers(0, 256, (1600, 700, 3)).astype(np.uint8)
    whole = encode(image, Encoding(kind))
    patient, hasty = Counting(10**6), Counting(2)
    with heeding(patient):
        np.testing.assert_array_equal(encode(image, Encoding(kind)).values, whole.values)
    assert patient.asked > 3
    with pytest.raises(Cancelled), heeding(hasty):
        encode(image, Encoding(kind))
    encode(image, Encoding(kind))  # outside, no progress is checked
