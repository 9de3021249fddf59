"""A selection made in one view is highlighted in all, with the right pixels."""

import numpy as np
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.viewer.layers import stretched
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import (
    PairSelection,
    RangeSelection,
    RegionSelection,
    StateSelection,
    SymbolSelection,
)
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import answered, settle
from tests.app.program.test_window import pixels_of, point_of

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


def lit_frame(qtbot: QtBot, window: MainWindow) -> Frame:
    """Wait for the frame of the selection."""
    return answered(qtbot, window, "selection")


def put_back(qtbot: QtBot, window: MainWindow) -> None:
    """Bring the parameters and the zoom to where they were; clear the selection."""
    window.document.reset()
    window.document.select(None)
    window.views["states"].canvas.show_all()
    lit_frame(qtbot, window)


def click(widget: QWidget, place: QPointF | QPoint) -> None:
    QTest.mouseClick(widget, LEFT, pos=QPointF(place).toPoint())


def said(window: MainWindow) -> str:
    return window.status.message.whole_text()


def test_what_is_picked_out_is_lit_everywhere(window, qtbot, show_only) -> None:
    show_only("controls", "image", "states", "space", "adjacency", "emissions")
    frame = settle(qtbot, window)
    check_lasso(window, qtbot)
    put_back(qtbot, window)
    check_dark(window, qtbot, frame)
    check_entries_and_bars(window, qtbot, frame)
    put_back(qtbot, window)
    show_only("controls", "image", "states")
    check_ranges_of_the_histogram_light_their_pixels(window, qtbot)
    put_back(qtbot, window)
    check_the_selection_follows_its_state_and_can_be_let_go(window, qtbot)


def check_lasso(window: MainWindow, qtbot: QtBot) -> None:
    plot = window.views["space"].plot
    rect = plot.box.sceneBoundingRect()
    centre = plot.mapFromScene(rect.center())
    corners = [
        centre + QPoint(round(dx * rect.width() / 5), round(dy * rect.height() / 4))
        for dx, dy in ((-1, -1), (1.2, -0.8), (0.3, 0.1), (0.8, 1), (-0.9, 0.7))
    ]
    QTest.mousePress(plot.viewport(), LEFT, SHIFT, corners[0])
    for corner in corners[1:]:
        QTest.mouseMove(plot.viewport(), corner)
    QTest.mouseRelease(plot.viewport(), LEFT, SHIFT, corners[-1])
    chosen = window.document.state.selection
    assert isinstance(chosen, RegionSelection)
    drawn = [plot.to_plane(QPointF(corner)) for corner in corners]
    np.testing.assert_allclose(chosen.corners, [(at.x(), at.y()) for at in drawn])
    found = lit_frame(qtbot, window)
    assert 0 < found.lit.n_pixels < found.n_nodes
    assert f"Highlighted: {found.lit.n_pixels:,} pixels" in said(window)
    window.document.select(None)
    lit_frame(qtbot, window)
    assert "Highlighted" not in said(window)


def check_dark(window: MainWindow, qtbot: QtBot, frame: Frame) -> None:
    """Check that pixels outside the selection are veiled, darkly or lightly."""
    before = {name: pixels_of(window.views[name].canvas) for name in ("image", "states")}
    window.document.select(StateSelection(frame.slots[0]))
    lit = lit_frame(qtbot, window).lit.mask
    rng = np.random.default_rng(0)
    for name, plain in before.items():
        drawn = pixels_of(window.views[name].canvas).astype(int)
        for row, column in rng.integers((5, 5), (190, 230), (300, 2)):
            around = lit[row - 2 : row + 3, column - 2 : column + 3]
            point = point_of(window, name, (row, column))
            here, old = drawn[point.y(), point.x()], plain[point.y(), point.x()].astype(int)
            if around.all() and name == "image":
                np.testing.assert_array_equal(here, old)
            elif not around.any():
                veils = np.array([[16, 19, 23], [244, 245, 247]])
                veiled = np.rint(old + (veils - old) * 215 / 255)
                if name == "image":
                    assert np.abs(here - veiled).max(axis=1).min() <= 2
                assert np.abs(here - veils).max(axis=1).min() <= 45  # the colour is faded, too


def check_entries_and_bars(window: MainWindow, qtbot: QtBot, frame: Frame) -> None:
    view = window.views["adjacency"]
    cells = view.map_layout(frame).cells
    n = len(frame.occupancy)
    for i, j in ((0, 1), (2, 2)):
        place = cells.topLeft() + QPointF(j + 0.5, i + 0.5) * (cells.width() / n)
        if i == j:
            click(view, place)
            assert window.document.state.selection == StateSelection(frame.slots[i])
        click(view, place)
        assert window.document.state.selection == PairSelection(frame.slots[i], frame.slots[j])
        found = lit_frame(qtbot, window)
        assert found.lit.n_pairs == frame.pairs[i, j]
        assert f"{frame.pairs[i, j]:,} pairs" in said(window)
    view = window.views["emissions"]
    plot = view.rows_layout(frame).plot_of(1)
    click(view, QPointF(plot.left() + plot.width() * 2.5 / 3, plot.center().y()))
    assert window.document.state.selection == SymbolSelection(frame.slots[1], 2)


def check_range(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    panel, document = window.docks["image"].header.layers.panel, window.document
    panel.controls["map"].radios[kind].click()
    qtbot.waitUntil(
        lambda: document.frame.node_map is not None and document.frame.node_map.kind == kind
    )
    histogram = window.views["image"].histogram
    panel.show()
    plot = histogram.plot()
    ends = [QPoint(round(plot.left() + plot.width() * s), 20) for s in (0.2, 0.5, 0.7)]
    QTest.mousePress(histogram, LEFT, pos=ends[0])
    QTest.mouseMove(histogram, ends[1])
    QTest.mouseMove(histogram, ends[2])
    QTest.mouseRelease(histogram, LEFT, pos=ends[2])
    chosen = document.state.selection
    assert isinstance(chosen, RangeSelection)
    found = lit_frame(qtbot, window)
    values = found.node_map.values
    low, high = (histogram.value_at(end.x()) for end in (ends[0], ends[2]))
    np.testing.assert_allclose((chosen.low, chosen.high), (low, high), rtol=1e-9, atol=0.0)
    np.testing.assert_array_equal(found.lit.mask, (values >= low) & (values <= high))
    QTest.mouseClick(histogram, LEFT, pos=ends[1])
    assert document.state.selection is None
    panel.hide()


def check_ranges_of_the_histogram_light_their_pixels(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    document.set_layers("image", map=True)
    qtbot.waitUntil(lambda: document.frame.node_map is not None)
    window.views["states"].canvas.zoom(3.0)
    view = window.views["image"]
    assert view.canvas.scale_factor > 2
    drawn, shown = pixels_of(view.canvas), document.frame.node_map
    table = stretched(window.parts[Preferences].theme.heat_table()[::-1], shown.counts)
    rows, columns = view.canvas.region
    for row in range(rows.start + 2, rows.stop - 2, 9):
        for column in range(columns.start + 2, columns.stop - 2, 9):
            point = point_of(window, "image", (row, column))
            wanted = table[shown.heat[row, column]]
            np.testing.assert_array_equal(drawn[point.y(), point.x()], wanted)

    check_range(window, qtbot, "doubt")
    window.document.select(None)

    # A range to the left end takes the impossible ones.
    window.document.set("M", encoding=Encoding("quantiles", 64))
    document.change("Map", map="likelihood")
    qtbot.waitUntil(
        lambda: document.frame.node_map is not None and document.frame.node_map.n_infinite > 0
    )
    settle(qtbot, window)
    histogram = window.views["image"].histogram
    plot = histogram.plot()
    QTest.mousePress(histogram, LEFT, pos=QPoint(round(plot.center().x()), 20))
    QTest.mouseMove(histogram, QPoint(1, 20))
    QTest.mouseRelease(histogram, LEFT, pos=QPoint(1, 20))
    found = lit_frame(qtbot, window)
    assert found.lit.mask[np.isinf(found.node_map.values)].all()


def check_the_selection_follows_its_state_and_can_be_let_go(window, qtbot) -> None:
    # The cut of the merge tree is N.
    document, view = window.document, window.views["tree"]
    window.tabs.stage.open_dock("tree")
    qtbot.waitUntil(lambda: document.frame.dendrogram is not None)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert document.parameters.n_states == 5
    settle(qtbot, window)
    assert view.n_shown == 5
    assert window.controls["n_states"].value == 5
    window.document.undo_stack.undo()
    settle(qtbot, window)
    assert view.n_shown == 4

    # A selection follows its state.
    frame = settle(qtbot, window)
    slot = frame.slots[1]
    window.document.select(StateSelection(slot))
    window.document.set("w", window=6)
    settle(qtbot, window)
    found = lit_frame(qtbot, window)
    np.testing.assert_array_equal(found.lit.mask, found.states == found.slots.index(slot))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.document.state.selection is None
    assert lit_frame(qtbot, window).lit is None
    window.document.select(StateSelection(slot))
    window.document.select(StateSelection(slot))
    assert window.document.state.selection is None
    window.document.select(SymbolSelection(slot, 1))
    window.document.set("M", encoding=Encoding("quantiles", 5))
    assert window.document.state.selection is None
    window.document.select(StateSelection(31))
    assert lit_frame(qtbot, window).lit.n_pixels == 0
    window.document.open(Picture(np.eye(30, dtype=np.uint8), "next"), Parameters())
    assert window.document.state.selection is None
    settle(qtbot, window)
