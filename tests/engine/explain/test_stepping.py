"""Steps of the processes equal the program's results and the definitions."""

from dataclasses import replace

import numpy as np
import pytest

from latviz.computing import compute
from latviz.core.progress import Cancelled
from latviz.engine.explain.stepping import (
    MOST_PASSED,
    merge_film,
    middle_part,
    part_around,
    passes_film,
    window_film,
)
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Watch
from latviz.engine.frames.section import Section
from latviz.engine.settings.decoding import Decoding
from tests import naive
from tests.engine.explain.test_explanation import KINDS, NEEDS, frame_of

STOPPED = Watch(lambda: True)


@pytest.mark.parametrize("kind", KINDS)
def test_the_window_slides_over_a_part_and_fills_its_states(kind: str) -> None:
    frame = frame_of(kind)
    node = tuple(length - 1 for length in frame.states.shape)
    film = window_film(frame, node)
    states = np.array([step.state for step in film.steps])
    np.testing.assert_array_equal(states, frame.states[film.part].reshape(-1))
    assert film.steps[-1].node == node  # the part reaches the corner, and is walked row by row
    assert [step.node for step in film.steps] == sorted(step.node for step in film.steps)
    for step in film.steps[:: max(1, len(film.steps) // 9)]:
        inside = frame.observations.values[step.window]
        n = int(np.prod(inside.shape[: len(node)]))
        assert f" {n} " in step.words
        if frame.observations.discrete:
            shares = np.array([np.mean(inside == m) for m in range(4)])
        else:
            shares = inside.reshape(-1, inside.shape[-1]).astype(float).mean(axis=0)
        np.testing.assert_allclose(step.signature, shares, rtol=1e-12)
        expected = naive.squared_distances(shares, frame.codebook)
        np.testing.assert_allclose(step.distances, expected, rtol=1e-9, atol=1e-12)
        assert f"state {step.state + 1};" in step.words


def test_the_part_is_small_and_inside() -> None:
    assert part_around((40, 50), (0, 49)) == (slice(0, 12), slice(38, 50))
    assert part_around((40, 50), None) == (slice(14, 26), slice(19, 31))
    assert part_around((5, 7), (4, 6)) == (slice(0, 5), slice(0, 7))
    assert part_around((9, 40, 50), (3, 20, 20)) == (slice(3, 4), slice(14, 26), slice(14, 26))
    assert part_around((100,), (50,)) == (slice(26, 74),)


@pytest.mark.parametrize("kind", ["line", "grey", "colour"])
def test_merges_cost_what_the_tree_says(kind: str) -> None:
    cuts = frame_of(kind).cuts
    film = merge_film(cuts)
    assert [step.n for step in film.steps] == list(range(film.steps[0].n, 1, -1))
    for step, points in zip(film.steps, film.points, strict=False):
        assert step.cost == pytest.approx(float(cuts.costs[step.n - 1]), rel=1e-6, abs=1e-9)
        before, after = cuts.codebooks[step.n - 1], cuts.codebooks[step.n - 2]
        weights = cuts.weights[step.n - 1]
        pair = [step.kept, step.gone]
        merged = np.average(before[pair], axis=0, weights=weights[pair])
        np.testing.assert_allclose(after[step.kept], merged, rtol=1e-9, atol=1e-12)
        others = [
            naive_cost(weights[i], weights[j], before[i], before[j])
            for i in range(step.n)
            for j in range(i)
        ]
        assert step.cost == pytest.approx(min(others), rel=1e-6, abs=1e-9)  # the cheapest pair
        assert points.shape == (step.n, 2)


def naive_cost(n: float, m: float, one: np.ndarray, other: np.ndarray) -> float:
    return float(n * m / (n + m) * sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))


@pytest.mark.parametrize("kind", KINDS)
def test_passes_are_those_of_the_frames(kind: str) -> None:
    frame = frame_of(kind, decoder="belief")
    index = 2
    section = Section(frame.states.shape, index)
    film = passes_film(frame, section)
    assert [step.passes for step in film.steps] == list(range(2 if kind == "line" else 11))
    before = film.steps[0].states
    for step in film.steps:
        if step.passes in ((1,) if kind == "line" else (0, 1, 3)):  # a sequence's frames take one
            expected = section.plane(with_passes(frame, step.passes).states)
            np.testing.assert_array_equal(step.states, expected)
        assert step.n_changed == int((step.states != before).sum())
        before = step.states


def with_passes(frame: Frame, passes: int) -> Frame:
    parameters = replace(frame.request.parameters, passes=passes)
    return compute(frame.request.picture, Decoding(parameters, 4096), needs=NEEDS)


def test_passes_of_the_nearest_codeword_are_what_belief_would_do() -> None:
    nearest, believing = frame_of("grey"), frame_of("grey", decoder="belief")
    section = Section(nearest.states.shape)
    one, other = passes_film(nearest, section), passes_film(believing, section)
    for a, b in zip(one.steps, other.steps, strict=True):
        np.testing.assert_array_equal(a.states, b.states)


def test_large_pictures_are_passed_over_in_their_middle() -> None:
    for shape in ((4000, 3000), (10_000_000,), (20, 1000, 900)):
        part = middle_part(shape)
        assert np.prod([s.stop - s.start for s in part]) <= MOST_PASSED
        for side, length in zip(part, shape, strict=True):
            assert abs((side.start + side.stop) - length) <= 1
    assert middle_part((20, 1000, 900))[0] == slice(0, 20)
    assert middle_part((30, 40)) == (slice(0, 30), slice(0, 40))


def test_steps_can_be_given_up() -> None:
    frame = frame_of("grey")
    with pytest.raises(Cancelled):
        window_film(frame, None, STOPPED)
    with pytest.raises(Cancelled):
        passes_film(frame, Section(frame.states.shape), STOPPED)
