"""Plateaus of the numbers of large regions, on rows made up by hand."""

from itertools import pairwise

import numpy as np

from latviz.core.choice.scales import Plateau, RegionCounts, plateaus


def row(*numbers: int, covered: dict[int, float] | None = None) -> list[RegionCounts]:
    """Return windows from 0 on with numbers of large regions, which cover all nodes by default."""
    found = []
    for window, n in enumerate(numbers):
        share = (covered or {}).get(window, 1.0)
        found.append(RegionCounts(window, n, share))
    return found


def spans(found: tuple[Plateau, ...]) -> list[tuple[int, int]]:
    return [(one.first, one.last) for one in found]


def test_regions_above_a_five_hundredth_are_large() -> None:
    """Of 1000 nodes 3 are large, 2 are not."""
    assert RegionCounts.of(4, np.array([2, 894, 101, 3])) == RegionCounts(4, 3, 0.998)


def test_three_levels_are_three_plateaus() -> None:
    found = plateaus(row(50, 50, 51, 50, 30, 30, 30, 29, 30, 9, 9, 9))
    assert spans(found) == [(0, 3), (4, 8), (9, 11)]
    assert [(one.fewest, one.most) for one in found] == [(50, 51), (29, 30), (9, 9)]
    assert [one.middle for one in found] == [1, 6, 10]
    assert 8 in found[1]
    assert 9 not in found[1]


def test_a_flicker_by_one_is_no_level() -> None:
    """One region crosses the size limit and comes back; the other levels are far apart."""
    assert spans(plateaus(row(90, 90, 90, 40, 40, 41, 40, 40, 9, 9, 9))) == [
        (0, 2),
        (3, 7),
        (8, 10),
    ]


def test_where_nothing_changes_there_is_one_plateau() -> None:
    assert spans(plateaus(row(*[7] * 21))) == [(0, 20)]
    assert spans(plateaus(row(7, 7, 7, 2, 2, 2))) == [(0, 2), (3, 5)]


def test_windows_of_noise_are_on_no_plateau() -> None:
    """At w = 0 and 1 large regions hold fewer than half of the nodes."""
    found = plateaus(row(12, 12, 12, 12, 12, 12, covered={0: 0.2, 1: 0.45}))
    assert spans(found) == [(2, 5)]


def test_a_window_between_two_steep_steps_is_on_no_plateau() -> None:
    """100 to 60 and 60 to 30 are more than the roots of these numbers."""
    assert spans(plateaus(row(100, 60, 30, 30, 30, 30))) == [(2, 5)]
    assert plateaus(row(400, 200, 100, 50, 20)) == ()
    assert plateaus(row(5)) == ()
    assert plateaus([]) == ()


def test_no_other_parting_of_a_row_in_three_has_less_deviance() -> None:
    """Compared with all partitions, in plain loops; a window's weight falls with its side."""
    rng = np.random.default_rng(5)
    numbers = [int(n) for n in np.sort(rng.poisson(np.linspace(60, 40, 12)))[::-1]]
    assert all(a - b <= a**0.5 for a, b in pairwise(numbers))

    def cost(first: int, last: int) -> float:
        weights = [np.log((2 * w + 3) / (2 * w + 1)) for w in range(first, last)]
        some = numbers[first:last]
        mean = sum(a * b for a, b in zip(weights, some, strict=True)) / sum(weights)
        return sum(2 * a * b * np.log(b / mean) for a, b in zip(weights, some, strict=True))

    every = [
        (cost(0, a) + cost(a, b) + cost(b, 12), [(0, a - 1), (a, b - 1), (b, 11)])
        for a in range(2, 11)
        for b in range(a + 2, 11)
    ]
    assert spans(plateaus(row(*numbers))) == min(every)[1]
