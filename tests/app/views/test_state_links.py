"""A state selected in any view is isolated in all, by mouse and keys; so are pairs."""

from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.emissions.view import EmissionsView
from latviz.app.views.painted import PointedPart
from latviz.app.views.tree.view import TreeView
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import PairSelection, StateSelection
from tests.app.conftest import begin_anew, settle
from tests.app.program.test_window import pixels_of, point_of
from tests.app.views.test_selection import LEFT, click, lit_frame

Key = Qt.Key
STATE = 2
Place = Callable[[MainWindow, Frame], tuple[QWidget, QPointF]]


def on_canvas(name: str) -> Place:
    def place(window: MainWindow, frame: Frame) -> tuple[QWidget, QPointF]:
        at = np.argwhere(frame.states == STATE)[7].tolist()
        canvas = window.views[name].canvas
        return canvas.viewport(), QPointF(point_of(window, name, tuple(at)))

    return place


def on_disc(window: MainWindow, _frame: Frame) -> tuple[QWidget, QPointF]:
    plot = window.views["space"].plot
    (centre,) = (disc.centre for disc in plot.discs() if disc.state == STATE)
    return plot.viewport(), QPointF(plot.mapFromScene(plot.box.mapToScene(centre)))


def on_map(row: float, column: float) -> Place:
    def place(window: MainWindow, frame: Frame) -> tuple[QWidget, QPointF]:
        cells = window.views["adjacency"].map_layout(frame).cells
        step = cells.width() / len(frame.slots)
        x = column * step if column > 0 else -6
        y = row * step if row > 0 else -6
        return window.views["adjacency"], cells.topLeft() + QPointF(x, y)

    return place


def on_row(window: MainWindow, frame: Frame) -> tuple[QWidget, QPointF]:
    view = window.views["emissions"]
    assert isinstance(view, EmissionsView)
    row = view.rows_layout(frame).row(STATE)
    return view, QPointF(row.left() + 14, row.center().y())


def on_tree(window: MainWindow, frame: Frame) -> tuple[QWidget, QPointF]:
    view = window.views["tree"]
    assert isinstance(view, TreeView)
    band = view.tree_layout(view.tree).band
    for x in np.arange(band.left() + 1, band.right()):
        place = QPointF(x, band.center().y())
        if view.spot_at(frame, place) == PointedPart(STATE):
            return view, place
    raise AssertionError


def on_legend(window: MainWindow, frame: Frame) -> tuple[QWidget, QPointF]:
    legend = window.views["states"].legend
    return legend, legend.legend_layout(frame).place(STATE).center()


def on_node(window: MainWindow, frame: Frame) -> tuple[QWidget, QPointF]:
    window.document.set_display(graph=True)
    return window.views["adjacency"], QPointF(
        *window.views["adjacency"].graph(frame).nodes.centres[STATE].tolist()
    )


PLACES: dict[str, Place] = {
    "image": on_canvas("image"),
    "state map": on_canvas("states"),
    "simplex": on_disc,
    "rows of A": on_map(STATE + 0.5, -1),
    "columns of A": on_map(-1, STATE + 0.5),
    "diagonal of A": on_map(STATE + 0.5, STATE + 0.5),
    "graph": on_node,
    "B": on_row,
    "merge tree": on_tree,
    "legend": on_legend,
}


def prepared(window: MainWindow, qtbot: QtBot) -> Frame:
    """Show every view."""
    window.tabs.stage.open_dock("tree")
    window.document.set_layers("image", map=True)
    window.resize(1600, 1100)
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: window.document.frame.dendrogram is not None)
    qtbot.waitUntil(lambda: window.document.frame.node_map is not None)
    assert frame.occupancy[STATE] > 50
    return window.document.frame


def set_off(window: MainWindow) -> dict[str, QWidget]:
    """Return the widgets that show states: all but sums over pixels, and numbers of one pixel."""
    views = {name: view for name, view in window.views.items() if view.isVisible()}
    for name in ("indices", "likelihood", "pixel"):
        del views[name]
    return {**views, "legend": window.views["states"].legend}


def test_states_and_pairs_are_isolated_by_mouse_and_keys(window: MainWindow, qtbot: QtBot) -> None:
    check_heat_map_or_graph(window)
    begin_anew(qtbot, window)
    check_states_and_pairs_are_isolated_everywhere(window, qtbot)


def check_states_and_pairs_are_isolated_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    frame = prepared(window, qtbot)
    for name in PLACES:
        check_state(window, qtbot, frame, name)


def check_state(window: MainWindow, qtbot: QtBot, frame: Frame, name: str) -> None:
    """Click on a state in one place, and once more."""
    widget, place = PLACES[name](window, frame)
    settle(qtbot, window)
    before = {view: pixels_of(shown) for view, shown in set_off(window).items()}
    click(widget, place)
    leave(window)
    assert window.document.state.selection == StateSelection(frame.slots[STATE]), name
    found = lit_frame(qtbot, window)
    np.testing.assert_array_equal(found.lit.mask, frame.states == STATE, err_msg=name)
    for view, shown in set_off(window).items():
        assert shown.chosen == STATE, (name, view)
        assert (pixels_of(shown) != before[view]).any(), (name, view)
    click(widget, place)
    if name == "diagonal of A":
        slot = frame.slots[STATE]
        assert window.document.state.selection == PairSelection(slot, slot)
        click(widget, place)
    assert window.document.state.selection is None, name
    window.document.set_display(graph=False)
    leave(window)
    assert lit_frame(qtbot, window).lit is None


def leave(window: MainWindow) -> None:
    """Move the pointer away from all views."""
    QTest.mouseMove(window.menuBar())
    window.document.point(state=None)
    window.document.inspector.hover(None)


def check_heat_map_or_graph(window: MainWindow) -> None:
    window.parts[Preferences].show_graph(False)
    picker = window.docks["adjacency"].header
    heat_map = pixels_of(window.views["adjacency"])
    QTest.mouseClick(picker.buttons[1], LEFT)
    assert window.document.display.graph
    assert window.menus["A as a graph"].isChecked()
    assert window.settings.graph
    graph = pixels_of(window.views["adjacency"])
    assert (graph != heat_map).any()
    QTest.keyClick(window, Qt.Key.Key_L)
    assert (pixels_of(window.views["adjacency"]) != graph).any()
    QTest.keyClick(window, Qt.Key.Key_L)
    QTest.keyClick(window, Qt.Key.Key_G)
    assert not window.document.display.graph
    assert picker.buttons[0].isChecked()
    assert not window.settings.graph
    np.testing.assert_array_equal(pixels_of(window.views["adjacency"]), heat_map)
