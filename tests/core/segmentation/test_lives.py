"""Lives of regions: over windows against plain loops, over the cut against sets of nodes."""

import numpy as np
import pytest
import scipy

from latviz.core import contrast_regions
from latviz.core.segmentation.lives import Following, Lives, lives_over_cut
from tests import naive_lives as plain

WINDOWS = (0, 1, 2, 3, 5, 8, 13)


def maps_of(shape: tuple[int, ...], seed: int, unknown: bool) -> list[np.ndarray]:
    """Return maps that become smoother, of which some steps flicker."""
    rng = np.random.default_rng(seed)
    noise, found = rng.standard_normal((3, *shape)), []
    for w in WINDOWS:
        moved = noise + 0.02 * rng.standard_normal(noise.shape)
        smooth = scipy.ndimage.gaussian_filter(moved, (0, *(0.7 + 0.25 * w,) * len(shape)))
        found.append(smooth.argmax(axis=0).astype(np.uint8))
        if unknown:
            found[-1][noise[0] > 1.6] = 255
    return found


def followed(maps: list[np.ndarray], dimensions: int) -> Lives:
    following = Following(maps[0].shape)
    for states, window in zip(maps, WINDOWS, strict=True):
        following.take(states, dimensions, window)
    return following.lives()


@pytest.mark.parametrize(
    ("shape", "dimensions", "unknown"),
    [
        ((900,), 1, False),
        ((36, 40), 2, False),
        ((30, 44), 2, True),
        ((8, 12, 14), 3, False),
        ((6, 15, 20), 2, True),
    ],
)
def test_lives_over_windows_are_those_of_plain_loops(shape, dimensions, unknown) -> None:
    maps = maps_of(shape, sum(shape), unknown)
    wanted, found = plain.lives(maps, dimensions), followed(maps, dimensions)
    place = {id(life): n for n, life in enumerate(wanted)} | {id(None): -1}
    assert len(found) == len(wanted) > 8
    n_known = int((maps[0] < 255).sum())
    for n, life in enumerate(wanted):
        assert found.starts[n] == (WINDOWS[life.start] if life.start else -np.inf)
        assert found.ends[n] == (np.inf if life.end is None else WINDOWS[life.end])
        assert found.into[n] == place[id(life.into)]
        assert found.out_of[n] == place[id(life.out_of)]
        assert found.states[n] == maps[life.start][min(life.parts[life.start])]
        for k, part in life.parts.items():
            assert found.areas_at(WINDOWS[k])[n] == pytest.approx(len(part) / n_known)
            assert found.nodes_at(WINDOWS[k])[n] == np.ravel_multi_index(min(part), shape)
    assert any(life.end is not None for life in wanted)
    for k, here in enumerate(WINDOWS):
        large = [one for one in wanted if len(one.parts.get(k, ())) > 0.01 * n_known]
        low, high = max(0, k - 1), min(k + 2, len(WINDOWS) - 1)
        held = [
            one
            for one in large
            if all(
                m in one.parts and plain.jaccard(one.parts[k], one.parts[m]) > 0.75
                for m in range(low, high + 1)
            )
        ]
        assert found.held(WINDOWS[low], here, WINDOWS[high]) == (len(held), len(large))


def test_a_region_that_returns_after_a_few_steps_is_the_same() -> None:
    maps = [np.zeros((20, 20), np.uint8) for _ in WINDOWS]
    for k in (0, 1, 4, 5):  # away at two steps
        maps[k][5:10, 5:10] = 1
    found = followed(maps, 2)
    assert (len(found), found.ends.tolist()) == (2, [np.inf, WINDOWS[6]])
    assert found.into.tolist() == [-1, 0]
    assert found.changes.tolist() == [WINDOWS[6]]
    assert [bool(found.areas_at(w)[1]) for w in WINDOWS] == [
        True,
        True,
        False,
        False,
        True,
        True,
        False,
    ]


def test_lives_of_another_codebook_are_recognised() -> None:
    maps = maps_of((36, 40), 5, False)
    one = followed(maps, 2)
    other = followed([np.where(states == 2, 7, states) for states in maps], 2)
    assert one.likeness(other, 3).tolist() == list(range(len(one)))
    assert (one.likeness(followed([states[:30] for states in maps], 2), 3) == -1).all()


def test_lives_are_recognised_by_what_they_are_at_the_window_on_screen() -> None:
    """At w = 2 a square is the same as in the other maps, and lies elsewhere at all others."""
    here, there = np.zeros((2, 20, 20), np.uint8)
    here[2:7, 2:7], there[4:9, 4:9] = 1, 1
    one = followed([here] * len(WINDOWS), 2)
    other = followed([here if w == 2 else there for w in WINDOWS], 2)
    assert (len(one), len(other)) == (2, 2)
    assert one.likeness(other, 2).tolist() == [0, 1]
    assert one.likeness(other, 5).tolist() == [0, -1]


def photograph() -> np.ndarray:
    rng = np.random.default_rng(3)
    image = np.full((90, 120, 3), 40.0)
    for k in range(8):
        y, x = rng.integers(5, 70), rng.integers(5, 100)
        image[y : y + 18, x : x + 18] = rng.integers(0, 256, 3) * (0.4 + 0.08 * k)
    return np.clip(image + rng.normal(0, 6, image.shape), 0, 255).astype(np.uint8)


def test_lives_over_the_cut_are_the_regions_of_every_cut() -> None:
    """The larger of two keeps its name; what holds is compared as sets of nodes."""
    first = contrast_regions(photograph(), least_contrast=0.0)
    found = lives_over_cut(first, np.arange(len(first))[:, None])
    hierarchy, n = first.by_contrast(), first.labels.size

    def regions_at(cut: float) -> np.ndarray:
        return hierarchy.cut(cut)[first.labels].reshape(-1)

    for cut in (0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.5):
        labels = regions_at(cut)
        areas = np.bincount(labels)
        nodes, shares = found.nodes_at(cut), found.areas_at(cut)
        alive = np.flatnonzero(nodes >= 0)
        assert sorted(labels[nodes[alive]]) == sorted(np.flatnonzero(areas > 0.002 * n))
        np.testing.assert_allclose(shares[alive], areas[labels[nodes[alive]]] / n)
        low, high = cut / 2, 2 * cut
        ends = regions_at(low), regions_at(high)
        counted = [c for c in alive if shares[c] > 0.01]
        held = 0
        for c in counted:
            here = labels == labels[nodes[c]]
            parts = [other == np.bincount(other[here]).argmax() for other in ends]
            held += all((here & part).sum() > 0.75 * (here | part).sum() for part in parts)
        assert found.held(low, cut, high) == (held, len(counted))
    gone = np.flatnonzero(np.isfinite(found.ends))
    assert len(gone) > 5
    for c in gone:
        end, after, taker = found.ends[c], np.nextafter(found.ends[c], 1), found.into[c]
        while found.ends[taker] == end:
            taker = found.into[taker]
        assert found.areas_at(end)[c] > 0 == found.areas_at(after)[c]
        labels = regions_at(after)
        assert labels[found.nodes_at(end)[c]] == labels[found.nodes_at(after)[taker]]
    begun = np.flatnonzero(np.isneginf(found.starts))
    seeds = first.labels.reshape(-1)[found.nodes_at(0.0)[begun]]
    assert found.means[begun, 1].tolist() == seeds.tolist()
