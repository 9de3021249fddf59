"""Advice on a window: the rule of one standard error and its grades, and its effect."""

from types import SimpleNamespace

import numpy as np
import pytest

from latviz.core.choice.scales import Plateau, RegionCounts
from latviz.core.choice.settings import Setting
from latviz.engine.choosing.guidance import HEADLINES, Offer, guidance
from latviz.engine.choosing.tradeoff import WINDOWS


def plain(text: str) -> str:
    """Return a text with spaces that may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def setting(w: int, bits: float, error: float = 0.01, accuracy: float | None = None) -> Setting:
    return Setting(3, w, 0.9, 0.9, bits, error, None, accuracy)


def known(
    lengths: dict[int, float],
    accuracy: dict[int, float] | None = None,
    one: float = 2.4,
    exact: bool = True,
) -> SimpleNamespace:
    """A trade-off of N = 3 that knows some windows, and that one state takes 2.4 bits."""
    found = {} if accuracy is None else accuracy
    row = [setting(w, bits, accuracy=found.get(w)) for w, bits in lengths.items()]
    return SimpleNamespace(exact=exact, row=lambda n: {3: row, 1: [setting(4, one)]}.get(n, []))


CURVE = {w: 2.0 + 0.02 * abs(w - 5) for w in WINDOWS}
"""The least is at 5; a step to either side costs two standard errors. States save .4 bit."""


def does(n_windows: int = 21, here: int | None = None) -> SimpleNamespace:
    """Windows of 1000 nodes: 16 large regions up to w = 4, then 14; one of state 3 goes at 9."""
    row = []
    for w in range(n_windows):
        areas = np.full(16 if w < 5 else 14, 20)
        areas[0], areas[-1] = 401, 3
        changed = None if w == 0 else 0.0186 / w
        row.append(RegionCounts(w, 1000, 1004 - w, areas, changed, (2,) if w == 9 else ()))
    plateaus = (Plateau(0, 4, 16, 16), Plateau(5, 20, 14, 14)) if n_windows == 21 else ()

    def next_to_go(window: int) -> tuple[int, int] | None:
        return (9, 2) if window < 9 <= n_windows else None

    found = {one.window: one for one in row}
    if here is not None:
        found[here] = RegionCounts(here, 1000, 998, np.full(14, 20))
    return SimpleNamespace(
        row=tuple(row),
        plateaus=plateaus,
        complete=n_windows == 21,
        next_to_go=next_to_go,
        at=found.get,
    )


@pytest.mark.parametrize(
    ("window", "advice", "headline"),
    [
        (0, "small", "Too small: error 0.100 bits higher"),
        (4, "small", "Slightly small: error 0.020 bits higher"),
        (5, "right", "About right"),
        (6, "large", "Slightly large: error 0.020 bits higher"),
        (7, "large", "Too large: error 0.040 bits higher"),
        (14, "large", "Too large: error 0.180 bits higher"),
        (15, "large", "Far too large: error 0.200 bits higher"),
        (20, "large", "Far too large: error 0.300 bits higher"),
    ],
)
def test_a_window_is_graded_by_what_is_lost_of_what_states_save(window, advice, headline) -> None:
    """Of .4 bit a tenth is .04, and a half .2."""
    said = guidance(known(CURVE), 3, window, "none")
    assert (said.advice, said.headline, said.range) == (advice, headline, (5, 5))
    wanted = None if advice == "right" else Offer("Go to w = 5", {"window": 5})
    assert said.offer == wanted


def test_a_window_as_good_as_others_is_not_right_if_noise_scores_as_high() -> None:
    said = guidance(known(CURVE), 3, 5, "none", by_chance=True)
    assert (said.advice, said.headline, said.offer) == ("noise", "No better than noise", None)
    assert guidance(known(CURVE), 3, 4, "none", by_chance=True).advice == "small"


def test_a_loss_of_less_than_a_hundredth_of_a_bit_is_slight() -> None:
    curve = {w: 1.97 + 0.0077 * abs(w - 3) / 5 for w in WINDOWS}
    row = [setting(w, bits, 0.001) for w, bits in curve.items()]
    trade_off = SimpleNamespace(exact=True, row=lambda n: row if n == 3 else [setting(0, 2.29)])
    assert guidance(trade_off, 3, 8, "none").headline == "Slightly large: error 0.008 bits higher"


def test_windows_within_a_standard_error_are_right() -> None:
    flat = {w: 2.0 + 0.004 * abs(w - 5) for w in WINDOWS}
    said = guidance(known(flat), 3, 4, "none")
    assert said.range == (3, 7)
    assert said.advice == "right"
    assert said.detail == "The prediction error is lowest at w = 3 to 7: 2.000 bits per pixel."


def test_a_good_window_beyond_a_bad_one_is_not_about_right() -> None:
    split = {**CURVE, 9: 2.005}
    assert guidance(known(split), 3, 9, "none").range == (5, 5)


def test_what_is_not_known_is_not_said() -> None:
    some = {w: CURVE[w] for w in range(8)}
    said = guidance(known(some), 3, 5, "none")
    assert (said.advice, said.range, said.offer) == ("looking", None, None)
    assert said.detail == "8 of 21 windows are compared with N = 3."
    assert guidance(None, 3, 5, "none").advice == "looking"
    assert guidance(known(CURVE), 3, 5, None).advice == "looking"
    assert guidance(known(CURVE), 2, 5, "none").advice == "looking"  # of another N


def test_a_larger_window_that_is_set_is_not_one_of_those_to_compare() -> None:
    """22 windows are known then, of which 21 are compared."""
    more = {**CURVE, 30: 3.0}
    assert guidance(known(more), 3, 30, None).detail.startswith("21 of 21")
    del more[4]
    assert guidance(known(more), 3, 30, "none").detail.startswith("20 of 21")
    beyond = guidance(known(CURVE), 3, 64, "none", scales=does())
    assert beyond.headline.endswith("large: w = 5 predicts better")
    assert "region" not in beyond.detail
    counted = guidance(known(CURVE), 3, 64, "none", scales=does(here=64))
    assert counted.detail.endswith("14 large regions, 998 in all.")


def test_numbers_of_a_part_of_the_picture_are_not_told() -> None:
    part = known(CURVE, exact=False)
    said = guidance(part, 3, 2, "none", scales=does(0, here=2))
    assert (said.advice, said.settings, said.offer) == ("described", (), None)
    assert said.headline == "14 large regions, 998 in all"
    assert guidance(part, 3, 2, "none").headline == "Counting regions …"


def test_where_neighbours_depend_it_says_what_the_window_does() -> None:
    said = guidance(known(CURVE), 3, 5, "alike", scales=does())
    assert (said.advice, said.range, said.offer) == ("described", None, None)
    assert said.headline == "14 large regions, 999 in all"
    assert plain(said.detail) == (
        "Large regions cover more than 0.2 % of the picture, here 0.3 % to 40.1 % each. 0.4 % of "
        "the pixels have another state than with w = 4. 14 large regions from w = 5 to 20. The "
        "next large region disappears at w = 9 (state 3)."
    )
    later = guidance(known(CURVE), 3, 9, "alike", scales=does()).detail
    assert later.endswith("No large region disappears up to w = 20.")
    first = guidance(known(CURVE), 3, 0, "alike", scales=does())
    assert first.headline == "16 large regions, 1,004 in all"
    assert "differ" not in first.detail


def test_before_all_windows_are_known_it_says_what_is() -> None:
    """Neither a plateau is claimed nor that no region vanishes."""
    said = guidance(None, 3, 5, "alike", scales=does(7))
    assert said.headline == "14 large regions, 999 in all"
    assert said.detail.endswith("have another state than with w = 4.")
    assert guidance(None, 3, 7, "alike", scales=does(7)).counts is None
    nothing = guidance(None, 3, 7, "alike")
    assert nothing.headline == "Counting regions …"


def test_no_picture_has_no_right_window() -> None:
    for dependence in ("none", "alike", "unlike"):
        for w in WINDOWS:
            said = guidance(known(CURVE), 3, w, dependence, scales=does())
            assert "is right" not in f"{said.headline} {said.detail}"
            assert "(est.)" not in said.detail
            assert "melt" not in said.headline


def test_advice_carries_what_to_do() -> None:
    assert guidance(known(CURVE), 3, 5, "unlike").offer == Offer(
        "Try belief", {"decoder": "belief"}, {"neighbours": True}
    )
    assert guidance(known(CURVE), 1, 5, "none").offer == Offer("Try N = 2", {"n_states": 2})
    alone = guidance(known(CURVE), 3, 5, "none", by_belief=True, alone=True)
    assert alone.offer == Offer("Try nearest codeword", {"decoder": "nearest"})
    assert guidance(known(CURVE), 3, 5, "none", by_belief=True).offer is None


def test_one_state_and_beliefs_need_no_window() -> None:
    assert guidance(known(CURVE), 1, 5, "none").advice == "one"
    strong = guidance(known(CURVE), 3, 5, "none", node="voxel", by_belief=True, strong=True)
    assert strong.detail.startswith("Neighbours are correlated even within a state")
    said = guidance(known(CURVE), 3, 5, "none", node="voxel", by_belief=True)
    assert said.advice == "belief"
    assert "Each voxel" in said.detail
    alone = guidance(known(CURVE), 3, 5, "none", node="voxel", by_belief=True, alone=True)
    assert alone.headline == "Belief finds one state"
    assert alone.detail.startswith("All voxels are in one state")


def test_accuracy_is_compared_in_points() -> None:
    accuracy = {w: 0.9 - 0.01 * abs(w - 4) for w in WINDOWS}
    said = guidance(known(CURVE, accuracy), 3, 8, "none", scales=does())
    assert plain(said.detail) == (
        "The prediction error is lowest at w = 5: 2.000 bits per pixel. Accuracy 86.0 %, 4.0 "
        "percentage points below w = 4. 14 large regions, 996 in all. 0.2 % of the pixels have "
        "another state than with w = 7."
    )
    assert "Accuracy 90.0 %, the best." in plain(
        guidance(known(CURVE, accuracy), 3, 4, "none").detail
    )
    close = {w: 0.9 - 0.0001 * abs(w - 4) for w in WINDOWS}  # both read 90.0 %
    assert "Accuracy 90.0 %, the best." in plain(guidance(known(CURVE, close), 3, 5, "none").detail)


def test_what_was_chosen_is_said_with_its_reason() -> None:
    said = guidance(known(CURVE), 3, 8, "alike", chosen="w = 8 is a scale", scales=does())
    assert said.headline == "Chosen: w = 8"
    assert said.detail.startswith("w = 8 is a scale. 14 large regions, 996 in all.")
    assert said.advice == "described"
    assert guidance(known(CURVE), 3, 5, "none", chosen="because").range == (5, 5)
    assert guidance(known(CURVE), 1, 5, "none", chosen="because").headline == HEADLINES["one"]
