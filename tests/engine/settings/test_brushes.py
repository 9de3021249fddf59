"""What brushes draw on a map of states."""

import numpy as np
import pytest

from latviz.engine.settings.scribbles import stroked


@pytest.mark.parametrize(
    ("start", "end", "size"), [((5, 5), (5, 5), 1), ((3, 4), (17, 11), 5), ((0, 19), (9, 0), 8)]
)
def test_a_stroke_paints_what_is_within_half_its_size_of_the_line(start, end, size) -> None:
    found = stroked(np.zeros((20, 20), np.uint8), start, end, size, 3)
    line = np.linspace(start, end, 2001)  # of points dense enough to represent it
    for node in np.ndindex(20, 20):
        apart = np.sqrt(((line - node) ** 2).sum(axis=1)).min()
        if abs(apart - size / 2) > 0.01:
            assert (found[node] == 3) == (apart < size / 2), node
    assert found[start] == found[end] == 3
