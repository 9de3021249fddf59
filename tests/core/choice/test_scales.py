"""Regions of the maps of all windows, against plain loops, and plateaus on rows made up by hand."""

from itertools import pairwise

import numpy as np
import pytest

from latviz.core.choice.scales import LabelledMap, Plateau, RegionCounts, plateaus, region_counts
from tests.naive_regions import components


def is_large(nodes: list[tuple[int, ...]], n_nodes: int) -> bool:
    return 1000 * len(nodes) > 2 * n_nodes


@pytest.mark.parametrize(
    ("shape", "dimensions"), [((900,), 1), ((40, 50), 2), ((12, 9, 14), 3), ((6, 15, 20), 2)]
)
def test_regions_and_changes_are_those_of_plain_loops(shape, dimensions) -> None:
    """The last lattice is slices apart."""
    rng = np.random.default_rng(sum(shape))
    smooth = rng.normal(size=shape)
    for axis in range(len(shape)):
        for _ in range(2):
            smooth = smooth + np.roll(smooth, 1, axis)
    before = np.digitize(smooth, np.quantile(smooth, [0.3, 0.7])).astype(np.uint8)
    after = np.where(rng.random(shape) < 0.1, rng.integers(0, 3, shape), before).astype(np.uint8)
    old, new = (components(states, dimensions) for states in (before, after))
    n_nodes, large = before.size, [nodes for nodes in new if is_large(nodes, before.size)]
    kept = {(after[node], node) for nodes in large for node in nodes}
    gone = [
        before[nodes[0]]
        for nodes in old
        if is_large(nodes, n_nodes) and not any((before[node], node) in kept for node in nodes)
    ]
    found = region_counts(4, LabelledMap.of(after, dimensions), LabelledMap.of(before, dimensions))
    assert (found.window, found.n_nodes, found.n_regions) == (4, n_nodes, len(new))
    assert found.areas.tolist() == sorted(map(len, large), reverse=True)
    assert found.n_large == len(large) > 1
    assert found.covered == pytest.approx(sum(map(len, large)) / n_nodes)
    differing = sum(before[node] != after[node] for node in np.ndindex(shape))
    assert found.changed == pytest.approx(differing / n_nodes)
    assert sorted(found.gone) == sorted(gone)


def test_a_region_goes_when_no_large_one_holds_any_node_of_it() -> None:
    """Of 1000 nodes 3 are large, 2 are not: 0.2 % must be exceeded."""
    before = np.zeros(1000, np.uint8)
    before[100:110], before[300:304] = 1, 2
    after = before.copy()
    after[300:302] = 0  # at most 0.2 % of state 2 is left
    after[105:109] = 0  # of state 1 five and one are left
    counts = region_counts(1, LabelledMap.of(after, 1), LabelledMap.of(before, 1))
    assert counts.gone == (2,)
    assert counts.areas.tolist() == [696, 192, 100, 5, 4]
    assert counts.n_regions == 7
    assert counts.changed == 0.006
    alone = region_counts(0, LabelledMap.of(before, 1))
    assert (alone.changed, alone.gone, alone.n_large) == (None, (), 5)


def row(*numbers: int, covered: dict[int, float] | None = None) -> list[RegionCounts]:
    """Return windows from 0 on with numbers of large regions, which cover all nodes by default."""
    found = []
    for window, n in enumerate(numbers):
        share = (covered or {}).get(window, 1.0)
        areas = np.full(n, int(share * 10**6) // n)
        found.append(RegionCounts(window, 10**6, n + 5, areas))
    return found


def spans(found: tuple[Plateau, ...]) -> list[tuple[int, int]]:
    return [(one.first, one.last) for one in found]


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
