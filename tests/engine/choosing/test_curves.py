"""Curves of a trade-off: the score of each window, which pages and the window both draw."""

import math
from dataclasses import replace

from latviz.engine.choosing.curves import curves_of
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.settings.parameters import Parameters
from tests.engine.choosing.test_sweeping import LABELS, filled, frame_of


def test_infinite_numbers_are_in_no_curve_and_no_band() -> None:
    found = filled(Sweeping(), frame_of(Parameters(LABELS, n_states=3, window=4)))
    curve = {curve.name: curve for curve in curves_of(found)}["code_length"]
    known = {2: 1.5, 3: math.inf, 4: 1.25, 5: math.nan, 6: 1.0}
    errors = {2: 0.25, 3: 0.25, 4: math.inf, 5: 0.25, 6: 0.5}
    odd = replace(
        curve,
        value=lambda setting: known.get(setting.window),
        error=lambda setting: errors.get(setting.window),
    )
    row = found.row(3)
    assert odd.points(row) == [(2, 1.5), (4, 1.25), (6, 1.0)]
    assert odd.band(row) == [(2, 1.25, 1.75), (6, 0.5, 1.5)]
    assert replace(odd, error=None).band(row) == []
    over_n = curve.points(found.column(2), "n_states")
    assert over_n == [(n, found.settings[n, 2].code_length) for n in range(1, 9)]
    names = [curve.name for curve in curves_of(found)]
    assert (names[0], names[-1]) == ("code_length", "accuracy")
    assert len(set(names)) == len(names)
