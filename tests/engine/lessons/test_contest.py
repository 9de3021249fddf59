"""The score of a prediction, against plain loops."""

import numpy as np
import pytest

from latviz.engine.lessons.contest import FALSE, HIT, MISSED, outcomes, score


def test_areas_are_counted_pixel_by_pixel() -> None:
    random = np.random.default_rng(5)
    before, after = (random.choice([0, 3, 7, 255], (9, 14)).astype(np.uint8) for _ in "12")
    painted = random.random((9, 14)) < 0.4
    areas = dict.fromkeys(("hit", "missed", "false", "unchanged"), 0)
    for row in range(9):
        for column in range(14):
            old, new, paint = (one[row, column] for one in (before, after, painted))
            if 255 in (old, new):
                continue
            names = ("hit", "missed") if old != new else ("false", "unchanged")
            areas[names[0] if paint else names[1]] += 1
    found = outcomes(painted, before, after)
    last = score((1, 3), found)
    assert {name: getattr(last, name) for name in areas} == areas
    assert [int((found == k).sum()) for k in (HIT, MISSED, FALSE)] == [
        areas[name] for name in ("hit", "missed", "false")
    ]
    hit = areas["hit"] / (areas["hit"] + areas["missed"])
    false = areas["false"] / (areas["false"] + areas["unchanged"])
    assert (last.hit_share, last.false_share) == (hit, false)
    assert last.skill == pytest.approx(hit - false)
    assert last.changed_share == (areas["hit"] + areas["missed"]) / sum(areas.values())


def test_skill_is_nothing_for_all_and_none_and_one_at_best() -> None:
    before, after = np.zeros((2, 6), np.uint8), np.eye(2, 6, dtype=np.uint8)
    for painted, skill in ((after > 5, 0), (after < 5, 0), (after == 1, 1), (after == 0, -1)):
        assert score((0, 1), outcomes(painted, before, after)).skill == skill
    nothing = score((0, 1), outcomes(after > 5, before, before))
    assert (nothing.hit_share, nothing.skill, nothing.changed_share) == (None, None, 0)
