"""Known states next to decoded ones."""

import numpy as np
import pytest

from latviz.core.data.encoding import Encoding
from latviz.engine.flow.stages import views
from latviz.engine.frames.frame import NEEDED, Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.truth import TruthIndices
from latviz.engine.settings.parameters import Parameters
from tests import naive
from tests.new_frames import new_frame

RNG = np.random.default_rng(1)
KNOWN = np.repeat(np.repeat(RNG.integers(0, 3, (6, 8)), 5, axis=0), 5, axis=1).astype(np.uint8)
PIXELS = np.clip(80 * KNOWN + RNG.normal(0, 15, KNOWN.shape), 0, 255).astype(np.uint8)


def frame_of(picture: Picture, **parameters: object) -> Frame:
    standard = {"encoding": Encoding("quantiles", 4), "n_states": 3, "window": 1}
    chosen = Parameters(**{**standard, **parameters})
    return new_frame(picture, chosen, needs=NEEDED | {"truth"})


@pytest.mark.parametrize(("shape", "window"), [((40,), 2), ((9, 7), 1), ((4, 5, 6), 1)], ids=str)
def test_indices_of_the_truth_are_those_of_plain_loops(shape: tuple[int, ...], window: int) -> None:
    known = np.random.default_rng(2).integers(0, 3, shape).astype(np.uint8)
    letters = ("a", "b", "c") if len(shape) == 1 else ()
    labels = Encoding("labels" if letters else "quantiles", 4)
    picture = Picture(known, "test", truth=known, dimensions=len(shape), alphabet=letters)
    truth = frame_of(picture, encoding=labels, window=window).truth
    A = naive.adjacency([known], 3)
    np.testing.assert_allclose(truth.indices.A, A, rtol=1e-12, atol=0.0)
    assert truth.indices.associativity == pytest.approx(naive.associativity(A), rel=1e-12, abs=0)
    assert truth.indices.inertia == pytest.approx(naive.inertia([known], 3, window), rel=1e-6)


def test_colours_accuracy_and_errors() -> None:
    frame = frame_of(Picture(PIXELS, "test", truth=KNOWN))
    truth = frame.truth
    slots = np.array(frame.slots)[frame.states]
    named = np.array(truth.slots)[KNOWN]
    # Blocks of three far greys: the brightest state is the brightest known one.
    assert (slots == named).mean() > 0.9
    np.testing.assert_array_equal(truth.wrong, slots != named)
    assert truth.accuracy == pytest.approx((slots == named).mean(), rel=1e-12, abs=0)
    assert 0.5 < truth.rand < 1.0
    assert [truth.known_of(slot) for slot in truth.slots] == [0, 1, 2]
    assert truth.known_of(200) is None


def test_more_known_states_than_decoded_ones_take_free_slots() -> None:
    indices = TruthIndices(np.eye(3), 1.0, 1.0, 0.0, 0.0)
    states = np.array([0, 0, 1, 1, 1, 0], np.uint8)
    known = np.array([2, 2, 0, 0, 0, 1], np.uint8)
    table = np.array([[0, 1, 2], [3, 0, 0]])
    slots = views.known_slots(table, (4, 7))
    truth = views.compared(known, indices, table, states, slots)
    assert truth.slots[2] == 4
    assert truth.slots[0] == 7
    assert len(set(truth.slots)) == 3
    assert truth.wrong.tolist() == [False] * 5 + [True]
    assert truth.accuracy == pytest.approx(5 / 6, rel=1e-12, abs=0)


def test_nodes_of_no_known_state_count_for_nothing_and_are_shown_as_such() -> None:
    known = KNOWN.copy()
    known[5:15, 10:25] = 255
    there = known != 255
    frame, whole = (frame_of(Picture(PIXELS, "test", truth=one)) for one in (known, KNOWN))
    truth = frame.truth
    table = naive.contingency([(known[there], frame.states[there])], 3, 3)
    right = max(sum(table[pair] for pair in pairs) for pairs in naive.matchings(3, 3))
    assert truth.accuracy == pytest.approx(right / there.sum(), rel=1e-12)
    assert not truth.wrong[~there].any()
    np.testing.assert_array_equal(truth.wrong[there], whole.truth.wrong[there])
    shape, pairs, norms = known.shape, np.zeros((3, 3)), list[float]()
    for t in filter(there.__getitem__, naive.nodes(shape)):
        for r in naive.neighbours(shape, t):
            if there[r]:
                pairs[known[t], known[r]] += 1
        own = [known[r] for r in naive.window_nodes(shape, t, 1) if there[r]]
        norms.append(float(np.linalg.norm(np.bincount(own, minlength=3) / len(own))))
    counts = np.bincount(known[there])
    np.testing.assert_allclose(truth.indices.A, pairs / (4 * counts)[:, None], rtol=1e-12)
    assert truth.indices.inertia == pytest.approx(np.mean(norms), rel=1e-6)
    drawn, slots = truth.drawn
    np.testing.assert_array_equal(drawn == 3, ~there)
    assert len(slots) == 4
    assert len(set(slots)) == 4
    assert whole.truth.drawn == (whole.truth.states, whole.truth.slots)
