"""Shortcuts: what each system takes for itself, and the names that it has for the rest."""

import re
from pathlib import Path

import pytest
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import latviz.app
from latviz.app.help import manual
from latviz.app.widgets import shortcuts
from tests.app.keys import misused, written


@pytest.mark.parametrize(
    ("key", "systems"),
    [
        ("Ctrl+Alt+L", ["linux", "win32"]),
        ("Ctrl+Alt+W", ["win32"]),
        ("Ctrl+Shift+6", []),
        ("Ctrl+Space", ["linux", "win32", "darwin"]),
        ("Ctrl+F1", ["linux"]),
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


def test_tips_and_pages_have_the_names_of_the_system() -> None:
    assert shortcuts.with_keys("Save", "Ctrl+M", "darwin") == "Save (Meta+M)"
    page = "`Ctrl+Shift+3`, `F11`, Shift+click, Ctrl+click, `Ctrl+Up`; `A+B`, `F1` and Alt"
    assert shortcuts.in_prose(page, "win32") == page
    assert shortcuts.in_prose(page, "darwin") == (
        "`Meta+Shift+3`, `Meta+Ctrl+F`, Shift+click, Ctrl+click, `Ctrl+Up`; `A+B`, `F1` and Alt"
    )


def test_names_are_those_of_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, where Qt writes a sign for each modifier, and nothing between them."""

    class Signs(QKeySequence):
        def toString(
            self, style: QKeySequence.SequenceFormat = QKeySequence.SequenceFormat.PortableText
        ) -> str:
            assert style == QKeySequence.SequenceFormat.NativeText
            text = super().toString(QKeySequence.SequenceFormat.PortableText)
            for name, sign in {"Ctrl": "⌘", "Shift": "⇧", "Alt": "⌥", "Meta": "⌃"}.items():
                text = text.replace(f"{name}+", sign)
            return text

    monkeypatch.setattr(shortcuts, "QKeySequence", Signs)
    text = shortcuts.in_prose("Ctrl+Z undoes, Shift+click pins. (`Alt+Left`) `F11`", "darwin")
    assert text == "⌘Z undoes, ⇧click pins. (`⌥Left`) `⌃⌘F`"


def test_pages_are_written_with_the_names_of_qt_for_linux() -> None:
    for entry in manual.contents():
        page = manual.page(entry.name)
        assert shortcuts.in_prose(page, "linux") == page, entry.name


def test_no_tip_has_a_shortcut_typed_by_hand() -> None:
    typed = re.compile(r"\((Ctrl|Alt|Shift|Meta)\+[^\s)]+\)")
    for path in Path(latviz.app.__file__).parent.rglob("*.py"):
        assert not typed.findall(path.read_text(encoding="utf-8")), path
