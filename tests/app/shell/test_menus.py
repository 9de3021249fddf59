"""Menus: none is long, and entries of submenus are found too."""

from collections import Counter

from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu

from latviz.app.program.context_menus import ContextMenus
from latviz.app.program.window import MainWindow
from latviz.app.shell.actions import plain
from latviz.app.shell.menus import LISTED
from latviz.app.widgets.shortcuts import MAIN
from tests.app.keys import doubled, mnemonic

MOST_LINES = 14
ROOM = 500
"""Pixels that a menu may be high in a window of 800."""


def test_menus_are_short_with_letters_of_their_own_and_hold_every_view(window: MainWindow) -> None:
    for name, menu in window.menus.menus.items():
        if name in LISTED:
            continue
        lines = [action for action in menu.actions() if not action.isSeparator()]
        assert len(lines) <= MOST_LINES, name
        assert menu.sizeHint().height() <= ROOM, name
    context_menus = (window.parts[ContextMenus]._made(name) for name in window.views)
    for menu in (*window.findChildren(QMenu), *context_menus):
        menu.aboutToShow.emit()  # some are filled then
        letters = [mnemonic(action.text()) for action in menu.actions() if mnemonic(action.text())]
        assert len(set(letters)) == len(letters), (menu.title(), letters)
    listed = {
        plain(action.text()): name
        for name in ("Views of the picture", "Views of the model")
        for action in window.menus.menus[name].actions()
    }
    assert listed.keys() == {spec.title for spec in window.specs.values()}
    assert listed["State map"] == "Views of the picture"
    assert listed["State adjacency A"] == "Views of the model"


def test_no_key_has_two_meanings_and_alt_opens_each_menu(window: MainWindow) -> None:
    assert doubled(window) == {}
    names = Counter(plain(action.text()) for action in window.menus.actions)
    assert {name: names[name] for name in MAIN} == dict.fromkeys(MAIN, 1)
    for key, title in zip("FEVMH", ("File", "Edit", "View", "Model", "Help"), strict=True):
        window.views["states"].keyboard.setFocus()
        QTest.keyClick(window, getattr(Qt.Key, f"Key_{key}"), Qt.KeyboardModifier.AltModifier)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert plain(menu.title()) == title
        menu.close()
