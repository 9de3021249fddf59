"""F1 opens the manual at the page of what is under the pointer, or of what has the keyboard."""

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QCursor
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.help import manual
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.program.context_menus import ContextHelp
from latviz.app.program.window import MainWindow
from latviz.app.views.registry import BUILT_IN
from latviz.core.parameter import rows
from latviz.engine.settings.parameters import Parameters
from tests.test_manual import HELP, anchors


def point(widget: QWidget) -> None:
    """Put the pointer over the upper left of a widget, which must be on the small screen."""
    at = widget.mapToGlobal(QPoint(20, min(20, widget.height() // 2)))
    QCursor.setPos(at)
    assert QCursor.pos() == at


def test_everything_has_a_page(window: MainWindow, qtbot: QtBot) -> None:
    place_of = window.parts[ContextHelp].place_of
    built_in = {spec.name for spec in BUILT_IN}
    for name, view in window.views.items():
        page, anchor = place_of(view.keyboard)
        assert page == f"views/{name}.md" if name in built_in else page.startswith("wings/")
        assert anchor == ""
    for row in rows(Parameters):
        page, anchor = place_of(window.controls[row.field])
        assert anchor in anchors(HELP / page)
    for name in ("controls", "lesson"):
        page, _ = place_of(window.docks[name].bar)
        assert page in {entry.name for entry in manual.contents()}
    assert place_of(window) is None

    point(window.views["states"])
    QTest.keyClick(window, Qt.Key.Key_F1)
    (dialog,) = window.findChildren(HelpDialog)
    assert dialog.browser.page == "views/states.md"
    dialog.close()
    point(window.docks["image"].bar)
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert dialog.browser.page == "views/image.md"
    dialog.close()

    # The keyboard is meant once it was used.
    window.controls["window"].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.browser.page == "parameters.md"
    assert dialog.browser.source().fragment() == "model"
    dialog.close()
