"""Pixels that are pinned, and compared."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QFont
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.pins import view as pins
from latviz.app.views.pins.view import COLUMNS, PinsView
from latviz.app.window import MainWindow
from latviz.engine.inspection import inspect
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from tests.app.conftest import settle
from tests.app.test_window import pixels_of, point_of

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
NODES = [(40, 60), (0, 0), (150, 200)]


def pin(window: MainWindow, name: str, node: tuple[int, int]) -> None:
    canvas = window.views[name].canvas  # type: ignore[attr-defined]
    QTest.mouseClick(canvas.viewport(), LEFT, SHIFT, point_of(window, name, node))


def table(window: MainWindow) -> PinsView:
    view = window.views["pins"]
    assert isinstance(view, PinsView)
    return view


def rows(window: MainWindow) -> list[list[str]]:
    shown = table(window).table
    return [
        [shown.item(row, column).text() for column in range(len(COLUMNS))]
        for row in range(shown.rowCount())
    ]


def test_many_pins_do_not_lay_out_the_table_for_each(window: MainWindow, qtbot: QtBot) -> None:
    """Each look at all rows for each row took 40 s for 1,000 pins."""
    window.shell.show("pins")
    settle(qtbot, window)
    model = table(window).table.model()
    assert model is not None
    told = []
    model.headerDataChanged.connect(lambda *_: told.append(1))
    window.document.change("Pin", pins=tuple((k // 240, k % 240) for k in range(300)))
    qtbot.waitUntil(lambda: len(rows(window)) == 300)
    assert len(told) < 3
    headers = [
        model.headerData(row, Qt.Orientation.Vertical, Qt.ItemDataRole.DisplayRole)
        for row in (0, 299)
    ]
    assert headers == [1, 300]


def test_pins_are_compared_in_a_table(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.docks["pins"].isVisible()
    for name, node in zip(("image", "states", "image"), NODES, strict=True):
        pin(window, name, node)
    assert window.docks["pins"].isVisible()
    assert window.document.state.selection is None
    frame = settle(qtbot, window)
    for row, node in zip(rows(window), NODES, strict=True):
        found = inspect(frame, node)
        assert row[0] == f"{node[0]}, {node[1]}"
        assert row[1] == str(frame.request.picture.pixels[node])
        assert row[2] == frame.observations.names[frame.observations.values[node]]
        assert (row[3], row[5]) == tuple(str(state + 1) for state, _ in found.nearest)
        assert row[4] == f"{found.nearest[0][1]:.4f}"
        shares = ", ".join(f"{share:.3f}" for share in found.signature)
        assert row[7] == shares


def test_pins_follow_the_parameters(window: MainWindow, qtbot: QtBot) -> None:
    pin(window, "states", NODES[0])
    before = rows(window)
    window.document.set("w", window=9)
    frame = settle(qtbot, window)
    assert rows(window) != before
    assert rows(window)[0][4] == f"{inspect(frame, NODES[0]).nearest[0][1]:.4f}"


def test_pins_are_marked_and_can_be_let_go(window: MainWindow, qtbot: QtBot) -> None:
    canvas = window.views["image"].canvas
    plain = pixels_of(canvas)
    pin(window, "image", NODES[0])
    pin(window, "image", NODES[2])
    point = point_of(window, "image", NODES[0])
    assert tuple(pixels_of(canvas)[point.y(), point.x() + 5]) == (16, 19, 23)
    pin(window, "states", NODES[0])
    assert [row[0] for row in rows(window)] == ["150, 200"]
    shown = table(window).table
    place = shown.visualItemRect(shown.item(0, 0)).center()
    QTest.mouseClick(shown.viewport(), LEFT, pos=place)
    QTest.mouseDClick(shown.viewport(), LEFT, pos=place)
    assert not rows(window)
    window.docks["pins"].close()
    qtbot.waitUntil(lambda: pixels_of(canvas).shape == plain.shape)
    pin(window, "image", NODES[1])
    QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | SHIFT)
    assert not rows(window)


def test_another_picture_has_no_pins(window: MainWindow, qtbot: QtBot) -> None:
    pin(window, "image", NODES[2])
    window.document.open(Picture(np.eye(30, dtype=np.uint8) * 99, "next"), Parameters())
    settle(qtbot, window)
    assert not rows(window)
    QTest.mouseClick(window.views["image"].canvas.viewport(), LEFT, SHIFT, QPoint(1, 1))
    assert not rows(window)


def test_an_empty_table_says_how_to_pin(window: MainWindow, qtbot: QtBot) -> None:
    window.docks["pins"].show()
    view = table(window)
    qtbot.waitUntil(view.isVisible)
    assert view.nothing.isVisible()
    assert "Shift" in view.nothing.text()
    pin(window, "image", NODES[0])
    assert not view.nothing.isVisible()
    window.document.unpin_all()
    assert view.nothing.isVisible()
    assert "in the image" in window.views["pixel"].fields["Pixel"].text()  # type: ignore[attr-defined]


def test_the_number_of_a_pin_is_as_large_as_other_text_and_over_outlines(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    for points in (9.0, 18.0):
        font = QFont()
        font.setPointSizeF(points)
        monkeypatch.setattr(pins.QApplication, "font", lambda font=font: QFont(font))
        window.document.unpin_all()
        pin(window, "image", NODES[0])
        (mark,) = window.views["image"]._pin_marks
        sizes.append(mark.boundingRect().width() - 4)
        assert mark.zValue() > window.views["image"].canvas._node_mark.zValue()
    assert 1.9 < sizes[1] / sizes[0] < 2.1
