"""The layers of the viewers: switched in the list of each, drawn, undone, and computed if shown."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint, QRectF, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.document.document import GESTURE_MS
from latviz.app.look.theme import LIGHT
from latviz.app.program.window import MainWindow
from latviz.app.views.image.spec import ImageHeader
from latviz.app.views.picture import CHANGED
from latviz.app.views.states.spec import StatesHeader
from latviz.app.views.states.view import StatesView
from latviz.app.views.viewer.control import LayersButton, LayersPanel
from latviz.app.views.viewer.layers import LAYERS, rows_of, stretched
from latviz.app.views.viewer.view import CHANGES_MS
from latviz.core import digits
from latviz.core.data.encoding import Encoding
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Layers, ViewerName
from tests.app.conftest import begin_anew, settle
from tests.app.frames import timer_of
from tests.app.program.test_window import inner_nodes, pixels_of, point_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
ROWS, COLUMNS = slice(60, 90), slice(100, 130)
"""The visible part, enlarged so that each pixel covers several of the screen."""


def looked_at(window: MainWindow, viewer: str) -> list[tuple[int, int]]:
    """Magnify a part of the picture; return nodes in it that are inside a state."""
    view = window.views[viewer]
    view.canvas.show_part(QRectF(COLUMNS.start, ROWS.start, 30, 30))
    assert view.canvas.scale_factor > 4
    nodes = inner_nodes(window.document.frame.states)
    inside = [
        (row, column)
        for row, column in nodes.tolist()
        if ROWS.start < row < ROWS.stop - 1 and COLUMNS.start < column < COLUMNS.stop - 1
    ]
    assert len(inside) > 100
    return inside[::7]


def colors_at(window, viewer, nodes) -> list[tuple[int, ...]]:
    drawn = pixels_of(window.views[viewer].canvas)
    places = [point_of(window, viewer, node) for node in nodes]
    return [tuple(drawn[place.y(), place.x()].tolist()) for place in places]


def panel_of(window: MainWindow, viewer: ViewerName) -> LayersPanel:
    kind = {"image": ImageHeader, "states": StatesHeader}[viewer]
    (header,) = window.findChildren(kind)
    panel: LayersPanel = header.layers.panel
    return panel


def test_regions_of_a_photograph_are_one_click_away(window, qtbot, show_only) -> None:
    show_only("image")
    document, (header,) = window.document, window.findChildren(ImageHeader)
    assert header.regions.isHidden()
    document.change("Find regions by contrast", region_cut=RegionCut(measure="contrast"))
    assert not header.regions.isHidden()
    assert not header.regions.isChecked()
    header.regions.click()
    assert document.display.layers("image").regions == "borders"
    frame = settle(qtbot, window)
    assert frame.regions.measure == "contrast"
    assert header.regions.isChecked()
    header.regions.click()
    assert document.display.layers("image").regions == "hidden"


def test_layers_are_switched_undone_and_used(window, qtbot, show_only) -> None:
    show_only("image", "states")
    check_borders_and_states_are_drawn_over_the_image(window, qtbot)
    check_a_map_is_computed_only_for_who_shows_it(window, qtbot)
    check_what_changes_from_the_window_before_is_marked(window, qtbot)
    # A selection darkens no viewer whose spotlight is off.
    window.document.set_layers("image", lit=False)
    window.views["states"].canvas.clicked.emit((5, 5))
    qtbot.waitUntil(lambda: window.views["states"].lit.isVisible())
    assert not window.views["image"].lit.isVisible()
    check_the_list_opens_by_a_key_and_is_used_by_keys(window, qtbot)
    # Pixels of the screen are many in one of the picture; its middle shows its state.
    pixels = np.repeat(np.array([[0, 80, 160, 240]], np.uint8), 3, axis=0)
    tiny = Picture(np.repeat(pixels[..., None], 3, axis=2), "tiny")
    window.document.open(tiny, Parameters(Encoding("labels"), n_states=4, window=0))
    window.document.set_display(borders=True)
    frame = settle(qtbot, window)
    nodes = [(row, column) for row in range(3) for column in range(4)]
    wanted = [tuple(frame.colors[frame.states[node]].tolist()) for node in nodes]
    assert colors_at(window, "states", nodes) == wanted
    show_only("image", "states")
    begin_anew(qtbot, window)
    for viewer in get_args(ViewerName):
        assert_switched(window, viewer)


def assert_switched(window: MainWindow, viewer: ViewerName) -> None:
    """Click the box of each layer of a viewer, and take it back."""
    document = window.document
    others = [name for name in ("image", "states") if name != viewer]
    for name, part in panel_of(window, viewer).controls.items():
        if part.box.isHidden():
            assert name in ("truth", "difference", "neighbours")  # no truth, no A and no beliefs
            continue
        before = document.state
        part.box.click()
        now = document.state.display.layers(viewer)
        assert part.row.is_on(document.state, now) == part.box.isChecked()
        if part.slider is not None:
            assert part.slider.value() == round(100 * getattr(now, part.row.opacity))
        assert part.row.is_on(before, before.display.layers(viewer)) != part.box.isChecked()
        for other in others:
            if other != "states":  # its layers are in the display itself, next to these
                assert document.display.layers(other) == before.display.layers(other)
        timer_of(document, GESTURE_MS).timeout.emit()
        document.undo_stack.undo()
        assert document.state == before
        part.box.click()
        timer_of(document, GESTURE_MS).timeout.emit()


def check_borders_and_states_are_drawn_over_the_image(window: MainWindow, qtbot: QtBot) -> None:
    frame, photo = window.document.frame, window.document.picture.pixels
    inner, colors = looked_at(window, "image"), state_colors(frame.slots)
    window.document.set_layers("image", states=True, borders=True)
    settle(qtbot, window)
    wanted = [tuple(colors[frame.states[node]].tolist()) for node in inner]
    assert colors_at(window, "image", inner) == wanted
    part = frame.states[ROWS, COLUMNS]
    edges = np.add(np.argwhere(part[:, :-1] != part[:, 1:]), (ROWS.start, COLUMNS.start))
    at_edge = colors_at(window, "image", [tuple(edge) for edge in edges.tolist()])
    assert len(at_edge) > 10
    assert np.max(at_edge) < 40  # dark lines
    window.document.set_layers("image", states=False, borders=False)
    settle(qtbot, window)
    assert colors_at(window, "image", inner) == [(int(photo[node]),) * 3 for node in inner]


def assert_marked(window: MainWindow, changed: NDArray[np.bool_]) -> None:
    color = tuple(CHANGED[1, :3].tolist())
    part = np.add(np.argwhere(changed[ROWS, COLUMNS]), (ROWS.start, COLUMNS.start))
    assert len(part) > 5
    assert set(colors_at(window, "states", [tuple(node) for node in part.tolist()])) == {color}
    others = [node for node in looked_at(window, "states") if not changed[node]]
    assert color not in colors_at(window, "states", others)


def check_what_changes_from_the_window_before_is_marked(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    document.set("w_l", learning_window=3, window=3)
    before = settle(qtbot, window).states
    document.set("Change w", window=4)
    assert "changes" not in document.needed
    document.set_layers("states", changes=True)
    frame = settle(qtbot, window)
    window.views["states"].canvas.show_part(QRectF(COLUMNS.start, ROWS.start, 30, 30))
    assert_marked(window, frame.states != before)
    nearest = frame.states
    document.set("Decoder", decoder="belief")
    assert "changes" not in document.needed
    settle(qtbot, window)
    assert not window.views["states"].changes.isVisible()
    document.undo_stack.undo()
    passing = timer_of(window.views["states"], CHANGES_MS)
    passing.setInterval(10**7)  # `check_marks_fade` ends it
    marked = document.display.with_layers("states", neighbours=True)
    believed = replace(document.parameters, decoder="belief")
    document.change("Try belief", object(), parameters=believed, display=marked)
    frame = settle(qtbot, window)
    assert document.parameters.decoder == "belief"
    changed = frame.states != nearest
    assert 0.01 < changed.mean() < 0.5
    assert_marked(window, changed)
    legend = window.views["states"].legend
    assert f"Changed: {digits.share(int(changed.sum()), changed.size)}." in legend.in_words(frame)
    check_marks_fade(window, qtbot, changed, passing)
    document.undo_stack.undo()  # one step takes both back
    settle(qtbot, window)
    assert document.parameters.decoder == "nearest"
    assert not document.display.neighbours


def check_marks_fade(window, qtbot, changed, passing) -> None:
    """Changes by neighbours fade after a while; their mark in the legend shows or hides them."""
    view, color = window.views["states"], tuple(CHANGED[1, :3].tolist())
    places = [tuple(node) for node in np.argwhere(changed[ROWS, COLUMNS]).tolist()]
    nodes = [(row + ROWS.start, column + COLUMNS.start) for row, column in places]
    passing.timeout.emit()
    qtbot.waitUntil(lambda: not view.changes.isVisible())
    assert color not in colors_at(window, "states", nodes)
    window.document.point(state=1)
    window.document.point(state=None)  # another drawing of the same frame
    assert not view.changes.isVisible()
    figure = StatesView()
    qtbot.addWidget(figure)
    figure.show_as_figure(view, 1.0)
    assert not figure.changes.isVisible()
    figure.close()
    window.activateWindow()  # keys go to it again
    mark = QPoint(view.legend.width() - 30, view.legend.height() // 2)
    QTest.mouseClick(view.legend, Qt.MouseButton.LeftButton, pos=mark)
    assert_marked(window, changed)
    window.document.point(still=True)
    passing.timeout.emit()
    assert not view.changes.isVisible(), "without motion"
    window.document.point(still=False)


def check_a_map_is_computed_only_for_who_shows_it(window: MainWindow, qtbot: QtBot) -> None:
    document, states = window.document, window.views["states"]
    assert "node_map" not in document.needed
    document.set_layers("states", map=True)
    assert "node_map" in document.needed
    qtbot.waitUntil(lambda: states.now.heat.isVisible())
    shown = document.frame.node_map
    nodes = looked_at(window, "states")
    table = stretched(LIGHT.heat_table()[::-1], shown.counts)
    wanted = [tuple(table[shown.heat[node]].tolist()) for node in nodes]
    assert colors_at(window, "states", nodes) == wanted
    document.set_layers("states", map_opacity=0.0)
    assert not states.now.heat.isVisible()
    document.set_layers("states", map=False)
    assert "node_map" not in document.needed
    document.set_layers("image", map=True)
    assert "node_map" in document.needed
    document.set_layers("image", map=False)
    assert "node_map" not in document.needed


def check_the_list_opens_by_a_key_and_is_used_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    panel = panel_of(window, "states")
    qtbot.waitUntil(panel.isVisible)
    assert QApplication.activePopupWidget() is panel
    box = panel.controls["image"].box
    qtbot.waitUntil(box.hasFocus)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert not window.document.display.image
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert panel.controls["states"].box.hasFocus()
    for part in panel.controls.values():
        assert part.box.accessibleDescription() == part.row.tip != ""
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_every_field_of_layers_is_in_the_table() -> None:
    known = {row.name for row in LAYERS} | {row.opacity for row in LAYERS}
    assert set(Layers.__dataclass_fields__) <= known
    assert "difference" not in {row.name for row in rows_of("image")}


def test_a_list_of_layers_closes_where_nothing_can_be_set(window: MainWindow) -> None:
    """Else it would stay: keys do not reach what is disabled."""
    button = next(one for one in window.findChildren(LayersButton) if one.isVisible())
    button.open()
    assert button.panel.isVisible()
    window.setEnabled(False)
    assert not button.panel.isVisible()
    button.open()
    assert not button.panel.isVisible()
    window.setEnabled(True)
    button.open()
    assert button.panel.isVisible()
    button.panel.hide()
