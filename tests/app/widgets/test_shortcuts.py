"""Shortcuts: what each system takes for itself, and the names that it has for the rest."""

import re
from collections import Counter
from pathlib import Path

import pytest
from PyQt6.QtGui import QKeySequence

import latviz.app
from latviz.app.docking.uses import USES
from latviz.app.help import manual
from latviz.app.widgets import shortcuts
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from tests.app.keys import written

FAMILIES = [
    *(shortcuts.tab_keys(k) for k in range(1, len(USES) + 1)),
    *(shortcuts.demo_keys(k) for k in range(1, len(DEMO_TITLES) + 1)),
    *(shortcuts.dock_keys(k) for k in range(1, 21)),
]
WINDOWS = {
    "main window": [*shortcuts.MAIN.values(), *FAMILIES],
    "laboratory": [*shortcuts.LABORATORY.values()],
    "playground": [*shortcuts.PLAYGROUND.values()],
    "classes": [*shortcuts.CLASSES.values()],
    "manual": [*shortcuts.MANUAL.values(), shortcuts.ENTER, shortcuts.SHIFT_ENTER],
}
"""The shortcuts of each window."""


@pytest.mark.parametrize("system", shortcuts.RESERVED)
@pytest.mark.parametrize("window", WINDOWS)
def test_no_system_reserves_a_shortcut_and_no_window_has_one_twice(
    window: str, system: str
) -> None:
    keys = [key for each in WINDOWS[window] for key in ([each] if isinstance(each, str) else each)]
    assert written(QKeySequence(key) for key in keys) == keys
    assert [key for key in keys if not shortcuts.sequences(key, system)] == []
    found = Counter(written(shortcuts.sequences(tuple(keys), system)))
    assert [key for key, count in found.items() if count > 1] == []


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
        *((f"Ctrl+Alt+{key}", ["win32"]) for key in "QE78"),  # @, €, { and [ in Germany
        *((f"Ctrl+Alt+{key}", ["win32"]) for key in "CNOSZ"),  # ć, ń, ó, ś, ż in Poland
    ],
)
def test_a_reserved_key_is_left_out_on_its_systems(key: str, systems: list[str]) -> None:
    """Views of other packages may bring any."""
    assert [each for each in shortcuts.RESERVED if not shortcuts.sequences(key, each)] == systems


def test_macos_has_control_where_command_is_its_own() -> None:
    keys = ("Ctrl+M", "Ctrl+Shift+3", "F11", "Ctrl+S")
    assert written(shortcuts.sequences(keys, "darwin")) == [
        *("Meta+M", "Meta+Shift+3", "Meta+Ctrl+F", "Ctrl+S")
    ]
    for system in ("linux", "win32"):
        assert written(shortcuts.sequences(keys, system)) == list(keys)


def test_tips_and_pages_have_the_names_of_the_system() -> None:
    assert shortcuts.with_keys("Save", "Ctrl+M", "darwin") == "Save (Meta+M)"
    page = "`Ctrl+Shift+3`, `F11`, Shift+click, Ctrl+click, `Ctrl+Up`; `A+B`, `F2` and Alt"
    assert shortcuts.in_prose(page, "win32") == page
    assert shortcuts.in_prose(page, "darwin") == (
        "`Meta+Shift+3`, `Meta+Ctrl+F`, Shift+click, Ctrl+click, `Ctrl+Up`; `A+B`, `F2` and Alt"
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
    text = shortcuts.in_prose("Ctrl+Z undoes, Shift+click pins. (`Alt+Up`) `F11`", "darwin")
    assert text == "⌘Z undoes, ⇧click pins. (`⌥Up`) `⌃⌘F`"


def test_pages_are_written_with_the_names_of_qt_for_linux() -> None:
    for entry in manual.contents():
        page = manual.page(entry.name)
        assert shortcuts.in_prose(page, "linux") == page, entry.name


def test_no_tip_has_a_shortcut_typed_by_hand() -> None:
    typed = re.compile(r"\((Ctrl|Alt|Shift|Meta)\+[^\s)]+\)")
    for path in Path(latviz.app.__file__).parent.rglob("*.py"):
        assert not typed.findall(path.read_text(encoding="utf-8")), path
