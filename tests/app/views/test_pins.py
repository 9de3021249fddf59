"""Pixels that are pinned, and compared."""

from collections import Counter

import numpy as np
import pytest
from PyQt6.QtCore import QModelIndex, QPoint, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.pixel.pins import PinsTable
from latviz.app.widgets.tables import TableModel
from latviz.core import digits
from latviz.engine.frames.inspection import inspect
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import begin_anew, end_waits, settle
from tests.app.frames import flags, outlines, told_by
from tests.app.program.test_window import pixels_of, point_of

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
NODES = [(40, 60), (0, 0), (150, 200)]


def pin(window: MainWindow, name: str, node: tuple[int, int]) -> None:
    canvas = window.views[name].canvas
    QTest.mouseClick(canvas.viewport(), LEFT, SHIFT, point_of(window, name, node))


def table(window: MainWindow) -> PinsTable:
    return window.views["pixel"].table


def rows(window: MainWindow) -> list[list[str]]:
    shown = table(window).rows
    return [
        [shown.index(row, column).data() for column in range(shown.columnCount())]
        for row in range(shown.rowCount())
    ]


def test_pins_are_listed_marked_and_keep_their_windows(window: MainWindow, qtbot: QtBot) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_pins_are_compared_in_a_table(window, qtbot, patch)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_pins_are_marked_and_can_be_let_go(window, qtbot, patch)
    begin_anew(qtbot, window)
    check_pins_keep_their_windows_and_the_pointer_draws_none_in_them(window)


def check_pins_are_compared_in_a_table(window, qtbot, monkeypatch) -> None:
    assert not table(window).isVisible()
    for name, node in zip(("image", "states", "image"), NODES, strict=True):
        pin(window, name, node)
    assert table(window).isVisible()
    assert window.document.state.selection is None
    frame = settle(qtbot, window)
    assert [row[0] for row in rows(window)] == ["P1", "P2", "P3"]
    for (_, *row), node in zip(rows(window), NODES, strict=True):
        found = inspect(frame, node)
        assert (row[0], row[2]) == tuple(str(state + 1) for state, _ in found.nearest)
        assert row[1] == f"{found.nearest[0][1]:.3g}"
        assert row[4] == f"{node[0]}, {node[1]}"
        assert row[5] == str(frame.request.picture.pixels[node])
        assert row[6] == frame.observations.names[frame.observations.values[node]]
        shares = ", ".join(digits.probability(share) for share in found.signature)
        assert row[7] == shares
    # They follow the parameters, and the row that is chosen stays.
    view, before = table(window), rows(window)
    view.setCurrentIndex(view.rows.index(1, 0))
    view.setFocus()
    window.document.set("w", window=9)
    frame = settle(qtbot, window)
    assert rows(window) != before
    assert rows(window)[0][2] == f"{inspect(frame, NODES[0]).nearest[0][1]:.3g}"
    assert view.currentIndex().row() == 1
    check_all_say_what_a_pin_is_called(window, qtbot)
    assert not view.isVisible()
    assert "in the image" in window.views["pixel"].fields["Pixel"].text()
    pin(window, "image", NODES[0])
    assert view.isVisible()
    check_a_move_looks_at_no_more_rows_than_columns_are_fitted_to(window, qtbot, monkeypatch)


def check_all_say_what_a_pin_is_called(window: MainWindow, qtbot: QtBot) -> None:
    window.shell.show("pixel")
    frame = settle(qtbot, window)
    states = [frame.states[node] + 1 for node in NODES]
    said = (
        f"Pinned: P1, row 40, column 60, state {states[0]}; P2, row 0, column 0, state "
        f"{states[1]}; P3, row 150, column 200, state {states[2]}."
    )
    for name in ("image", "states"):
        view = window.views[name]
        marks = flags(view.canvas)
        assert [mark.name for mark in marks] == ["P1", "P2", "P3"]
        assert marks[0].toolTip() == "P1: row 40, column 60"
        assert view.keyboard.accessibleDescription().startswith(said)
    assert table(window).accessibleDescription().startswith(said)
    pixel = window.views["pixel"].fields["Pixel"]
    window.document.inspector.hover(None)
    assert pixel.text() == "row 150, column 200 · P3"
    assert "row 150, column 200 · P3" in window.views["pixel"].accessibleDescription()
    window.document.inspector.hover((1, 1))
    assert pixel.text() == "row 1, column 1"
    window.document.pin((1, 1))
    assert pixel.text() == "row 1, column 1 · P4"
    window.views["image"].keyboard.setFocus()
    window.document.inspector.hover((40, 60))
    assert window.views["image"].keyboard.accessibleDescription() == (
        f"Row 40, column 60, pinned as P1: state {states[0]}."
    )
    window.document.unpin_all()
    assert "Pinned" not in window.views["states"].keyboard.accessibleDescription()
    end_waits(window)
    window.document.inspector.hover(None)


def check_a_move_looks_at_no_more_rows_than_columns_are_fitted_to(
    window, qtbot, monkeypatch
) -> None:
    """Items each laid out the whole table: a move of w took 3 s with 100 pins, 40 s with 1,000."""
    window.tabs.stage.show_only(("image", "pixel"))
    window.document.change("Pin", pins=tuple((k // 240, k % 240) for k in range(200)))
    qtbot.waitUntil(lambda: len(rows(window)) == 200)
    assert [rows(window)[row][0] for row in (0, 199)] == ["P1", "P200"]
    asked: Counter[int] = Counter()
    data = TableModel.data

    def counted(model: TableModel[int], index: QModelIndex, role: int = 0) -> object:
        asked[index.row()] += 1
        return data(model, index, role)

    monkeypatch.setattr(TableModel, "data", counted)
    window.document.set("w", window=8)
    settle(qtbot, window)
    assert 0 < len(asked) < 150
    assert max(asked.values()) < 2000  # as often as it is painted, for any number of pins


def check_pins_are_marked_and_can_be_let_go(window, qtbot, monkeypatch) -> None:
    canvas = window.views["image"].canvas
    plain = pixels_of(canvas)
    pin(window, "image", NODES[0])
    pin(window, "image", NODES[2])
    pin(window, "states", NODES[0])
    assert [(row[0], row[5]) for row in rows(window)] == [("P1", "150, 200")]
    shown = table(window)
    place = shown.visualRect(shown.model().index(0, 0)).center()
    QTest.mouseClick(shown.viewport(), LEFT, pos=place)
    QTest.mouseDClick(shown.viewport(), LEFT, pos=place)
    assert not rows(window)
    qtbot.waitUntil(lambda: pixels_of(canvas).shape == plain.shape)
    pin(window, "image", NODES[1])
    QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | SHIFT)
    assert not rows(window)
    # Another picture has none.
    window.document.open(Picture(np.eye(30, dtype=np.uint8) * 99, "next"), Parameters())
    settle(qtbot, window)
    assert not rows(window)
    QTest.mouseClick(window.views["image"].canvas.viewport(), LEFT, SHIFT, QPoint(1, 1))
    assert not rows(window)


def check_pins_keep_their_windows_and_the_pointer_draws_none_in_them(window: MainWindow) -> None:
    view = window.views["image"]
    pin(window, "image", (40, 60))
    pin(window, "image", (90, 30))
    w = window.document.parameters.window
    canvas = view.canvas
    sides = [outline.rect().getRect() for outline in outlines(canvas)[2:]]
    wanted = [(column - w, row - w, 2 * w + 1, 2 * w + 1) for row, column in ((40, 60), (90, 30))]
    assert sides == wanted
    told = told_by(canvas.hovered)
    for node, is_drawn in (((41, 60), False), ((60, 100), True), ((90, 30 + w), False)):
        canvas.hovered.emit(node)
        assert outlines(canvas)[0].isVisible() == is_drawn
        QTest.keyClick(canvas, Qt.Key.Key_Right)  # which goes on from there
        assert told[-1] == (node[0], node[1] + 1)
    window.document.unpin_all()
    assert len(outlines(canvas)) == 2
