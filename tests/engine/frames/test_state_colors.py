"""The colours of the states: first, kept, and new."""

import itertools

import numpy as np
import pytest

from latviz.engine.frames.state_colors import initial_slots
from latviz.engine.geometry.slots import extended, matched_slots


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


@pytest.mark.parametrize(
    ("codebook", "discrete", "wanted"),
    [
        # mean symbols are 1.7, 0.1, 1.0 and 0.2
        ([[0.1, 0.1, 0.8], [0.9, 0.1, 0.0], [0.3, 0.4, 0.3], [0.9, 0.0, 0.1]], True, [3, 0, 2, 1]),
        ([[5.0, 0.0], [-3.0, 9.0], [2.0, -50.0]], False, [2, 0, 1]),  # by the first channel
        ([[0.5, 0.5], [0.9, 0.1], [0.5, 0.5]], True, [1, 0, 2]),
        ([[0.2, 0.8]], True, [0]),
        ([[7.0]], False, [0]),
    ],
)
def test_states_start_in_the_order_of_their_means(codebook, discrete, wanted):
    assert initial_slots(np.array(codebook), discrete) == wanted


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


@pytest.mark.parametrize(
    ("old", "slots", "new", "wanted"),
    [
        ([0, 0, 1, 1, 2, 2, 2], (3, 7, 8), [2, 2, 0, 0, 1, 1, 1], [7, 8, 3]),
        ([0] * 5 + [1] * 10, (0, 1), [0] * 5 + [1] * 3 + [2] * 7, [0, 2, 1]),
        ([0] * 4 + [1] * 9 + [2] * 6, (0, 1, 2), [0] * 13 + [1] * 6, [1, 2]),
    ],
    ids=["numbers are swapped", "a state is split", "states are merged"],
)
def test_the_larger_part_keeps_its_colour(old, slots, new, wanted):
    assert matched_slots(np.array(old), slots, np.array(new), len(wanted)) == wanted


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


def test_states_of_many_nodes_do_not_overflow():
    old = np.full(300, 30, dtype=np.uint8)
    new = np.full(300, 31, dtype=np.uint8)
    slots = matched_slots(old, tuple(range(31)), new, 32)
    assert slots[31] == 30
