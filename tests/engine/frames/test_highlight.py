"""The pixels of each selection, against plain loops."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.geometry.selection import (
    PairSelection,
    RangeSelection,
    RegionSelection,
    Selection,
    StateSelection,
    SymbolSelection,
)
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests import naive
from tests.engine.flow.test_pipeline import QUANTILES, SMALL

PATCH = Picture(np.ascontiguousarray(data.astronaut()[30:80, 140:200]), "patch")
CASES = {
    "symbols": (SMALL, QUANTILES),
    "three symbols": (SMALL, Parameters(Encoding("quantiles", 3), n_states=4, window=2)),
    "two symbols": (SMALL, Parameters(Encoding("quantiles", 2), n_states=3, window=4)),
    "grey": (SMALL, Parameters(Encoding("grey"), n_states=4, window=2)),
    "lab": (PATCH, Parameters(Encoding("lab"), n_states=4, window=5)),
    "another window learned": (SMALL, replace(QUANTILES, window=1, learning_window=4)),
}
NEEDS = frozenset({"space", "node_map"})
PROJECTIONS = (Projection(), Projection("principal"), Projection("symbols", (1, 3, 4)))


@cache
def pipeline_of(name: str) -> Pipeline:
    return Pipeline()


def frame_of(name, selection=None, projection=PROJECTIONS[0]) -> Frame:
    picture, parameters = CASES[name]
    request = Request(
        picture, parameters, projection=projection, complete=True, needs=NEEDS, selection=selection
    )
    return pipeline_of(name).run(request)


def lit(name: str, selection: Selection, projection: Projection = PROJECTIONS[0]) -> np.ndarray:
    found = frame_of(name, selection, projection).lit
    assert found.n_pixels == sum(bool(on) for on in found.mask.reshape(-1))
    return found.mask


def plain(shape: tuple[int, ...], holds: object) -> np.ndarray:
    """Return where a condition on a node holds, by a loop over the nodes."""
    mask = np.zeros(shape, dtype=bool)
    for t in naive.nodes(shape):
        mask[t] = holds(t)
    return mask


@pytest.mark.parametrize("name", CASES)
def test_a_state(name: str) -> None:
    frame = frame_of(name)
    for state, slot in enumerate(frame.slots):
        wanted = plain(frame.states.shape, lambda t, state=state: frame.states[t] == state)
        np.testing.assert_array_equal(lit(name, StateSelection(slot)), wanted)
    assert not lit(name, StateSelection(31)).any()


@pytest.mark.parametrize("name", CASES)
def test_the_pairs_of_every_entry_of_a(name: str) -> None:
    frame = frame_of(name)
    picture, counted = CASES[name][0], frame.states
    shape, n = picture.shape, len(frame.slots)
    for i in range(n):
        for j in range(n):
            wanted, count = np.zeros(shape, dtype=bool), 0
            for t in naive.nodes(shape):
                for r in naive.neighbours(shape, t):
                    if counted[t] == i and counted[r] == j:
                        wanted[t] = wanted[r] = True
                        count += 1
            found = frame_of(name, PairSelection(frame.slots[i], frame.slots[j])).lit
            assert found.n_pairs == count == frame.pairs[i, j]
            np.testing.assert_array_equal(found.mask, wanted)


@pytest.mark.parametrize("name", ["symbols", "three symbols", "another window learned"])
def test_a_symbol_of_a_state(name: str) -> None:
    frame = frame_of(name)
    o, q = frame.observations.values, frame.states
    for state, slot in enumerate(frame.slots):
        for k in range(frame.observations.n_symbols):
            wanted = plain(q.shape, lambda t, j=state, k=k: q[t] == j and o[t] == k)
            np.testing.assert_array_equal(lit(name, SymbolSelection(slot, k)), wanted)


@pytest.mark.parametrize("name", ["symbols", "grey", "lab"])
def test_a_range_of_the_likelihood(name: str) -> None:
    node_map = frame_of(name).node_map
    values = node_map.values
    low, high = np.quantile(values[np.isfinite(values)], (0.01, 0.2))
    for ends in ((low, high), (-np.inf, low), (low, low)):
        chosen = RangeSelection("likelihood", float(ends[0]), float(ends[1]))
        wanted = plain(values.shape, lambda t, ends=ends: ends[0] <= values[t] <= ends[1])
        np.testing.assert_array_equal(lit(name, chosen), wanted)


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.kind)
@pytest.mark.parametrize("name", CASES)
def test_a_bin_lights_what_is_counted_in_it(name: str, projection: Projection) -> None:
    """On the edge of two bins, to within rounding, a pixel may be counted in either."""
    frame = frame_of(name, projection=projection)
    space = frame.space
    points = space.locate(frame.model.signature(frame.observations.values))
    rng = np.random.default_rng(0)
    bins = np.argwhere(space.density > 0)
    largest = np.argsort(-space.density[tuple(bins.T)], kind="stable")[:8]
    chosen = np.concatenate([bins[largest], bins[rng.integers(0, len(bins), 20)]])
    n_exact = 0
    for row, column in chosen.tolist():
        corners = space.corners_of(row, column)
        mask = lit(name, RegionSelection(corners, projection), projection)
        axes = (0,) if space.on_line else (0, 1)
        unit = np.subtract(corners[2], corners[0])
        gaps = [abs(points[..., k] - corners[c][k]) / unit[k] for k in axes for c in (0, 2)]
        n_on_edge = np.count_nonzero(np.min(gaps, axis=0) < 1e-4)
        assert abs(mask.sum() - space.density[row, column]) <= n_on_edge
        n_exact += mask.sum() == space.density[row, column]
    assert n_exact > 0.6 * len(chosen)


def signature(frame: Frame, values: np.ndarray, t: tuple[int, ...], window: int) -> np.ndarray:
    if frame.observations.discrete:
        return np.array(naive.signature_at(values, t, window, frame.observations.n_symbols))
    return np.array(naive.mean_at(values, t, window))


@pytest.mark.parametrize("name", ["symbols", "lab"])
def test_a_rectangle_of_the_signature_space(name: str) -> None:
    frame = frame_of(name)
    space, values, window = frame.space, frame.observations.values, CASES[name][1].window
    (left, bottom), (right, top) = space.codewords.min(axis=0), space.codewords.max(axis=0)
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    mask = lit(name, RegionSelection(corners))
    assert 0 < mask.sum() < mask.size
    rng = np.random.default_rng(2)
    for t in [tuple(t) for t in rng.integers(0, mask.shape, (150, 2)).tolist()]:
        x, y = space.locate(signature(frame, values, t, window))
        assert mask[t] == (left <= x < right and bottom <= y < top)


def test_points_outside_of_the_density_have_no_bin() -> None:
    space = frame_of("three symbols").space
    left, bottom, width, height = space.extent
    assert space.bin_at(left - 1e-3, bottom) is None
    assert space.bin_at(left, bottom + height * 1.001) is None
    assert space.bin_at(left + width * 0.999, bottom) == (0, space.density.shape[1] - 1)
