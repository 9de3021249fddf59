"""Shortcuts: the keys that this system leaves to programs, and its names for them."""

import re
import sys

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence

Keys = str | QKeySequence.StandardKey | tuple[str, ...]
"""One shortcut or several: in Qt's portable text, where Ctrl is Command on macOS and Meta is
Control there, or by what the system uses it for."""

DELETE = ("Del", "Backspace")
"""What deletes a row: laptops by Apple send Backspace for their only such key."""

OPEN_FOLDER, RESET, MEAN_COLORS = "Ctrl+Shift+O", "Ctrl+R", "Shift+M"
NEXT_IMAGE, PREVIOUS_IMAGE = "Ctrl+PgDown", "Ctrl+PgUp"
CHOOSE_KEYS = {"w": "Ctrl+Shift+W", "N": "Ctrl+Shift+N", "both": "Shift+B"}
"""The shortcuts of menu items that tips elsewhere name, too."""

_COMBINED = re.compile(r"\b((?:(?:Ctrl|Alt|Shift)\+)+)([^\s`|,;:.)]+)|\bF11\b")
"""Shortcuts, and clicks with a modifier, in prose."""
_ON_MACOS = {
    **{f"Ctrl+Shift+{k}": f"Meta+Shift+{k}" for k in range(1, 10)},  # 3 to 6 take screenshots
    "Ctrl+M": "Meta+M",  # minimises the window
    "F11": "Meta+Ctrl+F",  # shows the desktop
}


def sequences(keys: Keys, system: str = sys.platform) -> list[QKeySequence]:
    """Return shortcuts as a system, named as by `sys.platform`, leaves them to programs."""
    if isinstance(keys, QKeySequence.StandardKey):
        return [QKeySequence(keys)]
    each = keys if isinstance(keys, tuple) else (keys,)
    moved = _ON_MACOS if system == "darwin" else {}
    return [QKeySequence(moved.get(key, key)) for key in each]


def name_of(keys: Keys, system: str = sys.platform) -> str:
    """Return the first of some shortcuts as the system's menus write it."""
    return sequences(keys, system)[0].toString(QKeySequence.SequenceFormat.NativeText)


def with_keys(tip: str, keys: Keys, system: str = sys.platform) -> str:
    """Return a tip with a shortcut in brackets."""
    return f"{tip} ({name_of(keys, system)})"


def in_prose(text: str, system: str = sys.platform) -> str:
    """Return a text with the system's names for the shortcuts in it, such as `Ctrl+Z`."""
    return _COMBINED.sub(lambda found: _renamed(found, system), text)


def _renamed(found: re.Match[str], system: str) -> str:
    """Return the system's name for a shortcut, or for the modifiers of a click."""
    if QKeySequence(found[0])[0].key() != Qt.Key.Key_unknown:
        return name_of(found[0], system)
    return name_of(f"{found[1]}A", system).removesuffix("A") + found[2]


def demo_keys(number: int) -> str:
    """Return the keys that open a demo, counted from 1."""
    return f"Ctrl+Shift+{number}"
