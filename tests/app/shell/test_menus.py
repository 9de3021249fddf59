"""Menus: none is long, and entries of submenus are found too."""

from collections import Counter

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QCheckBox, QComboBox, QMenu

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.shell.actions import plain
from latviz.app.shell.dialogs import MenuDialog
from latviz.app.shell.menus import LISTED
from latviz.app.widgets.shortcuts import MAIN
from tests.app.frames import menu_of
from tests.app.keys import doubled, mnemonic

MOST_LINES, MOST_LEAVES = 14, 60
ROOM = 500
"""Pixels that a menu may be high in a window of 800."""


def test_menus_and_preferences(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    check_the_bar_has_few_items_and_the_finder_all(window)
    check_menus_are_short_with_letters_of_their_own_and_hold_every_view(window)
    check_no_key_has_two_meanings_and_alt_opens_each_menu(window)
    check_all_preferences_are_set_in_one_form(window, monkeypatch)


def check_menus_are_short_with_letters_of_their_own_and_hold_every_view(window: MainWindow) -> None:
    for name, menu in window.menus.menus.items():
        if name in LISTED:
            continue
        lines = [action for action in menu.actions() if not action.isSeparator()]
        assert len(lines) <= MOST_LINES, name
        assert menu.sizeHint().height() <= ROOM, name
    context_menus = (menu_of(window, name) for name in window.views)
    opened = (menu for menu in window.findChildren(QMenu) if menu.title() not in LISTED)
    for menu in (*opened, *context_menus):
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


def leaves(menu: QMenu) -> int:
    """Return the number of items of a menu and of the menus in it."""
    items = [action for action in menu.actions() if not action.isSeparator()]
    return sum(1 if (inner := item.menu()) is None else leaves(inner) for item in items)


def check_the_bar_has_few_items_and_the_finder_all(window: MainWindow) -> None:
    bar = window.menuBar()
    menus = [menu for action in bar.actions() if (menu := action.menu()) is not None]
    assert sum(leaves(menu) for menu in menus) <= MOST_LEAVES
    assert {"2 Trade-off", "Zoom in", "Focus w", "Dark"} <= {
        plain(action.text()) for action in window.menus.actions
    }


def check_all_preferences_are_set_in_one_form(window, monkeypatch) -> None:
    forms: list[MenuDialog] = []
    monkeypatch.setattr(MenuDialog, "exec", lambda form: forms.append(form))
    window.menus["Preferences"].trigger()
    (form,) = forms
    fields = {
        f.accessibleName(): f
        for f in (*form.findChildren(QComboBox), *form.findChildren(QCheckBox))
    }
    assert fields.keys() == {
        *("Theme", "High contrast", "Threads", "Reduced motion", "Pointer spot"),
        *("Resolution of figures", "Format of figures"),
    }
    preferences, theme, motion = (
        window.parts[Preferences],
        fields["Theme"],
        fields["Reduced motion"],
    )
    assert isinstance(theme, QComboBox)
    assert isinstance(motion, QCheckBox)
    assert [theme.itemText(k) for k in range(theme.count())] == ["As the system", "Light", "Dark"]
    theme.activated.emit(2)
    assert preferences.theme_name == "dark"
    was = preferences.is_still
    assert motion.isChecked() == was
    motion.click()
    assert preferences.is_still is not was
    motion.click()
    assert preferences.is_still is was


def check_no_key_has_two_meanings_and_alt_opens_each_menu(window: MainWindow) -> None:
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
