"""Shortcuts: what each system takes for itself, and the names that it has for the rest."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtGui import QKeySequence

import latviz
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
    "manual": [*shortcuts.HELP.values(), shortcuts.ENTER, shortcuts.SHIFT_ENTER],
}
"""The shortcuts of each window."""


def as_tuple(keys: shortcuts.Keys) -> tuple[str, ...]:
    return (keys,) if isinstance(keys, str) else keys


@pytest.mark.parametrize("system", shortcuts.RESERVED)
@pytest.mark.parametrize("window", WINDOWS)
def test_no_system_reserves_a_shortcut_and_no_window_has_one_twice(window, system) -> None:
    check_keys(WINDOWS[window], system)


def check_keys(table: list[shortcuts.Keys], system: str) -> None:
    keys = [key for each in table for key in as_tuple(each)]
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
    page = (
        "`Ctrl+Shift+3`, `F11`, `Shift+click`, `Shift` and a click, `Shift+Enter`, `Del`; "
        "`latviz run`, `A+B`, `w`, F11 and\n```sh\nEnter\n```\n`Home`"
    )
    for system in ("linux", "win32"):
        assert shortcuts.in_prose(page, system) == page
    assert shortcuts.in_prose(page, "darwin") == (
        "`Meta+Shift+3`, `Meta+Ctrl+F`, `Shift+click`, `Shift` and a click, `Shift+Return`, "
        "`Backspace`; `latviz run`, `A+B`, `w`, F11 and\n```sh\nEnter\n```\n`Home`"
    )


def test_texts_name_menu_items_for_their_keys() -> None:
    text = "`Undo` undoes it, `Enter` pins, `Full screen`"
    assert shortcuts.keyed(text, "linux") == "Ctrl+Z undoes it, Enter pins, F11"
    assert shortcuts.keyed(text, "darwin") == "Ctrl+Z undoes it, Return pins, Meta+Ctrl+F"


def test_names_are_those_of_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, where Qt writes a sign for each modifier, and nothing between them."""

    class Signs(QKeySequence):
        def toString(self, style=QKeySequence.SequenceFormat.PortableText) -> str:
            text = super().toString(QKeySequence.SequenceFormat.PortableText)
            if style == QKeySequence.SequenceFormat.PortableText:
                return text
            for name, sign in {"Ctrl": "⌘", "Shift": "⇧", "Alt": "⌥", "Meta": "⌃"}.items():
                text = text.replace(f"{name}+", sign)
            return text

    monkeypatch.setattr(shortcuts, "QKeySequence", Signs)
    text = "`Ctrl+Z` undoes, `Shift+click` pins, `Alt` and a digit. (`Alt+Up`) `F11`"
    assert shortcuts.keyed(text, "darwin") == "⌘Z undoes, ⇧click pins, ⌥ and a digit. (⌥Up) ⌃⌘F"


def test_pages_name_shortcuts_that_there_are() -> None:
    table = [keys for each in WINDOWS.values() for keys in each]
    for entry in manual.contents():
        if not entry.name.startswith("wings/"):  # which have tables of their own
            check_page(entry.name, table)


def check_page(name: str, table: list[shortcuts.Keys]) -> None:
    page, there = manual.page(name), {key for each in table for key in as_tuple(each)}
    assert shortcuts.in_prose(page, "linux") == page, name
    named = {key for key in re.findall(r"`([^`\n]+)`", page) if SHORTCUT.fullmatch(key)}
    assert named - there == set(), name


SHORTCUT = re.compile(r"((Ctrl|Alt|Shift|Meta)\+)+\S+|F\d{1,2}")
KEY = re.compile(
    r"\b(Ctrl|Shift|Alt|Meta|Esc|Escape|Enter|Backspace|Del|PgUp|PgDown|Page Up|Page Down|F\d{1,2})"
    r"\b|\b(Delete|Home|End|Space|Tab|Return)\b(?=[),.;:]| (?!this)[a-z]+s\b| (and|or) [A-Z])"
    r"|\(([A-Z,.[\]]|Left|Right|Up|Down)\)|\b[Pp]ress [A-Z]\b"
)
"""Names of keys: words that are verbs, too, if they are not followed as these are."""
MARKED = re.compile(r"`[^`]*`")


def texts_of(tree: ast.AST, is_keyed: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a module without docstrings, and whether `keyed` is called with them."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Constant(value=str(text)):
                yield text, is_keyed
            case ast.Call(func=ast.Name("keyed") | ast.Attribute(attr="keyed")):
                yield from texts_of(node, is_keyed=True)
            case _:
                yield from texts_of(node, is_keyed)


def typed(module: str) -> list[str]:
    """Return the texts of a module that name keys by hand, or shortcuts not by their items."""
    found = []
    for text, is_keyed in texts_of(ast.parse(module)):
        marked = [word[1:-1] for word in MARKED.findall(text)] if is_keyed else []
        bare = MARKED.sub("", text) if is_keyed else text
        named = [word for word in marked if SHORTCUT.fullmatch(word) and "click" not in word]
        if KEY.search(bare) or {*named} - {*shortcuts.SHIFT_ENTER}:
            found.append(text)
    return found


def test_no_text_names_keys_by_hand() -> None:
    """Where there is a key in a table, its item is named; so a text follows when the key moves."""
    found = {}
    root = Path(latviz.__file__).parent
    for path in (*(root / "app").rglob("*.py"), *(root / "wings").rglob("*.py")):
        module = path.read_text(encoding="utf-8")
        if KEY.search(module) and path.name != "shortcuts.py":  # parsing takes longer
            found[str(path)] = typed(module)
    assert {module: texts for module, texts in found.items() if texts} == {}


@pytest.mark.parametrize("text", ["Delete the file", "Return to it", "End this", "Tabs"])
def test_other_words_are_not(text: str) -> None:
    assert not typed(f"tip = {text!r}")
