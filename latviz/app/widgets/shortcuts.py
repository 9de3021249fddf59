"""The table of all shortcuts, what each system reserves, and its names for keys.

A new shortcut is one line in the table of its window. Keys are written as in Qt's portable text,
where Ctrl is Command on macOS, and Meta is Control there.
"""

import re
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QWidget

Keys = str | tuple[str, ...]
"""One shortcut or several; texts name the first."""

MAIN: Mapping[str, Keys] = MappingProxyType(
    {
        # File
        "Start page": "Alt+Home",
        "Open": "Ctrl+O",
        "Open a folder": "Ctrl+Shift+O",
        "Reopen what was closed last": "Ctrl+Shift+T",
        "Paste image": "Ctrl+V",
        "Save session": "Ctrl+S",
        "Save session as": "Ctrl+Shift+S",
        "Quit": "Ctrl+Q",
        # Edit
        "Undo": ("Ctrl+Z", "Alt+Backspace", "Undo"),
        "Redo": ("Ctrl+Shift+Z", "Ctrl+Y", "Alt+Shift+Backspace", "Redo"),
        "Reset parameters": "Ctrl+R",
        "Unpin all pixels": "Ctrl+Shift+P",
        "Dismiss message or highlight": "Esc",
        "Actions here": ("Shift+F10", "Menu"),
        "Copy the picture": "Ctrl+C",
        "Copy as Python": "Ctrl+Shift+C",
        "Copy settings as text": "Ctrl+Shift+L",
        "Apply settings from text": "Ctrl+Shift+V",
        "Preferences": "Ctrl+,",
        # Zoom and slices
        "Zoom in": ("Ctrl++", "Ctrl+="),
        "Zoom out": "Ctrl+-",
        "Whole image": "Ctrl+0",
        "Previous slice": "PgUp",
        "Next slice": "PgDown",
        "Next image": "Ctrl+PgDown",
        "Previous image": "Ctrl+PgUp",
        # Drawing
        "Layers of the state map": "Shift+L",
        "Layer: Map": "V",
        "Layer: Borders": "B",
        "Layer: Quadtree leaves": "Q",
        "Layer: Mean colours": "Shift+M",
        "More state-map opacity": "]",
        "Less state-map opacity": "[",
        "Next truth": "T",
        "Paths of the codewords as w_l grows": "P",
        "Logarithmic A": "L",
        "A as a graph": "G",
        # Compare
        "Keep as reference": "F",
        "Next way to compare": "Shift+F",
        "Switch between reference and current": "X",
        "Divider to the left": ",",
        "Divider to the right": ".",
        "Swap reference and current": "Shift+X",
        # View
        "Restore the layout": "Ctrl+Shift+R",
        "Pictures only": "H",
        "Pointer spot": "O",
        "Full screen": "F11",
        # Model
        "More states": "Ctrl+Up",
        "Fewer states": "Ctrl+Down",
        "Larger window": "Ctrl+Right",
        "Smaller window": "Ctrl+Left",
        "Choose w": "Ctrl+Shift+W",
        "Choose N": "Ctrl+Shift+N",
        "Choose both": "Shift+B",
        "Focus encoding": "E",
        "Focus symbols M": "M",
        "Focus N": "N",
        "Focus w": "W",
        "Focus alpha": "A",
        "Save model": "Ctrl+M",
        "Apply a model": "Ctrl+Shift+M",
        "Tick or untick this image": "Ctrl+T",
        "Name the state": "F2",
        "Colour the state": "Shift+F2",
        "Merge it with its neighbour in the tree": "Ctrl+Shift+Down",
        "Split it in two": "Ctrl+Shift+Up",
        "Scribble names": "Shift+S",
        # Help
        "Help": "F1",
        "Explain a pixel": "Shift+F1",
        "Step through the model": "F7",
        "Find an action": "Ctrl+K",
        # Export
        "Export state map": "Ctrl+E",
        "Export arrays": "Ctrl+Shift+E",
        "Export summary": "Shift+E",
        "Export a report": "Shift+R",
        "All views on screen": "Ctrl+Shift+A",
        "Whole window": "Ctrl+Shift+G",
    }
)
"""Those of the main window, by the names of the menu items, in the order of the menus."""

HELP: Mapping[str, Keys] = MappingProxyType(
    {
        "Search": "Ctrl+F",
        "Back": "Alt+Left",
        "Forward": "Alt+Right",
    }
)
ENTER, SHIFT_ENTER = ("Return", "Enter"), ("Shift+Return", "Shift+Enter")
"""Keys inside lists and fields."""
DELETE = ("Del", "Backspace")
"""What deletes a row: laptops by Apple send Backspace for their only such key."""

RESERVED = {
    "linux": (  # by GNOME, KDE and their input methods IBus and fcitx
        r"(Ctrl\+)?Alt\+(Shift\+)?(Tab|`|Esc|Space|F\d+)|Ctrl\+(F\d+|Esc|Space|;)"
        r"|Ctrl\+Alt\+(A|D|H|I|K|L|P|R|T|V|X|Del|Backspace|Left|Right|Up|Down)"
        r"|Ctrl\+Shift\+U|Meta\+.+|(.+\+)?Print"
    ),
    "win32": (  # Ctrl+Alt is AltGr, which types letters of Polish and German
        r"Ctrl\+Alt\+.+|Alt\+(Tab|Esc|Space|F4)|Ctrl\+Space|Ctrl\+(Shift\+)?Esc|Meta\+.+|Print|F10"
    ),
    "darwin": (  # Ctrl is Command, and Meta is Control
        r"Ctrl\+Shift\+[3-6Q]|(Meta\+)?Ctrl\+(Alt\+)?Space|Meta\+Space|Ctrl\+(Alt\+)?[HM]"
        r"|Ctrl\+Alt\+(D|Esc)|Ctrl\+(Tab|`)|Meta\+Ctrl\+Q|Meta\+(Up|Down|Left|Right|F\d+)|F1[12]"
    ),
}
"""Shortcuts that each system keeps for itself, or that its users know by another meaning.

Windows may also keep Ctrl+Shift with a digit, if its user gave one to a keyboard layout.
"""
_ON_MACOS = {
    **{f"Ctrl+Shift+{k}": f"Meta+Shift+{k}" for k in range(1, 10)},  # 3 to 6 take screenshots
    "Ctrl+M": "Meta+M",  # minimises the window
    "F1": "Ctrl+?",  # brightness
    "F11": "Meta+Ctrl+F",  # shows the desktop
    "Alt+Left": "Ctrl+[",  # moves by words
    "Alt+Right": "Ctrl+]",
}
"""Shortcuts that are others on macOS."""
_LABELS_ON_MACOS = {"Enter": "Return", "Del": "Backspace"}
"""Keys that Apple's laptops have in place of others."""
_MARKED = re.compile(r"`([^`\s]+(?: [^`\s]+)*)`")
_LABELS = re.compile(rf"\b({'|'.join(_LABELS_ON_MACOS)})$")
_HELD = re.compile(r"((?:Ctrl|Alt|Shift)(?:\+(?:Ctrl|Alt|Shift))*)(?:\+(\S+))?")
"""Modifiers, and clicks with them."""


def tab_keys(number: int) -> str:
    """Return the keys that lead to a tab of the main window, counted from 1."""
    return f"Ctrl+{number}"


def demo_keys(number: int) -> str:
    """Return the keys that open a demo, counted from 1 to 10."""
    return f"Ctrl+Shift+{number % 10}"


def dock_keys(index: int) -> Keys:
    """Return the keys that show or hide a dock, counted from 1; none beyond the twentieth."""
    if index > 20:
        return ()
    return f"Alt+{index % 10}" if index <= 10 else f"Alt+Shift+{index % 10}"


def sequences(keys: Keys, system: str = sys.platform) -> list[QKeySequence]:
    """Return shortcuts as a system, named as by `sys.platform`, leaves them to programs.

    Those that it reserves are left out, as views of other packages may bring them.
    """
    reserved = RESERVED.get(system, RESERVED["linux"])
    each = (_moved(key, system) for key in ((keys,) if isinstance(keys, str) else keys))
    return [QKeySequence(key) for key in each if not re.fullmatch(reserved, key)]


def name_of(keys: Keys, system: str = sys.platform) -> str:
    """Return the first of some shortcuts as the system's menus write it."""
    first = keys if isinstance(keys, str) else keys[0]
    return QKeySequence(_moved(first, system)).toString(QKeySequence.SequenceFormat.NativeText)


def _moved(key: str, system: str) -> str:
    """Return what a shortcut is on a system."""
    return _ON_MACOS.get(key, key) if system == "darwin" else key


def add_shortcut(
    part: QWidget, keys: Keys, act: Callable[[], object], *, alone: bool = False
) -> None:
    """Call something at these keys in a window, or where a part ``alone`` has the keyboard."""
    for sequence in sequences(keys):
        shortcut = QShortcut(sequence, part)
        if alone:
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(act)


def with_keys(tip: str, keys: Keys, system: str = sys.platform) -> str:
    """Return a tip with a shortcut in brackets."""
    return f"{tip} ({name_of(keys, system)})"


def keyed(text: str, system: str = sys.platform) -> str:
    """Return a text with the system's names for the keys in it."""
    # They stand in backticks: the name of a menu item for its keys, or others such as `Enter`,
    # `Shift` and `Shift+click`

    def named(found: re.Match[str]) -> str:
        keys = MAIN.get(found[1])
        return _named(found[1], system) if keys is None else name_of(keys, system)

    return _MARKED.sub(named, text)


def in_prose(page: str, system: str = sys.platform) -> str:
    """Return a page of the manual with the system's names for the keys in backticks."""
    return _MARKED.sub(lambda found: f"`{_named(found[1], system)}`", page)


def _named(word: str, system: str) -> str:
    """Return the system's name for keys, a modifier or a click; other words as they are."""
    if system == "darwin":
        word = _LABELS.sub(lambda found: _LABELS_ON_MACOS[found[0]], word)
    is_keys, held = QKeySequence(word).toString() == word, _HELD.fullmatch(word)
    if held is None or (is_keys and held[2]):
        return name_of(word, system) if is_keys else word
    before = name_of(f"{held[1]}+A", system).removesuffix("A")
    return f"{before}{held[2]}" if held[2] else before.removesuffix("+")


CANCELS = keyed("`Esc` cancels")
"""How to cancel work in the main window."""
