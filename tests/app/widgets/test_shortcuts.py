"""Shortcuts: what each system takes for itself, and the names that it has for the rest."""

import pytest
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.widgets import shortcuts
from tests.app.keys import misused, written


@pytest.mark.parametrize(
    ("key", "systems"),
    [
        ("Ctrl+Alt+L", ["linux", "win32"]),
        ("Ctrl+Alt+W", ["win32"]),
        ("Ctrl+Shift+6", []),
        ("Ctrl+Space", ["win32", "darwin"]),
        ("Ctrl+H", ["darwin"]),
        ("F11", []),
        ("Ctrl+M", []),
    ],
)
def test_a_reserved_key_is_found_on_its_systems(key: str, systems: list[str], qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    QShortcut(QKeySequence(key), window)
    assert list(misused(window)) == systems


def test_macos_has_control_where_command_is_its_own() -> None:
    keys = ("Ctrl+M", "Ctrl+Shift+3", "F11", "Ctrl+S")
    assert written(shortcuts.sequences(keys, "darwin")) == [
        *("Meta+M", "Meta+Shift+3", "Meta+Ctrl+F", "Ctrl+S")
    ]
    for system in ("linux", "win32"):
        assert written(shortcuts.sequences(keys, system)) == list(keys)
