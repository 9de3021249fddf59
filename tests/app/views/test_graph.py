"""A as a graph: its drawing, its widths, the edge under the pointer."""

import math
from itertools import pairwise

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from latviz.app.document.inspector import Pointer
from latviz.app.look.theme import DARK, LIGHT, Theme
from latviz.app.views.adjacency.graph import THINNEST, circular_order, edges_of, strongest
from latviz.app.views.adjacency.view import AdjacencyView
from latviz.app.views.painted import PointedPart
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import PairSelection, StateSelection
from latviz.engine.settings.state import Display, State
from tests.app.frames import frame_of, is_color, leave, pixels, point_at, shown, tip_at, told_by

GRAPH = Display(graph=True)
SIZES = [(180, 120), (270, 190), (380, 300), (180, 600), (900, 130), (900, 700)]
NAMES = ["one state", "two states", "camera", "palette", "32 states", "flat", "pixel", "texture"]


def line_of(view: AdjacencyView, frame: Frame, pair: tuple[int, int]) -> np.ndarray:
    """Return the curve of an edge, (points, 2)."""
    pairs, lines = view.graph(frame).edges
    (k,) = np.flatnonzero((pairs == pair).all(axis=1))
    return lines[k]


def alone(view: AdjacencyView, frame: Frame, pair: tuple[int, int]) -> tuple[float, float]:
    """Return a place on an edge away from all others."""
    graph = view.graph(frame)
    for x, y in line_of(view, frame, pair)[3:-3].tolist():
        if graph.spot_at(QPointF(x, y)) == PointedPart(*pair):
            return x, y
    raise AssertionError(pair)


@pytest.mark.parametrize("name", ["camera", "palette", "32 states", "two states"])
def test_the_strongest_edges_are_drawn(name: str) -> None:
    A = frame_of(name).model.A
    n = len(A)
    off = sorted(A[i, j] for i in range(n) for j in range(n) if i != j and A[i, j] > 0)
    least = off[-3 * n] if len(off) > 3 * n else 0.0
    wanted = [(i, j) for i in range(n) for j in range(n) if i != j and 0 < A[i, j] >= least]
    assert sorted(map(tuple, strongest(A).tolist())) == wanted
    loops = [(i, i) for i in range(n) if A[i, i] > 0]
    assert sorted(map(tuple, edges_of(A, (), None).tolist())) == sorted(wanted + loops)


def test_all_edges_of_a_picked_state_are_drawn_and_a_picked_pair() -> None:
    A = frame_of("32 states").model.A
    drawn = set(map(tuple, edges_of(A, (5,), (0, 31)).tolist()))
    for k in range(32):
        assert ((5, k) in drawn) == (A[5, k] > 0)
        assert ((k, 5) in drawn) == (A[k, 5] > 0)
    assert (0, 31) in drawn
    assert A[0, 31] == 0


@pytest.mark.parametrize("log", [False, True])
def test_edges_are_as_wide_as_a_is_large(qtbot: QtBot, log: bool) -> None:
    frame = frame_of("palette")
    view = shown(
        qtbot, AdjacencyView, frame, (700, 700), display=Display(graph=True, log_scale=log)
    )
    graph, A = view.graph(frame), frame.model.A
    off = A[~np.eye(len(A), dtype=bool)]
    low = 10.0 ** math.floor(math.log10(off[off > 0].min()))
    for i, j in graph.edges[0].tolist():
        most = off.max() if i != j else A.diagonal().max()
        wanted = A[i, j] / most
        if log and i != j:
            wanted = math.log(A[i, j] / low) / math.log(most / low)
        if not log or i != j:
            assert graph.width(i, j) == pytest.approx(
                max(THINNEST, graph.widest * wanted), rel=1e-9
            )
    k = int(np.argmax(np.where(np.eye(len(A), dtype=bool), 0, A)))
    assert graph.width(*divmod(k, len(A))) == graph.widest


def test_an_edge_is_drawn_in_its_width_and_colour(qtbot: QtBot) -> None:
    frame = frame_of("two states")
    view = shown(qtbot, AdjacencyView, frame, (400, 400), display=GRAPH)
    graph, image, panel = view.graph(frame), pixels(view), np.array([255, 255, 255])
    assert graph.room.width() < graph.room.height()  # the states are above each other
    for pair in ((0, 1), (1, 0)):
        x, y = line_of(view, frame, pair)[8].round().astype(int)
        near = (image[y, x - 12 : x + 13].astype(int) != panel).any(axis=1)
        assert abs(near.sum() - graph.width(*pair)) <= 2
        color = np.array(view.colors()[pair[0]].getRgb()[:3])
        share = 0.35 + 0.6 * graph.strength(*pair)
        np.testing.assert_allclose(image[y, x], color * share + panel * (1 - share), rtol=0, atol=3)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_all_parts_are_inside_and_apart(qtbot: QtBot, name: str, size: tuple[int, int]) -> None:
    frame = frame_of(name)
    view = shown(qtbot, AdjacencyView, frame, size, display=GRAPH)
    pixels(view)
    graph, room = view.graph(frame), QRectF(view.rect())
    nodes = graph.nodes
    discs = [
        QRectF(x - r, y - r, 2 * r, 2 * r)
        for (x, y), r in zip(nodes.centres.tolist(), nodes.radii.tolist(), strict=True)
    ]
    button = view.findChild(QToolButton)
    assert all(room.contains(disc) for disc in discs)
    assert not any(disc.intersects(QRectF(button.geometry())) for disc in discs)
    for i, first in enumerate(nodes.centres):
        for j in range(i):
            apart = math.dist(first, nodes.centres[j])
            assert apart >= 0.95 * (nodes.radii[i] + nodes.radii[j]), (i, j)
    _, lines = graph.edges
    assert not len(lines) or (lines.min() >= 0 and (lines.max(axis=(0, 1)) <= size).all())


def test_strong_neighbours_are_near_each_other() -> None:
    """A ring of states in a mixed order is found; any relabelling gives the same ring."""
    ring = [0, 7, 3, 9, 1, 5, 8, 2, 6, 4]
    A = np.diag(np.full(10, 0.8))
    for i, j in pairwise([*ring, ring[0]]):
        A[i, j] = A[j, i] = 0.1
    order = circular_order(A).tolist()
    assert order in (ring, [0, *ring[:0:-1]])
    assert order[0] == 0
    assert order.index(1) <= 5
    for n in range(1, 6):
        assert sorted(circular_order(np.zeros((n, n)))) == list(range(n))


def test_pointing_at_an_edge_and_at_a_disc(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, AdjacencyView, frame, (500, 400), display=GRAPH)
    assert view.caption().startswith("Arrows")
    told = told_by(view.state_hovered)
    i, j = next((i, j) for i, j in strongest(frame.model.A).tolist() if i == 2)
    place = alone(view, frame, (i, j))
    point_at(view, *place)
    text = f"A[{i + 1}, {j + 1}] = {frame.model.A[i, j]:.3f} · A' = {frame.pairs[i, j]:,} pairs"
    assert view.caption() == text
    assert tip_at(view, *place) == text
    loop = alone(view, frame, (4, 4))
    point_at(view, *loop)
    assert view.caption().startswith("A[5, 5]")
    point_at(view, *view.graph(frame).nodes.centres[1].tolist())
    assert view.caption() == "State 2"
    leave(view)
    assert told == [2, 4, 1, None]


def test_clicks_pick_states_pairs_and_loops(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, AdjacencyView, frame, (500, 400), display=GRAPH)
    picked = told_by(view.picked)
    pairs = [tuple(pair) for pair in view.graph(frame).edges[0].tolist()]
    assert (1, 1) in pairs
    places = [alone(view, frame, pair) for pair in pairs]
    places += [tuple(centre) for centre in view.graph(frame).nodes.centres.tolist()]
    for x, y in places:
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPointF(x, y).toPoint())
    slots = frame.slots
    wanted = [PairSelection(slots[i], slots[j]) for i, j in pairs]
    assert picked == [*wanted, *(StateSelection(slot) for slot in slots)]


def test_what_is_set_off_stands_out(qtbot: QtBot) -> None:
    frame = frame_of("palette")
    view = shown(qtbot, AdjacencyView, frame, (600, 600), display=GRAPH)
    plain = pixels(view)
    view.show_state(State(display=Display(graph=True)))
    view.show_pointer(Pointer(state=3))
    image, nodes = pixels(view), view.graph(frame).nodes
    for state, color in enumerate(view.colors()):
        x, y = (nodes.centres[state] + 0.75 * nodes.radii[state] * np.array([0.7, 0.7])).round()
        same = (image[int(y), int(x)] == plain[int(y), int(x)]).all()
        assert same == (state == 3), color.name()
    i, j = strongest(frame.model.A)[0].tolist()
    chosen = PairSelection(frame.slots[i], frame.slots[j])
    view.show_state(State(selection=chosen, display=Display(graph=True)))
    x, y = line_of(view, frame, (i, j))[8]
    around = pixels(view)[round(y) - 9 : round(y) + 10, round(x) - 9 : round(x) + 10]
    assert is_color(around, LIGHT.accent).sum() > 10


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_discs_have_their_states_colours_and_empty_ones_none(qtbot: QtBot, theme: Theme) -> None:
    for name in ("camera", "flat"):
        frame = frame_of(name)
        view = shown(qtbot, AdjacencyView, frame, (380, 300), theme, GRAPH)
        image, nodes = pixels(view), view.graph(frame).nodes
        for state, color in enumerate(view.colors()):
            x, y = nodes.centres[state].round().astype(int)
            radius = int(nodes.radii[state])
            around = image[y - radius : y + radius, x - radius : x + radius]
            share = is_color(around, color.name()).mean()
            assert share > 0.4 if frame.occupancy[state] else share == 0
