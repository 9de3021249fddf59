"""The texts that a window shows, painted or in widgets, and how large each is."""

from typing import Any, NamedTuple

import pytest
from PyQt6.QtGui import QFontInfo, QPainter
from PyQt6.QtWidgets import QAbstractButton, QLabel, QTableView, QWidget

from latviz.app.widgets import painting

MOST_ROWS = 20
"""Rows of a table that are read."""


class Shown(NamedTuple):
    """A visible text, and its size in points."""

    text: str
    points: float


def painted(widget: QWidget, patch: pytest.MonkeyPatch) -> list[Shown]:
    """Return the texts that a widget and all in it paint themselves."""
    found: list[Shown] = []
    draw = QPainter.drawText

    def note(painter: QPainter, *arguments: Any) -> Any:
        turned = painter.combinedTransform()
        scale = abs(turned.determinant()) ** 0.5
        text = next(one for one in arguments if isinstance(one, str))
        found.append(Shown(text, QFontInfo(painter.font()).pointSizeF() * scale))
        return draw(painter, *arguments)

    painting._swatch.cache_clear()  # texts kept as images are not painted again
    with patch.context() as patched:
        patched.setattr(QPainter, "drawText", note)
        widget.grab()
    return found


def labelled(widget: QWidget) -> list[Shown]:
    """Return the texts of labels and buttons that can be seen."""
    return [
        Shown(one.text(), QFontInfo(one.font()).pointSizeF())
        for kind in (QLabel, QAbstractButton)
        for one in widget.findChildren(kind)
        if one.isVisible() and one.text()
    ]


def described(widget: QWidget) -> list[str]:
    """Return the accessible descriptions of all visible widgets."""
    seen = (one for one in widget.findChildren(QWidget) if one.isVisible())
    return [said for one in seen if (said := one.accessibleDescription())]


def in_tables(widget: QWidget) -> list[str]:
    """Return the texts in the cells of all tables that can be seen."""
    models = (one.model() for one in widget.findChildren(QTableView) if one.isVisible())
    return [
        str(model.index(row, column).data() or "")
        for model in models
        if model is not None
        for row in range(min(MOST_ROWS, model.rowCount()))
        for column in range(model.columnCount())
    ]
