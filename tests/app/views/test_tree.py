"""The merge tree, its cut and its curve, from real trees to pixels."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.document.inspector import Pointer
from latviz.app.look.theme import DARK, LIGHT, Theme
from latviz.app.views.tree.layout import TreeLayout, cost_ticks
from latviz.app.views.tree.view import TreeView
from latviz.core.data.cutting import ClusterHierarchy
from latviz.core.data.encoding import Encoding
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn
from latviz.core.model.learning import codebook_of
from latviz.core.windows.signature import window_signature
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.dendrogram import Dendrogram, dendrogram
from latviz.engine.settings.palette import state_colors
from tests.app.frames import (
    computed,
    flat,
    frame_of,
    is_color,
    leave,
    pixels,
    point_at,
    shown,
    told_by,
)
from tests.app.frames import tip_at as tool_tip_at
from tests.products import every_pair

SIZES = [(180, 120), (300, 200), (180, 600), (600, 400), (900, 130), (900, 600)]
SMALL = np.ascontiguousarray(data.camera()[100:160, 120:180])


def with_tree(frame: Frame, tree: Dendrogram | None, row_slots: tuple[int, ...] | None) -> Frame:
    """Return a frame with another merge tree."""
    return replace(frame, row_slots=row_slots or ()).with_results(dendrogram=tree)


@cache
def learned(n_symbols: int, n_states: int, blank: bool = False) -> tuple[Frame, MergeTree]:
    pixels = flat(20) if blank else SMALL
    encoding = Encoding("quantiles", n_symbols)
    frame = computed(pixels, encoding, n_states=n_states, window=3)
    signatures = window_signature(frame.observations.values, n_symbols=n_symbols, window=3)
    return frame, fast_pnn(signatures.reshape(-1, n_symbols))


@cache
def case(n_symbols: int, n_states: int, blank: bool = False) -> Frame:
    """Return a frame with its tree, the slots of whose rows are found by their codewords."""
    frame, tree = learned(n_symbols, n_states, blank)
    left, row_slots = list(range(n_states)), []
    for codeword in codebook_of(tree, n_states):
        away = [np.abs(frame.codebook[state] - codeword).max() for state in left]
        assert min(away) < 1e-6
        row_slots.append(frame.slots[left.pop(int(np.argmin(away)))])
    return with_tree(frame, dendrogram(ClusterHierarchy(tree)), tuple(row_slots))


FRAMES = {
    "one": lambda: case(3, 1),
    "two": lambda: case(2, 2),
    "six": lambda: case(3, 6),
    "many": lambda: case(8, 32),
    "flat": lambda: case(3, 3, blank=True),
    "grey": lambda: with_tree(case(3, 6), case(3, 6).dendrogram, None),
    "none": lambda: with_tree(frame_of("camera"), None, None),
}


def view_of(qtbot: QtBot, frame: Frame, size: tuple[int, int] = (600, 400), **how: Any) -> TreeView:
    return shown(qtbot, TreeView, frame, size, **how)


def asked_of(qtbot, frame, size=(600, 400)) -> tuple[TreeView, list[int]]:
    view = view_of(qtbot, frame, size)
    return view, told_by(view.n_states_wanted)


def layout_of(view: TreeView) -> tuple[Dendrogram, TreeLayout]:
    return view.tree, view.tree_layout(view.tree)


def cut_at(view: TreeView, n: int) -> QPoint:
    tree, layout = layout_of(view)
    return QPointF(layout.tree.left() + 5, layout.y(tree.cut(n))).toPoint()


def drag(view: TreeView, *ways: QPoint) -> None:
    """Drag from the first place to the last by way of the others."""
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=ways[0])
    for place in ways[1:]:
        point_at(view, place.x(), place.y())
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=ways[-1])


def span_middle(view: TreeView, row: int, n: int) -> float:
    tree, layout = layout_of(view)
    return layout.at(float(tree.spans(n)[row].mean()), 0.0).x()


# The cut


def test_a_drag_tells_each_n_once(qtbot: QtBot) -> None:
    view, found = asked_of(qtbot, case(3, 6), (600, 900))
    start = cut_at(view, 6)
    ways = [QPoint(start.x(), y) for y in range(start.y(), cut_at(view, 1).y(), -1)]
    drag(view, *ways, *ways[::-1], *ways)
    assert found == [5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_any_n_can_be_picked_along_the_curve(qtbot: QtBot) -> None:
    view, found = asked_of(qtbot, case(3, 6))
    _, layout = layout_of(view)
    y = layout.curve.center().y()
    places = [QPointF(layout.x_of(n), y).toPoint() for n in range(1, 33)]
    drag(view, *places)
    assert found == list(range(1, 33))


KEYS = Qt.Key


def test_keys_move_the_cut(qtbot: QtBot) -> None:
    for key, n in (
        *((KEYS.Key_Up, 5), (KEYS.Key_Left, 5), (KEYS.Key_Down, 7), (KEYS.Key_Right, 7)),
        *((KEYS.Key_PageUp, 2), (KEYS.Key_PageDown, 10), (KEYS.Key_Home, 1), (KEYS.Key_End, 32)),
    ):
        view, found = asked_of(qtbot, case(3, 6))
        QTest.keyClick(view, key)
        assert found == [n], key
        QTest.keyClick(view, key, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(view, KEYS.Key_A)
        assert found == [n], key


def test_what_was_asked_for_stays_until_its_frame_comes(qtbot: QtBot) -> None:
    view, found = asked_of(qtbot, case(3, 6))
    QTest.keyClick(view, KEYS.Key_Down)
    view.show_frame(case(3, 6))
    QTest.keyClick(view, KEYS.Key_Down)
    assert found == [7, 8]
    view.show_frame(case(3, 7))
    assert view.n_shown == 8
    view.show_frame(case(3, 8))
    assert view.n_shown == 8
    view.show_frame(case(3, 6))
    assert view.n_shown == 6
    QTest.keyClick(view, KEYS.Key_Up)
    view.show_frame(case(3, 2))
    assert view.n_shown == 2


# Branches and states


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_branches_at_the_cut_have_their_states_colours(qtbot: QtBot, theme: Theme) -> None:
    order = (4, 0, 2, 5, 1, 3)
    frame = with_tree(case(3, 6), case(3, 6).dendrogram, tuple(case(3, 6).slots[k] for k in order))
    view = view_of(qtbot, frame, (900, 600), theme=theme)
    image, (tree, layout) = pixels(view), layout_of(view)
    colors = state_colors(frame.slots)
    foot = round(layout.y(0.03))
    for row, state in enumerate(order):
        first, last = tree.spans(6)[row]
        for place in range(first, last + 1):
            x = round(layout.at(place, 0.0).x())
            assert (image[foot, x - 1 : x + 2] == colors[state]).all(axis=-1).any()
    above = image[: round(layout.y(tree.cut(6))) - 3]
    for color in colors:
        code = "#" + "".join(f"{part:02x}" for part in color)
        assert not is_color(above, code).any()


def test_hovering_below_the_cut_tells_the_state(qtbot: QtBot) -> None:
    frame = case(3, 6)
    view = view_of(qtbot, frame)
    told = told_by(view.state_hovered)
    _, layout = layout_of(view)
    states = view.states(frame)
    for row in range(6):
        point_at(view, span_middle(view, row, 6), layout.y(0.02))
    assert told == states
    point_at(view, span_middle(view, 0, 6), layout.band.center().y())
    assert told[-1] == states[0]
    point_at(view, span_middle(view, 0, 6), layout.y(0.99))
    assert told[-1] is None
    point_at(view, span_middle(view, 1, 6), layout.y(0.02))
    leave(view)
    assert told[-2:] == [states[1], None]


def test_rows_of_unknown_slots_are_grey_and_no_states(qtbot: QtBot) -> None:
    frame = FRAMES["grey"]()
    view = view_of(qtbot, frame)
    told = told_by(view.state_hovered)
    point_at(view, span_middle(view, 0, 6), layout_of(view)[1].y(0.02))
    assert told == []
    image = pixels(view)
    for color in state_colors(frame.slots):
        assert not is_color(image, "#" + "".join(f"{part:02x}" for part in color)).any()


def test_tool_tips_tell_what_merges_cost(qtbot: QtBot) -> None:
    view = view_of(qtbot, case(3, 6), (900, 600))
    tree, layout = layout_of(view)
    bar = tree.bars()[1]
    at = layout.at(float(bar[:2].mean()), float(tree.heights()[1]))
    first = tool_tip_at(view, at.x(), at.y())
    assert first.startswith("From 2 to 1 state adds ")
    assert first.endswith(" to the squared error")
    assert float(first.split()[6]) == pytest.approx(tree.costs[1], rel=5e-3)
    along = tool_tip_at(view, layout.x_of(6), layout.curve.center().y())
    assert along.startswith("From 7 to 6 states adds ")
    state = tool_tip_at(view, span_middle(view, 0, 6), layout.band.center().y())
    assert state.startswith(f"State {view.states(case(3, 6))[0] + 1}: ")
    assert tool_tip_at(view, layout.x_of(32), layout.curve.center().y()) == ""
    assert tool_tip_at(view, 2, 2) == ""


# Appearance


@pytest.mark.parametrize(("name", "size", "theme"), every_pair([*FRAMES], SIZES, [LIGHT, DARK]))
def test_everything_fits(qtbot: QtBot, name: str, size: tuple[int, int], theme: Theme) -> None:
    frame = FRAMES[name]()
    image = pixels(view_of(qtbot, frame, size, theme=theme, pointer=Pointer(state=0)))
    blank = is_color(image, theme.panel)
    edges = blank[:4], blank[-4:], blank[:, :4], blank[:, -4:]
    assert all(edge.all() for edge in edges)
    assert not blank.all()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("n", [1, 2, 32])
def test_the_line_is_drawn_at_the_cut(qtbot: QtBot, n: int, size: tuple[int, int]) -> None:
    view = view_of(qtbot, case(8 if n == 32 else 3, n), size)
    tree, layout = layout_of(view)
    accent = is_color(pixels(view), LIGHT.accent)[:, : int(layout.tree.right())]
    rows = np.flatnonzero(accent.sum(axis=1) > 0.4 * layout.tree.width())
    assert rows.size > 0
    assert np.abs(rows - layout.y(tree.cut(n))).max() <= 2


def test_it_says_what_it_shows(qtbot: QtBot) -> None:
    view = view_of(qtbot, case(3, 6))
    assert view.accessibleName() == "Merge tree"
    text = view.accessibleDescription()
    assert text.startswith("N = 6 of at most 32. From 6 to 5 states adds ")
    alone = view_of(qtbot, case(3, 3, blank=True)).accessibleDescription()
    assert alone == "N = 3 of at most 1. Arrow and page keys move the cut."
    untold = view_of(qtbot, frame_of("camera")).accessibleDescription()
    assert untold.startswith("No merge tree yet.")


def test_ticks_are_powers_of_ten_or_the_ends() -> None:
    tree = case(3, 6).dendrogram
    low, high = tree.cost_range
    for height, text in cost_ticks(tree):
        value = float(text)
        assert low <= value <= high
        assert np.log10(value) == pytest.approx(round(np.log10(value)), abs=1e-9)
        assert height == pytest.approx(float(tree.height_of(np.array([value]))[0]))
    near = dendrogram(ClusterHierarchy(fast_pnn([[0.0], [2.0], [5.0]])))
    assert [text for _, text in cost_ticks(near)] == ["2", "10.7"]
    assert cost_ticks(case(3, 3, blank=True).dendrogram) == []


def test_a_drag_beyond_the_ends_asks_for_the_ends(qtbot: QtBot) -> None:
    view, found = asked_of(qtbot, case(3, 6))
    drag(view, cut_at(view, 6), QPoint(50, -500))
    assert found[-1] == 1
    view.show_frame(case(3, 6))
    start = cut_at(view, view.n_shown)
    drag(view, start, QPoint(50, 5000))
    assert found[-1] == 32


def test_keys_stop_at_the_ends(qtbot: QtBot) -> None:
    for name, toward in (("one", KEYS.Key_Up), ("many", KEYS.Key_Down), ("none", KEYS.Key_Up)):
        view, found = asked_of(qtbot, FRAMES[name]())
        QTest.keyClick(view, toward)
        assert found == []
