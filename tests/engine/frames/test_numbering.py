"""The slots of the states: of a tree, kept, and new."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.core import fast_pnn
from latviz.engine.frames.frame import Request
from latviz.engine.frames.numbering import followed_rows, numbered
from latviz.engine.geometry.slots import (
    N_SLOTS,
    extended,
    first_slots_like,
    matched_slots,
    moved,
    slots_of_rows,
)
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame


def n_kept(old_states, old_slots, new_states, new_slots) -> int:
    """Return how many nodes have the slot that they had."""
    return sum(
        old_slots[old] == new_slots[new]
        for old, new in zip(old_states.tolist(), new_states.tolist(), strict=True)
    )


def most_kept(old_states, old_slots, new_states, n_new) -> int:
    """Return how many nodes could keep their slot at best, by trying everything."""
    spare = [100 + k for k in range(n_new)]
    return max(
        n_kept(old_states, old_slots, new_states, slots)
        for slots in itertools.permutations([*old_slots, *spare], n_new)
    )


def random_states(n_states: int, seed: int, n_nodes: int = 200) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(n_states, size=n_nodes) * rng.integers(2, size=n_nodes)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("rises", [False, True])
def test_the_first_rows_keep_the_slots_of_most_nodes(n, rises):
    for seed in range(10):
        old, new = random_states(4, seed), random_states(n, 50 + seed)
        found = first_slots_like(old, new, n, rises)
        least = [p for p in itertools.permutations(range(4), n) if n < 2 or (p[0] < p[1]) == rises]
        kept = [sum(p[b] == a for a, b in zip(old, new, strict=True)) for p in least]
        assert kept[least.index(found)] == max(kept)


@pytest.mark.parametrize(
    ("slots", "wanted"),
    [
        ([], []),
        ([None], [0]),
        ([None, None, None], [0, 1, 2]),
        ([1, None, 0, None], [1, 2, 0, 3]),
        ([None, 5, None, 1, None], [0, 5, 2, 1, 3]),
        ([4, 2], [4, 2]),
    ],
)
def test_extended_takes_the_smallest_free_slots_in_order(slots, wanted):
    given = list(slots)
    assert extended(slots) == wanted
    assert slots == given


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("n_old", "n_new"), [(3, 3), (2, 4), (4, 2), (1, 3), (3, 1), (4, 4)])
def test_as_many_nodes_as_can_keep_their_slot(n_old, n_new, seed):
    old, new = random_states(n_old, seed), random_states(n_new, 50 + seed)
    old_slots = tuple(np.random.default_rng(seed).permutation(9)[:n_old].tolist())
    slots = matched_slots(old, old_slots, new, n_new)
    assert n_kept(old, old_slots, new, slots) == most_kept(old, old_slots, new, n_new)


@pytest.mark.parametrize("n_new", [1, 3, 7, 32])
def test_slots_are_distinct_and_new_ones_the_smallest(n_new):
    old, new = random_states(3, 1, 500).astype(np.uint8), random_states(n_new, 2, 500)
    slots = matched_slots(old, (2, 5, 9), new, n_new)
    assert len(set(slots)) == len(slots) == n_new
    assert all(isinstance(slot, int) for slot in slots)
    fresh = [slot for slot in slots if slot not in (2, 5, 9)]
    assert len(fresh) == max(0, n_new - 3)
    free = [k for k in range(40) if k not in set(slots) - set(fresh)]
    assert fresh == free[: len(fresh)]


def test_rows_of_straight_cuts_keep_their_slots_for_every_n() -> None:
    first = {0: 2, 1: 0, 2: 1, 3: 3}
    for n in range(1, N_SLOTS + 1):
        found = slots_of_rows(first, range(n))
        assert found == {row: first.get(row, row) for row in range(n)}


def test_no_two_rows_have_one_colour_and_a_further_one_rarely_moves_another() -> None:
    rng, n_moved = np.random.default_rng(3), 0
    for _ in range(300):
        n = int(rng.integers(2, 12))
        deep = np.sort(rng.choice(np.arange(n, 1024), 2, replace=False)).tolist()
        with_one = slots_of_rows({0: 1, 1: 0}, (*range(n), deep[1]))
        with_both = slots_of_rows({0: 1, 1: 0}, (*range(n), *deep))
        for found in (with_one, with_both):
            colors = {tuple(SLOT_COLORS[slot]) for slot in found.values()}
            assert len(colors) == len(found)
        n_moved += with_one != {row: with_both[row] for row in with_one}
    assert n_moved < 30


def test_slots_that_move_meet_no_others() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        old, new = (rng.choice(20, 6, replace=False).tolist() for _ in range(2))
        to = dict(zip(old, new, strict=True))
        places = [moved(slot, to) for slot in range(256)]
        assert sorted(places) == list(range(256))
        assert [places[slot] for slot in old] == new
    assert moved(7, {1: 2, 2: 1}) == 7


def test_a_hand_that_rests_gives_back_the_slots_of_the_tree() -> None:
    picture = Picture(np.zeros((4, 4), np.uint8), "flat")
    moving = Request(picture, Parameters(n_states=3), passing=True)
    followed = {0: 2, 1: 1, 2: 0}
    for request, slots in ((moving, (2, 1, 0)), (replace(moving, passing=False), (0, 1, 2))):
        found = numbered(request, (0, 1, 2), (0, 1, 2), followed)
        assert found.slots == slots
        assert found.settled == (slots == (0, 1, 2))
        assert found.moves == dict(zip((2, 1, 0), slots, strict=True))


def test_the_states_of_another_picture_are_not_followed() -> None:
    pixels = np.repeat(np.array([[0, 200]], np.uint8), 8, axis=0).repeat(8, axis=1)
    before = new_frame(Picture(pixels, "one"), Parameters(n_states=2, window=0))
    request = Request(Picture(pixels.copy(), "other"), before.request.parameters, follows=before)
    tree = fast_pnn([[0.0], [1.0]])  # as of other settings

    def sample() -> tuple[Any, np.ndarray]:
        raise AssertionError

    assert followed_rows(request, tree, 2, (0, 1), before.codebook, sample) == {}
