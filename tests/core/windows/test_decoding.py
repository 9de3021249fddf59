"""Coarse levels are exact where they are; the last one is the plain decode."""

import numpy as np
import pytest

from latviz.core import Cancelled, DiscreteModel, ParameterError
from latviz.core.windows import decoding
from tests.core import cases
from tests.products import every_pair

SHAPES = [(1,), (900,), (1, 700), (640, 1), (61, 83), (9, 11, 13)]
WINDOWS = [0, 1, 4, 30]


@pytest.fixture(autouse=True)
def _cheap_first_level(monkeypatch):
    """Make small lattices use all branches of large ones."""
    monkeypatch.setattr(decoding, "MOST_CELLS", 60)
    monkeypatch.setattr(decoding, "FIRST_COST", 12_000)
    monkeypatch.setattr(decoding, "BAND", 700)


def discrete(shape, window):
    return cases.discrete_model(4, 5, window), cases.blocky(shape, 5, 70)


def gaussian(shape, window):
    return cases.gaussian_model(4, 3, window), cases.vectors(shape, 3, 71)


def checked(levels, plain):
    """Return levels whose states are those of the plain decode in the middle of each cell."""
    found = list(levels)
    for level in found:
        nodes, cells = decoding.cell_nodes(level.region, plain.shape, level.side)
        np.testing.assert_array_equal(level.states, plain[nodes].reshape(cells))
    return found


@pytest.mark.parametrize("make", [discrete, gaussian])
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_level_holds_states_of_the_plain_decode(make, window, shape):
    model, observation = make(shape, window)
    plain = model.decode(observation)
    levels = checked(model.decode_coarse_to_fine(observation), plain)
    assert [level.side for level in levels] == sorted((v.side for v in levels), reverse=True)
    assert levels[-1].side == 1
    np.testing.assert_array_equal(levels[-1].states, plain)


VISIBLE = [
    (slice(10, 20), slice(30, 41)),
    (slice(0, 1), slice(0, 1)),
    (slice(60, 61), slice(82, 83)),
    (slice(-5, None), slice(None, 3)),
    (slice(50, 400), slice(-400, 9)),
]


@pytest.mark.parametrize(
    ("make", "window", "visible"), every_pair([discrete, gaussian], [0, 3, 9], VISIBLE)
)
def test_what_is_visible_comes_first(make, window, visible):
    model, observation = make((61, 83), window)
    plain = model.decode(observation)
    levels = checked(model.decode_coarse_to_fine(observation, visible=visible), plain)
    full = next(level for level in levels if level.side == 1)
    assert full.region == decoding.clipped(visible, plain.shape)
    assert all(s.start % v.side == 0 for v in levels for s in v.region)
    assert levels[-1].states.shape == plain.shape


def test_a_visible_region_outside_is_no_region():
    model, observation = discrete((61, 83), 2)
    elsewhere = (slice(100, 120), slice(0, 5))
    found = [v.region for v in model.decode_coarse_to_fine(observation, visible=elsewhere)]
    assert found == [v.region for v in model.decode_coarse_to_fine(observation)]


@pytest.mark.parametrize("seed", range(20))
def test_scores_that_tie_are_broken_as_in_the_plain_decode(seed):
    """Codewords that mirror each other tie in many windows, in fixed point by a hair."""
    rng = np.random.default_rng(seed)
    row = rng.dirichlet(np.ones(4))
    B = np.stack([row, row[::-1], rng.permutation(row), np.full(4, 0.25)])
    window = int(rng.integers(1, 5))
    model = DiscreteModel(np.ones((4, 4)), B, window)
    observation = cases.white((40, 50), 4, seed)
    corner = (slice(0, int(rng.integers(1, 4))), slice(int(rng.integers(40, 49)), 50))
    checked(model.decode_coarse_to_fine(observation, visible=corner), model.decode(observation))


def test_the_first_level_is_cheap_however_large_the_lattice(monkeypatch):
    monkeypatch.undo()
    for length in (3000, 8192, 40_000):
        for window in (0, 5, 20, 64):
            side = decoding.coarsest_side((length, length), (window, window))
            cells = (-(-length // side)) ** 2
            assert cells <= decoding.MOST_CELLS
            assert cells * (2 * window + 1) ** 2 <= decoding.FIRST_COST
            finer = (-(-length // (side // 2))) ** 2
            too_many = finer > decoding.MOST_CELLS
            assert too_many or finer * (2 * window + 1) ** 2 > decoding.FIRST_COST


def test_four_dimensions_are_refused():
    model, observation = discrete((3, 5, 6, 4), 1)
    with pytest.raises(ParameterError, match="1 to 3 dimensions, got 4"):
        list(model.decode_coarse_to_fine(observation))


def test_it_reports_and_can_be_stopped_at_any_place():
    model, observation = discrete((200, 50), 2)
    watch = cases.Watch(10**6)
    n_levels = len(list(model.decode_coarse_to_fine(observation, progress=watch)))
    n_asked = 10**6 - watch.patience
    assert watch.fractions == sorted(watch.fractions)
    assert len(watch.fractions) > 3
    assert watch.fractions[-1] == 1.0
    assert n_asked > n_levels
    for patience in range(n_asked):
        with pytest.raises(Cancelled):
            list(model.decode_coarse_to_fine(observation, progress=cases.Watch(patience)))
