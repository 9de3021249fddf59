"""Reads all that a window says: texts of widgets, painted ones, tips and descriptions."""

import re
from collections.abc import Iterator

import pytest
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QWidget

from latviz.app.program.window import MainWindow
from latviz.app.views.base import View
from tests.app.painted_texts import in_tables, labelled, painted
from tests.bench.soak.judging import Pane, Text

_KINDS = (
    *("whole_text", "text", "title", "currentText", "toPlainText", "toolTip", "statusTip"),
    *("accessibleName", "accessibleDescription"),
)


def texts_of(window: MainWindow) -> list[Text]:
    """Return all texts that can be seen or heard, each with the accessible name of its widget."""
    found = [
        Text(_name(widget), text)
        for widget in (window, *window.findChildren(QWidget))
        if widget.isVisible()
        for text in _own(widget)
    ]
    found += [Text("table", text) for text in in_tables(window) if text]
    return list(dict.fromkeys(found))


def _own(widget: QWidget) -> Iterator[str]:
    for kind in _KINDS:
        read = getattr(widget, kind, None)
        text = read() if callable(read) else None  # of some it is a label
        if isinstance(text, str) and text:
            yield plain(text)


def plain(text: str) -> str:
    """Return a text without markup, marks of letters and spaces that do not break."""
    return re.sub(r"<[a-z/][^>]*>", "", text).replace("&", "").replace("\N{NO-BREAK SPACE}", " ")


def _name(widget: QWidget) -> str:
    own = widget.accessibleName() or widget.objectName()
    parent = widget.parentWidget()
    return own if own or parent is None else _name(parent)


def panes_of(window: MainWindow) -> list[Pane]:
    """Return all visible views, with the texts that are painted in them."""
    return [_pane(view) for view in window.views.values() if view.isVisible()]


def _pane(view: View) -> Pane:
    image = view.grab().toImage()
    blank = QImage(image.size(), image.format())
    blank.fill(image.pixelColor(0, 0))
    texts = [plain(one.text) for one in (*painted(view, pytest.MonkeyPatch()), *labelled(view))]
    return Pane(view.TITLE, image == blank, texts)
