"""Rows and columns are filled as Qt's own calls fill them."""

import pytest
from PyQt6.QtCore import QMargins, Qt
from PyQt6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.widgets import layouts


def test_parts_stand_in_order_with_stretch_and_alignment(qtbot: QtBot) -> None:
    page, first, last = QWidget(), QLabel("first"), QLabel("last")
    qtbot.addWidget(page)
    inner = layouts.row(first)
    right = Qt.AlignmentFlag.AlignRight
    made = layouts.column((inner, 3), 2, (last, 1, right), of=page, margins=(1, 2, 3, 4), spacing=5)
    assert page.layout() is made
    assert isinstance(made, QVBoxLayout)
    items = [made.itemAt(k) for k in range(made.count())]
    assert [item and item.layout() for item in items] == [inner, None, None]
    assert [item and item.widget() for item in items] == [None, None, last]
    assert [made.stretch(k) for k in range(3)] == [3, 2, 1]
    assert items[2].alignment() == right
    assert (made.contentsMargins(), made.spacing()) == (QMargins(1, 2, 3, 4), 5)
    assert first.parentWidget() is page


@pytest.mark.parametrize("make", [layouts.row, layouts.column])
def test_margins_are_none_or_those_of_the_style(qtbot: QtBot, make: type) -> None:
    page, other, plain = QWidget(), QWidget(), QWidget()
    for each in (page, other, plain):
        qtbot.addWidget(each)
    flush, own = make(of=page), make(of=other, margins=None)
    assert flush.contentsMargins() == QMargins()
    assert own.contentsMargins() == QVBoxLayout(plain).contentsMargins() != QMargins()
    assert flush.spacing() == own.spacing()
