"""Coarse frames: exact in some places, marked estimates in others, and whole at the end."""

from dataclasses import replace

import numpy as np
import pytest
from skimage import data

from latviz.core import pair_counts
from latviz.core.data.encoding import Encoding
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.model import learning
from latviz.core.windows import decoding
from latviz.core.windows.decoding import decode
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.stratified import stratified_nodes
from latviz.engine.flow import pipeline
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.coarse import estimated
from latviz.engine.frames.frame import LATE, NEEDED, Frame, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.frames.listener import Listener
from latviz.engine.pictures import sample_size as sizes
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import Scribbles, Stroke, painted
from tests.new_frames import new_frame

PHOTO = Picture(np.ascontiguousarray(data.astronaut()), "astronaut")
QUANTILES = Parameters(Encoding("quantiles", n_symbols=5), n_states=5, window=3)
RGB = Parameters(Encoding("rgb"), n_states=4, window=2)
ALL = slice(0, 512)


@pytest.fixture(autouse=True)
def _large(monkeypatch):
    """Treat the photograph as one of many megapixels."""
    monkeypatch.setattr(sizes, "LARGE", 1 << 16)
    monkeypatch.setattr(decoding, "MOST_CELLS", 1 << 10)
    monkeypatch.setattr(decoding, "BAND", 1 << 15)
    monkeypatch.setattr(pipeline, "WORTH_TWO_FRAMES", 1 << 20)


def run(one: Pipeline, parameters: Parameters, **options: object) -> tuple[list[Frame], Frame]:
    shown: list[Frame] = []
    asked = {"needs": NEEDED - LATE, **options}
    request = Request(PHOTO, parameters, **asked)
    whole = one.run(request, Listener(show=shown.append))
    return shown, whole


@pytest.mark.parametrize("parameters", [QUANTILES, RGB])
def test_nodes_in_one_row_have_two_neighbours(parameters: Parameters) -> None:
    row = Picture(np.repeat(PHOTO.pixels.reshape(1, -1, 3)[:, ::3], 20, axis=1), "row")
    shown = list[Frame]()
    request = Request(row, parameters, needs=NEEDED - LATE)
    whole = Pipeline().run(request, Listener(show=shown.append))
    assert shown
    for frame in shown:  # nearly all of their pairs are those of one state
        np.testing.assert_allclose(frame.model.A.sum(axis=1), 1, atol=0.1)
    np.testing.assert_allclose(whole.model.A.sum(axis=1), 1, atol=0.01)


@pytest.mark.parametrize(
    "parameters",
    [
        QUANTILES,
        RGB,
        replace(QUANTILES, smoothing=1.0, window=1),
        replace(QUANTILES, learning_window=1),
        replace(QUANTILES, n_states=1),
    ],
)
def test_coarse_frames_hold_states_of_the_whole_one(parameters: Parameters) -> None:
    shown, whole = run(Pipeline(), parameters)
    assert whole.whole
    assert len(shown) == (2 if parameters.window < 2 else 1)
    plain = new_frame(PHOTO, parameters)
    np.testing.assert_array_equal(whole.states, plain.states)
    np.testing.assert_array_equal(whole.pairs, plain.pairs)
    sides = [frame.side for frame in shown]
    assert sides == sorted(sides, reverse=True)
    for frame in shown:
        assert not frame.whole
        nodes, cells = decoding.cell_nodes((ALL, ALL), (512, 512), frame.side)
        wanted = whole.states[nodes].reshape(cells)
        if parameters.smoothing == 0:
            np.testing.assert_array_equal(frame.states, wanted)
        else:  # the smoothed emissions are estimates, and so are not quite the same
            assert (frame.states == wanted).mean() > 0.999
        assert frame.slots == whole.slots
        assert frame.inertia is None
        assert frame.evaluation is None


@pytest.mark.parametrize("parameters", [QUANTILES, RGB])
def test_estimates_are_near_what_they_estimate(parameters: Parameters) -> None:
    shown, whole = run(Pipeline(), parameters)
    for frame in shown:
        n = whole.n_nodes
        assert frame.occupancy.sum() == pytest.approx(n, abs=len(frame.occupancy))
        np.testing.assert_allclose(frame.occupancy / n, whole.occupancy / n, rtol=0, atol=0.03)
        np.testing.assert_allclose(frame.pairs / n, whole.pairs / n, rtol=0, atol=0.08)
        assert frame.associativity == pytest.approx(whole.associativity, abs=0.05)
        assert whole.space is not None
        assert frame.space.density.sum() == shown[0].states.size
        one, other = (s.density.sum(axis=0) / s.density.sum() for s in (frame.space, whole.space))
        assert np.abs(np.cumsum(one) - np.cumsum(other)).max() < 0.06


def test_pairs_of_all_nodes_are_the_counted_pairs() -> None:
    rng = np.random.default_rng(3)
    symbols = rng.integers(0, 4, (23, 31)).astype(np.uint8)
    codebook = rng.dirichlet(np.ones(4), 3)
    nodes = stratified_nodes((23, 31), 10**6)
    for lattice in (symbols, to_fixed_point(rng.normal(size=(23, 31, 4)))):
        found = estimated(totals_at(lattice, 4, 2, nodes), nodes, codebook, (23, 31))
        states = decode(lattice, codebook, 2)
        np.testing.assert_array_equal(found.states, states.reshape(-1))
        np.testing.assert_array_equal(found.pairs, pair_counts(states, n_states=3))
        np.testing.assert_array_equal(found.occupancy, np.bincount(states.reshape(-1), minlength=3))


def test_a_pixel_of_a_coarse_frame_is_inspected_exactly() -> None:
    shown, whole = run(Pipeline(), QUANTILES)
    for node in ((0, 0), (200, 313), (511, 511)):
        one, other = inspect(shown[0], node), inspect(whole, node)
        assert one.state == other.state == whole.states[node]
        np.testing.assert_array_equal(one.signature, other.signature)


def test_no_coarse_frames_where_none_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Pipeline()
    shown, whole = run(one, QUANTILES)
    assert shown
    assert run(one, replace(QUANTILES, alpha=0.5))[0] == []
    assert run(one, QUANTILES, needs=frozenset())[0] == []
    assert run(one, QUANTILES, complete=True)[0] == []
    assert run(one, replace(QUANTILES, n_states=6))[0] != []
    monkeypatch.setattr(sizes, "LARGE", 1 << 18)
    assert run(Pipeline(), QUANTILES)[0] == []
    np.testing.assert_array_equal(new_frame(PHOTO, QUANTILES).slots, whole.slots)


def test_learning_from_all_reports_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "PART", 1 << 16)
    fractions: list[float] = []
    frame = Pipeline().run(
        Request(PHOTO, QUANTILES, complete=True), Listener(report=fractions.append)
    )
    assert frame.n_learned == frame.n_signatures
    assert fractions == sorted(fractions)
    assert len(fractions) > 5
    assert 0.9 < fractions[-1] <= 1.0


def test_coarse_frames_are_named_and_scored_by_strokes_in_their_cells() -> None:
    strokes = (
        Stroke("hair", "#102030", 9, ((90, 180), (70, 240))),
        Stroke("flag", "#405060", 9, ((100, 20), (180, 40))),
    )
    (coarse,), whole = run(Pipeline(), QUANTILES, scribbles=Scribbles(strokes))
    some = painted(strokes, PHOTO, 0)
    for frame in (coarse, whole):
        table = np.zeros((2, 5), int)
        for row, column, label in zip(*some.nodes, some.labels, strict=True):
            table[label, frame.states[row // frame.side, column // frame.side]] += 1
        np.testing.assert_array_equal(frame.scribbled.table, table)
        assert {"hair", "flag"} & set(frame.names)
    assert coarse.side > 1
