"""``python -m tests.app.cut 9 14`` prints which texts are cut, with fonts of 9 and 14 points.

The scale is that of the environment (QT_SCALE_FACTOR), which holds for a whole process.
"""

import json
import sys

from PyQt6.QtCore import qInstallMessageHandler
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QProgressBar,
    QTabBar,
    QWidget,
)

from latviz.app.help.help_dialog import HelpDialog
from latviz.app.help.reference import Reference
from latviz.app.program.main import application
from latviz.app.program.window import MainWindow
from latviz.app.views.space.bar import Statement
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.formula import FormulaLabel
from latviz.app.widgets.title_controls import TitleButton
from latviz.app.work.activity import Failure, Remedy
from tests.app.frames import show_all
from tests.screenshots import settle, shown

KINDS = (QLabel, QAbstractButton, QAbstractSpinBox, QComboBox, QProgressBar)
SHORTENED = (ElidedLabel, Statement)
"""These end in an ellipsis or are shorter, and their tool tips have all of the text."""
SHRINKING = (QComboBox, FormulaLabel, TitleButton)
"""A combo box is as wide as its longest item, or elides; a formula is drawn smaller (its words are
wrapped); buttons in titles show only their sign. None may be smaller than its least size."""


def is_cut(widget: QWidget) -> bool:
    """Return True if a widget has less room than its text takes."""
    if widget.hasHeightForWidth():
        return widget.height() < widget.heightForWidth(widget.width())
    kept = isinstance(widget, SHRINKING)
    need = widget.minimumSizeHint() if kept else widget.sizeHint()
    return widget.width() < need.width() or widget.height() < need.height()


def texts(window: QWidget) -> list[QWidget]:
    """Return the widgets that show text, which must not be cut."""
    found = [w for w in window.findChildren(QWidget) if isinstance(w, KINDS)]
    found = [w for w in found if not isinstance(w.parent(), QTabBar)]  # arrows of Qt, without text
    return [w for w in found if w.isVisible() and not isinstance(w, SHORTENED)]


def cut(points: float) -> list[str]:
    """Return the texts that are cut with a font of a size, in all docks and in the help."""
    font = QApplication.font()
    font.setPointSizeF(points)
    QApplication.setFont(font)
    with shown("blobs", "dark") as window:
        return cut_in(window)


def cut_in(window: MainWindow) -> list[str]:
    """Return the texts that are cut in a window, its docks and its help."""
    window.worker.run_errand = lambda _: None  # nothing waits for results that are computed at rest
    show_all(window)
    settle(window)
    window.document.inspector.hover((3, 3))
    window.banner.show_failure(Failure("This failed.", "details", Remedy("Open it reduced", print)))
    window.status.learning.learn.show()
    window.document.freeze(True)
    settle(window)
    window.parts[Reference].show_help()
    for _ in range(3):
        QApplication.processEvents()
    read = texts(window)
    assert any(w.window().__class__ is HelpDialog for w in read)
    assert len(read) > 50
    found = [w for w in read if is_cut(w)]
    named = [w.accessibleName() or getattr(w, "text", str)() or type(w).__name__ for w in found]
    sizes = [f"{w.width()} x {w.height()}" for w in found]
    return [f"{name} ({size})" for name, size in zip(named, sizes, strict=True)]


if __name__ == "__main__":
    qInstallMessageHandler(lambda *_: None)
    application()
    print(json.dumps({points: cut(float(points)) for points in sys.argv[1:]}))
