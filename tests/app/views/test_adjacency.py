"""The heat map of A, from real frames to pixels."""

from itertools import product

import numpy as np
import pytest
from PyQt6.QtCore import QRectF
from PyQt6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.look.theme import DARK, LIGHT, Theme
from latviz.app.views.adjacency.spec import table_rows
from latviz.app.views.adjacency.view import AdjacencyView
from latviz.app.widgets.heat import ColorScale
from latviz.core import DiscreteModel, digits
from latviz.core.data.encoding import Encoding
from latviz.engine.settings.state import Display, State
from tests.app.frames import (
    computed,
    frame_of,
    is_color,
    leave,
    pixels,
    point_at,
    shown,
    tip_at,
)
from tests.app.painted_texts import painted

SIZES = [(180, 120), (270, 190), (380, 300), (180, 600), (900, 130), (900, 700)]
LEGEND = "Row: state of a pixel. Column: state of its neighbour."


def corner(view: AdjacencyView, row: int, column: int) -> tuple[int, int]:
    """Return a place inside a cell where no value is written."""
    cell = view.map_layout(view.frame).cell(row, column, len(view.frame.occupancy))
    return round(cell.left() + 3), round(cell.top() + 3)


def centre(view: AdjacencyView, row: int, column: int) -> tuple[float, float]:
    cell = view.map_layout(view.frame).cell(row, column, len(view.frame.occupancy))
    return cell.center().x(), cell.center().y()


@pytest.mark.parametrize(
    ("name", "theme"), [("camera", LIGHT), ("palette", DARK), ("one state", LIGHT)]
)
def test_cells_have_the_heat_of_their_values(qtbot: QtBot, name: str, theme: Theme) -> None:
    frame = frame_of(name)
    view = shown(qtbot, AdjacencyView, frame, (380, 300), theme)
    image, A = pixels(view), frame.model.A
    table = theme.heat_table()
    for row, column in product(range(len(A)), repeat=2):
        x, y = corner(view, row, column)
        expected = table[int(np.rint(255 * A[row, column]))]
        assert image[y, x].tolist() == expected.tolist(), (row, column)


def test_logarithmic_cells(qtbot: QtBot) -> None:
    frame = frame_of("palette")
    view = shown(qtbot, AdjacencyView, frame, (380, 300), DARK, Display(log_scale=True))
    image, A = pixels(view), frame.model.A
    low = 10.0 ** np.floor(np.log10(A[A > 0].min()))
    assert 0 < np.count_nonzero(A == 0) < A.size
    for row, column in np.argwhere(A > 0):
        x, y = corner(view, row, column)
        place = np.log(A[row, column] / low) / np.log(1 / low)
        assert image[y, x].tolist() == DARK.heat_table()[int(np.rint(255 * place))].tolist()


def test_zeros_are_hatched_on_the_logarithmic_scale_alone(qtbot: QtBot) -> None:
    frame = frame_of("palette")
    view = shown(qtbot, AdjacencyView, frame, (380, 300))
    layout = view.map_layout(frame)
    for log in (False, True):
        view.show_state(State(display=Display(log_scale=log)))
        image = pixels(view)
        for row, column in np.argwhere(frame.model.A >= 0):
            cell = layout.cell(row, column, 12).toRect().adjusted(2, 2, -2, -2)
            inside = image[cell.top() : cell.bottom(), cell.left() : cell.right()].reshape(-1, 3)
            hatched = log and frame.model.A[row, column] == 0
            assert (len(np.unique(inside, axis=0)) > 1) == hatched


def test_pointing_at_a_cell_tells_its_value_and_its_pairs(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, AdjacencyView, frame, (380, 300))
    assert view.caption() == LEGEND
    between = np.where(np.eye(len(frame.slots), dtype=bool), 0, frame.model.A)
    i, j = (int(k) for k in np.unravel_index(between.argmax(), between.shape))
    with qtbot.waitSignal(view.state_hovered) as blocker:
        point_at(view, *centre(view, i, j))
    assert blocker.args == [i]
    assert 0.001 < frame.model.A[i, j] < 1
    text = f"A[{i + 1}, {j + 1}] = {frame.model.A[i, j]:.3f} · A' = {frame.pairs[i, j]:,} pairs"
    assert view.caption() == text
    assert tip_at(view, *centre(view, i, j)) == text
    with qtbot.waitSignal(view.state_hovered) as blocker:
        leave(view)
    assert blocker.args == [None]
    assert view.caption() == LEGEND


@pytest.mark.parametrize(
    ("name", "struck", "row", "why"),
    [
        ("flat", {1, 2}, 1, "no pixel is in it"),
        ("pixel", {0, 1, 2}, None, "its pixels have no neighbours"),
    ],
)
def test_states_without_pairs_are_struck_out(qtbot, name, struck, row, why) -> None:
    frame = frame_of(name)
    view = shown(qtbot, AdjacencyView, frame, (380, 300))
    image, cells = pixels(view), view.map_layout(frame).cells
    muted, taken = is_color(image, LIGHT.muted), int(frame.states.flat[0])
    above = image[round(cells.top()) - 15 : round(cells.top()) - 4]
    for state, color in enumerate(view.colors()):
        line = muted[round(centre(view, state, 0)[1])]
        assert (line.sum() > 0.5 * cells.width()) == (state in struck)
        assert (is_color(above, color.name()).sum() > 100) == (state == taken)
    row = taken if row is None else row
    tip = tip_at(view, cells.left() - 8, centre(view, row, 0)[1])
    assert tip == f"State {row + 1}: no pairs, because {why}"


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", ["one state", "camera", "palette", "32 states", "flat", "pixel"])
def test_all_parts_are_inside_and_apart(qtbot: QtBot, name: str, size: tuple[int, int]) -> None:
    frame = frame_of(name)
    view = shown(qtbot, AdjacencyView, frame, size, display=Display(log_scale=True))
    pixels(view)
    layout, room = view.map_layout(frame), QRectF(view.rect())
    margin = layout.header + 3
    parts = [layout.cells.adjusted(-margin, -margin, 0, 0), layout.bar, layout.caption]
    assert layout.cells.width() == layout.cells.height()
    assert layout.cells.width() >= 0.4 * min(size)
    assert all(room.contains(part) for part in parts)
    assert not any(a.intersects(b) for a in parts for b in parts if a is not b)
    button = view.findChild(QToolButton)
    assert not any(part.intersects(QRectF(button.geometry())) for part in parts)


def test_ticks_hold_both_ends_and_keep_apart() -> None:
    for log, top, room in product((False, True), (0.25, 0.9921, 1.0), (0.02, 0.15, 0.5, 1.0)):
        scale = ColorScale.of(np.array([[top, 3e-6], [0.0, 0.01]]), log)
        places = [at for at, _ in scale.ticks(room)]
        assert places[0] == 0.0
        assert places[-1] == 1.0
        assert min(np.diff(places)) >= room
        assert room > 0.1 or len(places) >= 4


def test_the_coupling_of_belief_is_in_brackets_and_among_the_values(qtbot, monkeypatch) -> None:
    seen = np.ascontiguousarray(data.camera()[100:150, 150:220])
    frame = computed(seen, Encoding("quantiles", 5), n_states=3, window=2, decoder="belief")
    A = DiscreteModel.fit(
        frame.observations.values, n_states=len(frame.slots), window=2, n_symbols=5
    ).A
    order = np.argsort(frame.row_slots)
    wanted = A[np.ix_(order, order)]  # that of windows, which beliefs start from
    view = shown(qtbot, AdjacencyView, frame, (600, 500))
    lines = [each.text.split("\n") for each in painted(view, monkeypatch) if "\n" in each.text]
    assert [second for _, second in lines] == [f"({digits.probability(a)})" for a in wanted.flat]
    assert view.caption().endswith("(Coupling)")
    rows = table_rows(frame)
    np.testing.assert_allclose([row[1:] for row in rows[-len(A) :]], wanted, rtol=1e-9)
    assert f"coupling {digits.probability(wanted[0, 0])}" in tip_at(view, *centre(view, 0, 0))
