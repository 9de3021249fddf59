"""What is said of a window: the rule of one standard error, on curves made by hand."""

from types import SimpleNamespace

import pytest

from latviz.core.choice.settings import Setting
from latviz.engine.guidance import HEADLINES, guidance
from latviz.engine.tradeoff import WINDOWS


def setting(w: int, bits: float, error: float = 0.01, accuracy: float | None = None) -> Setting:
    return Setting(3, w, 0.9, 0.9, bits, error, None, accuracy)


def known(lengths: dict[int, float], accuracy: dict[int, float] | None = None) -> SimpleNamespace:
    """A trade-off of N = 3 that knows some windows."""
    found = {} if accuracy is None else accuracy
    row = [setting(w, bits, accuracy=found.get(w)) for w, bits in lengths.items()]
    return SimpleNamespace(row=lambda n: row if n == 3 else [])


CURVE = {w: 2.0 + 0.02 * abs(w - 5) for w in WINDOWS}
"""The least is at 5; a step to either side costs two standard errors."""


@pytest.mark.parametrize(
    ("window", "advice"), [(0, "small"), (4, "small"), (5, "right"), (6, "large"), (64, "large")]
)
def test_a_window_is_told_from_the_best(window: int, advice: str) -> None:
    said = guidance(known(CURVE), 3, window, "none")
    assert said.advice == advice
    assert said.range == (5, 5)
    assert said.headline == HEADLINES[said.advice]


def test_windows_within_a_standard_error_are_right() -> None:
    flat = {w: 2.0 + 0.004 * abs(w - 5) for w in WINDOWS}
    said = guidance(known(flat), 3, 4, "none")
    assert said.range == (3, 7)
    assert said.advice == "right"
    assert "w = 3 to 7: 2.004 bits a pixel (est.)" in said.detail


def test_a_good_window_beyond_a_bad_one_is_not_about_right() -> None:
    split = {**CURVE, 9: 2.005}
    assert guidance(known(split), 3, 9, "none").range == (5, 5)


def test_what_is_not_known_is_not_said() -> None:
    some = {w: CURVE[w] for w in range(8)}
    said = guidance(known(some), 3, 5, "none")
    assert (said.advice, said.range) == ("looking", None)
    assert said.detail.startswith("8 of 21")
    assert guidance(None, 3, 5, "none").advice == "looking"
    assert guidance(known(CURVE), 3, 5, None).advice == "looking"
    assert guidance(known(CURVE), 2, 5, "none").advice == "looking"  # of another N


def test_a_larger_window_that_is_set_is_not_one_of_those_to_compare() -> None:
    """22 windows are known then, of which 21 are compared."""
    more = {**CURVE, 30: 3.0}
    assert guidance(known(more), 3, 30, None).detail.startswith("21 of 21")
    del more[4]
    assert guidance(known(more), 3, 30, "none").detail.startswith("20 of 21")


def test_pictures_whose_neighbours_depend_have_no_right_window() -> None:
    alike = guidance(known(CURVE), 3, 5, "alike")
    assert (alike.advice, alike.range) == ("dependent", None)
    assert "N = 4, w = 7" in alike.detail
    assert guidance(known(CURVE), 3, 5, "unlike").advice == "alternating"


def test_one_state_and_beliefs_need_no_window() -> None:
    assert guidance(known(CURVE), 1, 5, "none").advice == "one"
    said = guidance(known(CURVE), 3, 5, "none", node="voxel", by_belief=True)
    assert said.advice == "belief"
    assert "each voxel" in said.detail
    alone = guidance(known(CURVE), 3, 5, "none", node="voxel", by_belief=True, alone=True)
    assert alone.headline == "One state says as much as more"
    assert alone.detail.startswith("All voxels came out alike")


def test_what_it_costs_and_how_many_are_right() -> None:
    accuracy = {w: 0.9 - 0.01 * abs(w - 4) for w in WINDOWS}
    said = guidance(known(CURVE, accuracy), 3, 8, "none")
    assert "with w = 8 it takes 0.06 more bits (est.)" in said.detail
    assert "true state (est.): 86.0% of the pixels, 90.0% at best, with w = 4" in said.detail


def test_what_was_chosen_is_said_with_its_reason() -> None:
    said = guidance(known(CURVE), 3, 8, "alike", chosen="w = 8 is a start")
    assert (said.headline, said.detail) == ("Chosen: w = 8", "w = 8 is a start.")
    assert said.advice == "dependent"
    assert guidance(known(CURVE), 3, 5, "none", chosen="because").range == (5, 5)
    assert guidance(known(CURVE), 1, 5, "none", chosen="because").headline == HEADLINES["one"]
