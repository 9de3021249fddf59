"""Telling states apart without colour: numbers in their regions, patterns over them."""

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from latviz.app.document.inspector import Pointer
from latviz.app.views.states.marks import (
    MOST,
    PATTERNS,
    ROOM,
    TILE,
    inked,
    inks_of,
    middles,
    patterns_of,
    places,
)
from latviz.app.views.states.view import StatesView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.requests import keep
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.state import Display, State
from tests.app.frames import computed, frame_of, noise, pixels

WHITE, DARK = (255, 255, 255), (16, 19, 23)


def view_of(qtbot, frame, size, compared=None, state=None, **display) -> StatesView:
    view = StatesView()
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    view.show_picture(frame.request.picture)
    kept = None if compared is None else keep(compared)
    view.show_state(State(compared=kept, display=Display(**display)))
    view.show_pointer(Pointer(state=state))
    view.show_frame(frame)
    return view


def blocky(seed: int, shape: tuple[int, int] = (23, 31)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 3, (-(-shape[0] // 4), -(-shape[1] // 4)))
    fine = coarse.repeat(4, axis=0).repeat(4, axis=1)[: shape[0], : shape[1]].astype(np.uint8)
    fine[rng.random(shape) < 0.02] = 3
    return fine


def regions_of(states: np.ndarray) -> list[set[tuple[int, int]]]:
    """Return the connected regions of one state, by flooding."""
    left, found = set(np.ndindex(states.shape)), []
    while left:
        first = left.pop()
        region, edge = {first}, [first]
        while edge:
            i, j = edge.pop()
            for node in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
                if node in left and states[node] == states[first]:
                    left.discard(node)
                    region.add(node)
                    edge.append(node)
        found.append(region)
    return found


def square(node: tuple[int, int], side: int) -> set[tuple[int, int]]:
    reach = range(-(side // 2), side // 2 + 1)
    return {(node[0] + i, node[1] + j) for i in reach for j in reach}


def most_room(region: set[tuple[int, int]], node: tuple[int, int]) -> int:
    return next(side - 2 for side in range(1, 99, 2) if not square(node, side) <= region)


@pytest.mark.parametrize("side", [1, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_every_region_with_room_has_one_number_at_its_widest_place(seed: int, side: int) -> None:
    states = blocky(seed)
    found = middles(states, side)
    by_place = {(row, column): state for row, column, state in found.tolist()}
    wide = [r for r in regions_of(states) if any(square(node, side) <= r for node in r)]
    assert len(found) == len(by_place) == len(wide)
    assert wide or side == 5
    for region in wide:
        ((row, column),) = by_place.keys() & region
        assert by_place[row, column] == states[row, column]
        room = most_room(region, (row, column))
        assert room == max(most_room(region, node) for node in region)


def test_numbers_are_drawn_and_taken_away(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = view_of(qtbot, frame, (700, 500))
    plain = pixels(view.canvas)
    view.show_state(State(display=Display(marks="numbers")))
    drawn = pixels(view.canvas)
    changed = (drawn != plain).any(axis=2)
    near = np.zeros(changed.shape, dtype=bool)
    for place in view.now.numbers.places:
        at = view.canvas.box.mapViewToScene(QPointF(place.x, place.y))
        around = (
            slice(round(at.y()) - 12, round(at.y()) + 13),
            slice(round(at.x()) - 14, round(at.x()) + 15),
        )
        near[around] = True
        for color in (WHITE, DARK):
            assert (drawn[around] == color).all(axis=2).any()
    assert changed.any()
    assert not (changed & ~near).any()
    view.show_state(State())
    np.testing.assert_array_equal(pixels(view.canvas), plain)


def test_there_are_never_many_numbers(qtbot: QtBot) -> None:
    frame = computed(noise(), Encoding("quantiles", 8), n_states=8, window=0)
    view = view_of(qtbot, frame, (1700, 1700), marks="numbers")
    assert view.canvas.scale_factor > ROOM
    assert len(view.now.numbers.places) == MOST


def test_beside_the_divider_both_have_their_own_numbers(qtbot: QtBot) -> None:
    kept, frame = frame_of("camera"), frame_of("32 states")
    view = view_of(qtbot, frame, (900, 900), marks="numbers", compared=kept, split=0.4)
    edge = 0.4 * frame.states.shape[1]
    for layer, drawn, sides in ((view.kept, kept, (0, edge)), (view.now, frame, (edge, 9999))):
        assert layer.numbers.places
        for place in layer.numbers.places:
            assert sides[0] < place.x < sides[1]
            assert drawn.states[int(place.y), int(place.x)] == place.state
    empty = QRectF(0, 0, 0, 512)
    assert places(kept, view.canvas, empty) == []


def test_patterns_are_told_apart_wherever_they_begin() -> None:
    assert len(PATTERNS) == 12
    shifted = [
        {np.roll(tile, (i, j), (0, 1)).tobytes() for i in range(TILE) for j in range(TILE)}
        for tile in PATTERNS
    ]
    for k, tile in enumerate(PATTERNS):
        assert [tile.tobytes() in others for others in shifted] == [k == j for j in range(12)]


def test_up_to_twelve_states_no_pattern_repeats() -> None:
    assert patterns_of((0, 1, 2, 5)) == [0, 1, 2, 5]
    assert patterns_of((0, 12, 24, 13)) == [0, 2, 3, 1]
    rng = np.random.default_rng(0)
    for _ in range(50):
        slots = tuple(sorted(rng.choice(32, 12, replace=False).tolist()))
        assert sorted(patterns_of(slots)) == list(range(12))
    assert set(patterns_of(tuple(range(32)))) == set(range(12))


def test_ink_against_plain_loops() -> None:
    states, inks = blocky(1), inks_of((0, 4, 9, 20), state_colors((0, 4, 9, 20)))
    for corner in ((0, 0), (5, -7), (-30, 100)):
        found = inked(states, inks, corner)
        for y, x in np.ndindex(states.shape):
            place = (y + corner[0]) % TILE, (x + corner[1]) % TILE
            assert found[y, x] == inks[states[y, x]][place]


@pytest.mark.parametrize("marks", ["numbers", "hatching"])
@pytest.mark.parametrize("name", ["flat", "pixel", "one state"])
def test_plain_pictures(qtbot: QtBot, marks: str, name: str) -> None:
    view = view_of(qtbot, frame_of(name), (300, 200), marks=marks)
    view.canvas.box.translateBy(x=10_000.0)  # out of view
    view.canvas.viewed.emit()
    pixels(view.canvas)
    assert not view.now.numbers.places


@pytest.mark.parametrize("size", [(0, 200), (200, 0), (0, 0)])
def test_views_without_room(qtbot: QtBot, size: tuple[int, int]) -> None:
    """The lines of a map without any width ended in a division by zero."""
    for kind in ("numbers", "hatching"):
        frame = frame_of("checkerboard")
        view = view_of(qtbot, frame, (300, 200), marks=kind, borders=True, leaves=True)
        view.canvas.box.resize(*map(float, size))
        view.canvas.viewed.emit()
        view.canvas.zoom(2.0)
        view.canvas.box.sigRangeChangedManually.emit([True, True])
        assert min(view.canvas.scale_factor, view.canvas.row_scale) > 0
