"""The effects of windows: the best ones by the rule of one standard error, and their words."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from latviz.core.choice.scales import Plateau, RegionCounts
from latviz.core.choice.settings import Setting
from latviz.engine.choosing.tradeoff import WINDOWS
from latviz.engine.choosing.window_effects import WindowEffects, best_range


def plain(text: str) -> str:
    """Return a text with spaces that may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def row_of(
    lengths: dict[int, float], accuracy: dict[int, float] | None = None
) -> tuple[Setting, ...]:
    """Return the scores of windows with N = 3, by their code lengths."""
    found = {} if accuracy is None else accuracy
    return tuple(
        Setting(3, w, 0.9, 0.9, bits, 0.01, None, found.get(w)) for w, bits in lengths.items()
    )


CURVE = {w: 2.0 + 0.02 * abs(w - 5) for w in WINDOWS}
"""The least is at 5; a step to either side costs two standard errors."""


def does(n_windows: int = 21, here: int | None = None) -> Any:
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


def predicted(
    lengths: dict[int, float], window: int, accuracy: dict[int, float] | None = None
) -> WindowEffects:
    """Return effects of windows that predict, of N = 3."""
    return WindowEffects(3, window, row_of(lengths, accuracy), predicts=True)


def seen(window: int, scales: Any) -> WindowEffects:
    """Return effects of windows on a map whose neighbours depend."""
    return WindowEffects(3, window, scales=scales)


def test_windows_within_a_standard_error_of_the_best_are_best() -> None:
    flat = {w: 2.0 + 0.004 * abs(w - 5) for w in WINDOWS}  # w = 3 and 7 are .008 bits above it
    said = predicted(flat, 4)
    assert said.range == (3, 7)
    assert said.in_full == "The prediction error is lowest at w = 3 to 7."
    assert predicted(CURVE, 4).in_full == "The prediction error is lowest at w = 5."


def test_a_good_window_beyond_a_bad_one_is_not_best() -> None:
    assert best_range(row_of({**CURVE, 9: 2.005})) == (5, 5)


def test_windows_are_best_once_all_are_known_and_can_be_compared() -> None:
    some = {w: CURVE[w] for w in range(20)}
    assert predicted(some, 5).range is None
    assert predicted({**some, 30: 1.0}, 5).range is None  # 21 windows, of which one is not compared
    assert WindowEffects(3, 5, row_of(CURVE)).range is None
    assert WindowEffects(3, 5).in_full == ""


def test_the_effect_on_the_map_is_in_words() -> None:
    said = seen(5, does())
    assert said.in_short == "14 large regions, 999 in all"
    assert plain(said.in_full) == (
        "14 large regions, 999 in all. Large regions cover more than 0.2 % of the picture, here "
        "0.3 % to 40.1 % each. 0.4 % of the pixels have another state than with w = 4. 14 large "
        "regions from w = 5 to 20. The next large region disappears at w = 9 (state 3)."
    )
    assert seen(9, does()).in_full.endswith("No large region disappears up to w = 20.")
    first = seen(0, does())
    assert first.in_short == "16 large regions, 1,004 in all"
    assert "another state" not in first.in_full
    voxels = WindowEffects(3, 5, node="voxel", scales=does())
    assert "of the voxels have another state" in voxels.in_full


def test_what_is_not_known_yet_is_not_in_words() -> None:
    """Neither a plateau is claimed nor that no region disappears."""
    said = seen(5, does(7))
    assert said.in_full.endswith("have another state than with w = 4.")
    unknown = seen(7, does(7))
    assert (unknown.counts, unknown.in_full) == (None, "")
    assert unknown.in_short == seen(7, None).in_short == "N = 3, w = 7"
    counted = seen(64, does(here=64))
    assert counted.in_short == "14 large regions, 998 in all"
    assert "region" not in seen(64, does()).in_full


def test_accuracy_is_compared_in_points() -> None:
    accuracy = {w: 0.9 - 0.01 * abs(w - 4) for w in WINDOWS}
    said = predicted(CURVE, 8, accuracy)
    assert plain(said.in_full).endswith("Accuracy 86.0 %, 4.0 percentage points below w = 4.")
    assert plain(predicted(CURVE, 4, accuracy).in_full).endswith("90.0 %, the best of all w.")
    close = {w: 0.9 - 0.0001 * abs(w - 4) for w in WINDOWS}  # both read 90.0 %
    assert plain(predicted(CURVE, 5, close).in_full).endswith("90.0 %, the best of all w.")
