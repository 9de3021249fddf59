"""Explanations of pixels are what the views show, and what would flip a pixel is the least."""

import itertools
import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latviz.core.data.encoding import Encoding
from latviz.engine.explanation import _flip, explain
from latviz.engine.frame import Frame
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.session import Decoding
from latviz.workspace import compute
from tests import naive

NEEDS = frozenset({"evaluation"})


@cache
def frame_of(kind: str, **changes: Any) -> Frame:
    rng = np.random.default_rng(5)
    shapes = {"grey": (14, 17), "colour": (12, 13, 3), "volume": (5, 7, 6), "apart": (5, 7, 6)}
    pixels = rng.integers(0, 256, shapes[kind]).astype(np.uint8)
    pixels[:, : pixels.shape[1] // 2] //= 2
    encoding = Encoding("rgb") if kind == "colour" else Encoding("quantiles", 4)
    parameters = replace(
        Parameters(encoding, n_states=3, window=2, slices_apart=kind == "apart"), **changes
    )
    picture = Picture(pixels, kind, dimensions=3 if kind in ("volume", "apart") else 2)
    return compute(picture, Decoding(parameters, 4096), needs=NEEDS)


def nodes(frame: Frame) -> list[tuple[int, ...]]:
    """Corners, edges and some nodes in between."""
    shape = frame.states.shape
    rng = np.random.default_rng(7)
    corners = list(itertools.product(*((0, side - 1) for side in shape)))
    inside = [tuple(int(rng.integers(0, side)) for side in shape) for _ in range(20)]
    return corners + inside


@pytest.mark.parametrize("kind", ["grey", "colour", "volume", "apart"])
@pytest.mark.parametrize("normalizer", ["neighbours", "states"])
def test_its_numbers_are_those_of_the_views(kind: str, normalizer: str) -> None:
    frame = frame_of(kind, normalizer=normalizer)
    (score,) = frame.evaluation.node_log_likelihood if kind != "apart" else (None,)
    whole = frame.evaluation.node_log_likelihood
    for node in nodes(frame):
        found = explain(frame, node)
        assert found.ranked[0] == found.state == frame.states[node]
        expected = naive.squared_distances(found.signature, frame.codebook)
        np.testing.assert_allclose(found.distances, expected, rtol=1e-12, atol=1e-12)
        nats = whole[node[0]][node[1:]] if score is None else score[node]
        assert found.bits * math.log(2) == pytest.approx(float(nats), rel=1e-5, abs=1e-5)


def test_signatures_are_counted_one_by_one() -> None:
    frame = frame_of("grey")
    values = frame.observations.values
    for node in nodes(frame):
        found = explain(frame, node)
        expected = naive.signature_at(values, node, 2, 4)
        np.testing.assert_allclose(found.signature, expected, rtol=1e-12)
        assert found.counts is not None
        assert found.n_pixels == found.counts.sum()


def test_neighbours_are_named_by_their_side() -> None:
    frame = frame_of("grey")
    found = {one.side: one.state for one in explain(frame, (3, 4)).neighbours}
    assert found == {
        "above": frame.states[2, 4],
        "below": frame.states[4, 4],
        "left": frame.states[3, 3],
        "right": frame.states[3, 5],
    }
    assert {one.side for one in explain(frame, (0, 0)).neighbours} == {"below", "right"}
    apart = {one.side for one in explain(frame_of("apart"), (2, 3, 3)).neighbours}
    assert apart == {"above", "below", "left", "right"}


@pytest.mark.parametrize("kind", ["grey", "colour"])
def test_other_windows_with_the_same_states(kind: str) -> None:
    frame = frame_of(kind)
    values = frame.observations.values
    for node in nodes(frame):
        found = explain(frame, node)

        def nearest(w: int, node: tuple[int, ...] = node) -> int:
            if frame.observations.discrete:
                x = naive.signature_at(values, node, w, 4)
            else:
                x = naive.mean_at(values.astype(np.float64), node, w)
            return int(np.argmin(naive.squared_distances(np.asarray(x), frame.codebook)))

        below = [w for w in (1, 0) if nearest(w) != found.state]
        assert found.smaller == ((below[0], nearest(below[0])) if below else None)
        above = [w for w in range(3, 20) if nearest(w) != found.state]
        assert found.larger == ((above[0], nearest(above[0])) if above else None)


counts_3 = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(sum).map(np.array)
rows_3 = st.lists(
    st.lists(st.integers(0, 6), min_size=3, max_size=3).map(lambda row: np.array(row) / 6),
    min_size=2,
    max_size=3,
)


@given(counts=counts_3, rows=rows_3)
def test_nothing_smaller_flips_a_pixel(counts: np.ndarray, rows: list[np.ndarray]) -> None:
    """Against all windows that differ in fewer pixels."""
    codebook, n = np.array(rows), int(counts.sum())

    def nearest(c: np.ndarray) -> int:
        distances = naive.squared_distances(c / n, codebook)
        best = min(distances)
        return next(q for q, d in enumerate(distances) if d <= best + 1e-12)

    others = {}
    for made in itertools.product(range(n + 1), repeat=3):
        if sum(made) == n and nearest(np.array(made)) != nearest(counts):
            moved = int(np.abs(np.array(made) - counts).sum()) // 2
            others[moved] = min(others.get(moved, 9), nearest(np.array(made)))
    found = _flip(counts, codebook)
    if not others:
        assert found is None
        return
    assert found is not None
    assert found.n_pixels == min(others)
    after = counts.copy()
    for count, old, new in found.moved:
        after[old] -= count
        after[new] += count
    assert (after >= 0).all()
    assert nearest(after) != nearest(counts)


def test_one_state_has_no_margin_and_no_flip() -> None:
    found = explain(frame_of("grey", n_states=1), (3, 3))
    assert math.isinf(found.margin)
    assert found.flip is None
    assert (found.smaller, found.larger) == (None, None)


def test_beliefs_may_overrule_the_nearest() -> None:
    frame = frame_of("grey", decoder="belief")
    for node in nodes(frame):
        assert explain(frame, node).state == frame.states[node]
