"""The colours of maps."""

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.app.views.viewer.layers import stretched
from latviz.engine.geometry.node_maps import BINS, node_map

TABLE = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)


def colors_of(values: NDArray[np.float64]) -> NDArray[np.uint8]:
    found = node_map("likelihood", values.astype(np.float32))
    return stretched(TABLE, found.counts)[found.heat, 0]


def test_even_values_keep_their_colours() -> None:
    np.testing.assert_array_equal(stretched(TABLE, np.full(BINS, 7)), TABLE)


def test_a_few_far_values_do_not_take_the_colours_from_the_others() -> None:
    values = np.random.default_rng(0).normal(-15.0, 5.0, (200, 200))
    values[:2, :2] = -391.0
    found = node_map("likelihood", values.astype(np.float32))
    assert np.ptp(np.percentile(found.heat, [5, 95])) < 15
    drawn = colors_of(values)
    assert np.ptp(np.percentile(drawn, [5, 95])) > 100
    order = np.argsort(values, axis=None)
    assert (np.diff(drawn.reshape(-1)[order].astype(int)) >= 0).all()


@pytest.mark.parametrize("value", [0.0, -3.5, -np.inf])
def test_one_value_has_one_colour(value: float) -> None:
    assert np.unique(colors_of(np.full((4, 5), value))).size == 1
