"""States that only lie between two others."""

import numpy as np
import pytest

from latviz.engine.advice.rims import count_rims

ORDERED = [[0.0], [0.5], [1.0]]


@pytest.mark.parametrize(
    ("row", "codebook", "n_rims"),
    [
        ([0] * 9 + [1] * 2 + [2] * 9, ORDERED, 1),  # a blurred border
        ([0] * 9 + [1] * 2 + [2] * 9, [[0.0], [1.0], [0.5]], 0),  # brighter than both sides
        ([0] * 9 + [1] * 3 + [2] * 9, ORDERED, 1),  # a wider one
        ([0] * 9 + [1] * 4 + [2] * 9, ORDERED, 0),  # a region
        ([0] * 9 + [1] * 2 + [0] * 9, [[0.0], [0.5]], 0),  # a thin line
        ([1] * 2 + [2] * 9, ORDERED, 0),  # at the edge of the picture
        ([0] * 9, [[0.0]], 0),
        ([0] * 9 + [255] + [1] * 2 + [2] * 9, ORDERED, 0),  # at the edge of what is known
        ([0] * 9 + [1] * 2 + [2] * 9 + [255] * 3, ORDERED, 1),
        # two rims: each lies between neighbours in the order of four codewords
        ([0] * 9 + [1, 1] + [2, 2] + [3] * 9, [[0.0, 0], [0.3, 0.1], [0.7, 0], [1, 0]], 2),
    ],
)
def test_rims_are_thin_and_between(row, codebook, n_rims) -> None:
    stripes = np.tile(np.array(row, np.uint8), (12, 1))
    for states in (stripes, stripes.T, stripes[:, ::-1], np.stack([stripes] * 3)):
        assert count_rims(states, np.array(codebook)) == n_rims
