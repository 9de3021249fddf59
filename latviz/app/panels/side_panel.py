"""What the windows beside the main window are made of: a panel of controls, and buttons."""

from typing import Any

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from latviz.app.docking.docks import scrolled
from latviz.app.panels.controls import NumberControl

WIDTH = 270
"""Of the panel, in pixels."""


def button(text: str, tip: str) -> QPushButton:
    """Return a button with a tip."""
    made = QPushButton(text)
    made.setToolTip(tip)
    return made


def choice_box(name: str, tip: str, items: dict[Any, str], *, narrow: bool = False) -> QComboBox:
    """Return a choice between values, each with its text; a narrow one cuts what is long."""
    box = QComboBox()
    for value, text in items.items():
        box.addItem(text, value)
    if narrow:
        box.setMinimumContentsLength(1)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    return box


def number_box(
    name: str, bounds: tuple[float, float], tip: str, decimals: int = 0
) -> NumberControl:
    """Return a control of a number with a tip."""
    control = NumberControl(bounds, decimals, name)
    control.set_tool_tip(tip)
    return control


def lay_out(window: QWidget, banner: QWidget, controls: QWidget, right: QLayout) -> None:
    """Fill a window: the banner above, the panel of controls at the left, all else beside it."""
    panel = scrolled(controls)
    panel.setFixedWidth(WIDTH)
    rows, beside = QVBoxLayout(window), QHBoxLayout()
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    rows.addWidget(banner)
    rows.addLayout(beside, 1)
    beside.setContentsMargins(0, 0, 8, 0)
    beside.setSpacing(8)
    beside.addWidget(panel)
    beside.addWidget(_roomy(right), 1)


def _roomy(layout: QLayout) -> QScrollArea:
    """Return a scroll area around a layout: on a small screen parts of it would overlap."""
    content, area = QWidget(), QScrollArea()
    content.setLayout(layout)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what takes the keyboard is inside
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    return area
