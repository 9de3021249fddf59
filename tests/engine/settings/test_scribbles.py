"""Scribbles: their pixels, names and scores, counted by hand, and the cut that agrees with them."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.core.data.cutting import TreeCut
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.errors import ParameterError
from latviz.engine.choosing import agreed as agreeing
from latviz.engine.choosing.agreed import agreed, labels_of, without_hidden
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, Frame, Request
from latviz.engine.keeping.session import (
    Session,
    from_content,
    from_text,
    opened,
    text_of,
    to_content,
)
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import (
    MOST_STROKES,
    Cutting,
    PaintedPixels,
    Place,
    Scribbled,
    Scribbles,
    Stroke,
    covered,
    painted,
    shade,
    simplified,
)
from latviz.engine.settings.state import State
from tests import naive
from tests.new_frames import new_frame

RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"
SKY = Stroke("sky", RED, 3, ((2, 1), (2, 9)))
SEA = Stroke("sea", GREEN, 1, ((12, 3), (15, 3)))


def naive_covered(stroke: Stroke, shape: tuple[int, int]) -> set[Place]:
    """Return the pixels whose centres are within half the brush of the line, or its ends."""
    found = {point for point in stroke.points if point[0] < shape[0] and point[1] < shape[1]}
    for a, b in zip(stroke.points, stroke.points[1:] or stroke.points, strict=False):
        for t in naive.nodes(shape):
            along = [(b[k] - a[k]) for k in (0, 1)]
            length = along[0] ** 2 + along[1] ** 2
            share = sum((t[k] - a[k]) * along[k] for k in (0, 1)) / max(1, length)
            nearest = [a[k] + min(max(share, 0.0), 1.0) * along[k] for k in (0, 1)]
            if math.dist(t, nearest) <= max(stroke.size / 2, 0.5) + 1e-12:
                found.add(t)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_stroke_covers_what_is_near_its_line(seed: int) -> None:
    rng, shape = np.random.default_rng(seed), (13, 17)
    for _ in range(6):
        n = int(rng.integers(1, 5))
        points = tuple(map(tuple, rng.integers(0, 16, (n, 2)).tolist()))
        stroke = Stroke("sky", RED, int(rng.integers(1, 9)), points)
        found = covered(stroke, shape)
        wanted = sorted(row * 17 + column for row, column in naive_covered(stroke, shape))
        assert found.tolist() == wanted


def test_a_line_loses_only_what_lies_straight_between() -> None:
    line = [(0, 0), (0, 0), (0, 2), (0, 5), (3, 8), (5, 10), (5, 9), (5, 10)]
    assert simplified(line) == ((0, 0), (0, 5), (5, 10), (5, 9), (5, 10))
    assert simplified([(4, 4)]) == simplified([(4, 4), (4, 4)]) == ((4, 4),)


def test_the_stroke_that_lies_highest_names_a_pixel() -> None:
    picture = Picture(np.zeros((3, 6, 7), np.uint8), "volume", dimensions=3)
    below = Stroke("sky", RED, 1, ((1, 0), (1, 4)), slice=1)
    above = Stroke("sea", GREEN, 1, ((0, 2), (3, 2)), slice=1)
    elsewhere = Stroke("sky", RED, 1, ((0, 0),), picture=1)
    beyond = Stroke("sky", RED, 1, ((0, 0),), slice=3)
    some = painted((below, above, elsewhere, beyond), picture, 0)
    found = dict(zip(zip(*(axis.tolist() for axis in some.nodes)), some.labels.tolist()))  # noqa: B905
    sky, sea = {(1, 1, c): 0 for c in range(5)}, {(1, r, 2): 1 for r in range(4)}
    assert found == {**sky, **sea}
    again = painted((above, below), picture, 0)
    assert dict(zip(zip(*again.nodes), again.labels.tolist()))[1, 1, 2] == 1  # noqa: B905
    some_strokes = Scribbles((below, above))
    assert some_strokes.hit((1, 2), 0, 1) == above
    assert some_strokes.hit((1, 3), 0, 1) == below
    assert some_strokes.hit((1, 3), 0, 0) is None


def test_scores_are_counted_by_hand() -> None:
    scribbles = Scribbles((SKY, SEA, Stroke("sand", BLUE, 1, ((0, 0),), picture=4)))
    states = np.array([[0, 0, 0, 1, 2, 2], [3, 3, 1, 1, 1, 0]], np.uint8)
    labels = np.array([0, 0, 1, 0, 1, 0, 0, 1, 0, 0])
    nodes = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]), np.array([0, 1, 2, 3, 4, 1, 2, 3, 4, 5])
    found = Scribbled.of(scribbles, PaintedPixels(nodes, labels), states, 5)
    # sky: states 0, 0, 1, 3, 1, 1, 0; sea: states 0, 2, 1.
    assert found.table == ((3, 3, 0, 1, 0), (1, 1, 1, 0, 0), (0, 0, 0, 0, 0))
    assert found.named == (0, 0, 1, 0, None)
    assert (found.n_right, found.n_pixels) == ((7, 1, 0), (7, 3, 0))
    assert (found.score(0), found.score(1), found.score()) == (1.0, 1 / 3, 0.8)
    assert math.isnan(found.score(2))
    looks = found.looks((2, 3, 5, 7, 8))
    assert [(look.slot, look.name) for look in looks] == [
        (2, "sky"),
        (3, "sky"),
        (5, "sea"),
        (7, "sky"),
    ]
    assert [look.color for look in looks] == [RED, "#ff6666", GREEN, "#b20000"]
    assert len({shade("#8478fc", place) for place in range(5)}) == 5


def test_what_no_stroke_can_be_is_refused() -> None:
    good = {"name": "sky", "color": RED, "size": 3, "points": ((0, 0),)}
    for wrong in (
        {"name": ""},
        {"name": 41 * "a"},
        {"name": "a\nb"},
        {"color": "red"},
        {"size": 0},
        {"size": 65},
        {"points": ()},
        {"points": ((0, -1),)},
        {"slice": -1},
        {"picture": 1 << 40},
    ):
        with pytest.raises(ParameterError):
            Stroke(**{**good, **wrong})
    with pytest.raises(ParameterError):
        Scribbles((MOST_STROKES + 1) * (SKY,))


def test_names_keep_their_order_and_their_last_colour() -> None:
    some = Scribbles((SKY, SEA)).adding(replace(SKY, color=BLUE))
    assert some.names == ("sky", "sea")
    assert some.colors == {"sky": BLUE, "sea": GREEN}
    assert {stroke.color for stroke in some.strokes if stroke.name == "sky"} == {BLUE}
    assert some.without(some.strokes[2]).strokes == some.strokes[:2]


# In pictures of four kinds of ground


def ground(seed: int = 0, side: int = 20) -> np.ndarray:
    """Return four squares of noise, in two pairs of similar ones, shape (40, 40)."""
    rng = np.random.default_rng(seed)
    means = np.kron([[20, 60], [150, 220]], np.ones((side, side)))
    return (means + rng.integers(-9, 10, means.shape)).clip(0, 255).astype(np.uint8)


PICTURE = Picture(ground(), "ground")
PARAMETERS = Parameters(Encoding("grey"), n_states=2, window=1)
DARK, MIDDLE, BRIGHT, WHITE = (
    Stroke(name, color, 3, points)
    for name, color, points in (
        ("dark", RED, ((4, 4), (15, 15))),
        ("middle", GREEN, ((4, 25), (15, 35))),
        ("bright", BLUE, ((25, 4), (35, 15))),
        ("white", "#ffffff", ((25, 25), (35, 35))),
    )
)


def frame_of(parameters=PARAMETERS, pictures=PICTURE, **more) -> Frame:
    asked = {"needs": frozenset(), "complete": True, **more}
    return new_frame(pictures, parameters, **asked)


def cut_and_decoded(scribbles, parameters=PARAMETERS, pictures=PICTURE) -> Frame:
    found = agreed(frame_of(parameters, pictures), scribbles, Cutting(parameters.n_states))
    cut = replace(parameters, n_states=found.made.n_states)
    return frame_of(cut, pictures, hand_cut=found.made.hand_cut, scribbles=found)


def test_the_cut_follows_the_strokes_and_names_the_states() -> None:
    frame = cut_and_decoded(Scribbles((DARK, MIDDLE)))
    # The bright half, which has no name, stays one state.
    assert sorted(frame.names) == ["", "dark", "middle"]
    assert frame.scribbled is not None
    states = [int(frame.states[place]) for place in ((8, 8), (8, 30), (30, 10), (30, 30))]
    assert [frame.names[state] for state in states] == ["dark", "middle", "", ""]
    assert frame.colors[states[0]].tolist() == [255, 0, 0]
    every = cut_and_decoded(Scribbles((DARK, MIDDLE, BRIGHT, WHITE)))
    assert sorted(every.names) == ["bright", "dark", "middle", "white"]
    n_right = 0
    some = painted(every.request.scribbles.strokes, PICTURE, 0)
    for row, column, label in zip(*some.nodes, some.labels, strict=True):
        name = every.request.scribbles.names[label]
        n_right += every.names[every.states[row, column]] == name
    assert every.scribbled.score() == n_right / some.labels.size == 1.0


def test_siblings_of_one_name_become_one_state() -> None:
    both = replace(MIDDLE, name="dark", color=RED)
    frame = cut_and_decoded(Scribbles((DARK, both, BRIGHT, WHITE)), replace(PARAMETERS, n_states=4))
    assert sorted(frame.names) == ["bright", "dark", "white"]


def test_n_stays_if_it_is_kept() -> None:
    found = agreed(frame_of(), Scribbles((DARK, MIDDLE), keeps_n=True), Cutting(2))
    assert found.made.n_states == 2
    four = replace(PARAMETERS, n_states=3)
    found = agreed(frame_of(four), Scribbles((DARK, MIDDLE), keeps_n=True), Cutting(3))
    frame = frame_of(four, hand_cut=found.made.hand_cut, scribbles=found)
    assert sorted(frame.names) == ["", "dark", "middle"]


def test_a_dab_of_a_pixel_is_heard() -> None:
    dabs = (
        replace(s, size=1, points=((s.points[0][0] + 5, s.points[0][1] + 5),))
        for s in (DARK, MIDDLE)
    )
    frame = cut_and_decoded(Scribbles(tuple(dabs)))
    assert {"dark", "middle"} <= set(frame.names)


def test_names_that_windows_cannot_tell_apart_do_not_shatter_the_tree() -> None:
    rng = np.random.default_rng(3)
    picture = Picture(rng.integers(0, 256, (60, 60)).astype(np.uint8), "noise")
    strokes = (
        Stroke("one", RED, 9, ((10, 5), (10, 54))),
        Stroke("two", BLUE, 9, ((45, 5), (45, 54))),
    )
    frame = frame_of(replace(PARAMETERS, window=3), picture)
    found = agreed(frame, Scribbles(strokes), Cutting(2))
    assert 2 <= found.made.n_states < 8  # by pixels alone it would be 32


def test_it_does_not_depend_on_the_order_of_strokes() -> None:
    now, some = Cutting(2), Scribbles()
    for stroke in (WHITE, DARK, BRIGHT, MIDDLE):
        parameters = replace(PARAMETERS, n_states=now.n_states)
        frame = frame_of(parameters, hand_cut=now.hand_cut)
        some = agreed(frame, some.adding(stroke), now)
        now = some.made
    assert some.before == Cutting(2)
    other = agreed(frame_of(), Scribbles((BRIGHT, MIDDLE, WHITE, DARK)), Cutting(2))
    tree = frame_of().cut
    one, two = (
        TreeCut.of(tree.hierarchy, found.made.n_states, found.made.hand_cut)
        for found in (some, other)
    )
    np.testing.assert_array_equal(one.clusters, two.clusters)
    gone = agreed(frame_of(), replace(some, strokes=()), now)
    assert gone.made == Cutting(2)
    by_hand = agreed(frame_of(), replace(some, strokes=()), Cutting(7))
    assert by_hand.made == Cutting(7)


@pytest.mark.parametrize("tile", [1 << 18, 64])
def test_pixels_weigh_one_over_those_of_their_name_in_their_window(tile, monkeypatch) -> None:
    monkeypatch.setattr(agreeing, "_TILE", tile)  # the picture is 40 pixels wide
    strokes = Scribbles((DARK, MIDDLE, replace(DARK, points=((5, 8), (9, 8)))))
    frame = frame_of()
    labels = labels_of(frame, strokes, frame.cut.hierarchy)
    some = painted(strokes.strokes, PICTURE, 0)
    places = list(zip(*(axis.tolist() for axis in some.nodes), strict=True))
    values, leaves = frame.observed[0].values, frame.cut.hierarchy.finest
    wanted = np.zeros_like(labels)
    for place, label in zip(places, some.labels.tolist(), strict=True):
        inside = set(naive.window_nodes((40, 40), place, 1))
        same = [p for p, other in zip(places, some.labels, strict=True) if other == label]
        signature = naive.mean_at(values, place, 1)
        leaves = frame.cut.hierarchy.finest
        nearest = min(
            range(len(leaves)), key=lambda k: naive.squared_distance(leaves[k], signature)
        )
        wanted[nearest, label] += 1 / len(inside & set(same))
    np.testing.assert_allclose(labels, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("apart", [False, True])
def test_strokes_of_volumes_and_of_data_sets_count_where_they_are(apart: bool) -> None:
    volume = Picture(np.stack([ground(k) for k in range(3)]), "volume", dimensions=3)
    strokes = replace(DARK, slice=2), replace(MIDDLE, slice=0)
    after = cut_and_decoded(Scribbles(strokes), PARAMETERS, volume.sliced(apart))
    assert after.names[after.states[1, 8, 8]] == "dark"
    assert after.names[after.states[1, 8, 30]] == "middle"

    pictures = PictureSet((PICTURE, Picture(ground(5), "other")), 0)
    strokes = DARK, replace(MIDDLE, picture=1)
    after = cut_and_decoded(Scribbles(strokes), pictures=pictures)
    assert after.request.parameters.n_states == 3
    assert after.scribbled.n_pixels[1] == 0  # it was painted on the other picture
    assert sorted(after.names) == ["", "", "dark"]


def test_nothing_is_computed_without_strokes_and_once_with_them() -> None:
    pipeline, request = Pipeline(), Request(PICTURE, PARAMETERS, needs=ALL_NEEDS, complete=True)
    frame = pipeline.run(request)
    assert "stroked nodes" not in frame.timings
    assert "scribbled" not in frame.results
    some = replace(request, scribbles=Scribbles((DARK, MIDDLE)))
    assert set(pipeline.run(some).timings) == {"stroked nodes"}
    more = replace(some, parameters=replace(PARAMETERS, n_states=3))
    assert "stroked nodes" not in pipeline.run(more).timings


def test_names_by_hand_come_first_and_are_let_go_where_one_paints() -> None:
    frame = cut_and_decoded(Scribbles((DARK, MIDDLE)))
    state = frame.names.index("dark")
    looks = Looks(own=(Look(frame.slots[state], "night"),))
    request = replace(frame.request, looks=looks)
    again = Pipeline().run(request)
    assert "night" in again.names
    assert "dark" in again.scribbled.names
    assert without_hidden(looks, again, DARK) == Looks()
    assert without_hidden(looks, again, MIDDLE) == looks


# Kept


def test_sessions_and_text_keep_them_and_other_pictures_do_not() -> None:
    pair = Pair((1.5,), (2.5,))
    made = Cutting(3, HandCut((pair,)))
    some = Scribbles((DARK, replace(MIDDLE, name="sea & <b>")), True, Cutting(2), made)
    state = State(as_set(PICTURE), parameters=PARAMETERS, suited=PARAMETERS, scribbles=some)
    state = state.changed(hand_cut=made.hand_cut)
    assert state.scribbles == some
    arrays: dict[str, Any] = {}
    plain = to_content(Session.of(state), arrays)
    assert from_content(plain, arrays).state.scribbles == some
    before = opened(as_set(PICTURE), PARAMETERS).state
    assert from_text(text_of(state), before).scribbles == some
    bins = state.changed(parameters=replace(PARAMETERS, encoding=Encoding("quantiles", 3)))
    assert bins.scribbles == replace(some, made=Cutting(3))
    other = Picture(ground(3), "other")
    assert state.opened(as_set(other), PARAMETERS, PARAMETERS, 0).scribbles == Scribbles()
    both = as_set(PictureSet((PICTURE, other), 0))
    kept = replace(state, pictures=both)
    assert kept.changed(pictures=both.showing(1)).scribbles == some
