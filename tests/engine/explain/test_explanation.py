"""Explanations of pixels agree with the views, and the change that flips a pixel is minimal."""

import itertools
import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from latviz.computing import compute
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.engine.explain.explanation import LeftOutVector, explain, smallest_flip
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import request_for
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters
from tests import naive

NEEDS = frozenset({"evaluation", "cuts", "code_lengths", "node_map"})
FLOOR = 1 / 12
"""The variance of a step of whole numbers, which is added to that of each channel."""
KINDS = ["line", "grey", "colour", "volume", "apart"]


@cache
def frame_of(kind: str, **changes: Any) -> Frame:
    rng = np.random.default_rng(5)
    shapes = {
        "line": (60,),
        "grey": (14, 17),
        "value": (24, 30),
        "colour": (12, 13, 3),
        "speckle": (40, 40, 3),
        "volume": (5, 7, 6),
        "apart": (5, 7, 6),
    }
    pixels = rng.integers(0, 256, shapes[kind]).astype(np.uint8)
    pixels[..., : pixels.shape[-1] // 2] //= 2 if kind != "colour" else 1
    if kind == "colour":
        pixels[:, : pixels.shape[1] // 2] //= 2
    if kind == "speckle":  # vectors, of which a refined model counts bins
        gains = np.array([9.0, 30.0, 90.0])[np.arange(40) * 3 // 40]
        pixels = np.minimum(gains[:, None] * rng.exponential(size=pixels.shape), 255).astype(
            np.uint8
        )
    encoding = Encoding("rgb") if kind in ("colour", "speckle") else Encoding("quantiles", 4)
    if kind == "value":  # single numbers, of which a refined model counts bins
        encoding = Encoding("grey")
    if kind == "line":
        pixels, encoding = pixels // 64, Encoding("labels")
    parameters = replace(Parameters(encoding, n_states=3, window=2), **changes)
    dimensions = {"line": 1, "volume": 3, "apart": 3}.get(kind, 2)
    alphabet = tuple("abcd") if kind == "line" else ()
    picture = Picture(pixels, kind, dimensions=dimensions, alphabet=alphabet)
    return compute(picture.sliced(kind == "apart"), Decoding(parameters, 4096), needs=NEEDS)


def nodes(frame: Frame) -> list[tuple[int, ...]]:
    """Corners, edges and some nodes in between."""
    shape = frame.states.shape
    rng = np.random.default_rng(7)
    corners = list(itertools.product(*((0, side - 1) for side in shape)))
    inside = [tuple(int(rng.integers(0, side)) for side in shape) for _ in range(10)]
    return corners + inside


@pytest.mark.parametrize(
    ("kind", "normalizer"), [*zip(KINDS, itertools.cycle(["neighbours", "states"]))]
)
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
    found = smallest_flip(counts, codebook)
    if not others:
        assert found is None
        return
    assert found.n_pixels == min(others)
    after = counts.copy()
    for count, old, new in found.moved:
        after[old] -= count
        after[new] += count
    assert (after >= 0).all()
    assert found.state == nearest(after) != nearest(counts)


def test_one_state_has_no_margin_and_no_flip() -> None:
    found = explain(frame_of("grey", n_states=1), (3, 3))
    assert found.flip is None
    assert (found.smaller, found.larger) == (None, None)


def test_beliefs_may_overrule_the_nearest() -> None:
    frame = frame_of("grey", decoder="belief")
    for node in nodes(frame):
        assert explain(frame, node).state == frame.states[node]


@pytest.mark.parametrize(
    ("kind", "decoder"),
    [*zip([*KINDS, "value", "speckle"], itertools.cycle(["refined", "belief"]))],
)
def test_the_product_of_messages_is_the_belief(kind: str, decoder: str) -> None:
    frame = frame_of(kind, decoder=decoder)
    if kind in ("value", "speckle"):
        assert (frame.model.bin_edges is not None) == (decoder == "refined")
    for node in nodes(frame):
        found = explain(frame, node).product
        said = frame.believed.at(node)
        np.testing.assert_allclose(found.own, said.observation, rtol=1e-5, atol=1e-7)
        for (_, message), axis in zip(found.messages, said.axes, strict=True):
            np.testing.assert_allclose(message, axis, rtol=1e-12)
        np.testing.assert_allclose(found.belief, said.belief, rtol=1e-4, atol=1e-7)
        beliefs = [naive_belief(found.own, [m for _, m in found.messages], q) for q in range(3)]
        np.testing.assert_allclose(found.belief, np.array(beliefs) / sum(beliefs), rtol=1e-9)
        field = frame.believed.fields[node[0] if kind == "apart" else 0]
        nats = field.node_nats()[node[1:] if kind == "apart" else node]
        assert found.bits * math.log(2) == pytest.approx(float(nats), rel=1e-4, abs=1e-4)


def naive_belief(own: np.ndarray, messages: list[np.ndarray], state: int) -> float:
    return math.prod([float(own[state]), *(float(message[state]) for message in messages)])


@pytest.mark.parametrize("kind", KINDS)
def test_the_inertia_is_that_of_the_map(kind: str) -> None:
    frame = frame_of(kind, decoder="nearest")
    picture, parameters = frame.request.picture, frame.request.parameters
    request = request_for(Decoding(parameters, 4096), picture, frozenset({"node_map"}))
    shown = Pipeline().run(replace(request, map="inertia"))
    for node in nodes(frame):
        expected = shown.node_map.values[node]
        assert explain(frame, node).inertia == pytest.approx(float(expected), rel=1e-5)


@cache
def cut_by_hand() -> Frame:
    """Return a frame whose two most similar states are one, with another split instead."""
    frame = frame_of("grey")
    book = [tuple(codeword.tolist()) for codeword in frame.codebook]
    pair = Pair(*min(itertools.combinations(book, 2), key=lambda both: math.dist(*both)))
    return Pipeline().run(replace(frame.request, hand_cut=HandCut(together=(pair,))))


@pytest.mark.parametrize("kind", ["line", "apart", "cut"])
def test_left_out_pixels_add_up_to_the_code_length(kind: str) -> None:
    """All pixels one by one, each in the state of its window without it, and counted so."""
    frame = cut_by_hand() if kind == "cut" else frame_of(kind)
    shape, values, lengths = frame.states.shape, frame.observations.values, frame.code_lengths
    every = list(itertools.product(*map(range, shape)))
    found = {node: explain(frame, node).left_out for node in every}
    counts = np.zeros((3, 4), dtype=int)
    for node, one in found.items():
        assert one.symbol == values[node]
        counts[one.state, one.symbol] += 1
    total = 0.0
    for one in found.values():
        np.testing.assert_array_equal(one.counts, counts[one.state])
        total += one.bits
    n = len(every)
    cost = 0.5 * 3 * (4 - 1) * math.log2(n)
    assert (total + cost) / n == pytest.approx(lengths.states.bits, rel=1e-9)


def test_left_out_vectors_add_up_to_the_code_length() -> None:
    """Each is in the normal density of all with the same prediction, with a floor."""
    frame = frame_of("colour")
    shape, values, lengths = frame.states.shape, frame.observations.values, frame.code_lengths
    every = list(itertools.product(*map(range, shape)))
    found = {node: explain(frame, node).left_out for node in every}
    total = 0.0
    for q in range(3):
        told = [node for node, one in found.items() if one is not None and one.state == q]
        vectors = np.array([values[node] for node in told], dtype=float)
        sigma = np.cov(vectors.T, bias=True) + FLOOR * np.eye(3)
        density = scipy.stats.multivariate_normal(vectors.mean(axis=0), sigma)
        for node in told:
            one = found[node]
            assert isinstance(one, LeftOutVector)
            expected = -float(density.logpdf(values[node])) / math.log(2)
            assert one.bits == pytest.approx(expected, rel=1e-3, abs=2e-3)
            total += one.bits
    n = len(every)
    cost = 0.5 * 3 * (3 + 3 * 4 / 2) * math.log2(n)
    assert (total + cost) / n == pytest.approx(lengths.states.bits, rel=1e-6)


@pytest.mark.parametrize("kind", ["line", "colour"])
def test_other_numbers_of_states_put_it_into_another_branch(kind: str) -> None:
    """With every N it is decoded again: the branch is followed down from the present states."""
    frame = frame_of(kind)
    picture, parameters = frame.request.picture, frame.request.parameters
    others = {
        n: compute(picture, Decoding(replace(parameters, n_states=n), 4096), needs=NEEDS)
        for n in range(1, 9)
    }
    joins = frame.cuts.joins.tolist()

    def row(n: int, node: tuple[int, ...], low: int) -> int:
        other = others[n]
        at = int(np.argsort(other.row_slots)[other.states[node]])
        while at >= low:
            at = joins[at]
        return at

    seen = set()
    for node in nodes(frame):
        found = explain(frame, node)
        expected = [n for n in (2, 1) if row(n, node, n) != row(3, node, n)]
        assert (found.fewer or (None,))[0] == (expected[0] if expected else None)
        above = [n for n in range(4, 9) if row(n, node, 3) != row(3, node, 3)]
        more = None if found.more is None or found.more[0] > 8 else found.more[0]
        assert more == (above[0] if above else None)
        if more is not None:
            assert int(np.argsort(frame.row_slots)[found.more[1]]) == row(more, node, 3)
        seen.add((bool(expected), bool(above)))
    assert len(seen) > 1


def test_a_refined_model_is_no_cut_of_the_tree() -> None:
    found = explain(frame_of("grey", decoder="refined"), (3, 3))
    assert (found.fewer, found.more) == (None, None)
    smoothed = explain(frame_of("grey", smoothing=1.0), (3, 3))
    assert (smoothed.fewer, smoothed.more) == (None, None)
