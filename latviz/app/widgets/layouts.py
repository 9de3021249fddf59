"""Rows and columns of widgets, each filled by one call."""

from typing import Any, TypeVar

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout
Filling = Part | int | tuple[Part, int] | tuple[Part, int, Qt.AlignmentFlag]
"""A part with its stretch and alignment, if it has any; a number is empty room that stretches."""
FLUSH = (0, 0, 0, 0)
L = TypeVar("L", bound=QBoxLayout)


def row(*parts: Filling, of: QWidget | None = None, **room: Any) -> QHBoxLayout:
    """Return parts side by side, in the widget ``of`` if there is one; see `filled`."""
    return filled(QHBoxLayout(of), *parts, **room)


def column(*parts: Filling, of: QWidget | None = None, **room: Any) -> QVBoxLayout:
    """Return parts one below the other, in the widget ``of`` if there is one; see `filled`."""
    return filled(QVBoxLayout(of), *parts, **room)


def filled(
    layout: L,
    *parts: Filling,
    margins: tuple[int, int, int, int] | None = FLUSH,
    spacing: int | None = None,
) -> L:
    """Add parts to a layout and return it; None leaves margins or spacing to Qt's style."""
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addStretch(part)
        else:
            what, *how = part if isinstance(part, tuple) else (part,)
            add: Any = layout.addLayout if isinstance(what, QLayout) else layout.addWidget
            add(what, *how)
    return layout
