"""The states' colours are distinct for all kinds of colour vision.

A CIEDE2000 difference of 1 is just noticed side by side. The limits were chosen on simulated state
maps: from 10 on, separate regions are not taken for one state.
"""

import numpy as np
import pytest

from latviz.engine.settings.palette import SLOT_COLORS, state_colors
from tests.colors import VISIONS, least_difference, seen

LEAST = {4: 18.0, 8: 10.0, 12: 10.0, 32: 6.0}
LEAST_NORMAL = {4: 20.0, 8: 20.0, 12: 15.0, 32: 7.0}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("n", LEAST)
def test_the_first_states_are_told_apart(n: int, vision: str) -> None:
    limit = LEAST_NORMAL[n] if vision == "normal" else LEAST[n]
    assert least_difference(SLOT_COLORS[:n], vision) >= limit


def test_every_slot_has_a_colour_of_its_own() -> None:
    assert len({tuple(color) for color in SLOT_COLORS.tolist()}) == 32
    np.testing.assert_array_equal(state_colors((3, 0, 35)), SLOT_COLORS[[3, 0, 3]])


def test_the_simulation_knows_who_confuses_red_and_green() -> None:
    red_and_green = [(201, 60, 30), (110, 120, 20)]
    far = {vision: least_difference(red_and_green, vision) for vision in VISIONS}
    assert far["normal"] > 40
    assert far["deuteranopia"] < 15
    assert far["tritanopia"] > 30
    grey = seen([(128, 128, 128)], "deuteranopia")
    np.testing.assert_allclose(grey, seen([(128, 128, 128)], "normal"), rtol=0.0, atol=0.5)
