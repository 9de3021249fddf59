"""The view of regions: its table, its sliders, its layer on the state map, and its exports."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.exporting.exporting import Exporter
from latviz.app.program.window import MainWindow
from latviz.app.views.regions.view import RegionsView
from latviz.app.views.states.regions_layer import outline_map, with_shadows
from latviz.core import Regions, digits
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.frames.region_table import MOST_LISTED
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import (
    ConnectedSelection,
    PairSelection,
    RangeSelection,
    RegionSelection,
    StateSelection,
    SymbolSelection,
)
from tests.app.conftest import begin_anew, drag, settle
from tests.app.program.test_window import pixels_of, point_of

pytestmark = pytest.mark.usefixtures("few_views")

LEFT = Qt.MouseButton.LeftButton


def shown(window: MainWindow, qtbot: QtBot) -> tuple[Frame, Regions]:
    document = window.document

    def is_there() -> bool:
        frame = settle(qtbot, window)
        return frame.request.region_cut == document.state.region_cut

    qtbot.waitUntil(is_there, timeout=60_000)
    frame = document.frame
    return frame, frame.regions


def cells(view: RegionsView) -> list[dict[str, str]]:
    model = view.rows
    return [
        {column.title: model.index(row, k).data() for k, column in enumerate(model.columns)}
        for row in range(model.rowCount())
    ]


def plain(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def click(view: RegionsView, row: int) -> None:
    place = view.table.visualRect(view.rows.index(row, 1)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, pos=place)


def test_regions_are_listed_drawn_and_exported(
    window, qtbot, tmp_path, show_only, monkeypatch
) -> None:
    show_only("image", "states")
    check_regions_are_listed_lit_and_merged(window, qtbot)
    show_only("image", "states")
    begin_anew(qtbot, window)
    check_the_state_map_shows_mean_colours_and_outlines(window, qtbot)
    show_only("image", "states")
    begin_anew(qtbot, window)
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(tmp_path / "a.csv"))
    window.parts[Exporter].export_regions()  # of a hidden view, too
    qtbot.waitUntil((tmp_path / "a.csv").exists)


def check_regions_are_listed_lit_and_merged(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.docks["regions"].isVisible()
    assert window.document.frame.regions is None  # until it is shown
    window.document.set("w", window=4)
    window.shell.show("regions")
    settle(qtbot, window)
    view = window.views["regions"]
    assert view.numbers.text() == f"{len(window.document.frame.regions):,} regions"
    assert view.numbers.text() in view.table.accessibleDescription()
    check_row_lights_its_region(window, view, qtbot)
    check_sliders_merge_and_can_be_undone(window, view, qtbot)
    # The selection remains when the cut changes.
    window.document.select(ConnectedSelection((100, 100)))
    window.document.change("Cut", region_cut=RegionCut(300, 0.0))
    frame, found = shown(window, qtbot)
    assert set(frame.timings) <= {"regions", "region colors", "listed regions", "lit connected"}
    np.testing.assert_array_equal(frame.lit.mask, found.labels == found.labels[100, 100])
    row = view.table.currentIndex().row()
    assert int(plain(cells(view)[row]["Region"])) - 1 == found.labels[100, 100]
    check_the_largest_of_many_are_listed(window, view, qtbot)
    check_contrasts(window, view, qtbot)


def check_row_lights_its_region(window: MainWindow, view: RegionsView, qtbot: QtBot) -> None:
    _, found = shown(window, qtbot)
    region = int(plain(cells(view)[1]["Region"])) - 1
    click(view, 1)
    qtbot.waitUntil(lambda: window.document.frame.lit is not None)
    lit = settle(qtbot, window).lit
    np.testing.assert_array_equal(lit.mask, found.labels == region)
    assert view.table.currentIndex().row() == 1
    row, column = np.argwhere(lit.mask)[0]
    share = f"{100 * lit.mask.mean():.1f}\N{NO-BREAK SPACE}%"
    what = f"Highlighted: {lit.mask.sum():,} pixels ({share}), "
    assert view.lit.whole_text() == f"{what}the region at row {row}, column {column}"
    view.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)  # it stays chosen
    assert view.table.currentIndex().row() == region
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert window.document.state.selection is None
    assert not view.table.selectedIndexes()
    check_any_highlight_is_listed_and_cleared(window, view, qtbot)


def check_any_highlight_is_listed_and_cleared(window, view, qtbot) -> None:
    document = window.document
    slots, names = document.frame.slots, document.frame.observations.names
    for selection, words in (
        (StateSelection(slots[1]), "%), state 2"),
        (SymbolSelection(slots[1], 1), f"%), symbol {names[1]} in state 2"),
        (SymbolSelection(slots[1], 99), "no symbol in state 2"),
        (StateSelection(31), "no state"),
        (PairSelection(slots[0], slots[2]), " of neighbours of state 1 and state 3"),
        (RangeSelection("likelihood", -2.5, -1), "likelihood from −2.5 to −1"),
        (RegionSelection(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))), "signatures in an area"),
    ):
        assert not view.clear.isEnabled()
        assert view.lit.whole_text().startswith("Nothing is highlighted")
        document.select(selection)
        qtbot.waitUntil(lambda wanted=selection: document.frame.request.selection == wanted)
        mask = settle(qtbot, window).lit.mask
        shown = view.lit.whole_text()
        assert shown.startswith(f"Highlighted: {mask.sum():,} pixels (")
        assert shown.endswith(words)
        assert shown in window.status.message.whole_text()
        view.clear.click()
        assert document.state.selection is None
        settle(qtbot, window)


def check_sliders_merge_and_can_be_undone(window, view, qtbot) -> None:
    _, found = shown(window, qtbot)
    drag(view.controls.limits["size"].slider, 200)
    _, large = shown(window, qtbot)
    size = window.document.state.region_cut.least_size
    assert size == view.controls.limits["size"].box.value()
    assert 100 < size < 400
    assert large.areas.min() >= size
    assert len(cells(view)) == len(large) < len(found)
    view.controls.limits["evidence"].box.setValue(500)
    _, few = shown(window, qtbot)
    assert len(few) < len(large)
    assert view.controls.limits["evidence"].slider.value() == 500
    for expected in (large, found):
        window.document.undo_stack.undo()
        _, back = shown(window, qtbot)
        np.testing.assert_array_equal(back.labels, expected.labels)
    assert view.controls.limits["size"].box.value() == 1


def check_the_largest_of_many_are_listed(window, view, qtbot) -> None:
    view.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    window.document.change("Cut", region_cut=RegionCut())
    window.document.set("N and w", window=0, n_states=12, encoding=Encoding("quantiles", 12))
    _, found = shown(window, qtbot)
    assert len(found) > MOST_LISTED
    assert view.rows.rowCount() == MOST_LISTED
    assert view.numbers.text() == f"{len(found):,} regions; the 1,000 largest are listed"


def check_contrasts(window: MainWindow, view: RegionsView, qtbot: QtBot) -> None:
    """They are computed when they are chosen, and only the slider that has an effect is there."""
    controls, document = view.controls, window.document
    document.set("N and w", window=4, n_states=4)
    document.change("Cut", region_cut=RegionCut())
    frame, _ = shown(window, qtbot)
    assert not {"relief", "basins"} & frame.timings.keys()
    by_states = controls.limits["evidence"], controls.limits["contrast"]
    assert [control.isVisibleTo(view) for control in by_states] == [True, False]
    controls.measure.setCurrentIndex(1)
    controls.measure.activated.emit(1)
    assert [control.isVisibleTo(view) for control in by_states] == [False, True]
    _, found = shown(window, qtbot)
    assert found.contrasts.min() >= controls.limits["contrast"].value
    some = cells(view)
    assert len(some) == len(found) > 2
    assert {"Contrast"} == {"Contrast", "Evidence"} & set(some[0])
    check_borders_are_explained(document.frame, view)
    controls.limits["contrast"].box.setValue(0.35)
    frame, few = shown(window, qtbot)
    assert few.contrasts.min() >= 0.35
    assert view.numbers.text() == f"{len(few):,} regions by contrast"
    assert "relief" not in frame.timings
    assert len(few) < len(found)
    check_outlines_come_with_the_view(window, qtbot)
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert shown(window, qtbot)[1].measure == "evidence"


def check_outlines_come_with_the_view(window: MainWindow, qtbot: QtBot) -> None:
    """In the picture, unless they are hidden there."""
    outlines, document = window.views["image"].now.regions.outlines, window.document
    qtbot.waitUntil(lambda: outlines.isVisible() and outlines.image.any())
    assert not window.views["states"].now.regions.outlines.isVisible()
    for choice, is_shown in (("hidden", False), ("borders", True), ("auto", True)):
        document.set_layers("image", regions=choice)
        settle(qtbot, window)
        assert outlines.isVisible() == is_shown
    window.docks["regions"].toggle.trigger()
    qtbot.waitUntil(lambda: not outlines.isVisible())
    window.docks["regions"].toggle.trigger()
    for _ in range(3):
        document.undo_stack.undo()


def check_borders_are_explained(frame: Frame, view: RegionsView) -> None:
    """Where the pointer is; the hint returns where there is no border."""
    hint = view.border.text()
    labels = frame.regions.labels
    row, column = np.argwhere(labels[:, 1:] != labels[:, :-1])[0].tolist()
    view.show_inspection(inspect(frame, (row, column)))
    one, other = labels[row, column] + 1, labels[row, column + 1] + 1
    text, found = view.border.text(), frame.regions
    strength = found.contrasts[(found.pairs + 1 == sorted((one, other))).all(axis=1)][0]
    assert text.startswith(f"Regions {one} and {other}: contrast {digits.bits(strength)}, here ")
    assert text.count("%") == 2
    view.show_inspection(None)
    assert view.border.text() == hint


def check_the_state_map_shows_mean_colours_and_outlines(window: MainWindow, qtbot: QtBot) -> None:
    window.document.set("w", window=4)
    window.document.set_display(regions="colours")
    qtbot.waitUntil(lambda: "painted_regions" in window.document.frame.results, timeout=60_000)
    frame = settle(qtbot, window)
    painted, states = frame.results["painted_regions"], window.views["states"]
    drawn = pixels_of(states.canvas.viewport())
    flat = np.ones(painted.shape[:2], bool)
    for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
        flat &= (np.roll(painted, step, axis) == painted).all(axis=2)
    nodes = np.argwhere(flat[1:-1, 1:-1])[::500] + 1
    assert len(nodes) > 20
    for node in map(tuple, nodes.tolist()):
        point = point_of(window, "states", node)
        np.testing.assert_array_equal(drawn[point.y(), point.x()], painted[node])
    window.document.set_display(regions="hidden")
    assert not states.now.regions.painted.isVisible()
    window.document.set_display(regions="borders")
    qtbot.waitUntil(lambda: "border_ranks" in window.document.frame.results, timeout=60_000)
    settle(qtbot, window)
    item = states.now.regions.outlines
    assert item.isVisible()
    assert item.image.any()
    before = np.count_nonzero(item.image)
    window.document.change("Cut", region_cut=RegionCut(400, 0.0))
    shown(window, qtbot)
    assert 0 < np.count_nonzero(item.image) < before
    window.document.change("Cut", region_cut=RegionCut(10**6, 0.0))
    shown(window, qtbot)
    assert not item.image.any()


def test_outlines_have_a_dark_side() -> None:
    strengths = np.array([[0, 200, 0, 0], [200, 1, 0, 255], [0, 0, 0, 0]], np.uint8)
    wanted = [[0, 100, 228, 0], [100, 1, 129, 127], [228, 129, 0, 255]]
    np.testing.assert_array_equal(with_shadows(strengths), wanted)


def test_outlines_are_strong_where_there_is_evidence() -> None:
    labels = np.array([[0, 0, 1], [0, 2, 1], [0, 2, 2]], np.int32)
    pairs, ranks = np.array([[0, 1], [0, 2], [1, 2]]), np.array([10, 200, 30], np.uint8)
    wanted = [[0, 200, 0], [200, 30, 30], [200, 0, 0]]
    np.testing.assert_array_equal(outline_map(labels, pairs, ranks), wanted)
    np.testing.assert_array_equal(outline_map(labels, pairs[1:], ranks[1:])[0], [0, 200, 0])
    assert not outline_map(labels, pairs[:0], ranks[:0]).any()
